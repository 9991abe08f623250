package schema_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcptoolset/mcptoolset/internal/schema"
)

func TestC6_EveryProfileIsRegisteredAndChecked(t *testing.T) {
	t.Parallel()
	var names []string
	for _, p := range schema.Profiles() {
		names = append(names, p.String())
		found, ok := schema.ProfileByName(p.String())
		assert.True(t, ok)
		assert.Equal(t, p, found)
		assert.Contains(t, checkers, p.String(), "a profile without a checker")
	}
	assert.IsNonDecreasing(t, names)
	assert.Subset(t, names, []string{"anthropic", "gemini", "openai", "openai-strict", "portable", "verbatim", "vertex"})
	_, ok := schema.ProfileByName("none")
	assert.False(t, ok)

	list := schema.Profiles()
	list[0] = schema.Profile{}
	assert.NotEqual(t, schema.Profile{}, schema.Profiles()[0], "the caller's list is its own")
}

func TestC6_TheZeroProfileIsPortable(t *testing.T) {
	t.Parallel()
	var zero schema.Profile
	assert.Equal(t, "portable", zero.String())
	raw := []byte(`{"properties":{"a":{"type":["string","object"]}}}`)
	assert.Equal(t, schema.Parameters(raw, schema.Portable).Parameters, schema.Parameters(raw, zero).Parameters)
}

func TestC6_AProfileForEachPackage(t *testing.T) {
	t.Parallel()
	const llms = "github.com/tmc/langchaingo/llms/"
	for path, want := range map[string]schema.Profile{
		llms + "openai":                       schema.OpenAI,
		llms + "openai/internal/openaiclient": schema.OpenAI,
		llms + "mistral":                      schema.OpenAI,
		llms + "anthropic":                    schema.Anthropic,
		llms + "bedrock":                      schema.Anthropic,
		llms + "googleai":                     schema.Gemini,
		llms + "googleai/vertex":              schema.Vertex,
		"example.org/fork/langchaingo/llms/googleai/vertex": schema.Vertex,
	} {
		p, ok := schema.ProfileForPackage(path)
		assert.True(t, ok, path)
		assert.Equal(t, want, p, path)
	}
	for _, path := range []string{"", "main", llms + "ollama", llms + "openaix", "openai", llms, llms + "fake"} {
		p, ok := schema.ProfileForPackage(path)
		assert.False(t, ok, path)
		assert.Equal(t, schema.Portable, p, path)
	}
}

func TestC6_LimitsOnTheNumberOfTools(t *testing.T) {
	t.Parallel()
	assert.Equal(t, 128, schema.OpenAI.MaxTools())
	assert.Equal(t, 128, schema.Portable.MaxTools())
	assert.Equal(t, 512, schema.Gemini.MaxTools())
	assert.Zero(t, schema.Anthropic.MaxTools())
	assert.Zero(t, schema.Verbatim.MaxTools())
}
