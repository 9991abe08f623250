package streamable_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/mcptoolset/mcptoolset/internal/httpx"
	"github.com/mcptoolset/mcptoolset/internal/streamable"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// received is a message as the server got it.
type received struct {
	header http.Header
	body   string
}

// connect starts a server that answers every message by handle, and a transport
// to it for which the handshake is over.
func connect(t *testing.T, version string, handle func(w http.ResponseWriter, r received)) (*streamable.Transport, *[]received) {
	t.Helper()
	var mu sync.Mutex
	var all []received
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		got := received{r.Header.Clone(), string(body)}
		mu.Lock()
		all = append(all, got)
		mu.Unlock()
		handle(w, got)
	}))
	base, _ := httpx.Base(nil)
	at, err := url.Parse(web.URL)
	require.NoError(t, err)
	c, err := streamable.New(web.URL, httpx.New(base, at, false, http.Header{}).Client(nil))
	require.NoError(t, err)
	require.NoError(t, c.Start(t.Context()))
	c.SetProtocolVersion(version)
	t.Cleanup(func() {
		_ = c.Close()
		web.Close()
		httpx.CloseIdle(base)
	})
	return c, &all
}

const (
	older = "2025-11-25"
	newer = "2026-07-28"
)

func ask(id int64, params string) transport.JSONRPCRequest {
	return transport.JSONRPCRequest{JSONRPC: "2.0", ID: mcp.NewRequestId(id), Method: "tools/call", Params: json.RawMessage(params)}
}

func says(media, body string) func(http.ResponseWriter, received) {
	return func(w http.ResponseWriter, _ received) {
		w.Header().Set("Content-Type", media)
		_, _ = io.WriteString(w, body)
	}
}

const result = `{"content":[{"type":"text","text":"Grüße & <b>"}],"n":9007199254740993}`

func TestD2_MessageGoesOutAsItIs(t *testing.T) {
	t.Parallel()
	params := `{"name":"a<b>&","arguments":{"n":12345678901234567890.10,"s":"\u00e9 <>&"}}`
	for version, header := range map[string]string{older: older, newer: newer} {
		c, all := connect(t, version, says("application/json", `{"jsonrpc":"2.0","id":7,"result":{}}`))
		request := ask(7, params)
		request.Header = http.Header{"Mcp-Method": {"tools/call"}}
		_, err := c.SendRequest(t.Context(), request)
		require.NoError(t, err)
		require.Len(t, *all, 1)
		got := (*all)[0]
		assert.Equal(t, `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":`+params+`}`, got.body)
		assert.Equal(t, header, got.header.Get("Mcp-Protocol-Version"))
		assert.Equal(t, "application/json", got.header.Get("Content-Type"))
		assert.Equal(t, "application/json, text/event-stream", got.header.Get("Accept"))
		assert.Equal(t, "tools/call", got.header.Get("Mcp-Method"))
	}
}

