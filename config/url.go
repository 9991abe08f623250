package config

import (
	"errors"
	"net/url"
	"strconv"
	"strings"
)

const example = "write it like https://host/path"

// hidden stands where something must not be shown.
const hidden = "***"

// RedactURL returns raw in the form that may be shown and logged: the user
// part, every value of the query and the fragment are replaced by "***". What
// is no absolute http or https URL is hidden as a whole, because it cannot be
// told what its parts mean.
func RedactURL(raw string) string {
	u, ok := parseURL(raw)
	if !ok {
		if raw == "" {
			return ""
		}
		return hidden
	}
	var b strings.Builder
	b.WriteString(u.Scheme + "://")
	if u.User != nil {
		b.WriteString(hidden + "@")
	}
	b.WriteString(u.Host + u.EscapedPath())
	if u.RawQuery != "" {
		b.WriteString("?" + redactQuery(u.RawQuery))
	}
	if u.Fragment != "" {
		b.WriteString("#" + hidden)
	}
	return b.String()
}

// redactQuery keeps the names. A part without "=" may be a bare key.
func redactQuery(raw string) string {
	parts := strings.Split(raw, "&")
	for i, part := range parts {
		if name, _, ok := strings.Cut(part, "="); ok {
			parts[i] = name + "=" + hidden
		} else if part != "" {
			parts[i] = hidden
		}
	}
	return strings.Join(parts, "&")
}

// parseURL reads an absolute http or https URL with a host, if it is clear
// where the host begins.
func parseURL(raw string) (*url.URL, bool) {
	u, err := url.Parse(raw)
	if err != nil || !hasHTTPScheme(raw) || u.Hostname() == "" || brokenUser(u) {
		return nil, false
	}
	return u, true
}

// brokenUser finds a password with a "/" in it: "https://u:p@ss/word@host"
// parses, but its host is "ss" and half the password is its path.
func brokenUser(u *url.URL) bool {
	return u.User != nil && strings.Contains(u.EscapedPath(), "@")
}

// hasHTTPScheme asks the text, since "http:/x" and "http:x" parse as well.
func hasHTTPScheme(raw string) bool {
	scheme, _, found := strings.Cut(raw, "://")
	return found && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

// checkURL adds the first fault of raw. Nothing of raw is shown but the name
// of a variable or a scheme: where a URL is broken, any part may be a secret.
func checkURL(f *faults, field, raw string) {
	if strings.TrimSpace(raw) == "" {
		f.add(field, "is empty", example)
		return
	}
	if f.unexpanded(field, raw) {
		return
	}
	switch {
	case strings.ContainsFunc(raw, isControl):
		f.add(field, "holds a line feed or another control character", "remove it")
	case strings.TrimSpace(raw) != raw:
		f.add(field, "starts or ends with white space", "trim it")
	case !hasHTTPScheme(raw):
		f.add(field, schemeProblem(raw), "put http:// or https:// in front of the host")
	default:
		checkParsed(f, field, raw)
	}
}

func checkParsed(f *faults, field, raw string) {
	u, err := url.Parse(raw)
	if err != nil {
		f.add(field, parseProblem(err), "percent-encode special characters, in a user name or password too")
		return
	}
	switch {
	case u.Hostname() == "":
		f.add(field, "has no host", example)
	case brokenUser(u):
		f.add(field, `has a user part and a path with "@", so that it is unclear where the host begins`, `write "%2F" for "/" and "%40" for "@" in user name, password and path`)
	case strings.ContainsAny(u.Hostname(), "<>\"{}|\\^` $"):
		f.add(field, "the host holds a character that no host name has", "fill in the placeholder")
	case !validPort(u.Port()):
		f.add(field, "the port is out of range", "use one from 1 to 65535")
	case strings.Contains(raw, "#"):
		f.add(field, "has a fragment, which is never sent to a server", `leave it out, or write "%23" for the character "#"`)
	}
}

// schemeProblem names a scheme only where it cannot be anything else.
func schemeProblem(raw string) string {
	scheme, _, found := strings.Cut(raw, "://")
	if found && len(scheme) <= 8 && scheme != "" && strings.Trim(strings.ToLower(scheme), "abcdefghijklmnopqrstuvwxyz") == "" {
		return "the scheme " + strconv.Quote(scheme) + " is neither http nor https"
	}
	return "has no scheme http or https"
}

// parseProblem says what is wrong with a URL by the type of the error. The
// error's own text quotes the URL.
func parseProblem(err error) string {
	var escape url.EscapeError
	var host url.InvalidHostError
	switch {
	case errors.As(err, &escape):
		return "holds a percent sign that starts no escape"
	case errors.As(err, &host):
		return "the host holds a character that no host name has"
	}
	return "is no valid URL: its host or port cannot be read"
}

func validPort(port string) bool {
	if port == "" {
		return true
	}
	n, err := strconv.ParseUint(port, 10, 16)
	return err == nil && n > 0
}
