package agent_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/agents"
	"github.com/tmc/langchaingo/chains"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/tools"

	"github.com/mcptoolset/mcptoolset/agent"
	"github.com/mcptoolset/mcptoolset/internal/mcptest"
)

func TestE5_AnAnswerThatSaysNothingIsAnError(t *testing.T) {
	t.Parallel()
	none := mcptest.Turn{Func: func(context.Context, mcptest.Asked) (*llms.ContentResponse, error) { return nil, nil }}
	for name, c := range map[string]struct {
		turn   mcptest.Turn
		reason string
	}{
		"no response":   {none, ""},
		"no choice":     {raw(), ""},
		"a nil choice":  {raw(nil), ""},
		"no text":       {raw(&llms.ContentChoice{StopReason: "MALFORMED_FUNCTION_CALL"}), `"MALFORMED_FUNCTION_CALL"`},
		"blank text":    {raw(&llms.ContentChoice{Content: " \n", StopReason: "stop"}), `"stop"`},
		"thoughts only": {raw(&llms.ContentChoice{ReasoningContent: "Hm.", StopReason: "length"}), `"length"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			executor := agents.NewExecutor(agent.New(mcptest.NewModel(c.turn), nil))
			_, err := chains.Run(t.Context(), executor, "What now?")
			require.ErrorIs(t, err, agent.ErrNoAnswer)
			require.ErrorIs(t, err, agents.ErrUnableToParseOutput)
			require.ErrorContains(t, err, c.reason)

			for said, want := range map[string][]string{"Say something.": {"human: What now?", "human: Say something."}, " ": {"human: What now?"}} {
				model := mcptest.NewModel(c.turn, mcptest.Say("done"))
				handler := agents.NewParserErrorHandler(func(string) string { return said })
				assert.Equal(t, "done", run(t, agent.New(model, nil), agents.WithParserErrorHandler(handler)))
				assert.Equal(t, want, lastStory(model), "the owner's handler lets it go on")
			}
		})
	}
}

func TestTheFirstCandidateThatSaysAnythingIsTheAnswer(t *testing.T) {
	t.Parallel()
	weather := newTyped("weather")
	call := llms.ToolCall{ID: "1", FunctionCall: &llms.FunctionCall{Name: "weather", Arguments: "{}"}}
	model := mcptest.NewModel(
		raw(&llms.ContentChoice{}, &llms.ContentChoice{ToolCalls: []llms.ToolCall{call}}, &llms.ContentChoice{Content: "no"}),
		raw(&llms.ContentChoice{Content: "done"}, &llms.ContentChoice{ToolCalls: []llms.ToolCall{call}}))
	assert.Equal(t, "done", run(t, agent.New(model, []tools.Tool{weather}, agent.WithCallOptions(llms.WithN(3)))))
	assert.Len(t, weather.given, 1)
}

func TestPartsOfOneAnswerAreOne(t *testing.T) {
	t.Parallel()
	weather := newTyped("weather")
	legacy := &llms.ContentChoice{FuncCall: &llms.FunctionCall{Name: "weather", Arguments: `{"a":1}`}}
	model := mcptest.NewModel(raw(&llms.ContentChoice{Content: "I look."}, legacy), mcptest.Say("done"))
	assert.Equal(t, "done", run(t, agent.New(model, []tools.Tool{weather})))
	lines := lastStory(model)
	require.Len(t, lines, 4)
	assert.Equal(t, "ai: I look.", lines[1])
	assert.Equal(t, []string{`{"a":1}`}, weather.given)
}

func TestE10_IDsThatAreMissingOrTwiceAreMadeUnique(t *testing.T) {
	t.Parallel()
	weather := newTyped("weather")
	call := func(id string) llms.ToolCall {
		return llms.ToolCall{ID: id, FunctionCall: &llms.FunctionCall{Name: "weather", Arguments: fmt.Sprintf(`{"city":%q}`, "c"+id)}}
	}
	model := mcptest.NewModel(
		raw(&llms.ContentChoice{ToolCalls: []llms.ToolCall{call(""), call(""), call("a"), call("a")}}),
		raw(&llms.ContentChoice{ToolCalls: []llms.ToolCall{call("a"), call("")}}),
		mcptest.Say("done"))
	assert.Equal(t, "done", run(t, agent.New(model, []tools.Tool{weather})))
	assert.Len(t, weather.given, 6)

	seen := map[string]bool{}
	lines := lastStory(model)[1:]
	require.Len(t, lines, 12)
	for i := 0; i < len(lines); i += 2 {
		id := strings.TrimSuffix(strings.Fields(lines[i])[1], ":")
		assert.False(t, seen[id], "%s is there twice", id)
		seen[id] = true
		assert.Equal(t, "answer "+id+": got "+weather.given[i/2], lines[i+1])
	}
}
