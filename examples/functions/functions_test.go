package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/mcptoolset/mcptoolset/examples/internal/openaitest"
)

// The test binary is also the command npx, when it is called by that name.
func TestMain(m *testing.M) {
	if name := filepath.Base(os.Args[0]); strings.TrimSuffix(name, ".exe") == "npx" {
		if err := server.ServeStdio(everything()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(m)
}

// everything stands for the server that npx would fetch. It has its tool
// get-sum.
func everything() *server.MCPServer {
	s := server.NewMCPServer("everything", "1.0.0")
	s.AddTool(mcp.NewTool("get-sum", mcp.WithDescription("Adds two numbers."),
		mcp.WithNumber("a", mcp.Required()), mcp.WithNumber("b", mcp.Required())),
		func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultText(fmt.Sprint(r.GetFloat("a", 0) + r.GetFloat("b", 0))), nil
		})
	return s
}

// npxIsThisTest puts a command npx on the path that is this test binary.
func npxIsThisTest(t *testing.T) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	name := "npx"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	dir := t.TempDir()
	if err := os.Symlink(self, filepath.Join(dir, name)); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

func TestAnAgentCallsTheServersTool(t *testing.T) {
	npxIsThisTest(t)
	api := openaitest.Serve(t,
		openaitest.Call("get-sum", `{"a":2,"b":3}`),
		openaitest.Say(func(r openaitest.Request) string { return "The tool says " + r.Last() }),
	)
	answer, err := ask(t.Context(), "What is 2 plus 3?")
	require.NoError(t, err)
	assert.Equal(t, "The tool says 5", answer)

	requests := api.Requests()
	require.Len(t, requests, 2)
	require.Len(t, requests[0].Tools, 1)
	assert.Equal(t, "get-sum", requests[0].Tools[0].Function.Name)
	assert.JSONEq(t, `{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}},"required":["a","b"]}`,
		string(requests[0].Tools[0].Function.Parameters), "the model sees the server's schema")
}

func TestErrorsAreReturned(t *testing.T) {
	openaitest.Serve(t)
	path := os.Getenv("PATH")
	t.Setenv("PATH", t.TempDir())
	_, err := ask(t.Context(), "What is 2 plus 3?")
	assert.ErrorContains(t, err, "npx", "there is none on this path")

	t.Setenv("PATH", path)
	npxIsThisTest(t)
	_, err = ask(t.Context(), "What is 2 plus 3?")
	assert.ErrorContains(t, err, "the script has ended", "the model's error")

	t.Setenv("OPENAI_API_KEY", "")
	_, err = ask(t.Context(), "What is 2 plus 3?")
	assert.ErrorContains(t, err, "OPENAI_API_KEY")
}
