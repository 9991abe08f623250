package chat

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/llms"
)

func answerOf(choices ...*llms.ContentChoice) *llms.ContentResponse {
	return &llms.ContentResponse{Choices: choices}
}

func TestResponseMergesTheParts(t *testing.T) {
	t.Parallel()
	got := Response(answerOf(
		nil,
		&llms.ContentChoice{GenerationInfo: map[string]any{"ThinkingContent": "hm", "InputTokens": 3}},
		&llms.ContentChoice{Content: "I look.", StopReason: "tool_use", GenerationInfo: map[string]any{"ThinkingContent": "", "Extra": 1}},
		&llms.ContentChoice{ToolCalls: []llms.ToolCall{call("1", "a", "{}")}, ReasoningContent: "r"},
		&llms.ContentChoice{Content: "Also.", ToolCalls: []llms.ToolCall{call("2", "b", "{}")}},
	), Reading{})
	want := answerOf(&llms.ContentChoice{
		Content:          "I look.\nAlso.",
		StopReason:       "tool_use",
		ReasoningContent: "r",
		GenerationInfo:   map[string]any{"ThinkingContent": "hm", "InputTokens": 3, "Extra": 1},
		FuncCall:         &llms.FunctionCall{Name: "a", Arguments: "{}"},
		ToolCalls:        []llms.ToolCall{call("1", "a", "{}"), call("2", "b", "{}")},
	})
	assert.Equal(t, want, got)
}

func TestResponseMergesTextWithoutGluingWords(t *testing.T) {
	t.Parallel()
	got := Response(answerOf(&llms.ContentChoice{Content: "The grass"}, &llms.ContentChoice{Content: " is green."}, &llms.ContentChoice{Content: "Really."}), Reading{})
	require.Len(t, got.Choices, 1)
	assert.Equal(t, "The grass is green.\nReally.", got.Choices[0].Content)
}

func TestResponseKeepsAlternatives(t *testing.T) {
	t.Parallel()
	got := Response(answerOf(
		&llms.ContentChoice{Content: "one", ToolCalls: []llms.ToolCall{call("", "a", "{}")}},
		nil,
		&llms.ContentChoice{Content: "two", ToolCalls: []llms.ToolCall{call("", "a", "{}")}},
	), Reading{Alternatives: true})
	require.Len(t, got.Choices, 2)
	assert.Equal(t, "one", got.Choices[0].Content)
	assert.Equal(t, "two", got.Choices[1].Content)
	assert.NotEqual(t, got.Choices[0].ToolCalls[0].ID, got.Choices[1].ToolCalls[0].ID)
}

func TestResponseWithoutChoices(t *testing.T) {
	t.Parallel()
	assert.Nil(t, Response(nil, Reading{}))
	assert.Empty(t, Response(answerOf(), Reading{}).Choices)
	assert.Empty(t, Response(answerOf(nil, nil), Reading{}).Choices)
}

func TestResponseCompletesCalls(t *testing.T) {
	t.Parallel()
	history := History([]llms.MessageContent{ai(call("", "a", "{}")), tool(resp("", "", "r"))}, Form{})
	read := func() *llms.ContentResponse {
		return Response(answerOf(&llms.ContentChoice{ToolCalls: []llms.ToolCall{
			{FunctionCall: &llms.FunctionCall{Name: "a", Arguments: "{}"}},
			{FunctionCall: &llms.FunctionCall{Name: "a", Arguments: "{}"}},
			call("x", "b", "{}"),
			call("x", "b", "{}"),
			{ID: "n"},
		}}), Reading{IDs: NewIDs(history)})
	}
	got := read().Choices[0].ToolCalls
	require.Len(t, got, 5)
	old, _ := history[0].Parts[0].(llms.ToolCall)
	seen := map[string]bool{old.ID: true}
	for _, c := range got {
		assert.NotEmpty(t, c.ID)
		assert.False(t, seen[c.ID], "ids are new")
		seen[c.ID] = true
		assert.Equal(t, "function", c.Type)
		require.NotNil(t, c.FunctionCall)
	}
	assert.Equal(t, "x", got[2].ID)
	assert.Equal(t, namelessTool, got[4].FunctionCall.Name)
	assert.Equal(t, got, read().Choices[0].ToolCalls, "the same answer gets the same ids")
}

func TestResponseReadsTheLegacyCall(t *testing.T) {
	t.Parallel()
	legacy := &llms.FunctionCall{Name: "a", Arguments: `{"x":1}`}
	got := Response(answerOf(&llms.ContentChoice{FuncCall: legacy}), Reading{}).Choices[0]
	require.Len(t, got.ToolCalls, 1)
	assert.Equal(t, *legacy, *got.ToolCalls[0].FunctionCall)
	assert.NotEmpty(t, got.ToolCalls[0].ID)

	both := Response(answerOf(&llms.ContentChoice{FuncCall: legacy, ToolCalls: []llms.ToolCall{call("1", "a", `{"x":1}`)}}), Reading{}).Choices[0]
	assert.Len(t, both.ToolCalls, 1, "the legacy field repeats the first call")
	assert.Equal(t, legacy, both.FuncCall)
}

func TestResponseJoinsPiecesOfAStream(t *testing.T) {
	t.Parallel()
	piece := func(arguments string) llms.ToolCall {
		return llms.ToolCall{Type: "function", FunctionCall: &llms.FunctionCall{Arguments: arguments}}
	}
	got := Response(answerOf(&llms.ContentChoice{ToolCalls: []llms.ToolCall{
		call("1", "a", ""), piece(`{"x"`), piece(`:1}`), piece(""),
		call("2", "b", `{}`), piece(`{"of":"its own"}`),
	}}), Reading{}).Choices[0].ToolCalls
	require.Len(t, got, 3)
	assert.Equal(t, call("1", "a", `{"x":1}`), got[0])
	assert.Equal(t, call("2", "b", `{}`), got[1])
	assert.Equal(t, namelessTool, got[2].FunctionCall.Name)
	assert.JSONEq(t, `{"of":"its own"}`, got[2].FunctionCall.Arguments)
}

func TestD1_ResponseWrapsOnlyForTheAgent(t *testing.T) {
	t.Parallel()
	own := `{"__arg1":"a","city":"b"}`
	got := Response(answerOf(&llms.ContentChoice{ToolCalls: []llms.ToolCall{call("1", "ours", own), call("2", "other", own)}}),
		Reading{Bridged: func(name string) bool { return name == "ours" }}).Choices[0].ToolCalls
	assert.Equal(t, Wrap(own), got[0].FunctionCall.Arguments)
	assert.Equal(t, own, got[1].FunctionCall.Arguments)
}

func TestResponseChangesNothingItIsGiven(t *testing.T) {
	t.Parallel()
	make := func() *llms.ContentResponse {
		calls := append([]llms.ToolCall(nil), call("", "a", "x"), llms.ToolCall{}, call("1", "a", ""))
		return answerOf(
			&llms.ContentChoice{Content: "t", GenerationInfo: map[string]any{"k": ""}, ToolCalls: calls[:1:3], FuncCall: calls[0].FunctionCall},
			&llms.ContentChoice{ToolCalls: calls, GenerationInfo: map[string]any{"k": 1}},
		)
	}
	shared := make()
	Response(shared, Reading{Bridged: func(string) bool { return true }})
	assert.Equal(t, make(), shared)
}
