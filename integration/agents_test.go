package integration

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/agents"
	"github.com/tmc/langchaingo/chains"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/tools"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// LangChainGo's own agents and Executor, as they are, with the tools of real
// servers. The model is scripted; what reaches it and what reaches the server
// is looked at on the other side.

// runFunctions runs the OpenAIFunctionsAgent over a model to its answer.
func runFunctions(t *testing.T, model llms.Model, found []tools.Tool) string {
	t.Helper()
	answer, err := tryFunctions(t.Context(), model, found)
	require.NoError(t, err)
	return answer
}

func tryFunctions(ctx context.Context, model llms.Model, found []tools.Tool) (string, error) {
	return chains.Run(ctx, agents.NewExecutor(agents.NewOpenAIFunctionsAgent(model, found)), "What is to be done?")
}

// toolsOf are the tools of a server.
func toolsOf(t *testing.T, b *config.Builder, opts ...toolset.Option) []tools.Tool {
	t.Helper()
	found, err := open(t, b, opts...).Tools(t.Context())
	require.NoError(t, err)
	return found
}

// shownName is the name a model knows a tool of the server by.
func shownName(t *testing.T, found []tools.Tool, original string) string {
	t.Helper()
	for _, tool := range found {
		if own, ok := tool.(*toolset.Tool); ok && own.OriginalName() == original {
			return tool.Name()
		}
	}
	require.Fail(t, "no tool", "%s among %v", original, namesOf(found))
	return ""
}

// parallel is a turn with several calls.
func parallel(turns ...mcptest.Turn) mcptest.Turn {
	var all mcptest.Turn
	for _, turn := range turns {
		all.Calls = append(all.Calls, turn.Calls...)
	}
	return all
}

// observations are the contents of the tool messages a model was last shown.
func observations(m *mcptest.Model) []string {
	asked := m.Asked.All()
	var all []string
	for _, message := range asked[len(asked)-1].Messages {
		for _, part := range message.Parts {
			if response, ok := part.(llms.ToolCallResponse); ok {
				all = append(all, response.Content)
			}
		}
	}
	return all
}

// received are the arguments of the calls a server ran, byte by byte.
func received(target *mcptest.Target, tool string) []string {
	var all []string
	for _, c := range target.Calls.All(mcptest.Tool(tool)) {
		all = append(all, string(c.Arguments))
	}
	return all
}

func TestO10_TheAgentsModelSeesTheServersSchemas(t *testing.T) {
	t.Parallel()
	desks(t, func(t *testing.T, d *mcptest.Target) {
		model := mcptest.NewModel(
			mcptest.Use("weather", `{"city":"Paris","unit":"celsius","days":3}`),
			mcptest.Use("book", `{"order":{"id":9007199254740993,"seats":[{"row":1,"seat":"a"},{"row":2,"seat":"b"}]}}`),
			mcptest.Say("Sunny, and booked."))
		found := toolsOf(t, describe(d))
		assert.Equal(t, "Sunny, and booked.", runFunctions(t, toolset.Bind(model, found), found))

		assert.Equal(t, []string{`{"city":"Paris","unit":"celsius","days":3}`}, received(d, "weather"))
		assert.Equal(t, []string{`{"order":{"id":9007199254740993,"seats":[{"row":1,"seat":"a"},{"row":2,"seat":"b"}]}}`}, received(d, "book"))
		assert.Equal(t, []string{"Sunny in Paris", "booked " + received(d, "book")[0]}, observations(model))
		for _, asked := range model.Asked.All() {
			checkShownWeather(t, asked.Options, len(found))
		}
	})
}

