package toolset_test

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/tools"

	"github.com/mcptoolset/mcptoolset/toolset"
)

// onward is the end of a marker that says how to read on.
var onward = regexp.MustCompile(`continue with ([a-zA-Z0-9_-]+), handle "([a-z0-9]+)", offset ([0-9]+)\]`)

// following is the call that a marker asks for: the tool's name and its
// arguments, empty where there is none.
func following(observation string) (name, arguments string) {
	m := onward.FindStringSubmatch(observation)
	if m == nil {
		return "", ""
	}
	return m[1], fmt.Sprintf(`{"handle":%q,"offset":%s}`, m[2], m[3])
}

// answering is a toolset whose one tool answers a result, with a budget of 300.
func answering(t *testing.T, result string, opts ...toolset.Option) *toolset.Toolset {
	t.Helper()
	s := newRaw(t, func(r request) string {
		if r.Method == "tools/call" {
			return result
		}
		return lists(`[{"name":"t","inputSchema":{"type":"object"}}]`)(r)
	})
	return open(t, s.config().MaxOutput(300), opts...)
}

func textOf(s string) string { return `{"content":[{"type":"text","text":"` + s + `"}]}` }

// named finds a tool by the name a model uses.
func named(t *testing.T, all []tools.Tool, name string) tools.Tool {
	t.Helper()
	for _, one := range all {
		if one.Name() == name {
			return one
		}
	}
	require.Fail(t, "there is no tool "+name)
	return nil
}

func listOf(t *testing.T, ctx context.Context, ts *toolset.Toolset) []tools.Tool {
	t.Helper()
	all, err := ts.Tools(ctx)
	require.NoError(t, err)
	return all
}

func observe(t *testing.T, ctx context.Context, tool tools.Tool, arguments string) string {
	t.Helper()
	got, err := tool.Call(ctx, arguments)
	require.NoError(t, err)
	assert.LessOrEqual(t, utf8.RuneCountInString(got), 300)
	return got
}

func TestE6_ReadingOnAfterACut(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("0123456789é", 100)
	for title, c := range map[string]struct{ result, whole string }{
		"a text":              {textOf(long), long},
		"a failure":           {`{"isError":true,` + textOf(long)[1:], "Error: " + long},
		"several items":       {`{"content":[{"type":"text","text":"a"},{"type":"text","text":"` + long + `"}]}`, "a\n\n" + long},
		"a structured result": {`{"content":[],"structuredContent":{"a":"` + long + `"}}`, `{"a":"` + long + `"}`},
	} {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			all := listOf(t, t.Context(), answering(t, c.result, toolset.WithReadMore()))
			out := observe(t, t.Context(), named(t, all, "t"), "{}")
			name, arguments := following(out)
			require.Equal(t, toolset.ReadMoreTool, name, out)
			read := []rune(out)[:strings.Index(out, "\n[cut: ")]
			var shown int
			_, err := fmt.Sscanf(onward.FindStringSubmatch(out)[3], "%d", &shown)
			require.NoError(t, err)
			read = read[:shown]
			for name != "" {
				out = observe(t, t.Context(), named(t, all, name), arguments)
				read = append(read, []rune(out[:strings.LastIndex(out, "\n[")])...)
				name, arguments = following(out)
			}
			assert.Contains(t, out, "this is the end]")
			assert.Equal(t, c.whole, string(read))
		})
	}
}

func TestE6_ReadingOnIsOffByDefault(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 1000)
	ts := answering(t, textOf(long))
	assert.Equal(t, []string{"t"}, names(t, ts))
	out := observe(t, t.Context(), named(t, listOf(t, t.Context(), ts), "t"), "{}")
	assert.NotContains(t, out, "handle")

	whole := answering(t, textOf("short"), toolset.WithReadMore())
	assert.Equal(t, []string{"t", toolset.ReadMoreTool}, names(t, whole))
	assert.Equal(t, "short", observe(t, t.Context(), named(t, listOf(t, t.Context(), whole), "t"), "{}"))
}

func TestE6_AServersErrorIsReadOn(t *testing.T) {
	t.Parallel()
	ts := answering(t, `!{"code":-32000,"message":"`+strings.Repeat("bad ", 300)+`the cause"}`, toolset.WithReadMore())
	all := listOf(t, t.Context(), ts)
	out := observe(t, t.Context(), named(t, all, "t"), "{}")
	assert.True(t, strings.HasPrefix(out, "Error: "), out)
	assert.Contains(t, out, "the cause")
	name, arguments := following(out)
	require.NotEmpty(t, name)
	assert.Contains(t, observe(t, t.Context(), named(t, all, name), arguments), "bad bad")
}

func TestE6_AHandleIsItsCallersAlone(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("secret of one ", 100)
	for title, opts := range map[string][]toolset.Option{
		"by headers":  {toolset.WithHeaderProvider(fromContext)},
		"by identity": {toolset.WithHeaderProvider(fromContext), toolset.WithIdentity(func(_ context.Context, h http.Header) string { return h.Get("X-User") })},
	} {
		ts := answering(t, textOf(long), append(opts, toolset.WithReadMore())...)
		ann, bob := as(t, "ann"), as(t, "bob")
		out := observe(t, ann, named(t, listOf(t, ann, ts), "t"), "{}")
		name, arguments := following(out)
		require.NotEmpty(t, name, title)

		stranger := observe(t, bob, named(t, listOf(t, bob, ts), name), arguments)
		assert.True(t, strings.HasPrefix(stranger, "Error: unknown handle"), stranger)
		assert.NotContains(t, stranger, "secret", title)
		assert.Contains(t, observe(t, ann, named(t, listOf(t, ann, ts), name), arguments), "secret", "%s: also after a stranger tried", title)
	}
}

