package integration

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/llms"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// everythingAsks runs a test over the ways in which server-everything can ask.
func everythingAsks(t *testing.T, test func(t *testing.T, b *config.Builder)) {
	t.Helper()
	for _, name := range []string{"stdio", "streamable http"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, everythingKinds[name](t))
		})
	}
}

// await has the tools that a server adds after its handshake.
func await(t *testing.T, ts *toolset.Toolset, tools ...string) {
	t.Helper()
	require.EventuallyWithT(t, func(c *assert.CollectT) {
		ts.Refresh()
		found, err := ts.Tools(t.Context())
		assert.NoError(c, err)
		assert.Subset(c, namesOf(found), tools)
	}, time.Minute, 20*time.Millisecond)
}

func TestJ3_NPM_EverythingAsksTheUser(t *testing.T) {
	t.Parallel()
	everythingAsks(t, func(t *testing.T, b *config.Builder) {
		asked := make(chan toolset.Elicitation, 9)
		answer := toolset.ElicitationAccept
		ts := open(t, b, toolset.WithElicitation(func(ctx context.Context, e toolset.Elicitation) (toolset.ElicitationAnswer, error) {
			asked <- e
			info, _ := toolset.CallFromContext(ctx)
			assert.NotEmpty(t, info.Tool, "the handler knows the call")
			if answer != toolset.ElicitationAccept {
				return toolset.ElicitationAnswer{Action: answer}, nil
			}
			if e.Message == "Please provide inputs for the following fields:" {
				assert.Error(t, e.Check(map[string]any{"name": "Ada", "integer": 101, "email": "ada@example.com"}))
			}
			return e.Accept(map[string]any{"name": "Ada", "email": "ada@example.com", "interpretation": "snake"}), nil
		}, toolset.ElicitationForm, toolset.ElicitationURL))
		await(t, ts, "trigger-elicitation-request", "trigger-url-elicitation", "simulate-research-query")

		text := call(t, ts, "trigger-elicitation-request", "")
		assert.Contains(t, text, "- Name: Ada")
		assert.Contains(t, text, "- Email: ada@example.com")
		assert.Contains(t, text, "- Favorite Integer: 42", "its default")
		e := <-asked
		assert.Equal(t, "everything", e.Server)
		assert.Equal(t, "hero-1", e.Defaults()["titledSingleSelectEnum"])

		text = call(t, ts, "trigger-url-elicitation", `{"url":"https://example.com/form","elicitationId":"here"}`)
		assert.Contains(t, text, "https://example.com/form")
		assert.Contains(t, text, "completed")
		e = <-asked
		assert.Equal(t, toolset.ElicitationURL, e.Mode)
		assert.Equal(t, "here", e.ID)
		assert.False(t, e.Required)

		// The call is refused for a page, sent again, and then asks for another.
		text = call(t, ts, "trigger-url-elicitation", `{"url":"https://example.com/gate","errorPath":true}`)
		assert.Contains(t, text, "https://example.com/gate")
		e = <-asked
		assert.True(t, e.Required)
		assert.Equal(t, "https://modelcontextprotocol.io", e.URL)
		assert.Equal(t, "https://example.com/gate", (<-asked).URL)

		// A task that asks while its result is waited for.
		text = call(t, ts, "simulate-research-query", `{"topic":"python","ambiguous":true}`)
		assert.Contains(t, text, "snake")
		assert.Contains(t, string((<-asked).Schema), "interpretation")

		answer = toolset.ElicitationDecline
		assert.Contains(t, call(t, ts, "trigger-elicitation-request", ""), "declined")
		assert.Contains(t, call(t, ts, "trigger-url-elicitation", `{"url":"https://example.com/no","errorPath":true}`), "did not agree")
		answer = toolset.ElicitationCancel
		assert.Contains(t, call(t, ts, "trigger-elicitation-request", ""), "cancelled")
	})
}

func TestJ3_NPM_EverythingAsksTheModel(t *testing.T) {
	t.Parallel()
	everythingAsks(t, func(t *testing.T, b *config.Builder) {
		var shown []toolset.Sampling
		sampler := toolset.NewSampler(mcptest.NewModel(mcptest.Say("Stoats.")), toolset.WithSamplingBudget(1, 0),
			toolset.WithSamplingModelName("scripted"),
			toolset.WithSamplingPermission(func(_ context.Context, s toolset.Sampling) error {
				shown = append(shown, s)
				return nil
			}))
		ts := open(t, b, toolset.WithSampling(sampler.Sample))
		await(t, ts, "trigger-sampling-request")
		text := call(t, ts, "trigger-sampling-request", `{"prompt":"What swims?","maxTokens":30}`)
		assert.Contains(t, text, "Stoats.")
		assert.Contains(t, text, "scripted")
		require.Len(t, shown, 1)
		assert.Equal(t, "You are a helpful test server.", shown[0].System)
		assert.Equal(t, 30, shown[0].MaxTokens)
		assert.InDelta(t, 0.7, *shown[0].Temperature, 1e-9)
		assert.Contains(t, shown[0].Messages[0].Parts[0].(llms.TextContent).Text, "What swims?")

		text = call(t, ts, "trigger-sampling-request", `{"prompt":"And now?"}`)
		assert.Contains(t, text, "Error:", "the budget is used up")
	})
}

func TestJ3_NPM_EverythingAsksForRoots(t *testing.T) {
	t.Parallel()
	everythingAsks(t, func(t *testing.T, b *config.Builder) {
		ts := open(t, b, toolset.WithRoots(toolset.Root{URI: "file:///here", Name: "Here"}))
		await(t, ts, "get-roots-list")
		text := call(t, ts, "get-roots-list", "")
		assert.Contains(t, text, "1. Here")
		assert.Contains(t, text, "file:///here")
		require.NoError(t, ts.SetRoots(toolset.Root{URI: "file:///there", Name: "There"}))
		require.EventuallyWithT(t, func(c *assert.CollectT) {
			found, err := ts.Tool(t.Context(), "get-roots-list")
			require.NoError(c, err)
			text, err := found.Call(t.Context(), "")
			assert.NoError(c, err)
			assert.Contains(c, text, "file:///there")
			assert.NotContains(c, text, "file:///here")
		}, time.Minute, 20*time.Millisecond)
	})
}
