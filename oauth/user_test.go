package oauth_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/oauth"
)

func TestAUserGivesLeaveOnce(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	d := newDesk(t, i)
	ts := newToolset(t, d, newTransport(t, userConfig(t, d)))

	for range 3 {
		text, err := call(t, ts, "read")
		require.NoError(t, err)
		assert.Equal(t, "read done", text)
	}
	assert.Equal(t, 1, i.count("authorize"))
	assert.Equal(t, 1, i.count("register"))
	assert.Equal(t, "native", i.regs[0]["application_type"])
	assert.Empty(t, d.requests[0].Header.Get("Authorization"), "the first request goes without a token")
	assert.False(t, i.pages[0].Has("scope"), "nobody named scopes")
}

func TestManyCallersShareOneAuthorization(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	d := newDesk(t, i)
	tr := newTransport(t, userConfig(t, d))
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, d.url(), strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
			req.Header.Set("Content-Type", "application/json")
			resp, err := tr.Client().Do(req)
			if assert.NoError(t, err) {
				assert.NotEqual(t, 401, resp.StatusCode)
				resp.Body.Close()
			}
		})
	}
	group.Wait()
	assert.Equal(t, 1, i.count("authorize"))
	assert.Equal(t, 1, i.count("authorization_code"))
}

func TestF5_ARevokedTokenIsRefreshedInTheMiddleOfASession(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	d := newDesk(t, i)
	ts := newToolset(t, d, newTransport(t, userConfig(t, d)))
	for range 3 { // the refresh token is rotated each time
		_, err := call(t, ts, "read")
		require.NoError(t, err)
		i.revoke()
	}
	_, err := call(t, ts, "read")
	require.NoError(t, err)
	assert.Equal(t, 1, i.count("authorize"))
	assert.Equal(t, 3, i.count("refresh_token"))
	assert.Equal(t, 4, d.calls, "no call ran twice")
}

func TestF5_WhereARefreshIsRefusedTheUserIsAskedAnew(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	d := newDesk(t, i)
	ts := newToolset(t, d, newTransport(t, userConfig(t, d)))
	_, err := call(t, ts, "read")
	require.NoError(t, err)
	i.with(func() { i.tokenErr = "invalid_grant" })
	i.revoke()
	_, err = call(t, ts, "read")
	require.NoError(t, err)
	assert.Equal(t, 2, i.count("authorize"))
}

func TestAStepUpAsksForTheUnionOfScopes(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	d := newDesk(t, i)
	d.scope, d.needs = "files:read", map[string]string{"read": "files:read", "write": "files:write"}
	ts := newToolset(t, d, newTransport(t, userConfig(t, d)))
	for _, tool := range []string{"read", "write", "read", "write"} {
		_, err := call(t, ts, tool)
		require.NoError(t, err)
	}
	require.Len(t, i.pages, 2)
	assert.Equal(t, "files:read", i.pages[0].Get("scope"))
	assert.Equal(t, "files:read files:write", i.pages[1].Get("scope"))
}

func TestAStepUpThatNeverHelpsEnds(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	d := newDesk(t, i)
	i.narrow = true
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+prmPath, func(w http.ResponseWriter, _ *http.Request) { _ = json.NewEncoder(w).Encode(d.prm) })
	requests := 0
	mux.HandleFunc("/mcp", func(w http.ResponseWriter, _ *http.Request) {
		requests++
		w.Header().Set("WWW-Authenticate", fmt.Sprintf(`Bearer error="insufficient_scope", scope="s%d"`, requests))
		w.WriteHeader(403)
	})
	d.Config.Handler = mux
	resp, err := newTransport(t, userConfig(t, d)).Client().Get(d.url())
	require.NoError(t, err)
	resp.Body.Close()
	assert.Equal(t, 403, resp.StatusCode)
	assert.Equal(t, 2, i.count("authorize"))
	assert.Equal(t, 3, requests)
}

