package mcptest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// Call is a tool that began to run.
type Call struct {
	Tool      string
	Arguments json.RawMessage // exactly as received; nil where there are none
	Session   string          // the server's session id; of no meaning in the modern era
	Header    http.Header     // of the HTTP request; empty on other kinds
	Modern    bool            // the request belongs to the modern era
	PID       int             // the process it ran in
}

// End is a tool that has returned.
type End struct {
	Call
	Cancelled bool // its context had ended
}

// Tool matches calls of one tool.
func Tool(name string) func(Call) bool { return func(c Call) bool { return c.Tool == name } }

// Ended matches ends of one tool.
func Ended(tool string) func(End) bool { return func(e End) bool { return e.Tool == tool } }

// Cancelled matches ends of one tool whose context had ended.
func Cancelled(tool string) func(End) bool {
	return func(e End) bool { return e.Tool == tool && e.Cancelled }
}

// Server is an mcp-go server with tools for tests. It can be used as it is, in
// the same process, and be served by several means at once.
type Server struct {
	*server.MCPServer

	Calls *Journal[Call] // every call of a tool, when it begins
	Ends  *Journal[End]  // and when it has returned

	spec spec
	gate gate
}

// spec is what a server is made of, as data: a child process gets it as JSON.
type spec struct {
	Tools        []string `json:"tools"` // nil = all
	Legacy       bool     `json:"legacy"`
	Instructions string   `json:"instructions"`
	Page         int      `json:"page"`
	Setups       []string `json:"setups"`
}

// Option changes what a server is made of.
type Option func(*spec)

// Tools leaves out all of the standard tools but these. Without names there are
// none. By default a server has all of them.
func Tools(names ...string) Option {
	return func(s *spec) { s.Tools = append([]string{}, names...) }
}

// Legacy makes a server of the era before 2026-07-28: it does not know
// server/discover and refuses requests that carry their protocol version. By
// default a server speaks both eras.
func Legacy() Option { return func(s *spec) { s.Legacy = true } }

// Instructions sets those of the server. By default it has none.
func Instructions(text string) Option { return func(s *spec) { s.Instructions = text } }

// Paged makes lists come in pages of n. By default there is one page.
func Paged(n int) Option { return func(s *spec) { s.Page = n } }

// Setup applies a change to the server that was registered under this name with
// Register: more tools, resources, prompts.
func Setup(name string) Option { return func(s *spec) { s.Setups = append(s.Setups, name) } }

var setups = struct {
	sync.Mutex
	byName map[string]func(*Server)
}{byName: make(map[string]func(*Server))}

// Register gives a change to servers a name, by which Setup finds it in the test
// and in its child processes as well. It is called before Main, in an init
// function or in TestMain. A name can be registered once.
func Register(name string, change func(*Server)) {
	setups.Lock()
	defer setups.Unlock()
	if _, taken := setups.byName[name]; taken {
		panic("mcptest: two setups are called " + name)
	}
	setups.byName[name] = change
}

// New builds a server. Its calls that still run are let go when the test ends.
func New(t testing.TB, opts ...Option) *Server {
	t.Helper()
	s, err := newServer(specOf(opts))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Release)
	return s
}

func specOf(opts []Option) spec {
	var s spec
	for _, opt := range opts {
		opt(&s)
	}
	return s
}

func newServer(spec spec) (*Server, error) {
	s := &Server{Calls: new(Journal[Call]), Ends: new(Journal[End]), spec: spec, gate: newGate()}
	options := []server.ServerOption{
		server.WithToolCapabilities(true),
		server.WithLogging(),
		server.WithHooks(s.hooks()),
		server.WithToolHandlerMiddleware(s.watch),
	}
	if spec.Instructions != "" {
		options = append(options, server.WithInstructions(spec.Instructions))
	}
	if spec.Page > 0 {
		options = append(options, server.WithPaginationLimit(spec.Page))
	}
	s.MCPServer = server.NewMCPServer("mcptest", "1.0.0", options...)
	if err := s.addTools(); err != nil {
		return nil, err
	}
	for _, name := range spec.Setups {
		setups.Lock()
		change, ok := setups.byName[name]
		setups.Unlock()
		if !ok {
			return nil, fmt.Errorf("mcptest: no setup is registered as %q", name)
		}
		change(s)
	}
	return s, nil
}

// addTools adds the standard tools that are wanted.
func (s *Server) addTools() error {
	all := s.standardTools()
	for _, name := range s.spec.Tools {
		if !slices.ContainsFunc(all, func(t server.ServerTool) bool { return t.Tool.Name == name }) {
			return fmt.Errorf("mcptest: no standard tool is called %q", name)
		}
	}
	for _, tool := range all {
		if s.spec.Tools == nil || slices.Contains(s.spec.Tools, tool.Tool.Name) {
			s.AddTools(tool)
		}
	}
	return nil
}

// watch notes the begin and the end of every call.
func (s *Server) watch(next server.ToolHandlerFunc) server.ToolHandlerFunc {
	return func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		call := Call{
			Tool:      r.Params.Name,
			Arguments: slices.Clone(r.Params.RawArguments),
			Session:   sessionOf(ctx),
			Header:    r.Header.Clone(),
			Modern:    server.IsModernRequest(ctx),
			PID:       pid,
		}
		s.Calls.Add(call)
		defer func() { s.Ends.Add(End{Call: call, Cancelled: ctx.Err() != nil}) }()
		return next(ctx, r)
	}
}

func sessionOf(ctx context.Context) string {
	if session := server.ClientSessionFromContext(ctx); session != nil {
		return session.SessionID()
	}
	return ""
}

// Release lets the calls of slow and stubborn return, those at work and those to
// come.
func (s *Server) Release() { s.gate.open() }

// gate holds calls until it is opened, for good.
type gate struct {
	opened chan struct{}
	once   *sync.Once
}

func newGate() gate { return gate{opened: make(chan struct{}), once: new(sync.Once)} }

func (g gate) open() { g.once.Do(func() { close(g.opened) }) }
