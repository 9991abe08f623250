package toolset_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/toolset"
)

const (
	wantsInput = `{"taskId":"T/1","status":"input_required","pollInterval":1}`
	whoForTask = `"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}},` +
		`"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"T/1"}}}`
	foundIt = `{"content":[{"type":"text","text":"found it"}]}`
)

// ada answers every form, and notes the tools it was asked for.
func ada(tools chan<- string) toolset.Option {
	return toolset.WithElicitation(func(ctx context.Context, e toolset.Elicitation) (toolset.ElicitationAnswer, error) {
		info, _ := toolset.CallFromContext(ctx)
		tools <- info.Tool
		return e.Accept(map[string]any{"name": "Ada"}), nil
	})
}

func TestJ3_ATaskAsksWhileItsResultIsWaitedFor(t *testing.T) {
	t.Parallel()
	for title, c := range map[string]struct {
		result string
		says   []string
	}{
		"it completes": {foundIt, []string{"found it"}},
		"it fails":     {`{"isError":true,"content":[{"type":"text","text":"no such name"}]}`, []string{"Error:", "no such name"}},
	} {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			s := tasking{gets: []string{working, wantsInput}}.start(t)
			i := &interview{method: "tasks/result", questions: []string{whoForTask, `"method":"roots/list"`}, result: c.result}
			i.by(s)
			asked := make(chan string, 9)
			text := observed(t, open(t, s.config(), ada(asked), toolset.WithRoots(toolset.Root{URI: "file:///here"})))
			for _, part := range c.says {
				assert.Contains(t, text, part)
			}
			answers, held := i.heard()
			assert.Equal(t, 1, held)
			require.Len(t, answers, 2)
			assert.Contains(t, answers[0], `{"action":"accept","content":{"name":"Ada"}}`)
			assert.Contains(t, answers[1], "file:///here")
			assert.Equal(t, "t", <-asked, "the handler knows the call")
			assert.Len(t, s.of("tasks/get"), 2)
			assert.Empty(t, s.of("tasks/cancel"))
		})
	}
}

func TestJ3_ATaskWhoseResultIsNotWaitedForIsPolled(t *testing.T) {
	t.Parallel()
	const early = `!{"code":-32602,"message":"not finished"}`
	asked := make(chan string, 9)
	t.Run("until it goes on", func(t *testing.T) {
		t.Parallel()
		text, s := tasking{gets: []string{wantsInput, wantsInput, working, `{"taskId":"T/1","status":"failed","statusMessage":"nobody answered"}`}, result: early}.run(t, ada(asked))
		assert.Contains(t, text, "nobody answered")
		assert.Len(t, s.of("tasks/result"), 3)
		assert.Empty(t, s.of("tasks/cancel"))
	})
	t.Run("not for ever", func(t *testing.T) {
		t.Parallel()
		text, s := tasking{gets: []string{wantsInput}, result: early}.run(t, ada(asked))
		assert.Contains(t, text, "not finished")
		assert.Contains(t, text, "Whether the tool ran is unknown.")
		assert.Len(t, s.of("tasks/result"), 5)
		require.Eventually(t, func() bool { return len(s.of("tasks/cancel")) == 1 }, 30*time.Second, time.Millisecond)
	})
}

func TestJ3_ATaskThatAsksEndsWithItsCaller(t *testing.T) {
	t.Parallel()
	s := tasking{gets: []string{wantsInput}}.start(t)
	i := &interview{method: "tasks/result", questions: []string{whoForTask}, result: foundIt}
	i.by(s)
	ctx, leave := context.WithCancel(t.Context())
	ended := make(chan struct{})
	ts := open(t, s.config(), toolset.WithElicitation(func(ctx context.Context, _ toolset.Elicitation) (toolset.ElicitationAnswer, error) {
		leave()
		<-ctx.Done()
		close(ended)
		return toolset.ElicitationAnswer{}, ctx.Err()
	}))
	found, err := ts.Tool(t.Context(), "t")
	require.NoError(t, err)
	_, err = found.Call(ctx, "")
	require.ErrorIs(t, err, context.Canceled)
	<-ended
	require.Eventually(t, func() bool { return len(s.of("tasks/cancel")) == 1 }, 30*time.Second, time.Millisecond)
}

// asksFor is a state of a modern task that waits for input.
func asksFor(requests string) string {
	return `{"resultType":"complete","taskId":"T/1","pollIntervalMs":1,"status":"input_required","inputRequests":` + requests + `}`
}

const whoNow = `{"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}`

