package providers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/anthropic"

	"github.com/mcptoolset/mcptoolset/toolset"
)

// Anthropic's messages API. Bedrock has the same body for its Claude models.

var anthropicRules = schemaRules{name: plainName, key: regexp.MustCompile(`^[a-zA-Z0-9_.-]{1,64}$`)}

// messages is that API.
type messages struct{ *tape }

var claude = provider{
	name: "anthropic", profile: toolset.ProfileAnthropic, dialect: asAnthropic, image: toolset.ImageBinary, ids: true,
	start: func(t *testing.T, tp *tape) llms.Model {
		t.Helper()
		web := httptest.NewServer(messages{tp})
		t.Cleanup(web.Close)
		model, err := anthropic.New(anthropic.WithToken("sk-test"), anthropic.WithBaseURL(web.URL+"/v1"), anthropic.WithModel("claude-sonnet-4-5"))
		require.NoError(t, err)
		return model
	},
}

type messagesRequest struct {
	Stream   bool
	System   string
	Tools    []messagesTool
	Messages []message
}

type messagesTool struct {
	Name, Description string
	InputSchema       json.RawMessage `json:"input_schema"`
}

type message struct {
	Role    string
	Content []block
}

type block struct {
	Type, Text string
	ID, Name   string
	Input      json.RawMessage
	ToolUseID  string `json:"tool_use_id"`
	Content    string
	Source     struct {
		MediaType string `json:"media_type"`
		Data      string
	}
}

func (m messages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var asked messagesRequest
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || r.URL.Path != "/v1/messages" {
		http.Error(w, fmt.Sprint(r.URL.Path, err), http.StatusNotFound)
		return
	}
	answer, err := m.take(readMessages(asked))
	switch {
	case err != nil:
		w.WriteHeader(http.StatusBadRequest)
		writeJSON(w, object{"error": object{"message": err.Error()}})
	case asked.Stream:
		w.Header().Set("Content-Type", "text/event-stream")
		for _, event := range answer.messageEvents() {
			fmt.Fprintf(w, "event: message\ndata: %s\n\n", event)
		}
	default:
		_, _ = w.Write(answer.message())
	}
}

// merged joins messages of one role that follow each other, as the API does.
func merged(all []message) []message {
	var joined []message
	for _, m := range all {
		if last := len(joined) - 1; last >= 0 && joined[last].Role == m.Role {
			joined[last].Content = append(joined[last].Content, m.Content...)
			continue
		}
		joined = append(joined, message{m.Role, append([]block(nil), m.Content...)})
	}
	return joined
}

// readMessages makes a request of one to this API, with the reasons to refuse
// it.
func readMessages(asked messagesRequest) (request, error) {
	read := request{streamed: asked.Stream, system: asked.System}
	for _, tool := range asked.Tools {
		read.tools = append(read.tools, definition{tool.Name, tool.Description, tool.InputSchema})
	}
	reasons := anthropicRules.check(read.tools)
	var open map[string]call // of the turn before
	for i, m := range merged(asked.Messages) {
		fault := func(format string, args ...any) {
			reasons = append(reasons, fmt.Sprintf("messages.%d: ", i)+fmt.Sprintf(format, args...))
		}
		if wantsUser := i%2 == 0; wantsUser != (m.Role == "user") {
			fault("the role %q", m.Role)
		}
		made := map[string]call{}
		for _, b := range m.Content {
			read.parts = append(read.parts, b.part(m.Role, open, made, fault))
		}
		if len(open) > 0 {
			fault("%d tool_use ids were found without tool_result blocks immediately after", len(open))
		}
		open = made
	}
	if len(open) > 0 {
		reasons = append(reasons, "the last calls have no answer")
	}
	return read, refuse(reasons)
}

// part reads one block. open are the calls that have to be answered, made are
// those of this message.
func (b block) part(role string, open, made map[string]call, fault func(string, ...any)) part {
	kind := fromUser
	if role == "assistant" {
		kind = fromModel
	}
	switch b.Type {
	case "text":
		if strings.TrimSpace(b.Text) == "" {
			fault("text content blocks must be non-empty")
		}
		return part{kind: kind, text: b.Text}
	case "image":
		return imagePart(b.Source.MediaType, b.Source.Data)
	case "tool_use":
		c := call{b.ID, b.Name, string(b.Input)}
		if !plainName.MatchString(b.ID) || !plainName.MatchString(b.Name) || !isObject(c.arguments) || role != "assistant" {
			fault("the call %+v", c)
		}
		made[b.ID] = c
		return part{kind: aCall, call: c}
	case "tool_result":
		to, ok := open[b.ToolUseID]
		if !ok || role != "user" {
			fault("unexpected tool_use_id %q", b.ToolUseID)
		}
		delete(open, b.ToolUseID)
		return part{kind: anAnswer, call: to, text: b.Content}
	default:
		fault("the block type %q", b.Type)
		return part{}
	}
}

func (t turn) stopReason() string {
	if len(t.calls) > 0 {
		return "tool_use"
	}
	return "end_turn"
}

// message is the whole answer at once. Arguments are put in as they are, even
// where they are no object.
func (t turn) message() []byte {
	blocks := []object{}
	if t.text != "" {
		blocks = append(blocks, object{"type": "text", "text": t.text})
	}
	for _, c := range t.calls {
		blocks = append(blocks, object{"type": "tool_use", "id": c.id, "name": c.name, "input": json.RawMessage(c.arguments)})
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(object{
		"id": "msg_1", "type": "message", "role": "assistant", "model": "claude", "content": blocks,
		"stop_reason": t.stopReason(), "usage": object{"input_tokens": 1, "output_tokens": 1},
	})
	return out.Bytes()
}

// messageEvents are the answer in small pieces.
func (t turn) messageEvents() []json.RawMessage {
	var events []json.RawMessage
	event := func(e object) {
		raw, _ := json.Marshal(e)
		events = append(events, raw)
	}
	event(object{"type": "message_start", "message": object{
		"id": "msg_1", "type": "message", "role": "assistant", "model": "claude", "content": []object{}, "usage": object{"input_tokens": 1, "output_tokens": 0}}})
	index := 0
	content := func(start object, deltas []object) {
		event(object{"type": "content_block_start", "index": index, "content_block": start})
		for _, delta := range deltas {
			event(object{"type": "content_block_delta", "index": index, "delta": delta})
		}
		event(object{"type": "content_block_stop", "index": index})
		index++
	}
	if t.text != "" {
		var deltas []object
		for _, piece := range pieces(t.text, 7) {
			deltas = append(deltas, object{"type": "text_delta", "text": piece})
		}
		content(object{"type": "text", "text": ""}, deltas)
	}
	for _, c := range t.calls {
		deltas := []object{{"type": "input_json_delta", "partial_json": ""}}
		for _, piece := range pieces(c.arguments, 5) {
			deltas = append(deltas, object{"type": "input_json_delta", "partial_json": piece})
		}
		content(object{"type": "tool_use", "id": c.id, "name": c.name, "input": object{}}, deltas)
	}
	event(object{"type": "message_delta", "delta": object{"stop_reason": t.stopReason()}, "usage": object{"output_tokens": 1}})
	event(object{"type": "message_stop"})
	return events
}
