package mcptest

import "testing"

// Kind is a way to reach a server.
type Kind string

const (
	Stdio          Kind = "stdio"
	SSE            Kind = "sse"
	StreamableHTTP Kind = "streamable http"
	InProcess      Kind = "in-process"
)

// Kinds are all of them.
var Kinds = []Kind{Stdio, SSE, StreamableHTTP, InProcess}

// Target is a server of any kind. Of Child, Web and Server those are set that the
// kind has: Child for Stdio, Web and Server for SSE and StreamableHTTP, Server for
// InProcess.
type Target struct {
	Kind   Kind
	Child  *Child
	Web    *Endpoint
	Server *Server

	Calls *Journal[Call] // see Server
	Ends  *Journal[End]
}

// Start gives a server of this kind, built of the same options as New.
func Start(t testing.TB, kind Kind, opts ...Option) *Target {
	t.Helper()
	if kind == Stdio {
		child := Command(t, opts...)
		return &Target{Kind: kind, Child: child, Calls: child.Calls, Ends: child.Ends}
	}
	s := New(t, opts...)
	target := &Target{Kind: kind, Server: s, Calls: s.Calls, Ends: s.Ends}
	switch kind {
	case SSE:
		target.Web = s.SSE(t)
	case StreamableHTTP:
		target.Web = s.StreamableHTTP(t)
	case InProcess:
	default:
		t.Fatalf("mcptest: no kind of connection is called %q", kind)
	}
	return target
}

// Release lets the calls of slow and stubborn return.
func (t *Target) Release() {
	if t.Child != nil {
		t.Child.Release("")
		return
	}
	t.Server.Release()
}
