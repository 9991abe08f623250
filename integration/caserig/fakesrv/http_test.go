package fakesrv

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`
	call  = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t","arguments":{"n":1.10}}}`
)

// fake serves a scenario, with its log.
type fake struct {
	t   *testing.T
	url string
	log string
}

func start(t *testing.T, sc Scenario) fake {
	t.Helper()
	dir := t.TempDir()
	b, err := json.Marshal(sc)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "s.json"), b, 0o600))
	s, err := Load(filepath.Join(dir, "s.json"), filepath.Join(dir, "log"))
	require.NoError(t, err)
	s.other = "http://other.test"
	srv := httptest.NewServer(s.mux())
	t.Cleanup(srv.Close)
	return fake{t, srv.URL, filepath.Join(dir, "log")}
}

// post sends a message in a session and gives status, body and session id.
func (f fake) post(sid, body string) (int, string, string) {
	f.t.Helper()
	req, err := http.NewRequest(http.MethodPost, f.url+"/mcp", strings.NewReader(body))
	require.NoError(f.t, err)
	if sid != "" {
		req.Header.Set("Mcp-Session-Id", sid)
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(f.t, err)
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	require.NoError(f.t, err)
	return res.StatusCode, string(b), res.Header.Get("Mcp-Session-Id")
}

func (f fake) events(ev string) []Rec {
	f.t.Helper()
	b, err := os.ReadFile(f.log)
	require.NoError(f.t, err)
	var out []Rec
	for line := range strings.Lines(string(b)) {
		var r Rec
		require.NoError(f.t, json.Unmarshal([]byte(line), &r))
		if r.Ev == ev {
			out = append(out, r)
		}
	}
	return out
}

func TestStreamable_EchoesRawArgumentsAndLogsThem(t *testing.T) {
	t.Parallel()
	f := start(t, Scenario{})
	status, _, sid := f.post("", hello)
	require.Equal(t, http.StatusOK, status)
	require.NotEmpty(t, sid)
	_, body, _ := f.post(sid, call)
	assert.JSONEq(t, `{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"t got {\"n\":1.10}"}]}}`, body)
	in := f.events(EvIn)
	require.Len(t, in, 2)
	assert.Equal(t, call, in[1].Raw)
	assert.Equal(t, sid, in[1].Session)
	assert.Len(t, f.events(EvEffect), 1)
}

func TestStreamable_ForgetsSessions(t *testing.T) {
	t.Parallel()
	f := start(t, Scenario{Session: Session{ExpireCalls: 1, ExpireTimes: 1, UnknownStatus: 400, UnknownBody: "who?"}})
	_, _, first := f.post("", hello)
	status, _, _ := f.post(first, call)
	require.Equal(t, http.StatusOK, status)
	status, body, _ := f.post(first, call)
	assert.Equal(t, http.StatusBadRequest, status)
	assert.Equal(t, "who?", body)
	_, _, second := f.post("", hello)
	for range 3 {
		status, _, _ = f.post(second, call)
		assert.Equal(t, http.StatusOK, status, "only the first session expires")
	}
	assert.Len(t, f.events(EvEffect), 4)
}

func TestRules_FirstMatchWithinItsCountAndPhaseWins(t *testing.T) {
	t.Parallel()
	f := start(t, Scenario{Rules: []Rule{
		{Tool: "t", Phase: 1, Text: "phase one"},
		{Tool: "t", From: 2, To: 2, Status: 503, Body: "busy", NoEffect: true},
		{Method: "tools/call", Counter: true},
	}})
	_, _, sid := f.post("", hello)
	_, body, _ := f.post(sid, call)
	assert.Contains(t, body, `"text":"1"`)
	status, body, _ := f.post(sid, call)
	assert.Equal(t, http.StatusServiceUnavailable, status)
	assert.Equal(t, "busy", body)
	require.NoError(t, SetPhase(f.log, 1))
	_, body, _ = f.post(sid, call)
	assert.Contains(t, body, "phase one")
	assert.Len(t, f.events(EvEffect), 2, "the refused call did not run")
}

func TestRules_BreakTheTransportAfterTheToolRan(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]Rule{"drop": {Drop: true}, "half": {DropAfter: 10}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r.Method = "tools/call"
			f := start(t, Scenario{Rules: []Rule{r}})
			_, _, sid := f.post("", hello)
			req, err := http.NewRequest(http.MethodPost, f.url+"/mcp", strings.NewReader(call))
			require.NoError(t, err)
			req.Header.Set("Mcp-Session-Id", sid)
			res, err := http.DefaultTransport.RoundTrip(req)
			if err == nil {
				_, err = io.ReadAll(res.Body)
				require.NoError(t, res.Body.Close())
			}
			require.Error(t, err)
			assert.Len(t, f.events(EvEffect), 1)
		})
	}
}

