package toolset_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/callbacks"
	"github.com/tmc/langchaingo/llms"
	"go.uber.org/goleak"

	"github.com/mcptoolset/mcptoolset/filter"
	"github.com/mcptoolset/mcptoolset/toolset"
)

func TestMain(m *testing.M) {
	// mcp-go's server sleeps out the time to live of each task, whatever happens.
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/mark3labs/mcp-go/server.(*MCPServer).scheduleTaskCleanup"))
}

// tool is the one tool of a server whose calls are answered by result.
func tool(t *testing.T, schema, result string, opts ...toolset.Option) (*toolset.Tool, *raw) {
	t.Helper()
	s := newRaw(t, func(r request) string {
		if r.Method == "tools/call" {
			return result
		}
		return lists(`[{"name":"t","description":"Does\n- tool: it","inputSchema":` + schema + `}]`)(r)
	})
	found, err := open(t, s.config(), opts...).Tool(t.Context(), "t")
	require.NoError(t, err)
	return found, s
}

const anything = `{"type":"object"}`

func sent(t *testing.T, s *raw) string {
	t.Helper()
	calls := s.of("tools/call")
	require.NotEmpty(t, calls, "nothing was sent")
	var params struct{ Arguments json.RawMessage }
	require.NoError(t, json.Unmarshal(calls[len(calls)-1].Params, &params))
	return string(params.Arguments)
}

func TestD1_WhatModelsWrite(t *testing.T) {
	t.Parallel()
	const day = `{"type":"object","properties":{"day":{"type":"string"}},"required":["day"]}`
	for title, c := range map[string]struct{ schema, input, want string }{
		"O17 nothing":          {anything, "", `{}`},
		"O17 blanks":           {anything, "  ", `{}`},
		"O17 null":             {anything, "null", `{}`},
		"O17 None":             {anything, "None", `{}`},
		"O18 an empty object":  {anything, "{}", `{}`},
		"O19 a fence":          {day, "```json\n{\"day\":\"5\"}\n```", `{"day":"5"}`},
		"O19 an observation":   {day, "{\"day\":\"5\"}\nObservation:", `{"day":"5"}`},
		"O19 a bare value":     {day, "5", `{"day":"5"}`},
		"O21 the wrapper":      {day, `{"__arg1":"{\"day\":\"5\"}"}`, `{"day":"5"}`},
		"O16 all digits":       {anything, `{"id":7960607143101464576,"d":[9007199254740993,1.10]}`, `{"id":7960607143101464576,"d":[9007199254740993,1.10]}`},
		"O20 keys as they are": {anything, `{"API-Key":1,"user.name":2,"größe":3,"a b":4}`, `{"API-Key":1,"user.name":2,"größe":3,"a b":4}`},
	} {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			tool, s := tool(t, c.schema, `{"content":[]}`)
			_, err := tool.Call(t.Context(), c.input)
			require.NoError(t, err)
			assert.Equal(t, c.want, sent(t, s))
		})
	}
}

func TestD4_BadArgumentsAreAnObservationAndNotSent(t *testing.T) {
	t.Parallel()
	tool, s := tool(t, `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`, `{"content":[]}`)
	for _, input := range []string{`{"n":"many"}`, `{}`, `{"n":1`, `[1,2]`} {
		text, err := tool.Call(t.Context(), input)
		require.NoError(t, err)
		assert.True(t, strings.HasPrefix(text, "Error:"), text)
		assert.Contains(t, text, "n: integer", "the signature tells how to write it")
	}
	assert.Empty(t, s.of("tools/call"))
}

func TestE1_Results(t *testing.T) {
	t.Parallel()
	for title, c := range map[string]struct{ result, want string }{
		"one text":                    {`{"content":[{"type":"text","text":"ok"}]}`, "ok"},
		"O35 two texts":               {`{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}`, "a\n\nb"},
		"O33 nothing":                 {`{"content":[]}`, "(no output)"},
		"O27 structured":              {`{"content":[],"structuredContent":{"id":9007199254740993}}`, `{"id":9007199254740993}`},
		"O36 text that says the same": {`{"content":[{"type":"text","text":"{\"x\": 1}"}],"structuredContent":{"x":1}}`, `{"x": 1}`},
		"E2 both when they differ":    {`{"content":[{"type":"text","text":"five"}],"structuredContent":{"n":5}}`, "five\n\n{\"n\":5}"},
		"E5 a failure":                {`{"isError":true,"content":[{"type":"text","text":"no such city"}]}`, "Error: no such city"},
	} {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			tool, _ := tool(t, anything, c.result)
			text, err := tool.Call(t.Context(), "{}")
			require.NoError(t, err)
			assert.Equal(t, c.want, text)
		})
	}
}

