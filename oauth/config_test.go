package oauth_test

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/oauth"
)

func TestA5_FaultsOfAConfig(t *testing.T) {
	t.Parallel()
	prompt := oauth.Prompt(nil)
	key := &oauth.PrivateKey{Signer: curveKey(t, elliptic.P256())}
	user := func(change func(*oauth.AuthorizationCode)) func(*oauth.Config) {
		return func(c *oauth.Config) { change(c.AuthorizationCode) }
	}
	own := func(client oauth.Client) func(*oauth.Config) {
		return func(c *oauth.Config) {
			c.AuthorizationCode, c.ClientCredentials = nil, &oauth.ClientCredentials{Client: client}
		}
	}
	for name, c := range map[string]struct {
		change func(*oauth.Config)
		says   string
	}{
		"no URL":                     {func(c *oauth.Config) { c.ServerURL = "" }, "ServerURL is required"},
		"no host":                    {func(c *oauth.Config) { c.ServerURL = "https:///mcp" }, "ServerURL is required"},
		"no URL at all":              {func(c *oauth.Config) { c.ServerURL = "https://secret-7:x\x7f@h" }, "ServerURL cannot be read"},
		"plain http":                 {func(c *oauth.Config) { c.ServerURL = "http://desk.example/mcp" }, "ServerURL must be https"},
		"another scheme":             {func(c *oauth.Config) { c.ServerURL = "ws://localhost/mcp" }, "ServerURL must be https"},
		"credentials in the URL":     {func(c *oauth.Config) { c.ServerURL = "https://me:secret-7@desk.example/mcp" }, "ServerURL has a user"},
		"no kind":                    {func(c *oauth.Config) { c.AuthorizationCode = nil }, "one of AuthorizationCode and ClientCredentials"},
		"both kinds":                 {func(c *oauth.Config) { c.ClientCredentials = &oauth.ClientCredentials{} }, "exclude each other"},
		"a negative request timeout": {func(c *oauth.Config) { c.RequestTimeout = -1 }, "negative"},
		"a negative user timeout":    {func(c *oauth.Config) { c.UserTimeout = -time.Hour }, "negative"},
		"a negative rest":            {func(c *oauth.Config) { c.UserRest = -1 }, "negative"},
		"an empty scope":             {func(c *oauth.Config) { c.Scopes = []string{"a", ""} }, "Scopes"},
		"two scopes in one":          {func(c *oauth.Config) { c.Scopes = []string{"a b"} }, "Scopes"},
		"no identity":                {user(func(a *oauth.AuthorizationCode) { a.Registration = nil }), "one of Client, ClientIDMetadataURL and Registration"},
		"no prompt":                  {user(func(a *oauth.AuthorizationCode) { a.Prompt = nil }), "Prompt is required"},
		"a prompt of nil":            {user(func(a *oauth.AuthorizationCode) { a.Prompt = prompt }), "Prompt is required"},
		"a loopback of nil":          {user(func(a *oauth.AuthorizationCode) { a.Prompt = (*oauth.Loopback)(nil) }), "Prompt is required"},
		"no redirect":                {user(func(a *oauth.AuthorizationCode) { a.RedirectURL = "" }), "RedirectURL"},
		"a redirect over http":       {user(func(a *oauth.AuthorizationCode) { a.RedirectURL = "http://app.example/callback" }), "RedirectURL"},
		"a redirect of script":       {user(func(a *oauth.AuthorizationCode) { a.RedirectURL = "javascript:alert(1)" }), "RedirectURL"},
		"a redirect's fragment":      {user(func(a *oauth.AuthorizationCode) { a.RedirectURL += "#x" }), "RedirectURL"},
		"a document over http":       {user(func(a *oauth.AuthorizationCode) { a.ClientIDMetadataURL = "http://app.example/c" }), "ClientIDMetadataURL"},
		"a document without path":    {user(func(a *oauth.AuthorizationCode) { a.ClientIDMetadataURL = "https://app.example/" }), "ClientIDMetadataURL"},
		"a document's dots":          {user(func(a *oauth.AuthorizationCode) { a.ClientIDMetadataURL = "https://app.example/a/../c" }), "ClientIDMetadataURL"},
		"a document's fragment":      {user(func(a *oauth.AuthorizationCode) { a.ClientIDMetadataURL = "https://app.example/c#x" }), "ClientIDMetadataURL"},
		"a document's key":           {user(func(a *oauth.AuthorizationCode) { a.ClientIDMetadataKey = &oauth.PrivateKey{} }), "ClientIDMetadataKey: a Signer"},
		"a client without id":        {user(func(a *oauth.AuthorizationCode) { a.Client = &oauth.Client{Issuer: townIssuer} }), "Client: ID is required"},
		"a client without issuer":    {own(oauth.Client{ID: "me", Secret: "secret-7"}), "Issuer is required"},
		"a client without secret":    {own(oauth.Client{ID: "me", Issuer: townIssuer}), "a Secret or a Key is required"},
		"an unknown method":          {own(oauth.Client{ID: "me", Issuer: townIssuer, Secret: "secret-7", AuthMethod: "magic"}), "AuthMethod is unknown"},
		"a method without secret":    {own(oauth.Client{ID: "me", Issuer: townIssuer, Key: key, AuthMethod: "client_secret_post"}), "needs a Secret"},
		"a method without key":       {own(oauth.Client{ID: "me", Issuer: townIssuer, Secret: "secret-7", AuthMethod: "private_key_jwt"}), "needs a Key"},
		"a method that shows nothing": {own(oauth.Client{ID: "me", Issuer: townIssuer, Secret: "secret-7", AuthMethod: "none"}),
			"AuthMethod none shows nobody who the client is"},
		"a key of another algorithm": {own(oauth.Client{ID: "me", Issuer: townIssuer, Key: &oauth.PrivateKey{Signer: key.Signer, Algorithm: "RS256"}}), "does not fit the key"},
		"a curve nobody signs with":  {own(oauth.Client{ID: "me", Issuer: townIssuer, Key: &oauth.PrivateKey{Signer: curveKey(t, elliptic.P224())}}), "another kind"},
		"an ECDSA key without curve": {own(oauth.Client{ID: "me", Issuer: townIssuer, Key: &oauth.PrivateKey{Signer: new(ecdsa.PrivateKey)}}), "a Signer is required"},
		"an Ed25519 key of nothing":  {own(oauth.Client{ID: "me", Issuer: townIssuer, Key: &oauth.PrivateKey{Signer: ed25519.PrivateKey(nil)}}), "a Signer is required"},
		"an RSA key of nothing":      {own(oauth.Client{ID: "me", Issuer: townIssuer, Key: &oauth.PrivateKey{Signer: (*rsa.PrivateKey)(nil)}}), "a Signer is required"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := newTown(t).config()
			c.change(&config)
			_, err := oauth.NewTransport(config)
			require.ErrorContains(t, err, c.says)
			assert.NotContains(t, err.Error(), "secret-7")
		})
	}
}

