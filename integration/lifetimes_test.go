package integration

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/headers"
	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// How long things live: headers for one operation, sessions until the server
// forgets them, lists until the server is another, calls until their own limit.

func TestO44_F1_HeadersBelongToOneOperation(t *testing.T) {
	t.Parallel()
	for name, version := range map[string]string{"older": "2025-11-25", "2026-07-28": ""} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := mcptest.Start(t, mcptest.StreamableHTTP, mcptest.Setup("desk"))
			ts := open(t, describe(d).ProtocolVersion(version), toolset.WithHeaderProvider(headers.FromContext))
			cities := named(t, ts, "cities")
			for _, user := range []string{"alice", "bob", "", "alice"} {
				ctx := t.Context()
				if user != "" {
					ctx = headers.NewContext(ctx, http.Header{"X-User": {user}})
				}
				_, err := cities.Call(ctx, "{}")
				require.NoError(t, err)
				calls := d.Web.Received.All(mcptest.CallOf("cities"))
				assert.Equal(t, user, calls[len(calls)-1].Header.Get("X-User"))
			}
		})
	}
}

func TestO48_ASessionThatExpiredIsReplaced(t *testing.T) {
	t.Parallel()
	d := olderDesk(t)
	ts := open(t, describe(d))
	for range 3 {
		assert.Equal(t, "Paris, Berlin", call(t, ts, "cities", "{}"))
		d.Web.Forget()
	}
	assert.Len(t, handshakes(d.Web), 3)
}

func TestF4_AChildIsSharedAndNeverAsksForHeaders(t *testing.T) {
	t.Parallel()
	d := mcptest.Start(t, mcptest.Stdio, mcptest.Tools("counter"))
	ts := open(t, describe(d), toolset.WithHeaderProvider(func(context.Context) (http.Header, error) {
		t.Error("a child has no headers")
		return nil, nil
	}), toolset.WithIdentity(func(context.Context, http.Header) string {
		t.Error("a child knows no callers")
		return ""
	}))
	for want := 1; want <= 3; want++ {
		ctx := headers.NewContext(t.Context(), http.Header{"X-User": {fmt.Sprint(want)}})
		text, err := named(t, ts, "counter").Call(ctx, "{}")
		require.NoError(t, err)
		assert.Equal(t, fmt.Sprint(want), text)
	}
	assert.Equal(t, 1, d.Child.Started.Count())
}

func TestO56_AStreamThatEndsWhileNobodyCalls(t *testing.T) {
	t.Parallel()
	streams := new(mcptest.Journal[*mcptest.SSEStream])
	tool := []byte(`{"name":"echo","inputSchema":{"type":"object"}}`)
	web := mcptest.RawSSE(t, mcptest.SSEScript{
		Open:    streams.Add,
		Message: func(s *mcptest.SSEStream, m mcptest.Message) { s.Answer(m, tool) },
	})
	ts := open(t, describe(&mcptest.Target{Kind: mcptest.SSE, Web: web}))
	echo := named(t, ts, "echo")
	for n := 1; n <= 3; n++ {
		text, err := echo.Call(t.Context(), `{"n":1}`)
		require.NoError(t, err)
		if strings.Contains(text, "connection lost") { // the end of the stream and the call met: the next one knows
			text, err = echo.Call(t.Context(), `{"n":1}`)
			require.NoError(t, err)
		}
		assert.Equal(t, `echo got {"n":1}`, text)
		stream := streams.WaitN(t, n)[n-1]
		stream.Close()
		<-stream.Done()
	}
}

func TestO57_ARestartedServersToolsAreFound(t *testing.T) {
	t.Parallel()
	overWebDesks(t, func(t *testing.T, d *mcptest.Target, b *config.Builder) {
		ts := open(t, b)
		cities := named(t, ts, "cities")
		d.Web.Serve(mcptest.New(t, mcptest.Tools("echo", "add")))
		text, err := cities.Call(t.Context(), "{}")
		require.NoError(t, err)
		assert.True(t, strings.HasPrefix(text, "Error:"), text)
		assert.Contains(t, text, "cities")
		ts.Refresh()
		found, err := ts.Tools(t.Context())
		require.NoError(t, err)
		assert.ElementsMatch(t, []string{"echo", "add"}, namesOf(found))
		assert.Equal(t, `{"a":1}`, call(t, ts, "echo", `{"a":1}`))
	})
}

