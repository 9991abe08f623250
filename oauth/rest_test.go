package oauth_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/oauth"
)

func TestAUserWhoSaidNoIsLeftInPeace(t *testing.T) {
	inTown(t, func(t *testing.T, w *town) {
		w.issuer.deny = "access_denied"
		tr := newTransport(t, w.config())
		for range 10 { // as an agent does
			var failed *oauth.Error
			require.ErrorAs(t, say(t, tr, w.desk.url(), "hello"), &failed)
			assert.Equal(t, "access_denied", failed.Code)
			assert.Equal(t, 401, failed.Status)
			time.Sleep(20 * time.Second)
		}
		assert.Equal(t, 1, w.issuer.count("authorize"))
		err := say(t, tr, w.desk.url(), "hello")
		assert.ErrorContains(t, err, "not asked again for another 2m0s")

		time.Sleep(2 * time.Minute)
		require.Error(t, say(t, tr, w.desk.url(), "hello"))
		assert.Equal(t, 2, w.issuer.count("authorize"), "the rest of five minutes is over")
	})
}

func TestAuthorizeEndsARest(t *testing.T) {
	inTown(t, func(t *testing.T, w *town) {
		w.issuer.deny = "access_denied"
		c := w.config()
		c.UserRest = time.Hour
		tr := newTransport(t, c)
		require.Error(t, say(t, tr, w.desk.url(), "hello"))
		require.Error(t, tr.Authorize(t.Context()), "the user is asked, and says no")
		assert.Equal(t, 2, w.issuer.count("authorize"))
		require.Error(t, say(t, tr, w.desk.url(), "hello"))
		assert.Equal(t, 2, w.issuer.count("authorize"), "which begins another rest")
		w.issuer.with(func() { w.issuer.deny = "" })
		require.NoError(t, tr.Authorize(t.Context()))
		require.NoError(t, say(t, tr, w.desk.url(), "hello"))
		w.issuer.with(func() { w.issuer.tokenErr = "invalid_grant" })
		w.issuer.revoke()
		require.NoError(t, say(t, tr, w.desk.url(), "hello"), "a leave ends the rest too")
		assert.Equal(t, 4, w.issuer.count("authorize"))
	})
}

func TestAPromptThatFailsIsNotShownAgainAndAgain(t *testing.T) {
	inTown(t, func(t *testing.T, w *town) {
		broken, shown := errors.New("no browser here"), 0
		c := w.config()
		c.AuthorizationCode.Prompt = oauth.Prompt(func(context.Context, string) (string, error) { shown++; return "", broken })
		tr := newTransport(t, c)
		for range 5 {
			require.ErrorIs(t, say(t, tr, w.desk.url(), "hello"), broken)
		}
		assert.Equal(t, 1, shown)
	})
}

func TestARestDoesNotKeepTokensFromBeingUsedAndRenewed(t *testing.T) {
	inTown(t, func(t *testing.T, w *town) {
		w.issuer.life = 60
		w.desk.needs["write"] = "files:write"
		c := w.config()
		c.UserRest = 24 * time.Hour
		tr := newTransport(t, c)
		require.NoError(t, say(t, tr, w.desk.url(), "hello"))
		w.issuer.deny = "access_denied"
		for range 3 {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.desk.url(), http.NoBody)
			require.NoError(t, err)
			req.Header.Set("Mcp-Name", "write")
			_, err = tr.Client().Do(req)
			var failed *oauth.Error
			require.ErrorAs(t, err, &failed)
			assert.Equal(t, 403, failed.Status)
			time.Sleep(time.Hour)
			require.NoError(t, say(t, tr, w.desk.url(), "hello"))
		}
		assert.Equal(t, 2, w.issuer.count("authorize"))
		assert.Equal(t, 3, w.issuer.count("refresh_token"))
	})
}

func TestARestFindsTheTokenOfAnotherProcess(t *testing.T) {
	inTown(t, func(t *testing.T, w *town) {
		store := oauth.NewMemoryStore()
		c := w.config()
		c.Store = store
		w.issuer.deny = "access_denied"
		tr := newTransport(t, c)
		require.Error(t, say(t, tr, w.desk.url(), "hello"))
		w.issuer.deny = ""
		require.NoError(t, say(t, newTransport(t, c), w.desk.url(), "hello"))
		require.NoError(t, say(t, tr, w.desk.url(), "hello"))
		assert.Equal(t, 2, w.issuer.count("authorize"))
	})
}

func TestAServerThatRefusesEveryTokenDoesNotOpenTheBrowserForEachCall(t *testing.T) {
	inTown(t, func(t *testing.T, w *town) {
		w.desk.issuer = newIssuerOn(t, w.issuer.Server) // knows none of the tokens
		w.desk.issuer.resource = w.desk.url()
		tr := newTransport(t, w.config())
		resp, err := tr.Client().Get(w.desk.url())
		require.NoError(t, err, "its own answer is shown first")
		assert.Equal(t, 401, resp.StatusCode)
		resp.Body.Close()
		for range 5 {
			_, err := tr.Client().Get(w.desk.url())
			require.ErrorContains(t, err, "the server refused the token")
		}
		assert.Equal(t, 1, w.issuer.count("authorize"))
	})
}

func TestAClientOfItsOwnDoesNotRest(t *testing.T) {
	inTown(t, func(t *testing.T, w *town) {
		c := w.config()
		c.AuthorizationCode, c.ClientCredentials = nil, &oauth.ClientCredentials{Client: oauth.Client{Issuer: townIssuer, ID: "me", Secret: "hush"}}
		tr := newTransport(t, c)
		require.Error(t, say(t, tr, w.desk.url(), "hello"))
		w.issuer.with(func() { w.issuer.clients["me"] = &client{secret: "hush", method: "client_secret_basic"} })
		require.NoError(t, say(t, tr, w.desk.url(), "hello"))
	})
}