// TestE2_ResultIsRaw sends the answer in the forms in which it may come: those of
// the short way and those that mcp-go reads. Either way the message is sent once
// and the result is the same.
func TestE2_ResultIsRaw(t *testing.T) {
	t.Parallel()
	answer := `{"jsonrpc":"2.0","id":7,"result":` + result + `}`
	note := `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}`
	large := `{"jsonrpc":"2.0","result":` + strings.Replace(result, "Grüße", strings.Repeat("Grüße", 20_000), 1) + `,"id":7}`
	for name, c := range map[string]struct{ media, body, want string }{
		"plain":                 {"application/json", answer, result},
		"with a charset":        {"application/json; charset=utf-8", answer, result},
		"id behind the result":  {"application/json", `{"result":` + result + `,"id":7,"jsonrpc":"2.0"}`, result},
		"error that is null":    {"application/json", `{"jsonrpc":"2.0","id":7,"error":null,"result":` + result + `}`, result},
		"printed":               {"application/json", "\n " + answer + "\n\n", result},
		"something behind":      {"application/json", answer + "x", result},
		"a member besides":      {"application/json", `{"jsonrpc":"2.0","id":7,"extra":1,"result":` + result + `}`, result},
		"names in upper case":   {"application/json", `{"JSONRPC":"2.0","ID":7,"Result":` + result + `}`, result},
		"large":                 {"application/json", large, ""},
		"event":                 {"text/event-stream", "event: message\ndata: " + answer + "\n\n", result},
		"event without type":    {"text/event-stream", "data:" + answer + "\n\n", result},
		"event with line feeds": {"text/event-stream", "event: message\r\nid: 1\r\ndata: " + answer + "\r\n\r\n", result},
		"large event":           {"text/event-stream", "data: " + large + "\n\n", ""},
		"behind a comment":      {"text/event-stream", ": hello\n\ndata: " + answer + "\n\n", result},
		"behind an id":          {"text/event-stream", "id: 1\nretry: 10\ndata:\n\ndata: " + answer + "\n\n", result},
		"behind a long prelude": {"text/event-stream", strings.Repeat(": hello\n\n", 20_000) + "data: " + answer + "\n\n", result},
		"behind a notice":       {"text/event-stream", "data: " + note + "\n\ndata: " + answer + "\n\n", result},
		"over two lines":        {"text/event-stream", "data: " + strings.Replace(answer, `,"id"`, ",\ndata: \"id\"", 1) + "\n\n", result},
		"without its end":       {"text/event-stream", "data: " + answer + "\n", result},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn, all := connect(t, older, says(c.media, c.body))
			response, err := conn.SendRequest(t.Context(), ask(7, `{}`))
			require.NoError(t, err)
			assert.Len(t, *all, 1)
			assert.Equal(t, "7", fmt.Sprint(response.ID.Value()))
			if c.want == "" {
				assert.Contains(t, string(response.Result), strings.Repeat("Grüße", 20_000))
				return
			}
			assert.Equal(t, c.want, string(response.Result))
		})
	}
}

func TestWhatIsNoResultIsMCPGos(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status            int
		media, body, want string
	}{
		"nothing":           {200, "application/json", "", "EOF"},
		"no JSON":           {200, "application/json", "<html>", "invalid character"},
		"torn":              {200, "application/json", `{"jsonrpc":"2.0","id":7,"result":{`, "unexpected EOF"},
		"another's batch":   {200, "application/json", `[{"jsonrpc":"2.0","id":8,"result":{}}]`, "unexpected nil response"},
		"an empty batch":    {200, "application/json", `[]`, "unexpected nil response"},
		"a torn batch":      {200, "application/json", `[{"jsonrpc":"2.0","id":7,"result":{}}`, "unexpected EOF"},
		"a batch too large": {200, "application/json", `[` + strings.Repeat("1,", 10_000) + `{"jsonrpc":"2.0","id":7,"result":{}}]`, "cannot unmarshal"},
		"no id":             {200, "application/json", `{"jsonrpc":"2.0","result":{}}`, "should contain RPC id"},
		"another type":      {200, "text/html", "x", "unexpected content type"},
		"accepted":          {202, "", "", "unexpected content type"},
		"an empty stream":   {200, "text/event-stream", "", "unexpected nil response"},
		"only comments":     {200, "text/event-stream", ": hello\n\n", "unexpected nil response"},
		"an error's status": {500, "text/plain", "broken", "broken"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn, all := connect(t, older, func(w http.ResponseWriter, _ received) {
				w.Header().Set("Content-Type", c.media)
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.body)
			})
			_, err := conn.SendRequest(t.Context(), ask(7, `{}`))
			assert.ErrorContains(t, err, c.want)
			assert.Len(t, *all, 1, "the message was sent again")
		})
	}
}

func TestErrorOfTheServerIsInTheResponse(t *testing.T) {
	t.Parallel()
	failure := `{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"no","data":[1]}}`
	for name, c := range map[string]struct {
		status      int
		media, body string
	}{
		"plain":             {200, "application/json", failure},
		"event":             {200, "text/event-stream", "data: " + failure + "\n\n"},
		"with a status 400": {400, "application/json", failure},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn, all := connect(t, newer, func(w http.ResponseWriter, _ received) {
				w.Header().Set("Content-Type", c.media)
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.body)
			})
			response, err := conn.SendRequest(t.Context(), ask(7, `{}`))
			require.NoError(t, err)
			require.NotNil(t, response.Error)
			assert.Equal(t, -32602, response.Error.Code)
			assert.Len(t, *all, 1)
		})
	}
}

