package toolset_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/tools"

	"github.com/mcptoolset/mcptoolset/toolset"
)

// plainTool is a tool of other origin: it has no definition of its own.
type plainTool struct {
	name string
	call func(input string) (string, error)
}

func (p plainTool) Name() string                                         { return p.name }
func (p plainTool) Description() string                                  { return "a plain tool" }
func (p plainTool) Call(_ context.Context, input string) (string, error) { return p.call(input) }

func echo(name string) plainTool {
	return plainTool{name: name, call: func(input string) (string, error) { return name + ":" + input, nil }}
}

func TestExecute(t *testing.T) {
	t.Parallel()
	own := weatherTool()
	own.answer = func(_ context.Context, input string) (string, error) { return "own:" + input, nil }
	silent := plainTool{name: "silent", call: func(string) (string, error) { return " \n", nil }}
	ts := []tools.Tool{echo("get"), nil, own, (*definedTool)(nil), echo("Get"), echo("GET_twice"), plainTool{name: "GET_twice", call: func(string) (string, error) { return "last", nil }}, silent}
	names := "The tools are: get, weather, Get, GET_twice, silent."
	tests := []struct {
		name string
		call llms.ToolCall
		want llms.ToolCallResponse
	}{
		{"exact name", toolCall("1", "get", "x"), llms.ToolCallResponse{ToolCallID: "1", Name: "get", Content: "get:x"}},
		{"exact name of another case", toolCall("1", "Get", "x"), llms.ToolCallResponse{ToolCallID: "1", Name: "Get", Content: "Get:x"}},
		{"any case", toolCall("1", "WEATHER", `{}`), llms.ToolCallResponse{ToolCallID: "1", Name: "weather", Content: "own:{}"}},
		{"the last of several", toolCall("1", "get_TWICE", ""), llms.ToolCallResponse{ToolCallID: "1", Name: "GET_twice", Content: "last"}},
		{"no id", toolCall("", "get", "x"), llms.ToolCallResponse{Name: "get", Content: "get:x"}},
		{"__arg1 of a plain tool", toolCall("1", "get", `{"__arg1":"2+2"}`), llms.ToolCallResponse{ToolCallID: "1", Name: "get", Content: "get:2+2"}},
		{"__arg1 of a Definer", toolCall("1", "weather", `{"__arg1":"x","city":"y"}`), llms.ToolCallResponse{ToolCallID: "1", Name: "weather", Content: `own:{"__arg1":"x","city":"y"}`}},
		{"object for a plain tool", toolCall("1", "get", `{"q":1}`), llms.ToolCallResponse{ToolCallID: "1", Name: "get", Content: `get:{"q":1}`}},
		{"what broke off, for a plain tool", toolCall("1", "get", `{"__arg1":"2+`), llms.ToolCallResponse{ToolCallID: "1", Name: "get", Content: `Error: the JSON of the arguments is broken or cut off: write the whole object again, as {"__arg1": "the input"}`}},
		{"empty output", toolCall("1", "silent", ""), llms.ToolCallResponse{ToolCallID: "1", Name: "silent", Content: "(no output)"}},
		{"no function", llms.ToolCall{ID: "1"}, llms.ToolCallResponse{ToolCallID: "1", Content: "Error: the call names no tool. " + names}},
		{"no name", toolCall("1", "", "{}"), llms.ToolCallResponse{ToolCallID: "1", Content: "Error: the call names no tool. " + names}},
		{"unknown name", toolCall("1", "got", "{}"), llms.ToolCallResponse{ToolCallID: "1", Name: "got", Content: `Error: there is no tool "got". ` + names}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := toolset.Execute(t.Context(), ts, tt.call)
			require.NoError(t, err)
			assert.Equal(t, tt.want, got)
		})
	}
}

func TestExecuteBoundsWhatItSays(t *testing.T) {
	t.Parallel()
	got, err := toolset.Execute(t.Context(), nil, toolCall("1", "x", ""))
	require.NoError(t, err)
	assert.Equal(t, `Error: there is no tool "x". There are no tools.`, got.Content)

	var ts []tools.Tool
	for i := range 1000 {
		ts = append(ts, echo(fmt.Sprintf("tool_%d", i)))
	}
	got, err = toolset.Execute(t.Context(), ts, toolCall("1", strings.Repeat("é\n", 100_000), ""))
	require.NoError(t, err)
	assert.Contains(t, got.Content, "and 900 more")
	assert.Less(t, len(got.Content), 4000)
}

func TestExecuteReturnsErrorsWithAResponse(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	ts := []tools.Tool{
		plainTool{name: "fails", call: func(string) (string, error) { return "lost", broken }},
		plainTool{name: "says", call: func(string) (string, error) { return "", errors.New("Error: once") }},
		&definedTool{name: "waits", schema: weatherSchema, answer: func(ctx context.Context, _ string) (string, error) { return "", ctx.Err() }},
	}
	got, err := toolset.Execute(t.Context(), ts, toolCall("1", "fails", ""))
	require.ErrorIs(t, err, broken)
	assert.Equal(t, llms.ToolCallResponse{ToolCallID: "1", Name: "fails", Content: "Error: broken"}, got)

	got, err = toolset.Execute(t.Context(), ts, toolCall("1", "says", ""))
	require.Error(t, err)
	assert.Equal(t, "Error: once", got.Content)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got, err = toolset.Execute(ctx, ts, toolCall("1", "waits", "{}"))
	require.ErrorIs(t, err, context.Canceled, "the caller's ctx reaches the tool")
	assert.Equal(t, "Error: context canceled", got.Content)
}

