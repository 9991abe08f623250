package chat

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/anthropic"
	"github.com/tmc/langchaingo/llms/cache"
	"github.com/tmc/langchaingo/llms/ollama"
	"github.com/tmc/langchaingo/llms/openai"
)

// stranger is a model of a package nobody knows.
type stranger struct{}

func (stranger) Call(context.Context, string, ...llms.CallOption) (string, error) { return "", nil }
func (stranger) GenerateContent(context.Context, []llms.MessageContent, ...llms.CallOption) (*llms.ContentResponse, error) {
	return nil, nil
}

type (
	embedding struct{ *openai.LLM }
	holding   struct {
		stranger
		inner llms.Model
	}
	router struct {
		stranger
		cheap, dear llms.Model
	}
	unwrapping struct {
		stranger
		inner func() llms.Model
	}
	unwrappingPointer struct {
		stranger
		inner func() llms.Model
	}
	loop struct {
		stranger
		self llms.Model
	}
)

func (u unwrapping) Unwrap() llms.Model         { return u.inner() }
func (u *unwrappingPointer) Unwrap() llms.Model { return u.inner() }

func TestProviderOf(t *testing.T) {
	t.Parallel()
	gpt, err := openai.New(openai.WithToken("t"))
	require.NoError(t, err)
	claude, err := anthropic.New(anthropic.WithToken("t"))
	require.NoError(t, err)
	llama, err := ollama.New()
	require.NoError(t, err)
	endlessly := &unwrappingPointer{}
	endlessly.inner = func() llms.Model { return endlessly }
	endless := &loop{}
	endless.self = endless
	deep := llms.Model(gpt)
	for range 20 {
		deep = holding{inner: deep}
	}

	tests := []struct {
		name  string
		model llms.Model
		want  string
	}{
		{"nil", nil, ""},
		{"typed nil", (*holding)(nil), ""},
		{"unknown", stranger{}, ""},
		{"openai", gpt, "openai"},
		{"anthropic", claude, "anthropic"},
		{"ollama", llama, "ollama"},
		{"cache", cache.New(claude, nil), "anthropic"},
		{"cache of a wrapper of a cache", cache.New(holding{inner: cache.New(gpt, nil)}, nil), "openai"},
		{"embedding", embedding{gpt}, "openai"},
		{"embedding nothing", embedding{}, ""},
		{"holding", &holding{inner: claude}, "anthropic"},
		{"holding nothing", &holding{}, ""},
		{"two of one family", router{cheap: gpt, dear: gpt}, "openai"},
		{"two families", router{cheap: gpt, dear: claude}, ""},
		{"unwrap", unwrapping{inner: func() llms.Model { return gpt }}, "openai"},
		{"unwrap of a pointer", &unwrappingPointer{inner: func() llms.Model { return claude }}, "anthropic"},
		{"unwrap to nothing", unwrapping{inner: func() llms.Model { return nil }}, ""},
		{"itself", endless, ""},
		{"unwrap to itself", endlessly, ""},
		{"deeper than wrappers are looked through", deep, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, tt.want, ProviderOf(tt.model).Name)
		})
	}
}

func TestProviderAlternatives(t *testing.T) {
	t.Parallel()
	several := llms.CallOptions{N: 2}
	candidates := llms.CallOptions{CandidateCount: 3}
	one := llms.CallOptions{N: 1, CandidateCount: 1}
	asked := Provider{}
	assert.True(t, asked.Alternatives(several))
	assert.True(t, asked.Alternatives(candidates))
	assert.False(t, asked.Alternatives(one))
	assert.False(t, providers["anthropic"].Alternatives(several), "it has no candidates")
	assert.True(t, providers["googleai"].Alternatives(one), "its default may be set elsewhere")
}
