package oauth

import (
	"net/http"
	"slices"
	"strings"
)

const (
	// maxChallenge bounds how much of WWW-Authenticate is read, in bytes.
	maxChallenge = 16 << 10
	// maxScopes bounds how many scopes a server can have a user asked for.
	maxScopes = 100
)

// challenge is what a refusal says about the way in (RFC 6750, section 3; RFC
// 9728, section 5.1).
type challenge struct {
	metadata string
	scopes   []string
	err      string
}

// challengeOf reads the Bearer challenge of a refusal, the zero challenge where
// there is none. A resource_metadata is taken from any scheme.
func challengeOf(h http.Header) challenge {
	var c challenge
	found := false
	for _, line := range h.Values("WWW-Authenticate") {
		if len(line) > maxChallenge {
			continue
		}
		for _, one := range parseChallenges(line) {
			if c.metadata == "" {
				c.metadata = one.params["resource_metadata"]
			}
			if one.scheme == "bearer" && !found {
				found = true
				c.err = one.params["error"]
				c.scopes = scopesOf(one.params["scope"])
			}
		}
	}
	return c
}

// scopesOf splits a scope parameter (RFC 6749, section 3.3).
func scopesOf(text string) []string {
	return clean(strings.Fields(text))
}

// clean is scopes without those that are none, sorted by first appearance,
// each once.
func clean(scopes []string) []string {
	var out []string
	for _, scope := range scopes {
		if isScope(scope) && !slices.Contains(out, scope) && len(out) < maxScopes {
			out = append(out, scope)
		}
	}
	return out
}

// isScope reports whether s is a scope-token of RFC 6749.
func isScope(s string) bool {
	if s == "" || len(s) > 512 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// union is a and b, each scope once.
func union(a, b []string) []string { return clean(slices.Concat(a, b)) }

// within reports whether every one of part is in whole.
func within(part, whole []string) bool {
	return !slices.ContainsFunc(part, func(s string) bool { return !slices.Contains(whole, s) })
}

// schemeChallenge is one challenge of a WWW-Authenticate header.
type schemeChallenge struct {
	scheme string            // lower case
	params map[string]string // by lower-case name; the first of a name counts
}

// parseChallenges reads a WWW-Authenticate header (RFC 9110, section 11.6.1).
// What it cannot read it leaves out.
func parseChallenges(line string) []schemeChallenge {
	var all []schemeChallenge
	for line != "" {
		line = strings.TrimLeft(line, " \t,")
		word := token(line)
		if word == "" {
			if line != "" {
				line = line[1:]
			}
			continue
		}
		rest := line[len(word):]
		after := strings.TrimLeft(rest, " \t")
		if strings.HasPrefix(after, "=") && len(all) > 0 && !strings.HasPrefix(after, "==") {
			value, remaining := paramValue(strings.TrimLeft(after[1:], " \t"))
			params := all[len(all)-1].params
			if name := strings.ToLower(word); params[name] == "" {
				params[name] = value
			}
			line = remaining
			continue
		}
		all = append(all, schemeChallenge{strings.ToLower(word), map[string]string{}})
		line = strings.TrimLeft(rest, "=")
	}
	return all
}

// token is the token that line begins with.
func token(line string) string {
	for i := range len(line) {
		c := line[i]
		if c <= ' ' || c > '~' || strings.IndexByte(`"(),/:;<=>?@[\]{}`, c) >= 0 {
			return line[:i]
		}
	}
	return line
}

// paramValue is the value that line begins with, quoted or bare, and the rest.
// A bare value may hold what a token cannot: servers write URLs so.
func paramValue(line string) (value, rest string) {
	if !strings.HasPrefix(line, `"`) {
		end := strings.IndexAny(line, " \t,")
		if end < 0 {
			end = len(line)
		}
		return line[:end], line[end:]
	}
	var b strings.Builder
	for i := 1; i < len(line); i++ {
		switch {
		case line[i] == '"':
			return b.String(), line[i+1:]
		case line[i] == '\\' && i+1 < len(line):
			i++
		}
		b.WriteByte(line[i])
	}
	return b.String(), ""
}