func TestWhatTheUserComesBackWithIsChecked(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(url.Values){
		"state":        func(q url.Values) { q.Set("state", "another") },
		"no state":     func(q url.Values) { q.Del("state") },
		"issuer":       func(q url.Values) { q.Set("iss", "https://evil.test") },
		"slash":        func(q url.Values) { q.Set("iss", q.Get("iss")+"/") },
		"no issuer":    func(q url.Values) { q.Del("iss") },
		"no code":      func(q url.Values) { q.Del("code") },
		"two codes":    func(q url.Values) { q.Add("code", "another") },
		"other's code": func(q url.Values) { q.Set("code", "stolen") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := newIssuer(t)
			d := newDesk(t, i)
			c := userConfig(t, d)
			agree := browser(t)
			c.AuthorizationCode.Prompt = oauth.Prompt(func(ctx context.Context, page string) (string, error) {
				back, err := agree(ctx, page)
				require.NoError(t, err)
				u, err := url.Parse(back)
				require.NoError(t, err)
				q := u.Query()
				spoil(q)
				return q.Encode(), nil
			})
			_, err := call(t, newToolset(t, d, newTransport(t, c)), "read")
			var failed *oauth.Error
			require.ErrorAs(t, err, &failed)
			assert.Equal(t, 401, failed.Status)
			for _, secret := range i.minted {
				assert.NotContains(t, err.Error(), secret)
				assert.NotContains(t, fmt.Sprintf("%+v %#v", err, err), secret)
			}
			if name != "other's code" {
				assert.Zero(t, i.count("authorization_code"), "the code was not sent")
			}
			assert.Zero(t, d.calls)
		})
	}
}

func TestAUserWhoSaysNoIsAnErrorWithItsCode(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	i.deny = "access_denied"
	d := newDesk(t, i)
	_, err := call(t, newToolset(t, d, newTransport(t, userConfig(t, d))), "read")
	var failed *oauth.Error
	require.ErrorAs(t, err, &failed)
	assert.Equal(t, "access_denied", failed.Code)
}

func TestMetadataThatMayNotBeUsed(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(*issuer, *desk){
		"another resource": func(_ *issuer, d *desk) { d.prm["resource"] = "https://evil.test/mcp" },
		"a path beside":    func(_ *issuer, d *desk) { d.prm["resource"] = d.URL + "/mcpx" },
		"no resource":      func(_ *issuer, d *desk) { delete(d.prm, "resource") },
		"no servers":       func(_ *issuer, d *desk) { d.prm["authorization_servers"] = []string{} },
		"plain http":       func(_ *issuer, d *desk) { d.prm["authorization_servers"] = []string{"http://evil.test"} },
		"a file":           func(_ *issuer, d *desk) { d.prm["authorization_servers"] = []string{"file:///etc/passwd"} },
		"another issuer":   func(i *issuer, _ *desk) { i.metadata["issuer"] = "https://honest.test" },
		"no PKCE":          func(i *issuer, _ *desk) { delete(i.metadata, "code_challenge_methods_supported") },
		"plain PKCE":       func(i *issuer, _ *desk) { i.metadata["code_challenge_methods_supported"] = []string{"plain"} },
		"a script":         func(i *issuer, _ *desk) { i.metadata["authorization_endpoint"] = "javascript:alert(1)" },
		"http token":       func(i *issuer, _ *desk) { i.metadata["token_endpoint"] = "http://evil.test/token" },
		"no token":         func(i *issuer, _ *desk) { delete(i.metadata, "token_endpoint") },
		"huge":             func(_ *issuer, d *desk) { d.prm["x"] = strings.Repeat("x", 2<<20) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := newIssuer(t)
			d := newDesk(t, i)
			spoil(i, d)
			_, err := call(t, newToolset(t, d, newTransport(t, userConfig(t, d))), "read")
			var failed *oauth.Error
			require.ErrorAs(t, err, &failed)
			assert.Equal(t, "discovery", failed.Step)
			assert.Zero(t, i.count("authorize")+i.count("authorization_code")+i.count("register"))
		})
	}
}

func TestARequestThatEndsLeavesTheBrowserOpen(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	d := newDesk(t, i)
	c := userConfig(t, d)
	asked, agreed, agree := make(chan struct{}), make(chan struct{}), browser(t)
	c.AuthorizationCode.Prompt = oauth.Prompt(func(ctx context.Context, page string) (string, error) {
		close(asked)
		<-agreed
		return agree(ctx, page)
	})
	tr := newTransport(t, c)
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error)
	go func() {
		req, _ := http.NewRequestWithContext(ctx, http.MethodGet, d.url(), nil)
		_, err := tr.Client().Do(req)
		failed <- err
	}()
	<-asked
	cancel()
	require.ErrorIs(t, <-failed, context.Canceled)
	close(agreed)
	_, err := call(t, newToolset(t, d, tr), "read")
	require.NoError(t, err)
	assert.Equal(t, 1, i.count("authorize"))
}

func TestCloseEndsAnAuthorizationUnderWay(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	d := newDesk(t, i)
	c := userConfig(t, d)
	asked := make(chan struct{})
	c.AuthorizationCode.RedirectURL = ""
	c.AuthorizationCode.Prompt = &oauth.Loopback{Open: func(context.Context, string) error { close(asked); return nil }}
	tr := newTransport(t, c)
	failed := make(chan error)
	go func() {
		_, err := tr.Client().Get(d.url())
		failed <- err
	}()
	<-asked
	require.NoError(t, tr.Close())
	require.Error(t, <-failed)
}

