package httpx

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
)

// minSecret is the length from which on a value is looked for in a text.
// Shorter ones would tear up ordinary words.
const minSecret = 6

// Redact replaces secrets that a server repeats in a text of its own.
func Redact(text string, secrets []string) string {
	for _, secret := range secrets {
		if len(secret) >= minSecret {
			text = strings.ReplaceAll(text, secret, "[redacted]")
		}
	}
	return text
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
			if _, credentials, found := strings.Cut(value, " "); found {
				values = append(values, credentials)
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
