package oauth_test

import (
	"context"
	"crypto/elliptic"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/oauth"
)

const document = "https://app.example/oauth/client.json"

func TestAClientIsItsDocument(t *testing.T) {
	inTown(t, func(t *testing.T, w *town) {
		w.issuer.life = 60
		w.issuer.metadata["client_id_metadata_document_supported"] = true
		w.issuer.clients[document] = &client{method: "none", redirect: redirectURL}
		c := w.config()
		c.AuthorizationCode.ClientIDMetadataURL = document
		tr := newTransport(t, c)
		require.NoError(t, say(t, tr, w.desk.url(), "hello"))
		w.issuer.revoke()
		require.NoError(t, say(t, tr, w.desk.url(), "hello"))
		assert.Zero(t, w.issuer.count("register"))
		assert.Equal(t, 1, w.issuer.count("refresh_token"))
		for _, form := range w.issuer.forms {
			assert.Equal(t, document, form.Get("client_id"))
			assert.False(t, form.Has("client_secret"))
		}
		assert.Empty(t, w.requests("app.example"), "the issuer fetches it, not the client")
	})
}

func TestAClientOfADocumentSigns(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	key := curveKey(t, elliptic.P256())
	w.issuer.metadata["client_id_metadata_document_supported"] = true
	w.issuer.clients[document] = &client{method: "private_key_jwt", redirect: redirectURL, key: key.Public(), algorithm: "ES256", kid: "1"}
	c := w.config()
	c.AuthorizationCode.ClientIDMetadataURL = document
	c.AuthorizationCode.ClientIDMetadataKey = &oauth.PrivateKey{Signer: key, KeyID: "1"}
	tr := newTransport(t, c)
	require.NoError(t, say(t, tr, w.desk.url(), "hello"))
	w.issuer.revoke()
	require.NoError(t, say(t, tr, w.desk.url(), "hello"))
	assert.Equal(t, 1, w.issuer.count("refresh_token"))
}

func TestTheOrderOfWhoTheClientIs(t *testing.T) {
	t.Parallel()
	known := &oauth.Client{Issuer: townIssuer, ID: "known"}
	for name, c := range map[string]struct {
		client    *oauth.Client
		document  string
		register  bool
		takes     bool // documents
		registers bool
		id        string // "" for an error, "*" for one that is registered
	}{
		"a client that is known":          {known, document, true, true, true, "known"},
		"a document":                      {nil, document, true, true, true, document},
		"a document nobody takes":         {nil, document, true, false, true, "*"},
		"a document nobody takes, alone":  {nil, document, false, false, true, ""},
		"a registration":                  {nil, "", true, true, true, "*"},
		"a registration nobody takes":     {nil, "", true, true, false, ""},
		"a client of another issuer":      {&oauth.Client{Issuer: "https://other.example", ID: "known"}, document, true, true, true, ""},
		"a client of any issuer":          {&oauth.Client{Issuer: oauth.AnyIssuer, ID: "known"}, document, true, true, true, "known"},
		"a client of an issuer's slashes": {&oauth.Client{Issuer: townIssuer + "/", ID: "known"}, "", false, true, true, "known"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newTown(t)
			w.issuer.metadata["client_id_metadata_document_supported"] = c.takes
			if !c.registers {
				delete(w.issuer.metadata, "registration_endpoint")
			}
			for _, id := range []string{"known", document} {
				w.issuer.clients[id] = &client{method: "none", redirect: redirectURL}
			}
			config := w.config()
			config.AuthorizationCode.Client, config.AuthorizationCode.ClientIDMetadataURL = c.client, c.document
			if !c.register {
				config.AuthorizationCode.Registration = nil
			}
			err := say(t, newTransport(t, config), w.desk.url(), "hello")
			if c.id == "" {
				var failed *oauth.Error
				require.ErrorAs(t, err, &failed)
				assert.Equal(t, "registration", failed.Step)
				assert.Zero(t, w.issuer.count("authorize")+w.issuer.count("register"))
				return
			}
			require.NoError(t, err)
			id := w.issuer.pages[0].Get("client_id")
			if c.id == "*" {
				assert.Contains(t, id, "client-")
				assert.Equal(t, 1, w.issuer.count("register"))
				return
			}
			assert.Equal(t, c.id, id)
			assert.Zero(t, w.issuer.count("register"))
		})
	}
}

func TestWhatARegistrationSays(t *testing.T) {
	t.Parallel()
	for redirect, kind := range map[string]string{
		"http://127.0.0.1:7777/callback": "native",
		"http://localhost:7777/callback": "native",
		"http://[::1]:7777/callback":     "native",
		"https://localhost/callback":     "native",
		"com.example.app:/callback":      "native",
		"https://app.example/callback":   "web",
	} {
		w := newTown(t)
		c := w.config()
		c.AuthorizationCode.RedirectURL = redirect
		c.AuthorizationCode.Registration = &oauth.Registration{ClientName: "Travel desk", ClientURI: "https://app.example"}
		require.NoError(t, say(t, newTransport(t, c), w.desk.url(), "hello"), redirect)
		said := w.issuer.regs[0]
		assert.Equal(t, kind, said["application_type"], redirect)
		assert.Equal(t, "Travel desk", said["client_name"])
		assert.Equal(t, "https://app.example", said["client_uri"])
		assert.Equal(t, []any{redirect}, said["redirect_uris"])
		assert.Equal(t, []any{"authorization_code", "refresh_token"}, said["grant_types"])
		assert.Equal(t, "none", said["token_endpoint_auth_method"])
	}
}

func TestAnErrorOnTheRedirectIsCheckedFirst(t *testing.T) {
	t.Parallel()
	const words = "call-this-number"
	for name, c := range map[string]struct {
		spoil func(url.Values)
		shown bool
	}{
		"of the issuer":     {func(url.Values) {}, true},
		"of another issuer": {func(q url.Values) { q.Set("iss", "https://evil.example") }, false},
		"of no issuer":      {func(q url.Values) { q.Del("iss") }, false},
		"without state":     {func(q url.Values) { q.Del("state") }, false},
		"of another state":  {func(q url.Values) { q.Set("state", "x") }, false},
		"twice":             {func(q url.Values) { q.Add("error", "access_denied") }, false},
		"of two issuers":    {func(q url.Values) { q.Add("iss", "https://evil.example") }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newTown(t)
			w.issuer.deny = words
			agree, config := w.agree(), w.config()
			config.AuthorizationCode.Prompt = oauth.Prompt(func(ctx context.Context, page string) (string, error) {
				back, err := agree(ctx, page)
				require.NoError(t, err)
				u, err := url.Parse(back)
				require.NoError(t, err)
				q := u.Query()
				q.Set("error_description", words)
				c.spoil(q)
				u.RawQuery = q.Encode()
				return u.String(), nil
			})
			err := say(t, newTransport(t, config), w.desk.url(), "hello")
			var failed *oauth.Error
			require.ErrorAs(t, err, &failed)
			if c.shown {
				assert.Equal(t, words, failed.Code)
				assert.ErrorContains(t, err, words)
				return
			}
			assert.Empty(t, failed.Code)
			assert.NotContains(t, err.Error(), words)
		})
	}
}