func init() { mcptest.Register("restless", addRestless) }

// addRestless adds a tool that changes the list of tools before it answers.
func addRestless(s *mcptest.Server) {
	s.AddTool(mcp.NewTool("restless"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		s.AddTool(mcp.NewTool("another"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultText("another"), nil
		})
		return mcp.NewToolResultText("changed"), nil
	})
}

func TestO62_AChangedListDuringACallDelaysNothing(t *testing.T) {
	t.Parallel()
	for _, k := range mcptest.Kinds {
		t.Run(string(k), func(t *testing.T) {
			t.Parallel()
			d := mcptest.Start(t, k, mcptest.Setup("restless"))
			ts := open(t, describe(d))
			assert.Equal(t, "changed", call(t, ts, "restless", "{}"))
			assert.Equal(t, "changed", call(t, ts, "restless", "{}"), "the list was asked for anew, and the session lives")
		})
	}
}

func TestO64_O65_E7_OnlyTheCallLimitEndsACall(t *testing.T) {
	t.Parallel()
	desks(t, func(t *testing.T, d *mcptest.Target) {
		limit := 300 * time.Millisecond
		ts := open(t, describe(d).ConnectTimeout(20*time.Second).ListTimeout(20*time.Second).CallTimeout(limit))
		slow := named(t, ts, "slow")
		began := time.Now()
		text, err := slow.Call(context.Background(), "{}")
		require.NoError(t, err)
		assert.Contains(t, text, "call limit of 300ms")
		assert.GreaterOrEqual(t, time.Since(began), limit)
	})
}

func TestO67_TheConnectLimitDoesNotEndACall(t *testing.T) {
	t.Parallel()
	// The answer is a stream that lives longer than connecting may take.
	limit := 1500 * time.Millisecond
	web := mcptest.Raw(t, func(w http.ResponseWriter, r *http.Request, m mcptest.Message) {
		if m.Method != "tools/call" {
			mcptest.Default(w, r, m, []byte(`{"name":"long","inputSchema":{"type":"object"}}`))
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for end := time.After(limit + limit/4); ; {
			select {
			case <-time.After(50 * time.Millisecond):
				_, _ = io.WriteString(w, ": keep-alive\n\n")
				_ = http.NewResponseController(w).Flush()
			case <-end:
				_, _ = fmt.Fprintf(w, "data: %s\n\n", mcptest.Result(m, mcptest.Text("at last")))
				return
			case <-r.Context().Done():
				return
			}
		}
	})
	ts := open(t, describe(&mcptest.Target{Kind: mcptest.StreamableHTTP, Web: web}).ConnectTimeout(limit))
	assert.Equal(t, "at last", call(t, ts, "long", "{}"))
}

func TestO60_E8_ACallThatIsGivenUpEndsAlone(t *testing.T) {
	t.Parallel()
	desks(t, func(t *testing.T, d *mcptest.Target) {
		ts := open(t, describe(d))
		slow, cities := named(t, ts, "slow"), named(t, ts, "cities")
		sibling := make(chan string, 1)
		go func() {
			text, err := slow.Call(context.WithoutCancel(t.Context()), "{}")
			sibling <- fmt.Sprint(text, err)
		}()
		d.Calls.Wait(t, mcptest.Tool("slow"))
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			_, err := slow.Call(ctx, "{}")
			ended <- err
		}()
		d.Calls.WaitN(t, 2, mcptest.Tool("slow"))
		cancel()
		require.ErrorIs(t, <-ended, context.Canceled)
		d.Ends.Wait(t, mcptest.Cancelled("slow"))

		text, err := cities.Call(t.Context(), "{}")
		require.NoError(t, err)
		assert.Equal(t, "Paris, Berlin", text)
		assert.Zero(t, d.Ends.Count(func(e mcptest.End) bool { return e.Tool == "slow" && !e.Cancelled }), "the sibling goes on")
		d.Release()
		assert.Equal(t, "released<nil>", <-sibling)
		if d.Child != nil {
			assert.Equal(t, 1, d.Child.Started.Count())
		}
	})
}
