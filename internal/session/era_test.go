package session_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/internal/session"
)

// turncoat is a server of one era that becomes one of the other, and refuses
// what is said to it in the way of the first.
type turncoat struct {
	mu       sync.Mutex
	status   int
	body     string // %s is the id of the request
	modern   bool
	sessions bool
	ran      int
}

func (s *turncoat) turn(status int, body string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.modern, s.status, s.body = !s.modern, status, body
}

func (s *turncoat) runs() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ran
}

func (s *turncoat) serve(w http.ResponseWriter, r *http.Request, m mcptest.Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	modern := mcp.IsModernProtocol(m.Version())
	switch {
	case m.ID == nil:
		mcptest.Default(w, r, m)
	case m.Method == "server/discover" && s.modern:
		mcptest.Reply(w, m, json.RawMessage(`{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"serverInfo":{"name":"t","version":"1"}}`))
	case m.Method == "server/discover", m.Method == "initialize" && s.modern:
		mcptest.Refuse(w, m, mcp.METHOD_NOT_FOUND, "Method not found")
	case m.Method == "initialize":
		if s.sessions {
			w.Header().Set("Mcp-Session-Id", "s")
		}
		mcptest.Default(w, r, m)
	case modern != s.modern:
		if s.body[0] == '{' {
			w.Header().Set("Content-Type", "application/json")
		}
		w.WriteHeader(s.status)
		_, _ = fmt.Fprintf(w, s.body, m.ID)
	case m.Method == "tools/call":
		s.ran++
		mcptest.Reply(w, m, json.RawMessage(`{"resultType":"complete","content":[{"type":"text","text":"done"}]}`))
	default:
		mcptest.Default(w, r, m)
	}
}

func TestF7_AServerThatIsReplacedByOneOfTheOtherEra(t *testing.T) {
	t.Parallel()
	refusals := map[string]struct {
		status int
		body   string
		modern bool // before it turns
		sure   bool // it certainly did not run
	}{
		"older, in words":              {400, "Bad Request: unsupported protocol version%.0s", true, false},
		"older, invalid request":       {400, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32600,"message":"unsupported version"}}`, true, false},
		"older, of no request":         {400, `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Server not initialized"}}%.0s`, true, false},
		"older, of another id":         {400, `{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"Missing session ID"}}%.0s`, true, false},
		"older, by the code for it":    {400, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32022,"message":"no","data":{"supported":["2025-11-25"]}}}`, true, true},
		"older, by the code, with 200": {200, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32022,"message":"no","data":{"supported":["2025-11-25"]}}}`, true, true},
		"newer, by the code for it":    {400, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32022,"message":"no","data":{"supported":["2026-07-28"]}}}`, false, true},
		"newer, headers that are not":  {400, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32020,"message":"no Mcp-Method"}}`, false, true},
		"newer, invalid request":       {400, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32600,"message":"no _meta"}}`, false, false},
		"newer, in words":              {400, "Bad Request%.0s", false, false},
	}
	for name, c := range refusals {
		for _, safe := range []bool{false, true} {
			for _, sessions := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s/safe %t/sessions %t", name, safe, sessions), func(t *testing.T) {
					t.Parallel()
					s := &turncoat{modern: c.modern, sessions: sessions}
					web := mcptest.Raw(t, s.serve)
					p := newPool(t, config.NewStreamableHTTP(web.URL), withProvider)
					call := func() error {
						op, err := p.Begin(as(t, "alice"))
						require.NoError(t, err)
						_, err = op.Call(t.Context(), session.Call{Name: "charge", Arguments: json.RawMessage(`{}`), Safe: safe})
						return err
					}
					require.NoError(t, call())
					s.turn(c.status, c.body)
					err, ran := call(), 1
					if safe || c.sure {
						require.NoError(t, err)
						ran++
					} else {
						require.Error(t, err)
					}
					assert.Equal(t, ran, s.runs())
					require.NoError(t, call(), "the next call finds the new server")
					assert.Equal(t, ran+1, s.runs(), "nothing runs twice")
					s.turn(400, refusals["older, invalid request"].body)
					_ = call()
					require.NoError(t, call(), "and the first one again")
				})
			}
		}
	}
}

func TestF7_ADoubtThatIsNotBorneOutIsNotAskedAboutAgain(t *testing.T) {
	t.Parallel()
	for _, safe := range []bool{false, true} {
		web := mcptest.Raw(t, (&turncoat{modern: true}).serve)
		web.Always(mcptest.Method("tools/call"), mcptest.Status(400, "bad"))
		p := newPool(t, config.NewStreamableHTTP(web.URL))
		op, err := p.Begin(t.Context())
		require.NoError(t, err)
		_, err = op.Call(t.Context(), session.Call{Name: "charge", Arguments: json.RawMessage(`{}`), Safe: safe})
		require.Error(t, err)
		want := map[bool]int{false: 1, true: 2}[safe]
		assert.Equal(t, want, web.Received.Count(mcptest.Method("tools/call")))
		assert.Equal(t, want, web.Received.Count(mcptest.Method("server/discover")))
	}
}
