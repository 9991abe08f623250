package httpx_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/internal/httpx"
)

// site serves one handler and keeps the headers it was sent.
type site struct {
	*httptest.Server
	seen chan http.Header
}

func newSite(t *testing.T, handler http.HandlerFunc) *site {
	t.Helper()
	s := &site{seen: make(chan http.Header, 16)}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.seen <- r.Header.Clone()
		handler(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func status(code int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

func client(t *testing.T, address string, sse bool, headers http.Header) *http.Client {
	t.Helper()
	origin, err := url.Parse(address)
	require.NoError(t, err)
	base, own := httpx.Base(nil)
	require.True(t, own)
	t.Cleanup(func() { httpx.CloseIdle(base) })
	return httpx.New(base, origin, sse, headers).Client(nil)
}

func post(t *testing.T, c *http.Client, ctx context.Context, address string, header http.Header) (*http.Response, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(`{"jsonrpc":"2.0","id":1}`))
	require.NoError(t, err)
	if header != nil {
		req.Header = header
	}
	resp, err := c.Do(req)
	if err == nil {
		t.Cleanup(func() { resp.Body.Close() })
	}
	return resp, err
}

func clean(err error) error {
	cleaned, _ := httpx.Clean(err, nil)
	return cleaned
}

func TestF1_HeadersOfTheOperationGoBeforeThoseOfTheSession(t *testing.T) {
	t.Parallel()
	s := newSite(t, status(200, ""))
	c := client(t, s.URL, false, http.Header{"Authorization": {"session"}})

	ctx := httpx.WithHeaders(context.Background(), http.Header{"Authorization": {"operation"}})
	_, err := post(t, c, ctx, s.URL, nil)
	require.NoError(t, err)
	seen := <-s.seen
	assert.Equal(t, "operation", seen.Get("Authorization"))

	_, err = post(t, c, context.Background(), s.URL, nil)
	require.NoError(t, err)
	assert.Equal(t, "session", (<-s.seen).Get("Authorization"))
}

func TestO86_NothingFollowsARedirectToAnotherHost(t *testing.T) {
	t.Parallel()
	for _, code := range []int{
		http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect,
	} {
		for _, method := range []string{http.MethodPost, http.MethodGet, http.MethodDelete} {
			other := newSite(t, status(200, ""))
			foreign := strings.Replace(other.URL, "127.0.0.1", "localhost", 1)
			home := newSite(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, foreign+"/mcp?token=secret-7", code) })
			c := client(t, home.URL, false, http.Header{"Authorization": {"Bearer token-1"}})

			req, err := http.NewRequestWithContext(t.Context(), method, home.URL+"/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1}`))
			require.NoError(t, err)
			_, err = c.Do(req)
			var refusal *httpx.StatusError
			require.ErrorAs(t, err, &refusal, "%s %d", method, code)
			assert.Equal(t, code, refusal.Status)
			assert.Contains(t, refusal.Error(), foreign+"/mcp", "where it leads")
			assert.Contains(t, refusal.Error(), "configure that URL")
			assert.NotContains(t, clean(err).Error(), "secret-7")
			assert.Empty(t, other.seen)
		}
	}
}

func TestF6_ARedirectOnTheSameHostKeepsTheHeaders(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			http.Redirect(w, r, "/mcp", http.StatusTemporaryRedirect)
		}
	})
	c := client(t, s.URL, false, http.Header{"X-Api-Key": {"key-123"}})
	_, err := post(t, c, context.Background(), s.URL+"/", nil)
	require.NoError(t, err)
	<-s.seen
	assert.Equal(t, "key-123", (<-s.seen).Get("X-Api-Key"))
}

func TestARedirectThatDropsTheMessageNamesTheWayOut(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/elsewhere?token=secret-7", http.StatusFound)
	})
	_, err := post(t, client(t, s.URL, false, nil), context.Background(), s.URL, nil)
	err = clean(err)
	require.ErrorContains(t, err, "/elsewhere")
	assert.NotContains(t, err.Error(), "secret-7")
}

