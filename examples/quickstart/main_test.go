package main

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// The demo starts itself again as the server, so the test binary has to be it.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == asServer {
		if serve() != nil {
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(m)
}

func ask(t *testing.T, arguments ...string) (string, error) {
	t.Helper()
	t.Setenv("OPENAI_API_KEY", "")
	var out bytes.Buffer
	err := run(t.Context(), arguments, &out)
	return out.String(), err
}

func TestTheDemoAnswersThroughToolCalls(t *testing.T) {
	out, err := ask(t)
	require.NoError(t, err)
	for _, line := range []string{
		"Tools     3",
		"stand-in",
		`Call 1    calculate {"left":1234.5,"operation":"times","right":8}`,
		"Observed  1234.5 times 8 = 9876",
		`Call 2    convert_temperature {"degrees":20,"from":"celsius","to":"fahrenheit"}`,
		"Answer    The tools say: 1234.5 times 8 = 9876; 20 degrees celsius = 68.00 degrees fahrenheit",
	} {
		assert.Contains(t, out, line)
	}
}

func TestTheStandInChoosesByTheQuestion(t *testing.T) {
	for question, call := range map[string]string{
		`Count the words of "to be, or not to be".`: `count_words {"text":"to be, or not to be"}`,
		"How cold is -40 fahrenheit in celsius?":    `convert_temperature {"degrees":-40,"from":"fahrenheit","to":"celsius"}`,
		"calculate 7 divided by 0":                  "cannot divide by zero",
		"Who painted the ceiling?":                  "None of the tools fits the question.",
	} {
		out, err := ask(t, "-question", question)
		require.NoError(t, err)
		assert.Contains(t, out, call, question)
	}
}

func TestTheDemoTakesAnyServer(t *testing.T) {
	s := server.NewMCPServer("shop", "2")
	s.AddTool(mcp.NewTool("find_product", mcp.WithString("query", mcp.Required())),
		func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultText("found " + r.GetString("query", "")), nil
		})
	web := httptest.NewServer(server.NewStreamableHTTPServer(s))
	defer web.Close()
	defer http.DefaultClient.CloseIdleConnections()

	out, err := ask(t, "-url", web.URL, "-question", "Find the product blue shoes")
	require.NoError(t, err)
	assert.Contains(t, out, "Server    shop 2")
	assert.Contains(t, out, "Answer    The tools say: found the product blue shoes")
}

func TestErrorsAreOnesToActOn(t *testing.T) {
	_, err := ask(t, "-url", "http://127.0.0.1:1/mcp", "x")
	assert.ErrorContains(t, err, "not both")
	_, err = ask(t, "-url", "http://127.0.0.1:1/mcp")
	assert.ErrorContains(t, err, "refused")
	_, err = ask(t, "no-such-command-anywhere")
	assert.ErrorContains(t, err, "no-such-command-anywhere")
	_, err = ask(t, "-url", "host/mcp")
	assert.ErrorContains(t, err, "URL")
}
