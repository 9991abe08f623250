package main

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/oauth"
)

// declined is a server that wants a user's leave, and a user who says no.
func declined() (*config.Builder, func()) {
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	mux.Handle("/mcp", refusing(http.StatusUnauthorized, "sign in"))
	mux.HandleFunc("/.well-known/oauth-authorization-server", func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]any{
			"issuer": server.URL, "authorization_endpoint": server.URL + "/authorize", "token_endpoint": server.URL + "/token",
			"code_challenge_methods_supported": []string{"S256"},
		})
	})
	auth, err := oauth.NewTransport(oauth.Config{
		ServerURL: server.URL + "/mcp",
		AuthorizationCode: &oauth.AuthorizationCode{
			Client:      &oauth.Client{Issuer: server.URL, ID: "demo"},
			RedirectURL: "https://app.example/callback",
			Prompt:      oauth.Prompt(sayNo),
		},
	})
	if err != nil {
		panic(err) // the configuration is ours
	}
	stop := func() {
		_ = auth.Close()
		server.Close()
	}
	return config.NewStreamableHTTP(server.URL + "/mcp").Name("demo").HTTPClient(auth.Client()), stop
}

// sayNo comes back from the page as a user does who says no.
func sayNo(_ context.Context, page string) (string, error) {
	u, err := url.Parse(page)
	if err != nil {
		return "", err
	}
	return url.Values{"state": {u.Query().Get("state")}, "error": {"access_denied"}}.Encode(), nil
}