func TestO90_ARefusalKeepsStatusAndBody(t *testing.T) {
	t.Parallel()
	for code, body := range map[int]string{
		401: "sign in", 403: `{"message":"key revoked"}`, 404: "no such thing", 429: "slow down", 500: `{"error":"x"}`, 503: "",
	} {
		s := newSite(t, status(code, body))
		_, err := post(t, client(t, s.URL, false, nil), context.Background(), s.URL+"/mcp?token=secret-7", nil)
		var refusal *httpx.StatusError
		require.ErrorAs(t, err, &refusal, code)
		assert.Equal(t, code, refusal.Status)
		assert.Equal(t, body, refusal.Body)
		assert.Equal(t, "7", refusal.Header.Get("Retry-After"))
		assert.False(t, refusal.SessionGone(), "the request was in no session")
		assert.NotContains(t, clean(err).Error(), "secret-7")
		assert.Equal(t, code == 401, errors.Is(err, transport.ErrAuthorizationRequired))
	}
}

func TestF7_ARefusedSessionIsGone(t *testing.T) {
	t.Parallel()
	const lost = `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no valid session"}}`
	for code, gone := range map[int]bool{400: true, 404: true, 401: false, 500: false} {
		s := newSite(t, status(code, lost))
		_, err := post(t, client(t, s.URL, false, nil), context.Background(), s.URL, http.Header{"Mcp-Session-Id": {"1"}})
		var refusal *httpx.StatusError
		require.ErrorAs(t, err, &refusal)
		assert.Equal(t, gone, refusal.SessionGone(), code)
		assert.Equal(t, gone, errors.Is(err, transport.ErrSessionTerminated), code)

		_, err = post(t, client(t, s.URL, true, nil), context.Background(), s.URL, nil)
		require.ErrorAs(t, err, &refusal)
		assert.Equal(t, gone, refusal.SessionGone(), "every message over SSE is in a session")
	}
}

func TestF7_AnErrorWithAnIDOfItsOwnIsNoAnswer(t *testing.T) {
	t.Parallel()
	const lost = `{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"Session not found"}}`
	for _, code := range []int{400, 404} {
		for _, session := range []string{"", "1"} {
			s := newSite(t, status(code, lost))
			header := http.Header{}
			if session != "" {
				header.Set("Mcp-Session-Id", session)
			}
			_, err := post(t, client(t, s.URL, false, nil), context.Background(), s.URL, header)
			var refusal *httpx.StatusError
			require.ErrorAs(t, err, &refusal)
			assert.Equal(t, lost, refusal.Body)
			assert.Equal(t, session != "", refusal.SessionGone())
		}
	}
}

func TestAnErrorOfJSONRPCInARefusalIsAnAnswer(t *testing.T) {
	t.Parallel()
	const body = `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"bad"}}`
	for _, code := range []int{400, 404, 500} {
		s := newSite(t, status(code, body))
		resp, err := post(t, client(t, s.URL, false, nil), context.Background(), s.URL, http.Header{"Mcp-Session-Id": {"1"}})
		require.NoError(t, err)
		got, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		assert.Equal(t, body, string(got))
		assert.Equal(t, 400, resp.StatusCode, "the one mcp-go reads the body of")
	}
}

func TestA8_ABodyThatRepeatsSecretsDoesNotShowThem(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(403)
		_, _ = io.WriteString(w, "bad token "+r.Header.Get("Authorization")+" key "+r.Header.Get("X-Api-Key")+" query "+r.URL.RawQuery)
	})
	c := client(t, s.URL+"?token=query-777", false, http.Header{"Authorization": {"Bearer tok-123"}, "X-Api-Key": {"key-456"}})
	_, err := post(t, c, context.Background(), s.URL+"?token=query-777", nil)
	require.ErrorContains(t, clean(err), "bad token")
	for _, secret := range []string{"tok-123", "key-456", "query-777"} {
		assert.NotContains(t, clean(err).Error(), secret)
	}
}

