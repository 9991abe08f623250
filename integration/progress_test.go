package integration

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// stepper is a server with a tool that reports its steps.
func stepper(t *testing.T, k mcptest.Kind) *mcptest.Target {
	t.Helper()
	return mcptest.Start(t, k, mcptest.Tools("progress", "echo"))
}

func steppers(t *testing.T, test func(t *testing.T, d *mcptest.Target)) {
	for _, k := range mcptest.Kinds {
		t.Run(strings.ReplaceAll(string(k), " ", "_"), func(t *testing.T) {
			t.Parallel()
			test(t, stepper(t, k))
		})
	}
}

// steps collects what a progress handler hears.
type steps struct {
	mu   sync.Mutex
	seen []toolset.Progress
}

func (s *steps) hear(_ context.Context, p toolset.Progress) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = append(s.seen, p)
}

func (s *steps) take() []toolset.Progress {
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := s.seen
	s.seen = nil
	return seen
}

// upTo is what the tool reports of n steps.
func upTo(n int) (all []toolset.Progress) {
	for i := 1; i <= n; i++ {
		all = append(all, toolset.Progress{Server: "desk", Tool: "progress", Progress: float64(i), Total: float64(n), Message: fmt.Sprintf("step %d", i)})
	}
	return all
}

func TestE9_ProgressComesInOrderBeforeTheResult(t *testing.T) {
	t.Parallel()
	steppers(t, func(t *testing.T, d *mcptest.Target) {
		var heard steps
		ts := open(t, describe(d), toolset.WithProgressHandler(heard.hear))
		for range 3 {
			assert.Equal(t, "done", call(t, ts, "progress", `{"steps":20}`))
			assert.Equal(t, upTo(20), heard.take())
		}
	})
}