func TestE4_ABrokenItemNeverLosesTheOthers(t *testing.T) {
	t.Parallel()
	tool, _ := tool(t, anything, `{"content":[{"type":"text","text":"good"},{"type":"json","json":{}},7,{"type":"image","data":"AAAA","mimeType":"image/png"}]}`)
	text, err := tool.Call(t.Context(), "{}")
	require.NoError(t, err)
	for _, part := range []string{"good", "json", "image/png"} {
		assert.Contains(t, text, part)
	}
	assert.NotContains(t, text, "AAAA")
}

func TestO28_LinksAndEmbeddedResources(t *testing.T) {
	t.Parallel()
	tool, _ := tool(t, anything, `{"content":[{"type":"resource_link","uri":"file:///a.txt","name":"aname","mimeType":"text/x-a"},`+
		`{"type":"resource","resource":{"uri":"file:///b.txt","mimeType":"text/x-b","text":"btext"}}]}`)
	text, err := tool.Call(t.Context(), "{}")
	require.NoError(t, err)
	for _, part := range []string{"file:///a.txt", "aname", "text/x-a", "file:///b.txt", "text/x-b", "btext"} {
		assert.Contains(t, text, part)
	}
}

func TestE6_TheBudgetHolds(t *testing.T) {
	t.Parallel()
	s := newRaw(t, func(r request) string {
		if r.Method == "tools/call" {
			return `{"content":[{"type":"text","text":"` + strings.Repeat("é", 5000) + `"}]}`
		}
		return lists(`[{"name":"t"}]`)(r)
	})
	tool, err := open(t, s.config().MaxOutput(100)).Tool(t.Context(), "t")
	require.NoError(t, err)
	text, err := tool.Call(t.Context(), "{}")
	require.NoError(t, err)
	assert.LessOrEqual(t, len([]rune(text)), 100)
	assert.Contains(t, text, "éé")
}

func TestE5_WhatTheServerRefusesIsAnObservation(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]string{
		`!{"code":-32602,"message":"bad params here"}`: "bad params here",
		`!{"code":-32603,"message":"inner trouble"}`:   "inner trouble",
		`{"resultType":"input_required"}`:              "further input",
		`"no object"`:                                  "",
	} {
		tool, _ := tool(t, anything, answer)
		text, err := tool.Call(t.Context(), "{}")
		require.NoError(t, err, answer)
		assert.NotEmpty(t, text, answer)
		assert.Contains(t, text, want)
	}
}

// watcher records what a callbacks handler is told.
type watcher struct {
	callbacks.SimpleHandler
	mu    sync.Mutex
	heard []string
	calls []toolset.CallInfo
}

func (w *watcher) add(ctx context.Context, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	call, _ := toolset.CallFromContext(ctx)
	w.heard, w.calls = append(w.heard, text), append(w.calls, call)
}

func (w *watcher) HandleToolStart(ctx context.Context, in string) { w.add(ctx, "start "+in) }
func (w *watcher) HandleToolEnd(ctx context.Context, out string)  { w.add(ctx, "end "+out) }
func (w *watcher) HandleToolError(ctx context.Context, err error) { w.add(ctx, "error "+err.Error()) }

func TestE11_CallbacksAreToldOfEachCall(t *testing.T) {
	t.Parallel()
	for result, want := range map[string]string{
		`{"content":[{"type":"text","text":"ok"}]}`:                "end ok",
		`{"isError":true,"content":[{"type":"text","text":"no"}]}`: "error",
		`!{"code":-32603,"message":"inner trouble"}`:               "inner trouble",
	} {
		w := &watcher{}
		tool, _ := tool(t, anything, result, toolset.WithCallbacksHandler(w))
		_, err := tool.Call(t.Context(), " {} ")
		require.NoError(t, err)
		require.Len(t, w.heard, 2, "exactly one of end and error")
		assert.Equal(t, "start  {} ", w.heard[0], "the model's text as it was")
		assert.Contains(t, w.heard[1], want)
		assert.Equal(t, toolset.CallInfo{Server: "raw", Tool: "t", Name: "t"}, w.calls[1])
	}
	w := &watcher{}
	tool, _ := tool(t, `{"type":"object","required":["n"]}`, `{}`, toolset.WithCallbacksHandler(w))
	text, err := tool.Call(t.Context(), "{}")
	require.NoError(t, err)
	assert.Contains(t, text, "Error:")
	assert.Contains(t, w.heard[1], "error", "bad arguments are a failure too")
}

