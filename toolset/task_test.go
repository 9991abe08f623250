package toolset_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/toolset"
)

// tasking is a raw server whose one tool runs as a task. Of gets the last one
// is repeated. Whatever is empty is as a good server has it.
type tasking struct {
	support string   // of the tool; "required" by default
	caps    string   // the server's capability tasks
	create  string   // the answer to tools/call
	gets    []string // those to tasks/get
	result  string   // that to tasks/result
	onGet   func(nth int)
}

const (
	allTasks = `{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}`
	working  = `{"taskId":"T/1","status":"working","pollInterval":1}`
	done     = `{"taskId":"T/1","status":"completed"}`
)

func (c tasking) start(t *testing.T) *raw {
	t.Helper()
	or := func(text, otherwise string) string {
		if text == "" {
			return otherwise
		}
		return text
	}
	var mu sync.Mutex
	asked := 0
	return newRaw(t, func(r request) string {
		switch r.Method {
		case "initialize":
			return `{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"tasks":` + or(c.caps, allTasks) + `},"serverInfo":{"name":"raw","version":"1"}}`
		case "tools/call":
			return or(c.create, `{"task":`+working+`}`)
		case "tasks/get":
			mu.Lock()
			asked++
			nth := asked
			mu.Unlock()
			if c.onGet != nil {
				c.onGet(nth)
			}
			if len(c.gets) == 0 {
				return done
			}
			return c.gets[min(nth, len(c.gets))-1]
		case "tasks/result":
			return or(c.result, `{"content":[{"type":"text","text":"found it"}]}`)
		case "tasks/cancel":
			return `{"taskId":"T/1","status":"cancelled"}`
		}
		return lists(`[{"name":"t","inputSchema":{"type":"object"},"execution":{"taskSupport":"` + or(c.support, "required") + `"}}]`)(r)
	})
}

// run has the tool called and gives what the model is told.
func (c tasking) run(t *testing.T, opts ...toolset.Option) (string, *raw) {
	t.Helper()
	s := c.start(t)
	ts := open(t, s.config(), opts...)
	found, err := ts.Tool(t.Context(), "t")
	require.NoError(t, err)
	text, err := found.Call(t.Context(), `{"q":1}`)
	require.NoError(t, err)
	return text, s
}

func TestB2_TaskToolsRunToTheirResult(t *testing.T) {
	t.Parallel()
	text, s := tasking{gets: []string{working, working, done}}.run(t)
	assert.Equal(t, "found it", text)
	calls := s.of("tools/call")
	require.Len(t, calls, 1)
	assert.JSONEq(t, `{"name":"t","arguments":{"q":1},"task":{"ttl":360000}}`, string(calls[0].Params), "the result is wanted for as long as a call may last")
	assert.Len(t, s.of("tasks/get"), 3)
	assert.JSONEq(t, `{"taskId":"T/1"}`, string(s.of("tasks/get")[0].Params))
	assert.Len(t, s.of("tasks/result"), 1, "it is fetched once")
	assert.Empty(t, s.of("tasks/cancel"))
}

func TestB2_TaskToolsByCallTool(t *testing.T) {
	t.Parallel()
	s := tasking{}.start(t)
	ts := open(t, s.config().CallTimeout(0))
	result, err := ts.CallTool(t.Context(), "t", nil)
	require.NoError(t, err)
	assert.Equal(t, "found it", result.Text())
	assert.Contains(t, string(s.of("tools/call")[0].Params), `"task":{}`, "without a limit there is no time to ask for")
}

func TestB2_TaskToolsAreLeftOutWhereTheyCannotRun(t *testing.T) {
	t.Parallel()
	for title, caps := range map[string]string{"no tasks": `null`, "only lists": `{"list":{},"cancel":{}}`, "no calls": `{"requests":{"tools":{}}}`} {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			ts := open(t, tasking{caps: caps}.start(t).config())
			assert.Empty(t, names(t, ts))
			_, err := ts.Tool(t.Context(), "t")
			require.ErrorIs(t, err, toolset.ErrUnknownTool)
			assert.ErrorContains(t, err, "does not declare that calls can")
			assert.Equal(t, toolset.StateLeftOut, statusOf(t, ts, "t").State)
		})
	}
}

