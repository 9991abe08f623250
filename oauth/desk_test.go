package oauth_test

import (
	"context"
	"crypto"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/oauth"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// issuer is a strict authorization server.
type issuer struct {
	*httptest.Server
	t *testing.T

	mu       sync.Mutex
	metadata map[string]any
	clients  map[string]*client
	codes    map[string]*code
	tokens   map[string]*token // by access token
	refresh  map[string]*token
	counts   map[string]int
	forms    []url.Values // token requests
	basic    []bool
	pages    []url.Values // authorization requests
	regs     []map[string]any
	life     int    // expires_in, 0 for none
	rotate   bool   // refresh tokens are good for one use
	deny     string // error the user answers with
	iss      *string
	resource string
	minted   []string // every secret ever handed out
	tokenErr string   // answer of the token endpoint to refreshes
	narrow   bool     // gives no scope back
	jtis     map[string]bool
}

type client struct {
	secret, method, redirect string
	key                      crypto.PublicKey
	algorithm, kid           string
}

type code struct{ client, redirect, challenge, resource, scope string }

type token struct {
	client, scope, resource string
	revoked                 bool
	ends                    time.Time // zero for never
}

func (t *token) good(resource string) bool {
	return t != nil && !t.revoked && t.resource == resource && (t.ends.IsZero() || time.Now().Before(t.ends))
}

func newIssuer(t *testing.T) *issuer {
	t.Helper()
	web := httptest.NewUnstartedServer(nil)
	i := newIssuerOn(t, web)
	web.Start()
	t.Cleanup(web.Close)
	i.describe()
	return i
}

// newIssuerOn returns an issuer that answers on web, which may have no listener.
func newIssuerOn(t *testing.T, web *httptest.Server) *issuer {
	i := &issuer{Server: web, jtis: map[string]bool{}, t: t, clients: map[string]*client{}, codes: map[string]*code{}, tokens: map[string]*token{}, refresh: map[string]*token{}, counts: map[string]int{}, rotate: true}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/oauth-authorization-server", i.document)
	mux.HandleFunc("GET /authorize", i.authorize)
	mux.HandleFunc("POST /token", i.token)
	mux.HandleFunc("POST /register", i.register)
	i.Config = &http.Server{Handler: mux}
	i.describe()
	return i
}

// describe makes the metadata that fit the issuer's URL.
func (i *issuer) describe() {
	i.metadata = map[string]any{
		"issuer": i.URL, "authorization_endpoint": i.URL + "/authorize", "token_endpoint": i.URL + "/token",
		"registration_endpoint": i.URL + "/register", "code_challenge_methods_supported": []string{"S256"},
		"token_endpoint_auth_methods_supported":          []string{"none", "client_secret_basic", "client_secret_post", "private_key_jwt"},
		"authorization_response_iss_parameter_supported": true,
	}
}

func (i *issuer) secret() string {
	s := "secret-" + rand.Text()
	i.minted = append(i.minted, s)
	return s
}

func (i *issuer) count(what string) int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.counts[what]
}

func (i *issuer) with(f func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	f()
}

func (i *issuer) document(w http.ResponseWriter, _ *http.Request) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.counts["metadata"]++
	_ = json.NewEncoder(w).Encode(i.metadata)
}

func (i *issuer) register(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.counts["register"]++
	var m map[string]any
	if json.NewDecoder(r.Body).Decode(&m) != nil {
		w.WriteHeader(400)
		return
	}
	i.regs = append(i.regs, m)
	redirect, _ := m["redirect_uris"].([]any)[0].(string)
	id, method := "client-"+rand.Text(), m["token_endpoint_auth_method"].(string)
	c := &client{method: method, redirect: redirect}
	answer := map[string]any{"client_id": id, "token_endpoint_auth_method": method, "redirect_uris": []string{redirect}}
	if method != "none" {
		c.secret = i.secret()
		answer["client_secret"] = c.secret
	}
	i.clients[id] = c
	w.WriteHeader(201)
	_ = json.NewEncoder(w).Encode(answer)
}

// secretFor registers a client whose secret ends.
func (i *issuer) secretFor(w http.ResponseWriter, ends time.Time) {
	i.mu.Lock()
	defer i.mu.Unlock()
	id, c := "client-"+rand.Text(), &client{method: "client_secret_post", redirect: redirectURL, secret: i.secret()}
	i.clients[id] = c
	w.WriteHeader(201)
	_ = json.NewEncoder(w).Encode(map[string]any{"client_id": id, "client_secret": c.secret, "token_endpoint_auth_method": c.method, "client_secret_expires_at": ends.Unix()})
}

