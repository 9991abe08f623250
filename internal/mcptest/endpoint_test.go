package mcptest

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEndpointKeepsWhatItReceives(t *testing.T) {
	t.Parallel()
	target := Start(t, StreamableHTTP, Legacy())
	c, _ := connect(t, link(t, target))
	request := mcp.CallToolRequest{Header: http.Header{"X-User": {"alice"}}}
	request.Params.Name, request.Params.Arguments = "whoami", map[string]any{"a": 1}
	result, err := c.CallTool(t.Context(), request)
	require.NoError(t, err)
	assert.Contains(t, text(t, result), `"X-User":"alice"`)

	got := target.Web.Received.Wait(t, CallOf("whoami"))
	assert.Equal(t, "POST", got.HTTP)
	assert.Equal(t, "/mcp", got.Path)
	assert.Equal(t, "alice", got.Header.Get("X-User"))
	assert.Equal(t, "session-1", got.Session)
	assert.JSONEq(t, `{"a":1}`, string(got.Arguments()))
	assert.NotEmpty(t, got.Host)
	assert.Equal(t, "alice", target.Calls.Wait(t).Header.Get("X-User"))
	assert.Equal(t, 1, target.Web.Received.Count(Method("initialize")))
	assert.Zero(t, target.Web.Received.Count(Method("initialize"), HTTP("GET")), "all matchers count")

	require.NoError(t, c.Close())
	target.Web.Received.Wait(t, HTTP("DELETE"))
}

func TestFaults(t *testing.T) {
	t.Parallel()
	target := Start(t, StreamableHTTP, Legacy())
	c, _ := connect(t, link(t, target))

	target.Web.Once(CallOf("echo"), Status(503, "busy", "Retry-After", "1"))
	_, err := try(t, c, "echo", nil)
	require.ErrorContains(t, err, "503")
	call(t, c, "echo", nil)

	end := target.Web.Always(CallOf("echo"), Cut)
	for range 2 {
		_, err = try(t, c, "echo", nil)
		require.Error(t, err)
	}
	end()
	call(t, c, "echo", nil)
	assert.Len(t, target.Calls.All(Tool("echo")), 2, "a fault comes before the tool")

	target.Web.Once(CallOf("echo"), Hang)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := c.CallTool(ctx, mcp.CallToolRequest{Params: mcp.CallToolParams{Name: "echo"}})
		ended <- err
	}()
	target.Web.Received.WaitN(t, 6, CallOf("echo"))
	cancel()
	require.ErrorIs(t, <-ended, context.Canceled)
	target.Web.Left.Wait(t, CallOf("echo"))
}

func TestForgottenSessions(t *testing.T) {
	t.Parallel()
	target := Start(t, StreamableHTTP, Legacy())
	c, _ := connect(t, link(t, target))
	call(t, c, "echo", nil)
	target.Web.Forget()
	_, err := try(t, c, "echo", nil)
	require.Error(t, err)
	again, _ := connect(t, link(t, target))
	call(t, again, "echo", nil)
	assert.Equal(t, "session-2", target.Web.Received.All(CallOf("echo"))[2].Session)
}

func TestAnotherServerInItsPlace(t *testing.T) {
	t.Parallel()
	for _, kind := range []Kind{SSE, StreamableHTTP} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			target := Start(t, kind, Legacy())
			c, _ := connect(t, link(t, target))
			call(t, c, "echo", nil)
			lost := make(chan struct{})
			if kind == SSE {
				c.OnConnectionLost(func(error) { close(lost) })
			} else {
				close(lost)
			}
			other := New(t, Tools("counter"), Legacy())
			target.Web.Serve(other)
			<-lost
			again, _ := connect(t, link(t, target))
			assert.Equal(t, "1", text(t, call(t, again, "counter", nil)))
			_, err := try(t, again, "echo", nil)
			assert.Error(t, err)
			other.Calls.Wait(t, Tool("counter"))
		})
	}
}

