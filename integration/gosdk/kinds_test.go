package gosdk

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/integration/compatibility/spoken"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// kind is one way to reach the server.
type kind struct {
	name string
	// http says how streamable HTTP is spoken; nil for other kinds.
	http *mcp.StreamableHTTPOptions
	sse  bool
}

var kinds = []kind{
	{name: "stdio"},
	{name: "sse", sse: true},
	{name: "http", http: &mcp.StreamableHTTPOptions{}},
	{name: "http json", http: &mcp.StreamableHTTPOptions{JSONResponse: true}},
	{name: "http stateless", http: &mcp.StreamableHTTPOptions{Stateless: true, PropagateRequestCancellation: true}},
	{name: "http stateless json", http: &mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true, PropagateRequestCancellation: true}},
}

// site is a server that runs for one test.
type site struct {
	kind
	// modern says that client and server agree on 2026-07-28.
	modern bool
	config *config.Builder
	// saw reports whether a cancellation reached the server.
	saw func() bool
	web *web // nil for stdio
}

// hasStream reports whether the server can tell the client of anything outside
// a request of the client's.
func (s site) hasStream() bool { return s.modern || s.http == nil || !s.http.Stateless }

// needsStream skips a test where there is no stream for what the server tells
// by itself.
func (s site) needsStream(t *testing.T) {
	t.Helper()
	if !s.hasStream() {
		t.Skip("there is no stream to tell it on")
	}
}

// cancels reports whether the server can be told of a cancelled call. Without
// sessions nothing before 2026-07-28 tells which call is meant.
func (s site) cancels() bool { return s.hasStream() }

// asks reports whether the server can ask the client.
func (s site) asks() bool { return !s.sse && s.hasStream() }

// start runs a server of a kind that speaks only one version, or all.
func (k kind) start(t *testing.T, only string) site {
	t.Helper()
	if k.name == "stdio" {
		self, err := os.Executable()
		require.NoError(t, err)
		note := t.TempDir() + "/note"
		b := config.NewStdio(self).Env(childEnv, note).Env(onlyEnv, only).Env("GORACE", "atexit_sleep_ms=0")
		return site{kind: k, config: b, saw: func() bool { _, err := os.Stat(note); return err == nil }}
	}
	w := &web{only: only, kind: k, over: make(chan struct{})}
	w.restart()
	listener := httptest.NewServer(w)
	t.Cleanup(func() {
		close(w.over)
		listener.CloseClientConnections()
		listener.Close()
		w.current.Load().close()
	})
	s := site{kind: k, web: w, saw: w.saw.Load, config: config.NewStreamableHTTP(listener.URL)}
	if k.sse {
		s.config = config.NewSSE(listener.URL)
	}
	return s
}

// web is an HTTP server that can be restarted behind its URL.
type web struct {
	kind
	only    string
	over    chan struct{} // ends what still runs
	saw     atomic.Bool
	current atomic.Pointer[generation]
}

// generation is the server between two restarts.
type generation struct {
	http.Handler
	server *mcp.Server
}

func (g *generation) close() {
	for s := range g.server.Sessions() {
		_ = s.Close()
	}
}

// restart puts a new server in the place of the old one, which ends with all
// its sessions.
func (w *web) restart() {
	s := newServer(w.only, w.over, func() { w.saw.Store(true) })
	get := func(*http.Request) *mcp.Server { return s }
	g := &generation{server: s}
	if w.sse {
		g.Handler = mcp.NewSSEHandler(get, nil)
	} else {
		g.Handler = mcp.NewStreamableHTTPHandler(get, w.http)
	}
	if old := w.current.Swap(g); old != nil {
		old.close()
	}
}

func (w *web) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	w.current.Load().ServeHTTP(rw, r)
}

// each runs a test over every kind of connection in both eras. Over HTTP with
// sessions the SDK speaks only the older one, whatever it is asked for.
func each(t *testing.T, test func(t *testing.T, s site)) {
	for _, k := range kinds {
		for era, pinned := range map[string]string{"2026-07-28": "", "2025-11-25": "2025-11-25"} {
			t.Run(strings.ReplaceAll(k.name+" "+era, " ", "_"), func(t *testing.T) {
				t.Parallel()
				s := k.start(t, "")
				s.modern = era == "2026-07-28" && (s.http == nil || s.http.Stateless) && !s.sse
				s.config.Name("gosdk").ProtocolVersion(pinned)
				test(t, s)
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

// call runs a tool as an agent does.
func call(t *testing.T, ts *toolset.Toolset, tool, input string) string {
	t.Helper()
	found, err := ts.Tool(t.Context(), tool)
	require.NoError(t, err)
	said, err := found.Call(t.Context(), input)
	require.NoError(t, err)
	return said
}

// eventually waits for what no event tells of: the state of another process.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	require.Eventually(t, holds, 20*time.Second, 5*time.Millisecond, what)
}
