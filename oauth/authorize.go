package oauth

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/oauth2"
)

// authorize has the user asked and returns the token (OAuth 2.1, section 4.1).
// before are the scopes of an earlier grant.
func (t *Transport) authorize(ctx context.Context, p *place, challenged, before []string) (*grant, error) {
	if !p.server.assumed && !slices.Contains(p.server.Challenges, "S256") {
		return nil, failf("discovery", "%q does not say that it supports PKCE with S256", quotable(p.server.Issuer))
	}
	if p.server.Authorization == "" {
		return nil, failf("discovery", "the metadata of %q has no authorization_endpoint", quotable(p.server.Issuer))
	}
	a := t.config.AuthorizationCode
	visit, err := a.Prompt.Start(ctx, a.RedirectURL)
	if err != nil {
		return nil, fail("authorization", err)
	}
	defer visit.Close()
	c, err := t.identify(ctx, &p.server, visit.RedirectURL())
	if err != nil {
		return nil, err
	}
	g, err := t.ask(ctx, p, &c, visit, t.wanted(p, challenged, before, true))
	if err != nil {
		t.beginRest(err)
		// Nor does a server send back the user of a client it does not know.
		if unknownClient(err) || errors.Is(ctx.Err(), context.DeadlineExceeded) {
			t.disown(ctx, &c)
		}
		return nil, err
	}
	t.endRest()
	return g, nil
}

// ask sends the user to the authorization page and redeems the code.
func (t *Transport) ask(ctx context.Context, p *place, c *Client, visit Visit, scopes []string) (*grant, error) {
	verifier, state := oauth2.GenerateVerifier(), rand.Text()
	page, err := authorizationURL(p, c.ID, visit.RedirectURL(), state, verifier, scopes)
	if err != nil {
		return nil, err
	}
	t.config.Logger.Info("oauth: asking the user", "issuer", p.server.Issuer, "scopes", scopes)
	redirected, err := visit.Ask(ctx, page)
	if err != nil {
		return nil, fail("authorization", err)
	}
	code, err := p.codeOf(redirected, state)
	if err != nil {
		return nil, err
	}
	return t.requestToken(ctx, p, c, url.Values{
		"grant_type": {"authorization_code"}, "code": {code}, "code_verifier": {verifier},
		"redirect_uri": {visit.RedirectURL()},
	}, scopes)
}

// authorizationURL is the page that asks the user (RFC 6749, section 4.1.1).
func authorizationURL(p *place, id, redirect, state, verifier string, scopes []string) (string, error) {
	u, err := url.Parse(p.server.Authorization)
	if err != nil {
		return "", failf("discovery", "the authorization_endpoint cannot be read")
	}
	q := u.Query() // the endpoint may have parameters of its own
	for name, value := range map[string]string{
		"response_type": "code", "client_id": id, "redirect_uri": redirect, "state": state,
		"code_challenge": oauth2.S256ChallengeFromVerifier(verifier), "code_challenge_method": "S256",
		"resource": p.resource,
	} {
		q.Set(name, value)
	}
	if len(scopes) > 0 {
		q.Set("scope", strings.Join(scopes, " "))
	}
	if slices.Contains(scopes, "offline_access") {
		q.Set("prompt", "consent") // OpenID Connect Core 1.0, section 11
	}
	u.RawQuery = q.Encode()
	return u.String(), nil
}

// codeOf checks what the user came back with, first that it belongs to this
// request and this server, and returns the code (RFC 9207, section 2.4).
func (p *place) codeOf(redirected, state string) (string, error) {
	q, err := redirectQuery(redirected)
	if err != nil {
		return "", fail("authorization", err)
	}
	for _, name := range []string{"state", "iss", "code", "error"} {
		if len(q[name]) > 1 {
			return "", failf("authorization", "the redirect has %s more than once", name)
		}
	}
	if subtle.ConstantTimeCompare([]byte(q.Get("state")), []byte(state)) != 1 {
		return "", fail("authorization", errors.New("the redirect's state is not the one that was sent"))
	}
	iss, said := q.Get("iss"), q.Has("iss")
	switch {
	case said && iss != p.server.Issuer:
		return "", fail("authorization", errors.New("the redirect comes from another issuer"))
	case !said && p.server.SaysIssuer:
		return "", fail("authorization", errors.New("the redirect does not name its issuer, as the server promised it would"))
	case q.Get("error") != "":
		return "", denied("authorization", q.Get("error"), q.Get("error_description"))
	case q.Get("code") == "":
		return "", fail("authorization", errors.New("the redirect has no code"))
	}
	return q.Get("code"), nil
}

// maxRedirect bounds the URL a user comes back with, in bytes.
const maxRedirect = 64 << 10

func redirectQuery(redirected string) (url.Values, error) {
	if len(redirected) > maxRedirect {
		return nil, errors.New("the redirect is too long")
	}
	query := redirected
	if _, after, found := strings.Cut(redirected, "?"); found {
		query = after
	}
	query, _, _ = strings.Cut(query, "#")
	q, err := url.ParseQuery(query)
	if err != nil {
		return nil, errors.New("the redirect cannot be read") // its text holds the code
	}
	return q, nil
}
