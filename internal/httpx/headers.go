package httpx

import (
	"context"
	"net/http"
)

type headersKey struct{}

// WithHeaders returns a context whose requests carry h, in addition to and
// before what mcp-go sets. h must not be changed afterwards.
func WithHeaders(ctx context.Context, h http.Header) context.Context {
	return context.WithValue(ctx, headersKey{}, h)
}

// Headers returns the headers that requests of ctx carry, nil where none were
// set. They are shared: do not change them.
func Headers(ctx context.Context) http.Header {
	h, _ := ctx.Value(headersKey{}).(http.Header)
	return h
}
