package oauth

import (
	"context"
	"crypto"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Config is what a [Transport] is made of. Either AuthorizationCode or
// ClientCredentials is set.
type Config struct {
	// ServerURL is the MCP server, as it stands in the toolset's config. It is
	// required. Tokens are sent to its scheme, host and port and nowhere else.
	// It must be https, or http on loopback.
	ServerURL string

	// AuthorizationCode asks a user for permission (OAuth 2.1 with PKCE).
	AuthorizationCode *AuthorizationCode
	// ClientCredentials acts for the program itself, without a user.
	ClientCredentials *ClientCredentials

	// Scopes are asked for besides those that the server's challenge or its
	// metadata name. By default none.
	Scopes []string

	// Store keeps tokens and registrations. By default they are kept in memory
	// for the life of the Transport.
	Store Store

	// Base sends all requests: those to the MCP server, for metadata and for
	// tokens. By default it is a copy of [http.DefaultTransport] that the
	// Transport owns and closes.
	Base http.RoundTripper

	// RequestTimeout bounds each request for metadata, a registration or a
	// token; its default is 20 seconds.
	RequestTimeout time.Duration
	// UserTimeout bounds an authorization by a user, from the first request
	// for metadata to the token; its default is 5 minutes.
	UserTimeout time.Duration
	// UserRest is for how long no user is asked again after one who said no or
	// did not come back, a Prompt that failed, or a leave that helped nothing.
	// Requests for which one would have been asked fail meanwhile, with an
	// [*Error] of the same Code; tokens are kept and renewed as ever.
	// [Transport.Authorize] ends it. Its default is 5 minutes.
	UserRest time.Duration

	// Logger is told what is done, without secrets. By default nothing is
	// logged.
	Logger *slog.Logger
}

// AuthorizationCode is how a user is asked, and as which client. The client's
// identity is taken from Client, else from ClientIDMetadataURL where the
// authorization server takes such documents, else from Registration (MCP
// 2025-11-25, basic/authorization, "Client Registration Approaches"). At least
// one of the three is set.
type AuthorizationCode struct {
	// Client is one that the authorization server's operator has registered.
	// It is used with its issuer only: another one is an error.
	Client *Client
	// ClientIDMetadataURL is the https URL of a document that describes the
	// client; it is the client's id.
	ClientIDMetadataURL string
	// ClientIDMetadataKey signs for the client of ClientIDMetadataURL, where
	// that document says private_key_jwt. By default the client is public.
	ClientIDMetadataKey *PrivateKey
	// Registration registers a client where it is needed (RFC 7591). What the
	// server answers is kept in the Store, by issuer.
	Registration *Registration

	// RedirectURL is where the authorization server sends the user back to. It
	// is required, https or http on loopback, unless Prompt comes from a
	// [Loopback], whose address is found anew each time.
	RedirectURL string
	// Prompt shows the user the authorization page and returns what came back.
	// It is required. See [Prompt].
	Prompt Prompter
}

// Prompter has a user visit an authorization page. [Prompt] makes one of a
// function; [Loopback] is one for command lines.
type Prompter interface {
	// Start readies itself for one visit. redirectURL is the configured one.
	// It returns the one to be used, which is the same where it is not empty.
	Start(ctx context.Context, redirectURL string) (Visit, error)
}

// Visit is one use of a [Prompter].
type Visit interface {
	// RedirectURL is where the user comes back to.
	RedirectURL() string
	// Ask shows the page and waits for the user to come back. It returns the
	// whole URL the user was sent back to, or its query.
	Ask(ctx context.Context, authorizationURL string) (redirected string, err error)
	// Close is called once, also when Ask was not.
	Close() error
}

// Prompt is a hook for servers and other programs: it has the user visit
// authorizationURL and returns the URL that the user was sent back to, or its
// query, with code, state and iss as they came. ctx ends with
// Config.UserTimeout or [Transport.Close]; it has no values of a call, since
// calls share one authorization. It is not called concurrently by one
// Transport.
//
// The URL was built from what a server sent. It is http or https, but shows
// whatever that server wants: let the user see its host.
type Prompt func(ctx context.Context, authorizationURL string) (redirected string, err error)

// Start implements [Prompter].
func (p Prompt) Start(_ context.Context, redirectURL string) (Visit, error) {
	return promptVisit{p, redirectURL}, nil
}

type promptVisit struct {
	ask      Prompt
	redirect string
}

func (v promptVisit) RedirectURL() string { return v.redirect }
func (v promptVisit) Close() error        { return nil }
func (v promptVisit) Ask(ctx context.Context, page string) (string, error) {
	return v.ask(ctx, page)
}

// AnyIssuer is for [Client.Issuer] where the authorization server is not known
// beforehand. The MCP server then decides who is shown the client's secret:
// use it with servers you trust only.
const AnyIssuer = "*"

// Client is a registered client. It prints without its secret.
type Client struct {
	// Issuer is the authorization server that knows the client, exactly as in
	// its metadata. It is required; see [AnyIssuer].
	Issuer string
	// ID is the client's id. It is required.
	ID string
	// Secret is the client's secret; empty for a public client.
	Secret string
	// Key signs assertions instead of a secret (private_key_jwt, RFC 7523).
	Key *PrivateKey
	// AuthMethod is how the client shows who it is at the token endpoint:
	// "none", "client_secret_basic", "client_secret_post" or
	// "private_key_jwt". By default it follows from Key, Secret and the
	// server's metadata.
	AuthMethod string
}

// ClientCredentials is a client that acts for itself (OAuth 2.1, section 4.2;
// MCP extension io.modelcontextprotocol/oauth-client-credentials).
type ClientCredentials struct {
	Client Client
}

// PrivateKey signs the assertions of private_key_jwt (RFC 7523). It prints
// without the key.
type PrivateKey struct {
	// Signer is an *ecdsa.PrivateKey, *rsa.PrivateKey or ed25519.PrivateKey, or
	// a signer outside of the program with a public key of these kinds.
	Signer crypto.Signer
	// KeyID is the "kid" of the assertion's header; by default there is none.
	KeyID string
	// Algorithm is the "alg": ES256, ES384, ES512, RS256, PS256 or EdDSA. By
	// default it follows from the key, RS256 for RSA.
	Algorithm string
}

// Registration is what a client says about itself when it registers (RFC
// 7591, section 2). application_type follows from the redirect URL: native on
// loopback and for schemes of an app, web elsewhere.
type Registration struct {
	// ClientName is what the user is shown. By default "mcptoolset".
	ClientName string
	// ClientURI is a page about the client; by default there is none.
	ClientURI string
}

const (
	defaultRequestTimeout = 20 * time.Second
	defaultUserTimeout    = 5 * time.Minute
	defaultUserRest       = 5 * time.Minute
)

// withDefaults returns a copy of c that shares nothing that is changed, or
// all its faults.
func (c Config) withDefaults() (Config, *url.URL, error) {
	server, err := serverURL(c.ServerURL)
	faults := []error{err}
	switch {
	case c.AuthorizationCode == nil && c.ClientCredentials == nil:
		faults = append(faults, errors.New("one of AuthorizationCode and ClientCredentials is required"))
	case c.AuthorizationCode != nil && c.ClientCredentials != nil:
		faults = append(faults, errors.New("AuthorizationCode and ClientCredentials exclude each other"))
	case c.AuthorizationCode != nil:
		code := c.AuthorizationCode.clone()
		c.AuthorizationCode = &code
		faults = append(faults, code.check()...)
	default:
		own := ClientCredentials{c.ClientCredentials.Client.clone()}
		c.ClientCredentials = &own
		faults = append(faults, own.Client.check("ClientCredentials.Client")...)
		if own.Client.Secret == "" && own.Client.Key == nil {
			faults = append(faults, errors.New("ClientCredentials.Client: a Secret or a Key is required"))
		}
		if own.Client.AuthMethod == methodNone {
			faults = append(faults, errors.New("ClientCredentials.Client: AuthMethod none shows nobody who the client is"))
		}
	}
	if c.RequestTimeout < 0 || c.UserTimeout < 0 || c.UserRest < 0 {
		faults = append(faults, errors.New("a timeout is negative"))
	}
	if c.RequestTimeout == 0 {
		c.RequestTimeout = defaultRequestTimeout
	}
	if c.UserTimeout == 0 {
		c.UserTimeout = defaultUserTimeout
	}
	if c.UserRest == 0 {
		c.UserRest = defaultUserRest
	}
	if c.Store == nil {
		c.Store = NewMemoryStore()
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	c.Scopes = slices.Clone(c.Scopes)
	for _, scope := range c.Scopes {
		if !isScope(scope) {
			faults = append(faults, errors.New("in Scopes one is empty or has characters that no scope has"))
		}
	}
	if err := errors.Join(faults...); err != nil {
		return Config{}, nil, fmt.Errorf("oauth: %w", err)
	}
	return c, server, nil
}

// clone shares only what has no fields to be changed: the Prompt and signers.
func (a *AuthorizationCode) clone() AuthorizationCode {
	copied := *a
	if a.Client != nil {
		client := a.Client.clone()
		copied.Client = &client
	}
	if a.ClientIDMetadataKey != nil {
		key := *a.ClientIDMetadataKey
		copied.ClientIDMetadataKey = &key
	}
	if a.Registration != nil {
		registration := *a.Registration
		copied.Registration = &registration
	}
	if l, ok := a.Prompt.(*Loopback); ok && l != nil {
		loopback := *l
		copied.Prompt = &loopback
	}
	return copied
}

func (c *Client) clone() Client {
	copied := *c
	if c.Key != nil {
		key := *c.Key
		copied.Key = &key
	}
	return copied
}

func (a *AuthorizationCode) check() []error {
	var faults []error
	if a.Client == nil && a.ClientIDMetadataURL == "" && a.Registration == nil {
		faults = append(faults, errors.New("AuthorizationCode: one of Client, ClientIDMetadataURL and Registration is required"))
	}
	if a.Client != nil {
		faults = append(faults, a.Client.check("AuthorizationCode.Client")...)
	}
	if a.ClientIDMetadataURL != "" {
		if !isClientDocument(a.ClientIDMetadataURL) {
			faults = append(faults, errors.New("AuthorizationCode.ClientIDMetadataURL: must be an https URL with a path, without dot segments, user and fragment"))
		}
	}
	if a.ClientIDMetadataKey != nil {
		if _, err := a.ClientIDMetadataKey.algorithm(); err != nil {
			faults = append(faults, fmt.Errorf("AuthorizationCode.ClientIDMetadataKey: %w", err))
		}
	}
	prompt, isFunc := a.Prompt.(Prompt)
	loopback, finds := a.Prompt.(*Loopback)
	if a.Prompt == nil || isFunc && prompt == nil || finds && loopback == nil {
		faults = append(faults, errors.New("AuthorizationCode.Prompt is required"))
	}
	if a.RedirectURL != "" || !finds {
		if !isRedirect(a.RedirectURL) {
			faults = append(faults, errors.New("AuthorizationCode.RedirectURL: must be an https URL, http on loopback, or of an app's own scheme, without a fragment"))
		}
	}
	return faults
}

var authMethods = []string{"", methodNone, methodBasic, methodPost, methodKey}

func (c *Client) check(field string) []error {
	var faults []error
	fault := func(text string) { faults = append(faults, errors.New(field+": "+text)) }
	if c.ID == "" {
		fault("ID is required")
	}
	if c.Issuer == "" {
		fault("Issuer is required: a client is known to one authorization server")
	}
	if !slices.Contains(authMethods, c.AuthMethod) {
		fault("AuthMethod is unknown")
	}
	if (c.AuthMethod == methodBasic || c.AuthMethod == methodPost) && c.Secret == "" {
		fault("AuthMethod needs a Secret")
	}
	if c.AuthMethod == methodKey && c.Key == nil {
		fault("AuthMethod needs a Key")
	}
	if c.Key != nil {
		if _, err := c.Key.algorithm(); err != nil {
			fault("Key: " + err.Error())
		}
	}
	return faults
}

// isClientDocument reports whether raw can be a client's id (OAuth Client ID
// Metadata Document, section 3).
func isClientDocument(raw string) bool {
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.Path == "" || u.Path == "/" || u.User != nil || strings.Contains(raw, "#") {
		return false
	}
	return !slices.ContainsFunc(strings.Split(u.Path, "/"), func(segment string) bool { return segment == "." || segment == ".." })
}

// isRedirect reports whether a user can be sent back to raw.
func isRedirect(raw string) bool {
	u, err := url.Parse(raw)
	if err != nil || u.Fragment != "" || u.User != nil {
		return false
	}
	switch u.Scheme {
	case "https":
		return u.Host != ""
	case "http":
		return isLoopback(u.Hostname())
	case "", "javascript", "data", "file", "vbscript", "about", "blob":
		return false
	}
	return true // an app's own scheme (RFC 8252, section 7.1)
}
