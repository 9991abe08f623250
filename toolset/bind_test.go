package toolset_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/agents"
	"github.com/tmc/langchaingo/chains"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/anthropic"
	"github.com/tmc/langchaingo/llms/cache"
	"github.com/tmc/langchaingo/llms/openai"
	"github.com/tmc/langchaingo/tools"

	"github.com/mcptoolset/mcptoolset/toolset"
)

// definedTool is a tool with a definition of its own. It writes down what Call
// is given.
type definedTool struct {
	name, schema string
	answer       func(ctx context.Context, input string) (string, error)

	mu     sync.Mutex
	inputs []string
}

var _ toolset.Definer = (*definedTool)(nil)

func (d *definedTool) Name() string        { return d.name }
func (d *definedTool) Description() string { return d.name + " for text agents" }

func (d *definedTool) Definition(p toolset.Profile) llms.FunctionDefinition {
	var parameters map[string]any
	if err := json.Unmarshal([]byte(d.schema), &parameters); err != nil {
		panic(err)
	}
	return llms.FunctionDefinition{Name: d.name, Description: d.name + " for " + string(p), Parameters: parameters}
}

func (d *definedTool) Call(ctx context.Context, input string) (string, error) {
	d.mu.Lock()
	d.inputs = append(d.inputs, input)
	d.mu.Unlock()
	if d.answer == nil {
		return d.name + " says " + input, nil
	}
	return d.answer(ctx, input)
}

func (d *definedTool) given() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.inputs)
}

const (
	weatherSchema = `{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"}},"required":["city"]}`
	oddSchema     = `{"type":"object","properties":{"__arg1":{"type":"string"},"city":{"type":"string"}},"required":["__arg1"]}`
	// agentSchema is what the agent shows of every tool.
	agentSchema = `{"type":"object","properties":{"__arg1":{"title":"__arg1","type":"string"}},"required":["__arg1"]}`
)

func weatherTool() *definedTool { return &definedTool{name: "weather", schema: weatherSchema} }
func oddTool() *definedTool     { return &definedTool{name: "odd", schema: oddSchema} }

// scriptedModel answers with its script and writes the requests down.
type scriptedModel struct {
	script func(step int, messages []llms.MessageContent) (*llms.ContentResponse, error)

	mu       sync.Mutex
	requests []scriptedRequest
}

type scriptedRequest struct {
	messages []llms.MessageContent
	options  llms.CallOptions
}

func answers(responses ...*llms.ContentResponse) *scriptedModel {
	return &scriptedModel{script: func(step int, _ []llms.MessageContent) (*llms.ContentResponse, error) {
		if step >= len(responses) {
			return nil, errors.New("the script has ended")
		}
		return responses[step], nil
	}}
}

func (m *scriptedModel) GenerateContent(_ context.Context, messages []llms.MessageContent, options ...llms.CallOption) (*llms.ContentResponse, error) {
	// The defaults of a provider, which options must not wipe out.
	o := llms.CallOptions{Model: "default", MaxTokens: 7}
	for _, option := range options {
		option(&o)
	}
	m.mu.Lock()
	step := len(m.requests)
	m.requests = append(m.requests, scriptedRequest{messages: messages, options: o})
	m.mu.Unlock()
	return m.script(step, messages)
}

func (m *scriptedModel) Call(ctx context.Context, prompt string, options ...llms.CallOption) (string, error) {
	return llms.GenerateFromSinglePrompt(ctx, m, prompt, options...)
}

func (m *scriptedModel) request(i int) scriptedRequest {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.requests[i]
}

func says(text string, calls ...llms.ToolCall) *llms.ContentResponse {
	return &llms.ContentResponse{Choices: []*llms.ContentChoice{{Content: text, ToolCalls: calls}}}
}

func toolCall(id, name, arguments string) llms.ToolCall {
	return llms.ToolCall{ID: id, Type: "function", FunctionCall: &llms.FunctionCall{Name: name, Arguments: arguments}}
}

func runAgent(t *testing.T, model llms.Model, ts []tools.Tool, opts ...chains.ChainCallOption) string {
	t.Helper()
	agent := agents.NewOpenAIFunctionsAgent(model, ts, agents.NewOpenAIOption().WithSystemMessage("Be brief."))
	out, err := chains.Run(t.Context(), agents.NewExecutor(agent), "What now?", opts...)
	require.NoError(t, err)
	return out
}

func schemas(defined []llms.Tool) map[string]string {
	shown := map[string]string{}
	for _, t := range defined {
		raw, _ := json.Marshal(t.Function.Parameters)
		shown[t.Function.Name] = string(raw)
	}
	return shown
}

