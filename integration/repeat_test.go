package integration

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/headers"
	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// What is done when a call fails at a given point, cell by cell as the table in
// ARCHITECTURE.md has it: what happened, and whether the tool may run twice.
// The servers fail the first call at that point and answer all others.

// told is what a caller hears.
type told string

const (
	result    told = "the result"
	unknown   told = "that the outcome is unknown"
	notRun    told = "that the tool did not run"
	noReached told = "that the server cannot be reached"
)

func (w told) check(t *testing.T, text string) {
	t.Helper()
	switch w {
	case result:
		assert.Equal(t, "charged", text)
		return
	case unknown:
		assert.Contains(t, text, "Whether the tool ran is unknown")
	case notRun:
		assert.NotContains(t, text, "unknown")
	case noReached:
		assert.Contains(t, text, "cannot be reached")
	}
	assert.True(t, strings.HasPrefix(text, "Error:"), text)
}

// cell is one row for one safety: what the caller is told, how often the call
// reached the server and how often the tool ran.
type cell struct {
	told      told
	sent, ran int
}

// point is where a call fails.
type point struct {
	name         string
	unsafe, safe cell
}

var chargeTool = json.RawMessage(`{"name":"charge","inputSchema":{"type":"object"}}`)

// purse is a tool with an effect, behind a server that fails.
type purse struct{ sent, ran atomic.Int32 }

// first counts a call that arrived and reports whether it is the first.
func (p *purse) first() bool { return p.sent.Add(1) == 1 }

func (p *purse) run() json.RawMessage {
	p.ran.Add(1)
	return mcptest.Text("charged")
}

func (p *purse) check(t *testing.T, ts *toolset.Toolset, want cell) {
	t.Helper()
	tool := named(t, ts, "charge")
	text, err := tool.Call(t.Context(), "{}")
	require.NoError(t, err)
	want.told.check(t, text)
	assert.EqualValues(t, want.sent, p.sent.Load(), "times sent; told: %s", text)
	assert.EqualValues(t, want.ran, p.ran.Load(), "times run; told: %s", text)
	text, err = tool.Call(t.Context(), "{}")
	require.NoError(t, err)
	assert.Equal(t, "charged", text, "the next call works")
}

// cells runs the cells of points.
func cells(t *testing.T, points []point, test func(t *testing.T, at string, opts []toolset.Option, want cell)) {
	t.Helper()
	for _, p := range points {
		for safety, c := range map[string]struct {
			want cell
			opts []toolset.Option
		}{
			"unsafe": {p.unsafe, nil},
			"safe":   {p.safe, []toolset.Option{toolset.WithSafeTools("charge")}},
		} {
			t.Run(p.name+"/"+safety, func(t *testing.T) {
				t.Parallel()
				test(t, p.name, c.opts, c.want)
			})
		}
	}
}

func status(code int, pairs ...string) http.HandlerFunc { return mcptest.Status(code, "no", pairs...) }

