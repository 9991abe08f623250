package oauth

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
)

// resourceMetadata is what an MCP server says about itself (RFC 9728).
type resourceMetadata struct {
	Resource string   `json:"resource"`
	Servers  []string `json:"authorization_servers"`
	Scopes   []string `json:"scopes_supported"`
}

// serverMetadata is what an authorization server says about itself (RFC 8414,
// OpenID Connect Discovery 1.0).
type serverMetadata struct {
	Issuer               string   `json:"issuer"`
	Authorization        string   `json:"authorization_endpoint"`
	Token                string   `json:"token_endpoint"`
	Registration         string   `json:"registration_endpoint"`
	Scopes               []string `json:"scopes_supported"`
	Grants               []string `json:"grant_types_supported"`
	AuthMethods          []string `json:"token_endpoint_auth_methods_supported"`
	Challenges           []string `json:"code_challenge_methods_supported"`
	SaysIssuer           bool     `json:"authorization_response_iss_parameter_supported"`
	TakesClientDocuments bool     `json:"client_id_metadata_document_supported"`

	// assumed is set where there is no document and the endpoints are those
	// that MCP 2025-03-26 has servers without one serve.
	assumed bool
}

// place is where a token is asked for, and for what.
type place struct {
	resource string
	scopes   []string // those of the resource's metadata
	server   serverMetadata
}

// discover finds the authorization server for the MCP server.
func (t *Transport) discover(ctx context.Context, c challenge) (*place, error) {
	resource, err := t.resource(ctx, c.metadata)
	if err != nil {
		return nil, err
	}
	p := &place{resource: canonical(t.server)}
	if resource == nil {
		// MCP 2025-03-26: the MCP server is its own authorization server.
		p.server, err = t.authorizationServer(ctx, root(t.server))
		if errors.Is(err, errAbsent) {
			p.server, err = assumedEndpoints(root(t.server)), nil
		}
		return p, err
	}
	p.resource, p.scopes = resource.Resource, clean(resource.Scopes)
	p.server, err = t.authorizationServer(ctx, t.choose(resource.Servers))
	return p, err
}

// choose is the authorization server that the configured client is known to,
// else the first one.
func (t *Transport) choose(servers []string) string {
	if c := t.registered(); c != nil {
		if i := slices.IndexFunc(servers, func(s string) bool { return sameIssuer(s, c.Issuer) }); i >= 0 {
			return servers[i]
		}
	}
	return servers[0]
}

// resource fetches the metadata of the MCP server: where its refusal says, at
// the well-known place for its path, at that of its root. It is nil where
// there is none.
func (t *Transport) resource(ctx context.Context, said string) (*resourceMetadata, error) {
	const wellKnown = "/.well-known/oauth-protected-resource"
	var places []string
	if said != "" {
		u, err := t.endpoint(said)
		if err != nil {
			return nil, failf("discovery", "the server's resource_metadata cannot be used: %w", err)
		}
		places = append(places, u.String())
	}
	if path := strings.TrimSuffix(t.server.EscapedPath(), "/"); path != "" {
		places = append(places, root(t.server)+wellKnown+path)
	}
	places = append(places, root(t.server)+wellKnown)
	for _, at := range places {
		u, err := url.Parse(at)
		if err != nil {
			return nil, fail("discovery", err)
		}
		var m resourceMetadata
		if err := t.document(ctx, u, &m); errors.Is(err, errAbsent) {
			continue
		} else if err != nil {
			return nil, fail("discovery", err)
		}
		switch {
		case !covers(m.Resource, t.server):
			return nil, failf("discovery", "%s is about %q, which is not this server", show(u), quotable(m.Resource))
		case len(m.Servers) == 0 || m.Servers[0] == "":
			return nil, failf("discovery", "%s names no authorization server", show(u))
		}
		return &m, nil
	}
	return nil, nil
}

// authorizationServer fetches the metadata of issuer and holds it to its rules.
func (t *Transport) authorizationServer(ctx context.Context, issuer string) (serverMetadata, error) {
	at, err := t.endpoint(issuer)
	if err == nil && at.RawQuery != "" {
		err = errors.New("it has a query")
	}
	if err != nil {
		return serverMetadata{}, failf("discovery", "the authorization server %q cannot be used: %w", quotable(issuer), err)
	}
	for _, u := range metadataURLs(at) {
		var m serverMetadata
		if err := t.document(ctx, u, &m); errors.Is(err, errAbsent) {
			continue
		} else if err != nil {
			return serverMetadata{}, fail("discovery", err)
		}
		// RFC 8414, section 3.3. A final slash is let pass, since servers
		// differ in it between the two documents; who answers is the same.
		if !sameIssuer(m.Issuer, issuer) {
			return serverMetadata{}, failf("discovery", "%s is about the issuer %q, not %q", show(u), quotable(m.Issuer), quotable(issuer))
		}
		return m, t.checkEndpoints(&m)
	}
	return serverMetadata{}, failf("discovery", "no metadata of the authorization server %q: %w", quotable(issuer), errAbsent)
}

// metadataURLs are the places of an issuer's metadata in order (MCP
// 2025-11-25, "Authorization Server Metadata Discovery").
func metadataURLs(issuer *url.URL) []*url.URL {
	const oauth, openid = "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"
	path := strings.TrimSuffix(issuer.EscapedPath(), "/")
	paths := []string{oauth, openid}
	if path != "" {
		paths = []string{oauth + path, openid + path, path + openid}
	}
	var urls []*url.URL
	for _, p := range paths {
		if u, err := url.Parse(root(issuer) + p); err == nil {
			urls = append(urls, u)
		}
	}
	return urls
}

// checkEndpoints refuses metadata whose URLs may not be used.
func (t *Transport) checkEndpoints(m *serverMetadata) error {
	for name, at := range map[string]string{"authorization_endpoint": m.Authorization, "token_endpoint": m.Token, "registration_endpoint": m.Registration} {
		if at == "" {
			continue
		}
		if _, err := t.endpoint(at); err != nil {
			return failf("discovery", "the %s of %q cannot be used: %w", name, quotable(m.Issuer), err)
		}
	}
	if m.Token == "" {
		return failf("discovery", "the metadata of %q has no token_endpoint", quotable(m.Issuer))
	}
	return nil
}

// assumedEndpoints are those of a server without metadata (MCP 2025-03-26,
// "Fallbacks for Servers without Metadata Discovery").
func assumedEndpoints(base string) serverMetadata {
	return serverMetadata{Issuer: base, Authorization: base + "/authorize", Token: base + "/token", Registration: base + "/register", assumed: true}
}

// sameIssuer compares two issuers, but for a final slash.
func sameIssuer(a, b string) bool {
	return a != "" && strings.TrimSuffix(a, "/") == strings.TrimSuffix(b, "/")
}
