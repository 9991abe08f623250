package toolset

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/anthropic"
	"github.com/tmc/langchaingo/llms/cache"
	"github.com/tmc/langchaingo/llms/ollama"
	"github.com/tmc/langchaingo/llms/openai"
	"github.com/tmc/langchaingo/tools"

	"github.com/mcptoolset/mcptoolset/internal/chat"
)

// profiledTool defines itself with what the test says.
type profiledTool struct {
	name       string
	definition llms.FunctionDefinition
	asked      []Profile
}

func (p *profiledTool) Name() string                                 { return p.name }
func (p *profiledTool) Description() string                          { return "text" }
func (p *profiledTool) Call(context.Context, string) (string, error) { return "", nil }
func (p *profiledTool) Definition(profile Profile) llms.FunctionDefinition {
	p.asked = append(p.asked, profile)
	return p.definition
}

func TestO10_DefinitionsOfMixedTools(t *testing.T) {
	t.Parallel()
	strict := &profiledTool{name: "own", definition: llms.FunctionDefinition{
		Name: "own", Description: "clean", Strict: true, Parameters: map[string]any{"type": "object", "properties": map[string]any{}},
	}}
	bare := &profiledTool{name: "bare"}
	got := Definitions([]tools.Tool{strict, nil, tools.Calculator{}, (*profiledTool)(nil), bare}, WithProfile(ProfileVertex), nil)
	want := []llms.Tool{
		{Type: "function", Function: &strict.definition},
		{Type: "function", Function: &llms.FunctionDefinition{Name: "calculator", Description: tools.Calculator{}.Description(), Parameters: bridgeParameters()}},
		{Type: "function", Function: &llms.FunctionDefinition{Name: "bare", Parameters: map[string]any{"type": "object", "properties": map[string]any{}}}},
	}
	assert.Equal(t, want, got)
	assert.Equal(t, []Profile{ProfileVertex}, strict.asked)
	assert.Empty(t, Definitions(nil))
}

func TestDefinitionsAreTheCallers(t *testing.T) {
	t.Parallel()
	ts := []tools.Tool{tools.Calculator{}, &profiledTool{name: "bare"}}
	first := Definitions(ts)
	for _, d := range first {
		parameters, ok := d.Function.Parameters.(map[string]any)
		require.True(t, ok)
		clear(parameters["properties"].(map[string]any))
		clear(parameters)
		d.Function.Name = ""
	}
	want := []string{"calculator", "bare"}
	for i, d := range Definitions(ts) {
		assert.Equal(t, want[i], d.Function.Name)
		assert.Contains(t, d.Function.Parameters, "properties")
	}
}

func TestC6_TheProfileIsThatOfTheModel(t *testing.T) {
	t.Parallel()
	gpt, err := openai.New(openai.WithToken("t"))
	require.NoError(t, err)
	claude, err := anthropic.New(anthropic.WithToken("t"))
	require.NoError(t, err)
	llama, err := ollama.New()
	require.NoError(t, err)
	tests := []struct {
		name string
		opts []DefinitionOption
		want Profile
	}{
		{"nothing said", nil, ProfilePortable},
		{"openai", []DefinitionOption{WithModel(gpt)}, ProfileOpenAI},
		{"anthropic in a cache", []DefinitionOption{WithModel(cache.New(claude, nil))}, ProfileAnthropic},
		{"bound", []DefinitionOption{WithModel(Bind(claude, nil))}, ProfileAnthropic},
		{"no tools there", []DefinitionOption{WithModel(llama)}, ProfilePortable},
		{"nil model", []DefinitionOption{WithModel(nil)}, ProfilePortable},
		{"a profile wins, before", []DefinitionOption{WithProfile(ProfileVerbatim), WithModel(gpt)}, ProfileVerbatim},
		{"a profile wins, after", []DefinitionOption{WithModel(gpt), WithProfile(ProfileVerbatim)}, ProfileVerbatim},
		{"an empty profile does not", []DefinitionOption{WithModel(gpt), WithProfile("")}, ProfileOpenAI},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			own := &profiledTool{name: "own"}
			Definitions([]tools.Tool{own}, tt.opts...)
			assert.Equal(t, []Profile{tt.want}, own.asked)
		})
	}
}

func TestO26_NamesThatMeetAreReported(t *testing.T) {
	t.Parallel()
	first, last := &profiledTool{name: "get"}, &profiledTool{name: "get", definition: llms.FunctionDefinition{Description: "last"}}
	other := &profiledTool{name: "Get"}
	var warned []Warning
	got := Definitions([]tools.Tool{first, other, last}, WithWarning(func(w Warning) { warned = append(warned, w) }))
	require.Len(t, got, 2, "a provider refuses a name that comes twice")
	assert.Equal(t, "Get", got[0].Function.Name)
	assert.Equal(t, "last", got[1].Function.Description, "the Executor calls the last")
	require.Len(t, warned, 2)
	assert.Equal(t, "Get", warned[0].Tool)
	assert.Contains(t, warned[0].Reason, "case")
	assert.Equal(t, "get", warned[1].Tool)

	warned = nil
	Definitions([]tools.Tool{first, first}, WithWarning(func(w Warning) { warned = append(warned, w) }))
	require.Len(t, warned, 1)
	assert.Contains(t, warned[0].Reason, "only the last")
}

