package oauth_test

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/oauth"
)

// inTown runs f in a town where time passes by time.Sleep alone.
func inTown(t *testing.T, f func(t *testing.T, w *town)) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { f(t, newTown(t)) })
}

func TestATokenIsRenewedBeforeItsEnd(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		life        int
		early, late time.Duration
	}{
		"an hour":     {3600, 3569 * time.Second, 3571 * time.Second},
		"a minute":    {60, 53 * time.Second, 55 * time.Second}, // the last tenth
		"ten seconds": {10, 8 * time.Second, 9500 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			inTown(t, func(t *testing.T, w *town) {
				w.issuer.life = c.life
				tr := newTransport(t, w.config())
				require.NoError(t, say(t, tr, w.desk.url(), "one"))
				time.Sleep(c.early)
				require.NoError(t, say(t, tr, w.desk.url(), "two"))
				assert.Zero(t, w.issuer.count("refresh_token"), "it is not time yet")
				time.Sleep(c.late - c.early)
				before := len(w.desk.requests)
				require.NoError(t, say(t, tr, w.desk.url(), "three"))
				assert.Equal(t, 1, w.issuer.count("refresh_token"))
				assert.Len(t, w.desk.requests, before+1, "the server refused nothing")
				assert.Equal(t, 1, w.issuer.count("authorize"))
			})
		})
	}
}

func TestATokenThatEndedIsRenewedWithoutTheUser(t *testing.T) {
	inTown(t, func(t *testing.T, w *town) {
		w.issuer.life = 3600
		tr := newTransport(t, w.config())
		for range 3 {
			require.NoError(t, say(t, tr, w.desk.url(), "hello"))
			time.Sleep(24 * time.Hour)
		}
		assert.Equal(t, 2, w.issuer.count("refresh_token"))
		assert.Equal(t, 1, w.issuer.count("authorize"))
	})
}

func TestATokenInTheStoreThatEndedIsRenewed(t *testing.T) {
	inTown(t, func(t *testing.T, w *town) {
		w.issuer.life = 3600
		c := w.config()
		c.Store = oauth.NewMemoryStore()
		for range 3 { // each is another run of the program
			require.NoError(t, say(t, newTransport(t, c), w.desk.url(), "hello"))
			time.Sleep(24 * time.Hour)
		}
		assert.Equal(t, 2, w.issuer.count("refresh_token"))
		assert.Equal(t, 1, w.issuer.count("authorize"))
	})
}

func TestWithoutExpiresInTheServerTellsTheEnd(t *testing.T) {
	inTown(t, func(t *testing.T, w *town) {
		tr := newTransport(t, w.config())
		require.NoError(t, say(t, tr, w.desk.url(), "hello"))
		time.Sleep(365 * 24 * time.Hour)
		require.NoError(t, say(t, tr, w.desk.url(), "hello"))
		assert.Zero(t, w.issuer.count("refresh_token"))
	})
}

func TestAClientOfItsOwnGetsANewTokenBeforeTheEnd(t *testing.T) {
	inTown(t, func(t *testing.T, w *town) {
		w.issuer.life = 3600
		w.issuer.clients["me"] = &client{secret: "hush", method: "client_secret_basic"}
		c := w.config()
		c.AuthorizationCode, c.ClientCredentials = nil, &oauth.ClientCredentials{Client: oauth.Client{Issuer: townIssuer, ID: "me", Secret: "hush", AuthMethod: "client_secret_basic"}}
		tr := newTransport(t, c)
		require.NoError(t, say(t, tr, w.desk.url(), "hello"))
		time.Sleep(3571 * time.Second)
		before := len(w.desk.requests)
		require.NoError(t, say(t, tr, w.desk.url(), "hello"))
		assert.Equal(t, 2, w.issuer.count("client_credentials"))
		assert.Len(t, w.desk.requests, before+1)
	})
}

func TestManyCallersShareOneRenewal(t *testing.T) {
	inTown(t, func(t *testing.T, w *town) {
		w.issuer.life = 3600
		tr := newTransport(t, w.config())
		require.NoError(t, say(t, tr, w.desk.url(), "hello"))
		for _, later := range []time.Duration{3575 * time.Second, 2 * time.Hour} {
			time.Sleep(later)
			var group sync.WaitGroup
			for range 50 {
				group.Go(func() { assert.NoError(t, say(t, tr, w.desk.url(), "hello")) })
			}
			group.Wait()
		}
		assert.Equal(t, 2, w.issuer.count("refresh_token"))
		assert.Equal(t, 1, w.issuer.count("authorize"))
	})
}

