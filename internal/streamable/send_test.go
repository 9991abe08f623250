package streamable_test

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/internal/httpx"
	"github.com/mcptoolset/mcptoolset/internal/streamable"
)

// speaker is a transport to a server at an address, after its handshake, with
// headers of its own, through an owner's client where there is one.
func speaker(t *testing.T, address string, headers http.Header, owner *http.Client) *streamable.Transport {
	t.Helper()
	base, _ := httpx.Base(nil)
	at, err := url.Parse(address)
	require.NoError(t, err)
	c, err := streamable.New(address, httpx.New(base, at, false, headers).Client(owner))
	require.NoError(t, err)
	require.NoError(t, c.Start(t.Context()))
	c.SetProtocolVersion(newer)
	t.Cleanup(func() {
		_ = c.Close()
		httpx.CloseIdle(base)
	})
	return c
}

func TestB10_AServerThatIsNotThereIsARequestError(t *testing.T) {
	t.Parallel()
	web := httptest.NewServer(http.NotFoundHandler())
	web.Close()
	var sent httpx.Exchange
	_, err := speaker(t, web.URL+"/mcp?key=s3cr3t", http.Header{}, nil).SendRequest(httpx.WithExchange(t.Context(), &sent), ask(7, `{}`))
	clean, known := httpx.Clean(err, &sent)
	require.True(t, known)
	var failed *httpx.RequestError
	require.ErrorAs(t, clean, &failed)
	assert.True(t, failed.Unsent)
	assert.Equal(t, http.MethodPost, failed.Method)
	assert.Equal(t, web.URL+"/mcp", failed.URL)
}

// TestO86_RedirectsAreFollowedWithTheMessage has the message arrive whole, with
// its headers, where a redirect on the same server leads.
func TestO86_RedirectsAreFollowedWithTheMessage(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusTemporaryRedirect, http.StatusPermanentRedirect} {
		var at []string
		web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			at = append(at, r.URL.Path+" "+r.Header.Get("X-Key")+" "+string(body))
			if r.URL.Path != "/there" {
				http.Redirect(w, r, "/there", status)
				return
			}
			says("application/json", `{"jsonrpc":"2.0","id":7,"result":{}}`)(w, received{})
		}))
		for _, headers := range []http.Header{{"X-Key": {"k"}}, {"X-Key": {"k"}, "Idempotency-Key": {"i"}}} {
			at = nil
			_, err := speaker(t, web.URL+"/here", headers, nil).SendRequest(t.Context(), ask(7, `{}`))
			require.NoError(t, err)
			const body = ` k {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{}}`
			assert.Equal(t, []string{"/here" + body, "/there" + body}, at)
		}
		web.Close()
	}
}

func TestA4_TheOwnersClientKeepsItsCookiesAndItsRule(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var cookies []string
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/moved" {
			http.Redirect(w, r, "/", http.StatusTemporaryRedirect)
			return
		}
		mu.Lock()
		cookies = append(cookies, r.Header.Get("Cookie"))
		mu.Unlock()
		http.SetCookie(w, &http.Cookie{Name: "a", Value: "b"})
		says("application/json", `{"jsonrpc":"2.0","id":7,"result":{}}`)(w, received{})
	}))
	t.Cleanup(web.Close)
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	c := speaker(t, web.URL, http.Header{}, &http.Client{Jar: jar})
	for range 2 {
		_, err := c.SendRequest(t.Context(), ask(7, `{}`))
		require.NoError(t, err)
	}
	assert.Equal(t, []string{"", "a=b"}, cookies)

	strict := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return assert.AnError }}
	_, err = speaker(t, web.URL+"/moved", http.Header{}, strict).SendRequest(t.Context(), ask(7, `{}`))
	assert.ErrorIs(t, err, assert.AnError)
}
