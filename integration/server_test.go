package integration

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// childEnv makes this test binary the contract's server over stdio. Its value
// is the file that the child notes a cancellation in.
const childEnv = "MCPTOOLSET_CONTRACT_CHILD"

func TestMain(m *testing.M) {
	mcptest.RunChild()
	if note := os.Getenv(childEnv); note != "" {
		cancelled := func() { _ = os.WriteFile(note, []byte("cancelled"), 0o600) }
		if server.ServeStdio(newServer(cancelled, nil)) != nil {
			os.Exit(1)
		}
		return
	}
	// mcp-go's server sleeps out the time to live of each task, whatever happens.
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/mark3labs/mcp-go/server.(*MCPServer).scheduleTaskCleanup"))
}

// newServer is the server of the contract. cancelled is called when the call
// of hang ends with its context; over ends it otherwise, since mcp-go's SSE
// server does not end what runs when a client leaves.
func newServer(cancelled func(), over <-chan struct{}) *server.MCPServer {
	s := server.NewMCPServer("contract", "1.0.0", server.WithInstructions("be kind"), server.WithRecovery())
	anything := mcp.NewToolWithRawSchema("echo", "Answers its arguments.",
		json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"},"id":{"type":"integer"}}}`))
	s.AddTool(anything, func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText(string(r.Params.RawArguments)), nil
	})
	s.AddTool(mcp.NewTool("fail", mcp.WithDescription("Fails.")), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultError("no such city"), nil
	})
	s.AddTool(mcp.NewTool("broken"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		panic("handler fault")
	})
	s.AddTool(mcp.NewTool("whoami"), func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		user := r.Header.Get("X-User")
		if headers := toolset.HeadersFromContext(ctx); user == "" {
			user = headers.Get("X-User")
		}
		return mcp.NewToolResultText("user " + user), nil
	})
	var running atomic.Int32
	s.AddTool(mcp.NewTool("hang"), func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		running.Add(1)
		select {
		case <-ctx.Done():
			cancelled()
			return nil, ctx.Err()
		case <-over:
			return mcp.NewToolResultText("over"), nil
		}
	})
	s.AddTool(mcp.NewTool("hanging"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText(fmt.Sprint(running.Load())), nil
	})
	return s
}

// kind is one way to reach the contract's server.
type kind struct {
	name string
	// http reports whether headers reach the server as such.
	http bool
	// open describes a new server, which lasts until the test ends. saw tells
	// whether a cancellation reached it.
	open func(t *testing.T) (b *config.Builder, saw func() bool)
}

var kinds = []kind{
	{"stdio", false, func(t *testing.T) (*config.Builder, func() bool) {
		note := t.TempDir() + "/note"
		self, err := os.Executable()
		require.NoError(t, err)
		// A race detector's child would sleep a second at its exit.
		b := config.NewStdio(self).Env(childEnv, note).Env("GORACE", "atexit_sleep_ms=0")
		return b, func() bool { _, err := os.Stat(note); return err == nil }
	}},
	{"sse", true, func(t *testing.T) (*config.Builder, func() bool) {
		return webServer(t, "/sse", func(s *server.MCPServer) http.Handler { return server.NewSSEServer(s) }, config.NewSSE)
	}},
	{"streamable http", true, func(t *testing.T) (*config.Builder, func() bool) {
		return webServer(t, "/mcp", func(s *server.MCPServer) http.Handler { return server.NewStreamableHTTPServer(s) }, config.NewStreamableHTTP)
	}},
	{"in-process", false, func(t *testing.T) (*config.Builder, func() bool) {
		var seen atomic.Bool
		return config.NewInProcess(newServer(func() { seen.Store(true) }, nil)), seen.Load
	}},
}

func webServer(t *testing.T, path string, handler func(*server.MCPServer) http.Handler, describe func(string) *config.Builder) (*config.Builder, func() bool) {
	t.Helper()
	var seen atomic.Bool
	over := make(chan struct{})
	web := httptest.NewServer(handler(newServer(func() { seen.Store(true) }, over)))
	t.Cleanup(func() {
		close(over)
		web.CloseClientConnections()
		web.Close()
	})
	return describe(web.URL + path), seen.Load
}

// eras are the versions to pin: none, and the last of the older era.
var eras = map[string]string{"newest": "", "2025-11-25": "2025-11-25"}

// each runs a test over every kind of connection in both eras.
func each(t *testing.T, test func(t *testing.T, k kind, b *config.Builder, saw func() bool)) {
	for _, k := range kinds {
		for era, version := range eras {
			t.Run(strings.ReplaceAll(k.name+" "+era, " ", "_"), func(t *testing.T) {
				t.Parallel()
				b, saw := k.open(t)
				test(t, k, b.Name("contract").ProtocolVersion(version), saw)
			})
		}
	}
}

// open makes a toolset that is closed with the test.
func open(t *testing.T, b *config.Builder, opts ...toolset.Option) *toolset.Toolset {
	t.Helper()
	cfg, err := b.Build()
	require.NoError(t, err)
	ts, err := toolset.New(cfg, opts...)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, ts.Close()) })
	return ts
}
