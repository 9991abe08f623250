package toolset_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/toolset"
)

const search = `{"type":"object","properties":{"q":{"type":"string"},"tenant":{"type":"integer"},"region":{"enum":["eu","us"]}},"required":["q","tenant"],"additionalProperties":false}`

func TestC7_BoundArgumentsAreSetAndNotShown(t *testing.T) {
	t.Parallel()
	values := map[string]any{"tenant": json.Number("9007199254740993"), "region": "eu"}
	bind := toolset.WithBoundArguments("t", values)
	values["tenant"] = 1
	found, s := tool(t, search, textOf("ok"), bind)
	for _, input := range []string{`{"q":"x y"}`, `{"q":"x y","tenant":5,"region":"us"}`, `{"q":"x y","ten\u0061nt":null}`, `x y`, `{"__arg1":"x y"}`} {
		got, err := found.Call(t.Context(), input)
		require.NoError(t, err)
		require.Equal(t, "ok", got, input)
		assert.Equal(t, `{"q":"x y","region":"eu","tenant":9007199254740993}`, sent(t, s), input)
	}
	for _, wrong := range []string{`{}`, `{"q":7}`, `{"q":"x","tenent":1}`, `{"q":`} {
		got, err := found.Call(t.Context(), wrong)
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(got, "Error:"), got)
		assert.NotRegexp(t, `tenant|region|9007199254740993|"eu"`, got)
	}
	for _, p := range []toolset.Profile{
		toolset.ProfileVerbatim, toolset.ProfilePortable, toolset.ProfileOpenAI, toolset.ProfileOpenAIStrict,
		toolset.ProfileAnthropic, toolset.ProfileGemini, toolset.ProfileVertex,
	} {
		shown, err := json.Marshal(found.Definition(p))
		require.NoError(t, err)
		assert.NotContains(t, string(shown), "tenant", p)
		assert.NotContains(t, string(shown), "region", p)
		assert.Contains(t, string(shown), `"q"`, p)
	}
	assert.Contains(t, found.Description(), "{q: string}")
	assert.JSONEq(t, search, string(found.InputSchema()), "the owner sees what the server sent")
}

func TestC7_EveryArgumentBound(t *testing.T) {
	t.Parallel()
	found, s := tool(t, `{"properties":{"a":{"type":"array"}},"required":["a"]}`, textOf("ok"), toolset.WithBoundArguments("t", map[string]any{"a": []int{1}}))
	assert.Contains(t, found.Description(), "Takes no arguments")
	got, err := found.Call(t.Context(), "")
	require.NoError(t, err)
	assert.Equal(t, "ok", got)
	assert.Equal(t, `{"a":[1]}`, sent(t, s))
}

func TestC7_ValuesOfEachCaller(t *testing.T) {
	t.Parallel()
	type user struct{}
	asked := func(ctx context.Context) (map[string]any, error) {
		info, ok := toolset.CallFromContext(ctx)
		assert.True(t, ok)
		assert.Equal(t, "t", info.Tool)
		return map[string]any{"tenant": ctx.Value(user{})}, nil
	}
	found, s := tool(t, search, textOf("ok"),
		toolset.WithBoundArguments("t", map[string]any{"tenant": 0, "region": "eu"}), toolset.WithBoundArgumentsFunc("t", []string{"tenant"}, asked))
	var callers sync.WaitGroup
	for i := range 20 {
		callers.Go(func() {
			_, err := found.Call(context.WithValue(t.Context(), user{}, i), fmt.Sprintf(`{"q":"%d","tenant":-1}`, i))
			assert.NoError(t, err)
		})
	}
	callers.Wait()
	calls := s.of("tools/call")
	require.Len(t, calls, 20)
	for _, call := range calls {
		var params struct {
			Arguments struct {
				Q      string
				Tenant json.Number
				Region string
			}
		}
		require.NoError(t, json.Unmarshal(call.Params, &params))
		assert.Equal(t, params.Arguments.Q, params.Arguments.Tenant.String())
		assert.Equal(t, "eu", params.Arguments.Region)
	}
}

