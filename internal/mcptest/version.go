package mcptest

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// Only makes an mcp-go server, which otherwise speaks every version of the
// protocol, one that speaks this version alone: it answers initialize with it
// whatever it is asked for, and does not know server/discover; or, of the
// modern era, it offers this version and refuses initialize. Over streamable
// HTTP [OnlyHTTP] is needed as well.
func Only(version string) server.ServerOption {
	hooks := new(server.Hooks)
	if mcp.IsModernProtocol(version) {
		hooks.AddOnRequestInitialization(refuseInitialize)
		hooks.AddAfterDiscover(func(_ context.Context, _ any, _ *mcp.DiscoverRequest, result *mcp.DiscoverResult) {
			result.SupportedVersions = []string{version}
		})
	} else {
		hooks.AddOnRequestInitialization(refuseModern)
		hooks.AddBeforeInitialize(func(_ context.Context, _ any, message *mcp.InitializeRequest) {
			message.Params.ProtocolVersion = version
		})
	}
	return server.WithHooks(hooks)
}

func refuseInitialize(_ context.Context, _ any, message any) error {
	raw, ok := message.(json.RawMessage)
	if ok && ParseMessage(raw).Method == string(mcp.MethodInitialize) {
		return errNoInitialize
	}
	return nil
}

var errNoInitialize = errors.New("initialize is not known in this version of the protocol")

// OnlyHTTP stands before a streamable HTTP server made with [Only]. It is
// strict: a request after the handshake that does not name the version in its
// header, where the specification wants that (since 2025-06-18), or names
// another, fails the test.
func OnlyHTTP(t testing.TB, version string, next http.Handler) http.Handler {
	if mcp.IsModernProtocol(version) {
		return next
	}
	strict := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		named := r.Header.Get(mcp.HeaderProtocolVersion)
		wanted := version >= mcp.ProtocolVersion20250618
		if m := readMessage(r); m.Method != string(mcp.MethodInitialize) && named != version && (wanted || named != "") {
			t.Errorf("%s %s names the version %q, not %q", r.Method, m.Method, named, version)
		}
		next.ServeHTTP(w, r)
	})
	return legacyOverHTTP(strict)
}