type rude struct{ callbacks.SimpleHandler }

func (rude) HandleToolStart(context.Context, string) { panic("rude") }

func TestE11_APanickingHandlerDoesNotEndTheRun(t *testing.T) {
	t.Parallel()
	tool, _ := tool(t, anything, `{"content":[{"type":"text","text":"ok"}]}`, toolset.WithCallbacksHandler(rude{}))
	text, err := tool.Call(t.Context(), "{}")
	require.NoError(t, err)
	assert.Equal(t, "ok", text)
}

func TestE5_TheHookDecidesOtherwise(t *testing.T) {
	t.Parallel()
	var seen error
	strict := toolset.WithErrorHook(func(_ context.Context, err error, observation string) (string, error) {
		seen = err
		return "", errors.Join(errors.New("stop: "+observation), err)
	})
	tool, _ := tool(t, anything, `{"isError":true,"content":[{"type":"text","text":"no"}]}`, strict)
	_, err := tool.Call(t.Context(), "{}")
	require.ErrorContains(t, err, "stop: Error: no")
	assert.ErrorIs(t, seen, toolset.ErrToolFailed)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	seen = nil
	_, err = tool.Call(ctx, "{}")
	assert.ErrorIs(t, err, context.Canceled)
	assert.NoError(t, seen, "the end of the caller's context is not the hook's business")
}

func TestF1_AHeaderProvidersErrorStopsTheOperation(t *testing.T) {
	t.Parallel()
	s := newRaw(t, lists(`[{"name":"t"}]`))
	signedIn := errors.New("nobody is signed in")
	var answer func() (http.Header, error)
	ts := open(t, s.config(), toolset.WithHeaderProvider(func(context.Context) (http.Header, error) { return answer() }))
	answer = func() (http.Header, error) { return nil, nil }
	tool, err := ts.Tool(t.Context(), "t")
	require.NoError(t, err)
	for title, c := range map[string]struct {
		answer func() (http.Header, error)
		want   string
	}{
		"an error":        {func() (http.Header, error) { return nil, signedIn }, "nobody is signed in"},
		"a panic":         {func() (http.Header, error) { panic("lost") }, "panic: lost"},
		"a bad value":     {func() (http.Header, error) { return http.Header{"X-Key": {"secret-77\n"}}, nil }, "X-Key"},
		"a reserved name": {func() (http.Header, error) { return http.Header{"Mcp-Session-Id": {"1"}}, nil }, "Mcp-Session-Id"},
	} {
		answer = c.answer
		_, err := tool.Call(t.Context(), "{}")
		var failed *toolset.Error
		require.ErrorAs(t, err, &failed, title)
		assert.Equal(t, toolset.StageHeaders, failed.Stage)
		assert.ErrorContains(t, err, c.want)
		assert.NotContains(t, err.Error(), "secret-77")
	}
	assert.Empty(t, s.of("tools/call"))
}

func TestE10_TheOwnerMayBoundConcurrentCalls(t *testing.T) {
	t.Parallel()
	const bound, calls = 2, 6
	var running, most atomic.Int32
	arrived, leave := make(chan struct{}, calls), make(chan struct{})
	s := newRaw(t, func(r request) string {
		if r.Method != "tools/call" {
			return lists(`[{"name":"t"}]`)(r)
		}
		most.Store(max(most.Load(), running.Add(1)))
		arrived <- struct{}{}
		<-leave
		running.Add(-1)
		return `{"content":[]}`
	})
	tool, err := open(t, s.config(), toolset.WithMaxConcurrentCalls(bound)).Tool(t.Context(), "t")
	require.NoError(t, err)
	var all sync.WaitGroup
	for range calls {
		all.Go(func() {
			_, err := tool.Call(t.Context(), "{}")
			assert.NoError(t, err)
		})
	}
	for range bound {
		<-arrived
	}
	for range calls {
		leave <- struct{}{}
	}
	all.Wait()
	assert.EqualValues(t, bound, most.Load())
}