// TestE9_NoticesBeforeTheAnswerArrive leaves a stream with notices to mcp-go,
// those that came before it was known included.
func TestE9_NoticesBeforeTheAnswerArrive(t *testing.T) {
	t.Parallel()
	conn, _ := connect(t, older, func(w http.ResponseWriter, _ received) {
		w.Header().Set("Content-Type", "text/event-stream")
		for i := range 3 {
			_, _ = fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progress\":%d}}\n\n", i)
			_ = http.NewResponseController(w).Flush()
		}
		_, _ = io.WriteString(w, "data: {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}\n\n")
	})
	var seen []any
	conn.SetNotificationHandler(func(n mcp.JSONRPCNotification) { seen = append(seen, n.Params.AdditionalFields["progress"]) })
	_, err := conn.SendRequest(t.Context(), ask(7, `{}`))
	require.NoError(t, err)
	assert.Equal(t, []any{0.0, 1.0, 2.0}, seen)
}

func TestConnectionIsUsedAgain(t *testing.T) {
	t.Parallel()
	for media, body := range map[string]string{
		"application/json":  `{"jsonrpc":"2.0","id":7,"result":{}}`,
		"text/event-stream": "data: {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}\n\n",
	} {
		var dials atomic.Int64
		web := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { says(media, body)(w, received{}) }))
		web.Config.ConnState = countNew(&dials)
		web.Start()
		base, _ := httpx.Base(nil)
		at, err := url.Parse(web.URL)
		require.NoError(t, err)
		c, err := streamable.New(web.URL, httpx.New(base, at, false, http.Header{}).Client(nil))
		require.NoError(t, err)
		require.NoError(t, c.Start(t.Context()))
		c.SetProtocolVersion(newer)
		for range 5 {
			_, err := c.SendRequest(t.Context(), ask(7, `{}`))
			require.NoError(t, err)
		}
		assert.Equal(t, int64(1), dials.Load(), media)
		_ = c.Close()
		httpx.CloseIdle(base)
		web.Close()
	}
}

func TestF9_CloseEndsWhatIsUnderWay(t *testing.T) {
	t.Parallel()
	for _, media := range []string{"application/json", "text/event-stream"} {
		asked := make(chan struct{})
		left := make(chan struct{})
		conn, _ := connect(t, newer, func(w http.ResponseWriter, _ received) {
			w.Header().Set("Content-Type", media)
			_, _ = io.WriteString(w, " ")
			_ = http.NewResponseController(w).Flush()
			close(asked)
			<-left
		})
		failed := make(chan error, 1)
		go func() {
			_, err := conn.SendRequest(context.Background(), ask(7, `{}`))
			failed <- err
		}()
		<-asked
		require.NoError(t, conn.Close())
		assert.ErrorIs(t, <-failed, context.Canceled, media)
		close(left)
	}
}

func countNew(n *atomic.Int64) func(net.Conn, http.ConnState) {
	return func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			n.Add(1)
		}
	}
}

// TestHandshakeIsMCPGos sends nothing by the short way that mcp-go keeps state of.
func TestHandshakeIsMCPGos(t *testing.T) {
	t.Parallel()
	conn, all := connect(t, older, func(w http.ResponseWriter, r received) {
		w.Header().Set("Mcp-Session-Id", "s1")
		says("application/json", `{"jsonrpc":"2.0","id":7,"result":{}}`)(w, r)
	})
	hello := ask(7, `{}`)
	hello.Method = "initialize"
	_, err := conn.SendRequest(t.Context(), hello)
	require.NoError(t, err)
	_, err = conn.SendRequest(t.Context(), ask(7, `{}`))
	require.NoError(t, err)
	require.Len(t, *all, 2)
	assert.Empty(t, (*all)[0].header.Get("Mcp-Session-Id"))
	assert.Equal(t, "s1", (*all)[1].header.Get("Mcp-Session-Id"))
}
