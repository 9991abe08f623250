package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
)

// TasksExtension is the extension by which a server may answer a call with a
// task since 2026-07-28.
const TasksExtension = "io.modelcontextprotocol/tasks"

// AsksForTasks reports whether a call may ask to be run as a task (MCP
// 2025-11-25, basic/utilities/tasks). Since 2026-07-28 nobody asks.
func (i Info) AsksForTasks() bool {
	return !i.Modern() && i.declaresTasks()
}

// declaresTasks reports whether the server says that calls may ask to be run
// as tasks, whatever the era.
func (i Info) declaresTasks() bool {
	tasks := i.Capabilities.Tasks
	return tasks != nil && tasks.Requests != nil && tasks.Requests.Tools != nil && tasks.Requests.Tools.Call != nil
}

// WouldTask reports whether the server runs calls as tasks in the older era,
// but not in that of this connection.
func (i Info) WouldTask() bool { return i.Modern() && i.declaresTasks() && !i.GivesTasks() }

// GivesTasks reports whether the server may answer any call with a task, as it
// does since 2026-07-28 where both sides declare the extension.
func (i Info) GivesTasks() bool {
	_, declared := i.Capabilities.Extensions[TasksExtension]
	return i.Modern() && declared
}

// CancelsTasks reports whether the server takes tasks/cancel.
func (i Info) CancelsTasks() bool {
	return i.GivesTasks() || i.Capabilities.Tasks != nil && i.Capabilities.Tasks.Cancel != nil
}

// capabilities are ours, as each request declares them since 2026-07-28: what
// the owner can do, and the extensions that the server has and we know.
func (c *Conn) capabilities() mcp.ClientCapabilities {
	declared := c.link.asked.asks.capabilities()
	if c.info.GivesTasks() {
		declared.Extensions = map[string]any{TasksExtension: struct{}{}}
	}
	return declared
}

type augmentedKey struct{}

// CallAsTask is Call with the member task of the request, which asks the server
// to run the tool as a task. When ctx ends before the answer, the server is not
// told: a notice does not end a task.
func (c *Conn) CallAsTask(ctx context.Context, name string, arguments, schema, task json.RawMessage) (json.RawMessage, error) {
	params, err := callParams(name, arguments)
	if err != nil {
		return nil, err
	}
	params = append(params[:len(params)-1], `,"task":`...)
	params = append(append(params, task...), '}')
	ctx = context.WithValue(ctx, augmentedKey{}, true)
	return c.Request(ctx, string(mcp.MethodToolsCall), params, c.callHeaders(name, schema, params))
}

// isAugmented reports whether a request asked for a task.
func isAugmented(ctx context.Context) bool { return ctx.Value(augmentedKey{}) != nil }

// Task sends a request about a task, such as tasks/get. input is what
// tasks/update answers; nil elsewhere. Until ctx ends, questions that the
// server asks for the task belong to it.
func (c *Conn) Task(ctx context.Context, method, id string, input map[string]json.RawMessage) (json.RawMessage, error) {
	params, err := json.Marshal(struct {
		ID    string                     `json:"taskId"`
		Input map[string]json.RawMessage `json:"inputResponses,omitempty"`
	}{id, input})
	if err != nil {
		return nil, err
	}
	header := http.Header{}
	if value, ok := mcp.EncodeHeaderValue(id); ok {
		header.Set(mcp.HeaderName, value) // the extension asks for it
	}
	c.link.asked.underTask(ctx, id)
	return c.Request(ctx, method, params, header)
}

// ErrorOf is a JSON-RPC error object as an error. What is no such object is
// the error's data.
func ErrorOf(raw json.RawMessage) *RPCError {
	var object struct {
		Code    int
		Message string
		Data    json.RawMessage
	}
	if json.Unmarshal(raw, &object) != nil {
		object.Data = raw
	}
	details := &mcp.JSONRPCErrorDetails{Code: object.Code, Message: object.Message}
	if len(object.Data) > 0 && !bytes.Equal(object.Data, []byte("null")) {
		details.Data = object.Data
	}
	return rpcError(details)
}

type hearingKey struct{}

// Hearing goes on hearing the progress of a request after its answer: the
// token stays that of the task (MCP 2025-11-25, basic/utilities/tasks, "Task
// Progress Notifications").
type Hearing struct {
	mu     sync.Mutex
	last   Progress
	queue  *queue // nil until the request is sent, and where nobody listens
	forget func()
}

// Lasting returns a context whose requests have their progress heard until
// End. It is for one request, which may be sent again.
func Lasting(ctx context.Context) (context.Context, *Hearing) {
	h := &Hearing{}
	return context.WithValue(ctx, hearingKey{}, h), h
}

func hearingOf(ctx context.Context) *Hearing {
	h, _ := ctx.Value(hearingKey{}).(*Hearing)
	return h
}

// recording is handler with what it was told last remembered. A notice that
// says nothing but words comes with that.
func (h *Hearing) recording(handler func(Progress)) func(Progress) {
	return func(p Progress) {
		h.mu.Lock()
		if p.Progress == 0 && p.Total == 0 {
			p.Progress, p.Total = h.last.Progress, h.last.Total
		}
		h.last = p
		h.mu.Unlock()
		handler(p)
	}
}

// take goes on with the notices of a request that has its answer.
func (h *Hearing) take(notices *queue, forget func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.forget != nil {
		h.forget() // the request was sent again
	}
	h.queue, h.forget = notices, forget
}

// Tell has the handler told of words on how far the task has come, in turn with
// the server's own notices.
func (h *Hearing) Tell(message string) {
	h.mu.Lock()
	q := h.queue
	h.mu.Unlock()
	if q == nil {
		return
	}
	var notice Notice
	notice.Params.AdditionalFields = map[string]any{"message": message}
	q.push(notice)
}

// End waits until the handler was told of all that came, or for ctx, and hears
// no more.
func (h *Hearing) End(ctx context.Context) {
	h.mu.Lock()
	q, forget := h.queue, h.forget
	h.queue, h.forget = nil, nil
	h.mu.Unlock()
	if q != nil {
		q.rest(ctx)
		forget()
	}
}
