package streamable_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/internal/httpx"
	"github.com/mcptoolset/mcptoolset/internal/streamable"
)

// TestE9_TheStreamForNoticesBeginsWithInitialize asks a server that answers
// server/discover and wants initialize all the same. mcp-go would take the first
// answer for the end of the handshake: it would never listen, or would try to
// without a session.
func TestE9_TheStreamForNoticesBeginsWithInitialize(t *testing.T) {
	t.Parallel()
	const answer = `{"jsonrpc":"2.0","id":7,"result":{"supportedVersions":["2025-11-25"]}}`
	for name, c := range map[string]struct{ media, body string }{
		"plain":           {"application/json", answer},
		"event":           {"text/event-stream", "data: " + answer + "\n\n"},
		"behind a notice": {"text/event-stream", "data: {\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n\ndata: " + answer + "\n\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { checkListening(t, c.media, c.body) })
		})
	}
}

func checkListening(t *testing.T, media, body string) {
	listened := make(chan string, 9)
	server := roundTrip(func(r *http.Request) *http.Response {
		resp := &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {media}}, Body: io.NopCloser(strings.NewReader(body)), Request: r}
		switch {
		case r.Method == http.MethodGet:
			listened <- r.Header.Get("Mcp-Session-Id")
			resp.StatusCode = http.StatusMethodNotAllowed
		case r.Header.Get("Mcp-Protocol-Version") == "": // of initialize
			resp.Header.Set("Mcp-Session-Id", "s1")
		}
		return resp
	})
	at := &url.URL{Scheme: "http", Host: "example.com"}
	c, err := streamable.New(at.String(), httpx.New(server, at, false, http.Header{}).Client(nil), transport.WithContinuousListening())
	require.NoError(t, err)
	defer c.Close()
	require.NoError(t, c.Start(t.Context()))

	probe, hello := ask(7, `{}`), ask(7, `{}`)
	probe.Method, hello.Method = "server/discover", "initialize"
	c.SetProtocolVersion(newer)
	_, err = c.SendRequest(t.Context(), probe)
	require.NoError(t, err)
	synctest.Wait()
	c.SetProtocolVersion("")
	assert.Empty(t, listened, "not before there is a session")
	_, err = c.SendRequest(t.Context(), hello)
	require.NoError(t, err)
	synctest.Wait()
	require.Len(t, listened, 1)
	assert.Equal(t, "s1", <-listened)
}

type roundTrip func(*http.Request) *http.Response

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r), nil }
