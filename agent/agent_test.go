package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/agents"
	"github.com/tmc/langchaingo/chains"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/tools"

	"github.com/mcptoolset/mcptoolset/agent"
	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// plain is a LangChainGo tool of one string. It keeps what it was given.
type plain struct {
	name   string
	answer func(input string) (string, error) // nil repeats the input

	mu    sync.Mutex
	given []string
}

func (p *plain) Name() string        { return p.name }
func (p *plain) Description() string { return "Does " + p.name + "." }

func (p *plain) Call(_ context.Context, input string) (string, error) {
	p.mu.Lock()
	p.given = append(p.given, input)
	p.mu.Unlock()
	if p.answer == nil {
		return "got " + input, nil
	}
	return p.answer(input)
}

// typed is a tool with a schema of its own.
type typed struct{ plain }

var _ toolset.Definer = (*typed)(nil)

func (d *typed) Definition(p toolset.Profile) llms.FunctionDefinition {
	return llms.FunctionDefinition{Name: d.name, Description: "For " + string(p) + ".", Parameters: map[string]any{
		"type": "object", "properties": map[string]any{"city": map[string]any{"type": "string"}}}}
}

func newPlain(name string) *plain { return &plain{name: name} }
func newTyped(name string) *typed { return &typed{plain{name: name}} }

// together is a turn with a text and all the calls of others.
func together(text string, turns ...mcptest.Turn) mcptest.Turn {
	all := mcptest.Turn{Text: text}
	for _, turn := range turns {
		all.Calls = append(all.Calls, turn.Calls...)
	}
	return all
}

// raw is a turn that is answered as it is.
func raw(choices ...*llms.ContentChoice) mcptest.Turn {
	return mcptest.Turn{Response: &llms.ContentResponse{Choices: choices}}
}

// run asks a question through LangChainGo's Executor.
func run(t *testing.T, assistant *agent.Agent, opts ...agents.Option) string {
	t.Helper()
	answer, err := chains.Run(t.Context(), agents.NewExecutor(assistant, opts...), "What now?")
	require.NoError(t, err)
	return answer
}

// story tells the messages of a request, one line for each part.
func story(messages []llms.MessageContent) []string {
	var lines []string
	for _, message := range messages {
		for _, part := range message.Parts {
			switch p := part.(type) {
			case llms.TextContent:
				lines = append(lines, fmt.Sprintf("%s: %s", message.Role, p.Text))
			case llms.ToolCall:
				lines = append(lines, fmt.Sprintf("call %s: %s %s", p.ID, p.FunctionCall.Name, p.FunctionCall.Arguments))
			case llms.ToolCallResponse:
				lines = append(lines, fmt.Sprintf("answer %s: %s", p.ToolCallID, p.Content))
			}
		}
	}
	return lines
}

// lastStory is that of the last request.
func lastStory(model *mcptest.Model) []string {
	asked := model.Asked.All()
	return story(asked[len(asked)-1].Messages)
}

func TestC6_TheModelSeesRealSchemas(t *testing.T) {
	t.Parallel()
	model := mcptest.NewModel(mcptest.Say("done"))
	assistant := agent.New(model, []tools.Tool{newTyped("weather"), nil, (*plain)(nil), newPlain("calculator")},
		agent.WithBindOptions(toolset.WithProfile(toolset.ProfileAnthropic)))
	assert.Equal(t, "done", run(t, assistant))

	options := model.Asked.All()[0].Options
	assert.Empty(t, options.Functions)
	require.Len(t, options.Tools, 2)
	weather, calculator := options.Tools[0].Function, options.Tools[1].Function
	assert.Equal(t, "weather", weather.Name)
	assert.Equal(t, "For anthropic.", weather.Description)
	assert.Contains(t, weather.Parameters.(map[string]any)["properties"], "city")
	assert.Equal(t, "calculator", calculator.Name)
	assert.Equal(t, "Does calculator.", calculator.Description)
	assert.Contains(t, calculator.Parameters.(map[string]any)["properties"], "__arg1", "there is no schema to show")
}

