package toolset_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/llms"

	"github.com/mcptoolset/mcptoolset/toolset"
)

// counting is a model that reports what it took.
type counting struct {
	info map[string]any
	stop string
	fail error

	mu   sync.Mutex
	most []int // the tokens its answers might have
	seen []llms.MessageContent
}

func (m *counting) GenerateContent(_ context.Context, messages []llms.MessageContent, options ...llms.CallOption) (*llms.ContentResponse, error) {
	var o llms.CallOptions
	for _, option := range options {
		option(&o)
	}
	m.mu.Lock()
	m.most, m.seen = append(m.most, o.MaxTokens), messages
	m.mu.Unlock()
	if m.fail != nil {
		return nil, m.fail
	}
	return &llms.ContentResponse{Choices: []*llms.ContentChoice{{Content: "four", StopReason: m.stop, GenerationInfo: m.info}}}, nil
}

func (m *counting) Call(context.Context, string, ...llms.CallOption) (string, error) { return "", nil }

func completion(most int) toolset.Sampling {
	return toolset.Sampling{System: "Be brief", MaxTokens: most, Messages: []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeHuman, "12345678")}}
}

func TestJ3_TokensAreCountedAsProvidersReportThem(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		info map[string]any
		want int
	}{
		"a total":           {map[string]any{"TotalTokens": 12, "PromptTokens": 99}, 12},
		"OpenAI's names":    {map[string]any{"PromptTokens": 5, "CompletionTokens": 6}, 11},
		"Anthropic's names": {map[string]any{"InputTokens": 5, "OutputTokens": 2}, 7},
		"Google's names":    {map[string]any{"input_tokens": int32(5), "output_tokens": int32(3)}, 8},
		"nothing":           {nil, 2 + 2 + 1},
		"nonsense":          {map[string]any{"TotalTokens": "many", "PromptTokens": -3}, 2 + 2 + 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sampler := toolset.NewSampler(&counting{info: c.info, stop: "length"})
			answer, err := sampler.Sample(t.Context(), completion(50))
			require.NoError(t, err)
			assert.Equal(t, toolset.SamplingAnswer{Text: "four", StopReason: "maxTokens"}, answer)
			calls, tokens := sampler.Used()
			assert.Equal(t, []int{1, c.want}, []int{calls, tokens})
		})
	}
}

func TestJ3_AnAnswerIsNoLongerThanWhatIsLeft(t *testing.T) {
	t.Parallel()
	model := &counting{info: map[string]any{"TotalTokens": 30}}
	sampler := toolset.NewSampler(model, toolset.WithSamplingBudget(0, 40))
	_, err := sampler.Sample(t.Context(), completion(1000))
	require.NoError(t, err)
	_, err = sampler.Sample(t.Context(), completion(1000))
	require.NoError(t, err)
	assert.Equal(t, []int{36, 6}, model.most)
	assert.Equal(t, llms.ChatMessageTypeSystem, model.seen[0].Role)
	_, err = sampler.Sample(t.Context(), completion(1))
	assert.ErrorIs(t, err, toolset.ErrSamplingBudget)
	assert.ErrorIs(t, err, toolset.ErrSamplingRejected)
}

func TestJ3_ManyAtATimeKeepTheBudget(t *testing.T) {
	t.Parallel()
	sampler := toolset.NewSampler(&counting{}, toolset.WithSamplingBudget(3, 0))
	var all sync.WaitGroup
	rejected := make(chan error, 20)
	for range 20 {
		all.Go(func() {
			if _, err := sampler.Sample(t.Context(), completion(10)); err != nil {
				rejected <- err
			}
		})
	}
	all.Wait()
	assert.Len(t, rejected, 17)
}

func TestJ3_AFailedCompletionUsesACallButNoTokens(t *testing.T) {
	t.Parallel()
	down := errors.New("down")
	sampler := toolset.NewSampler(&counting{fail: down})
	_, err := sampler.Sample(t.Context(), completion(10))
	assert.ErrorIs(t, err, down)
	calls, tokens := sampler.Used()
	assert.Equal(t, []int{1, 0}, []int{calls, tokens})
}

func TestJ3_FaultyHandlersAndRootsAreFaultsOfNew(t *testing.T) {
	t.Parallel()
	s := newRaw(t, func(request) string { return "" })
	cfg, err := s.config().Build()
	require.NoError(t, err)
	_, err = toolset.New(cfg, toolset.WithElicitation(nil, "voice"), toolset.WithRoots(toolset.Root{URI: "https://here", Name: "here"}))
	require.Error(t, err)
	assert.ErrorContains(t, err, "voice")
	assert.ErrorContains(t, err, "here")
}