func TestO10_AgentShowsTheModelTheRealSchemas(t *testing.T) {
	t.Parallel()
	weather := weatherTool()
	ts := []tools.Tool{weather, tools.Calculator{}}
	model := answers(
		says("I look.", toolCall("1", "weather", `{"city":"Paris","days":9007199254740993}`), toolCall("2", "calculator", `{"__arg1":"2+2"}`)),
		says("Done."),
	)
	require.Equal(t, "Done.", runAgent(t, toolset.Bind(model, ts), ts))
	require.Equal(t, []string{`{"city":"Paris","days":9007199254740993}`}, weather.given())

	first := model.request(0).options
	assert.Empty(t, first.Functions)
	shown := schemas(first.Tools)
	assert.JSONEq(t, weatherSchema, shown["weather"])
	assert.JSONEq(t, agentSchema, shown["calculator"])
	assert.Equal(t, "weather for portable", first.Tools[0].Function.Description)
	assert.Equal(t, "function", first.Tools[1].Type)
	assert.Equal(t, 7, first.MaxTokens, "the provider's defaults stay")

	second := model.request(1).messages
	want := []llms.MessageContent{
		{Role: llms.ChatMessageTypeAI, Parts: []llms.ContentPart{toolCall("1", "weather", `{"city":"Paris","days":9007199254740993}`)}},
		{Role: llms.ChatMessageTypeTool, Parts: []llms.ContentPart{llms.ToolCallResponse{
			ToolCallID: "1", Name: "weather", Content: `weather says {"city":"Paris","days":9007199254740993}`,
		}}},
		{Role: llms.ChatMessageTypeAI, Parts: []llms.ContentPart{toolCall("2", "calculator", `{"__arg1":"2+2"}`)}},
		{Role: llms.ChatMessageTypeTool, Parts: []llms.ContentPart{llms.ToolCallResponse{ToolCallID: "2", Name: "calculator", Content: "4"}}},
	}
	assert.Equal(t, want, second[2:])
}

func TestO21_AgentKeepsArgumentsBesideARealArg1(t *testing.T) {
	t.Parallel()
	for _, arguments := range []string{
		`{"__arg1":"a","city":"b"}`,
		`{"__arg1":"{\"x\":1}"}`,
		`{"__arg1":["a"]}`,
		`["a","b"]`,
		"a text",
		`"a text"`,
		"```json\n{\"city\":\"b\"}\n```",
	} {
		t.Run(arguments, func(t *testing.T) {
			t.Parallel()
			odd := oddTool()
			ts := []tools.Tool{odd}
			// The case of a name is the model's: the Executor does not mind it.
			model := answers(says("", toolCall("1", "Odd", arguments)), says("Done."))
			runAgent(t, toolset.Bind(model, ts), ts)
			assert.Equal(t, []string{arguments}, odd.given())
			for _, message := range model.request(1).messages {
				for _, part := range message.Parts {
					if made, ok := part.(llms.ToolCall); ok {
						assert.True(t, json.Valid([]byte(made.FunctionCall.Arguments)), made.FunctionCall.Arguments)
					}
				}
			}
		})
	}
}

func TestD1_WithoutBindArg1StillWorks(t *testing.T) {
	t.Parallel()
	weather := weatherTool()
	ts := []tools.Tool{weather}
	model := answers(says("", toolCall("1", "weather", `{"__arg1":"{\"city\":\"Paris\"}"}`)), says("Done."))
	require.Equal(t, "Done.", runAgent(t, model, ts))
	assert.Equal(t, []string{`{"city":"Paris"}`}, weather.given())
	functions := model.request(0).options.Functions
	require.Len(t, functions, 1)
	raw, err := json.Marshal(functions[0].Parameters)
	require.NoError(t, err)
	assert.JSONEq(t, agentSchema, string(raw), "the schema Bind and Definitions take for the agent's is still the agent's")
}

func TestBindAgentSurvivesWhatProvidersAnswer(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		answer *llms.ContentResponse
		inputs []string
	}{
		{
			"text and calls as choices of their own",
			&llms.ContentResponse{Choices: []*llms.ContentChoice{{Content: "I look."}, {ToolCalls: []llms.ToolCall{toolCall("1", "weather", "{}")}}, nil}},
			[]string{"{}"},
		},
		{"no ids, equal calls", says("", toolCall("", "weather", "{}"), toolCall("", "weather", "{}")), []string{"{}", "{}"}},
		{"legacy call", &llms.ContentResponse{Choices: []*llms.ContentChoice{{FuncCall: &llms.FunctionCall{Name: "weather", Arguments: `{"city":"x"}`}}}}, []string{`{"city":"x"}`}},
		{"no arguments", says("", toolCall("1", "weather", ""), toolCall("2", "weather", "null")), []string{"{}", "{}"}},
		{"no function", says("", llms.ToolCall{ID: "1"}, toolCall("2", "weather", "{}")), []string{"{}"}},
		{"unknown tool", says("", toolCall("1", "nope", "{}"), toolCall("2", "weather", "{}")), []string{"{}"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			weather := weatherTool()
			ts := []tools.Tool{weather}
			// The same answer twice: the agent merges equal calls of two turns.
			model := answers(tt.answer, tt.answer, says("Done."))
			require.Equal(t, "Done.", runAgent(t, toolset.Bind(model, ts), ts))
			assert.Equal(t, append(slices.Clone(tt.inputs), tt.inputs...), weather.given())
			requireOneCallOneResponse(t, model.request(2).messages)
		})
	}
}

