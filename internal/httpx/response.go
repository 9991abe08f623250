package httpx

import (
	"context"
	"net/http"
	"sync/atomic"
)

type responseKey struct{}

// WithResponse returns a context under which the next message is not sent: it
// gets resp, which a Transport has returned before. It is for who has begun to
// deal with a response and finds that mcp-go has to.
func WithResponse(ctx context.Context, resp *http.Response) context.Context {
	held := new(atomic.Pointer[http.Response])
	held.Store(resp)
	return context.WithValue(ctx, responseKey{}, held)
}

// response takes the response that is held for a message.
func response(req *http.Request) *http.Response {
	held, ok := req.Context().Value(responseKey{}).(*atomic.Pointer[http.Response])
	if !ok || req.Method != http.MethodPost {
		return nil
	}
	return held.Swap(nil)
}
