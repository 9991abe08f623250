package providers

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/openai"

	"github.com/mcptoolset/mcptoolset/toolset"
)

// The chat completions API, as OpenAI and those who speak its language have it.

type object = map[string]any

var openAIRules = schemaRules{name: plainName, maxTools: 128, depth: 10, listed: true}

// completions is that API.
type completions struct {
	*tape
	whole bool // a stream has each call in one piece, as Ollama's has
}

var openAI = provider{
	name: "openai", profile: toolset.ProfileOpenAI, dialect: asSent, image: toolset.ImageDataURL, ids: true, digits: true, words: true,
	start: func(t *testing.T, tp *tape) llms.Model { return startCompletions(t, &completions{tape: tp}, "gpt-4o") },
}

// ollama is the API that Ollama has beside its own.
var ollama = provider{
	name: "ollama through openai", profile: toolset.ProfileOpenAI, dialect: asSent, image: toolset.ImageDataURL, ids: true, digits: true, words: true,
	start: func(t *testing.T, tp *tape) llms.Model {
		return startCompletions(t, &completions{tape: tp, whole: true}, "qwen3:8b")
	},
}

func startCompletions(t *testing.T, c *completions, name string) llms.Model {
	t.Helper()
	web := httptest.NewServer(c)
	t.Cleanup(web.Close)
	model, err := openai.New(openai.WithToken("sk-test"), openai.WithBaseURL(web.URL+"/v1"), openai.WithModel(name))
	require.NoError(t, err)
	return model
}

type completionsRequest struct {
	Stream   bool
	Tools    []completionsTool
	Messages []completionsMessage
}

type completionsTool struct {
	Type     string
	Function struct {
		Name, Description string
		Parameters        json.RawMessage
	}
}

type completionsMessage struct {
	Role       string
	Content    json.RawMessage
	ToolCallID string            `json:"tool_call_id"`
	ToolCalls  []completionsCall `json:"tool_calls"`
}

type completionsCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

func (c *completions) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var asked completionsRequest
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || r.URL.Path != "/v1/chat/completions" {
		http.Error(w, fmt.Sprint(r.URL.Path, err), http.StatusNotFound)
		return
	}
	answer, err := c.take(readCompletions(asked))
	switch {
	case err != nil:
		w.WriteHeader(http.StatusBadRequest)
		writeJSON(w, object{"error": object{"message": err.Error()}})
	case asked.Stream:
		w.Header().Set("Content-Type", "text/event-stream")
		c.stream(w, answer)
	default:
		writeJSON(w, answer.completion())
	}
}

func writeJSON(w io.Writer, v any) { _ = json.NewEncoder(w).Encode(v) }

// readCompletions makes a request of one to this API, with the reasons to
// refuse it.
func readCompletions(asked completionsRequest) (request, error) {
	read := request{streamed: asked.Stream}
	var reasons []string
	for _, tool := range asked.Tools {
		if tool.Type != "function" {
			reasons = append(reasons, "a tool of type "+tool.Type)
		}
		read.tools = append(read.tools, definition{tool.Function.Name, tool.Function.Description, tool.Function.Parameters})
	}
	reasons = append(reasons, openAIRules.check(read.tools)...)
	open := map[string]call{}
	for i, m := range asked.Messages {
		fault := func(format string, args ...any) {
			reasons = append(reasons, fmt.Sprintf("messages[%d]: ", i)+fmt.Sprintf(format, args...))
		}
		if m.Role != "tool" && len(open) > 0 {
			fault("%d calls before it have no answer", len(open))
		}
		switch m.Role {
		case "system":
			read.system = m.text()
		case "user":
			read.parts = append(read.parts, m.said(fromUser)...)
		case "assistant":
			read.parts = append(read.parts, m.said(fromModel)...)
			for _, made := range m.ToolCalls {
				asCall := call{made.ID, made.Function.Name, made.Function.Arguments}
				if made.ID == "" || made.Type != "function" || !plainName.MatchString(asCall.name) || !isObject(asCall.arguments) {
					fault("the call %+v", made)
				}
				open[made.ID] = asCall
				read.parts = append(read.parts, part{kind: aCall, call: asCall})
			}
		case "tool":
			to, ok := open[m.ToolCallID]
			if !ok {
				fault("an answer to no call before it: %q", m.ToolCallID)
			}
			delete(open, m.ToolCallID)
			read.parts = append(read.parts, part{kind: anAnswer, call: to, text: m.text()})
		default:
			fault("the role %q", m.Role)
		}
	}
	if len(open) > 0 {
		reasons = append(reasons, "the last calls have no answer")
	}
	return read, refuse(reasons)
}