// overHTTP has a fault for each point where streamable HTTP can fail.
var overHTTP = map[string]func(p *purse, w http.ResponseWriter, r *http.Request, m mcptest.Message){
	"cut after it is read": func(_ *purse, w http.ResponseWriter, r *http.Request, _ mcptest.Message) { mcptest.Cut(w, r) },
	"cut after it ran":     func(p *purse, w http.ResponseWriter, r *http.Request, _ mcptest.Message) { p.run(); mcptest.Cut(w, r) },
	"cut within the answer": func(p *purse, w http.ResponseWriter, _ *http.Request, m mcptest.Message) {
		whole := mcptest.Result(m, p.run())
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", fmt.Sprint(len(whole)))
		_, _ = w.Write(whole[:len(whole)/2])
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	},
	"cut on the answer's stream": func(p *purse, w http.ResponseWriter, _ *http.Request, _ mcptest.Message) {
		p.run()
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, ": wait\n\n")
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	},
	"the answer's stream ends without it": func(p *purse, w http.ResponseWriter, r *http.Request, _ mcptest.Message) {
		p.run()
		mcptest.Stream(w, r, true)
	},
	"401": func(_ *purse, w http.ResponseWriter, r *http.Request, _ mcptest.Message) { status(401)(w, r) },
	"403": func(_ *purse, w http.ResponseWriter, r *http.Request, _ mcptest.Message) { status(403)(w, r) },
	"404 for the session": func(_ *purse, w http.ResponseWriter, r *http.Request, _ mcptest.Message) {
		status(404)(w, r)
	},
	"400 for the session": func(_ *purse, w http.ResponseWriter, r *http.Request, _ mcptest.Message) { status(400)(w, r) },
	"429 with Retry-After": func(_ *purse, w http.ResponseWriter, r *http.Request, _ mcptest.Message) {
		status(429, "Retry-After", "0")(w, r)
	},
	"429": func(_ *purse, w http.ResponseWriter, r *http.Request, _ mcptest.Message) { status(429)(w, r) },
	"503 with Retry-After": func(_ *purse, w http.ResponseWriter, r *http.Request, _ mcptest.Message) {
		status(503, "Retry-After", "0")(w, r)
	},
	"500": func(p *purse, w http.ResponseWriter, r *http.Request, _ mcptest.Message) { p.run(); status(500)(w, r) },
	"502": func(p *purse, w http.ResponseWriter, r *http.Request, _ mcptest.Message) { p.run(); status(502)(w, r) },
}

func TestF8_CellsOverHTTP(t *testing.T) {
	t.Parallel()
	lost := func(name string, ran int) point {
		return point{name, cell{unknown, 1, ran}, cell{result, 2, ran + 1}}
	}
	refused := func(name string, c cell) point { return point{name, c, c} }
	points := []point{
		lost("cut after it is read", 0),
		lost("cut after it ran", 1),
		lost("cut within the answer", 1),
		lost("cut on the answer's stream", 1),
		lost("the answer's stream ends without it", 1),
		refused("401", cell{result, 2, 1}),
		refused("403", cell{result, 2, 1}),
		refused("404 for the session", cell{result, 2, 1}),
		{"400 for the session", cell{notRun, 1, 0}, cell{result, 2, 1}},
		refused("429 with Retry-After", cell{result, 2, 1}),
		refused("429", cell{notRun, 1, 0}),
		refused("503 with Retry-After", cell{result, 2, 1}),
		refused("500", cell{unknown, 1, 1}),
		refused("502", cell{unknown, 1, 1}),
	}
	cells(t, points, func(t *testing.T, at string, opts []toolset.Option, want cell) {
		p := &purse{}
		web := mcptest.Raw(t, func(w http.ResponseWriter, r *http.Request, m mcptest.Message) {
			switch {
			case m.Method == "initialize":
				w.Header().Set("Mcp-Session-Id", "s")
				mcptest.Default(w, r, m)
			case m.Method != "tools/call":
				mcptest.Default(w, r, m, chargeTool)
			case p.first():
				overHTTP[at](p, w, r, m)
			default:
				mcptest.Reply(w, m, p.run())
			}
		})
		var token atomic.Int32
		opts = append(opts, toolset.WithHeaderProvider(numbered(&token)))
		p.check(t, open(t, config.NewStreamableHTTP(web.URL), opts...), want)
	})
}

func TestF8_ASafeCallRunsTwiceAtMost(t *testing.T) {
	t.Parallel()
	p := &purse{}
	web := mcptest.Raw(t, func(w http.ResponseWriter, r *http.Request, m mcptest.Message) {
		if m.Method != "tools/call" {
			mcptest.Default(w, r, m, chargeTool)
			return
		}
		p.run()
		mcptest.Cut(w, r)
	})
	ts := open(t, config.NewStreamableHTTP(web.URL), toolset.WithSafeTools("charge"))
	assert.Contains(t, call(t, ts, "charge", "{}"), "Error:")
	assert.EqualValues(t, 2, p.ran.Load())
}

