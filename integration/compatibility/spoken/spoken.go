// Package spoken has tests note over which kinds of connection and in which
// versions of the protocol they spoke with a server. What they note are
// attributes of the test, which go test -json prints and the program in
// integration/compatibility reads.
package spoken

import (
	"testing"

	"github.com/mcptoolset/mcptoolset/config"
)

// The keys of the attributes.
const (
	Connection = "mcp.connection"
	Version    = "mcp.version"
)

// Over notes the kind of connection that a configuration describes.
func Over(t testing.TB, cfg config.Config) {
	t.Helper()
	switch {
	case cfg.Stdio != nil:
		t.Attr(Connection, "child process")
	case cfg.StreamableHTTP != nil:
		t.Attr(Connection, "streamable HTTP")
	case cfg.SSE != nil:
		t.Attr(Connection, "SSE")
	case cfg.InProcess != nil:
		t.Attr(Connection, "same process")
	}
}

// In notes a version of the protocol that client and server agreed on.
func In(t testing.TB, version string) {
	t.Helper()
	t.Attr(Version, version)
}
