package inprocess_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/mcptoolset/mcptoolset/internal/inprocess"
	"github.com/mcptoolset/mcptoolset/internal/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// newServer has a tool for each way a handler can end.
func newServer() *server.MCPServer {
	s := server.NewMCPServer("test", "1", server.WithToolCapabilities(true))
	s.AddTool(mcp.NewTool("report"), func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		for i := range 50 {
			if err := s.SendNotificationToClient(ctx, "notifications/test", map[string]any{"n": i}); err != nil {
				return nil, err
			}
		}
		return mcp.NewToolResultText("done"), nil
	})
	s.AddTool(mcp.NewTool("unwritable"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{StructuredContent: make(chan int)}, nil
	})
	return s
}

func start(t *testing.T, s *server.MCPServer, hear func(mcp.JSONRPCNotification)) *inprocess.Transport {
	t.Helper()
	tr := inprocess.New(s)
	tr.SetNotificationHandler(hear)
	require.NoError(t, tr.Start(t.Context()))
	require.NoError(t, tr.Start(t.Context()), "once is enough")
	t.Cleanup(func() { assert.NoError(t, tr.Close()) })
	_, err := ask(t, tr, "initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`)
	require.NoError(t, err)
	require.NoError(t, tr.SendNotification(t.Context(), mcp.JSONRPCNotification{
		JSONRPC: mcp.JSONRPC_VERSION, Notification: mcp.Notification{Method: "notifications/initialized"}}))
	return tr
}

func ask(t *testing.T, tr *inprocess.Transport, method, params string) (*transport.JSONRPCResponse, error) {
	t.Helper()
	return tr.SendRequest(t.Context(), transport.JSONRPCRequest{
		JSONRPC: mcp.JSONRPC_VERSION, ID: mcp.NewRequestId(int64(7)), Method: method, Params: json.RawMessage(params)})
}

func TestE9_WhatAToolReportsComesBeforeItsResult(t *testing.T) {
	t.Parallel()
	heard := 0
	tr := start(t, newServer(), func(n mcp.JSONRPCNotification) {
		assert.EqualValues(t, heard%50, n.Params.AdditionalFields["n"])
		heard++
	})
	for calls := 1; calls <= 5; calls++ {
		response, err := ask(t, tr, "tools/call", `{"name":"report"}`)
		require.NoError(t, err)
		assert.Contains(t, string(response.Result), "done")
		assert.Equal(t, 50*calls, heard)
	}
}

func TestG1_AnswersThatAreErrors(t *testing.T) {
	t.Parallel()
	tr := start(t, newServer(), nil)
	response, err := ask(t, tr, "no/such", `{}`)
	require.NoError(t, err)
	assert.Equal(t, mcp.METHOD_NOT_FOUND, response.Error.Code)

	_, err = ask(t, tr, "tools/call", `{"name":"unwritable"}`)
	var unusable *wire.AnswerError
	require.ErrorAs(t, err, &unusable)

	_, err = ask(t, tr, "tools/list", `{"cursor":`)
	require.Error(t, err, "params that are no JSON")
}

func TestG1_SessionsHaveIDsOfTheirOwn(t *testing.T) {
	t.Parallel()
	s := newServer()
	for range 100 {
		tr := inprocess.New(s)
		require.NoError(t, tr.Start(t.Context()))
		t.Cleanup(func() { _ = tr.Close() })
	}
}

func TestG1_AClosedTransport(t *testing.T) {
	t.Parallel()
	s := newServer()
	tr := inprocess.New(s)
	require.NoError(t, tr.Start(t.Context()))
	require.NoError(t, tr.Close())
	require.NoError(t, tr.Close())
	require.ErrorIs(t, tr.Start(t.Context()), transport.ErrTransportClosed)
	_, err := ask(t, tr, "ping", `{}`)
	require.ErrorIs(t, err, transport.ErrTransportClosed)
	unstarted := inprocess.New(s)
	require.NoError(t, unstarted.Close())
	assert.Empty(t, fmt.Sprint(unstarted.GetSessionId()))
}