// numbered answers another token each time, for one and the same caller.
func numbered(n *atomic.Int32) headers.Provider {
	return func(context.Context) (http.Header, error) {
		return http.Header{"X-Request-Id": {fmt.Sprint(n.Add(1))}}, nil
	}
}

func TestF8_CellsOverSSE(t *testing.T) {
	t.Parallel()
	lost := func(name string, ran int) point {
		return point{name, cell{unknown, 1, ran}, cell{result, 2, ran + 1}}
	}
	faults := map[string]func(p *purse, s *mcptest.SSEStream, m mcptest.Message){
		"the stream ends before it ran": func(_ *purse, s *mcptest.SSEStream, _ mcptest.Message) { s.Close() },
		"the stream ends after it ran":  func(p *purse, s *mcptest.SSEStream, _ mcptest.Message) { p.run(); s.Close() },
		"the stream ends within the answer": func(p *purse, s *mcptest.SSEStream, m mcptest.Message) {
			whole := string(mcptest.Result(m, p.run()))
			s.Write("event: message\ndata: " + whole[:len(whole)/2])
			s.Close()
		},
	}
	points := []point{
		lost("the stream ends before it ran", 0),
		lost("the stream ends after it ran", 1),
		lost("the stream ends within the answer", 1),
	}
	cells(t, points, func(t *testing.T, at string, opts []toolset.Option, want cell) {
		p := &purse{}
		web := mcptest.RawSSE(t, mcptest.SSEScript{Message: func(s *mcptest.SSEStream, m mcptest.Message) {
			switch {
			case m.Method != "tools/call":
				s.Answer(m, chargeTool)
			case p.first():
				faults[at](p, s, m)
			default:
				s.Send(mcptest.Result(m, p.run()))
			}
		}})
		p.check(t, open(t, config.NewSSE(web.URL), opts...), want)
	})
}

func TestF7_AFailureBeforeTheCall(t *testing.T) {
	t.Parallel()
	t.Run("at the listing", func(t *testing.T) {
		t.Parallel()
		overWebDesks(t, func(t *testing.T, d *mcptest.Target, b *config.Builder) {
			ts := open(t, b)
			require.NoError(t, ts.Connect(t.Context()))
			d.Web.Once(mcptest.Method("tools/list"), mcptest.Cut)
			found, err := ts.Tools(t.Context())
			require.NoError(t, err, "a listing has no effects: it is asked for again")
			assert.NotEmpty(t, found)
			assert.Equal(t, 2, d.Web.Received.Count(mcptest.Method("tools/list")))
		})
	})
	t.Run("at the handshake", func(t *testing.T) {
		t.Parallel()
		overWebDesks(t, func(t *testing.T, d *mcptest.Target, b *config.Builder) {
			first := func(r mcptest.Received) bool { return r.Method == "initialize" || r.Method == "server/discover" }
			mend := d.Web.Always(first, mcptest.Cut)
			ts := open(t, b)
			err := ts.Connect(t.Context())
			mend()
			var failed *toolset.Error
			require.ErrorAs(t, err, &failed)
			assert.Equal(t, toolset.StageConnect, failed.Stage)
			assert.True(t, failed.Repeatable())
			assert.Equal(t, "Paris, Berlin", call(t, ts, "cities", "{}"), "the next use connects anew")
			assert.Len(t, d.Calls.All(), 1)
		})
	})
	t.Run("between calls", func(t *testing.T) {
		t.Parallel()
		overWebDesks(t, func(t *testing.T, d *mcptest.Target, b *config.Builder) {
			ts := open(t, b)
			cities := named(t, ts, "cities")
			d.Web.Drop()
			d.Web.Forget()
			text, err := cities.Call(t.Context(), "{}")
			require.NoError(t, err)
			// A call may meet the cut request, and the next one the lost stream.
			made := 1
			for ; made < 3 && strings.Contains(text, "unknown"); made++ {
				text, err = cities.Call(t.Context(), "{}")
				require.NoError(t, err)
			}
			assert.Equal(t, "Paris, Berlin", text)
			assert.LessOrEqual(t, d.Calls.Count(), made, "no call ran twice")
		})
	})
}
