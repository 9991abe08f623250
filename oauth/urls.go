package oauth

import (
	"errors"
	"net/netip"
	"net/url"
	"strings"
)

// serverURL reads the address of the MCP server.
func serverURL(raw string) (*url.URL, error) {
	u, err := url.Parse(raw)
	switch {
	case err != nil:
		return nil, errors.New("ServerURL cannot be read") // its text may hold secrets
	case u.Host == "":
		return nil, errors.New("ServerURL is required, with a host")
	case u.Scheme != "https" && !(u.Scheme == "http" && isLoopback(u.Hostname())):
		return nil, errors.New("ServerURL must be https, or http on loopback")
	}
	return u, nil
}

// isLoopback reports whether host is this computer.
func isLoopback(host string) bool {
	if strings.EqualFold(strings.TrimSuffix(host, "."), "localhost") {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.Unmap().IsLoopback()
}

// isInside reports whether host is written as an address that is not on the
// public internet.
func isInside(host string) bool {
	if isLoopback(host) {
		return true
	}
	address, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	address = address.Unmap()
	return address.IsPrivate() || address.IsLinkLocalUnicast() || address.IsUnspecified() || address.IsMulticast()
}

// endpoint reads a URL that a server sent. One that leads from a public server
// to an address inside of this network is refused, as is plain http, save
// between servers on this computer.
func (t *Transport) endpoint(raw string) (*url.URL, error) {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || u.Opaque != "" {
		return nil, errors.New("it is no absolute URL")
	}
	if u.User != nil || u.Fragment != "" {
		return nil, errors.New("it has a user or a fragment")
	}
	home := t.server.Hostname()
	switch {
	case u.Scheme == "http" && isLoopback(u.Hostname()) && isLoopback(home):
	case u.Scheme != "https":
		return nil, errors.New("it is not https")
	case isInside(u.Hostname()) && !isInside(home):
		return nil, errors.New("it leads from a public server to an address inside of this network")
	}
	return u, nil
}

// origin is the scheme, host and port of u, the port always written.
func origin(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[strings.ToLower(u.Scheme)]
	}
	return strings.ToLower(u.Scheme) + "://" + strings.ToLower(u.Hostname()) + ":" + port
}

// root is u without path, query and all that follows.
func root(u *url.URL) string { return u.Scheme + "://" + u.Host }

// canonical is the server's address as a resource identifier (RFC 8707,
// section 2): without user, query and fragment, and without a lone slash.
func canonical(u *url.URL) string {
	return strings.ToLower(u.Scheme) + "://" + strings.ToLower(u.Host) + strings.TrimSuffix(u.EscapedPath(), "/")
}

// covers reports whether resource, as a server's metadata has it, is the
// server at u: of the same origin, with u's path or one that leads to it.
func covers(resource string, u *url.URL) bool {
	r, err := url.Parse(resource)
	if err != nil || r.Host == "" || r.Fragment != "" || r.User != nil || origin(r) != origin(u) {
		return false
	}
	if r.RawQuery != "" && r.RawQuery != u.RawQuery {
		return false
	}
	prefix := strings.TrimSuffix(r.EscapedPath(), "/")
	path := u.EscapedPath()
	return strings.TrimSuffix(path, "/") == prefix || strings.HasPrefix(path, prefix+"/")
}

// show is a URL as it may be logged and put into errors.
func show(u *url.URL) string { return u.Scheme + "://" + u.Host + u.Path }