func TestRaw(t *testing.T) {
	t.Parallel()
	e := Raw(t, func(w http.ResponseWriter, r *http.Request, m Message) {
		switch m.Tool() {
		case "good":
			Reply(w, m, Text("fine"))
		case "bad":
			Refuse(w, m, mcp.INVALID_PARAMS, "no")
		case "stream":
			Stream(w, r, true, []byte(`{"jsonrpc":"2.0","method":"notifications/message","params":{}}`), Result(m, Text("streamed")))
		case "lost":
			Stream(w, r, true)
		default:
			Default(w, r, m, []byte(`{"name":"good","inputSchema":{"type":"object"}}`))
		}
	})
	c, info := connect(t, streamable(t, e))
	assert.Equal(t, "raw", info.ServerInfo.Name)
	require.NoError(t, c.Ping(t.Context()))
	list, err := c.ListTools(t.Context(), mcp.ListToolsRequest{})
	require.NoError(t, err)
	assert.Len(t, list.Tools, 1)
	assert.Equal(t, "fine", text(t, call(t, c, "good", nil)))
	assert.Equal(t, "streamed", text(t, call(t, c, "stream", nil)))
	assert.Equal(t, `other got {"a":1}`, text(t, call(t, c, "other", map[string]any{"a": 1})))
	_, err = try(t, c, "bad", nil)
	assert.ErrorIs(t, err, mcp.ErrInvalidParams)
	_, err = try(t, c, "lost", nil)
	assert.Error(t, err)

	for verb, status := range map[string]int{"GET": 405, "DELETE": 200} {
		request, err := http.NewRequestWithContext(t.Context(), verb, e.URL, nil)
		require.NoError(t, err)
		response, err := e.web.Client().Do(request)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		assert.Equal(t, status, response.StatusCode, verb)
	}
}

func TestRawStreamStaysOpen(t *testing.T) {
	t.Parallel()
	e := Raw(t, func(w http.ResponseWriter, r *http.Request, _ Message) { Stream(w, r, false, []byte("1")) })
	response, err := e.web.Client().Post(e.URL, "application/json", strings.NewReader("{}"))
	require.NoError(t, err)
	const sent = "event: message\ndata: 1\n\n"
	got := make([]byte, len(sent))
	_, err = io.ReadFull(response.Body, got)
	require.NoError(t, err)
	assert.Equal(t, sent, string(got))
	require.NoError(t, response.Body.Close())
	e.Left.Wait(t)
}

func TestRawSSE(t *testing.T) {
	t.Parallel()
	e := RawSSE(t, SSEScript{Message: func(s *SSEStream, m Message) {
		switch m.Tool() {
		case "good":
			s.Send(Result(m, Text("fine")))
		case "lost":
			s.Close()
		case "silent":
		default:
			s.Answer(m)
		}
	}})
	lost := make(chan struct{})
	link := sse(t, e)
	c, _ := connect(t, link)
	c.OnConnectionLost(func(error) { close(lost) })
	assert.Equal(t, "fine", text(t, call(t, c, "good", nil)))
	assert.Equal(t, "1", e.Received.Wait(t, CallOf("good")).Session)
	go func() {
		_, _ = c.CallTool(t.Context(), mcp.CallToolRequest{Params: mcp.CallToolParams{Name: "lost"}})
	}()
	<-lost
	response, err := e.web.Client().Post(e.web.URL+"/message?sessionId=1", "application/json", strings.NewReader("{}"))
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	assert.Equal(t, 404, response.StatusCode)
	require.NoError(t, c.Close())

	again, _ := connect(t, sse(t, e))
	assert.Equal(t, "fine", text(t, call(t, again, "good", nil)))
}

func TestRawSSEThatAnnouncesSomethingElse(t *testing.T) {
	t.Parallel()
	opened := make(chan int, 1)
	e := RawSSE(t, SSEScript{Endpoint: "http://elsewhere.invalid/", Open: func(s *SSEStream) {
		s.Write(": hello\n\n")
		opened <- s.N
	}})
	response, err := e.web.Client().Get(e.URL)
	require.NoError(t, err)
	assert.Equal(t, 1, <-opened)
	const sent = "event: endpoint\ndata: http://elsewhere.invalid/\n\n: hello\n\n"
	got := make([]byte, len(sent))
	_, err = io.ReadFull(response.Body, got)
	require.NoError(t, err)
	assert.Equal(t, sent, string(got))
	e.Drop()
	_, err = response.Body.Read(make([]byte, 1))
	assert.Error(t, err)
	require.NoError(t, response.Body.Close())
}

func TestRequestBodyIsLeftToTheServer(t *testing.T) {
	t.Parallel()
	big := bytes.Repeat([]byte("x"), 1<<20)
	e := Raw(t, func(w http.ResponseWriter, r *http.Request, m Message) {
		body, err := io.ReadAll(r.Body)
		assert.NoError(t, err)
		assert.Equal(t, len(big), len(body))
		assert.Equal(t, len(big), len(m.Raw))
	})
	response, err := e.web.Client().Post(e.URL, "text/plain", bytes.NewReader(big))
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	assert.Equal(t, big, []byte(e.Received.Wait(t).Raw))
}
