package mcptest

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/llms"
)

func TestModelFollowsItsScript(t *testing.T) {
	t.Parallel()
	whole := &llms.ContentResponse{Choices: []*llms.ContentChoice{{Content: "as it is"}}}
	failed := errors.New("overloaded")
	m := NewModel(
		Turn{Text: "let me see", Calls: append(Use("search", `{"q":"x"}`).Calls, llms.ToolCall{ID: "mine", Type: "t", FunctionCall: &llms.FunctionCall{Name: "b"}})},
		Use("again", "{}"),
		Turn{Err: failed},
		Turn{Response: whole},
		Turn{Func: func(_ context.Context, asked Asked) (*llms.ContentResponse, error) {
			return &llms.ContentResponse{Choices: []*llms.ContentChoice{{Content: asked.Options.Model}}}, nil
		}},
		Say("done"),
	)
	messages := []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeHuman, "hello"),
		{Role: llms.ChatMessageTypeAI, Parts: []llms.ContentPart{llms.ToolCall{ID: "1", FunctionCall: &llms.FunctionCall{Name: "n", Arguments: "{}"}}}}}
	ask := func(options ...llms.CallOption) (*llms.ContentResponse, error) {
		return m.GenerateContent(t.Context(), messages, options...)
	}

	got, err := ask(llms.WithTools([]llms.Tool{{Type: "function", Function: &llms.FunctionDefinition{Name: "search"}}}))
	require.NoError(t, err)
	choice := got.Choices[0]
	assert.Equal(t, "let me see", choice.Content)
	assert.Equal(t, "tool_calls", choice.StopReason)
	assert.Equal(t, "search", choice.FuncCall.Name)
	assert.Equal(t, []string{"call-1", "mine"}, []string{choice.ToolCalls[0].ID, choice.ToolCalls[1].ID})
	assert.Equal(t, "function", choice.ToolCalls[0].Type)
	assert.Equal(t, "t", choice.ToolCalls[1].Type)

	messages[0].Parts[0] = llms.TextPart("changed")
	messages[1].Parts[0].(llms.ToolCall).FunctionCall.Arguments = "changed"
	asked := m.Asked.Wait(t)
	assert.Equal(t, llms.TextPart("hello"), asked.Messages[0].Parts[0], "later changes are not seen")
	assert.Equal(t, "{}", asked.Messages[1].Parts[0].(llms.ToolCall).FunctionCall.Arguments)
	assert.Equal(t, "search", asked.Options.Tools[0].Function.Name)

	got, err = ask()
	require.NoError(t, err)
	assert.Equal(t, "call-3", got.Choices[0].ToolCalls[0].ID, "ids are unique over the turns")
	_, err = ask()
	require.ErrorIs(t, err, failed)
	got, err = ask()
	require.NoError(t, err)
	assert.Same(t, whole, got)
	got, err = ask(llms.WithModel("m1"))
	require.NoError(t, err)
	assert.Equal(t, "m1", got.Choices[0].Content)

	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = m.GenerateContent(ended, messages)
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, 1, m.Rest())
	answer, err := m.Call(t.Context(), "hello")
	require.NoError(t, err)
	assert.Equal(t, "done", answer)
	_, err = ask()
	require.ErrorIs(t, err, ErrScriptEnded)
	assert.Equal(t, 8, m.Asked.Count())
}

func TestModelStreams(t *testing.T) {
	t.Parallel()
	var got []byte
	m := NewModel(Say("streamed"), Say("stopped"))
	_, err := m.Call(t.Context(), "x", llms.WithStreamingFunc(func(_ context.Context, chunk []byte) error {
		got = append(got, chunk...)
		return nil
	}))
	require.NoError(t, err)
	assert.Equal(t, "streamed", string(got))
	stop := errors.New("stop")
	_, err = m.Call(t.Context(), "x", llms.WithStreamingFunc(func(context.Context, []byte) error { return stop }))
	require.ErrorIs(t, err, stop)
}
