package integration

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/agents"
	"github.com/tmc/langchaingo/chains"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/openai"
	"github.com/tmc/langchaingo/tools"

	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// From a provider's wire to a server's and back: LangChainGo's own openai
// package talks to an API that answers from a script and keeps what it was
// sent, with a real MCP server at the other end.

type object = map[string]any

// completion is one answer of the API.
type completion struct {
	text  string
	calls []completionCall
}

type completionCall struct{ id, name, arguments string }

// completions is the chat completions API. After its script it answers with
// the content of the last message it was sent, so that a test sees that the
// server's words got there.
type completions struct {
	*httptest.Server
	script []completion

	mu       sync.Mutex
	requests []completionsRequest
}

type completionsRequest struct {
	Path          string
	Authorization string
	Members       map[string]json.RawMessage
}

func newCompletions(t *testing.T, script ...completion) *completions {
	t.Helper()
	c := &completions{script: script}
	c.Server = httptest.NewServer(c)
	t.Cleanup(c.Close)
	return c
}

// model is LangChainGo's own for the API.
func (c *completions) model(t *testing.T) llms.Model {
	t.Helper()
	model, err := openai.New(openai.WithToken("sk-test"), openai.WithBaseURL(c.URL+"/v1"), openai.WithModel("gpt-4o"))
	require.NoError(t, err)
	return model
}

func (c *completions) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	request := completionsRequest{Path: r.URL.Path, Authorization: r.Header.Get("Authorization")}
	if err := json.NewDecoder(r.Body).Decode(&request.Members); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	answer := c.keep(request)
	if string(request.Members["stream"]) == "true" {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = w.Write(answer.stream())
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer.plain())
}

// keep notes a request and chooses its answer.
func (c *completions) keep(request completionsRequest) completion {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.requests = append(c.requests, request)
	if step := len(c.requests) - 1; step < len(c.script) {
		return c.script[step]
	}
	var messages []struct{ Content string }
	_ = json.Unmarshal(request.Members["messages"], &messages)
	if len(messages) == 0 {
		return completion{text: "nothing was said"}
	}
	return completion{text: "It says: " + messages[len(messages)-1].Content}
}

// sent are the requests there were.
func (c *completions) sent() []completionsRequest {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]completionsRequest{}, c.requests...)
}

func (a completion) plain() any {
	message, finish := object{"role": "assistant", "content": nil}, "stop"
	if a.text != "" {
		message["content"] = a.text
	}
	var calls []object
	for _, c := range a.calls {
		calls = append(calls, object{"id": c.id, "type": "function", "function": object{"name": c.name, "arguments": c.arguments}})
	}
	if calls != nil {
		message["tool_calls"], finish = calls, "tool_calls"
	}
	return object{
		"id": "chatcmpl-1", "object": "chat.completion", "model": "gpt-4o",
		"choices": []object{{"index": 0, "message": message, "finish_reason": finish}},
		"usage":   object{"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
	}
}

// stream is the answer in the small pieces that the API sends.
func (a completion) stream() []byte {
	var b bytes.Buffer
	event := func(delta object, finish any) {
		raw, _ := json.Marshal(object{"object": "chat.completion.chunk", "choices": []object{{"index": 0, "delta": delta, "finish_reason": finish}}})
		fmt.Fprintf(&b, "data: %s\n\n", raw)
	}
	event(object{"role": "assistant", "content": ""}, nil)
	for _, word := range strings.SplitAfter(a.text, " ") {
		event(object{"content": word}, nil)
	}
	finish := "stop"
	for i, c := range a.calls {
		finish = "tool_calls"
		event(object{"tool_calls": []object{{"index": i, "id": c.id, "type": "function", "function": object{"name": c.name, "arguments": ""}}}}, nil)
		for rest := c.arguments; rest != ""; rest = rest[min(5, len(rest)):] {
			event(object{"tool_calls": []object{{"index": i, "function": object{"arguments": rest[:min(5, len(rest))]}}}}, nil)
		}
	}
	event(object{}, finish)
	_, _ = io.WriteString(&b, "data: [DONE]\n\n")
	return b.Bytes()
}

// journey is a conversation of two steps: two calls at once, of which one
// fails, then one that needs every digit.
var journey = []completion{
	{text: "I look at both.", calls: []completionCall{
		{"call_a", "weather", `{"city":"Paris","unit":"celsius"}`},
		{"call_b", "weather", `{"city":"Atlantis"}`},
	}},
	{calls: []completionCall{{"call_c", "book", `{"order":{"id":9007199254740993,"seats":[{"row":1,"seat":"a"}]}}`}}},
}

const (
	journeyQuestion = "Where shall I go?"
	journeyAnswer   = `It says: booked {"order":{"id":9007199254740993,"seats":[{"row":1,"seat":"a"}]}}`
)

// checkJourney looks at both wires after the conversation.
func checkJourney(t *testing.T, api *completions, d *mcptest.Target, found []tools.Tool, history []string) {
	t.Helper()
	sent := api.sent()
	require.Len(t, sent, 3)
	for _, request := range sent {
		assert.Equal(t, "/v1/chat/completions", request.Path)
		assert.Equal(t, "Bearer sk-test", request.Authorization)
		assert.NotContains(t, request.Members, "functions")
		checkDefinitions(t, request.Members["tools"], found)
	}
	var messages []json.RawMessage
	require.NoError(t, json.Unmarshal(sent[2].Members["messages"], &messages))
	require.Len(t, messages, len(history), "%s", sent[2].Members["messages"])
	for i, want := range history {
		assert.JSONEq(t, want, string(messages[i]), "message %d", i)
	}
	assert.Equal(t, []string{`{"city":"Paris","unit":"celsius"}`, `{"city":"Atlantis"}`}, received(d, "weather"))
	assert.Equal(t, []string{`{"order":{"id":9007199254740993,"seats":[{"row":1,"seat":"a"}]}}`}, received(d, "book"))
}

// checkDefinitions looks at what the API was told of the server's tools.
func checkDefinitions(t *testing.T, sent json.RawMessage, found []tools.Tool) {
	t.Helper()
	var definitions []struct {
		Type     string
		Function struct {
			Name, Description string
			Parameters        json.RawMessage
		}
	}
	require.NoError(t, json.Unmarshal(sent, &definitions))
	require.Len(t, definitions, len(found))
	want := map[string]string{"weather": weatherSchema, "book": bookSchema, "odd": oddSchema, "cities": `{"type":"object","properties":{}}`}
	for i, d := range definitions {
		assert.Equal(t, "function", d.Type)
		assert.Equal(t, found[i].Name(), d.Function.Name, "in the server's order")
		assert.Equal(t, found[i].(*toolset.Tool).OriginalDescription(), d.Function.Description)
		if schema, ok := want[d.Function.Name]; ok {
			assert.JSONEq(t, schema, string(d.Function.Parameters), d.Function.Name)
			delete(want, d.Function.Name)
		}
	}
	assert.Empty(t, want)
}

// The messages of a history, as the API is sent them.

func said(role, text string) string {
	return string(jsonOf(object{"role": role, "content": text}))
}

func called(c completionCall) string {
	return string(jsonOf(object{"role": "assistant", "content": "", "tool_calls": []object{
		{"id": c.id, "type": "function", "function": object{"name": c.name, "arguments": c.arguments}}}}))
}

func answered(c completionCall, text string) string {
	return string(jsonOf(object{"role": "tool", "tool_call_id": c.id, "content": text}))
}

func jsonOf(v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // maps, lists and strings can be written
	}
	return raw
}