// checkShownWeather looks at what a model was shown of the tool weather.
func checkShownWeather(t *testing.T, options llms.CallOptions, tools int) {
	t.Helper()
	assert.Empty(t, options.Functions)
	require.Len(t, options.Tools, tools)
	for _, tool := range options.Tools {
		if tool.Function.Name != "weather" {
			continue
		}
		assert.Equal(t, "function", tool.Type)
		assert.Equal(t, "Tells the weather of the days to come.", tool.Function.Description)
		text, err := json.Marshal(tool.Function.Parameters)
		require.NoError(t, err)
		var shown struct {
			Type       string
			Required   []string
			Properties map[string]struct {
				Type, Description string
				Enum              []string
			}
		}
		require.NoError(t, json.Unmarshal(text, &shown))
		assert.Equal(t, "object", shown.Type)
		assert.Equal(t, []string{"city"}, shown.Required)
		assert.Len(t, shown.Properties, 3)
		assert.Equal(t, "string", shown.Properties["city"].Type)
		assert.Equal(t, "Name of the city.", shown.Properties["city"].Description)
		assert.Equal(t, []string{"celsius", "fahrenheit"}, shown.Properties["unit"].Enum)
		assert.Equal(t, "integer", shown.Properties["days"].Type)
		return
	}
	assert.Fail(t, "weather was not shown")
}