func TestC6_OfToolsThatAnExecutorCannotTellApartTheLastIsOffered(t *testing.T) {
	t.Parallel()
	var warned []string
	warn := toolset.WithWarning(func(w toolset.Warning) { warned = append(warned, w.Tool) })
	first, other, last := newTyped("get"), newTyped("other tool"), newTyped("Get")
	model := mcptest.NewModel(mcptest.Use("get", "{}"), mcptest.Say("done"))
	assistant := agent.New(model, []tools.Tool{first, other, last}, agent.WithBindOptions(warn))
	assert.Equal(t, "done", run(t, assistant))

	assert.Equal(t, []string{"Get", "other tool"}, warned, "each once")
	require.Len(t, model.Asked.All()[0].Options.Tools, 2)
	assert.Empty(t, first.given)
	assert.Equal(t, []string{"{}"}, last.given)
}

func TestD1_ToolsGetWhatTheModelWrote(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ arguments, toTyped, toPlain string }{
		"an object":             {`{"city":"Paris"}`, `{"city":"Paris"}`, `{"city":"Paris"}`},
		"digits and spaces":     {` {"n" : 9007199254740993} `, ` {"n" : 9007199254740993} `, ` {"n" : 9007199254740993} `},
		"one argument":          {`{"__arg1":"2+2"}`, `{"__arg1":"2+2"}`, `2+2`},
		"one argument and more": {`{"__arg1":"2+2","city":"x"}`, `{"__arg1":"2+2","city":"x"}`, `2+2`},
		"an argument no string": {`{"__arg1":{"a":1}}`, `{"__arg1":{"a":1}}`, `{"__arg1":{"a":1}}`},
		"nothing":               {``, ``, ``},
		"null":                  {`null`, `null`, `null`},
		"no JSON":               {`2+2`, `2+2`, `2+2`},
		"cut off":               {`{"city":"Par`, `{"city":"Par`, `{"city":"Par`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			weather, calculator := newTyped("weather"), newPlain("calculator")
			model := mcptest.NewModel(
				together("", mcptest.Use("weather", c.arguments), mcptest.Use("calculator", c.arguments)), mcptest.Say("done"))
			assert.Equal(t, "done", run(t, agent.New(model, []tools.Tool{weather, calculator})))
			assert.Equal(t, []string{c.toTyped}, weather.given)
			assert.Equal(t, []string{c.toPlain}, calculator.given)
			for _, message := range model.Asked.All()[1].Messages {
				if call, ok := message.Parts[0].(llms.ToolCall); ok {
					assert.True(t, json.Valid([]byte(call.FunctionCall.Arguments)), "providers refuse %q", call.FunctionCall.Arguments)
				}
			}
		})
	}
}

// bridged is a tool whose own schema is, letter by letter, the one that
// LangChainGo's agent gives every tool.
type bridged struct{ *typed }

func (b bridged) Definition(toolset.Profile) llms.FunctionDefinition {
	return llms.FunctionDefinition{Parameters: map[string]any{
		"type":       "object",
		"properties": map[string]any{"__arg1": map[string]any{"title": "__arg1", "type": "string"}},
		"required":   []any{"__arg1"},
	}}
}

func TestD1_AnArgumentThatIsReallyCalledSoIsNotTakenForTheAgents(t *testing.T) {
	t.Parallel()
	tool := bridged{newTyped("odd")}
	model := mcptest.NewModel(mcptest.Use("odd", `{"__arg1":"x"}`), mcptest.Say("done"))
	assert.Equal(t, "done", run(t, agent.New(model, []tools.Tool{tool})))
	assert.Equal(t, []string{`{"__arg1":"x"}`}, tool.given)
	assert.Equal(t, `call call-1: odd {"__arg1":"x"}`, lastStory(model)[1])
}

