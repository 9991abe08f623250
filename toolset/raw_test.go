package toolset_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// raw is a streamable HTTP server of the older era that answers with whatever
// a test wants, broken or not.
type raw struct {
	*httptest.Server
	// answer gives the result of a request, or an error object when it begins
	// with "!".
	answer func(r request) string

	mu   sync.Mutex
	seen []request
}

type request struct {
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	headers http.Header
}

const hello = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"raw","version":"1"}}`

func newRaw(t *testing.T, answer func(r request) string) *raw {
	t.Helper()
	s := &raw{answer: answer}
	s.Server = httptest.NewServer(s)
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

func (s *raw) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	var m request
	if json.Unmarshal(body, &m) != nil {
		w.WriteHeader(http.StatusOK)
		return
	}
	m.headers = r.Header.Clone()
	s.mu.Lock()
	s.seen = append(s.seen, m)
	s.mu.Unlock()
	if m.ID == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	answer := s.respond(m)
	w.Header().Set("Content-Type", "application/json")
	if m.Method == "initialize" {
		w.Header().Set("Mcp-Session-Id", "session of "+r.Header.Get("X-User"))
	}
	if answer[0] == '!' {
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":%s}`, m.ID, answer[1:])
		return
	}
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, answer)
}

func (s *raw) respond(m request) string {
	if answer := s.answer(m); answer != "" {
		return answer
	}
	switch m.Method {
	case "initialize":
		return hello
	case "tools/call":
		return `{"content":[{"type":"text","text":"ok"}]}`
	}
	return `!{"code":-32601,"message":"Method not found"}`
}

// of returns what was seen of a method.
func (s *raw) of(method string) []request {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []request
	for _, r := range s.seen {
		if r.Method == method {
			all = append(all, r)
		}
	}
	return all
}

// lists answers tools/list with the tools given as JSON, and nothing else.
func lists(tools string) func(request) string {
	return func(r request) string {
		if r.Method == "tools/list" {
			return `{"tools":` + tools + `}`
		}
		return ""
	}
}

func (s *raw) config() *config.Builder { return config.NewStreamableHTTP(s.URL).Name("raw") }

func open(t *testing.T, b *config.Builder, opts ...toolset.Option) *toolset.Toolset {
	t.Helper()
	cfg, err := b.Build()
	require.NoError(t, err)
	ts, err := toolset.New(cfg, opts...)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, ts.Close()) })
	return ts
}

func names(t *testing.T, ts *toolset.Toolset) []string {
	t.Helper()
	found, err := ts.Tools(t.Context())
	require.NoError(t, err)
	all := []string{}
	for _, tool := range found {
		all = append(all, tool.Name())
	}
	return all
}
