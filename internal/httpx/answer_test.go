package httpx

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestJ3_AnAnswerIsSentThoughItsContextHasEnded(t *testing.T) {
	t.Parallel()
	got := make(chan string, 10)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- string(body)
		w.WriteHeader(http.StatusAccepted)
	}))
	defer web.Close()
	at, err := url.Parse(web.URL)
	require.NoError(t, err)
	client := New(http.DefaultTransport, at, false, nil).Client(nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for body, sent := range map[string]bool{
		`{"jsonrpc":"2.0","id":1,"result":{}}`:                 true,
		`{"jsonrpc":"2.0","id":1,"error":{"code":-1}}`:         true,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`:       false,
		`{"jsonrpc":"2.0","method":"notifications/cancelled"}`: false,
		`{"jsonrpc":"2.0"}`:                                    false,
		`[`:                                                    false,
	} {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, web.URL, strings.NewReader(body))
		require.NoError(t, err)
		resp, err := client.Do(req)
		if !sent {
			assert.ErrorIs(t, err, context.Canceled, body)
			continue
		}
		require.NoError(t, err, body)
		assert.Equal(t, http.StatusAccepted, resp.StatusCode)
		require.NoError(t, resp.Body.Close())
		assert.Equal(t, body, <-got)
	}
	assert.Empty(t, got)
}