func TestALoopbackWaitsForTheBrowser(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	d := newDesk(t, i)
	c := userConfig(t, d)
	c.AuthorizationCode.RedirectURL = ""
	c.AuthorizationCode.Prompt = &oauth.Loopback{Open: func(_ context.Context, page string) error {
		browser := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		resp, err := browser.Get(page)
		if err == nil {
			assert.Equal(t, 200, resp.StatusCode)
			resp.Body.Close()
		}
		return err
	}}
	_, err := call(t, newToolset(t, d, newTransport(t, c)), "read")
	require.NoError(t, err)
}

func TestATokenIsKeptInAFileForTheNextRun(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	d := newDesk(t, i)
	path := filepath.Join(t.TempDir(), "kept", "tokens.json")
	for range 2 {
		c := userConfig(t, d)
		c.Store = oauth.NewFileStore(path)
		_, err := call(t, newToolset(t, d, newTransport(t, c)), "read")
		require.NoError(t, err)
		i.revoke() // the next run finds a token to be refreshed
	}
	assert.Equal(t, 1, i.count("authorize"))
	assert.Equal(t, 1, i.count("register"))
	assert.Equal(t, 1, i.count("refresh_token"))
	info, err := os.Stat(path)
	require.NoError(t, err)
	if runtime.GOOS != "windows" {
		assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	}
}

func TestAClientOfItsOwn(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"client_secret_basic", "client_secret_post"} {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			i := newIssuer(t)
			i.clients["me"] = &client{secret: "s e/c", method: method}
			i.metadata["token_endpoint_auth_methods_supported"] = []string{method}
			delete(i.metadata, "code_challenge_methods_supported")
			d := newDesk(t, i)
			tr := newTransport(t, oauth.Config{ServerURL: d.url(), ClientCredentials: &oauth.ClientCredentials{Client: oauth.Client{Issuer: i.URL, ID: "me", Secret: "s e/c"}}})
			ts := newToolset(t, d, tr)
			for range 2 {
				_, err := call(t, ts, "read")
				require.NoError(t, err)
				i.revoke()
			}
			assert.Equal(t, 2, i.count("client_credentials"))
		})
	}
}

func TestAClientIsUsedWithItsIssuerOnly(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	d := newDesk(t, i)
	tr := newTransport(t, oauth.Config{ServerURL: d.url(), ClientCredentials: &oauth.ClientCredentials{Client: oauth.Client{Issuer: "https://honest.test", ID: "me", Secret: "hush-hush"}}})
	_, err := call(t, newToolset(t, d, tr), "read")
	require.ErrorContains(t, err, "https://honest.test")
	assert.Zero(t, i.count("client_credentials"))
}

func TestO86_NoTokenFollowsARedirectToAnotherHost(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	d := newDesk(t, i)
	tr := newTransport(t, userConfig(t, d))
	_, err := call(t, newToolset(t, d, tr), "read")
	require.NoError(t, err)
	seen := make(chan string, 1)
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { seen <- r.Header.Get("Authorization") }))
	t.Cleanup(other.Close)
	d.Config.Handler = http.RedirectHandler(other.URL, http.StatusTemporaryRedirect)
	resp, err := tr.Client().Get(d.url())
	require.NoError(t, err)
	resp.Body.Close()
	assert.Empty(t, <-seen)
}

func TestA8_NothingPrintsItsSecrets(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	d := newDesk(t, i)
	var log bytes.Buffer
	c := userConfig(t, d)
	store := oauth.NewMemoryStore()
	c.Store, c.Logger = store, slog.New(slog.NewTextHandler(&log, nil))
	tr := newTransport(t, c)
	ts := newToolset(t, d, tr)
	_, err := call(t, ts, "read")
	require.NoError(t, err)
	i.with(func() { i.tokenErr = "invalid_grant" })
	i.revoke()
	_, err = call(t, ts, "read")
	require.NoError(t, err)
	own := oauth.Client{ID: "me", Secret: "hush-hush"}
	shown := log.String()
	for _, v := range []any{tr, *tr.Client(), store, ts, own, &own} {
		for _, format := range []string{"%v", "%+v", "%#v", "%s"} {
			shown += fmt.Sprintf(format, v)
		}
	}
	require.NotEmpty(t, log.String())
	for _, secret := range append(i.minted, "hush-hush") {
		assert.NotContains(t, shown, secret)
	}
}