func loopbackEqual(a, b string) bool {
	x, _ := url.Parse(a)
	y, _ := url.Parse(b)
	if x.Hostname() == "127.0.0.1" && y.Hostname() == "127.0.0.1" {
		return x.Path == y.Path
	}
	return a == b
}

func (i *issuer) authorize(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.counts["authorize"]++
	q := r.URL.Query()
	i.pages = append(i.pages, q)
	c := i.clients[q.Get("client_id")]
	if c == nil || !loopbackEqual(c.redirect, q.Get("redirect_uri")) || q.Get("response_type") != "code" ||
		q.Get("code_challenge_method") != "S256" || len(q.Get("code_challenge")) != 43 || q.Get("resource") != i.resource {
		http.Error(w, "bad authorization request", 400)
		return
	}
	back := url.Values{"state": {q.Get("state")}}
	switch {
	case i.iss == nil:
		back.Set("iss", i.URL)
	case *i.iss != "":
		back.Set("iss", *i.iss)
	}
	if i.deny != "" {
		back.Set("error", i.deny)
	} else {
		id := i.secret()
		i.codes[id] = &code{q.Get("client_id"), q.Get("redirect_uri"), q.Get("code_challenge"), q.Get("resource"), q.Get("scope")}
		back.Set("code", id)
	}
	http.Redirect(w, r, q.Get("redirect_uri")+"?"+back.Encode(), http.StatusFound)
}

func (i *issuer) token(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	defer i.mu.Unlock()
	_ = r.ParseForm()
	form := maps.Clone(r.PostForm)
	i.forms = append(i.forms, form)
	grant := form.Get("grant_type")
	i.counts[grant]++
	refuse := func(code string) {
		w.WriteHeader(400)
		_ = json.NewEncoder(w).Encode(map[string]string{"error": code, "error_description": "you sent " + form.Encode()})
	}
	id, secret, basic := r.BasicAuth()
	i.basic = append(i.basic, basic)
	if basic { // RFC 6749, section 2.3.1
		id, _ = url.QueryUnescape(id)
		secret, _ = url.QueryUnescape(secret)
	} else {
		id, secret = form.Get("client_id"), form.Get("client_secret")
	}
	c := i.clients[id]
	switch {
	case c == nil, c.method == "client_secret_basic" != basic, c.method != "private_key_jwt" && c.secret != secret:
		refuse("invalid_client")
		return
	case c.method == "private_key_jwt" && !i.signed(c, id, form):
		refuse("invalid_client")
		return
	case form.Get("resource") != i.resource:
		refuse("invalid_target")
		return
	}
	switch grant {
	case "authorization_code":
		given := i.codes[form.Get("code")]
		sum := sha256.Sum256([]byte(form.Get("code_verifier")))
		if given == nil || given.client != id || given.redirect != form.Get("redirect_uri") || base64.RawURLEncoding.EncodeToString(sum[:]) != given.challenge {
			refuse("invalid_grant")
			return
		}
		delete(i.codes, form.Get("code"))
		i.answer(w, &token{client: id, scope: given.scope, resource: given.resource}, true)
	case "refresh_token":
		given := i.refresh[form.Get("refresh_token")]
		if i.tokenErr != "" {
			refuse(i.tokenErr)
			return
		}
		if given == nil || given.client != id {
			refuse("invalid_grant")
			return
		}
		if i.rotate {
			delete(i.refresh, form.Get("refresh_token"))
		}
		i.answer(w, &token{client: id, scope: given.scope, resource: given.resource}, i.rotate)
	case "client_credentials":
		i.answer(w, &token{client: id, scope: form.Get("scope"), resource: form.Get("resource")}, false)
	default:
		refuse("unsupported_grant_type")
	}
}

func (i *issuer) answer(w http.ResponseWriter, t *token, refresh bool) {
	access := i.secret()
	i.tokens[access] = t
	if i.life > 0 {
		t.ends = time.Now().Add(time.Duration(i.life) * time.Second)
	}
	answer := map[string]any{"access_token": access, "token_type": "bearer"}
	if i.life > 0 {
		answer["expires_in"] = i.life
	}
	if t.scope != "" && !i.narrow {
		answer["scope"] = t.scope
	}
	if refresh {
		s := i.secret()
		i.refresh[s] = t
		answer["refresh_token"] = s
	}
	_ = json.NewEncoder(w).Encode(answer)
}

