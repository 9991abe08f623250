package mcptest

import (
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"testing"

	"github.com/mark3labs/mcp-go/server"
)

// StreamableHTTP serves s over streamable HTTP, with sessions in the older era.
func (s *Server) StreamableHTTP(t testing.TB) *Endpoint {
	t.Helper()
	e := newEndpoint(t, "/mcp")
	e.sessions, e.flushes = &sessions{}, &flushes{}
	e.serve(s)
	return e
}

// SSE serves s over the older HTTP+SSE transport.
func (s *Server) SSE(t testing.TB) *Endpoint {
	t.Helper()
	e := newEndpoint(t, "/sse")
	e.flushes = &flushes{}
	e.serve(s)
	return e
}

// Serve puts s in the place of the server at work, as if that had been restarted:
// connections are cut and sessions forgotten. Raw endpoints cannot be replaced.
func (e *Endpoint) Serve(s *Server) {
	e.serve(s)
	e.Forget()
	e.Drop()
}

func (e *Endpoint) serve(s *Server) {
	var handler http.Handler
	if e.sessions != nil {
		handler = server.NewStreamableHTTPServer(s.MCPServer,
			server.WithSessionIdManager(e.sessions),
			server.WithStreamableHTTPLogger(slog.New(slog.DiscardHandler)))
		if s.spec.Legacy {
			handler = legacyOverHTTP(handler)
		}
	} else {
		handler = server.NewSSEServer(s.MCPServer)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.handler = handler
	e.release = append(e.release, s.Release)
}

// sessions are those a streamable HTTP server knows.
type sessions struct {
	mu    sync.Mutex
	last  int
	known map[string]bool
}

var _ server.SessionIdManager = (*sessions)(nil)

// Generate makes the id of a new session.
func (s *sessions) Generate() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	id := fmt.Sprintf("session-%d", s.last)
	if s.known == nil {
		s.known = make(map[string]bool)
	}
	s.known[id] = true
	return id
}

// Validate reports a session that is not known as terminated: status 404.
func (s *sessions) Validate(id string) (terminated bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.known[id], nil
}

// Terminate forgets one session.
func (s *sessions) Terminate(id string) (notAllowed bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.known, id)
	return false, nil
}

func (s *sessions) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.known)
}
