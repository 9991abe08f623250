package mcptest

import (
	"context"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
)

// Endpoint is a server reached over HTTP, whose faults the test chooses. It ends
// with the test.
type Endpoint struct {
	URL string // of the MCP endpoint

	Received *Journal[Received] // every request, before it is answered
	Left     *Journal[Received] // requests whose client went away before they were answered

	web *httptest.Server

	mu       sync.Mutex
	handler  http.Handler
	faults   []*fault
	sessions *sessions // of a streamable HTTP server, else nil
	flushes  *flushes  // of a streamable HTTP server, else nil
	release  []func()  // let go what still runs
}

// fault answers the requests it matches instead of the server.
type fault struct {
	match  func(Received) bool
	answer http.Handler
	once   bool
}

// newEndpoint listens; path is that of the MCP endpoint.
func newEndpoint(t testing.TB, path string) *Endpoint {
	t.Helper()
	e := &Endpoint{Received: new(Journal[Received]), Left: new(Journal[Received])}
	e.web = httptest.NewUnstartedServer(e)
	e.web.Config.ErrorLog = log.New(io.Discard, "", 0) // faults on purpose are no news
	e.web.Start()
	e.URL = e.web.URL + path
	t.Cleanup(e.stop)
	return e
}

// stop ends whatever still runs: a handler that waits would hold up the rest.
func (e *Endpoint) stop() {
	e.mu.Lock()
	release := e.release
	e.mu.Unlock()
	for _, f := range release {
		f()
	}
	e.web.CloseClientConnections()
	e.web.Close()
}

// Once answers the next request that match accepts with answer instead of the
// server, and only that.
func (e *Endpoint) Once(match func(Received) bool, answer http.HandlerFunc) {
	e.add(&fault{match: match, answer: answer, once: true})
}

// Always answers every request that match accepts with answer instead of the
// server, until the returned function is called.
func (e *Endpoint) Always(match func(Received) bool, answer http.HandlerFunc) (end func()) {
	f := &fault{match: match, answer: answer}
	e.add(f)
	return func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.faults = slices.DeleteFunc(e.faults, func(g *fault) bool { return g == f })
	}
}

func (e *Endpoint) add(f *fault) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.faults = append(e.faults, f)
}

// Drop cuts every connection: streams and requests at work end without an answer.
func (e *Endpoint) Drop() { e.web.CloseClientConnections() }

// Forget makes a streamable HTTP server forget its sessions: it answers 404 to
// requests that carry their ids.
func (e *Endpoint) Forget() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.sessions != nil {
		e.sessions.forget()
	}
}

// ServeHTTP notes the request and passes it to a fault or to the server.
func (e *Endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	received := Received{
		Message: readMessage(r),
		HTTP:    r.Method,
		Path:    r.URL.Path,
		Query:   r.URL.RawQuery,
		Host:    r.Host,
		Header:  r.Header.Clone(),
		Session: r.Header.Get("Mcp-Session-Id"),
	}
	if received.Session == "" {
		received.Session = r.URL.Query().Get("sessionId")
	}
	e.Received.Add(received)
	stop := context.AfterFunc(r.Context(), func() { e.Left.Add(received) })
	defer stop()
	handler := e.choose(received)
	if e.flushes != nil {
		w, r = e.flushes.count(w, r)
	}
	handler.ServeHTTP(w, r)
}

func (e *Endpoint) choose(r Received) http.Handler {
	e.mu.Lock()
	defer e.mu.Unlock()
	for i, f := range e.faults {
		if f.match(r) {
			if f.once {
				e.faults = slices.Delete(e.faults, i, i+1)
			}
			return f.answer
		}
	}
	return e.handler
}

// Status is an answer with this status and body; pairs of header names and
// values may follow.
func Status(code int, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

// Hang is no answer at all: the request waits until its client leaves.
func Hang(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// Cut ends the connection without an answer.
func Cut(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