func TestB2_TaskToolsThatMayRunPlainlyDo(t *testing.T) {
	t.Parallel()
	plain := `{"content":[{"type":"text","text":"plain"}]}`
	for title, c := range map[string]struct {
		support string
		opts    []toolset.Option
		task    bool
	}{
		"optional":           {"optional", nil, false},
		"optional, others":   {"optional", []toolset.Option{toolset.WithOptionalTasks("x")}, false},
		"optional, named":    {"optional", []toolset.Option{toolset.WithOptionalTasks("x"), toolset.WithOptionalTasks("t")}, true},
		"optional, all":      {"optional", []toolset.Option{toolset.WithOptionalTasks()}, true},
		"forbidden":          {"forbidden", []toolset.Option{toolset.WithOptionalTasks()}, false},
		"what is no support": {"perhaps", []toolset.Option{toolset.WithOptionalTasks()}, false},
		"required":           {"required", nil, true},
	} {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			text, s := tasking{support: c.support, create: plain}.run(t, c.opts...)
			assert.Equal(t, "plain", text, "a server may answer at once, asked for a task or not")
			var params struct{ Task json.RawMessage }
			require.NoError(t, json.Unmarshal(s.of("tools/call")[0].Params, &params))
			assert.Equal(t, c.task, params.Task != nil)
			assert.Empty(t, s.of("tasks/get"))
		})
	}
}

func TestB2_TaskToolsThatComeToNothingSayWhy(t *testing.T) {
	t.Parallel()
	const unknown = "Whether the tool ran is unknown."
	for title, c := range map[string]struct {
		tasking
		says    []string
		unknown bool
		cancels int
	}{
		"failed with a result": {tasking{gets: []string{`{"taskId":"T/1","status":"failed"}`}, result: `{"isError":true,"content":[{"type":"text","text":"no such city"}]}`},
			[]string{"Error:", "no such city"}, false, 0},
		"failed with an error": {tasking{gets: []string{`{"taskId":"T/1","status":"failed","statusMessage":"quota"}`}, result: `!{"code":-32603,"message":"all used up"}`},
			[]string{"Error:", "quota", "all used up"}, false, 0},
		"failed, and nothing is known": {tasking{gets: []string{`{"taskId":"T/1","status":"failed","statusMessage":"quota"}`}, result: `!{"code":-32602,"message":"no such task"}`},
			[]string{"Error:", "quota"}, false, 0},
		"cancelled by the server": {tasking{gets: []string{`{"taskId":"T/1","status":"cancelled","statusMessage":"maintenance"}`}},
			[]string{"Error:", "cancelled by the server", "maintenance"}, false, 0},
		"failed at once": {tasking{create: `{"task":{"taskId":"T/1","status":"cancelled"}}`}, []string{"Error:", "cancelled by the server"}, false, 0},
		"wants input": {tasking{gets: []string{working, `{"taskId":"T/1","status":"input_required"}`}},
			[]string{"Error:", "further input", "given up"}, false, 1},
		"forgotten": {tasking{gets: []string{working, `!{"code":-32602,"message":"Task not found"}`}},
			[]string{"Error:", "cannot be followed", "Task not found"}, true, 1},
		"forgotten with its result": {tasking{result: `!{"code":-32602,"message":"Task has expired"}`},
			[]string{"Error:", "cannot be followed", "Task has expired"}, true, 0},
		"an unknown status for ever": {tasking{gets: []string{`{"taskId":"T/1","status":"dreaming","pollInterval":1}`}},
			[]string{"Error:", "dreaming"}, true, 1},
		"no state for ever":  {tasking{gets: []string{`{}`}}, []string{"Error:", "cannot be followed"}, true, 1},
		"no object for ever": {tasking{gets: []string{`[]`}}, []string{"Error:", "not an object"}, true, 1},
		"an empty result":    {tasking{result: `{}`}, []string{"no"}, false, 0},
		"refused":            {tasking{create: `!{"code":-32603,"message":"too many tasks"}`}, []string{"Error:", "too many tasks"}, false, 0},
	} {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			text, s := c.run(t)
			for _, part := range c.says {
				assert.Contains(t, text, part)
			}
			if c.unknown {
				assert.Contains(t, text, unknown)
			} else {
				assert.NotContains(t, text, unknown)
			}
			assert.Len(t, s.of("tools/call"), 1, "no second task")
			require.Eventually(t, func() bool { return len(s.of("tasks/cancel")) == c.cancels }, 30*time.Second, time.Millisecond)
		})
	}
}

