package streamable

import (
	"encoding/json"
	"strconv"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcptoolset/mcptoolset/internal/decode/rawjson"
)

// encode writes a request whose id is a number and whose params are raw JSON,
// every digit and every character of theirs as it is. It reports false for any
// other.
func encode(request transport.JSONRPCRequest) ([]byte, bool) {
	id, ok := request.ID.Value().(int64)
	raw, isRaw := request.Params.(json.RawMessage)
	if !ok || !isName(request.Method) || request.Params != nil && (!isRaw || !valid(raw)) {
		return nil, false
	}
	body := make([]byte, 0, len(raw)+len(request.Method)+64)
	body = append(body, `{"jsonrpc":"2.0","id":`...)
	body = strconv.AppendInt(body, id, 10)
	body = append(body, `,"method":"`...)
	body = append(body, request.Method...)
	body = append(body, '"')
	if raw != nil {
		body = append(body, `,"params":`...)
		body = append(body, raw...)
	}
	return append(body, '}'), true
}

// isName reports whether a method is plain text in JSON too.
func isName(method string) bool {
	for _, c := range []byte(method) {
		if c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

func valid(raw json.RawMessage) bool {
	r := rawjson.NewReader(raw)
	r.Value()
	return r.End() == nil
}

// decode reads a message that is the successful answer to a request, and
// reports whether it is. The result is a slice of text.
func decode(text []byte) (*transport.JSONRPCResponse, bool) {
	if len(text) == 0 {
		return nil, false
	}
	var id, result rawjson.Value
	plain := true
	r := rawjson.NewReader(text)
	r.Object(func(key []byte) {
		switch string(key) {
		case "jsonrpc":
			plain = r.Value().Kind == rawjson.String && plain
		case "id":
			id = r.Value()
		case "result":
			result = r.Value()
		case "error":
			plain = r.Value().Kind == rawjson.Null && plain
		default: // a request, a notice, or something odd
			r.Value()
			plain = false
		}
	})
	if r.End() != nil || !plain || id.Kind != rawjson.Number || result.Kind == rawjson.Invalid || result.Kind == rawjson.Null {
		return nil, false
	}
	number, err := strconv.ParseInt(string(id.Raw), 10, 64)
	if err != nil {
		return nil, false
	}
	return &transport.JSONRPCResponse{JSONRPC: mcp.JSONRPC_VERSION, ID: mcp.NewRequestId(number), Result: result.Raw}, true
}
