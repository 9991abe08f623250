package agent_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/agents"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/tools"

	"github.com/mcptoolset/mcptoolset/agent"
	"github.com/mcptoolset/mcptoolset/internal/mcptest"
)

func respond(choices ...*llms.ContentChoice) mcptest.Turn {
	return mcptest.Turn{Func: func(context.Context, mcptest.Asked) (*llms.ContentResponse, error) {
		return &llms.ContentResponse{Choices: choices}, nil
	}}
}

func TestE5_AnAnswerThatSaysNothing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		turn   mcptest.Turn
		reason string
	}{
		"no response":   {mcptest.Turn{Func: func(context.Context, mcptest.Asked) (*llms.ContentResponse, error) { return nil, nil }}, ""},
		"no choice":     {respond(), ""},
		"a nil choice":  {respond(nil), ""},
		"no text":       {respond(&llms.ContentChoice{StopReason: "MALFORMED_FUNCTION_CALL"}), "MALFORMED_FUNCTION_CALL"},
		"blank text":    {respond(&llms.ContentChoice{Content: " \n", StopReason: "stop"}), "stop"},
		"thoughts only": {respond(&llms.ContentChoice{ReasoningContent: "hm", StopReason: "length"}), "length"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := run(t, agent.New(mcptest.NewModel(c.turn), nil))
			require.ErrorIs(t, err, agent.ErrNoAnswer)
			require.ErrorIs(t, err, agents.ErrUnableToParseOutput)
			assert.ErrorContains(t, err, c.reason)

			model := mcptest.NewModel(mcptest.Use("search", "x"), c.turn, mcptest.Say("done"))
			answer, err := run(t, agent.New(model, []tools.Tool{search()}),
				agents.WithParserErrorHandler(agents.NewParserErrorHandler(func(string) string { return "Say something." })))
			require.NoError(t, err, "the owner's handler lets it go on")
			assert.Equal(t, "done", answer)
			messages := last(model).Messages
			assert.Equal(t, asked("Say something."), messages[len(messages)-1])

			model = mcptest.NewModel(c.turn, mcptest.Say("done"))
			_, err = run(t, agent.New(model, nil), agents.WithParserErrorHandler(agents.NewParserErrorHandler(func(string) string { return "" })))
			require.NoError(t, err)
			assert.Len(t, last(model).Messages, 1, "a blank message is not sent")
		})
	}
}

func TestAnswersOfSeveralChoices(t *testing.T) {
	t.Parallel()
	text, other := &llms.ContentChoice{Content: "I look."}, &llms.ContentChoice{Content: "The second."}
	calls := &llms.ContentChoice{ToolCalls: []llms.ToolCall{call("a", "search", `{"__arg1":"x"}`)}}
	t.Run("parts of one answer", func(t *testing.T) {
		t.Parallel()
		model := mcptest.NewModel(respond(text, calls), mcptest.Say("done"))
		answer, err := run(t, agent.New(model, []tools.Tool{search()}))
		require.NoError(t, err)
		assert.Equal(t, "done", answer, "the text before a call is not the answer")
		assert.Equal(t, said("I look."), last(model).Messages[1])
	})
	t.Run("candidates", func(t *testing.T) {
		t.Parallel()
		model := mcptest.NewModel(respond(nil, &llms.ContentChoice{}, text, other))
		answer, err := run(t, agent.New(model, nil, agent.WithCallOptions(llms.WithN(4))))
		require.NoError(t, err)
		assert.Equal(t, "I look.", answer)
	})
}

func TestCallsAreCompleted(t *testing.T) {
	t.Parallel()
	function := &llms.FunctionCall{Name: "search", Arguments: "x"}
	for name, choice := range map[string]*llms.ContentChoice{
		"no ids":           {ToolCalls: []llms.ToolCall{{FunctionCall: function}, {FunctionCall: function}}},
		"one id twice":     {ToolCalls: []llms.ToolCall{{ID: "1", FunctionCall: function}, {ID: "1", FunctionCall: function}}},
		"the older field":  {FuncCall: function},
		"an id used again": {ToolCalls: []llms.ToolCall{{ID: "used", FunctionCall: function}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			model := mcptest.NewModel(
				mcptest.Turn{Calls: []llms.ToolCall{call("used", "search", "x")}},
				respond(choice), respond(choice), mcptest.Say("done"))
			other := search()
			_, err := run(t, agent.New(model, []tools.Tool{other}))
			require.NoError(t, err)
			seen := map[string]bool{}
			messages := last(model).Messages[1:]
			require.Len(t, messages, 2*len(other.inputs), "a call and its answer for each time the tool ran")
			for i := 0; i < len(messages); i += 2 {
				made := messages[i].Parts[0].(llms.ToolCall)
				assert.NotEmpty(t, made.ID)
				assert.False(t, seen[made.ID], "each id is of one call")
				seen[made.ID] = true
				assert.Equal(t, answered(made.ID, "search", "search got x"), messages[i+1])
			}
		})
	}
}
