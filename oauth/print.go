package oauth

import (
	"fmt"
	"io"
)

// What holds a secret prints one line without it, whatever the verb, and is
// that line for encoding/json and log/slog too.

// String names the client and its issuer.
func (c Client) String() string { return "oauth.Client{ID: " + c.ID + ", Issuer: " + c.Issuer + "}" }

// Format implements [fmt.Formatter].
func (c Client) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, c.String()) }

// MarshalText implements [encoding.TextMarshaler]. It cannot be read back.
func (c Client) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// String names the key.
func (k PrivateKey) String() string { return "oauth.PrivateKey{KeyID: " + k.KeyID + "}" }

// Format implements [fmt.Formatter].
func (k PrivateKey) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, k.String()) }

// MarshalText implements [encoding.TextMarshaler]. It cannot be read back.
func (k PrivateKey) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// String names the client.
func (c ClientCredentials) String() string {
	return "oauth.ClientCredentials{" + c.Client.String() + "}"
}

// Format implements [fmt.Formatter].
func (c ClientCredentials) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, c.String()) }

// String tells who the client is.
func (a AuthorizationCode) String() string {
	text := "oauth.AuthorizationCode{"
	if a.Client != nil {
		text += a.Client.String() + ", "
	}
	if a.ClientIDMetadataURL != "" {
		text += "ClientIDMetadataURL: " + a.ClientIDMetadataURL + ", "
	}
	return text + "RedirectURL: " + a.RedirectURL + "}"
}

// Format implements [fmt.Formatter].
func (a AuthorizationCode) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, a.String()) }

// String names the server and tells who the client is.
func (c Config) String() string {
	text := "oauth.Config{"
	if u, err := serverURL(c.ServerURL); err == nil {
		text += show(u)
	}
	if c.AuthorizationCode != nil {
		text += ", " + c.AuthorizationCode.String()
	}
	if c.ClientCredentials != nil {
		text += ", " + c.ClientCredentials.String()
	}
	return text + "}"
}

// Format implements [fmt.Formatter].
func (c Config) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, c.String()) }

// MarshalText implements [encoding.TextMarshaler]. It cannot be read back.
func (c Config) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// String names the type.
func (m *MemoryStore) String() string { return "oauth.MemoryStore" }

// Format implements [fmt.Formatter].
func (m *MemoryStore) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, m.String()) }

// String names the server.
func (t *Transport) String() string { return "oauth.Transport for " + show(t.server) }

// Format implements [fmt.Formatter].
func (t *Transport) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, t.String()) }

// MarshalText implements [encoding.TextMarshaler]. It cannot be read back.
func (t *Transport) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

func (g *grant) String() string                   { return "token of " + g.Issuer }
func (g *grant) Format(s fmt.State, _ rune)       { _, _ = io.WriteString(s, g.String()) }
func (r registration) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, "client "+r.ID) }
