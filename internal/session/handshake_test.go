package session_test

import (
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/internal/httpx"
	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/internal/session"
	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// streams is an SSE endpoint whose streams are this text and end.
func streams(t *testing.T, text string) *mcptest.Endpoint {
	t.Helper()
	return mcptest.Raw(t, func(w http.ResponseWriter, _ *http.Request, _ mcptest.Message) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, text)
	})
}

// What ends a handshake is told at once: the connect limit of these pools is
// longer than any test may run.
func TestF7_AStreamLostInTheHandshakeIsToldAtOnce(t *testing.T) {
	t.Parallel()
	hangsUp := func(s *mcptest.SSEStream, _ mcptest.Message) { s.Close() }
	hangsUpOn := func(method string) func(*mcptest.SSEStream, mcptest.Message) {
		return func(s *mcptest.SSEStream, m mcptest.Message) {
			if m.Method == method {
				s.Close()
				return
			}
			s.Answer(m)
		}
	}
	for title, web := range map[string]func(t *testing.T) *mcptest.Endpoint{
		"before anything":      func(t *testing.T) *mcptest.Endpoint { return streams(t, "") },
		"before the address":   func(t *testing.T) *mcptest.Endpoint { return streams(t, ": hello\n\nevent: message\ndata: {}\n\n") },
		"after the address":    func(t *testing.T) *mcptest.Endpoint { return streams(t, "event: endpoint\ndata: /message\n\n") },
		"at the first message": func(t *testing.T) *mcptest.Endpoint { return mcptest.RawSSE(t, mcptest.SSEScript{Message: hangsUp}) },
		"at initialize": func(t *testing.T) *mcptest.Endpoint {
			return mcptest.RawSSE(t, mcptest.SSEScript{Message: hangsUpOn("initialize")})
		},
	} {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			p := newPool(t, config.NewSSE(web(t).URL).ConnectTimeout(24*time.Hour))
			_, err := call(t.Context(), p, "t")
			require.ErrorIs(t, err, wire.ErrLost)
		})
	}
}

func TestO86_AnSSEServerThatNamesAnotherHostIsToldAtOnce(t *testing.T) {
	t.Parallel()
	other := mcptest.Raw(t, func(http.ResponseWriter, *http.Request, mcptest.Message) {})
	web := mcptest.RawSSE(t, mcptest.SSEScript{Endpoint: other.URL + "?token=secret-7"})
	p := newPool(t, config.NewSSE(web.URL).ConnectTimeout(24*time.Hour))
	_, err := call(t.Context(), p, "t")
	var astray *httpx.EndpointError
	require.ErrorAs(t, err, &astray)
	assert.ErrorContains(t, err, web.URL)
	assert.ErrorContains(t, err, other.URL)
	assert.NotContains(t, err.Error(), "secret-7")
	assert.Empty(t, other.Received.All())
	assert.Len(t, web.Received.All(), 1, "the era has nothing to do with it")
}

// TestE9_AServerThatDoesNotAnswerTheStreamHoldsUpNobody has the server know of the
// stream before the first request, if it can say so: not every server answers before
// it has a notice to send.
func TestE9_AServerThatDoesNotAnswerTheStreamHoldsUpNobody(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{}, 1)
	web := mcptest.Raw(t, func(w http.ResponseWriter, r *http.Request, m mcptest.Message) {
		if r.Method == http.MethodGet {
			asked <- struct{}{}
			<-r.Context().Done()
			return
		}
		mcptest.Default(w, r, m)
	})
	p := newPool(t, config.NewStreamableHTTP(web.URL).ProtocolVersion("2025-11-25"), func(o *session.Options) { o.Listen = true })
	_, err := call(t.Context(), p, "x")
	require.NoError(t, err)
	<-asked
}