func TestD1_AToolOfOneStringIsNotCalledWithHalfOfIt(t *testing.T) {
	t.Parallel()
	calculator := newPlain("calculator")
	cut := &llms.ContentChoice{StopReason: "length", ToolCalls: []llms.ToolCall{
		{ID: "1", FunctionCall: &llms.FunctionCall{Name: "calculator", Arguments: `{"__arg1":"rm -r /tmp/`}}}}
	model := mcptest.NewModel(raw(cut), mcptest.Say("done"))
	assert.Equal(t, "done", run(t, agent.New(model, []tools.Tool{calculator})))
	assert.Empty(t, calculator.given)
	assert.Contains(t, lastStory(model)[2], "Error: the JSON of the arguments is broken or cut off")
}

func TestE10_ParallelCallsOfATurnAreAnsweredEachUnderItsID(t *testing.T) {
	t.Parallel()
	weather, calculator := newTyped("weather"), newPlain("calculator")
	model := mcptest.NewModel(
		together("I look at both.", mcptest.Use("weather", `{"city":"Paris"}`), mcptest.Use("weather", `{"city":"Oslo"}`),
			mcptest.Use("calculator", `{"__arg1":"2+2"}`)),
		together("And once more.", mcptest.Use("weather", `{"city":"Paris"}`)),
		mcptest.Use("weather", `{"city":"Paris"}`),
		mcptest.Say("done"))
	assert.Equal(t, "done", run(t, agent.New(model, []tools.Tool{weather, calculator})))
	assert.Equal(t, []string{
		"human: What now?",
		"ai: I look at both.",
		`call call-1: weather {"city":"Paris"}`, `answer call-1: got {"city":"Paris"}`,
		`call call-2: weather {"city":"Oslo"}`, `answer call-2: got {"city":"Oslo"}`,
		`call call-3: calculator {"__arg1":"2+2"}`, `answer call-3: got 2+2`,
		"ai: And once more.",
		`call call-4: weather {"city":"Paris"}`, `answer call-4: got {"city":"Paris"}`,
		`call call-5: weather {"city":"Paris"}`, `answer call-5: got {"city":"Paris"}`,
	}, lastStory(model), "calls that are equal are not one")
}

func TestE10_RunsAtOneTimeKeepToThemselves(t *testing.T) {
	t.Parallel()
	weather := newTyped("weather")
	assistant := agent.New(parrot{}, []tools.Tool{weather}, agent.WithSystemMessage("Be brief."))
	var group sync.WaitGroup
	for i := range 20 {
		group.Go(func() {
			question := fmt.Sprint("Q", i)
			answer, err := chains.Run(t.Context(), agents.NewExecutor(assistant), question)
			assert.NoError(t, err)
			assert.Equal(t, strings.Repeat(" got "+question, 3), answer)
		})
	}
	group.Wait()
	assert.Len(t, weather.given, 60)
}

// parrot is a model that calls weather three times with the question, and
// answers with all it observed. It keeps nothing.
type parrot struct{}

func (parrot) GenerateContent(_ context.Context, messages []llms.MessageContent, _ ...llms.CallOption) (*llms.ContentResponse, error) {
	var question, observed string
	answers := 0
	for _, message := range messages {
		switch p := message.Parts[0].(type) {
		case llms.TextContent:
			question = p.Text
		case llms.ToolCallResponse:
			observed += " " + p.Content
			answers++
		}
	}
	if answers == 3 {
		return &llms.ContentResponse{Choices: []*llms.ContentChoice{{Content: observed}}}, nil
	}
	call := llms.ToolCall{FunctionCall: &llms.FunctionCall{Name: "weather", Arguments: question}}
	return &llms.ContentResponse{Choices: []*llms.ContentChoice{{ToolCalls: []llms.ToolCall{call}}}}, nil
}

func (p parrot) Call(ctx context.Context, prompt string, options ...llms.CallOption) (string, error) {
	return llms.GenerateFromSinglePrompt(ctx, p, prompt, options...)
}