func TestE9_ProgressOfAChildComesBeforeTheResult(t *testing.T) {
	t.Parallel()
	var lines []string
	for i := 1; i <= 20; i++ { // our token is the request's id
		lines = append(lines, fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":$id,"progress":%d,"total":20,"message":"step %d"}}`, i, i))
	}
	c := mcptest.Run(t, mcptest.Script{
		Tools: []json.RawMessage{json.RawMessage(`{"name":"progress","inputSchema":{"type":"object"}}`)},
		Rules: []mcptest.Rule{{Tool: "progress", Before: lines, Result: mcptest.Text("done")}},
	})
	var heard steps
	ts := open(t, child(c), toolset.WithProgressHandler(heard.hear))
	for range 3 {
		assert.Equal(t, "done", call(t, ts, "progress", `{}`))
		assert.Equal(t, upTo(20), heard.take())
	}
}

func TestE9_NobodyWhoWantsProgressNobodyWhoAsksForIt(t *testing.T) {
	t.Parallel()
	steppers(t, func(t *testing.T, d *mcptest.Target) {
		ts := open(t, describe(d))
		assert.Equal(t, "nobody asked for progress", call(t, ts, "progress", `{"steps":3}`))
	})
}

func TestE9_AProgressHandlerMayUseTheToolset(t *testing.T) {
	t.Parallel()
	steppers(t, func(t *testing.T, d *mcptest.Target) {
		var ts *toolset.Toolset
		var answers []string
		ts = open(t, describe(d), toolset.WithProgressHandler(func(ctx context.Context, p toolset.Progress) {
			if p.Total == 2 {
				return // of the call below
			}
			text, err := named(t, ts, "progress").Call(ctx, `{"steps":2}`)
			answers = append(answers, fmt.Sprint(text, err))
		}))
		assert.Equal(t, "done", call(t, ts, "progress", `{"steps":3}`))
		// How many notices get through is the server's affair: it counts what both calls write.
		require.NotEmpty(t, answers)
		for _, answer := range answers {
			assert.Equal(t, "done<nil>", answer)
		}
	})
}

func TestE9_AProgressHandlerThatPanics(t *testing.T) {
	t.Parallel()
	steppers(t, func(t *testing.T, d *mcptest.Target) {
		ts := open(t, describe(d), toolset.WithProgressHandler(func(context.Context, toolset.Progress) { panic("owner's fault") }))
		assert.Equal(t, "done", call(t, ts, "progress", `{"steps":3}`))
		assert.Equal(t, `{"a":1}`, call(t, ts, "echo", `{"a":1}`))
	})
}

func TestE9_ASlowProgressHandlerHoldsUpItsCallAlone(t *testing.T) {
	t.Parallel()
	steppers(t, func(t *testing.T, d *mcptest.Target) {
		goOn := make(chan struct{})
		ts := open(t, describe(d), toolset.WithProgressHandler(func(context.Context, toolset.Progress) { <-goOn }))
		progress := named(t, ts, "progress")
		ended := make(chan string, 1)
		go func() {
			text, err := progress.Call(context.WithoutCancel(t.Context()), `{"steps":3}`)
			ended <- fmt.Sprint(text, err)
		}()
		d.Ends.Wait(t, mcptest.Ended("progress"))
		assert.Equal(t, `{"a":1}`, call(t, ts, "echo", `{"a":1}`))
		assert.Empty(t, ended)
		close(goOn)
		assert.Equal(t, "done<nil>", <-ended)
	})
}

func TestE9_EachCallHearsItsOwnProgress(t *testing.T) {
	t.Parallel()
	type caller struct{}
	steppers(t, func(t *testing.T, d *mcptest.Target) {
		ts := open(t, describe(d), toolset.WithProgressHandler(func(ctx context.Context, p toolset.Progress) {
			ctx.Value(caller{}).(*steps).hear(ctx, p)
		}))
		progress := named(t, ts, "progress")
		var all sync.WaitGroup
		for n := 1; n <= 20; n++ {
			all.Go(func() {
				var heard steps
				_, err := progress.Call(context.WithValue(t.Context(), caller{}, &heard), fmt.Sprintf(`{"steps":%d}`, n))
				assert.NoError(t, err)
				assert.Subset(t, upTo(n), heard.take())
			})
		}
		all.Wait()
	})
}

func TestE7_ProgressExtendsTheCallLimit(t *testing.T) {
	t.Parallel()
	const limit = 400 * time.Millisecond
	web := mcptest.Raw(t, func(w http.ResponseWriter, r *http.Request, m mcptest.Message) {
		if m.Method != "tools/call" {
			mcptest.Default(w, r, m, []byte(`{"name":"long","inputSchema":{"type":"object"}}`))
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		end := time.After(2 * limit)
		for n := 1; ; n++ {
			select {
			case <-time.After(limit / 8):
				_, _ = fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":%s,\"progress\":%d}}\n\n", m.ProgressToken(), n)
				_ = http.NewResponseController(w).Flush()
			case <-end:
				_, _ = fmt.Fprintf(w, "data: %s\n\n", mcptest.Result(m, mcptest.Text("at last")))
				return
			case <-r.Context().Done():
				return
			}
		}
	})
	b := config.NewStreamableHTTP(web.URL).CallTimeout(limit)
	patient := open(t, b, toolset.WithProgressExtendingCalls(time.Minute))
	assert.Equal(t, "at last", call(t, patient, "long", "{}"))
	bounded := open(t, b, toolset.WithProgressExtendingCalls(limit+limit/4))
	assert.Contains(t, call(t, bounded, "long", "{}"), "call limit")
	var heard steps
	strict := open(t, b, toolset.WithProgressHandler(heard.hear))
	assert.Contains(t, call(t, strict, "long", "{}"), "call limit of 400ms")
	assert.NotEmpty(t, heard.take())
}

func TestE7_WhatExtendsMustBePositive(t *testing.T) {
	t.Parallel()
	cfg, err := config.NewStreamableHTTP("http://127.0.0.1:1/mcp").Build()
	require.NoError(t, err)
	_, err = toolset.New(cfg, toolset.WithProgressExtendingCalls(0))
	require.ErrorContains(t, err, "WithProgressExtendingCalls")
}
