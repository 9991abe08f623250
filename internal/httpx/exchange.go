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
	refused   atomic.Int64 // the status under which a JSON-RPC error came
	trace     httptrace.ClientTrace
}

// Refused is the status of a refusal whose body answered the request with a
// JSON-RPC error; 0 where there was none.
func (e *Exchange) Refused() int { return int(e.refused.Load()) }

type exchangeKey struct{}

// refused notes the status of a refusal whose body is an answer.
func refused(ctx context.Context, status int) {
	if e, ok := ctx.Value(exchangeKey{}).(*Exchange); ok {
		e.refused.Store(int64(status))
	}
}

// WithExchange returns a context that records its requests in e, which must not
// have been used before.
func WithExchange(ctx context.Context, e *Exchange) context.Context {
	e.trace.GotConn = func(httptrace.GotConnInfo) { e.connected.Store(true) }
	return httptrace.WithClientTrace(context.WithValue(ctx, exchangeKey{}, e), &e.trace)
}