func requireOneCallOneResponse(t *testing.T, history []llms.MessageContent) {
	t.Helper()
	seen := map[string]bool{}
	for i, message := range history {
		made, ok := message.Parts[0].(llms.ToolCall)
		if !ok {
			continue
		}
		require.Len(t, message.Parts, 1)
		require.NotEmpty(t, made.ID)
		require.False(t, seen[made.ID], "ids are unique")
		seen[made.ID] = true
		require.Less(t, i+1, len(history))
		require.Len(t, history[i+1].Parts, 1)
		answered, ok := history[i+1].Parts[0].(llms.ToolCallResponse)
		require.True(t, ok)
		require.Equal(t, made.ID, answered.ToolCallID)
		require.Equal(t, made.FunctionCall.Name, answered.Name)
	}
	require.NotEmpty(t, seen)
}

func TestBindSwapsByNameWhereverToolsAreNamed(t *testing.T) {
	t.Parallel()
	type filters struct {
		From string `json:"from"`
	}
	weather := weatherTool()
	ts := []tools.Tool{weather, tools.Calculator{}}
	asked := []llms.CallOption{
		llms.WithFunctions([]llms.FunctionDefinition{
			{Name: "weather"},
			{Name: "raw", Parameters: json.RawMessage(`{"type":"object","properties":{"n":{"maximum":9007199254740993}}}`)},
			{Name: "bytes", Parameters: []byte(`{"type":"object","properties":{}}`)},
			{Name: "typed", Parameters: map[string]any{"type": "object", "properties": map[string]map[string]string{"a": {"type": "string"}}, "required": []string{"a"}}},
			{Name: "struct", Parameters: filters{From: "x"}, Strict: true},
			{Name: "none"},
			{Name: "empty", Parameters: []byte{}},
			{Name: "text", Parameters: "no schema"},
		}),
		llms.WithTools([]llms.Tool{
			{Function: &llms.FunctionDefinition{Name: "calculator", Parameters: map[string]any{"type": "object", "properties": map[string]any{"own": map[string]any{}}}}},
			{Type: "web_search"},
			{Type: "function", Function: &llms.FunctionDefinition{Name: "weather", Description: "not ours", Parameters: map[string]any{"type": "object"}}},
			{Type: "function", Function: &llms.FunctionDefinition{Name: "none", Description: "the last one"}},
		}),
	}
	var warned []toolset.Warning
	model := answers(says("ok"))
	bound := toolset.Bind(model, ts, toolset.WithProfile(toolset.ProfileGemini), toolset.WithWarning(func(w toolset.Warning) { warned = append(warned, w) }))
	_, err := bound.GenerateContent(t.Context(), nil, asked...)
	require.NoError(t, err)

	sent := model.request(0).options
	assert.Empty(t, sent.Functions)
	var names []string
	for _, s := range sent.Tools {
		assert.Equal(t, "function", s.Type)
		names = append(names, s.Function.Name)
	}
	assert.Equal(t, []string{"weather", "raw", "bytes", "typed", "struct", "none", "empty", "text", "calculator"}, names, "each once, in order")
	shown := schemas(sent.Tools)
	assert.JSONEq(t, weatherSchema, shown["weather"])
	assert.Equal(t, "weather for gemini", sent.Tools[0].Function.Description)
	assert.Contains(t, shown["raw"], "9007199254740993")
	assert.JSONEq(t, `{"from":"x"}`, shown["struct"])
	assert.True(t, sent.Tools[4].Function.Strict)
	assert.JSONEq(t, `{"type":"object","properties":{"own":{}}}`, shown["calculator"], "only a Definer defines itself")
	for _, name := range []string{"bytes", "none", "empty"} {
		assert.JSONEq(t, `{"type":"object","properties":{}}`, shown[name], name)
	}
	assert.Equal(t, "the last one", sent.Tools[5].Function.Description)
	assert.Equal(t, `"no schema"`, shown["text"])
	for _, s := range sent.Tools[:7] {
		requirePlain(t, s.Function.Parameters)
	}
	require.Len(t, warned, 1, "%v", warned)
	assert.Contains(t, warned[0].Reason, "web_search")
}

// requirePlain checks that a value holds only what Google's packages read.
func requirePlain(t *testing.T, v any) {
	t.Helper()
	switch v := v.(type) {
	case map[string]any:
		for _, member := range v {
			requirePlain(t, member)
		}
	case []any:
		for _, item := range v {
			requirePlain(t, item)
		}
	case string, bool, json.Number, float64, nil:
	default:
		t.Fatalf("%T is neither map, list nor scalar", v)
	}
}

func TestBindAddsNoToolsUnlessAskedTo(t *testing.T) {
	t.Parallel()
	ts := []tools.Tool{weatherTool()}
	model := answers(says("one"), says("two"), says("three"))
	_, err := toolset.Bind(model, ts).GenerateContent(t.Context(), nil)
	require.NoError(t, err)
	assert.Empty(t, model.request(0).options.Tools)

	offering := toolset.Bind(model, ts, toolset.WithOfferAll())
	_, err = offering.GenerateContent(t.Context(), nil, nil)
	require.NoError(t, err)
	assert.JSONEq(t, weatherSchema, schemas(model.request(1).options.Tools)["weather"])

	text, err := offering.Call(t.Context(), "prompt")
	require.NoError(t, err)
	assert.Equal(t, "three", text)
	assert.Empty(t, model.request(2).options.Tools, "an answer to Call is text")
}

