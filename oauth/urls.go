package oauth

import (
	"errors"
	"net/netip"
	"net/url"
	"slices"
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
	case u.User != nil:
		return nil, errors.New("ServerURL has a user, whose name and password would be sent in the token's place")
	}
	return u, nil
}

// isLoopback reports whether host is this computer.
func isLoopback(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if host == "localhost" || strings.HasSuffix(host, ".localhost") { // RFC 6761, section 6.3
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.Unmap().IsLoopback()
}

// inside are blocks of addresses that are not on the public internet and for
// which net/netip has no word, and blocks in which others are wrapped.
var inside = prefixes("0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "198.18.0.0/15", "240.0.0.0/4",
	"::/96", "64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "fec0::/10")

func prefixes(texts ...string) []netip.Prefix {
	all := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		all[i] = netip.MustParsePrefix(text)
	}
	return all
}

// isInside reports whether host is written as an address that is not on the
// public internet.
func isInside(host string) bool {
	if isLoopback(host) {
		return true
	}
	address, err := netip.ParseAddr(strings.TrimSuffix(host, "."))
	if err != nil {
		return false
	}
	address = address.Unmap().WithZone("")
	return address.IsPrivate() || address.IsLinkLocalUnicast() || address.IsUnspecified() || address.IsMulticast() ||
		slices.ContainsFunc(inside, func(p netip.Prefix) bool { return p.Contains(address) })
}

// isOddNumber reports whether host is a number that is no address as such, but
// that a resolver may take for one: 127.1, 0x7f.1, 2130706433.
func isOddNumber(host string) bool {
	host = strings.TrimSuffix(host, ".")
	last := strings.ToLower(host[strings.LastIndexByte(host, '.')+1:])
	digits, hex := strings.CutPrefix(last, "0x")
	if hex {
		digits = strings.Trim(digits, "0123456789abcdef")
	} else {
		digits = strings.Trim(digits, "0123456789")
	}
	_, err := netip.ParseAddr(host)
	return digits == "" && err != nil
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
	case isOddNumber(u.Hostname()):
		return nil, errors.New("its host is a number that is no address")
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
