package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"time"
)

// How a client shows who it is at the token endpoint (RFC 7591, section 2;
// RFC 7523).
const (
	methodNone  = "none"
	methodBasic = "client_secret_basic"
	methodPost  = "client_secret_post"
	methodKey   = "private_key_jwt"
)

// registered is the client that the owner has configured, nil for none.
func (t *Transport) registered() *Client {
	if t.config.ClientCredentials != nil {
		return &t.config.ClientCredentials.Client
	}
	return t.config.AuthorizationCode.Client
}

// identify finds who the client is to the authorization server, in the
// specification's order of preference. redirect is where the user comes back
// to, empty where none is asked.
func (t *Transport) identify(ctx context.Context, s *serverMetadata, redirect string) (Client, error) {
	if c := t.registered(); c != nil {
		if c.Issuer != AnyIssuer && !sameIssuer(c.Issuer, s.Issuer) {
			return Client{}, failf("registration", "the client is registered with %q, but the server names %q", quotable(c.Issuer), quotable(s.Issuer))
		}
		found := *c
		found.Issuer = s.Issuer
		return found, nil
	}
	a := t.config.AuthorizationCode
	switch {
	case a.ClientIDMetadataURL != "" && s.TakesClientDocuments:
		c := Client{Issuer: s.Issuer, ID: a.ClientIDMetadataURL, Key: a.ClientIDMetadataKey, AuthMethod: methodNone}
		if c.Key != nil {
			c.AuthMethod = methodKey
		}
		return c, nil
	case a.Registration != nil && s.Registration != "":
		return t.register(ctx, s, redirect)
	case a.Registration != nil:
		return Client{}, failf("registration", "%q registers no clients: configure one that it knows", quotable(s.Issuer))
	}
	return Client{}, failf("registration", "%q takes no client id metadata documents: configure a client that it knows, or Registration", quotable(s.Issuer))
}

// registration is a registered client as the Store has it.
type registration struct {
	ID         string    `json:"client_id"`
	Secret     string    `json:"client_secret,omitempty"`
	AuthMethod string    `json:"token_endpoint_auth_method,omitempty"`
	Redirects  []string  `json:"redirect_uris"`
	Expires    time.Time `json:"expires,omitzero"`
}

func registrationKey(issuer string) string { return "client " + issuer }

// register returns the client that is registered with s, registering it where
// that has not been done (RFC 7591).
func (t *Transport) register(ctx context.Context, s *serverMetadata, redirect string) (Client, error) {
	var kept registration
	if err := t.load(ctx, registrationKey(s.Issuer), &kept); err != nil {
		return Client{}, err
	}
	if kept.ID == "" || redirect != "" && !slices.ContainsFunc(kept.Redirects, func(r string) bool { return sameRedirect(r, redirect) }) ||
		!kept.Expires.IsZero() && time.Now().After(kept.Expires) {
		if redirect == "" {
			return Client{}, failf("registration", "the client is not registered yet")
		}
		fresh, err := t.requestRegistration(ctx, s, redirect)
		if err != nil {
			return Client{}, err
		}
		kept = *fresh
		if err := t.save(ctx, registrationKey(s.Issuer), kept); err != nil {
			return Client{}, err
		}
	}
	return Client{Issuer: s.Issuer, ID: kept.ID, Secret: kept.Secret, AuthMethod: kept.AuthMethod}, nil
}

// unknownClient reports whether err says that the server knows the client no
// more.
func unknownClient(err error) bool {
	var failed *Error
	return errors.As(err, &failed) && (failed.Code == "invalid_client" || failed.Code == "unauthorized_client")
}

// disown drops the registration of c, which is made anew when it is needed.
func (t *Transport) disown(ctx context.Context, c *Client) {
	if t.registered() != nil || c.ID == t.config.AuthorizationCode.ClientIDMetadataURL {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), t.config.RequestTimeout)
	defer cancel()
	if err := t.config.Store.Save(ctx, registrationKey(c.Issuer), nil); err != nil {
		t.config.Logger.Warn("oauth: a registration could not be dropped", "issuer", c.Issuer, "error", err)
	}
}

// sameRedirect compares redirect URLs. On a loopback address the port does not
// count (RFC 8252, section 7.3).
func sameRedirect(a, b string) bool {
	x, errX := url.Parse(a)
	y, errY := url.Parse(b)
	if errX != nil || errY != nil || a == b {
		return a == b
	}
	return x.Scheme == "http" && y.Scheme == "http" && x.Hostname() == y.Hostname() && isLoopback(x.Hostname()) &&
		x.Hostname() != "localhost" && x.Path == y.Path && x.RawQuery == y.RawQuery
}

func (t *Transport) requestRegistration(ctx context.Context, s *serverMetadata, redirect string) (*registration, error) {
	about := t.config.AuthorizationCode.Registration
	name := about.ClientName
	if name == "" {
		name = "mcptoolset"
	}
	grants := []string{"authorization_code"}
	if len(s.Grants) == 0 || slices.Contains(s.Grants, "refresh_token") {
		grants = append(grants, "refresh_token")
	}
	request := map[string]any{
		"client_name":                name,
		"redirect_uris":              []string{redirect},
		"grant_types":                grants,
		"response_types":             []string{"code"},
		"application_type":           applicationType(redirect),
		"token_endpoint_auth_method": registeredMethod(s.AuthMethods),
	}
	if about.ClientURI != "" {
		request["client_uri"] = about.ClientURI
	}
	body, err := json.Marshal(request)
	if err != nil {
		return nil, fail("registration", err)
	}
	status, answer, err := t.post(ctx, s.Registration, "application/json", string(body), nil)
	if err != nil {
		return nil, fail("registration", err)
	}
	if status != http.StatusCreated && status != http.StatusOK {
		return nil, answered("registration", status, answer)
	}
	var got struct {
		registration
		ExpiresAt int64 `json:"client_secret_expires_at"`
	}
	if json.Unmarshal(answer, &got) != nil || got.ID == "" {
		return nil, fail("registration", errors.New("the answer has no client_id"))
	}
	got.Redirects = []string{redirect}
	got.Expires = time.Time{}
	if got.ExpiresAt > 0 {
		got.Expires = time.Unix(got.ExpiresAt, 0)
	}
	t.config.Logger.Info("oauth: client registered", "issuer", s.Issuer)
	return &got.registration, nil
}

// applicationType is what OpenID Connect Dynamic Client Registration calls the
// client: native where the user comes back to this computer or to an app.
func applicationType(redirect string) string {
	u, err := url.Parse(redirect)
	if err == nil && (u.Scheme != "https" || isLoopback(u.Hostname())) {
		return "native"
	}
	return "web"
}

// registeredMethod is the method a client registers for: none, since a
// program that users run can keep no secret, where the server takes that.
func registeredMethod(supported []string) string {
	for _, method := range []string{methodNone, methodBasic, methodPost} {
		if slices.Contains(supported, method) {
			return method
		}
	}
	return methodBasic // the default of RFC 8414, section 2
}

// method is how c shows who it is to s.
func (c *Client) method(s *serverMetadata) string {
	switch {
	case c.AuthMethod == methodNone, c.AuthMethod == methodKey:
		return c.AuthMethod
	case c.AuthMethod != "" && c.Secret != "":
		return c.AuthMethod
	case c.Key != nil:
		return methodKey
	case c.Secret == "":
		return methodNone
	}
	for _, method := range []string{methodBasic, methodPost, methodNone} {
		if slices.Contains(s.AuthMethods, method) {
			return method
		}
	}
	return methodBasic
}