func TestBindHandWrittenLoopIsNotWrapped(t *testing.T) {
	t.Parallel()
	odd := oddTool()
	ts := []tools.Tool{odd}
	arguments := `{"__arg1":"a","city":"b"}`
	model := answers(says("", toolCall("1", "odd", arguments)))
	bound := toolset.Bind(model, ts)
	response, err := bound.GenerateContent(t.Context(), nil, llms.WithTools(toolset.Definitions(ts)))
	require.NoError(t, err)
	_, err = toolset.Respond(t.Context(), ts, response)
	require.NoError(t, err)
	assert.Equal(t, []string{arguments}, odd.given())
}

func TestBindNested(t *testing.T) {
	t.Parallel()
	weather, odd := weatherTool(), oddTool()
	all := []tools.Tool{weather, tools.Calculator{}, odd}
	arguments := `{"__arg1":"a","city":"b"}`
	model := answers(says("", toolCall("1", "odd", arguments), toolCall("2", "weather", `{"__arg1":"x"}`)), says("Done."))
	inner := toolset.Bind(model, []tools.Tool{odd}, toolset.WithProfile(toolset.ProfileVertex))
	outer := toolset.Bind(inner, []tools.Tool{weather})
	require.Equal(t, "Done.", runAgent(t, outer, all))
	shown := schemas(model.request(0).options.Tools)
	assert.JSONEq(t, weatherSchema, shown["weather"])
	assert.JSONEq(t, oddSchema, shown["odd"])
	assert.JSONEq(t, agentSchema, shown["calculator"])
	assert.Equal(t, []string{arguments}, odd.given())
	assert.Equal(t, []string{`{"__arg1":"x"}`}, weather.given())
}

// memoryCache is a backend that hands out the very response it was given.
type memoryCache struct {
	mu   sync.Mutex
	kept map[string]*llms.ContentResponse
}

func (c *memoryCache) Get(_ context.Context, key string) *llms.ContentResponse {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.kept[key]
}

func (c *memoryCache) Put(_ context.Context, key string, response *llms.ContentResponse) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept[key] = response
}

func TestBindOutsideACacheConcurrently(t *testing.T) {
	t.Parallel()
	odd := oddTool()
	ts := []tools.Tool{odd, tools.Calculator{}}
	arguments := `{"__arg1":"a","city":"b"}`
	script := func(_ int, messages []llms.MessageContent) (*llms.ContentResponse, error) {
		if len(messages) > 2 {
			return says("Done."), nil
		}
		return &llms.ContentResponse{Choices: []*llms.ContentChoice{
			{Content: "I look.", GenerationInfo: map[string]any{"k": ""}},
			{ToolCalls: []llms.ToolCall{{FunctionCall: &llms.FunctionCall{Name: "odd", Arguments: arguments}}}, GenerationInfo: map[string]any{"k": 1}},
		}}, nil
	}
	backend := &memoryCache{kept: map[string]*llms.ContentResponse{}}
	bound := toolset.Bind(cache.New(&scriptedModel{script: script}, backend), ts)

	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			agent := agents.NewOpenAIFunctionsAgent(bound, ts)
			out, err := chains.Run(t.Context(), agents.NewExecutor(agent), "What now?")
			assert.NoError(t, err)
			assert.Equal(t, "Done.", out)
		})
	}
	wg.Wait()
	for _, input := range odd.given() {
		assert.Equal(t, arguments, input)
	}
	require.Len(t, backend.kept, 2, "equal requests are equal to the cache")
	for _, response := range backend.kept {
		if len(response.Choices) == 2 {
			assert.Empty(t, response.Choices[1].ToolCalls[0].ID)
			assert.Equal(t, arguments, response.Choices[1].ToolCalls[0].FunctionCall.Arguments)
			assert.Equal(t, "", response.Choices[0].GenerationInfo["k"])
		}
	}
}

func TestBindChangesNothingItIsGiven(t *testing.T) {
	t.Parallel()
	ts := []tools.Tool{oddTool()}
	function := func() *llms.FunctionCall { return &llms.FunctionCall{Name: "odd", Arguments: "x"} }
	history := func() []llms.MessageContent {
		return []llms.MessageContent{
			{Role: llms.ChatMessageTypeAI, Parts: []llms.ContentPart{llms.TextPart("a"), llms.TextPart("b"), llms.ToolCall{FunctionCall: function()}}},
			{Role: llms.ChatMessageTypeTool, Parts: []llms.ContentPart{llms.ToolCallResponse{}}},
		}
	}
	functions := func() []llms.FunctionDefinition {
		return []llms.FunctionDefinition{{Name: "odd", Parameters: map[string]any{"properties": map[string]string{}}}}
	}
	given, asked := history(), functions()
	options := make([]llms.CallOption, 1, 8)
	options[0] = llms.WithFunctions(asked)
	_, err := toolset.Bind(answers(says("")), ts).GenerateContent(t.Context(), given, options...)
	require.NoError(t, err)
	assert.Equal(t, history(), given)
	assert.Equal(t, functions(), asked)
	for _, option := range options[1:cap(options)] {
		assert.Nil(t, option, "spare room of the caller's slice is not written to")
	}
}

