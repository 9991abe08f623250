package config

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"
)

// reservedHeaders are set by the transport, by lower-case name.
var reservedHeaders = map[string]bool{
	// MCP's own, and what it says about the messages.
	"accept": true, "content-type": true, "last-event-id": true,
	"mcp-method": true, "mcp-name": true, "mcp-protocol-version": true, "mcp-session-id": true,
	// How a body is wrapped (RFC 9110, section 8.4 and 8.6): the HTTP client
	// undoes only the encodings it asked for itself.
	"accept-encoding": true, "content-encoding": true, "content-length": true,
	// One connection's affairs (RFC 9110, section 7.6.1 and 10.1).
	"connection": true, "expect": true, "keep-alive": true, "proxy-connection": true,
	"te": true, "trailer": true, "transfer-encoding": true, "upgrade": true,
	// net/http takes the host from the URL and drops the header.
	"host": true,
}

// ReservedHeader reports whether the named HTTP header is set by MCP or HTTP
// itself and therefore not for an owner to give, neither in a config nor by a
// header provider. Case does not count.
//
// Reserved are Accept, Accept-Encoding, Connection, Content-Encoding,
// Content-Length, Content-Type, Expect, Host, Keep-Alive, Last-Event-ID,
// Mcp-Method, Mcp-Name, Mcp-Param-*, Mcp-Protocol-Version, Mcp-Session-Id,
// Proxy-Connection, TE, Trailer, Transfer-Encoding and Upgrade. Host is among
// them because net/http ignores the header and takes the host from the URL;
// the RoundTripper of one's own HTTPClient can set it.
func ReservedHeader(name string) bool {
	name = strings.ToLower(name)
	return reservedHeaders[name] || strings.HasPrefix(name, "mcp-param-")
}

// credentialHeaders make no sense without a value: an empty one comes from a
// variable that is not set.
var credentialHeaders = map[string]bool{
	"Authorization": true, "Proxy-Authorization": true, "Cookie": true,
	"X-Api-Key": true, "Api-Key": true, "X-Auth-Token": true, "X-Access-Token": true,
}

// checkHeaders adds what HTTP and MCP refuse in headers. It never shows a
// value, nor a name that is none, which may be a value in the wrong place.
func checkHeaders(f *faults, field string, headers map[string]string) {
	seen := make(map[string]string, len(headers))
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		if !isToken(name) {
			f.add(field, fmt.Sprintf("a name of %d characters is no header name", utf8.RuneCountInString(name)), "use letters, digits and hyphens")
			continue
		}
		canonical := http.CanonicalHeaderKey(name)
		if first, twice := seen[canonical]; twice {
			f.add(keyed(field, name), "is the same header as "+first, "keep one of them: case does not count")
		}
		seen[canonical] = name
		if ReservedHeader(name) {
			f.add(keyed(field, name), "is set by MCP or HTTP itself", "leave it out")
		}
		if strings.ContainsAny(headers[name], "\r\n") {
			f.add(keyed(field, name), "the value holds a line feed", "trim it; a token read from a file often ends in one")
		} else if !isFieldValue(headers[name]) {
			f.add(keyed(field, name), "the value holds a control character", "remove it")
		}
	}
}

// checkFilledIn adds what HTTP allows, but shows that a variable was not
// there when the config was written. A header provider may have its reasons;
// fixed headers have none.
func checkFilledIn(f *faults, field string, headers map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		value := headers[name]
		if !isToken(name) || !isFieldValue(value) {
			continue // said already
		}
		if credentialHeaders[http.CanonicalHeaderKey(name)] && noCredential(value) {
			f.add(keyed(field, name), "the value holds no credential", "give one or leave the header out; is a variable not set?")
		}
		f.unexpandedWhole(keyed(field, name), value)
	}
}

// noCredential reports whether value is empty or an authentication scheme
// with nothing after it.
func noCredential(value string) bool {
	switch strings.ToLower(strings.TrimSpace(value)) {
	case "", "bearer", "basic", "token", "apikey":
		return true
	}
	return false
}

// isToken reports whether s is a token by RFC 9110, section 5.6.2.
func isToken(s string) bool {
	return s != "" && strings.IndexFunc(s, notTokenRune) < 0
}

func notTokenRune(r rune) bool {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
		return false
	}
	return !strings.ContainsRune("!#$%&'*+-.^_`|~", r)
}

// isFieldValue reports whether s may be a header's value by RFC 9110, section
// 5.5: no control characters but the tab. Bytes above ASCII are allowed.
func isFieldValue(s string) bool {
	for i := range len(s) {
		if b := s[i]; b < ' ' && b != '\t' || b == 0x7f {
			return false
		}
	}
	return true
}
