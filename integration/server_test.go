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
	"github.com/mcptoolset/mcptoolset/integration/compatibility/spoken"
	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/toolset"
)

const (
	// childEnv makes this test binary the contract's server over stdio. Its
	// value is the file that the child notes a cancellation in.
	childEnv = "MCPTOOLSET_CONTRACT_CHILD"
	// onlyEnv is the one protocol version that this child speaks; empty is all.
	onlyEnv = "MCPTOOLSET_CONTRACT_ONLY"
)

func TestMain(m *testing.M) {
	mcptest.RunChild()
	if note := os.Getenv(childEnv); note != "" {
		cancelled := func() { _ = os.WriteFile(note, []byte("cancelled"), 0o600) }
		if server.ServeStdio(newServer(cancelled, nil, os.Getenv(onlyEnv))) != nil {
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(m,
		// mcp-go's server sleeps out the time to live of each task, whatever happens.
		goleak.IgnoreAnyFunction("github.com/mark3labs/mcp-go/server.(*MCPServer).scheduleTaskCleanup"),
		// Over SSE it goes on with a request to listen whose connection is gone, unless
		// it is told; and a notice may overtake the request that it is about.
		goleak.IgnoreAnyFunction("github.com/mark3labs/mcp-go/server.(*MCPServer).handleSubscriptionsListen"))
}

// newServer is the server of the contract. cancelled is called when the call
// of hang ends with its context; over ends it otherwise, since mcp-go's SSE
// server does not end what runs when a client leaves. only is the one protocol
// version that it speaks; empty is all.
func newServer(cancelled func(), over <-chan struct{}, only string) *server.MCPServer {
	opts := []server.ServerOption{server.WithInstructions("be kind"), server.WithRecovery()}
	if only != "" {
		opts = append(opts, mcptest.Only(only))
	}
	s := server.NewMCPServer("contract", "1.0.0", opts...)
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
	// open describes a new server, which lasts until the test ends and speaks
	// only this version of the protocol, or all. saw tells whether a
	// cancellation reached it.
	open func(t *testing.T, only string) (b *config.Builder, saw func() bool)
	// version is what a test's client and server agree on; set by each.
	version string
}

var kinds = []kind{
	{name: "stdio", open: func(t *testing.T, only string) (*config.Builder, func() bool) {
		note := t.TempDir() + "/note"
		self, err := os.Executable()
		require.NoError(t, err)
		// A race detector's child would sleep a second at its exit.
		b := config.NewStdio(self).Env(childEnv, note).Env(onlyEnv, only).Env("GORACE", "atexit_sleep_ms=0")
		return b, func() bool { _, err := os.Stat(note); return err == nil }
	}},
	{name: "sse", http: true, open: func(t *testing.T, only string) (*config.Builder, func() bool) {
		return webServer(t, "/sse", only, func(s *server.MCPServer) http.Handler { return server.NewSSEServer(s) }, config.NewSSE)
	}},
	{name: "streamable http", http: true, open: func(t *testing.T, only string) (*config.Builder, func() bool) {
		return webServer(t, "/mcp", only, func(s *server.MCPServer) http.Handler {
			if only == "" {
				return server.NewStreamableHTTPServer(s)
			}
			return mcptest.OnlyHTTP(t, only, server.NewStreamableHTTPServer(s))
		}, config.NewStreamableHTTP)
	}},
	{name: "in-process", open: func(t *testing.T, only string) (*config.Builder, func() bool) {
		var seen atomic.Bool
		return config.NewInProcess(newServer(func() { seen.Store(true) }, nil, only)), seen.Load
	}},
}

func webServer(t *testing.T, path, only string, handler func(*server.MCPServer) http.Handler, describe func(string) *config.Builder) (*config.Builder, func() bool) {
	t.Helper()
	var seen atomic.Bool
	over := make(chan struct{})
	web := httptest.NewServer(handler(newServer(func() { seen.Store(true) }, over, only)))
	t.Cleanup(func() {
		close(over)
		web.CloseClientConnections()
		web.Close()
	})
	return describe(web.URL + path), seen.Load
}

// eras are the versions to pin: none, and the last of the older era.
var eras = map[string]string{"newest": "", "2025-11-25": "2025-11-25"}

// each runs a test over every kind of connection: against a server of all
// versions in both eras, and against one of each version alone.
func each(t *testing.T, test func(t *testing.T, k kind, b *config.Builder, saw func() bool)) {
	for _, k := range kinds {
		for _, s := range speeches() {
			t.Run(strings.ReplaceAll(k.name+" "+s.name, " ", "_"), func(t *testing.T) {
				t.Parallel()
				b, saw := k.open(t, s.only)
				k := k
				k.version = s.agreed
				test(t, k, b.Name("contract").ProtocolVersion(s.pinned), saw)
			})
		}
	}
}

// open makes a toolset that is closed with the test.
func open(t *testing.T, b *config.Builder, opts ...toolset.Option) *toolset.Toolset {
	t.Helper()
	cfg, err := b.Build()
	require.NoError(t, err)
	spoken.Over(t, cfg)
	ts, err := toolset.New(cfg, opts...)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, ts.Close()) })
	return ts
}

// speaks notes the version that is spoken, for docs/compatibility.md.
func speaks(t *testing.T, ts *toolset.Toolset) {
	t.Helper()
	info, err := ts.ServerInfo(t.Context())
	require.NoError(t, err)
	spoken.In(t, info.ProtocolVersion)
}