func TestA2_EveryFaultAtOnce(t *testing.T) {
	t.Parallel()
	_, err := oauth.NewTransport(oauth.Config{UserTimeout: -1, Scopes: []string{""}, AuthorizationCode: &oauth.AuthorizationCode{}})
	for _, fault := range []string{"ServerURL", "negative", "Scopes", "Registration", "Prompt", "RedirectURL"} {
		assert.ErrorContains(t, err, fault)
	}
}

func TestA4_AConfigIsCopied(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	c := w.config()
	c.Scopes = []string{"files:read"}
	tr := newTransport(t, c)
	c.Scopes[0] = "files:delete"
	c.AuthorizationCode.Registration.ClientName = "changed"
	c.AuthorizationCode.Registration = nil
	c.AuthorizationCode.RedirectURL = "https://evil.example/callback"
	require.NoError(t, say(t, tr, w.desk.url(), "hello"))
	assert.Equal(t, "files:read", w.issuer.pages[0].Get("scope"))
	assert.Equal(t, redirectURL, w.issuer.pages[0].Get("redirect_uri"))
	assert.Equal(t, "mcptoolset", w.issuer.regs[0]["client_name"])
}

func TestA4_ARegisteredClientIsCopied(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	w.issuer.clients["me"] = &client{secret: "hush", method: "client_secret_post"}
	own := &oauth.ClientCredentials{Client: oauth.Client{Issuer: townIssuer, ID: "me", Secret: "hush", AuthMethod: "client_secret_post"}}
	tr := newTransport(t, oauth.Config{ServerURL: w.desk.url(), Base: w, ClientCredentials: own})
	own.Client = oauth.Client{Issuer: "https://evil.example", ID: "you", Secret: "other"}
	require.NoError(t, say(t, tr, w.desk.url(), "hello"))
}

func TestA8_NoKeyIsPrinted(t *testing.T) {
	t.Parallel()
	key := curveKey(t, elliptic.P256())
	named := oauth.PrivateKey{Signer: key, KeyID: "k1"}
	owned := oauth.Client{Issuer: townIssuer, ID: "me", Secret: "secret-7", Key: &named}
	config := oauth.Config{ServerURL: townServer, ClientCredentials: &oauth.ClientCredentials{Client: owned}}
	code := oauth.AuthorizationCode{Client: &owned, ClientIDMetadataKey: &named}
	var shown string
	for _, v := range []any{named, &named, owned, &owned, config, &config, code, config.ClientCredentials, *config.ClientCredentials} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"} {
			shown += fmt.Sprintf(verb, v)
		}
		if text, err := json.Marshal(v); err == nil {
			shown += string(text)
		}
	}
	raw, err := json.Marshal(key)
	require.NoError(t, err)
	var numbers struct{ D *big.Int }
	require.NoError(t, json.Unmarshal(raw, &numbers))
	for _, secret := range []string{"secret-7", fmt.Sprintf("%x", "secret-7"), numbers.D.String(), fmt.Sprintf("%x", numbers.D)} {
		assert.False(t, strings.Contains(shown, secret), secret)
	}
}
