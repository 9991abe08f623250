package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/examples/internal/openaitest"
)

// weatherServer serves over HTTP, to those who have the token.
func weatherServer(t *testing.T) string {
	t.Helper()
	s := server.NewMCPServer("weather", "1.0.0")
	s.AddTool(mcp.NewTool("get_weather", mcp.WithDescription("Tells the weather of a city."),
		mcp.WithString("city", mcp.Required()), mcp.WithString("unit", mcp.Enum("celsius", "kelvin"))),
		func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultText("rain in " + r.GetString("city", "")), nil
		})
	s.AddTool(mcp.NewTool("delete_everything"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText("done"), nil
	})
	inner := server.NewStreamableHTTPServer(s)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer secret-token" {
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		inner.ServeHTTP(w, r)
	}))
	t.Cleanup(web.Close)
	return web.URL
}

func TestATextAgentCallsTheServersTool(t *testing.T) {
	url := weatherServer(t)
	api := openaitest.Serve(t,
		openaitest.Say(func(openaitest.Request) string {
			return "I should look.\nAction: get_weather\nAction Input: {\"city\": \"Oslo\"}\nObservation:"
		}),
		openaitest.Say(func(r openaitest.Request) string {
			_, observed, _ := strings.Cut(r.Last(), "{\"city\": \"Oslo\"}")
			if !strings.Contains(observed, "rain in Oslo") {
				return "Final Answer: nothing observed"
			}
			return "Now I know.\nFinal Answer: take an umbrella"
		}),
	)
	answer, err := ask(t.Context(), url, "secret-token", "What is the weather in Oslo?")
	require.NoError(t, err)
	assert.Equal(t, "take an umbrella", strings.TrimSpace(answer))

	requests := api.Requests()
	require.Len(t, requests, 2)
	assert.Empty(t, requests[0].Tools, "all is text")
	assert.Contains(t, requests[0].Last(), `- get_weather: Tells the weather of a city. Input: one JSON object {city: string, unit?: "celsius"|"kelvin"}`)
	assert.NotContains(t, requests[0].Last(), "delete_everything", "it is filtered")
}

func TestARefusalIsToldWithItsStatus(t *testing.T) {
	url := weatherServer(t)
	openaitest.Serve(t)
	_, err := ask(t.Context(), url, "wrong", "x")
	assert.ErrorContains(t, err, "HTTP 401 Unauthorized: who are you?")
	_, err = ask(t.Context(), "", "secret-token", "x")
	assert.ErrorContains(t, err, "StreamableHTTP.URL", "MCP_URL was not set")
}