// modernTasking is a server whose task goes through states.
func modernTasking(t *testing.T, states ...string) *raw {
	t.Helper()
	polls := make(chan struct{}, 1000)
	return newRaw(t, modern(func(r request) string {
		switch r.Method {
		case "tools/call":
			return `{"resultType":"task","taskId":"T/1","status":"working","pollIntervalMs":1,"ttlMs":60000}`
		case "tasks/get":
			polls <- struct{}{}
			return states[min(len(polls), len(states))-1]
		case "tasks/update", "tasks/cancel":
			return `{"resultType":"complete"}`
		}
		return lists(`[{"name":"t","inputSchema":{"type":"object"}}]`)(r)
	}))
}

func TestJ3_AModernTaskIsGivenWhatItAsksFor(t *testing.T) {
	t.Parallel()
	s := modernTasking(t,
		asksFor(`{"b":{"method":"roots/list"},"a":`+whoNow+`}`),
		asksFor(`{"b":{"method":"roots/list"},"a":`+whoNow+`}`), // the update has not come through yet
		asksFor(`{"a":`+whoNow+`,"c":`+whoNow+`}`),
		`{"resultType":"complete","taskId":"T/1","status":"completed","result":`+foundIt+`}`)
	asked := make(chan string, 9)
	text := observed(t, open(t, s.config(), ada(asked), toolset.WithRoots(toolset.Root{URI: "file:///here"})))
	assert.Equal(t, "found it", text)
	updates := s.of("tasks/update")
	require.Len(t, updates, 2)
	assert.Contains(t, string(updates[0].Params), `"taskId":"T/1"`)
	assert.Contains(t, string(updates[0].Params), `"inputResponses":{"a":{"action":"accept","content":{"name":"Ada"}},"b":{"roots":[{"uri":"file:///here"}]}}`)
	assert.Equal(t, "T/1", updates[0].headers.Get("Mcp-Name"))
	assert.Contains(t, string(updates[1].Params), `"inputResponses":{"c":{"action"`)
	assert.Len(t, asked, 2, "nobody is asked twice")
	assert.Equal(t, "t", <-asked, "the handler knows the call")
	assert.Empty(t, s.of("tasks/cancel"))
}

func TestJ3_AModernTaskThatCannotBeGivenInputIsGivenUp(t *testing.T) {
	t.Parallel()
	for title, c := range map[string]struct {
		state  string
		option toolset.Option
		says   string
	}{
		"a handler that fails": {asksFor(`{"a":` + whoNow + `}`), toolset.WithElicitation(func(context.Context, toolset.Elicitation) (toolset.ElicitationAnswer, error) {
			return toolset.ElicitationAnswer{}, errors.New("no terminal")
		}), "no terminal"},
		"another handler":   {asksFor(`{"a":` + whoNow + `}`), toolset.WithRoots(), "does not answer elicitation/create"},
		"an odd request":    {asksFor(`{"a":"?"}`), toolset.WithRoots(), "cannot be read"},
		"a list":            {asksFor(`[1]`), toolset.WithRoots(), "cannot be read"},
		"too many at once":  {asksFor(`{` + strings.TrimSuffix(manyRequests(33), ",") + `}`), toolset.WithRoots(), "too much at a time"},
		"nothing asked for": {asksFor(`{}`), toolset.WithRoots(), "without asking"},
		"no requests":       {asksFor(`null`), toolset.WithRoots(), "without asking"},
	} {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			s := modernTasking(t, c.state)
			text := observed(t, open(t, s.config(), c.option))
			assert.Contains(t, text, "Error:")
			assert.Contains(t, text, c.says)
			assert.Contains(t, text, "given up")
			assert.NotContains(t, text, "is unknown")
			assert.Empty(t, s.of("tasks/update"))
			require.Eventually(t, func() bool { return len(s.of("tasks/cancel")) == 1 }, 30*time.Second, time.Millisecond)
		})
	}
}

func manyRequests(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(`"` + strings.Repeat("x", i) + `":{"method":"roots/list"},`)
	}
	return b.String()
}

// An older server that asks though nobody said that it may is refused on the
// stream it asks on, and the call goes on.
func TestJ3_AQuestionOnTheStreamOfACallIsRefusedAtOnceWithoutHandlers(t *testing.T) {
	t.Parallel()
	s := newRaw(t, lists(`[{"name":"t","inputSchema":{"type":"object"}}]`))
	i := &interview{method: "tools/call", questions: []string{whoForTask, `"method":"roots/list"`, `"method":"ping"`}, result: foundIt}
	i.by(s)
	assert.Equal(t, "found it", observed(t, open(t, s.config())))
	answers, _ := i.heard()
	require.Len(t, answers, 3)
	assert.Contains(t, answers[0], "-32601")
	assert.Contains(t, answers[1], "-32601")
	assert.Contains(t, answers[2], `"result":{}`)
}
