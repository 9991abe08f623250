package oauth_test

import (
	"context"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/oauth"
	"github.com/mcptoolset/mcptoolset/toolset"
)

func TestAuthorizeIsNotBoundByTheToolsetsLimits(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	d := newDesk(t, i)
	tr := newTransport(t, userConfig(t, d))
	require.NoError(t, tr.Authorize(t.Context()))
	assert.Equal(t, 1, i.count("authorize"))
	require.NoError(t, tr.Authorize(t.Context()), "and once more finds the token")

	cfg, err := config.NewStreamableHTTP(d.url()).HTTPClient(tr.Client()).Build()
	require.NoError(t, err)
	ts, err := toolset.New(cfg)
	require.NoError(t, err)
	defer ts.Close()
	before := len(d.requests)
	_, err = call(t, ts, "read")
	require.NoError(t, err)
	for _, r := range d.requests[before:] {
		assert.NotEmpty(t, r.Header.Get("Authorization"), "no call is refused first")
	}
	assert.Equal(t, 1, i.count("authorize"))
}

func TestAuthorizeWaitsForASlowUser(t *testing.T) {
	inTown(t, func(t *testing.T, w *town) {
		c := w.config()
		agree := w.agree()
		c.AuthorizationCode.Prompt = oauth.Prompt(func(ctx context.Context, page string) (string, error) {
			time.Sleep(4 * time.Minute) // longer than requests and handshakes may take
			return agree(ctx, page)
		})
		tr := newTransport(t, c)
		var group sync.WaitGroup
		for range 3 {
			group.Go(func() { assert.NoError(t, tr.Authorize(t.Context())) })
		}
		group.Go(func() { assert.NoError(t, say(t, tr, w.desk.url(), "hello")) })
		group.Wait()
		assert.Equal(t, 1, w.issuer.count("authorize"))
	})
}

func TestAuthorizeEndsWithItsContext(t *testing.T) {
	inTown(t, func(t *testing.T, w *town) {
		c := w.config()
		agree, agreed := w.agree(), make(chan struct{})
		c.AuthorizationCode.Prompt = oauth.Prompt(func(ctx context.Context, page string) (string, error) {
			<-agreed
			return agree(ctx, page)
		})
		tr := newTransport(t, c)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		require.ErrorIs(t, tr.Authorize(ctx), context.DeadlineExceeded)
		close(agreed)
		require.NoError(t, say(t, tr, w.desk.url(), "hello"), "what it began goes on")
		assert.Equal(t, 1, w.issuer.count("authorize"))
	})
}

func TestAuthorizeFindsTheWayIn(t *testing.T) {
	t.Parallel()
	answer := func(status int) func(http.Handler) http.Handler {
		return func(http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
		}
	}
	for name, c := range map[string]struct {
		server  func(guarded http.Handler) http.Handler // what is at /mcp
		without bool                                    // metadata
		asked   int
	}{
		"a server that refuses": {server: func(h http.Handler) http.Handler { return h }, asked: 1},
		"a server that takes no POST": {server: func(h http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodPost {
					w.WriteHeader(http.StatusMethodNotAllowed)
					return
				}
				h.ServeHTTP(w, r)
			})
		}, asked: 1},
		"a server that lets anyone list":    {server: answer(200), asked: 1},
		"a server that knows no ping":       {server: answer(400), asked: 1},
		"a server that wants no leave":      {server: answer(200), without: true},
		"a server of old that wants none":   {server: answer(405), without: true},
		"a server that is not there at all": {server: answer(404), without: true},
	} {
		t.Run(name, func(t *testing.T) {
			inTown(t, func(t *testing.T, w *town) {
				guarded := w.hosts["desk.example"]
				mux := http.NewServeMux()
				if !c.without {
					mux.Handle("GET "+prmPath, guarded)
				}
				mux.Handle("/mcp", c.server(guarded))
				w.hosts["desk.example"] = mux
				tr := newTransport(t, w.config())
				for range 2 {
					require.NoError(t, tr.Authorize(t.Context()))
				}
				assert.Equal(t, c.asked, w.issuer.count("authorize"))
			})
		})
	}
}

func TestAuthorizeTellsWhyItCouldNot(t *testing.T) {
	t.Run("a server that refuses every token", func(t *testing.T) {
		inTown(t, func(t *testing.T, w *town) {
			w.desk.issuer = newIssuerOn(t, w.issuer.Server)
			var failed *oauth.Error
			require.ErrorAs(t, newTransport(t, w.config()).Authorize(t.Context()), &failed)
			assert.Equal(t, 401, failed.Status)
		})
	})
	t.Run("a server that says nothing", func(t *testing.T) {
		inTown(t, func(t *testing.T, w *town) {
			w.hosts["desk.example"] = http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
			began := time.Now()
			require.ErrorIs(t, newTransport(t, w.config()).Authorize(t.Context()), context.DeadlineExceeded)
			assert.Equal(t, 20*time.Second, time.Since(began), "the default of RequestTimeout")
		})
	})
	t.Run("a transport that is closed", func(t *testing.T) {
		inTown(t, func(t *testing.T, w *town) {
			tr := newTransport(t, w.config())
			require.NoError(t, tr.Close())
			require.ErrorContains(t, tr.Authorize(t.Context()), "closed")
			_, err := tr.Client().Get(w.desk.url())
			require.ErrorContains(t, err, "closed")
		})
	})
}

func TestAuthorizeAsksWithAPing(t *testing.T) {
	inTown(t, func(t *testing.T, w *town) {
		var bodies []string
		guarded := w.hosts["desk.example"]
		w.hosts["desk.example"] = http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				body, _ := io.ReadAll(r.Body)
				bodies = append(bodies, string(body))
				assert.Equal(t, "ping", r.Header.Get("Mcp-Method"))
			}
			guarded.ServeHTTP(rw, r)
		})
		require.NoError(t, newTransport(t, w.config()).Authorize(t.Context()))
		require.Len(t, bodies, 2)
		for _, body := range bodies {
			assert.JSONEq(t, `{"jsonrpc":"2.0","id":"sign-in","method":"ping"}`, body)
		}
	})
}