func TestDefinitionsReportWhatProvidersRefuse(t *testing.T) {
	t.Parallel()
	llama, err := ollama.New()
	require.NoError(t, err)
	tests := []struct {
		name string
		ts   []tools.Tool
		opts []DefinitionOption
		want string
	}{
		{"a name with a space", []tools.Tool{&profiledTool{name: "DuckDuckGo Search"}}, nil, "refuse the name"},
		{"no name", []tools.Tool{&profiledTool{}}, nil, "refuse the name"},
		{"a name that begins with a digit", []tools.Tool{&profiledTool{name: "7zip"}}, nil, "Gemini refuses a name"},
		{"a provider without tools", []tools.Tool{&profiledTool{name: "a"}}, []DefinitionOption{WithModel(llama)}, "llms/ollama does not send tools"},
		{"which does not matter without tools", nil, []DefinitionOption{WithModel(llama)}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var warned []Warning
			Definitions(tt.ts, append(tt.opts, WithWarning(func(w Warning) { warned = append(warned, w) }))...)
			if tt.want == "" {
				assert.Empty(t, warned)
				return
			}
			require.Len(t, warned, 1)
			assert.Contains(t, warned[0].Reason, tt.want)
		})
	}
}

// plainModel gives one answer and says whether it was asked for a stream.
type plainModel struct {
	answer   *llms.ContentResponse
	streamed bool
	history  []llms.MessageContent
}

func (m *plainModel) Call(context.Context, string, ...llms.CallOption) (string, error) {
	return "", errors.ErrUnsupported
}

func (m *plainModel) GenerateContent(_ context.Context, messages []llms.MessageContent, options ...llms.CallOption) (*llms.ContentResponse, error) {
	var o llms.CallOptions
	for _, option := range options {
		option(&o)
	}
	m.streamed, m.history = o.StreamingFunc != nil, messages
	return m.answer, nil
}

// asProvider binds as if the model were of that provider, whose own packages
// are not among what these tests import.
func asProvider(p chat.Provider) BindOption {
	return func(o *definitionOptions) { o.provider = p }
}

func TestBindKeepsCallsThatAStreamWouldLose(t *testing.T) {
	t.Parallel()
	lossy, sound := chat.Provider{LosesStreamedCalls: true}, chat.Provider{}
	named := llms.WithFunctions([]llms.FunctionDefinition{{Name: "a"}})
	stop := errors.New("stop")
	tests := []struct {
		name          string
		provider      chat.Provider
		text          string
		options       []llms.CallOption
		streamError   error
		wantStreaming bool
		wantText      string
	}{
		{"with tools", lossy, "I look.", []llms.CallOption{named}, nil, false, "I look."},
		{"with tools, no text", lossy, "", []llms.CallOption{named}, nil, false, ""},
		{"without tools", lossy, "I look.", nil, nil, true, ""},
		{"another provider", sound, "I look.", []llms.CallOption{named}, nil, true, ""},
		{"the function refuses", lossy, "I look.", []llms.CallOption{named}, stop, false, "I look."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			model := &plainModel{answer: &llms.ContentResponse{Choices: []*llms.ContentChoice{{Content: tt.text}}}}
			var got string
			streaming := llms.WithStreamingFunc(func(_ context.Context, chunk []byte) error {
				got += string(chunk)
				return tt.streamError
			})
			_, err := Bind(model, nil, asProvider(tt.provider)).GenerateContent(t.Context(), nil, append(tt.options, streaming)...)
			require.ErrorIs(t, err, tt.streamError)
			assert.Equal(t, tt.wantStreaming, model.streamed)
			assert.Equal(t, tt.wantText, got)
		})
	}
}

func TestBindKeepsTextWithTheCallForGemini(t *testing.T) {
	t.Parallel()
	model := &plainModel{answer: &llms.ContentResponse{Choices: []*llms.ContentChoice{{Content: "a"}, {Content: "b"}}}}
	gemini := asProvider(chat.Provider{Form: chat.Form{TextWithCall: true}, Choices: chat.ChoicesAreCandidates})
	given := []llms.MessageContent{
		{Role: llms.ChatMessageTypeAI, Parts: []llms.ContentPart{llms.TextPart("I look."), llms.ToolCall{ID: "1", FunctionCall: &llms.FunctionCall{Name: "a"}}}},
		{Role: llms.ChatMessageTypeTool, Parts: []llms.ContentPart{llms.ToolCallResponse{ToolCallID: "1", Content: "r"}}},
	}
	response, err := Bind(model, nil, gemini).GenerateContent(t.Context(), given)
	require.NoError(t, err)
	assert.Len(t, response.Choices, 2, "candidates stay candidates")
	require.Len(t, model.history, 2)
	assert.Len(t, model.history[0].Parts, 2)
}

func TestBridgeParametersAreTheAgentsAsJSON(t *testing.T) {
	t.Parallel()
	raw, err := json.Marshal(bridgeParameters())
	require.NoError(t, err)
	assert.JSONEq(t, `{"type":"object","properties":{"__arg1":{"title":"__arg1","type":"string"}},"required":["__arg1"]}`, string(raw))
}