func TestC7_WhatTheOwnerDidWrongIsTheOwners(t *testing.T) {
	t.Parallel()
	fails := errors.New("no tenant known")
	function := func(values map[string]any, err error) toolset.Option {
		return toolset.WithBoundArgumentsFunc("t", []string{"tenant"}, func(context.Context) (map[string]any, error) { return values, err })
	}
	for title, c := range map[string]struct {
		option toolset.Option
		want   string
	}{
		"refused by the schema": {toolset.WithBoundArguments("t", map[string]any{"tenant": "s3cret"}), "tenant: expected integer, got string; correct what WithBoundArguments"},
		"a value of a call":     {function(map[string]any{"tenant": "s3cret"}, nil), "tenant: expected integer, got string; correct"},
		"not given":             {function(nil, nil), "tenant: missing, expected integer"},
		"another name":          {function(map[string]any{"region": "eu"}, nil), `"region", which is not among the names`},
		"not JSON":              {function(map[string]any{"tenant": math.NaN()}, nil), `argument "tenant" cannot be encoded`},
		"an error":              {function(nil, fails), "no tenant known"},
		"a panic":               {toolset.WithBoundArgumentsFunc("t", []string{"tenant"}, func(context.Context) (map[string]any, error) { panic("oh") }), "oh"},
	} {
		found, s := tool(t, search, textOf("ok"), c.option)
		text, err := found.Call(t.Context(), `{"q":"x"}`)
		require.ErrorContains(t, err, c.want, title)
		assert.Empty(t, text, "the model is told nothing of it")
		assert.NotContains(t, err.Error(), "s3cret", title)
		assert.Contains(t, err.Error(), `"t"`, title)
		var failed *toolset.Error
		require.ErrorAs(t, err, &failed, title)
		assert.Equal(t, toolset.StageArguments, failed.Stage, title)
		assert.Empty(t, s.of("tools/call"), title)
		if title == "an error" {
			assert.ErrorIs(t, err, fails)
		}
		// What the model can mend, it is told first.
		if strings.Contains(c.want, "expected integer") {
			text, err = found.Call(t.Context(), `{"q":5}`)
			require.NoError(t, err, title)
			assert.Contains(t, text, "q: expected string", title)
		}
	}
}

func TestC7_BadBindingsAreAnErrorOfNew(t *testing.T) {
	t.Parallel()
	never := func(context.Context) (map[string]any, error) { return nil, nil }
	s := newRaw(t, lists(`[]`))
	cfg, err := s.config().Build()
	require.NoError(t, err)
	_, err = toolset.New(cfg,
		toolset.WithBoundArguments("t", map[string]any{"c": make(chan int), "n": math.Inf(1), "ok": 1}),
		toolset.WithBoundArguments("", nil),
		toolset.WithBoundArgumentsFunc("f", []string{"x"}, nil),
		toolset.WithBoundArgumentsFunc("g", nil, never),
	)
	for _, want := range []string{`tool "t"`, `argument "c"`, `argument "n"`, "name of the tool is empty", `tool "f": the function is nil`, `tool "g": no names`} {
		require.ErrorContains(t, err, want)
	}
}

func TestC7_WhatDoesNotFitTheListIsReported(t *testing.T) {
	t.Parallel()
	s := newRaw(t, lists(`[{"name":"t","inputSchema":`+search+`},{"name":"open","inputSchema":{"type":"object","additionalProperties":{}}},{"name":"broken","inputSchema":true}]`))
	bind := toolset.WithBoundArguments
	ts := open(t, s.config(), bind("t", map[string]any{"tenant": "x", "tenent": 1}), bind("open", map[string]any{"any": 1}), bind("gone", map[string]any{"a": 1}), bind("broken", map[string]any{"a": 1}))
	_, err := ts.Tools(t.Context())
	require.NoError(t, err)
	var got []string
	for _, w := range ts.Report().Warnings {
		if !strings.Contains(w.Reason, "left out") {
			got = append(got, w.String())
		}
	}
	require.Len(t, got, 3, got)
	assert.Contains(t, got[0], `tool "gone": arguments are bound for it, but the server does not list it`)
	assert.Contains(t, got[1], `tool "t": the bound argument "tenent" is not in its schema`)
	assert.Contains(t, got[2], "tenant: expected integer, got string")
}

func TestC7_AFunctionThatHangsHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{}, 2)
	over := make(chan struct{})
	defer close(over)
	found, _ := tool(t, search, textOf("ok"), toolset.WithBoundArgumentsFunc("t", []string{"tenant"}, func(context.Context) (map[string]any, error) {
		asked <- struct{}{}
		<-over
		return nil, nil
	}))
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-asked
		cancel()
	}()
	_, err := found.Call(ctx, `{"q":"x"}`)
	require.ErrorIs(t, err, context.Canceled)
}

func TestC7_TheOwnersOwnCallsAreBoundToo(t *testing.T) {
	t.Parallel()
	s := newRaw(t, lists(`[{"name":"t","inputSchema":`+search+`}]`))
	ts := open(t, s.config(), toolset.WithBoundArguments("t", map[string]any{"tenant": 1}), toolset.WithBoundArguments("unlisted", map[string]any{"a": 2}),
		toolset.WithBoundArgumentsFunc("t", []string{"region"}, func(context.Context) (map[string]any, error) { return map[string]any{"region": "eu"}, nil }))
	_, err := ts.CallTool(t.Context(), "t", map[string]any{"tenant": 7, "extra": 1.5})
	require.NoError(t, err)
	assert.Equal(t, `{"extra":1.5,"region":"eu","tenant":1}`, sent(t, s))
	_, err = ts.CallTool(t.Context(), "unlisted", nil)
	require.NoError(t, err)
	assert.Equal(t, `{"a":2}`, sent(t, s))
}