func TestB2_TaskToolsOutlastPollsThatFail(t *testing.T) {
	t.Parallel()
	text, s := tasking{gets: []string{
		`!{"code":-32603,"message":"oops"}`, `{"taskId":"T/1","status":"queued"}`, `"what?"`, working,
		`!{"code":-32603,"message":"oops"}`, `{"taskId":"T/1","status":"queued"}`, working, done,
	}}.run(t)
	assert.Equal(t, "found it", text)
	assert.Len(t, s.of("tools/call"), 1)
}

func TestB2_TaskToolsArePolledAtTheServersPace(t *testing.T) {
	t.Parallel()
	for title, interval := range map[string]string{"zero": "0", "negative": "-5", "a text": `"soon"`, "null": "null", "tiny": "0.001"} {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			state := `{"taskId":"T/1","status":"working","pollInterval":` + interval + `}`
			began := time.Now()
			text, _ := tasking{create: `{"task":` + state + `}`, gets: []string{state, done}}.run(t)
			assert.Equal(t, "found it", text)
			assert.GreaterOrEqual(t, time.Since(began), 200*time.Millisecond, "two pauses of 100 ms at least: no flood")
		})
	}
	t.Run("beyond its time to live", func(t *testing.T) {
		t.Parallel()
		text, _ := tasking{create: `{"task":{"taskId":"T/1","status":"working","ttl":400,"pollInterval":99999999999999999999}}`}.run(t)
		assert.Equal(t, "found it", text, "it is asked for before the server forgets it")
	})
}

// A call of a task that never ends is over with its limit or its ctx, and the
// server is told.
func TestE7_TasksEndWithTheCallLimit(t *testing.T) {
	t.Parallel()
	s := tasking{gets: []string{working}}.start(t)
	ts := open(t, s.config().CallTimeout(300*time.Millisecond))
	found, err := ts.Tool(t.Context(), "t")
	require.NoError(t, err)
	text, err := found.Call(t.Context(), "")
	require.NoError(t, err)
	assert.Contains(t, text, "the call limit of 300ms was reached")
	assert.Contains(t, text, "Whether the tool ran is unknown.")
	require.Eventually(t, func() bool { return len(s.of("tasks/cancel")) == 1 }, 30*time.Second, time.Millisecond)
	assert.JSONEq(t, `{"taskId":"T/1"}`, string(s.of("tasks/cancel")[0].Params))
	for _, notice := range s.of("notifications/cancelled") { // of a tasks/get that was under way
		assert.NotContains(t, string(notice.Params), string(s.of("tools/call")[0].ID), "a notice does not end a task")
	}
	assert.Empty(t, s.of("tasks/result"))
}

func TestE8_TasksAreCancelledWhenTheCallerLeaves(t *testing.T) {
	t.Parallel()
	ctx, leave := context.WithCancel(t.Context())
	s := tasking{gets: []string{working}, onGet: func(nth int) {
		if nth == 2 {
			leave()
		}
	}}.start(t)
	ts := open(t, s.config())
	found, err := ts.Tool(t.Context(), "t")
	require.NoError(t, err)
	_, err = found.Call(ctx, "")
	require.ErrorIs(t, err, context.Canceled)
	require.NoError(t, ts.Close())
	assert.Len(t, s.of("tasks/cancel"), 1, "Close lets it be sent")
}

