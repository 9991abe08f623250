package oauth_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// once is a body that can be read once and tells when it is closed.
type once struct {
	io.Reader
	closed atomic.Bool
}

func (o *once) Close() error { o.closed.Store(true); return nil }

func TestABodyIsSentAgainWhole(t *testing.T) {
	t.Parallel()
	large := strings.Repeat("0123456789", 100_000)
	for name, body := range map[string]func() (io.Reader, string){
		"with GetBody":      func() (io.Reader, string) { return strings.NewReader(large), large },
		"without GetBody":   func() (io.Reader, string) { return io.MultiReader(strings.NewReader(large)), large },
		"an empty one":      func() (io.Reader, string) { return io.MultiReader(), "" },
		"none":              func() (io.Reader, string) { return nil, "" },
		"one that says so":  func() (io.Reader, string) { return http.NoBody, "" },
		"a buffer's second": func() (io.Reader, string) { b := bytes.NewBufferString("ab"); b.Next(1); return b, "b" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newTown(t)
			tr := newTransport(t, w.config())
			for range 2 { // once refused, once with a token
				reader, want := body()
				req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.desk.url(), reader)
				require.NoError(t, err)
				header := req.Header.Clone()
				resp, err := tr.RoundTrip(req)
				require.NoError(t, err)
				got, err := io.ReadAll(resp.Body)
				require.NoError(t, err)
				assert.True(t, want == string(got), "%d bytes of %d", len(got), len(want))
				assert.Equal(t, header, req.Header, "the request is the caller's")
				w.issuer.revoke()
			}
		})
	}
}

func TestABodyIsClosedWhateverHappens(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	w.issuer.deny = "access_denied"
	tr := newTransport(t, w.config())
	body := &once{Reader: strings.NewReader("hello")}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.desk.url(), body)
	require.NoError(t, err)
	_, err = tr.RoundTrip(req)
	require.Error(t, err)
	assert.True(t, body.closed.Load())

	broken := errors.New("the disk is gone")
	body = &once{Reader: io.MultiReader(strings.NewReader("hel"), failingReader{broken})}
	req.Body = body
	_, err = tr.RoundTrip(req)
	require.ErrorIs(t, err, broken)
	assert.True(t, body.closed.Load())
}

type failingReader struct{ err error }

func (f failingReader) Read([]byte) (int, error) { return 0, f.err }

func TestF6_ARequestWithACredentialOfItsOwnIsLeftAlone(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	tr := newTransport(t, w.config())
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.desk.url(), nil)
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer mine")
	resp, err := tr.RoundTrip(req)
	require.NoError(t, err)
	assert.Equal(t, 401, resp.StatusCode)
	assert.Equal(t, "Bearer mine", w.desk.requests[0].Header.Get("Authorization"))
	assert.Zero(t, w.issuer.count("authorize"))
}

func TestF6_NoTokenGoesToAnotherOrigin(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	tr := newTransport(t, w.config())
	require.NoError(t, say(t, tr, w.desk.url(), "hello"))
	for _, host := range []string{"other.example", "desk.example:8443", "desk.example:80", "sub.desk.example", "desk.example.evil.example"} {
		for _, scheme := range []string{"https", "http"} {
			var seen http.Header
			w.hosts[host] = http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { seen = r.Header })
			resp, err := tr.Client().Get(scheme + "://" + host + "/mcp")
			require.NoError(t, err)
			resp.Body.Close()
			assert.NotContains(t, seen, "Authorization", host)
		}
	}
	var seen http.Header
	w.hosts["desk.example"] = http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { seen = r.Header })
	resp, err := tr.Client().Get("http://desk.example/mcp")
	require.NoError(t, err)
	resp.Body.Close()
	assert.NotContains(t, seen, "Authorization", "plain http")
	w.hosts["DESK.example:443"] = w.hosts["desk.example"]
	resp, err = tr.Client().Get("HTTPS://DESK.example:443/mcp")
	require.NoError(t, err)
	resp.Body.Close()
	assert.Contains(t, seen, "Authorization", "the same origin in other words")
}

func TestF6_ATokenStaysWithTheIssuerAndResourceItIsFrom(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	c := w.config()
	tr := newTransport(t, c)
	require.NoError(t, say(t, tr, w.desk.url(), "hello"))
	spent := w.issuer.minted

	other := newTown(t) // the server moves to another issuer
	other.issuer.URL = "https://other.example"
	other.issuer.describe()
	other.issuer.resource = w.desk.url()
	w.hosts["other.example"] = other.issuer.Config.Handler
	w.desk.issuer = other.issuer
	w.desk.prm["authorization_servers"] = []string{"https://other.example"}
	require.NoError(t, say(t, tr, w.desk.url(), "hello"))
	assert.Equal(t, 1, other.issuer.count("register"), "a registration is for one issuer")
	assert.Zero(t, other.issuer.count("refresh_token"))
	for _, form := range other.issuer.forms {
		for _, secret := range spent {
			assert.NotContains(t, form.Encode(), secret)
		}
	}
}