func TestD1_WithoutBindTheAgentsOneArgumentWorks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ tool, input, want string }{
		"the object as a text":             {"weather", `{"__arg1":"{\"city\":\"Paris\",\"days\":2}"}`, `{"city":"Paris","days":2}`},
		"the object itself":                {"weather", `{"__arg1":{"city":"Paris"}}`, `{"city":"Paris"}`},
		"the value of the needed property": {"weather", `{"__arg1":"Paris"}`, `{"city":"Paris"}`},
		"the tool's own arguments":         {"weather", `{"city":"Paris"}`, `{"city":"Paris"}`},
		"nothing":                          {"cities", `{"__arg1":""}`, `{}`},
		"an empty object as a text":        {"cities", `{"__arg1":"{}"}`, `{}`},
		"no arguments at all":              {"cities", ``, `{}`},
		"null":                             {"cities", `null`, `{}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := desk(t, mcptest.InProcess)
			model := mcptest.NewModel(mcptest.Use(c.tool, c.input), mcptest.Say("done"))
			found := toolsOf(t, describe(d))
			assert.Equal(t, "done", runFunctions(t, model, found))
			assert.Equal(t, []string{c.want}, received(d, c.tool))

			functions := model.Asked.All()[0].Options.Functions
			require.Len(t, functions, len(found))
			for i, f := range functions {
				assert.Contains(t, f.Parameters.(map[string]any)["properties"], "__arg1")
				assert.Equal(t, found[i].Description(), f.Description, "it says what the schema does not")
			}
		})
	}
}

func TestO91_AFailingToolIsAnObservationAndTheRunRecovers(t *testing.T) {
	t.Parallel()
	desks(t, func(t *testing.T, d *mcptest.Target) {
		model := mcptest.NewModel(
			mcptest.Use("weather", `{"city":"Atlantis"}`),
			mcptest.Use("weather", `{"city":"Paris","days":9}`), // refused before the server
			mcptest.Use("weather", `{"city":"Paris","days":"7"}`),
			mcptest.Say("Sunny."))
		found := toolsOf(t, describe(d))
		assert.Equal(t, "Sunny.", runFunctions(t, toolset.Bind(model, found), found))

		seen := observations(model)
		require.Len(t, seen, 3)
		assert.Equal(t, "Error: no such city: Atlantis", seen[0])
		assert.Contains(t, seen[1], "days")
		assert.Contains(t, seen[1], "7", "what would be right is said")
		assert.Equal(t, "Sunny in Paris", seen[2])
		assert.Equal(t, []string{`{"city":"Atlantis"}`, `{"city":"Paris","days":7}`}, received(d, "weather"))
	})
}

func TestE10_ParallelCallsOfOneTurn(t *testing.T) {
	t.Parallel()
	desks(t, func(t *testing.T, d *mcptest.Target) {
		model := mcptest.NewModel(
			parallel(
				mcptest.Use("weather", `{"city":"Paris"}`),
				mcptest.Use("weather", `{"city":"Atlantis"}`),
				mcptest.Use("nonsense", `{}`),
				mcptest.Use("cities", ``)),
			mcptest.Say("done"))
		found := toolsOf(t, describe(d))
		assert.Equal(t, "done", runFunctions(t, toolset.Bind(model, found), found))
		seen := observations(model)
		require.Len(t, seen, 4, "a failing call does not take its siblings with it")
		assert.Equal(t, "Sunny in Paris", seen[0])
		assert.Equal(t, "Error: no such city: Atlantis", seen[1])
		assert.Contains(t, seen[2], "not a valid tool", "the Executor's own words")
		assert.Equal(t, "Paris, Berlin", seen[3])
		checkPairs(t, model.Asked.All()[1].Messages)
	})
}

// checkPairs looks for the one form of history that every provider takes: each
// call alone in its message and followed by its response.
func checkPairs(t *testing.T, messages []llms.MessageContent) {
	t.Helper()
	for i, message := range messages {
		for _, part := range message.Parts {
			call, ok := part.(llms.ToolCall)
			if !ok {
				continue
			}
			assert.Len(t, message.Parts, 1)
			assert.NotEmpty(t, call.ID)
			assert.True(t, json.Valid([]byte(call.FunctionCall.Arguments)), call.FunctionCall.Arguments)
			require.Greater(t, len(messages), i+1)
			require.Len(t, messages[i+1].Parts, 1)
			response, ok := messages[i+1].Parts[0].(llms.ToolCallResponse)
			require.True(t, ok)
			assert.Equal(t, call.ID, response.ToolCallID)
			assert.Equal(t, call.FunctionCall.Name, response.Name)
			assert.NotEmpty(t, response.Content)
		}
	}
}

func TestO92_ErrorsOfTheProtocolAreObservations(t *testing.T) {
	t.Parallel()
	faults := map[string]struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}{
		"params":   {-32602, "city is not a city"},
		"internal": {-32603, "out of memory"},
		"method":   {-32601, "no such tool"},
		"own":      {7, "seven"},
		"silent":   {-32603, ""},
	}
	var turns []mcptest.Turn
	var script mcptest.Script
	for name, fault := range faults {
		object, err := json.Marshal(fault)
		require.NoError(t, err)
		script.Tools = append(script.Tools, json.RawMessage(`{"name":"`+name+`","inputSchema":{"type":"object"}}`))
		script.Rules = append(script.Rules, mcptest.Rule{Method: "tools/call", Tool: name, Error: object})
		turns = append(turns, mcptest.Use(name, "{}"))
	}
	for name, describe := range map[string]func(t *testing.T) *config.Builder{
		"stdio": func(t *testing.T) *config.Builder { return child(mcptest.Run(t, script)) },
		"streamable http": func(t *testing.T) *config.Builder {
			web := mcptest.Raw(t, func(w http.ResponseWriter, r *http.Request, m mcptest.Message) {
				if fault, ok := faults[m.Tool()]; ok {
					mcptest.Refuse(w, m, fault.Code, fault.Message)
					return
				}
				mcptest.Default(w, r, m, script.Tools...)
			})
			return config.NewStreamableHTTP(web.URL)
		},
		"sse": func(t *testing.T) *config.Builder {
			web := mcptest.RawSSE(t, mcptest.SSEScript{Message: func(s *mcptest.SSEStream, m mcptest.Message) {
				if fault, ok := faults[m.Tool()]; ok {
					s.Send(mcptest.Failure(m, fault.Code, fault.Message))
					return
				}
				s.Answer(m, script.Tools...)
			}})
			return config.NewSSE(web.URL)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			model := mcptest.NewModel(append(slices.Clone(turns), mcptest.Say("gave up"))...)
			found := toolsOf(t, describe(t))
			answer, err := chains.Run(t.Context(), agents.NewExecutor(
				agents.NewOpenAIFunctionsAgent(toolset.Bind(model, found), found),
				agents.WithMaxIterations(len(turns)+1)), "What is to be done?")
			require.NoError(t, err)
			assert.Equal(t, "gave up", answer)
			seen := observations(model)
			require.Len(t, seen, len(turns))
			for i, turn := range turns {
				fault := faults[turn.Calls[0].FunctionCall.Name]
				assert.True(t, strings.HasPrefix(seen[i], "Error:"), seen[i])
				assert.Contains(t, seen[i], fault.Message)
				assert.Contains(t, seen[i], fmt.Sprint(fault.Code))
			}
		})
	}
}

func TestO92_TheOwnersCancelEndsTheRun(t *testing.T) {
	t.Parallel()
	desks(t, func(t *testing.T, d *mcptest.Target) {
		model := mcptest.NewModel(mcptest.Use("slow", `{}`), mcptest.Say("not reached"))
		ts := open(t, describe(d))
		found, err := ts.Tools(t.Context())
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			_, err := tryFunctions(ctx, toolset.Bind(model, found), found)
			ended <- err
		}()
		d.Calls.Wait(t, mcptest.Tool("slow"))
		cancel()
		require.ErrorIs(t, <-ended, context.Canceled)
		assert.Equal(t, 1, model.Rest(), "the run is over")
		d.Ends.Wait(t, mcptest.Cancelled("slow"))

		model = mcptest.NewModel(mcptest.Use("cities", `{}`), mcptest.Say("done"))
		assert.Equal(t, "done", runFunctions(t, toolset.Bind(model, found), found), "the toolset lives on")
	})
}

func TestO92_AClosedToolsetEndsTheRun(t *testing.T) {
	t.Parallel()
	desks(t, func(t *testing.T, d *mcptest.Target) {
		ts := open(t, describe(d))
		found, err := ts.Tools(t.Context())
		require.NoError(t, err)
		require.NoError(t, ts.Close())
		model := mcptest.NewModel(mcptest.Use("cities", `{}`), mcptest.Say("not reached"))
		_, err = tryFunctions(t.Context(), toolset.Bind(model, found), found)
		require.ErrorIs(t, err, toolset.ErrClosed)
		assert.Equal(t, 1, model.Rest())
	})
}

func TestO93_AServerThatIsGoneIsAnObservation(t *testing.T) {
	t.Parallel()
	for _, k := range []mcptest.Kind{mcptest.SSE, mcptest.StreamableHTTP} {
		t.Run(string(k), func(t *testing.T) {
			t.Parallel()
			d := desk(t, k)
			front := httptest.NewServer(d.Web)
			t.Cleanup(front.Close)
			b := describe(d).URL(strings.Replace(d.Web.URL, d.Web.URL[:strings.LastIndex(d.Web.URL, "/")], front.URL, 1))
			model := mcptest.NewModel(
				mcptest.Use("cities", `{}`),
				mcptest.Use("slow", `{}`),
				mcptest.Use("cities", `{}`),
				mcptest.Say("The desk is closed."))
			found := toolsOf(t, b)
			go func() { // the server's end while it runs a tool
				d.Calls.Wait(t, mcptest.Tool("slow"))
				_ = front.Listener.Close()
				front.CloseClientConnections()
			}()
			assert.Equal(t, "The desk is closed.", runFunctions(t, toolset.Bind(model, found), found))

			seen := observations(model)
			require.Len(t, seen, 3)
			assert.Equal(t, "Paris, Berlin", seen[0])
			assert.True(t, strings.HasPrefix(seen[1], "Error:"), seen[1])
			assert.Contains(t, seen[1], "unknown", "it may have run")
			assert.True(t, strings.HasPrefix(seen[2], "Error:"), seen[2])
			assert.Contains(t, seen[2], "cannot be reached")
			assert.NotContains(t, seen[2], "unknown", "it did not run")
			assert.Len(t, received(d, "slow"), 1, "what may have run is not sent again")
		})
	}
}

func TestO93_AChildThatDiesIsAnObservationAndReplaced(t *testing.T) {
	t.Parallel()
	c := mcptest.Run(t, mcptest.Script{
		Tools: []json.RawMessage{json.RawMessage(`{"name":"cities","inputSchema":{"type":"object"}}`), json.RawMessage(`{"name":"fatal","inputSchema":{"type":"object"}}`)},
		Rules: []mcptest.Rule{{Method: "tools/call", Tool: "fatal", Stderr: "out of memory\n", Exit: mcptest.Code(9)}},
	})
	model := mcptest.NewModel(mcptest.Use("fatal", `{}`), mcptest.Use("cities", `{}`), mcptest.Say("done"))
	found := toolsOf(t, child(c))
	assert.Equal(t, "done", runFunctions(t, toolset.Bind(model, found), found))
	seen := observations(model)
	require.Len(t, seen, 2)
	assert.True(t, strings.HasPrefix(seen[0], "Error:"), seen[0])
	assert.Contains(t, seen[0], "exit code 9")
	assert.Contains(t, seen[0], "out of memory")
	assert.Contains(t, seen[0], "unknown", "it may have run")
	assert.Equal(t, "cities got {}", seen[1], "by a new child")
	assert.Equal(t, 1, c.Received.Count(mcptest.CallOf("fatal")), "what may have run is not sent again")
	assert.Equal(t, 2, c.Started.Count())
}

func TestO93_TheOwnerMayHaveTheErrorInstead(t *testing.T) {
	t.Parallel()
	d := desk(t, mcptest.StreamableHTTP)
	model := mcptest.NewModel(mcptest.Use("cities", `{}`), mcptest.Say("not reached"))
	found := toolsOf(t, describe(d), toolset.WithErrorHook(
		func(_ context.Context, err error, _ string) (string, error) { return "", err }))
	d.Web.Always(mcptest.Any[mcptest.Received], mcptest.Cut)
	_, err := tryFunctions(t.Context(), toolset.Bind(model, found), found)
	var failed *toolset.Error
	require.ErrorAs(t, err, &failed)
	assert.Equal(t, "cities", failed.Tool)
}

func TestO26_NamesThatDifferInCaseAreTwoTools(t *testing.T) {
	t.Parallel()
	d := desk(t, mcptest.InProcess)
	found := toolsOf(t, describe(d))
	lower, upper := shownName(t, found, "get"), shownName(t, found, "Get")
	require.NotEqual(t, strings.ToUpper(lower), strings.ToUpper(upper))

	model := mcptest.NewModel(mcptest.Use(lower, `{}`), mcptest.Use(upper, `{}`), mcptest.Use(strings.ToUpper(lower), `{}`), mcptest.Say("done"))
	runFunctions(t, toolset.Bind(model, found), found)
	assert.Equal(t, []string{"lower {}", "upper {}", "lower {}"}, observations(model))
}

func TestO21_AParameterCalledAsTheAgentsOwn(t *testing.T) {
	t.Parallel()
	for name, input := range map[string]string{
		"all four":                 `{"__arg1":"a","input":"b","name":"c","config":"d"}`,
		"it alone":                 `{"__arg1":"a"}`,
		"a text that is an object": `{"__arg1":"{\"input\":\"b\"}"}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := desk(t, mcptest.InProcess)
			model := mcptest.NewModel(mcptest.Use("odd", input), mcptest.Say("done"))
			found := toolsOf(t, describe(d))
			runFunctions(t, toolset.Bind(model, found), found)
			assert.Equal(t, []string{input}, received(d, "odd"))
			assert.Equal(t, []string{"odd " + input}, observations(model))
		})
	}
}

