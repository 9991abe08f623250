package httpx

import (
	"net/http"
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
