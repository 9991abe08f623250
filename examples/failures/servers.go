package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/mcptoolset/mcptoolset/config"
)

// asChild is the argument that makes this program a child process.
const asChild = "child"

// child behaves as told and returns its exit code.
func child(behaviour string) int {
	switch behaviour {
	case "exits":
		fmt.Fprintln(os.Stderr, "missing API_TOKEN")
		return 3
	case "silent":
		fmt.Fprintln(os.Stderr, "downloading the model, 1% done")
		_, _ = io.Copy(io.Discard, os.Stdin)
		return 0
	}
	if err := server.ServeStdio(newServer()); err != nil {
		return 1
	}
	return 0
}

func newServer() *server.MCPServer {
	s := server.NewMCPServer("demo", "1.0.0")
	s.AddTool(mcp.NewTool("divide", mcp.WithNumber("a", mcp.Required()), mcp.WithNumber("b", mcp.Required())),
		func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if r.GetFloat("b", 0) == 0 {
				return mcp.NewToolResultError("cannot divide by zero"), nil
			}
			return mcp.NewToolResultText(fmt.Sprint(r.GetFloat("a", 0) / r.GetFloat("b", 0))), nil
		})
	s.AddTool(mcp.NewTool("sign_in"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return nil, mcp.URLElicitationRequiredError{Elicitations: []mcp.ElicitationParams{
			{Mode: "url", Message: "Sign in to the demo.", URL: "https://demo.example/sign-in", ElicitationID: "1"}}}
	})
	s.AddTool(mcp.NewTool("wait"), func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
	s.AddTool(mcp.NewTool("die"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		fmt.Fprintln(os.Stderr, "fatal: out of memory")
		os.Exit(137)
		return nil, nil
	})
	return s
}

// web serves over HTTP. A new connection for each request makes what happens
// the same each time.
func web(handler http.Handler) func() (*config.Builder, func()) {
	return func() (*config.Builder, func()) {
		server := httptest.NewServer(handler)
		client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		return config.NewStreamableHTTP(server.URL + "/mcp").Name("demo").HTTPClient(client), server.Close
	}
}

// working is a server without faults.
var working = server.NewStreamableHTTPServer(newServer())

// breaking cuts the connection when a tool is called.
var breaking = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil || bytes.Contains(body, []byte(`"tools/call"`)) {
		panic(http.ErrAbortHandler)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	working.ServeHTTP(w, r)
})

// refusing answers everything with a status.
func refusing(status int, body string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	})
}