func TestO33_AnEmptyResultIsNoEmptyMessage(t *testing.T) {
	t.Parallel()
	d := desk(t, mcptest.InProcess)
	found := toolsOf(t, describe(d))
	for name, model := range map[string]*mcptest.Model{
		"bound": mcptest.NewModel(mcptest.Use("silent", `{}`), mcptest.Say("done")),
		"plain": mcptest.NewModel(mcptest.Use("silent", `{}`), mcptest.Say("done")),
	} {
		var asked llms.Model = model
		if name == "bound" {
			asked = toolset.Bind(model, found)
		}
		runFunctions(t, asked, found)
		seen := observations(model)
		require.Len(t, seen, 1)
		assert.NotEmpty(t, strings.TrimSpace(seen[0]), name)
	}
}

func TestB6_AToolThatIsGoneInMidRun(t *testing.T) {
	t.Parallel()
	for _, k := range []mcptest.Kind{mcptest.SSE, mcptest.StreamableHTTP, mcptest.InProcess} {
		t.Run(string(k), func(t *testing.T) {
			t.Parallel()
			d := desk(t, k)
			model := mcptest.NewModel(mcptest.Turn{Func: func(ctx context.Context, _ mcptest.Asked) (*llms.ContentResponse, error) {
				d.Server.DeleteTools("cities")
				return mcptest.NewModel(mcptest.Use("cities", `{}`)).GenerateContent(ctx, nil)
			}}, mcptest.Use("weather", `{"city":"Paris"}`), mcptest.Say("done"))
			found := toolsOf(t, describe(d))
			assert.Equal(t, "done", runFunctions(t, toolset.Bind(model, found), found))
			seen := observations(model)
			require.Len(t, seen, 2)
			assert.True(t, strings.HasPrefix(seen[0], "Error:"), seen[0])
			assert.Contains(t, seen[0], "cities")
			assert.Equal(t, "Sunny in Paris", seen[1], "the others still work")
		})
	}
}

