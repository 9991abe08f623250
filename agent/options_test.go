package agent_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/agents"
	"github.com/tmc/langchaingo/callbacks"
	"github.com/tmc/langchaingo/chains"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/tools"

	"github.com/mcptoolset/mcptoolset/agent"
	"github.com/mcptoolset/mcptoolset/internal/mcptest"
)

// hearing is a callbacks handler that keeps what is streamed.
type hearing struct {
	callbacks.SimpleHandler
	heard string
}

func (h *hearing) HandleStreamingFunc(_ context.Context, chunk []byte) { h.heard += string(chunk) }

func TestCallOptionsAreSentAndThoseOfTheRunGoBeforeThem(t *testing.T) {
	t.Parallel()
	model := mcptest.NewModel(mcptest.Say("done"), mcptest.Say("done"))
	own := newTyped("weather")
	assistant := agent.New(model, []tools.Tool{own}, nil, agent.WithCallOptions(
		nil, llms.WithTemperature(0.5), llms.WithMaxTokens(7), llms.WithToolChoice("auto"),
		llms.WithTools([]llms.Tool{{Type: "function", Function: &llms.FunctionDefinition{Name: "other"}}}),
		llms.WithFunctions([]llms.FunctionDefinition{{Name: "another"}})))
	executor := agents.NewExecutor(assistant)
	for _, opts := range [][]chains.ChainCallOption{nil, {chains.WithTemperature(1)}} {
		_, err := chains.Run(t.Context(), executor, "Hi", opts...)
		require.NoError(t, err)
	}
	all := model.Asked.All()
	assert.InDelta(t, 0.5, all[0].Options.Temperature, 0)
	assert.InDelta(t, 1, all[1].Options.Temperature, 0)
	for _, asked := range all {
		assert.Equal(t, 7, asked.Options.MaxTokens)
		assert.Equal(t, "auto", asked.Options.ToolChoice)
		require.Len(t, asked.Options.Tools, 1, "an agent offers its own tools alone")
		assert.Equal(t, "weather", asked.Options.Tools[0].Function.Name)
		assert.Empty(t, asked.Options.Functions)
		assert.Nil(t, asked.Options.StreamingFunc, "nobody listens")
	}
}

func TestWhoHearsTheAnswer(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ handler, call, run, runHandler bool }{
		"handler":                     {handler: true},
		"call option before handler":  {handler: true, call: true},
		"run before all":              {handler: true, call: true, run: true},
		"handler of the run":          {handler: true, call: true, runHandler: true},
		"nobody, and nothing happens": {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var handler, ofRun hearing
			var call, run string
			into := func(to *string) func(context.Context, []byte) error {
				return func(_ context.Context, chunk []byte) error { *to += string(chunk); return nil }
			}
			var opts []agent.Option
			var ofRunOpts []chains.ChainCallOption
			if c.handler {
				opts = append(opts, agent.WithCallbacksHandler(&handler))
			}
			if c.call {
				opts = append(opts, agent.WithCallOptions(llms.WithStreamingFunc(into(&call))))
			}
			if c.run {
				ofRunOpts = append(ofRunOpts, chains.WithStreamingFunc(into(&run)))
			}
			if c.runHandler {
				ofRunOpts = append(ofRunOpts, chains.WithCallback(&ofRun))
			}
			_, err := chains.Run(t.Context(), agents.NewExecutor(agent.New(mcptest.NewModel(mcptest.Say("done")), nil, opts...)), "Hi", ofRunOpts...)
			require.NoError(t, err)
			heard := func(yes bool) string {
				if yes {
					return "done"
				}
				return ""
			}
			assert.Equal(t, heard(c.run), run)
			assert.Equal(t, heard(c.runHandler), ofRun.heard)
			assert.Equal(t, heard(c.call && !c.run && !c.runHandler), call)
			assert.Equal(t, heard(c.handler && !c.call && !c.run), handler.heard)
		})
	}
}