func isObject(text string) bool {
	var members map[string]json.RawMessage
	return json.Unmarshal([]byte(text), &members) == nil && members != nil
}

// said are the parts of a message: its content may be a text or a list.
func (m completionsMessage) said(kind partKind) []part {
	var text string
	if json.Unmarshal(m.Content, &text) == nil {
		if text == "" {
			return nil
		}
		return []part{{kind: kind, text: text}}
	}
	var items []struct {
		Type, Text string
		ImageURL   struct{ URL string } `json:"image_url"`
	}
	_ = json.Unmarshal(m.Content, &items)
	var parts []part
	for _, item := range items {
		if mimeType, data, ok := strings.Cut(strings.TrimPrefix(item.ImageURL.URL, "data:"), ";base64,"); ok {
			parts = append(parts, imagePart(mimeType, data))
			continue
		}
		parts = append(parts, part{kind: kind, text: item.Text})
	}
	return parts
}

func (m completionsMessage) text() string {
	var all strings.Builder
	for _, p := range m.said(fromUser) {
		all.WriteString(p.text)
	}
	return all.String()
}

func (c call) completionsCall() completionsCall {
	made := completionsCall{ID: c.id, Type: "function"}
	made.Function.Name, made.Function.Arguments = c.name, c.arguments
	return made
}

func (t turn) finish() string {
	if len(t.calls) > 0 {
		return "tool_calls"
	}
	return "stop"
}

// completion is the whole answer at once.
func (t turn) completion() any {
	message := object{"role": "assistant", "content": t.text}
	var calls []completionsCall
	for _, c := range t.calls {
		calls = append(calls, c.completionsCall())
	}
	if calls != nil {
		message["tool_calls"] = calls
	}
	return object{
		"id": "chatcmpl-1", "object": "chat.completion", "model": "a-model", "created": 1,
		"choices": []object{{"index": 0, "message": message, "finish_reason": t.finish()}},
		"usage":   object{"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
	}
}

// stream writes the answer in small pieces.
func (c *completions) stream(w io.Writer, t turn) {
	event := func(delta object, finish any) {
		raw, _ := json.Marshal(object{"object": "chat.completion.chunk", "choices": []object{{"index": 0, "delta": delta, "finish_reason": finish}}})
		fmt.Fprintf(w, "data: %s\n\n", raw)
	}
	event(object{"role": "assistant", "content": ""}, nil)
	for _, piece := range pieces(t.text, 7) {
		event(object{"content": piece}, nil)
	}
	for i, made := range t.calls {
		first := object{"index": i, "id": made.id, "type": "function", "function": object{"name": made.name, "arguments": ""}}
		if c.whole {
			first["function"] = object{"name": made.name, "arguments": made.arguments}
			event(object{"tool_calls": []object{first}}, nil)
			continue
		}
		event(object{"tool_calls": []object{first}}, nil)
		for _, piece := range pieces(made.arguments, 5) {
			event(object{"tool_calls": []object{{"index": i, "function": object{"arguments": piece}}}}, nil)
		}
	}
	event(object{}, t.finish())
	_, _ = io.WriteString(w, "data: [DONE]\n\n")
}
