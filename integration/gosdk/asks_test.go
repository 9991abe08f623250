package gosdk

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/toolset"
)

func TestGoSDK_QuestionsAreAnswered(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s site) {
		model := mcptest.NewModel(mcptest.Say("Paris."))
		sampler := toolset.NewSampler(model, toolset.WithSamplingModelName("scripted"),
			toolset.WithSamplingPermission(func(context.Context, toolset.Sampling) error { return nil }))
		ts := open(t, s.config,
			toolset.WithElicitation(func(_ context.Context, e toolset.Elicitation) (toolset.ElicitationAnswer, error) {
				assert.Equal(t, "Who?", e.Message)
				assert.JSONEq(t, form, string(e.Schema))
				return e.Accept(map[string]any{"name": "Ada"}), nil
			}),
			toolset.WithSampling(sampler.Sample),
			toolset.WithRoots(toolset.Root{URI: "file:///here", Name: "Here"}))
		if s.sse {
			t.Skip("nothing is declared over SSE; the SDK asks all the same, and waits")
		}
		if s.asks() {
			s.needsStream(t)
		}
		if s.asks() && !s.modern {
			hears(t, ts) // with JSON answers its questions come by the stream alone
		}
		if !s.asks() {
			for _, tool := range []string{"elicit", "sample", "roots"} {
				said := call(t, ts, tool, "")
				assert.True(t, strings.HasPrefix(said, "Error:"), said)
			}
			return
		}
		said := call(t, ts, "elicit", "")
		assert.Contains(t, said, "state of elicit")
		for _, want := range []string{`"action":"accept"`, `"name":"Ada"`, `"size":"M"`} {
			assert.Contains(t, said, want)
		}
		said = call(t, ts, "sample", "")
		assert.Contains(t, said, `"text":"Paris."`)
		assert.Contains(t, said, `"model":"scripted"`)
		assert.Contains(t, call(t, ts, "roots", ""), `"uri":"file:///here"`)
		require.NoError(t, ts.SetRoots(toolset.Root{URI: "file:///there"}))
		assert.Contains(t, call(t, ts, "roots", ""), `"uri":"file:///there"`)
	})
}

func TestGoSDK_WithoutHandlersAQuestionIsRefused(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s site) {
		if s.sse {
			t.Skip("the SDK asks over SSE whatever is declared, and waits")
		}
		ts := open(t, s.config)
		for _, tool := range []string{"elicit", "sample", "roots"} {
			said := call(t, ts, tool, "")
			assert.True(t, strings.HasPrefix(said, "Error:"), said)
		}
	})
}