// textCases are ways in which models write a call for an agent that reads
// text, after "Action: TOOL\nAction Input: ".
var textCases = map[string]struct{ tool, input, want string }{
	"an object":                    {"weather", `{"city":"Paris","days":2}`, `{"city":"Paris","days":2}`},
	"a fence":                      {"weather", "```json\n{\"city\":\"Paris\"}\n```", `{"city":"Paris"}`},
	"a fence without a language":   {"weather", "```\n{\"city\": \"Paris\"}\n```", `{"city":"Paris"}`},
	"an observation of its own":    {"weather", "{\"city\":\"Paris\"}\nObservation: Rain in Paris.\nThought: I know.", `{"city":"Paris"}`},
	"the word that should stop it": {"weather", "{\"city\":\"Paris\"}\nObservation:", `{"city":"Paris"}`},
	"the next action, too":         {"weather", "{\"city\":\"Paris\"}\nAction: cities\nAction Input: {}", `{"city":"Paris"}`},
	"words around it":              {"weather", "I ask with {\"city\":\"Paris\"} as usual.", `{"city":"Paris"}`},
	"single quotes":                {"weather", `{'city': 'Paris', 'days': 2}`, `{"city":"Paris","days":2}`},
	"a bare value":                 {"weather", `Paris`, `{"city":"Paris"}`},
	"a quoted value":               {"weather", `"Paris"`, `{"city":"Paris"}`},
	"a text in a text":             {"weather", `"{\"city\":\"Paris\"}"`, `{"city":"Paris"}`},
	"a number as a text":           {"weather", `{"city":"Paris","days":"2"}`, `{"city":"Paris","days":2}`},
	"nested":                       {"book", `{"order":{"id":9007199254740993,"seats":[{"row":1,"seat":"a"}]}}`, `{"order":{"id":9007199254740993,"seats":[{"row":1,"seat":"a"}]}}`},
	"no arguments":                 {"cities", `{}`, `{}`},
	"None":                         {"cities", `None`, `{}`},
	"null":                         {"cities", `null`, `{}`},
	"an empty text":                {"cities", `""`, `{}`},
	"none in words":                {"cities", "{}\nObservation: Rome", `{}`},
	"another case of the name":     {"WEATHER", `{"city":"Paris"}`, `{"city":"Paris"}`},
}