func TestALongBodyIsCutOnARuneBorder(t *testing.T) {
	t.Parallel()
	s := newSite(t, status(500, strings.Repeat("é", 5000)))
	_, err := post(t, client(t, s.URL, false, nil), context.Background(), s.URL, nil)
	var refusal *httpx.StatusError
	require.ErrorAs(t, err, &refusal)
	assert.Less(t, len(refusal.Body), 2100)
	assert.NotContains(t, refusal.Body, "\uFFFD")
}

func TestO85_AnUnreachableServerIsNamedWithoutSecrets(t *testing.T) {
	t.Parallel()
	const address = "http://user:pass-99@127.0.0.1:1/mcp?token=abc-777"
	_, err := post(t, client(t, address, false, nil), context.Background(), address, nil)
	err = clean(err)
	var failed *httpx.RequestError
	require.ErrorAs(t, err, &failed)
	assert.Contains(t, err.Error(), "POST http://127.0.0.1:1/mcp")
	assert.Contains(t, err.Error(), "refused")
	assert.NotContains(t, err.Error(), "pass-99")
	assert.NotContains(t, err.Error(), "abc-777")
}

func TestTheUserOfTheURLIsSentToItsServerOnly(t *testing.T) {
	t.Parallel()
	s := newSite(t, status(200, ""))
	c := client(t, strings.Replace(s.URL, "http://", "http://user:pass@", 1), false, nil)
	_, err := post(t, c, context.Background(), s.URL, nil)
	require.NoError(t, err)
	r := &http.Request{Header: <-s.seen}
	user, password, ok := r.BasicAuth()
	assert.True(t, ok)
	assert.Equal(t, "user:pass", user+":"+password)
}

func TestA4_TheOwnersClientIsNotWrittenTo(t *testing.T) {
	t.Parallel()
	owner := &http.Client{Timeout: 1, Jar: nil}
	before := *owner
	origin := &url.URL{Scheme: "http", Host: "127.0.0.1:1"}
	copied := httpx.New(http.DefaultTransport, origin, false, nil).Client(owner)
	assert.Equal(t, before.Timeout, owner.Timeout)
	assert.Nil(t, owner.Transport)
	assert.Nil(t, owner.CheckRedirect)
	assert.Zero(t, copied.Timeout, "it would cut streams")
}

func TestF8_ARequestWithoutAConnectionWasNotSent(t *testing.T) {
	t.Parallel()
	send := func(address string) *httpx.RequestError {
		var e httpx.Exchange
		_, err := post(t, client(t, address, false, nil), httpx.WithExchange(context.Background(), &e), address, nil)
		var failed *httpx.RequestError
		cleaned, known := httpx.Clean(err, &e)
		require.True(t, known)
		require.ErrorAs(t, cleaned, &failed)
		return failed
	}
	assert.True(t, send("http://127.0.0.1:1/").Unsent)
	s := newSite(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	assert.False(t, send(s.URL).Unsent, "the server read it and hung up")
}

func TestF8_AHeaderIsNoLeaveToSendTwice(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"Idempotency-Key", "X-Idempotency-Key"} {
		var calls atomic.Int32
		s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
			if calls.Add(1) > 1 {
				panic(http.ErrAbortHandler) // on a connection that was used before
			}
		})
		c := client(t, s.URL, false, http.Header{name: {"1"}})
		resp, err := post(t, c, context.Background(), s.URL, nil)
		require.NoError(t, err)
		_, err = io.Copy(io.Discard, resp.Body)
		require.NoError(t, err)
		resp.Body.Close()
		_, err = post(t, c, context.Background(), s.URL, nil)
		require.Error(t, err)
		assert.EqualValues(t, 2, calls.Load(), name)
	}
}

func TestA8_ARedirectThatCannotBeReadIsNotShown(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", "http://a b/%zz?"+r.URL.RawQuery)
		w.WriteHeader(http.StatusTemporaryRedirect)
	})
	_, err := post(t, client(t, s.URL, false, nil), context.Background(), s.URL+"?api_key=query-777", nil)
	require.ErrorContains(t, clean(err), "307")
	assert.NotContains(t, err.Error()[strings.Index(err.Error(), ": "):], "query-777")
	assert.NotContains(t, clean(err).Error(), "query-777")
}
