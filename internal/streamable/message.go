package streamable

import (
	"encoding/json"
	"strconv"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcptoolset/mcptoolset/internal/decode/rawjson"
)

// encode writes a request whose id is a number, and of params that are raw JSON
// every digit and every character as it is. It reports false for any other.
func encode(request transport.JSONRPCRequest) (body []byte, id int64, ok bool) {
	id, ok = request.ID.Value().(int64)
	if !ok || !isName(request.Method) {
		return nil, 0, false
	}
	raw, ok := params(request.Params)
	if !ok {
		return nil, 0, false
	}
	body = make([]byte, 0, len(raw)+len(request.Method)+64)
	body = append(body, `{"jsonrpc":"2.0","id":`...)
	body = strconv.AppendInt(body, id, 10)
	body = append(body, `,"method":"`...)
	body = append(body, request.Method...)
	body = append(body, '"')
	if raw != nil {
		body = append(body, `,"params":`...)
		body = append(body, raw...)
	}
	return append(body, '}'), id, true
}

// params are those of a request as JSON; nil for none. Those of the handshake are
// mcp-go's own values.
func params(of any) (json.RawMessage, bool) {
	switch of := of.(type) {
	case nil:
		return nil, true
	case json.RawMessage:
		return of, valid(of)
	}
	raw, err := json.Marshal(of)
	return raw, err == nil
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

// decode reads a message that is the answer to a request, and reports whether it
// is. The result is a slice of text, and so is the data of an error: mcp-go would round
// its numbers.
func decode(text []byte) (*transport.JSONRPCResponse, bool) {
	if len(text) == 0 {
		return nil, false
	}
	var id, result, failure rawjson.Value
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
			failure = r.Value()
		default: // a request, a notice, or something odd
			r.Value()
			plain = false
		}
	})
	if r.End() != nil || !plain || id.Kind != rawjson.Number {
		return nil, false
	}
	number, err := strconv.ParseInt(string(id.Raw), 10, 64)
	if err != nil {
		return nil, false
	}
	response := &transport.JSONRPCResponse{JSONRPC: mcp.JSONRPC_VERSION, ID: mcp.NewRequestId(number)}
	switch fails, succeeds := present(failure), present(result); {
	case succeeds && !fails:
		response.Result = result.Raw
	case fails && !succeeds:
		response.Error = details(failure)
	}
	return response, response.Result != nil || response.Error != nil
}

func present(v rawjson.Value) bool { return v.Kind != rawjson.Invalid && v.Kind != rawjson.Null }

// details reads an error that is as JSON-RPC has it; nil for any other.
func details(failure rawjson.Value) *mcp.JSONRPCErrorDetails {
	if failure.Kind != rawjson.Object {
		return nil
	}
	var code, message, data rawjson.Value
	r := rawjson.NewReader(failure.Raw)
	r.Object(func(key []byte) {
		switch string(key) {
		case "code":
			code = r.Value()
		case "message":
			message = r.Value()
		case "data":
			data = r.Value()
		}
	})
	number, err := strconv.Atoi(string(code.Raw))
	if err != nil || message.Kind != rawjson.String {
		return nil
	}
	d := &mcp.JSONRPCErrorDetails{Code: number, Message: message.Text()}
	if present(data) {
		d.Data = json.RawMessage(data.Raw)
	}
	return d
}