func TestBindPassesOn(t *testing.T) {
	t.Parallel()
	t.Run("errors with the response", func(t *testing.T) {
		t.Parallel()
		broken := errors.New("broken")
		partial := says("part")
		model := &scriptedModel{script: func(int, []llms.MessageContent) (*llms.ContentResponse, error) { return partial, broken }}
		response, err := toolset.Bind(model, nil).GenerateContent(t.Context(), nil)
		require.ErrorIs(t, err, broken)
		assert.Same(t, partial, response)
	})
	t.Run("no response", func(t *testing.T) {
		t.Parallel()
		response, err := toolset.Bind(answers(nil), nil).GenerateContent(t.Context(), nil)
		require.NoError(t, err)
		assert.Nil(t, response)
	})
	t.Run("reasoning", func(t *testing.T) {
		t.Parallel()
		thinking, err := openai.New(openai.WithToken("t"), openai.WithModel("o3-mini"))
		require.NoError(t, err)
		assert.True(t, llms.SupportsReasoningModel(toolset.Bind(thinking, nil)))
		assert.False(t, llms.SupportsReasoningModel(toolset.Bind(answers(), nil)))
	})
	t.Run("candidates", func(t *testing.T) {
		t.Parallel()
		two := &llms.ContentResponse{Choices: []*llms.ContentChoice{{Content: "a"}, {Content: "b"}}}
		bound := toolset.Bind(answers(two, two, two), nil)
		for option, want := range map[string]int{"n": 2, "candidates": 2, "neither": 1} {
			var options []llms.CallOption
			switch option {
			case "n":
				options = append(options, llms.WithN(2))
			case "candidates":
				options = append(options, llms.WithCandidateCount(2))
			}
			response, err := bound.GenerateContent(t.Context(), nil, options...)
			require.NoError(t, err)
			assert.Len(t, response.Choices, want, option)
		}
	})
	t.Run("no model", func(t *testing.T) {
		t.Parallel()
		bound := toolset.Bind(nil, nil)
		_, err := bound.GenerateContent(t.Context(), nil)
		require.ErrorIs(t, err, toolset.ErrNoModel)
		_, err = bound.Call(t.Context(), "p")
		require.ErrorIs(t, err, toolset.ErrNoModel)
	})
}

func TestBindTurnsTheFunctionCallBehaviorIntoAToolChoice(t *testing.T) {
	t.Parallel()
	named := map[string]any{"type": "function", "function": map[string]any{"name": "weather"}}
	tests := []struct {
		name     string
		behavior string
		options  []llms.CallOption
		choice   any
		left     string
	}{
		{"auto", "auto", nil, "auto", ""},
		{"none", "none", nil, "none", ""},
		{"named", `{"name": "weather"}`, nil, named, ""},
		{"unreadable", `{"name`, nil, `{"name`, ""},
		{"a choice is there", "none", []llms.CallOption{llms.WithToolChoice("required")}, "required", ""},
		{"nothing", "", nil, nil, ""},
		{"no tools", "auto", []llms.CallOption{llms.WithFunctions(nil)}, nil, "auto"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			model := answers(says(""))
			options := []llms.CallOption{
				llms.WithFunctions([]llms.FunctionDefinition{{Name: "weather"}}),
				llms.WithFunctionCallBehavior(llms.FunctionCallBehavior(tt.behavior)),
			}
			_, err := toolset.Bind(model, nil).GenerateContent(t.Context(), nil, append(options, tt.options...)...)
			require.NoError(t, err)
			sent := model.request(0).options
			assert.Equal(t, tt.choice, sent.ToolChoice)
			assert.Equal(t, tt.left, string(sent.FunctionCallBehavior))
		})
	}
}