// revoke ends all access tokens.
func (i *issuer) revoke() {
	i.with(func() {
		for _, t := range i.tokens {
			t.revoked = true
		}
	})
}

// desk is an MCP server that wants tokens of an issuer.
type desk struct {
	*httptest.Server
	issuer *issuer
	mcp    *server.MCPServer

	mu       sync.Mutex
	prm      map[string]any
	scope    string            // the first challenge's
	needs    map[string]string // tool to scope
	said     bool              // the challenge names the metadata
	requests []*http.Request
	calls    int
}

const prmPath = "/.well-known/oauth-protected-resource/mcp"

func newDesk(t *testing.T, i *issuer) *desk {
	t.Helper()
	d := &desk{issuer: i, said: true, needs: map[string]string{}}
	s := server.NewMCPServer("desk", "1")
	for _, name := range []string{"read", "write", "admin"} {
		s.AddTool(mcp.NewTool(name), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.calls++
			return mcp.NewToolResultText(name + " done"), nil
		})
	}
	d.mcp = s
	streamable := server.NewStreamableHTTPServer(s)
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+prmPath, d.document)
	mux.Handle("/mcp", d.guard(streamable))
	d.Server = httptest.NewServer(mux)
	t.Cleanup(func() { d.CloseClientConnections(); d.Close() })
	d.describe()
	return d
}

// describe makes the metadata that fit the server's URL.
func (d *desk) describe() {
	i := d.issuer
	d.prm = map[string]any{"resource": d.URL + "/mcp", "authorization_servers": []string{i.URL}}
	i.resource = d.URL + "/mcp"
}

func (d *desk) document(w http.ResponseWriter, _ *http.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	_ = json.NewEncoder(w).Encode(d.prm)
}

func (d *desk) url() string { return d.URL + "/mcp" }

func (d *desk) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d.mu.Lock()
		d.requests = append(d.requests, r.Clone(context.Background()))
		scope, said := d.scope, d.said
		d.mu.Unlock()
		access, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		d.issuer.mu.Lock()
		given := d.issuer.tokens[access]
		valid := given.good(d.issuer.resource)
		d.issuer.mu.Unlock()
		challenge := "Bearer realm=\"desk\""
		if said {
			challenge += `, resource_metadata="` + d.URL + prmPath + `"`
		}
		if !valid {
			if scope != "" {
				challenge += `, scope="` + scope + `"`
			}
			w.Header().Set("WWW-Authenticate", challenge)
			http.Error(w, "sign in", http.StatusUnauthorized)
			return
		}
		if tool := r.Header.Get("Mcp-Name"); tool != "" {
			d.mu.Lock()
			need := d.needs[tool]
			d.mu.Unlock()
			if need != "" && !slices.Contains(strings.Fields(given.scope), need) {
				w.Header().Set("WWW-Authenticate", challenge+`, error="insufficient_scope", scope="`+need+`"`)
				http.Error(w, "more scopes", http.StatusForbidden)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// browser is a user who agrees: it follows the page to the redirect.
func browser(t *testing.T) oauth.Prompt {
	return func(ctx context.Context, page string) (string, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, page, nil)
		if err != nil {
			return "", err
		}
		tr := &http.Transport{DisableKeepAlives: true}
		resp, err := tr.RoundTrip(req)
		if err != nil {
			return "", err
		}
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusFound {
			t.Errorf("the authorization page answered %d", resp.StatusCode)
		}
		return resp.Header.Get("Location"), nil
	}
}

const redirectURL = "http://127.0.0.1:7777/callback"

func userConfig(t *testing.T, d *desk) oauth.Config {
	return oauth.Config{ServerURL: d.url(), AuthorizationCode: &oauth.AuthorizationCode{
		Registration: &oauth.Registration{}, RedirectURL: redirectURL, Prompt: browser(t),
	}}
}

func newTransport(t *testing.T, c oauth.Config) *oauth.Transport {
	t.Helper()
	tr, err := oauth.NewTransport(c)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, tr.Close()) })
	return tr
}

func newToolset(t *testing.T, d *desk, tr *oauth.Transport) *toolset.Toolset {
	t.Helper()
	cfg, err := config.NewStreamableHTTP(d.url()).HTTPClient(tr.Client()).Build()
	require.NoError(t, err)
	ts, err := toolset.New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { ts.Close() })
	return ts
}

func call(t *testing.T, ts *toolset.Toolset, tool string) (string, error) {
	t.Helper()
	r, err := ts.CallTool(t.Context(), tool, nil)
	if err != nil {
		return "", err
	}
	return r.Text(), nil
}
