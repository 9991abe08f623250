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
}

type exchangeKey struct{}

// WithExchange returns a context that records its requests in e.
func WithExchange(ctx context.Context, e *Exchange) context.Context {
	return context.WithValue(ctx, exchangeKey{}, e)
}

// trace lets the exchange of ctx, if there is one, see its connections.
func trace(ctx context.Context) context.Context {
	e, ok := ctx.Value(exchangeKey{}).(*Exchange)
	if !ok {
		return ctx
	}
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { e.connected.Store(true) },
	})
}