// exchanged is the part of the history that the journey's calls make: each call
// alone, with its response behind it.
func exchanged() []string {
	a, b, c := journey[0].calls[0], journey[0].calls[1], journey[1].calls[0]
	return []string{
		called(a), answered(a, "Sunny in Paris"),
		called(b), answered(b, "Error: no such city: Atlantis"),
		called(c), answered(c, "booked "+c.arguments),
	}
}

// streams collects what a streaming function is given.
type streams struct{ strings.Builder }

func (s *streams) take(_ context.Context, chunk []byte) error {
	s.Write(chunk)
	return nil
}

func TestO10_OpenAI_AgentWithBind(t *testing.T) {
	t.Parallel()
	run := func(t *testing.T, opts ...chains.ChainCallOption) {
		api := newCompletions(t, journey...)
		d := desk(t, mcptest.StreamableHTTP)
		found := toolsOf(t, describe(d))
		agent := agents.NewOpenAIFunctionsAgent(toolset.Bind(api.model(t), found), found, agents.NewOpenAIOption().WithSystemMessage("Be brief."))
		answer, err := chains.Run(t.Context(), agents.NewExecutor(agent), journeyQuestion, opts...)
		require.NoError(t, err)
		assert.Equal(t, journeyAnswer, answer)
		// The agent itself drops the text beside calls.
		checkJourney(t, api, d, found, append([]string{said("system", "Be brief."), said("user", journeyQuestion)}, exchanged()...))
	}
	t.Run("plain", func(t *testing.T) {
		t.Parallel()
		run(t)
	})
	t.Run("streaming", func(t *testing.T) {
		t.Parallel()
		var heard streams
		run(t, chains.WithStreamingFunc(heard.take))
		assert.Contains(t, heard.String(), "I look at both.")
		assert.Contains(t, heard.String(), journeyAnswer)
	})
}

func TestO10_OpenAI_HandWrittenLoop(t *testing.T) {
	t.Parallel()
	run := func(t *testing.T, opts ...llms.CallOption) {
		api := newCompletions(t, journey...)
		model := api.model(t)
		d := desk(t, mcptest.Stdio)
		found := toolsOf(t, describe(d))
		opts = append(opts, llms.WithTools(toolset.Definitions(found, toolset.WithModel(model))))
		messages := []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeHuman, journeyQuestion)}
		for {
			response, err := model.GenerateContent(t.Context(), messages, opts...)
			require.NoError(t, err)
			more, err := toolset.Respond(t.Context(), found, response)
			require.NoError(t, err)
			messages = append(messages, more...)
			if len(more) < 2 { // no calls: the model is done
				break
			}
		}
		assert.Equal(t, llms.TextParts(llms.ChatMessageTypeAI, journeyAnswer), messages[len(messages)-1])
		checkJourney(t, api, d, found, append([]string{said("user", journeyQuestion), said("assistant", "I look at both.")}, exchanged()...))
	}
	t.Run("plain", func(t *testing.T) {
		t.Parallel()
		run(t)
	})
	t.Run("streaming", func(t *testing.T) {
		t.Parallel()
		var heard streams
		run(t, llms.WithStreamingFunc(heard.take))
		assert.Contains(t, heard.String(), journeyAnswer)
	})
}
