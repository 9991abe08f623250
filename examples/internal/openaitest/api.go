// Package openaitest plays OpenAI's chat API for the tests of the examples,
// which then use LangChainGo's real openai package without a network or a key.
package openaitest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// API is a server that answers chat completions from a script.
type API struct {
	mu       sync.Mutex
	script   []Turn
	requests []Request
}

// Request is what the examples' tests look at of a request.
type Request struct {
	Messages []Message `json:"messages"`
	Tools    []Tool    `json:"tools"`
}

// Message is one message of a conversation.
type Message struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

// Text is the message's text, whether it came as a string or as parts.
func (m Message) Text() string {
	var text string
	if json.Unmarshal(m.Content, &text) == nil {
		return text
	}
	var parts []struct {
		Text string `json:"text"`
	}
	_ = json.Unmarshal(m.Content, &parts) // what is neither has no text
	for _, part := range parts {
		text += part.Text
	}
	return text
}

// Tool is a definition that the model is offered.
type Tool struct {
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	} `json:"function"`
}

// Last is the text of the last message.
func (r Request) Last() string {
	if len(r.Messages) == 0 {
		return ""
	}
	return r.Messages[len(r.Messages)-1].Text()
}

// A Turn answers one request with the message of the model.
type Turn func(Request) map[string]any

// Say is a turn that is made of text.
func Say(text func(Request) string) Turn {
	return func(r Request) map[string]any {
		return map[string]any{"role": "assistant", "content": text(r)}
	}
}

// Call is a turn that calls a tool.
func Call(tool, arguments string) Turn {
	return func(r Request) map[string]any {
		return map[string]any{"role": "assistant", "content": "", "tool_calls": []any{map[string]any{
			"id": fmt.Sprintf("call_%d", len(r.Messages)), "type": "function",
			"function": map[string]any{"name": tool, "arguments": arguments},
		}}}
	}
}

// Serve starts an API with a script, one turn for each request, and sets the
// environment so that openai.New finds it. It ends with the test.
func Serve(t *testing.T, script ...Turn) *API {
	t.Helper()
	api := &API{script: script}
	web := httptest.NewServer(api)
	t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections() // openai's
		web.Close()
	})
	t.Setenv("OPENAI_API_KEY", "not-a-real-key")
	t.Setenv("OPENAI_BASE_URL", web.URL)
	t.Setenv("OPENAI_MODEL", "scripted")
	return api
}

// ServeHTTP implements http.Handler.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var request Request
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	message, ok := a.answer(request)
	if !ok {
		http.Error(w, `{"error":{"message":"the script has ended"}}`, http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{ // a client that left needs no answer
		"object":  "chat.completion",
		"choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": "stop"}},
	})
}

func (a *API) answer(request Request) (map[string]any, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	turn := len(a.requests)
	a.requests = append(a.requests, request)
	if turn >= len(a.script) {
		return nil, false
	}
	return a.script[turn](request), true
}

// Requests are those received so far.
func (a *API) Requests() []Request {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]Request(nil), a.requests...)
}