func TestC6_MoreToolsThanTheProviderTakesAreReported(t *testing.T) {
	t.Parallel()
	gpt, err := openai.New(openai.WithToken("t"))
	require.NoError(t, err)
	claude, err := anthropic.New(anthropic.WithToken("t"))
	require.NoError(t, err)
	many := func(n int) []tools.Tool {
		ts := make([]tools.Tool, n)
		for i := range ts {
			ts[i] = &definedTool{name: fmt.Sprintf("t%d", i), schema: weatherSchema}
		}
		return ts
	}
	tests := []struct {
		name  string
		model llms.Model
		n     int
		opts  []toolset.BindOption
		want  int
	}{
		{"openai", gpt, 129, nil, 1},
		{"openai in a cache", cache.New(gpt, nil), 129, nil, 1},
		{"openai, just enough", gpt, 128, nil, 0},
		{"anthropic", claude, 500, nil, 0},
		{"profile", answers(), 129, []toolset.BindOption{toolset.WithProfile(toolset.ProfileOpenAIStrict)}, 1},
		{"another limit", answers(), 3, []toolset.BindOption{toolset.WithToolLimit(2)}, 1},
		{"portable", answers(), 129, nil, 1},
		{"gemini's profile", answers(), 512, []toolset.BindOption{toolset.WithProfile(toolset.ProfileGemini)}, 0},
		{"gemini behind openai", gpt, 129, []toolset.BindOption{toolset.WithProfile(toolset.ProfileGemini)}, 1},
		{"limit lifted", gpt, 129, []toolset.BindOption{toolset.WithToolLimit(0)}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var warned []toolset.Warning
			var logged bytes.Buffer
			opts := append([]toolset.BindOption{
				toolset.WithWarning(func(w toolset.Warning) { warned = append(warned, w) }),
				toolset.WithWarning(nil),
				toolset.WithWarningLogger(slog.New(slog.NewTextHandler(&logged, nil))),
				toolset.WithWarningLogger(nil),
				nil,
			}, tt.opts...)
			toolset.Bind(tt.model, many(tt.n), opts...)
			require.Len(t, warned, tt.want, "%v", warned)
			assert.Equal(t, tt.want, strings.Count(logged.String(), "level=WARN"))
			if tt.want > 0 {
				assert.Contains(t, warned[0].Reason, fmt.Sprint(tt.n))
			}

			assert.Len(t, toolset.Definitions(many(tt.n), append(opts, toolset.WithModel(tt.model))...), tt.n, "never cut")
			assert.Len(t, warned, 2*tt.want)
		})
	}
}

func TestC6_ARequestWithTooManyToolsIsReportedOnce(t *testing.T) {
	t.Parallel()
	var warned []toolset.Warning
	model := answers(says(""), says(""))
	bound := toolset.Bind(model, []tools.Tool{weatherTool()}, toolset.WithToolLimit(1), toolset.WithWarning(func(w toolset.Warning) { warned = append(warned, w) }))
	for range 2 {
		_, err := bound.GenerateContent(t.Context(), nil, llms.WithFunctions([]llms.FunctionDefinition{{Name: "weather"}, {Name: "other"}}))
		require.NoError(t, err)
		assert.Len(t, warned, 1)
	}
	assert.Len(t, model.request(1).options.Tools, 2)
}

// wireCall is a call of a recorded provider's answer.
type wireCall struct{ id, name, arguments string }

// wireAnswer is one answer of a recorded provider.
type wireAnswer struct {
	text  string
	calls []wireCall
}

// wire is a provider's HTTP API that answers from a script, as a stream where
// it is asked for one, and keeps the requests.
type wire struct {
	*httptest.Server

	mu     sync.Mutex
	bodies []map[string]any
}

func newWire(t *testing.T, render func(wireAnswer) any, stream func(io.Writer, wireAnswer), script ...wireAnswer) *wire {
	t.Helper()
	w := &wire{}
	w.Server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		dec := json.NewDecoder(r.Body)
		dec.UseNumber()
		var body map[string]any
		if err := dec.Decode(&body); err != nil {
			http.Error(rw, err.Error(), http.StatusBadRequest)
			return
		}
		w.mu.Lock()
		step := len(w.bodies)
		w.bodies = append(w.bodies, body)
		w.mu.Unlock()
		if step >= len(script) {
			http.Error(rw, "the script has ended", http.StatusTeapot)
			return
		}
		if body["stream"] == true {
			rw.Header().Set("Content-Type", "text/event-stream")
			stream(rw, script[step])
			return
		}
		rw.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(rw).Encode(render(script[step]))
	}))
	t.Cleanup(w.Close)
	return w
}

// at returns a member of a request as JSON.
func (w *wire) at(t *testing.T, step int, member string) string {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	require.Less(t, step, len(w.bodies))
	raw, err := json.Marshal(w.bodies[step][member])
	require.NoError(t, err)
	return string(raw)
}

type object = map[string]any

func event(w io.Writer, v any) {
	raw, _ := json.Marshal(v)
	_, _ = fmt.Fprintf(w, "data: %s\n\n", raw)
}

func openAIPlain(a wireAnswer) any {
	message := object{"role": "assistant", "content": a.text}
	var calls []object
	for _, c := range a.calls {
		calls = append(calls, object{"id": c.id, "type": "function", "function": object{"name": c.name, "arguments": c.arguments}})
	}
	finish := "stop"
	if len(calls) > 0 {
		message["tool_calls"], finish = calls, "tool_calls"
	}
	return object{"choices": []object{{"message": message, "finish_reason": finish}}}
}

func openAIStream(w io.Writer, a wireAnswer) {
	delta := func(d object) { event(w, object{"choices": []object{{"index": 0, "delta": d}}}) }
	if a.text != "" {
		delta(object{"role": "assistant", "content": a.text})
	}
	for i, c := range a.calls {
		half := len(c.arguments) / 2
		delta(object{"tool_calls": []object{{"index": i, "id": c.id, "type": "function", "function": object{"name": c.name, "arguments": ""}}}})
		// The second half repeats the type, as some servers do.
		delta(object{"tool_calls": []object{{"index": i, "function": object{"arguments": c.arguments[:half]}}}})
		delta(object{"tool_calls": []object{{"index": i, "type": "function", "function": object{"arguments": c.arguments[half:]}}}})
	}
	_, _ = io.WriteString(w, "data: [DONE]\n\n")
}