func TestC2_DescriptionsForTextAgents(t *testing.T) {
	t.Parallel()
	with, _ := tool(t, `{"type":"object","properties":{"city":{"type":"string"},"unit":{"enum":["celsius","kelvin"]}},"required":["city"]}`, `{}`)
	assert.NotContains(t, with.Description(), "\n", "a line break could forge another tool")
	for _, part := range []string{"Does - tool: it.", "JSON object", "city: string", `unit?: "celsius"|"kelvin"`} {
		assert.Contains(t, with.Description(), part)
	}
	without, _ := tool(t, anything, `{}`)
	assert.Contains(t, without.Description(), "{}")
}

func TestE3_RawResultsAndImages(t *testing.T) {
	t.Parallel()
	data := base64.StdEncoding.EncodeToString([]byte("pixels"))
	s := newRaw(t, func(r request) string {
		if r.Method == "tools/call" {
			return `{"content":[{"type":"image","data":"` + data + `","mimeType":"image/png"},{"type":"image","data":"!","mimeType":"image/png"},` +
				`{"type":"resource","resource":{"uri":"a://b","text":"inside"}}],"structuredContent":{"n":1.10},"_meta":{"k":1}}`
		}
		return lists(`[{"name":"t"}]`)(r)
	})
	result, err := open(t, s.config()).CallTool(t.Context(), "t", map[string]any{"a": 1})
	require.NoError(t, err)
	assert.False(t, result.IsError)
	assert.Equal(t, `{"n":1.10}`, string(result.Structured))
	assert.Equal(t, `{"k":1}`, string(result.Meta))
	assert.Equal(t, "inside", result.Content[2].Text)
	assert.Equal(t, "a://b", result.Content[2].URI)
	assert.Contains(t, result.Text(), "inside")

	images, err := result.Images(toolset.ImageBinary)
	require.ErrorContains(t, err, "item 1")
	assert.Equal(t, []llms.ContentPart{llms.BinaryPart("image/png", []byte("pixels"))}, images)
	images, _ = result.Images(toolset.ImageDataURL)
	assert.Equal(t, []llms.ContentPart{llms.ImageURLPart("data:image/png;base64," + data)}, images)

	for _, arguments := range []any{[]int{1}, "x", 5, func() {}} {
		_, err = open(t, s.config()).CallTool(t.Context(), "t", arguments)
		var failed *toolset.Error
		require.ErrorAs(t, err, &failed)
		assert.Equal(t, toolset.StageArguments, failed.Stage)
	}
}

func TestC6_RenamedArgumentsFindTheirWayBack(t *testing.T) {
	t.Parallel()
	tool, s := tool(t, `{"type":"object","properties":{"$top":{"type":"integer"},"filter[name]":{"type":"string"}},"required":["$top"]}`, `{"content":[]}`)
	definition := tool.Definition(toolset.ProfileAnthropic)
	parameters, err := json.Marshal(definition.Parameters)
	require.NoError(t, err)
	var shown struct{ Properties map[string]any }
	require.NoError(t, json.Unmarshal(parameters, &shown))
	arguments := map[string]any{}
	for key := range shown.Properties {
		assert.Regexp(t, `^[a-zA-Z0-9_.-]{1,64}$`, key)
		if strings.Contains(key, "top") {
			arguments[key] = 5
		} else {
			arguments[key] = "x"
		}
	}
	written, err := json.Marshal(arguments)
	require.NoError(t, err)
	_, err = tool.Call(t.Context(), string(written))
	require.NoError(t, err)
	assert.JSONEq(t, `{"$top":5,"filter[name]":"x"}`, sent(t, s))
}

func TestC2_DescriptionsInDefinitions(t *testing.T) {
	t.Parallel()
	s := newRaw(t, lists(`[{"name":"t","description":"`+strings.Repeat("é", 9000)+`","inputSchema":{"type":"object",`+
		`"properties":{"id":{"type":"integer"},"name":{"type":"string"}},"anyOf":[{"required":["id"]},{"required":["name"]}]}}]`))
	tool, err := open(t, s.config()).Tool(t.Context(), "t")
	require.NoError(t, err)
	for profile, limit := range map[toolset.Profile]int{toolset.ProfileOpenAI: 1024, toolset.ProfilePortable: 1024, toolset.ProfileAnthropic: 8192, "unknown": 1024} {
		description := tool.Definition(profile).Description
		assert.Equal(t, limit, len([]rune(description)), profile)
		assert.Contains(t, description, "éé…")
		assert.Contains(t, description[len(description)-200:], "id", "what the parameters cannot say is never cut")
	}
}