func TestE1_ObservationsGoBackUnchanged(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ output, seen string }{
		"white space":     {" a\n\n b \t", " a\n\n b \t"},
		"a template":      {"{{.input}} {% if %} {{", "{{.input}} {% if %} {{"},
		"agents' words":   {"Observation: x\nFinal Answer: 42\nAI: ", "Observation: x\nFinal Answer: 42\nAI: "},
		"markup":          {`<b>&amp;"\u00e9"</b>`, `<b>&amp;"\u00e9"</b>`},
		"nothing is said": {"", "(no output)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			weather := newTyped("weather")
			weather.answer = func(string) (string, error) { return c.output, nil }
			model := mcptest.NewModel(mcptest.Use("weather", "{}"), mcptest.Say("done"))
			assert.Equal(t, "done", run(t, agent.New(model, []tools.Tool{weather})))
			assert.Equal(t, "answer call-1: "+c.seen, lastStory(model)[2])
		})
	}
}

func TestE5_AnUnknownToolIsAnObservation(t *testing.T) {
	t.Parallel()
	weather := newTyped("weather")
	nameless := llms.ToolCall{ID: "1"} // has no function
	model := mcptest.NewModel(
		together("", mcptest.Use("no such tool", "{}"), mcptest.Use("WEATHER", `{}`)),
		raw(&llms.ContentChoice{ToolCalls: []llms.ToolCall{nameless}}),
		mcptest.Say("done"))
	assert.Equal(t, "done", run(t, agent.New(model, []tools.Tool{weather})))
	assert.Equal(t, []string{
		"human: What now?",
		"call call-1: no_such_tool {}", "answer call-1: no such tool is not a valid tool, try another one",
		"call call-2: WEATHER {}", "answer call-2: got {}",
		"call 1: unknown_tool {}", "answer 1: unknown_tool is not a valid tool, try another one",
	}, lastStory(model))
}

func TestE5_ErrorsEndTheRun(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	weather := newTyped("weather")
	weather.answer = func(string) (string, error) { return "", broken }
	for name, c := range map[string]struct {
		model llms.Model
		want  error
	}{
		"of the model": {mcptest.NewModel(mcptest.Turn{Err: broken}), broken},
		"of a tool":    {mcptest.NewModel(mcptest.Use("weather", "{}")), broken},
		"no model":     {nil, toolset.ErrNoModel},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := chains.Run(t.Context(), agents.NewExecutor(agent.New(c.model, []tools.Tool{weather})), "What now?")
			assert.ErrorIs(t, err, c.want)
		})
	}
	t.Run("of the context", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		model := mcptest.NewModel(mcptest.Say("not reached"))
		_, err := chains.Run(ctx, agents.NewExecutor(agent.New(model, nil)), "What now?")
		require.ErrorIs(t, err, context.Canceled)
		assert.Empty(t, model.Asked.All(), "the model is not asked any more")
	})
}

func TestWhatTheExecutorIsTold(t *testing.T) {
	t.Parallel()
	model := mcptest.NewModel(
		together("I look.", mcptest.Use("weather", `{"city": "Paris"}`), mcptest.Use("calculator", `{"__arg1":"1"}`)), mcptest.Say("done"))
	ts := []tools.Tool{newTyped("weather"), newPlain("calculator")}
	assistant := agent.New(model, ts, agent.WithOutputKey("reply"))
	assert.Equal(t, []string{"input"}, assistant.GetInputKeys())
	assert.Equal(t, []string{"reply"}, assistant.GetOutputKeys())
	require.Len(t, assistant.GetTools(), 2)
	assistant.GetTools()[0] = nil // it is the caller's

	actions, finish, err := assistant.Plan(t.Context(), nil, map[string]string{"input": "What now?"})
	require.NoError(t, err)
	assert.Nil(t, finish)
	require.Len(t, actions, 2)
	assert.Equal(t, `weather, {"city": "Paris"}, I look., call-1`,
		strings.Join([]string{actions[0].Tool, actions[0].ToolInput, actions[0].Log, actions[0].ToolID}, ", "))
	assert.Empty(t, actions[1].Log)

	_, finish, err = assistant.Plan(t.Context(), nil, map[string]string{"input": "What now?"})
	require.NoError(t, err)
	assert.Equal(t, map[string]any{"reply": "done"}, finish.ReturnValues)

	_, _, err = assistant.Plan(t.Context(), nil, map[string]string{"question": "What now?"})
	assert.ErrorIs(t, err, agent.ErrNoQuestion)
}
