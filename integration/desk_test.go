package integration

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/internal/mcptest"
)

// The desk is the server that agents and providers work with: a travel desk
// with the arguments, results and names that real servers have.

const (
	weatherSchema = `{"type":"object","properties":{
		"city":{"type":"string","description":"Name of the city."},
		"unit":{"type":"string","enum":["celsius","fahrenheit"]},
		"days":{"type":"integer","minimum":1,"maximum":7}},"required":["city"]}`
	bookSchema = `{"type":"object","properties":{
		"order":{"type":"object","properties":{
			"id":{"type":"integer"},
			"seats":{"type":"array","items":{"type":"object","properties":{"row":{"type":"integer"},"seat":{"type":"string"}},"required":["row","seat"]}}
		},"required":["id","seats"]}},"required":["order"]}`
	oddSchema = `{"type":"object","properties":{
		"__arg1":{"type":"string"},"input":{"type":"string"},"name":{"type":"string"},"config":{"type":"string"}},"required":["__arg1"]}`
	bare = `{"type":"object"}`
)

func init() { mcptest.Register("desk", addDesk) }

func addDesk(s *mcptest.Server) {
	add := func(name, description, schema string, handler server.ToolHandlerFunc) {
		s.AddTool(mcp.NewToolWithRawSchema(name, description, json.RawMessage(schema)), handler)
	}
	says := func(text string) server.ToolHandlerFunc {
		return func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultText(text + string(r.Params.RawArguments)), nil
		}
	}
	add("weather", "Tells the weather of the days to come.", weatherSchema, weather)
	add("book", "Books seats.", bookSchema, says("booked "))
	add("cities", "Lists the cities there are.", bare, func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText("Paris, Berlin"), nil
	})
	add("get", "Gets.", bare, says("lower "))
	add("Get", "Gets, too.", bare, says("upper "))
	add("odd", "Has a parameter called as the agent's own.", oddSchema, says("odd "))
	add("silent", "Says nothing.", bare, func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{}}, nil
	})
}

func weather(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	city := r.GetString("city", "")
	if city == "Atlantis" {
		return mcp.NewToolResultError("no such city: " + city), nil
	}
	return mcp.NewToolResultText("Sunny in " + city), nil
}

// desk starts a desk of one kind. Beside its own it has the tool slow, which
// runs until it is cancelled or released.
func desk(t *testing.T, k mcptest.Kind) *mcptest.Target {
	t.Helper()
	return mcptest.Start(t, k, mcptest.Tools("slow"), mcptest.Setup("desk"))
}

// desks runs a test over a desk of each kind.
func desks(t *testing.T, test func(t *testing.T, d *mcptest.Target)) {
	for _, k := range mcptest.Kinds {
		t.Run(strings.ReplaceAll(string(k), " ", "_"), func(t *testing.T) {
			t.Parallel()
			test(t, desk(t, k))
		})
	}
}

// describe describes how to reach a server.
func describe(target *mcptest.Target) *config.Builder {
	switch target.Kind {
	case mcptest.Stdio:
		return child(target.Child)
	case mcptest.SSE:
		return config.NewSSE(target.Web.URL).Name("desk")
	case mcptest.StreamableHTTP:
		return config.NewStreamableHTTP(target.Web.URL).Name("desk")
	}
	return config.NewInProcess(target.Server.MCPServer).Name("desk")
}

func child(c *mcptest.Child) *config.Builder {
	return config.NewStdio(c.Command, c.Args...).Envs(c.Env).Name("desk")
}