func anthropicPlain(a wireAnswer) any {
	content := []object{}
	if a.text != "" {
		content = append(content, object{"type": "text", "text": a.text})
	}
	for _, c := range a.calls {
		content = append(content, object{"type": "tool_use", "id": c.id, "name": c.name, "input": json.RawMessage(c.arguments)})
	}
	return object{"type": "message", "role": "assistant", "content": content, "stop_reason": "end_turn", "usage": object{"input_tokens": 1, "output_tokens": 1}}
}

func anthropicStream(w io.Writer, a wireAnswer) {
	event(w, object{"type": "message_start", "message": object{"id": "m", "type": "message", "role": "assistant", "usage": object{"input_tokens": 1}}})
	index := 0
	block := func(start, delta object) {
		event(w, object{"type": "content_block_start", "index": index, "content_block": start})
		event(w, object{"type": "content_block_delta", "index": index, "delta": delta})
		event(w, object{"type": "content_block_stop", "index": index})
		index++
	}
	if a.text != "" {
		block(object{"type": "text", "text": ""}, object{"type": "text_delta", "text": a.text})
	}
	for _, c := range a.calls {
		block(object{"type": "tool_use", "id": c.id, "name": c.name, "input": object{}}, object{"type": "input_json_delta", "partial_json": c.arguments})
	}
	event(w, object{"type": "message_delta", "delta": object{"stop_reason": "end_turn"}, "usage": object{"output_tokens": 1}})
	event(w, object{"type": "message_stop"})
}

var wireScript = []wireAnswer{
	{text: "I look.", calls: []wireCall{
		{"c1", "weather", `{"city":"Paris","days":3}`},
		{"c2", "calculator", `{"__arg1":"2+2"}`},
		{"c3", "odd", `{"__arg1":"a","city":"b"}`},
	}},
	{calls: []wireCall{{"c4", "odd", `{}`}}},
	{text: "Done."},
}

// wireModes runs a test with and without streaming. What was streamed is
// handed over at the end.
func wireModes(t *testing.T, test func(t *testing.T, streamed func() string, opts ...chains.ChainCallOption)) {
	t.Run("plain", func(t *testing.T) {
		t.Parallel()
		test(t, func() string { return "I look.Done." })
	})
	t.Run("streaming", func(t *testing.T) {
		t.Parallel()
		var got strings.Builder
		test(t, got.String, chains.WithStreamingFunc(func(_ context.Context, chunk []byte) error {
			got.Write(chunk)
			return nil
		}))
	})
}

func wireTools() (ts []tools.Tool, weather, odd *definedTool) {
	weather, odd = weatherTool(), oddTool()
	return []tools.Tool{weather, tools.Calculator{}, odd}, weather, odd
}

func TestBindOpenAIOnTheWire(t *testing.T) {
	t.Parallel()
	wireModes(t, func(t *testing.T, streamed func() string, opts ...chains.ChainCallOption) {
		w := newWire(t, openAIPlain, openAIStream, wireScript...)
		model, err := openai.New(openai.WithToken("t"), openai.WithBaseURL(w.URL), openai.WithModel("gpt-4o"))
		require.NoError(t, err)
		ts, weather, odd := wireTools()
		require.Equal(t, "Done.", runAgent(t, toolset.Bind(model, ts), ts, opts...))
		assert.Equal(t, []string{`{"city":"Paris","days":3}`}, weather.given())
		assert.Equal(t, []string{`{"__arg1":"a","city":"b"}`, `{}`}, odd.given())
		assert.Contains(t, streamed(), "I look.")
		assert.Contains(t, streamed(), "Done.")

		for step := range wireScript {
			assert.JSONEq(t, `[
				{"type":"function","function":{"name":"weather","description":"weather for openai","parameters":`+weatherSchema+`}},
				{"type":"function","function":{"name":"calculator","description":`+quote(tools.Calculator{}.Description())+`,"parameters":`+agentSchema+`}},
				{"type":"function","function":{"name":"odd","description":"odd for openai","parameters":`+oddSchema+`}}
			]`, w.at(t, step, "tools"))
			assert.Equal(t, "null", w.at(t, step, "functions"))
		}
		call := func(id, name, arguments string) string {
			return `{"role":"assistant","content":"","tool_calls":[{"id":"` + id + `","type":"function","function":{"name":"` + name + `","arguments":` + quote(arguments) + `}}]}`
		}
		result := func(id, content string) string {
			return `{"role":"tool","tool_call_id":"` + id + `","content":` + quote(content) + `}`
		}
		assert.JSONEq(t, "["+strings.Join([]string{
			`{"role":"system","content":"Be brief."}`,
			`{"role":"user","content":"What now?"}`,
			call("c1", "weather", `{"city":"Paris","days":3}`), result("c1", `weather says {"city":"Paris","days":3}`),
			call("c2", "calculator", `{"__arg1":"2+2"}`), result("c2", "4"),
			call("c3", "odd", `{"__arg1":"a","city":"b"}`), result("c3", `odd says {"__arg1":"a","city":"b"}`),
			call("c4", "odd", `{}`), result("c4", `odd says {}`),
		}, ",")+"]", w.at(t, 2, "messages"))
	})
}

