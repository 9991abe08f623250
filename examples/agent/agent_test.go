package main

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/mcptoolset/mcptoolset/examples/internal/openaitest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// travel is a server that looks up the weather.
func travel(t *testing.T) string {
	t.Helper()
	s := server.NewMCPServer("travel", "1.0.0", server.WithInstructions("Ask for one city at a time."))
	s.AddTool(mcp.NewTool("get_weather", mcp.WithDescription("Tells the weather of a city."), mcp.WithString("city", mcp.Required())),
		func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultText("rain in " + r.GetString("city", "")), nil
		})
	web := httptest.NewServer(server.NewStreamableHTTPServer(s))
	t.Cleanup(web.Close)
	return web.URL
}

func TestAConversationIsRemembered(t *testing.T) {
	url := travel(t)
	api := openaitest.Serve(t,
		openaitest.Call("get_weather", `{"city":"Oslo"}`),
		openaitest.Say(func(r openaitest.Request) string { return "There is " + r.Last() + "." }),
		openaitest.Say(func(openaitest.Request) string { return "Yes." }),
	)
	var out strings.Builder
	require.NoError(t, converse(t.Context(), url, strings.NewReader("How is Oslo?\nDo I need an umbrella?\n"), &out))
	assert.Equal(t, "There is rain in Oslo.\nYes.\n", out.String())

	requests := api.Requests()
	require.Len(t, requests, 3)
	require.Len(t, requests[0].Tools, 1)
	assert.JSONEq(t, `{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`,
		string(requests[0].Tools[0].Function.Parameters), "the model sees the server's schema")
	var told []string
	for _, message := range requests[2].Messages {
		told = append(told, message.Role+": "+message.Text())
	}
	assert.Equal(t, []string{
		"system: You work at a travel desk. Be brief.\n\nThe server \"travel\" says on the use of its tools, in its own words:\n> Ask for one city at a time.",
		"user: How is Oslo?", "assistant: There is rain in Oslo.", "user: Do I need an umbrella?",
	}, told)
}

func TestErrorsAreReturned(t *testing.T) {
	openaitest.Serve(t)
	url := travel(t)
	assert.ErrorContains(t, converse(t.Context(), "", nil, nil), "StreamableHTTP.URL", "MCP_URL was not set")
	assert.ErrorContains(t, converse(t.Context(), url, strings.NewReader("Hello?"), nil), "the script has ended", "the model's error")

	t.Setenv("OPENAI_API_KEY", "")
	assert.ErrorContains(t, converse(t.Context(), url, nil, nil), "OPENAI_API_KEY")
}
