package httpx

import (
	"context"
	"net/http/httptrace"
	"sync/atomic"
)

// Exchange records how far the requests of one context came, for [Clean].
type Exchange struct {
	// connected is set when a request is given a connection. While it is not,
	// nothing can have been written, so the server cannot have acted.
	connected atomic.Bool
	trace     httptrace.ClientTrace
}

// WithExchange returns a context that records its requests in e, which must not
// have been used before.
func WithExchange(ctx context.Context, e *Exchange) context.Context {
	e.trace.GotConn = func(httptrace.GotConnInfo) { e.connected.Store(true) }
	return httptrace.WithClientTrace(ctx, &e.trace)
}
