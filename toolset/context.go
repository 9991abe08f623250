package toolset

import (
	"context"
	"net/http"

	"github.com/mcptoolset/mcptoolset/internal/httpx"
	"github.com/mcptoolset/mcptoolset/internal/session"
)

// CallInfo says which call a context belongs to.
type CallInfo struct {
	// Server is the name the configuration gives the server.
	Server string
	// Tool is the server's name of the tool, Name the one the model uses.
	Tool, Name string
}

type callKey struct{}

// CallFromContext returns the call a context belongs to, for callbacks
// handlers, header providers and servers in the same process. It reports
// false outside a call.
func CallFromContext(ctx context.Context) (CallInfo, bool) {
	info, ok := ctx.Value(callKey{}).(CallInfo)
	return info, ok
}

// HeadersFromContext returns a copy of the headers that the operation of ctx
// carries, for the handlers of a server in the same process: they have no HTTP
// request to read them from. It is nil outside an operation.
func HeadersFromContext(ctx context.Context) http.Header {
	return httpx.Headers(ctx).Clone()
}

// IdentityFromContext returns what the function of [WithIdentity] answered for
// the operation of ctx, for the handlers of a server in the same process and for
// those of changes. It reports false outside an operation, and where the owner
// names no identities.
func IdentityFromContext(ctx context.Context) (string, bool) { return session.Name(ctx) }
