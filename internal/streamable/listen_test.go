package streamable_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/internal/httpx"
	"github.com/mcptoolset/mcptoolset/internal/streamable"
)

// TestE9_TheStreamForNoticesBeginsWithInitialize asks a server that answers
// server/discover and wants initialize all the same. mcp-go would take the first
// answer for the end of the handshake: it would never listen, or without the
// session.
func TestE9_TheStreamForNoticesBeginsWithInitialize(t *testing.T) {
	t.Parallel()
	for name, frame := range map[string]func(string) (media, body string){
		"plain": func(answer string) (string, string) { return "application/json", answer },
		"event": func(answer string) (string, string) { return "text/event-stream", "data: " + answer + "\n\n" },
		"behind a notice": func(answer string) (string, string) {
			return "text/event-stream", "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}\n\ndata: " + answer + "\n\n"
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			listened := make(chan string, 9)
			web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method != http.MethodPost {
					if r.Method == http.MethodGet {
						listened <- r.Header.Get("Mcp-Session-Id")
					}
					w.WriteHeader(http.StatusMethodNotAllowed)
					return
				}
				body, _ := io.ReadAll(r.Body)
				if strings.Contains(string(body), `"initialize"`) {
					w.Header().Set("Mcp-Session-Id", "s1")
				}
				media, text := frame(`{"jsonrpc":"2.0","id":7,"result":{"supportedVersions":["2025-11-25"]}}`)
				says(media, text)(w, received{})
			}))
			base, _ := httpx.Base(nil)
			at, err := url.Parse(web.URL)
			require.NoError(t, err)
			c, err := streamable.New(web.URL, httpx.New(base, at, false, http.Header{}).Client(nil), transport.WithContinuousListening())
			require.NoError(t, err)
			t.Cleanup(func() {
				_ = c.Close()
				web.Close()
				httpx.CloseIdle(base)
			})
			life, end := context.WithCancel(t.Context())
			defer end()
			require.NoError(t, c.Start(life))

			probe, hello := ask(7, `{}`), ask(7, `{}`)
			probe.Method, hello.Method = "server/discover", "initialize"
			c.SetProtocolVersion(newer)
			_, err = c.SendRequest(t.Context(), probe)
			require.NoError(t, err)
			c.SetProtocolVersion("")
			_, err = c.SendRequest(t.Context(), hello)
			require.NoError(t, err)
			assert.Equal(t, "s1", <-listened)
			assert.Empty(t, listened)
		})
	}
}
