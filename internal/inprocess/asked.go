package inprocess

import (
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// asker hands what the server asks of the session to the transport's handler. A
// server in the same process asks by a function call, in either era.
type asker struct {
	handler atomic.Pointer[transport.RequestHandler]
	ids     atomic.Int64
}

// SetRequestHandler implements transport.BidirectionalInterface. The handler
// runs in the goroutine of the tool that asks, with the context that the tool
// asks with.
func (t *Transport) SetRequestHandler(handler transport.RequestHandler) {
	t.asker.handler.Store(&handler)
}

// CreateMessage implements server.SamplingHandler.
func (a *asker) CreateMessage(ctx context.Context, r mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
	return ask[mcp.CreateMessageResult](ctx, a, mcp.MethodSamplingCreateMessage, r.CreateMessageParams)
}

// Elicit implements server.ElicitationHandler.
func (a *asker) Elicit(ctx context.Context, r mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	return ask[mcp.ElicitationResult](ctx, a, mcp.MethodElicitationCreate, r.Params)
}

// ListRoots implements server.RootsHandler.
func (a *asker) ListRoots(ctx context.Context, _ mcp.ListRootsRequest) (*mcp.ListRootsResult, error) {
	return ask[mcp.ListRootsResult](ctx, a, mcp.MethodListRoots, nil)
}

// ask has the handler answer and reads its answer as the server's type.
func ask[T any](ctx context.Context, a *asker, method mcp.MCPMethod, params any) (*T, error) {
	handler := a.handler.Load()
	if handler == nil {
		return nil, fmt.Errorf("%s: there is no handler", method)
	}
	r := transport.JSONRPCRequest{JSONRPC: mcp.JSONRPC_VERSION, ID: mcp.NewRequestId(a.ids.Add(1)), Method: string(method)}
	if params != nil {
		r.Params = params
	}
	response, err := (*handler)(ctx, r)
	if err != nil {
		return nil, err
	}
	if response.Error != nil {
		return nil, response.Error.AsError()
	}
	result := new(T)
	return result, json.Unmarshal(response.Result, result)
}
