package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/mcptoolset/mcptoolset/examples/internal/openaitest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// house is an MCP server and its authorization server, on loopback.
type house struct {
	*httptest.Server

	mu         sync.Mutex
	challenges map[string]string // by code
	valid      map[string]bool   // access and refresh tokens
	asked      int               // users
	refreshed  int
	deny       bool
}

func open(t *testing.T) *house {
	t.Helper()
	h := &house{challenges: map[string]string{}, valid: map[string]bool{}}
	s := server.NewMCPServer("list", "1")
	s.AddTool(mcp.NewTool("get_list"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText("bread"), nil
	})
	mux := http.NewServeMux()
	mux.Handle("/mcp", h.guard(server.NewStreamableHTTPServer(s)))
	mux.HandleFunc("GET /.well-known/oauth-protected-resource/mcp", func(w http.ResponseWriter, _ *http.Request) {
		send(w, 200, map[string]any{"resource": h.URL + "/mcp", "authorization_servers": []string{h.URL}})
	})
	mux.HandleFunc("GET /.well-known/oauth-authorization-server", func(w http.ResponseWriter, _ *http.Request) {
		send(w, 200, map[string]any{
			"issuer": h.URL, "authorization_endpoint": h.URL + "/authorize", "token_endpoint": h.URL + "/token", "registration_endpoint": h.URL + "/register",
			"code_challenge_methods_supported": []string{"S256"}, "token_endpoint_auth_methods_supported": []string{"none"},
		})
	})
	mux.HandleFunc("POST /register", func(w http.ResponseWriter, _ *http.Request) { send(w, 201, map[string]any{"client_id": "example"}) })
	mux.HandleFunc("GET /authorize", h.authorize)
	mux.HandleFunc("POST /token", h.token)
	h.Server = httptest.NewServer(mux)
	t.Cleanup(func() { h.CloseClientConnections(); h.Close() })
	return h
}

func send(w http.ResponseWriter, status int, v any) {
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

// guard lets in who has a token. A refusal names no metadata: they are at the
// well-known place.
func (h *house) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		h.mu.Lock()
		valid := h.valid[token]
		h.mu.Unlock()
		if !valid {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// authorize is the page on which a user signs in, who is quick to decide.
func (h *house) authorize(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.asked++
	q := r.URL.Query()
	back := url.Values{"state": {q.Get("state")}}
	if h.deny {
		back.Set("error", "access_denied")
	} else {
		code := rand.Text()
		h.challenges[code] = q.Get("code_challenge")
		back.Set("code", code)
	}
	http.Redirect(w, r, q.Get("redirect_uri")+"?"+back.Encode(), http.StatusFound)
}

func (h *house) token(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	sum := sha256.Sum256([]byte(r.FormValue("code_verifier")))
	switch old := r.FormValue("refresh_token"); {
	case h.valid[old]:
		h.refreshed++
		delete(h.valid, old)
	case h.challenges[r.FormValue("code")] != base64.RawURLEncoding.EncodeToString(sum[:]):
		send(w, 400, map[string]any{"error": "invalid_grant"})
		return
	}
	access, refresh := "access-"+rand.Text(), "refresh-"+rand.Text()
	h.valid[access], h.valid[refresh] = true, true
	send(w, 200, map[string]any{"access_token": access, "token_type": "Bearer", "expires_in": 3600, "refresh_token": refresh})
}

// revoke ends all access tokens.
func (h *house) revoke() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for token := range h.valid {
		if strings.HasPrefix(token, "access-") {
			delete(h.valid, token)
		}
	}
}

// browse follows the page to where it leads, as a browser does.
func browse(ctx context.Context, page string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, page, nil)
	if err != nil {
		return err
	}
	browser := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := browser.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func answers() []openaitest.Turn {
	return []openaitest.Turn{
		openaitest.Call("get_list", `{}`),
		openaitest.Say(func(r openaitest.Request) string { return "On it: " + r.Last() }),
	}
}

func TestAUserSignsInOnce(t *testing.T) {
	h := open(t)
	openaitest.Serve(t, append(answers(), append(answers(), answers()...)...)...)
	file := filepath.Join(t.TempDir(), "tokens.json")
	for range 2 { // the second run finds a token that is good no more
		said, err := run(t.Context(), []string{"-tokens", file, h.URL + "/mcp", "What is on my list?"}, browse)
		require.NoError(t, err)
		assert.Equal(t, "On it: bread", said)
		h.revoke()
	}
	assert.Equal(t, 1, h.asked)
	assert.Equal(t, 1, h.refreshed)

	said, err := run(t.Context(), []string{"-forget", "-tokens", file, h.URL + "/mcp", "What is on my list?"}, browse)
	require.NoError(t, err)
	assert.Equal(t, "On it: bread", said)
	assert.Equal(t, 2, h.asked, "what was kept is forgotten")
}

func TestErrorsAreOnesToActOn(t *testing.T) {
	h := open(t)
	h.deny = true
	openaitest.Serve(t)
	file := filepath.Join(t.TempDir(), "tokens.json")
	_, err := run(t.Context(), []string{"-tokens", file, h.URL + "/mcp", "What?"}, browse)
	assert.ErrorContains(t, err, "you did not let this program in")
	_, err = run(t.Context(), []string{"-tokens", file, "http://host.example/mcp", "What?"}, browse)
	assert.ErrorContains(t, err, "ServerURL must be https")
	_, err = run(t.Context(), []string{h.URL}, browse)
	assert.ErrorContains(t, err, "a question")
}

func TestThePageIsShownWhereThereIsNoBrowser(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	var out strings.Builder
	require.NoError(t, show(&out)(t.Context(), "https://login.example/authorize?state=1"))
	assert.Contains(t, out.String(), "https://login.example/authorize?state=1")
	assert.Contains(t, out.String(), "could not be opened")
}