func TestE6_WhatModelsWriteToReadOn(t *testing.T) {
	t.Parallel()
	ts := answering(t, textOf(strings.Repeat("x", 1000)), toolset.WithReadMore(), toolset.WithoutArgumentCheck())
	all := listOf(t, t.Context(), ts)
	_, arguments := following(observe(t, t.Context(), named(t, all, "t"), "{}"))
	handle := onward.FindStringSubmatch(observe(t, t.Context(), named(t, all, "t"), "{}"))[2]
	more := named(t, all, toolset.ReadMoreTool)
	for input, want := range map[string]string{
		arguments: "[cut: characters ",
		`{"__arg1":"{\"handle\":\"` + handle + `\"}"}`: "[cut: ",
		handle: "[cut: ",
		`{"handle":"` + handle + `","offset":"990"}`: "[characters 991 to 1000 of 1000 shown: this is the end]",
		`{"handle":"` + handle + `","offset":990.0}`: "[characters 991 to 1000 of 1000 shown: this is the end]",
		`{"handle":"` + handle + `","offset":1e30}`:  "[nothing at offset 1099511627776: the text has 1000 characters]",
		`{"handle":"` + handle + `","offset":-1}`:    "Error: The tool was not called",
		`{"handle":"` + handle + `","offset":"x"}`:   "Error: The tool was not called",
		`{"handle":7}`:          "Error: The tool was not called",
		`{"offset":7}`:          "Error: The tool was not called",
		``:                      "Error: The tool was not called",
		`{"handle":"nonsense"}`: `Error: unknown handle "nonsense"`,
	} {
		assert.Contains(t, observe(t, t.Context(), more, input), want, input)
	}
	watching := &watcher{}
	told := answering(t, textOf("x"), toolset.WithReadMore(), toolset.WithCallbacksHandler(watching), toolset.WithErrorHook(
		func(_ context.Context, err error, _ string) (string, error) { return "", err }))
	_, err := named(t, listOf(t, t.Context(), told), toolset.ReadMoreTool).Call(t.Context(), `{"handle":"nonsense"}`)
	require.ErrorIs(t, err, toolset.ErrUnknownHandle)
	var failed *toolset.Error
	require.ErrorAs(t, err, &failed)
	assert.Equal(t, toolset.StageRead, failed.Stage)
}

func TestB9_TheNameOfTheToolThatReadsOnIsReserved(t *testing.T) {
	t.Parallel()
	for prefix, want := range map[string][]string{"": {"t", "read_more_output"}, "a_": {"a_Read_More_Output", "a_t", "a_read_more_output"}} {
		s := newRaw(t, func(r request) string {
			if r.Method == "tools/call" {
				return textOf(strings.Repeat("x", 1000))
			}
			return lists(`[{"name":"Read_More_Output","inputSchema":{}},{"name":"t","inputSchema":{}}]`)(r)
		})
		ts := open(t, s.config().Prefix(prefix).MaxOutput(300), toolset.WithReadMore())
		all := listOf(t, t.Context(), ts)
		var got []string
		for _, one := range all {
			got = append(got, one.Name())
		}
		if prefix == "" {
			assert.Equal(t, want, got)
		} else {
			assert.Equal(t, want[1:], got, "under a prefix too")
		}
		assert.Contains(t, fmt.Sprint(ts.Report().Warnings), "reserved")
		name, _ := following(observe(t, t.Context(), named(t, all, prefix+"t"), "{}"))
		assert.Equal(t, prefix+"read_more_output", name, "the marker names the tool as the model knows it")
	}
}

func TestE6_TheToolThatReadsOnIsAToolLikeOthers(t *testing.T) {
	t.Parallel()
	ts := answering(t, textOf(strings.Repeat("x", 400)), toolset.WithReadMore())
	all := listOf(t, t.Context(), ts)
	definitions := toolset.Definitions(all)
	require.Len(t, definitions, 2)
	assert.Equal(t, toolset.ReadMoreTool, definitions[1].Function.Name)
	assert.Contains(t, fmt.Sprint(definitions[1].Function.Parameters), "handle")
	assert.Contains(t, all[1].Description(), "{handle: string, offset?: integer}")

	call := func(name, arguments string) string {
		answer, err := toolset.Execute(t.Context(), all, llms.ToolCall{ID: "1", FunctionCall: &llms.FunctionCall{Name: name, Arguments: arguments}})
		require.NoError(t, err)
		return answer.Content
	}
	assert.Contains(t, call(following(call("t", "{}"))), "this is the end]")

	require.NoError(t, ts.Close())
	_, err := all[1].Call(t.Context(), `{"handle":"x"}`)
	require.ErrorIs(t, err, toolset.ErrClosed)
}

func TestE6_ReadingOnNeedsNoServer(t *testing.T) {
	t.Parallel()
	s := newRaw(t, func(r request) string {
		if r.Method == "tools/call" {
			return textOf(strings.Repeat("x", 1000))
		}
		return lists(`[{"name":"t","inputSchema":{}}]`)(r)
	})
	ts := open(t, s.config().MaxOutput(300), toolset.WithReadMore())
	all := listOf(t, t.Context(), ts)
	_, arguments := following(observe(t, t.Context(), named(t, all, "t"), "{}"))
	s.CloseClientConnections()
	s.Close()
	assert.Contains(t, observe(t, t.Context(), all[1], arguments), "xxx")
}
