package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// Asks is what a server may ask of us (MCP, client/elicitation, client/sampling,
// client/roots).
type Asks struct {
	// Capabilities declare it to the server.
	Capabilities mcp.ClientCapabilities
	// Answer answers a request with its result. ctx is that of the request of
	// ours that it belongs to, where that is known, and ends with it; else it
	// ends with the connection. The server is told a *Refusal, of another error
	// only that there was one. Answer runs off the read loop and may be called
	// concurrently; a panic is contained.
	Answer func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error)
}

// Refusal is why a server's request is not answered, in words for the server.
type Refusal struct {
	Code int // of JSON-RPC
	Text string
	Err  error // the cause, which the server is not told; may be nil
}

// Error is the text and the cause.
func (r *Refusal) Error() string {
	if r.Err != nil {
		return fmt.Sprintf("%s: %v", r.Text, r.Err)
	}
	return r.Text
}

// Unwrap returns the cause.
func (r *Refusal) Unwrap() error { return r.Err }

var errUnable = errors.New("the client could not answer")

// capabilities are those we declare.
func (a *Asks) capabilities() mcp.ClientCapabilities {
	if a == nil {
		return mcp.ClientCapabilities{}
	}
	return a.Capabilities
}

// answer has the owner answer, and contains panics.
func (a *Asks) answer(ctx context.Context, method string, params json.RawMessage) (result json.RawMessage, err error) {
	if a == nil || a.Answer == nil {
		return nil, &Refusal{Code: mcp.METHOD_NOT_FOUND, Text: "this client does not answer " + method}
	}
	defer func() {
		if fault := recover(); fault != nil {
			result, err = nil, &PanicError{Value: fault}
		}
	}()
	return a.Answer(ctx, method, params)
}

// asked are the requests of a server that are being worked on, and those of
// ours that they may belong to.
type asked struct {
	asks *Asks

	mu     sync.Mutex
	ours   map[mcp.RequestId]context.Context
	tasks  map[string]context.Context    // those of ours that are followed, by their ids
	theirs map[string]context.CancelFunc // by their ids
}

type ownerKey struct{}

// under notes a request of ours while it lasts. The returned context tells,
// where a transport hands it on, which request a question of the server
// belongs to; it ends with the request.
func (a *asked) under(ctx context.Context, id mcp.RequestId) (context.Context, func()) {
	if a.asks == nil {
		return ctx, func() {}
	}
	own, end := context.WithCancel(ctx)
	a.mu.Lock()
	if a.ours == nil {
		a.ours = map[mcp.RequestId]context.Context{}
	}
	a.ours[id] = own
	a.mu.Unlock()
	return context.WithValue(ctx, ownerKey{}, own), func() {
		end()
		a.mu.Lock()
		delete(a.ours, id)
		a.mu.Unlock()
	}
}

// underTask notes a task of ours until ctx ends.
func (a *asked) underTask(ctx context.Context, id string) {
	if a.asks == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if known, ok := a.tasks[id]; ok && known.Err() == nil {
		return
	}
	if a.tasks == nil {
		a.tasks = map[string]context.Context{}
	}
	a.tasks[id] = ctx
	context.AfterFunc(ctx, func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.tasks[id] == ctx {
			delete(a.tasks, id)
		}
	})
}

// relatedTask is the member of _meta by which a server says which task a
// message belongs to (MCP 2025-11-25, basic/utilities/tasks).
const relatedTask = "io.modelcontextprotocol/related-task"

// taskOf is the id of the task that a question says it belongs to.
func taskOf(params json.RawMessage) string {
	if !bytes.Contains(params, []byte(relatedTask)) {
		return ""
	}
	var p struct {
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	var task struct {
		ID string `json:"taskId"`
	}
	if json.Unmarshal(params, &p) != nil || json.Unmarshal(p.Meta[relatedTask], &task) != nil {
		return ""
	}
	return task.ID
}

// owner is the context of what of ours a question belongs to: the task that it
// names, the request whose stream it came on, or the only one under way; else
// life. MCP does not say which it is where several share a stream.
func (a *asked) owner(ctx, life context.Context, task string) context.Context {
	a.mu.Lock()
	defer a.mu.Unlock()
	if own, ok := a.tasks[task]; ok {
		return own
	}
	if own, ok := ctx.Value(ownerKey{}).(context.Context); ok {
		return own
	}
	if len(a.ours) != 1 {
		return life
	}
	for _, own := range a.ours {
		return own
	}
	return life
}

// maxAsked bounds the requests of a server that are worked on at a time.
const maxAsked = 64

// begin notes a request of the server until end, so that it can be cancelled. It
// reports false where there are too many already.
func (a *asked) begin(ctx context.Context, id mcp.RequestId) (context.Context, func(), bool) {
	key := fmt.Sprint(id.Value())
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.theirs) >= maxAsked {
		return ctx, nil, false
	}
	if a.theirs == nil {
		a.theirs = map[string]context.CancelFunc{}
	}
	ctx, cancel := context.WithCancel(ctx)
	a.theirs[key] = cancel
	return ctx, func() {
		cancel()
		a.mu.Lock()
		defer a.mu.Unlock()
		delete(a.theirs, key)
	}, true
}

// cancel ends the work on a request that the server no longer wants answered
// (MCP, basic/utilities/cancellation).
func (a *asked) cancel(n mcp.JSONRPCNotification) {
	key := numeral(n.Params.AdditionalFields["requestId"])
	a.mu.Lock()
	defer a.mu.Unlock()
	if cancel, ok := a.theirs[key]; ok {
		cancel()
	}
}

// answer answers a request of the server. Its own limit for that, which mcp-go
// sets over streamable HTTP, is not the owner's: a person may take longer.
func (l *link) answer(ctx, life context.Context, r transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	if r.Method == string(mcp.MethodPing) {
		return transport.NewJSONRPCResultResponse(r.ID, json.RawMessage(`{}`)), nil
	}
	params, err := json.Marshal(r.Params)
	if err != nil {
		return refusal(r.ID, mcp.INVALID_PARAMS, "the params cannot be read"), nil
	}
	if l.kind != InProcess { // there it is the tool's own
		ctx = l.asked.owner(ctx, life, taskOf(params))
	}
	ctx, ended, ok := l.asked.begin(ctx, r.ID)
	if !ok {
		return refusal(r.ID, mcp.INTERNAL_ERROR, "too many requests at a time"), nil
	}
	defer ended()
	result, err := l.asked.asks.answer(ctx, r.Method, params)
	var refused *Refusal
	switch {
	case errors.As(err, &refused):
		return refusal(r.ID, refused.Code, refused.Text), nil
	case err != nil:
		return refusal(r.ID, mcp.INTERNAL_ERROR, errUnable.Error()), nil
	}
	return transport.NewJSONRPCResultResponse(r.ID, result), nil
}

func refusal(id mcp.RequestId, code int, text string) *transport.JSONRPCResponse {
	return transport.NewJSONRPCErrorResponse(id, code, text, nil)
}

// Announce tells the server of a change on our side, where its protocol
// version has such notices. It does not wait.
func (c *Conn) Announce(method string) {
	if c.info.Modern() {
		return
	}
	notice := mcp.JSONRPCNotification{JSONRPC: mcp.JSONRPC_VERSION}
	notice.Method = method
	c.link.strays.run(func() {
		ctx, done := context.WithTimeout(c.life, cancelLimit)
		defer done()
		_ = c.link.SendNotification(ctx, notice) // best effort: nobody waits
	})
}
