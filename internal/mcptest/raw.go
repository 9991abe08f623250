package mcptest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"
)

// Raw is a streamable HTTP endpoint where handle answers every request, as it
// likes; m is empty for a GET or DELETE. Default, Reply and Refuse help.
func Raw(t testing.TB, handle func(w http.ResponseWriter, r *http.Request, m Message)) *Endpoint {
	t.Helper()
	e := newEndpoint(t, "/mcp")
	e.mu.Lock()
	defer e.mu.Unlock()
	e.handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handle(w, r, readMessage(r)) })
	return e
}

// Default answers as a plain server of the older era: it knows initialize, ping,
// tools/list with these tools and tools/call of any tool, whose answer is "NAME got
// ARGUMENTS", and says "method not found" to the rest. Notifications and answers
// get 202, GET 405, DELETE 200. It hands out no session id.
func Default(w http.ResponseWriter, r *http.Request, m Message, tools ...json.RawMessage) {
	if r.Method == http.MethodGet {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	if r.Method == http.MethodDelete {
		return
	}
	if body, ok := defaultAnswer(m, tools); ok {
		writeJSON(w, http.StatusOK, body)
		return
	}
	w.WriteHeader(http.StatusAccepted)
}

// Reply answers m with a result.
func Reply(w http.ResponseWriter, m Message, result any) {
	writeJSON(w, http.StatusOK, Result(m, result))
}

// Refuse answers m with a JSON-RPC error, under status 200.
func Refuse(w http.ResponseWriter, m Message, code int, text string) {
	writeJSON(w, http.StatusOK, Failure(m, code, text))
}

// Stream answers with an event stream of these messages and leaves it open until
// the client leaves, unless end says otherwise.
func Stream(w http.ResponseWriter, r *http.Request, end bool, messages ...[]byte) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, m := range messages {
		_, _ = fmt.Fprintf(w, "event: message\ndata: %s\n\n", m)
	}
	_ = http.NewResponseController(w).Flush()
	if !end {
		<-r.Context().Done()
	}
}

// SSEScript is what a raw server of the older HTTP+SSE transport does. Its zero
// value announces its own message endpoint and never answers.
type SSEScript struct {
	// Endpoint is announced to clients. By default "/message?sessionId=N" for
	// the N-th stream.
	Endpoint string
	// Open is called when a stream was opened and the endpoint announced.
	Open func(s *SSEStream)
	// Message is called with each message, after it was accepted with 202.
	Message func(s *SSEStream, m Message)
}

// SSEStream is the stream of one client. It is safe for concurrent use.
type SSEStream struct {
	N int // counted from 1

	mu     sync.Mutex
	w      http.ResponseWriter
	closed chan struct{}
	once   sync.Once
	done   chan struct{}
}

// Send sends a message.
func (s *SSEStream) Send(message []byte) {
	s.Write("event: message\ndata: " + string(message) + "\n\n")
}

// Answer sends the answer of a plain server of the older era, see Default.
func (s *SSEStream) Answer(m Message, tools ...json.RawMessage) {
	if body, ok := defaultAnswer(m, tools); ok {
		s.Send(body)
	}
}

// Write sends these bytes as they are. After the end of the stream it has no
// effect.
func (s *SSEStream) Write(raw string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.w == nil {
		return
	}
	_, _ = io.WriteString(s.w, raw)
	_ = http.NewResponseController(s.w).Flush()
}

// Close ends the stream.
func (s *SSEStream) Close() { s.once.Do(func() { close(s.closed) }) }

// Done is closed when the stream has ended and its session is forgotten.
func (s *SSEStream) Done() <-chan struct{} { return s.done }

// RawSSE is an endpoint of the older HTTP+SSE transport that follows a script.
func RawSSE(t testing.TB, script SSEScript) *Endpoint {
	t.Helper()
	e := newEndpoint(t, "/sse")
	raw := &rawSSE{script: script, streams: make(map[string]*SSEStream)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /sse", raw.open)
	mux.HandleFunc("POST /message", raw.message)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.handler = mux
	e.release = append(e.release, raw.close)
	return e
}

type rawSSE struct {
	script SSEScript

	mu      sync.Mutex
	streams map[string]*SSEStream
	last    int
}

func (s *rawSSE) open(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	stream, id := s.add(w)
	defer close(stream.done)
	defer s.remove(id)
	endpoint := s.script.Endpoint
	if endpoint == "" {
		endpoint = "/message?sessionId=" + id
	}
	stream.Write("event: endpoint\ndata: " + endpoint + "\n\n")
	if s.script.Open != nil {
		s.script.Open(stream)
	}
	select {
	case <-stream.closed:
	case <-r.Context().Done():
	}
	stream.mu.Lock()
	defer stream.mu.Unlock()
	stream.w = nil // the handler returns: nobody may write any more
}

func (s *rawSSE) add(w http.ResponseWriter) (*SSEStream, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	stream := &SSEStream{N: s.last, w: w, closed: make(chan struct{}), done: make(chan struct{})}
	id := fmt.Sprint(s.last)
	s.streams[id] = stream
	return stream, id
}

func (s *rawSSE) remove(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.streams, id)
}

func (s *rawSSE) message(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	stream := s.streams[r.URL.Query().Get("sessionId")]
	s.mu.Unlock()
	if stream == nil {
		http.Error(w, "no such session", http.StatusNotFound)
		return
	}
	m := readMessage(r)
	w.WriteHeader(http.StatusAccepted)
	_ = http.NewResponseController(w).Flush()
	if s.script.Message != nil && len(bytes.TrimSpace(m.Raw)) > 0 {
		s.script.Message(stream, m)
	}
}

func (s *rawSSE) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, stream := range s.streams {
		stream.Close()
	}
}
