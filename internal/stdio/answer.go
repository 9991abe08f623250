package stdio

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcptoolset/mcptoolset/internal/decode/rawjson"
	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// answer makes of m what its request gets. keep makes bytes outlive the line.
func answer(m *message, keep func([]byte) json.RawMessage) (*transport.JSONRPCResponse, error) {
	failed := m.failure.Kind != rawjson.Invalid && m.failure.Kind != rawjson.Null
	succeeded := m.result.Kind != rawjson.Invalid && (m.result.Kind != rawjson.Null || !failed)
	switch {
	case succeeded && (!failed || hollow(m.failure)):
		return &transport.JSONRPCResponse{JSONRPC: mcp.JSONRPC_VERSION, Result: keep(m.result.Raw)}, nil
	case succeeded:
		d := details(m.failure)
		return nil, &wire.AnswerError{Err: fmt.Errorf("it holds both a result and an error: %s (JSON-RPC error %d)", d.Message, d.Code)}
	case failed:
		return &transport.JSONRPCResponse{JSONRPC: mcp.JSONRPC_VERSION, Error: details(m.failure)}, nil
	}
	return nil, &wire.AnswerError{Err: wire.ErrNeither}
}

// hollow is what some servers write for no error beside a result.
func hollow(failure rawjson.Value) bool {
	switch string(failure.Raw) {
	case "false", "0", `""`, "{}", "[]":
		return true
	}
	return false
}

// details reads an error object, which need not be as JSON-RPC has it. What is
// of another type than it should be goes into the message or the data, so that
// nothing the server said is lost.
func details(failure rawjson.Value) *mcp.JSONRPCErrorDetails {
	switch failure.Kind {
	case rawjson.Object:
		return detailsOf(failure)
	case rawjson.String:
		return &mcp.JSONRPCErrorDetails{Code: mcp.INTERNAL_ERROR, Message: failure.Text()}
	}
	return &mcp.JSONRPCErrorDetails{Code: mcp.INTERNAL_ERROR, Message: string(failure.Raw)}
}

func detailsOf(failure rawjson.Value) *mcp.JSONRPCErrorDetails {
	var code, text, data rawjson.Value
	r := rawjson.NewReader(failure.Raw)
	r.Object(func(key []byte) {
		switch string(key) {
		case "code":
			code = r.Value()
		case "message":
			text = r.Value()
		case "data":
			data = r.Value()
		}
	})
	d := &mcp.JSONRPCErrorDetails{Message: text.Text()}
	switch {
	case data.Kind != rawjson.Invalid && data.Kind != rawjson.Null:
		d.Data = json.RawMessage(string(data.Raw))
	case text.Kind != rawjson.String:
		d.Data = json.RawMessage(string(failure.Raw)) // whatever it says, it says it here
	}
	n, ok := numberOf(code)
	switch d.Code = int(n); {
	case ok && int64(d.Code) == n:
	case code.Kind == rawjson.Invalid || code.Kind == rawjson.Null:
		d.Code = mcp.INTERNAL_ERROR
	default:
		d.Code = mcp.INTERNAL_ERROR
		d.Message = strings.TrimSpace(fmt.Sprintf("%s (code %s)", d.Message, code.Raw))
	}
	return d
}