func TestBindAnthropicOnTheWire(t *testing.T) {
	t.Parallel()
	wireModes(t, func(t *testing.T, streamed func() string, opts ...chains.ChainCallOption) {
		w := newWire(t, anthropicPlain, anthropicStream, wireScript...)
		model, err := anthropic.New(anthropic.WithToken("t"), anthropic.WithBaseURL(w.URL), anthropic.WithModel("claude-test"))
		require.NoError(t, err)
		ts, weather, odd := wireTools()
		require.Equal(t, "Done.", runAgent(t, toolset.Bind(model, ts), ts, opts...))
		assert.Equal(t, []string{`{"city":"Paris","days":3}`}, weather.given())
		assert.Equal(t, []string{`{"__arg1":"a","city":"b"}`, `{}`}, odd.given())
		assert.Equal(t, "I look.Done.", streamed())

		for step := range wireScript {
			assert.JSONEq(t, `[
				{"name":"weather","description":"weather for anthropic","input_schema":`+weatherSchema+`},
				{"name":"calculator","description":`+quote(tools.Calculator{}.Description())+`,"input_schema":`+agentSchema+`},
				{"name":"odd","description":"odd for anthropic","input_schema":`+oddSchema+`}
			]`, w.at(t, step, "tools"))
		}
		call := func(id, name, input string) string {
			return `{"role":"assistant","content":[{"type":"tool_use","id":"` + id + `","name":"` + name + `","input":` + input + `}]}`
		}
		result := func(id, content string) string {
			return `{"role":"user","content":[{"type":"tool_result","tool_use_id":"` + id + `","content":` + quote(content) + `}]}`
		}
		assert.JSONEq(t, "["+strings.Join([]string{
			`{"role":"user","content":[{"type":"text","text":"What now?"}]}`,
			call("c1", "weather", `{"city":"Paris","days":3}`), result("c1", `weather says {"city":"Paris","days":3}`),
			call("c2", "calculator", `{"__arg1":"2+2"}`), result("c2", "4"),
			call("c3", "odd", `{"__arg1":"a","city":"b"}`), result("c3", `odd says {"__arg1":"a","city":"b"}`),
			call("c4", "odd", `{}`), result("c4", `odd says {}`),
		}, ",")+"]", w.at(t, 2, "messages"))
	})
}

// A hand-written loop without Bind, over the providers' own packages.
func TestRespondOnTheWire(t *testing.T) {
	t.Parallel()
	loop := func(t *testing.T, model llms.Model) {
		ts, weather, odd := wireTools()
		definitions := toolset.Definitions(ts, toolset.WithModel(model))
		messages := []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeHuman, "What now?")}
		for range wireScript {
			response, err := model.GenerateContent(t.Context(), messages, llms.WithTools(definitions))
			require.NoError(t, err)
			more, err := toolset.Respond(t.Context(), ts, response)
			require.NoError(t, err)
			messages = append(messages, more...)
			if len(more) < 2 {
				break
			}
		}
		assert.Equal(t, llms.TextParts(llms.ChatMessageTypeAI, "Done."), messages[len(messages)-1])
		assert.Equal(t, []string{`{"city":"Paris","days":3}`}, weather.given())
		assert.Equal(t, []string{`{"__arg1":"a","city":"b"}`, `{}`}, odd.given())
	}
	roles := func(t *testing.T, w *wire) []string {
		var sent []struct{ Role string }
		require.NoError(t, json.Unmarshal([]byte(w.at(t, 2, "messages")), &sent))
		var got []string
		for _, m := range sent {
			got = append(got, m.Role)
		}
		return got
	}
	t.Run("openai", func(t *testing.T) {
		t.Parallel()
		w := newWire(t, openAIPlain, openAIStream, wireScript...)
		model, err := openai.New(openai.WithToken("t"), openai.WithBaseURL(w.URL), openai.WithModel("gpt-4o"))
		require.NoError(t, err)
		loop(t, model)
		assert.Equal(t, []string{"user", "assistant", "assistant", "tool", "assistant", "tool", "assistant", "tool", "assistant", "tool"}, roles(t, w))
		assert.Contains(t, w.at(t, 2, "messages"), `"content":"I look."`)
	})
	t.Run("anthropic", func(t *testing.T) {
		t.Parallel()
		w := newWire(t, anthropicPlain, anthropicStream, wireScript...)
		model, err := anthropic.New(anthropic.WithToken("t"), anthropic.WithBaseURL(w.URL), anthropic.WithModel("claude-test"))
		require.NoError(t, err)
		loop(t, model)
		assert.Equal(t, []string{"user", "assistant", "assistant", "user", "assistant", "user", "assistant", "user", "assistant", "user"}, roles(t, w))
		assert.Contains(t, w.at(t, 2, "messages"), `"text":"I look."`)
	})
}

func quote(s string) string {
	raw, _ := json.Marshal(s)
	return string(raw)
}