func TestAuth_AndRedirect(t *testing.T) {
	t.Parallel()
	f := start(t, Scenario{Auth: &Auth{Header: "Authorization", Value: "Bearer x"}})
	status, _, _ := f.post("", hello)
	assert.Equal(t, http.StatusUnauthorized, status)

	f = start(t, Scenario{Rules: []Rule{{Method: "tools/call", Redirect: true}}})
	_, _, sid := f.post("", hello)
	status, _, _ = f.post(sid, call)
	assert.Equal(t, http.StatusTemporaryRedirect, status)
}

func TestSSE_AnswersOnTheStream(t *testing.T) {
	t.Parallel()
	f := start(t, Scenario{Rules: []Rule{{Method: "tools/call", EndStream: true, From: 2}}})
	res, err := http.Get(f.url + "/sse")
	require.NoError(t, err)
	defer res.Body.Close()
	stream := bufio.NewScanner(res.Body)
	next := func() string {
		for stream.Scan() {
			if data, ok := strings.CutPrefix(stream.Text(), "data: "); ok {
				return data
			}
		}
		return ""
	}
	endpoint := f.url + next()
	send := func(body string) int {
		res, err := http.Post(endpoint, "application/json", strings.NewReader(body))
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		return res.StatusCode
	}
	assert.Equal(t, http.StatusAccepted, send(call))
	assert.Contains(t, next(), "t got")
	assert.Equal(t, http.StatusAccepted, send(call))
	assert.Empty(t, next(), "the stream ends instead of an answer")
	assert.Equal(t, http.StatusNotFound, send(call))
}

func TestPlain_AnswersWhatTheScenarioHolds(t *testing.T) {
	t.Parallel()
	f := start(t, Scenario{
		Pages: map[string]Raw{"": Raw(`{"tools":[],"nextCursor":"b"}`), "b": Raw(`{"tools":[]}`)},
		Reads: map[string]Raw{"a://1": Raw(`{"contents":[]}`)},
	})
	_, _, sid := f.post("", hello)
	for _, tc := range []struct{ method, params, want string }{
		{"tools/list", `{}`, `"nextCursor":"b"`},
		{"tools/list", `{"cursor":"b"}`, `{"tools":[]}`},
		{"tools/list", `{"cursor":"z"}`, `-32602`},
		{"resources/read", `{"uri":"a://1"}`, `{"contents":[]}`},
		{"resources/read", `{"uri":"a://2"}`, `-32002`},
		{"resources/list", `{}`, `-32601`},
		{"server/discover", `{}`, `-32601`},
		{"tools/call", `"odd"`, ` got (arguments missing)`},
		{"ping", `{}`, `"result":{}`},
	} {
		_, body, _ := f.post(sid, `{"jsonrpc":"2.0","id":"x","method":"`+tc.method+`","params":`+tc.params+`}`)
		assert.Contains(t, body, tc.want, tc.method)
		assert.Contains(t, body, `"id":"x"`, tc.method)
	}
}

func TestHang_EndsWhenStopped(t *testing.T) {
	t.Parallel()
	url, stop, err := Hang()
	require.NoError(t, err)
	stop()
	_, err = http.Get(url)
	require.Error(t, err)
}