// textAgents are LangChainGo's agents that read text, with the words that end
// their runs.
var textAgents = map[string]struct {
	make func(llms.Model, []tools.Tool) agents.Agent
	done string
}{
	"OneShotAgent": {
		func(m llms.Model, ts []tools.Tool) agents.Agent { return agents.NewOneShotAgent(m, ts) },
		"Thought: I now know the final answer\nFinal Answer: done"},
	"ConversationalAgent": {
		func(m llms.Model, ts []tools.Tool) agents.Agent { return agents.NewConversationalAgent(m, ts) },
		"Thought: Do I need to use a tool? No\nAI: done"},
}

// writes is how a model of a text agent calls a tool.
func writes(tool, input string) mcptest.Turn {
	return mcptest.Say("Thought: Do I need to use a tool? Yes\nAction: " + tool + "\nAction Input: " + input)
}

// prompt is the text a model was asked with.
func prompt(asked mcptest.Asked) string {
	var all strings.Builder
	for _, message := range asked.Messages {
		for _, part := range message.Parts {
			if text, ok := part.(llms.TextContent); ok {
				all.WriteString(text.Text)
			}
		}
	}
	return all.String()
}

func TestO19_TextAgentsCallsAreUnderstood(t *testing.T) {
	t.Parallel()
	for agent, of := range textAgents {
		for name, c := range textCases {
			t.Run(agent+" "+name, func(t *testing.T) {
				t.Parallel()
				d := desk(t, mcptest.InProcess)
				model := mcptest.NewModel(writes(c.tool, c.input), mcptest.Say(of.done))
				found := toolsOf(t, describe(d))
				answer, err := chains.Run(t.Context(), agents.NewExecutor(of.make(model, found)), "What is to be done?")
				require.NoError(t, err)
				assert.Equal(t, "done", strings.TrimSpace(answer))
				assert.Equal(t, []string{c.want}, compact(t, received(d, strings.ToLower(c.tool))))
				assert.Contains(t, prompt(model.Asked.All()[1]), "Observation: ")
			})
		}
	}
}