func TestB8_AFilterThatFailsAtACallSaysThatNothingWasSent(t *testing.T) {
	t.Parallel()
	fail := false
	s := newRaw(t, lists(`[{"name":"t"}]`))
	ts := open(t, s.config().Filter(filter.Predicate(func(context.Context, filter.Tool) (bool, error) {
		if fail {
			return false, errors.New("the policy server is away")
		}
		return true, nil
	})))
	tool, err := ts.Tool(t.Context(), "t")
	require.NoError(t, err)
	fail = true
	text, err := tool.Call(t.Context(), "{}")
	require.NoError(t, err)
	assert.Contains(t, text, "the policy server is away")
	assert.NotContains(t, text, "unknown")
	assert.Empty(t, s.of("tools/call"))
}

func TestF2_APanickingIdentityFunctionIsAnError(t *testing.T) {
	t.Parallel()
	s := newRaw(t, lists(`[{"name":"t"}]`))
	ts := open(t, s.config(), toolset.WithIdentity(func(context.Context, http.Header) string { panic("nobody") }))
	_, err := ts.Tools(t.Context())
	var failed *toolset.Error
	require.ErrorAs(t, err, &failed)
	assert.Equal(t, toolset.StageHeaders, failed.Stage)
	assert.ErrorContains(t, err, "identity function: panic: nobody")
}

func TestC6_TheWayBackSurvivesANewListing(t *testing.T) {
	t.Parallel()
	s := newRaw(t, lists(`[{"name":"t","inputSchema":{"type":"object","properties":{"$top":{"type":"integer"}},"required":["$top"]}}]`))
	ts := open(t, s.config())
	shown, err := ts.Tool(t.Context(), "t")
	require.NoError(t, err)
	parameters, err := json.Marshal(shown.Definition(toolset.ProfileAnthropic).Parameters)
	require.NoError(t, err)
	var known struct{ Required []string }
	require.NoError(t, json.Unmarshal(parameters, &known))

	ts.Refresh()
	again, err := ts.Tool(t.Context(), "t")
	require.NoError(t, err)
	_, err = again.Call(t.Context(), `{"`+known.Required[0]+`":5}`)
	require.NoError(t, err)
	assert.JSONEq(t, `{"$top":5}`, sent(t, s))
}

func TestE5_CloseAndCancelGoBeforeBadArguments(t *testing.T) {
	t.Parallel()
	tool, s := tool(t, anything, `{"content":[]}`)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := tool.Call(ctx, "nonsense {")
	require.ErrorIs(t, err, context.Canceled)

	ts := open(t, s.config())
	require.NoError(t, ts.Close())
	_, err = ts.CallTool(t.Context(), "t", func() {})
	assert.ErrorIs(t, err, toolset.ErrClosed)
}

func TestF1_AHeaderProviderThatHangsHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	s := newRaw(t, lists(`[{"name":"t"}]`))
	release, asked := make(chan struct{}), make(chan struct{}, 8)
	defer close(release)
	hang := toolset.WithHeaderProvider(func(context.Context) (http.Header, error) {
		asked <- struct{}{}
		<-release // it ignores its context
		return nil, nil
	})

	_, err := open(t, s.config().ConnectTimeout(50*time.Millisecond), hang).Tools(t.Context())
	assert.ErrorContains(t, err, "header provider limit of 50ms")

	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-asked; <-asked; cancel() }()
	_, err = open(t, s.config(), hang).Tools(ctx)
	require.ErrorIs(t, err, context.Canceled)

	ts := open(t, s.config(), hang)
	go func() { <-asked; assert.NoError(t, ts.Close()) }()
	_, err = ts.Tools(t.Context())
	assert.ErrorIs(t, err, toolset.ErrClosed)
}

func TestE5_APanickingHookIsAnError(t *testing.T) {
	t.Parallel()
	tool, _ := tool(t, anything, `{"isError":true,"content":[]}`, toolset.WithErrorHook(func(context.Context, error, string) (string, error) { panic("hook") }))
	_, err := tool.Call(t.Context(), "{}")
	var failed *toolset.Error
	require.ErrorAs(t, err, &failed)
	require.ErrorIs(t, err, toolset.ErrToolFailed)
	assert.ErrorContains(t, err, "error hook: panic: hook")
}
