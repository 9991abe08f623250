package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"
)

// paramHeader annotates a parameter that is to be mirrored into a header (MCP
// 2026-07-28, basic/transports, "x-mcp-header").
var paramHeader = []byte("x-mcp-header")

// methodOfCalls is never written to.
var methodOfCalls = []string{string(mcp.MethodToolsCall)}

// Call runs a tool and returns the raw result. name is the server's name,
// arguments a JSON object, schema the tool's input schema as it was listed.
func (c *Conn) Call(ctx context.Context, name string, arguments, schema json.RawMessage) (json.RawMessage, error) {
	params, err := callParams(name, arguments)
	if err != nil {
		return nil, err
	}
	return c.Request(ctx, string(mcp.MethodToolsCall), params, c.callHeaders(name, schema, params))
}

func callParams(name string, arguments json.RawMessage) (json.RawMessage, error) {
	quoted, err := json.Marshal(name)
	if err != nil {
		return nil, err
	}
	params := make(json.RawMessage, 0, len(quoted)+len(arguments)+len(`{"name":,"arguments":}`))
	params = append(params, `{"name":`...)
	params = append(params, quoted...)
	params = append(params, `,"arguments":`...)
	params = append(params, arguments...)
	return append(params, '}'), nil
}

// callHeaders are those that a call over HTTP mirrors from its body since
// 2026-07-28. The name is at hand here; [mcp.StandardHeaders] would read the
// body for it.
func (c *Conn) callHeaders(name string, schema, params json.RawMessage) http.Header {
	if !c.link.kind.web() || !c.info.Modern() {
		return nil
	}
	headers := http.Header{mcp.HeaderMethod: methodOfCalls}
	if encoded, ok := mcp.EncodeHeaderValue(name); ok {
		headers[mcp.HeaderName] = []string{encoded}
	}
	if !mirrors(c.link.kind, c.info, schema) {
		return headers
	}
	for name, value := range mcp.GenerateParamHeaders(&mcp.Tool{Name: name, RawInputSchema: schema}, params) {
		headers.Set(name, value)
	}
	return headers
}

// CheckHeaders reports why a tool with this schema must not be offered over
// such a connection: its x-mcp-header annotations break the rules.
func CheckHeaders(kind Kind, info Info, name string, schema json.RawMessage) error {
	if !mirrors(kind, info, schema) {
		return nil
	}
	return mcp.ValidateParamHeaderAnnotations(&mcp.Tool{Name: name, RawInputSchema: schema})
}

func mirrors(kind Kind, info Info, schema json.RawMessage) bool {
	return kind.web() && info.Modern() && bytes.Contains(schema, paramHeader)
}
