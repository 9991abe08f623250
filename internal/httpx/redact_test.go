package httpx

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestO84_WhatIsSecretOfARequest(t *testing.T) {
	t.Parallel()
	origin, err := url.Parse("https://ada-lovelace:engine-7@desk.test/mcp?token=query-777&short=abc")
	require.NoError(t, err)
	transport := New(http.DefaultTransport, origin, false, nil)
	secrets := append(HeaderSecrets(http.Header{
		"Authorization": {"Bearer tok-123"},
		"X-Api-Key":     {"key-456"},
		"Content-Type":  {"application/json"},
	}), transport.OriginSecrets()...)

	for said, want := range map[string]string{
		"Bearer tok-123 has expired":                "Bearer [redacted] has expired",
		"tok-123, key-456":                          "[redacted], [redacted]",
		"ada-lovelace:engine-7 at ?token=query-777": "[redacted]:[redacted] at ?token=[redacted]",
		"Basic YWRhLWxvdmVsYWNlOmVuZ2luZS03":        "Basic [redacted]",
		"abc is too short to be looked for":         "abc is too short to be looked for",
		"application/json is no secret":             "application/json is no secret",
	} {
		assert.Equal(t, want, Redact(said, secrets))
	}
}

func TestO84_HoweverASecretIsWritten(t *testing.T) {
	t.Parallel()
	secrets := []string{`token-of-al`, `token-of-alice`, `p&ss<word>"\ö`, `"quoted"`, "two\nlines"}
	for said, want := range map[string]string{
		`seen token-of-alice`:                      `seen [redacted]`,
		`{"k":"p&ss<word>\"\\ö"}`:                  `{"k":"[redacted]"}`,
		`{"k":"p\u0026ss\u003cword\u003e\"\\ö"}`:   `{"k":"[redacted]"}`,
		`?k=p%26ss%3Cword%3E%22%5C%C3%B6`:          `?k=[redacted]`,
		`{"a":"\"quoted\"","b":"two\nlines"}`:      `{"a":"[redacted]","b":"[redacted]"}`,
		`"quoted" is not what is meant by "quote"`: `[redacted] is not what is meant by "quote"`,
	} {
		assert.Equal(t, want, Redact(said, secrets))
	}
}

func TestO84_AnOriginWithoutSecrets(t *testing.T) {
	t.Parallel()
	origin, err := url.Parse("https://desk.test/mcp")
	require.NoError(t, err)
	assert.Empty(t, New(http.DefaultTransport, origin, false, nil).OriginSecrets())
}
