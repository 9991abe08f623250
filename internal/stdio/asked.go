package stdio

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcptoolset/mcptoolset/internal/decode/rawjson"
)

// maxAsked bounds the requests of the server that are worked on at a time.
const maxAsked = 64

var (
	errUnknown = errors.New("method not found")
	errBusy    = errors.New("too many requests at a time")
)

// asked takes a request of the server. What needs no thought is answered here,
// the rest aside.
func (t *Transport) asked(m *message) {
	method, id := m.method.Text(), bytes.Clone(m.id.Raw)
	if own, ok := numberOf(m.id); ok && t.pending.method(own) == method {
		t.stray("an echo of a request", m.shown()) // a terminal, or cat
		return
	}
	switch mcp.MCPMethod(method) {
	case mcp.MethodPing:
		t.reply(id, "result", struct{}{})
	case mcp.MethodSamplingCreateMessage, mcp.MethodElicitationCreate, mcp.MethodListRoots:
		t.mu.Lock()
		handler := t.onAsked
		t.mu.Unlock()
		if handler == nil {
			t.fail(id, mcp.METHOD_NOT_FOUND, errUnknown)
			return
		}
		select {
		case t.places <- struct{}{}:
			go t.handle(handler, id, request(m, method))
		default:
			t.fail(id, mcp.INTERNAL_ERROR, errBusy)
		}
	default:
		t.fail(id, mcp.METHOD_NOT_FOUND, errUnknown)
	}
}

// request is m as a handler gets it. It holds no bytes of the line.
func request(m *message, method string) transport.JSONRPCRequest {
	r := transport.JSONRPCRequest{JSONRPC: mcp.JSONRPC_VERSION, Method: method}
	_ = json.Unmarshal(m.id.Raw, &r.ID) // for the handler; the answer bears the id as it was sent
	if m.params.Kind != rawjson.Invalid && m.params.Kind != rawjson.Null {
		r.Params = json.RawMessage(bytes.Clone(m.params.Raw))
	}
	return r
}

// handle has the handler work on a request and answers it.
func (t *Transport) handle(handler transport.RequestHandler, id []byte, r transport.JSONRPCRequest) {
	defer func() {
		if fault := recover(); fault != nil {
			t.fail(id, mcp.INTERNAL_ERROR, fmt.Errorf("panic: %v", fault))
		}
		<-t.places
	}()
	response, err := handler(t.life, r)
	switch {
	case err != nil:
		t.fail(id, mcp.INTERNAL_ERROR, err)
	case response == nil:
		t.fail(id, mcp.INTERNAL_ERROR, errors.New("there is no answer"))
	case response.Error != nil:
		t.reply(id, "error", response.Error)
	default:
		t.reply(id, "result", response.Result)
	}
}

func (t *Transport) fail(id []byte, code int, err error) {
	t.reply(id, "error", mcp.NewJSONRPCErrorDetails(code, err.Error(), nil))
}

// reply answers the server. That it is gone is noticed elsewhere.
func (t *Transport) reply(id []byte, member string, value any) {
	_, _ = t.in.WriteFrame(encodeAnswer(id, member, value))
}