// compact drops the white space that does not matter.
func compact(t *testing.T, texts []string) []string {
	t.Helper()
	var all []string
	for _, text := range texts {
		var b bytes.Buffer
		require.NoError(t, json.Compact(&b, []byte(text)))
		all = append(all, b.String())
	}
	return all
}

func TestO10_TextAgentsArePromptedWithTheArguments(t *testing.T) {
	t.Parallel()
	for agent, of := range textAgents {
		t.Run(agent, func(t *testing.T) {
			t.Parallel()
			desks(t, func(t *testing.T, d *mcptest.Target) {
				model := mcptest.NewModel(
					writes("weather", `{"city":"Atlantis"}`),
					writes("weather", `{"town":"Paris"}`),
					writes("weather", `{"city":"Paris","unit":"celsius"}`),
					writes("cities", `{}`),
					mcptest.Say(of.done))
				found := toolsOf(t, describe(d))
				answer, err := chains.Run(t.Context(), agents.NewExecutor(of.make(model, found)), "What is to be done?")
				require.NoError(t, err)
				assert.Equal(t, "done", strings.TrimSpace(answer))
				assert.Equal(t, []string{`{"city":"Atlantis"}`, `{"city":"Paris","unit":"celsius"}`}, received(d, "weather"))

				asked := model.Asked.All()
				first, last := prompt(asked[0]), prompt(asked[len(asked)-1])
				for _, tool := range found {
					assert.Contains(t, first, "- "+tool.Name()+": "+tool.Description()+"\n", "one line each")
				}
				assert.Contains(t, first, `unit?: "celsius"|"fahrenheit"`)
				assert.Contains(t, first, "write {} as the input")
				assert.Contains(t, last, "Observation: Error: no such city: Atlantis")
				assert.Contains(t, last, "city: missing", "what was wrong is said")
				assert.Contains(t, last, "Observation: Sunny in Paris")
				assert.Contains(t, last, "Observation: Paris, Berlin")
			})
		})
	}
}