func TestARenewalThatFailsBeforeTheEndHurtsNobody(t *testing.T) {
	inTown(t, func(t *testing.T, w *town) {
		w.issuer.life = 3600
		tr := newTransport(t, w.config())
		require.NoError(t, say(t, tr, w.desk.url(), "hello"))
		issuer := w.hosts["login.example"]
		w.hosts["login.example"] = http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		time.Sleep(3571 * time.Second)
		for range 5 { // it is slow once; the others do not try
			require.NoError(t, say(t, tr, w.desk.url(), "hello"))
		}
		assert.Len(t, w.requests("login.example/token"), 2, "the code, and one renewal")
		w.hosts["login.example"] = issuer
		time.Sleep(time.Minute)
		require.NoError(t, say(t, tr, w.desk.url(), "hello"))
		assert.Equal(t, 1, w.issuer.count("authorize"))
	})
}

func TestAnOutageOfTheIssuerAsksNoUser(t *testing.T) {
	inTown(t, func(t *testing.T, w *town) {
		w.issuer.life = 60
		tr := newTransport(t, w.config())
		require.NoError(t, say(t, tr, w.desk.url(), "hello"))
		issuer := w.hosts["login.example"]
		w.hosts["login.example"] = http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				rw.WriteHeader(http.StatusBadGateway)
				return
			}
			issuer.ServeHTTP(rw, r)
		})
		time.Sleep(time.Hour)
		var failed *oauth.Error
		require.ErrorAs(t, say(t, tr, w.desk.url(), "hello"), &failed)
		assert.Equal(t, "token", failed.Step)
		assert.Equal(t, 1, w.issuer.count("authorize"))
		w.hosts["login.example"] = issuer
		require.NoError(t, say(t, tr, w.desk.url(), "hello"), "the refresh token was not thrown away")
		assert.Equal(t, 1, w.issuer.count("authorize"))
	})
}

// stubborn is a store that keeps nothing after a while.
type stubborn struct {
	*oauth.MemoryStore
	mu   sync.Mutex
	full bool
}

func (s *stubborn) Save(ctx context.Context, key string, data []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.full {
		return errors.New("no space left")
	}
	return s.MemoryStore.Save(ctx, key, data)
}

func TestATokenThatCannotBeKeptServesWhileTheProgramRuns(t *testing.T) {
	inTown(t, func(t *testing.T, w *town) {
		w.issuer.life = 60
		store := &stubborn{MemoryStore: oauth.NewMemoryStore()}
		c := w.config()
		c.Store = store
		tr := newTransport(t, c)
		require.NoError(t, say(t, tr, w.desk.url(), "hello"))
		store.full = true
		for range 3 { // the refresh token is rotated each time
			time.Sleep(time.Hour)
			require.NoError(t, say(t, tr, w.desk.url(), "hello"))
		}
		assert.Equal(t, 1, w.issuer.count("authorize"))
		assert.Equal(t, 3, w.issuer.count("refresh_token"))
	})
}

func TestARegistrationTheServerForgotIsMadeAnew(t *testing.T) {
	inTown(t, func(t *testing.T, w *town) {
		w.issuer.life = 60
		tr := newTransport(t, w.config())
		require.NoError(t, say(t, tr, w.desk.url(), "hello"))
		w.issuer.with(func() { clear(w.issuer.clients) })
		time.Sleep(time.Hour)
		require.NoError(t, say(t, tr, w.desk.url(), "hello"))
		assert.Equal(t, 2, w.issuer.count("register"))
	})
}

func TestARegistrationThatLeadsNobodyBackIsMadeAnew(t *testing.T) {
	inTown(t, func(t *testing.T, w *town) {
		c := w.config()
		agree, lost := w.agree(), true
		c.AuthorizationCode.Prompt = oauth.Prompt(func(ctx context.Context, page string) (string, error) {
			if lost { // the page says that there is no such client
				<-ctx.Done()
				return "", ctx.Err()
			}
			return agree(ctx, page)
		})
		tr := newTransport(t, c)
		began := time.Now()
		var failed *oauth.Error
		require.ErrorAs(t, say(t, tr, w.desk.url(), "hello"), &failed)
		require.ErrorIs(t, failed, context.DeadlineExceeded)
		assert.Equal(t, 5*time.Minute, time.Since(began), "the default of UserTimeout")
		lost = false
		require.NoError(t, tr.Authorize(t.Context()))
		assert.Equal(t, 2, w.issuer.count("register"))
	})
}

func TestARegistrationThatExpiresIsMadeAnew(t *testing.T) {
	inTown(t, func(t *testing.T, w *town) {
		w.issuer.life = 60
		w.issuer.metadata["registration_endpoint"] = townIssuer + "/limited"
		inner := w.hosts["login.example"]
		w.hosts["login.example"] = http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/limited" {
				w.issuer.secretFor(rw, time.Now().Add(time.Hour))
				return
			}
			inner.ServeHTTP(rw, r)
		})
		tr := newTransport(t, w.config())
		require.NoError(t, say(t, tr, w.desk.url(), "hello"))
		time.Sleep(2 * time.Hour)
		require.NoError(t, say(t, tr, w.desk.url(), "hello"))
		assert.Len(t, w.requests("/limited"), 2)
		ids := map[string]bool{}
		for _, page := range w.issuer.pages {
			ids[url.Values(page).Get("client_id")] = true
		}
		assert.Len(t, ids, 2)
	})
}
