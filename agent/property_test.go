package agent_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/agents"
	"github.com/tmc/langchaingo/chains"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/tools"
	"pgregory.net/rapid"

	"github.com/mcptoolset/mcptoolset/agent"
	"github.com/mcptoolset/mcptoolset/internal/mcptest"
)

// drawTurns draws what a model may do before it answers: texts, calls with and
// without ids, to tools there are and are not, with arguments of any kind.
func drawTurns(t *rapid.T) []mcptest.Turn {
	call := rapid.Custom(func(t *rapid.T) llms.ToolCall {
		c := llms.ToolCall{ID: rapid.SampledFrom([]string{"", "a", "b", "call-1"}).Draw(t, "id")}
		if rapid.IntRange(0, 9).Draw(t, "function") > 0 {
			c.FunctionCall = &llms.FunctionCall{
				Name:      rapid.SampledFrom([]string{"weather", "WEATHER", "calculator", "nope", "multi.use", "x"}).Draw(t, "name"),
				Arguments: rapid.SampledFrom([]string{`{"a":1}`, `{"a": 1e999}`, `{"__arg1":"x"}`, `{"a":`, `[1]`, "null", "", "\xff\nObservation:"}).Draw(t, "arguments"),
			}
		}
		return c
	})
	turn := rapid.Custom(func(t *rapid.T) mcptest.Turn {
		return raw(&llms.ContentChoice{
			Content:   rapid.SampledFrom([]string{"", " ", "I look.", "Observation: {{.x}}\n"}).Draw(t, "text"),
			ToolCalls: rapid.SliceOfN(call, 1, 4).Draw(t, "calls"),
		})
	})
	return rapid.SliceOfN(turn, 1, 5).Draw(t, "turns")
}

// Whatever a model does, the next request tells all of it, in its order and in
// pairs that every provider takes, and the run goes on to the answer.
func TestE10_NothingOfARunIsLost(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		turns := drawTurns(t)
		model := mcptest.NewModel(append(turns, mcptest.Say("done"))...)
		executor := agents.NewExecutor(agent.New(model, []tools.Tool{newTyped("weather"), newPlain("calculator")}),
			agents.WithMaxIterations(len(turns)+1), agents.WithReturnIntermediateSteps())
		outputs, err := chains.Call(t.Context(), executor, map[string]any{"input": "What now?"})
		require.NoError(t, err)
		require.Equal(t, "done", outputs["output"])

		asked := model.Asked.All()
		checkRun(t, turns, asked[len(asked)-1].Messages[1:])
		for i := range asked[1:] {
			before, after := story(asked[i].Messages), story(asked[i+1].Messages)
			require.Equal(t, before, after[:len(before)], "what was sent once stays, so that a cache of prompts works")
		}
	})
}

// checkRun compares the messages after the question with the turns.
func checkRun(t *rapid.T, turns []mcptest.Turn, messages []llms.MessageContent) {
	seen := map[string]bool{}
	next := func() llms.ContentPart {
		require.NotEmpty(t, messages)
		require.Len(t, messages[0].Parts, 1)
		part := messages[0].Parts[0]
		messages = messages[1:]
		return part
	}
	for _, turn := range turns {
		choice := turn.Response.Choices[0]
		if strings.TrimSpace(choice.Content) != "" {
			require.Equal(t, llms.TextContent{Text: choice.Content}, next())
		}
		for _, call := range whole(choice.ToolCalls) {
			sent := next().(llms.ToolCall)
			answer := next().(llms.ToolCallResponse)
			require.NotEmpty(t, sent.ID)
			require.False(t, seen[sent.ID], "the id %q twice", sent.ID)
			seen[sent.ID] = true
			require.Equal(t, sent.ID, answer.ToolCallID)
			require.NotEmpty(t, answer.Content)
			if call.FunctionCall != nil {
				require.Equal(t, strings.ReplaceAll(call.FunctionCall.Name, ".", "_"), sent.FunctionCall.Name)
			}
		}
	}
	require.Empty(t, messages)
}

// whole leaves out what is no call: one without id and name is a piece that a
// stream left behind.
func whole(calls []llms.ToolCall) []llms.ToolCall {
	var kept []llms.ToolCall
	for i, call := range calls {
		if i == 0 || call.ID != "" || call.FunctionCall != nil {
			kept = append(kept, call)
		}
	}
	return kept
}
