package httpx

import (
	"context"
	"net/http"
	"net/url"
	"sync/atomic"

	"github.com/mcptoolset/mcptoolset/internal/bound"
)

// Transport is the RoundTripper of one session. It may be used concurrently.
type Transport struct {
	base   http.RoundTripper
	origin *url.URL
	sse    bool
	limit  int // bytes of a message
	last   atomic.Pointer[http.Header]

	listening *listening
}

// New returns a Transport over base for the server at origin, which speaks
// the older HTTP with SSE transport where sse is set and streamable HTTP
// elsewhere. headers are those for requests whose context carries none.
func New(base http.RoundTripper, origin *url.URL, sse bool, headers http.Header) *Transport {
	t := &Transport{base: base, origin: origin, sse: sse, limit: bound.Limit, listening: newListening()}
	t.Use(headers)
	return t
}

// LimitMessages bounds a message of the server to so many bytes, instead of
// bound.Limit. It must be called before t is used.
func (t *Transport) LimitMessages(limit int) { t.limit = limit }

// Use makes headers the ones for requests whose context carries none. They
// must not be changed afterwards.
func (t *Transport) Use(headers http.Header) { t.last.Store(&headers) }

// Last returns the headers of the last use. They must not be changed.
func (t *Transport) Last() http.Header { return *t.last.Load() }

// Client returns a copy of owner, or a new client where owner is nil, that
// sends through t. The owner's client is not written to. Its Timeout is left
// out, because it would cut streams: the toolset has limits of its own.
func (t *Transport) Client(owner *http.Client) *http.Client {
	client := &http.Client{}
	if owner != nil {
		*client = *owner
	}
	client.Transport = t
	client.Timeout = 0
	client.CheckRedirect = checkRedirect(client.CheckRedirect)
	return client
}

// Base is the RoundTripper for the owner's client, a tuned one of our own
// where there is none. net/http keeps two idle connections a host, so that
// concurrent calls would dial for ever.
func Base(owner *http.Client) (base http.RoundTripper, own bool) {
	if owner != nil && owner.Transport != nil {
		return owner.Transport, false
	}
	tuned, ok := http.DefaultTransport.(*http.Transport)
	if !ok { // the program replaced it
		return http.DefaultTransport, false
	}
	tuned = tuned.Clone()
	tuned.MaxIdleConns = maxIdle
	tuned.MaxIdleConnsPerHost = maxIdle
	return tuned, true
}

// maxIdle leaves room for those that are dialled and then not needed because another
// became free: a connection above the limit is closed, and dialled again.
const maxIdle = 1024

// RoundTrip sends req with the headers of its operation. Unlike other
// RoundTrippers it returns a refusal as an error, because mcp-go, which is
// the only caller, drops the status or the body of most of them.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if resp := response(req); resp != nil {
		return resp, nil
	}
	sent := *req
	sent.Header = req.Header.Clone()
	if answers(&sent) && t.atHome(sent.URL) {
		t.dress(&sent)
		return t.answer(&sent)
	}
	return t.Send(&sent)
}

// Send is RoundTrip with a request whose headers it may write to, and which is
// no answer to a question of the server.
func (t *Transport) Send(req *http.Request) (*http.Response, error) {
	if !t.atHome(req.URL) {
		return nil, t.elsewhere(req)
	}
	t.dress(req)
	if replayable(req) {
		once := *req
		once.GetBody, req = nil, &once
	}
	if t.listens(req) {
		return t.listen(req)
	}
	resp, err := t.base.RoundTrip(req)
	if err != nil {
		return nil, t.refusal(req, err)
	}
	return t.judge(req, resp)
}

// replayable reports whether net/http would take a header as leave to send a
// message again after a lost connection. Which call may be sent twice is not
// for it to decide.
func replayable(req *http.Request) bool {
	return req.Header.Get("Idempotency-Key") != "" || req.Header.Get("X-Idempotency-Key") != ""
}

// dress sets the operation's headers.
func (t *Transport) dress(req *http.Request) {
	headers := Headers(req.Context())
	if headers == nil {
		headers = *t.last.Load()
	}
	for name, values := range headers {
		req.Header[name] = values
	}
	if user := t.origin.User; user != nil && req.Header.Get("Authorization") == "" {
		password, _ := user.Password()
		req.SetBasicAuth(user.Username(), password)
	}
}

// CloseIdle closes the idle connections of a RoundTripper of our own.
func CloseIdle(base http.RoundTripper) {
	if c, ok := base.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

var _ http.RoundTripper = (*Transport)(nil)

// Detached returns a context without the cancellation of ctx that still
// carries its headers.
func Detached(ctx context.Context) context.Context {
	return WithHeaders(context.Background(), Headers(ctx))
}
