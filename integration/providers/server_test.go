package providers

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/tools"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// The server at the other end: a real one, whose schemas have what one provider
// or another refuses.

const (
	// searchSchema has a reference, a nullable choice and keys with signs.
	searchSchema = `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","$defs":{"condition":{
		"type":"object","properties":{"op":{"type":"string","enum":["eq","ne"]},"value":{"anyOf":[{"type":"string"},{"type":"null"}]}},
		"required":["op"],"additionalProperties":false}},
		"properties":{"$top":{"type":"integer","minimum":1,"maximum":50},"filter[name]":{"type":"string","minLength":1},
		"where":{"$ref":"#/$defs/condition"},"order":{"anyOf":[{"type":"string","enum":["up","down"]},{"type":"null"}]}},
		"required":["$top","filter[name]"]}`
	// ledgerSchema is for numbers of more digits than float64 has.
	ledgerSchema = `{"type":"object","properties":{"account":{"type":"integer"},"entries":{"type":"array","items":{
		"type":"object","properties":{"id":{"type":"integer"},"amount":{"type":"number"}},"required":["id"]}}},"required":["account"]}`
	// planSchema is seven levels of objects and arrays deep.
	planSchema = `{"type":"object","properties":{"plan":{"type":"object","properties":{"stages":{"type":"array","items":{
		"type":"object","properties":{"jobs":{"type":"array","items":{"type":"object","properties":{"step":{
		"type":"object","properties":{"on":{"type":"boolean"},"$id":{"type":"integer"}},"required":["on"]}},"required":["step"]}}},"required":["jobs"]}}},
		"required":["stages"]}},"required":["plan"]}`
	// oddSchema has a property called as the one LangChainGo's agent invents.
	oddSchema = `{"type":"object","properties":{"__arg1":{"type":"string"},"input":{"type":"string"}},"required":["__arg1"]}`
	// eitherSchema is a union at its root.
	eitherSchema = `{"type":"object","anyOf":[{"properties":{"id":{"type":"integer"}},"required":["id"]},
		{"properties":{"name":{"type":"string"}},"required":["name"]}]}`
	// looseSchema has all the forms without one plain type. It is only shown.
	looseSchema = `{"type":"object","properties":{"any":{},"yes":true,"untyped":{"description":"Whatever you like."},
		"pair":{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}]},"list":{"type":"array"},"level":{"enum":[1,2,3]},
		"empty":{"type":"object","properties":{}},"map":{"type":"object","additionalProperties":{"type":"integer"}},
		"mode":{"type":"string","enum":["","on"]},"maybe":{"type":["string","null"]},"kind":{"const":"k"},
		"either":{"oneOf":[{"type":"string"},{"type":"object","properties":{"x":{"type":"integer"}}}]},
		"@odata.type":{"type":"string"},"größe":{"type":"number"},"tree":{"$ref":"#/$defs/tree"}},
		"patternProperties":{"^x-":{"type":"string"}},"propertyNames":{"maxLength":20},"additionalProperties":true,
		"$defs":{"tree":{"type":"object","properties":{"children":{"type":"array","items":{"$ref":"#/$defs/tree"}}}}}}`
	bareSchema = `{"type":"object"}`
)

// planName is a name that no provider takes.
const planName = "plan.größe/v2"

// pixel is a picture of one point.
var pixel, _ = base64.StdEncoding.DecodeString("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")

func TestMain(m *testing.M) {
	mcptest.Register("office", addOffice)
	m.Run()
}

func addOffice(s *mcptest.Server) {
	for _, t := range []struct{ name, description, schema string }{
		{"search", "Searches the files.", searchSchema},
		{"ledger", "Reads an account.", ledgerSchema},
		{planName, "Makes a plan.", planSchema},
		{"odd", "Takes odd arguments.", oddSchema},
		{"either", "Finds one by id or name.", eitherSchema},
		{"loose", "Takes whatever comes.", looseSchema},
		{"2fa.check", "Checks a second factor.", bareSchema},
		{"now", "Tells the time.", bareSchema},
	} {
		s.AddTool(mcp.NewToolWithRawSchema(t.name, t.description, json.RawMessage(t.schema)), repeat)
	}
	s.AddTool(mcp.NewToolWithRawSchema("draw", "Draws a picture.", json.RawMessage(bareSchema)), draw)
}

// repeat answers with what it was given.
func repeat(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return mcp.NewToolResultText(r.Params.Name + " got " + string(r.Params.RawArguments)), nil
}

func draw(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return mcp.NewToolResultImage("A point.", base64.StdEncoding.EncodeToString(pixel), "image/png"), nil
}

// office is the server, connected.
type office struct {
	*mcptest.Target
	set   *toolset.Toolset
	tools []tools.Tool
}

func newOffice(t *testing.T) *office {
	t.Helper()
	target := mcptest.Start(t, mcptest.StreamableHTTP, mcptest.Tools(), mcptest.Setup("office"))
	cfg, err := config.NewStreamableHTTP(target.Web.URL).Build()
	require.NoError(t, err)
	set, err := toolset.New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, set.Close()) })
	found, err := set.Tools(t.Context())
	require.NoError(t, err)
	require.Len(t, found, 9)
	return &office{Target: target, set: set, tools: found}
}

// shown is the name by which models know a tool of the server.
func (o *office) shown(t *testing.T, original string) string {
	t.Helper()
	tool, err := o.set.Tool(t.Context(), original)
	require.NoError(t, err)
	return tool.Name()
}
