package httpx

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// minSecret is the length from which on a value is looked for in a text.
// Shorter ones would tear up ordinary words.
const minSecret = 6

// Redact replaces secrets that a server repeats in a text of its own, also as
// they are written within JSON and within URLs. Longer ones go first: one may be
// the beginning of another.
func Redact(text string, secrets []string) string {
	var forms []string
	for _, secret := range secrets {
		if len(secret) >= minSecret {
			forms = append(forms, spellings(secret)...)
		}
	}
	slices.SortFunc(forms, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	for _, form := range slices.Compact(forms) {
		text = strings.ReplaceAll(text, form, "[redacted]")
	}
	return text
}

// spellings are the ways a secret may be written.
func spellings(secret string) []string {
	forms := []string{secret, url.QueryEscape(secret), url.PathEscape(secret)}
	for _, html := range []bool{true, false} { // whether <, > and & are escaped too
		var b strings.Builder
		encoder := json.NewEncoder(&b)
		encoder.SetEscapeHTML(html)
		if encoder.Encode(secret) == nil {
			written := strings.TrimSuffix(b.String(), "\n")
			forms = append(forms, written[1:len(written)-1]) // without the quotes
		}
	}
	return forms
}

// HeaderSecrets are the values of headers, and credentials without the scheme
// before them.
func HeaderSecrets(h http.Header) []string {
	var values []string
	for name, sent := range h {
		if plain[name] {
			continue
		}
		for _, value := range sent {
			if _, credentials, found := strings.Cut(value, " "); found && len(credentials) >= minSecret {
				value = credentials
			}
			values = append(values, value)
		}
	}
	return values
}

// OriginSecrets are the parts of the server's address that are not to be
// shown, and the header that its user becomes.
func (t *Transport) OriginSecrets() []string {
	var values []string
	for _, sent := range t.origin.Query() {
		values = append(values, sent...)
	}
	if user := t.origin.User; user != nil {
		password, _ := user.Password()
		values = append(values, user.Username(), password, basic(user))
	}
	return values
}

// basic is the user as the credentials of HTTP's basic authentication (RFC
// 7617).
func basic(user *url.Userinfo) string {
	password, _ := user.Password()
	return base64.StdEncoding.EncodeToString([]byte(user.Username() + ":" + password))
}

// plain are the headers mcp-go sets that say nothing about the user.
var plain = map[string]bool{
	"Accept": true, "Content-Type": true, "Cache-Control": true, "Connection": true,
	"Mcp-Protocol-Version": true, "Mcp-Method": true, "User-Agent": true,
}