func TestE8_TasksAreCancelledWhoseIdComesLate(t *testing.T) {
	t.Parallel()
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan struct{})
	s := tasking{}.start(t)
	answer := s.answer
	s.answer = func(r request) string {
		if r.Method == "tools/call" {
			leave()
			<-left
		}
		return answer(r)
	}
	found, err := open(t, s.config()).Tool(t.Context(), "t")
	require.NoError(t, err)
	_, err = found.Call(ctx, "")
	require.ErrorIs(t, err, context.Canceled)
	close(left)
	require.Eventually(t, func() bool { return len(s.of("tasks/cancel")) == 1 }, 30*time.Second, time.Millisecond)
	assert.Empty(t, s.of("notifications/cancelled"))
}

func TestF9_CloseEndsTasks(t *testing.T) {
	t.Parallel()
	polled := make(chan struct{})
	s := tasking{gets: []string{working}, onGet: func(nth int) {
		if nth == 1 {
			close(polled)
		}
	}}.start(t)
	ts := open(t, s.config())
	found, err := ts.Tool(t.Context(), "t")
	require.NoError(t, err)
	ended := make(chan error, 1)
	go func() {
		_, err := found.Call(context.WithoutCancel(t.Context()), "")
		ended <- err
	}()
	<-polled
	require.NoError(t, ts.Close())
	require.ErrorIs(t, <-ended, toolset.ErrClosed)
	assert.Len(t, s.of("tasks/cancel"), 1)
}

func TestB2_TaskToolsAreNotCancelledWhereTheServerCannot(t *testing.T) {
	t.Parallel()
	text, s := tasking{caps: `{"requests":{"tools":{"call":{}}}}`, gets: []string{`{"taskId":"T/1","status":"input_required"}`}}.run(t)
	assert.Contains(t, text, "further input")
	assert.Empty(t, s.of("tasks/cancel"))
}

func TestE9_TheWordsOnATaskAreProgress(t *testing.T) {
	t.Parallel()
	var heard []toolset.Progress
	state := func(words string) string {
		return fmt.Sprintf(`{"taskId":"T/1","status":"working","pollInterval":1,"statusMessage":%q}`, words)
	}
	text, _ := tasking{gets: []string{state("reading"), state("reading"), state("writing"), done}}.run(t,
		toolset.WithProgressHandler(func(_ context.Context, p toolset.Progress) { heard = append(heard, p) }))
	assert.Equal(t, "found it", text)
	assert.Equal(t, []toolset.Progress{
		{Server: "raw", Tool: "t", Message: "reading"},
		{Server: "raw", Tool: "t", Message: "writing"},
	}, heard, "each new word once, and all of them before the result")
}

func TestF8_ATaskIsNeverAskedForTwice(t *testing.T) {
	t.Parallel()
	for title, c := range map[string]struct {
		opts []toolset.Option
		want int
	}{
		"unsafe": {nil, 1},
		"safe":   {[]toolset.Option{toolset.WithSafeTools("t")}, 2},
	} {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			s := tasking{}.start(t)
			var once sync.Once
			answer := s.Config.Handler
			s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				rec := &cutting{ResponseWriter: w}
				answer.ServeHTTP(rec, r)
				if rec.called {
					once.Do(func() { panic(http.ErrAbortHandler) }) // the connection ends before the answer
				}
				rec.flush()
			})
			found, err := open(t, s.config(), c.opts...).Tool(t.Context(), "t")
			require.NoError(t, err)
			text, err := found.Call(t.Context(), "")
			require.NoError(t, err)
			assert.Len(t, s.of("tools/call"), c.want)
			if c.want == 1 {
				assert.Contains(t, text, "Whether the tool ran is unknown.")
			} else {
				assert.Equal(t, "found it", text)
			}
		})
	}
}

// cutting holds an answer back until flush.
type cutting struct {
	http.ResponseWriter
	body   []byte
	status int
	called bool
}

func (c *cutting) WriteHeader(status int) { c.status = status }

func (c *cutting) Write(p []byte) (int, error) {
	c.body = append(c.body, p...)
	c.called = c.called || json.Valid(c.body) && bytesHaveTask(c.body)
	return len(p), nil
}

func (c *cutting) flush() {
	if c.status != 0 {
		c.ResponseWriter.WriteHeader(c.status)
	}
	_, _ = c.ResponseWriter.Write(c.body)
}

