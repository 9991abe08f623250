package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// grant is a token and what it was given for, as the Store has it.
type grant struct {
	Issuer   string `json:"issuer"`
	Resource string `json:"resource"`
	ClientID string `json:"client_id"`

	Access  string    `json:"access_token"`
	Refresh string    `json:"refresh_token,omitempty"`
	Issued  time.Time `json:"issued,omitzero"`
	Expires time.Time `json:"expires,omitzero"` // zero where it is not known

	// Scopes were asked for, or are those of the answer where that has more.
	Scopes []string `json:"scopes,omitempty"`

	// came is how this Transport got the token.
	came origins
}

// origins are the ways to a token.
type origins int

const (
	fromStore origins = iota
	byRefresh
	byLeave // the user's, or the client's own
)

// dress sets the token, where there is one.
func (g *grant) dress(h http.Header) {
	if g != nil {
		h.Set("Authorization", "Bearer "+g.Access)
	}
}

func grantKey(issuer, resource string) string { return "token " + issuer + " " + resource }

// maxEarly is how long before its end a token is renewed at most.
const maxEarly = 30 * time.Second

// stale reports whether the token ends so soon that it is time for a new one:
// within half a minute, or the last tenth of a shorter life.
func (g *grant) stale(now time.Time) bool {
	if g.Expires.IsZero() {
		return false
	}
	early := min(maxEarly, g.Expires.Sub(g.Issued)/10)
	return !now.Before(g.Expires.Add(-early))
}

// expired reports whether the token's end has come.
func (g *grant) expired(now time.Time) bool { return !g.Expires.IsZero() && !now.Before(g.Expires) }

// requestToken asks the token endpoint of p for a token (RFC 6749, section 3.2).
// form is what is particular to the kind of grant; scopes are those asked for.
func (t *Transport) requestToken(ctx context.Context, p *place, c *Client, form url.Values, scopes []string) (*grant, error) {
	form.Set("resource", p.resource) // RFC 8707
	basic, err := c.authenticate(&p.server, form)
	if err != nil {
		return nil, fail("token", err)
	}
	now := time.Now()
	status, body, err := t.post(ctx, p.server.Token, "application/x-www-form-urlencoded", form.Encode(), basic)
	if err != nil {
		return nil, fail("token", err)
	}
	if status != http.StatusOK && status != http.StatusCreated {
		return nil, answered("token", status, body)
	}
	return grantOf(body, &grant{Issuer: p.server.Issuer, Resource: p.resource, ClientID: c.ID, Issued: now, Scopes: scopes, came: byLeave})
}

// authenticate adds what shows who the client is, to form or to the header.
func (c *Client) authenticate(s *serverMetadata, form url.Values) (*url.Userinfo, error) {
	switch c.method(s) {
	case methodBasic:
		return url.UserPassword(c.ID, c.Secret), nil
	case methodPost:
		form.Set("client_id", c.ID)
		form.Set("client_secret", c.Secret)
	case methodKey:
		if c.Key == nil {
			return nil, errors.New("the client needs a private key")
		}
		assertion, err := c.Key.assertion(c.ID, s.Issuer, time.Now())
		if err != nil {
			return nil, err
		}
		form.Set("client_id", c.ID)
		form.Set("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
		form.Set("client_assertion", assertion)
	default:
		form.Set("client_id", c.ID)
	}
	return nil, nil
}

// maxLife bounds how long a token is taken to live.
const maxLife = 10 * 365 * 24 * time.Hour

// grantOf reads the answer of a token endpoint (RFC 6749, section 5.1) into g.
func grantOf(body []byte, g *grant) (*grant, error) {
	var answer struct {
		Access  string      `json:"access_token"`
		Type    string      `json:"token_type"`
		Expires json.Number `json:"expires_in"`
		Refresh string      `json:"refresh_token"`
		Scope   string      `json:"scope"`
		Error   string      `json:"error"`
	}
	d := json.NewDecoder(strings.NewReader(string(body)))
	d.UseNumber()
	if err := d.Decode(&answer); err != nil {
		return nil, fail("token", errors.New("the answer is not the JSON that is expected"))
	}
	switch {
	case answer.Access == "" && answer.Error != "": // some answer a refusal with 200
		return nil, answered("token", http.StatusOK, body)
	case !isToken(answer.Access):
		return nil, fail("token", errors.New("the answer has no access_token that could be sent"))
	case answer.Type != "" && !strings.EqualFold(answer.Type, "Bearer"):
		return nil, failf("token", "the token is of type %q: only Bearer is supported", quotable(answer.Type))
	}
	g.Access, g.Refresh = answer.Access, answer.Refresh
	if seconds, err := answer.Expires.Float64(); err == nil && seconds > 0 {
		g.Expires = g.Issued.Add(time.Duration(min(seconds, maxLife.Seconds()) * float64(time.Second)))
	}
	g.Scopes = union(g.Scopes, scopesOf(answer.Scope))
	return g, nil
}

// isToken reports whether s can be sent in a header.
func isToken(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' })
}

// answered reads the error an authorization server answered with.
func answered(step string, status int, body []byte) *Error {
	var answer struct {
		Error       string `json:"error"`
		Description string `json:"error_description"`
	}
	if json.Unmarshal(body, &answer) != nil || answer.Error == "" {
		return failf(step, "the authorization server answered HTTP %d", status)
	}
	// What the server adds in its own words is left out: it may repeat what
	// was sent to it.
	return denied(step, answer.Error, "")
}

// renewable reports whether g can be renewed without a user.
func (t *Transport) renewable(g *grant) bool {
	return g != nil && (g.Refresh != "" || t.config.ClientCredentials != nil)
}

// refresh renews g (RFC 6749, section 6).
func (t *Transport) refresh(ctx context.Context, p *place, c *Client, g *grant) (*grant, error) {
	form := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {g.Refresh}}
	fresh, err := t.requestToken(ctx, p, c, form, g.Scopes)
	if err != nil {
		return nil, err
	}
	if fresh.Refresh == "" { // it is not rotated
		fresh.Refresh = g.Refresh
	}
	fresh.came = byRefresh
	return fresh, nil
}

// ownToken asks for a token for the client itself (RFC 6749, section 4.4).
func (t *Transport) ownToken(ctx context.Context, p *place, c *Client, scopes []string) (*grant, error) {
	form := url.Values{"grant_type": {"client_credentials"}}
	if len(scopes) > 0 {
		form.Set("scope", strings.Join(scopes, " "))
	}
	return t.requestToken(ctx, p, c, form, scopes)
}

// wanted are the scopes to ask for: those of the challenge, else those of the
// resource's metadata, and in any case the owner's and those asked for before.
func (t *Transport) wanted(p *place, challenged, before []string, user bool) []string {
	scopes := challenged
	if len(scopes) == 0 {
		scopes = p.scopes
	}
	scopes = union(before, union(scopes, t.config.Scopes))
	// Alone it would take the place of the server's own choice.
	if user && len(scopes) > 0 && slices.Contains(p.server.Scopes, "offline_access") {
		scopes = union(scopes, []string{"offline_access"})
	}
	return scopes
}