func exchange(id, name, arguments, content string) []llms.MessageContent {
	return []llms.MessageContent{
		{Role: llms.ChatMessageTypeAI, Parts: []llms.ContentPart{toolCall(id, name, arguments)}},
		{Role: llms.ChatMessageTypeTool, Parts: []llms.ContentPart{llms.ToolCallResponse{ToolCallID: id, Name: name, Content: content}}},
	}
}

func messages(parts ...[]llms.MessageContent) []llms.MessageContent {
	var all []llms.MessageContent
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

func TestRespond(t *testing.T) {
	t.Parallel()
	ts := []tools.Tool{echo("a"), echo("b")}
	text := func(s string) []llms.MessageContent {
		return []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeAI, s)}
	}
	tests := []struct {
		name     string
		response *llms.ContentResponse
		want     []llms.MessageContent
	}{
		{"no response", nil, nil},
		{"no choices", &llms.ContentResponse{Choices: []*llms.ContentChoice{nil}}, nil},
		{"text alone", says("Done."), text("Done.")},
		{"nothing at all", says(" "), nil},
		{"calls in order", says("", toolCall("1", "a", `{}`), toolCall("2", "b", `{"x":1}`)),
			messages(exchange("1", "a", `{}`, "a:{}"), exchange("2", "b", `{"x":1}`, `b:{"x":1}`))},
		{"text first", says("I look.", toolCall("1", "a", `{}`)), messages(text("I look."), exchange("1", "a", `{}`, "a:{}"))},
		{"several choices", &llms.ContentResponse{Choices: []*llms.ContentChoice{
			{Content: "I look."}, nil, {ToolCalls: []llms.ToolCall{toolCall("1", "a", `{}`)}}, {ToolCalls: []llms.ToolCall{toolCall("2", "b", `{}`)}},
		}}, messages(text("I look."), exchange("1", "a", `{}`, "a:{}"), exchange("2", "b", `{}`, "b:{}"))},
		{"no object", says("", toolCall("1", "a", "2+2")), exchange("1", "a", `{"__arg1":"2+2"}`, "a:2+2")},
		{"nothing as arguments", says("", toolCall("1", "a", "")), exchange("1", "a", `{}`, "a:")},
		{"unknown tool", says("", toolCall("1", "c", `{}`)), exchange("1", "c", `{}`, `Error: there is no tool "c". The tools are: a, b.`)},
		{"the tool's own name", says("", toolCall("1", "A", `{}`)), exchange("1", "A", `{}`, "a:{}")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := toolset.Respond(t.Context(), ts, tt.response)
			require.NoError(t, err)
			assert.Equal(t, tt.want, got)
		})
	}
}

func TestRespondInventsIDs(t *testing.T) {
	t.Parallel()
	ts := []tools.Tool{echo("a")}
	response := func() *llms.ContentResponse {
		return &llms.ContentResponse{Choices: []*llms.ContentChoice{
			{FuncCall: &llms.FunctionCall{Name: "a", Arguments: "{}"}},
			{ToolCalls: []llms.ToolCall{toolCall("", "a", "{}"), {ID: "9"}}},
		}}
	}
	given := response()
	got, err := toolset.Respond(t.Context(), ts, given)
	require.NoError(t, err)
	require.Len(t, got, 6)
	requireOneCallOneResponse(t, got)
	assert.Equal(t, response(), given, "the response is not changed")

	again, err := toolset.Respond(t.Context(), ts, response())
	require.NoError(t, err)
	assert.Equal(t, got, again)
}

func TestRespondKeepsWhatWasDoneBeforeAnError(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	ran := false
	ts := []tools.Tool{
		echo("a"),
		plainTool{name: "fails", call: func(string) (string, error) { return "", broken }},
		plainTool{name: "later", call: func(string) (string, error) { ran = true; return "", nil }},
	}
	got, err := toolset.Respond(t.Context(), ts, says("I look.", toolCall("1", "a", "{}"), toolCall("2", "fails", "{}"), toolCall("3", "later", "{}")))
	require.ErrorIs(t, err, broken)
	assert.False(t, ran)
	assert.Equal(t, messages(
		[]llms.MessageContent{llms.TextParts(llms.ChatMessageTypeAI, "I look.")},
		exchange("1", "a", "{}", "a:{}"),
		exchange("2", "fails", "{}", "Error: broken"),
	), got)
}

func TestRespondRunsNothingAfterTheEndOfCtx(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	ts := []tools.Tool{plainTool{name: "a", call: func(string) (string, error) { cancel(); return "done", nil }}}
	got, err := toolset.Respond(ctx, ts, says("", toolCall("1", "a", "{}"), toolCall("2", "a", "{}")))
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, exchange("1", "a", "{}", "done"), got)
}