func bytesHaveTask(body []byte) bool {
	var answer struct {
		Result struct{ Task json.RawMessage }
	}
	return json.Unmarshal(body, &answer) == nil && answer.Result.Task != nil
}

// modern makes a server one of 2026-07-28 that gives tasks as it likes.
func modern(answer func(r request) string) func(r request) string {
	return func(r request) string {
		if r.Method == "server/discover" {
			return `{"resultType":"complete","supportedVersions":["2026-07-28"],"serverInfo":{"name":"raw","version":"1"},
				"capabilities":{"tools":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}}`
		}
		return answer(r)
	}
}

func TestB2_TaskToolsOfTheModernEra(t *testing.T) {
	t.Parallel()
	const state = `"resultType":"complete","taskId":"T/ü","pollIntervalMs":1,"ttlMs":null`
	for title, c := range map[string]struct {
		last    string
		says    []string
		cancels int
	}{
		"completed":           {`"status":"completed","result":{"content":[{"type":"text","text":"found it"}],"isError":false}`, []string{"found it"}, 0},
		"completed, it fails": {`"status":"completed","result":{"content":[{"type":"text","text":"no city"}],"isError":true}`, []string{"Error:", "no city"}, 0},
		"without a result":    {`"status":"completed"`, []string{"Error:", "no result", "is unknown"}, 0},
		"failed":              {`"status":"failed","statusMessage":"quota","error":{"code":-32603,"message":"used up","data":{"n":9007199254740993}}`, []string{"Error:", "quota", "used up", "9007199254740993"}, 0},
		"failed, no error":    {`"status":"failed"`, []string{"Error:", "failed"}, 0},
		"failed, odd error":   {`"status":"failed","error":"used up"`, []string{"Error:", "used up"}, 0},
		"wants input":         {`"status":"input_required","inputRequests":{"a":{"method":"elicitation/create"}}`, []string{"Error:", "further input"}, 1},
	} {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			polls := make(chan struct{}, 10)
			s := newRaw(t, modern(func(r request) string {
				switch r.Method {
				case "tools/call":
					return `{"resultType":"task","taskId":"T/ü","status":"working","pollIntervalMs":1,"ttlMs":60000}`
				case "tasks/get":
					polls <- struct{}{}
					if len(polls) == 1 {
						return `{` + state + `,"status":"working"}`
					}
					return `{` + state + `,` + c.last + `}`
				case "tasks/cancel":
					return `{"resultType":"complete"}`
				}
				return lists(`[{"name":"t","inputSchema":{"type":"object"}}]`)(r)
			}))
			found, err := open(t, s.config()).Tool(t.Context(), "t")
			require.NoError(t, err)
			text, err := found.Call(t.Context(), "")
			require.NoError(t, err)
			for _, part := range c.says {
				assert.Contains(t, text, part)
			}
			call := s.of("tools/call")[0]
			assert.NotContains(t, string(call.Params), `"task":`, "the server decides")
			assert.Contains(t, string(call.Params), `"extensions":{"io.modelcontextprotocol/tasks":{}}`)
			get := s.of("tasks/get")[0]
			assert.Contains(t, string(get.Params), `"extensions":{"io.modelcontextprotocol/tasks":{}}`)
			assert.Equal(t, "=?base64?VC/DvA==?=", get.headers.Get("Mcp-Name"))
			assert.Equal(t, "tasks/get", get.headers.Get("Mcp-Method"))
			assert.Empty(t, s.of("tasks/result"))
			require.Eventually(t, func() bool { return len(s.of("tasks/cancel")) == c.cancels }, 30*time.Second, time.Millisecond)
		})
	}
}

func TestB2_TaskToolsOfTheModernEraMayAnswerAtOnce(t *testing.T) {
	t.Parallel()
	s := newRaw(t, modern(lists(`[{"name":"t","inputSchema":{"type":"object"},"execution":{"taskSupport":"required"}}]`)))
	found, err := open(t, s.config()).Tool(t.Context(), "t")
	require.NoError(t, err)
	text, err := found.Call(t.Context(), "")
	require.NoError(t, err)
	assert.Equal(t, "ok", text)
	assert.Empty(t, s.of("tasks/get"))
}
