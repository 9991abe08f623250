package mcptest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
)

// Message is a JSON-RPC message as a server receives it.
type Message struct {
	Raw    json.RawMessage // the exact bytes
	Method string          // empty for an answer, and for what is no JSON-RPC
	ID     json.RawMessage // empty for a notification
	Params json.RawMessage
}

// ParseMessage reads what it can; the bytes stay in Raw.
func ParseMessage(raw []byte) Message {
	m := Message{Raw: bytes.Clone(raw)}
	var parts struct {
		Method string          `json:"method"`
		ID     json.RawMessage `json:"id"`
		Params json.RawMessage `json:"params"`
	}
	if json.Unmarshal(raw, &parts) == nil {
		m.Method, m.ID, m.Params = parts.Method, parts.ID, parts.Params
	}
	return m
}

// Tool is the name of the tool a tools/call is for, else "".
func (m Message) Tool() string {
	if m.Method != string(mcp.MethodToolsCall) {
		return ""
	}
	return m.param("name")
}

// Arguments are those of a tools/call, byte by byte; nil where there are none.
func (m Message) Arguments() json.RawMessage {
	var params struct {
		Arguments json.RawMessage `json:"arguments"`
	}
	_ = json.Unmarshal(m.Params, &params)
	return params.Arguments
}

// Version is the protocol version a request of the modern era names, else "".
func (m Message) Version() string {
	var version string
	_ = json.Unmarshal(m.meta(mcp.MetaKeyProtocolVersion), &version)
	return version
}

// ProgressToken is the token a request asks for progress with, byte by byte;
// nil where it does not ask.
func (m Message) ProgressToken() json.RawMessage { return m.meta("progressToken") }

func (m Message) meta(name string) json.RawMessage {
	var params struct {
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	_ = json.Unmarshal(m.Params, &params)
	return params.Meta[name]
}

func (m Message) param(name string) string {
	var params map[string]json.RawMessage
	_ = json.Unmarshal(m.Params, &params)
	var text string
	_ = json.Unmarshal(params[name], &text)
	return text
}

// Received is a message together with how it came.
type Received struct {
	Message

	// Over HTTP. A GET or DELETE has an empty Message.
	HTTP    string // the verb; empty on other kinds of connection
	Path    string
	Query   string
	Host    string
	Header  http.Header
	Session string // the session id it carries: a header, or over SSE a query value

	PID int // over stdio: the process that received it
}

// Method matches messages by their JSON-RPC method.
func Method(name string) func(Received) bool {
	return func(r Received) bool { return r.Method == name }
}

// HTTP matches requests by their verb, such as GET or DELETE.
func HTTP(verb string) func(Received) bool {
	return func(r Received) bool { return r.HTTP == verb }
}

// CallOf matches the tools/call of one tool.
func CallOf(tool string) func(Received) bool {
	return func(r Received) bool { return r.Tool() == tool }
}

// Any matches everything.
func Any[T any](T) bool { return true }

// Result is the answer to m that holds result, as JSON.
func Result(m Message, result any) []byte {
	return answer(m, "result", result)
}

// Failure is the answer to m that is a JSON-RPC error.
func Failure(m Message, code int, text string) []byte {
	return answer(m, "error", map[string]any{"code": code, "message": text})
}

func answer(m Message, key string, value any) []byte {
	id := m.ID
	if len(id) == 0 {
		id = json.RawMessage("null")
	}
	text, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("mcptest: a %s that is no JSON: %v", key, err))
	}
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,%q:%s}`, id, key, text)
}

// Text is a tool's result with one text.
func Text(text string) json.RawMessage {
	raw, err := json.Marshal(map[string]any{"content": []any{map[string]any{"type": "text", "text": text}}})
	if err != nil {
		panic(err) // strings can always be written
	}
	return raw
}

// defaultAnswer is what a plain server of the older era says: it knows
// initialize, ping, tools/list (tools, else none) and tools/call (any tool; the
// answer names it and its arguments), and nothing else. Notifications and answers
// get none.
func defaultAnswer(m Message, tools []json.RawMessage) ([]byte, bool) {
	if len(m.ID) == 0 || m.Method == "" {
		return nil, false
	}
	switch mcp.MCPMethod(m.Method) {
	case mcp.MethodInitialize:
		return Result(m, initialized(m)), true
	case mcp.MethodPing:
		return Result(m, struct{}{}), true
	case mcp.MethodToolsList:
		return Result(m, map[string]any{"tools": append([]json.RawMessage{}, tools...)}), true
	case mcp.MethodToolsCall:
		return Result(m, Text(m.Tool()+" got "+string(m.Arguments()))), true
	}
	return Failure(m, mcp.METHOD_NOT_FOUND, "Method not found"), true
}

func initialized(m Message) map[string]any {
	version := m.param("protocolVersion")
	if !mcp.IsValidProtocolVersion(version) || mcp.IsModernProtocol(version) {
		version = mcp.LATEST_LEGACY_PROTOCOL_VERSION
	}
	return map[string]any{
		"protocolVersion": version,
		"capabilities":    map[string]any{"tools": map[string]any{}},
		"serverInfo":      map[string]any{"name": "raw", "version": "1.0.0"},
	}
}

// fill puts the id of m where a raw answer says $id.
func fill(raw string, m Message) string {
	id := string(m.ID)
	if id == "" {
		id = "null"
	}
	return strings.ReplaceAll(raw, "$id", id)
}
