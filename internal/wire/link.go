package wire

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcptoolset/mcptoolset/internal/httpx"
	"github.com/mcptoolset/mcptoolset/internal/sse"
)

// firstID is where our request ids begin. They are int64, which is what
// mcp-go compares answers by.
const firstID = int64(1) << 30

// link decorates an mcp-go transport. Only its methods send.
type link struct {
	kind  Kind
	inner transport.Interface
	ids   atomic.Int64
	queue *queue
	probe probe

	watchers watchers // requests that want to know of their progress
	grants   grants   // requests to listen that are not yet acknowledged
	asked    asked    // requests of the server
	life     context.Context

	once   sync.Once
	gone   chan struct{} // closed when the connection is lost or closed
	cause  error         // why; set before gone is closed
	onGone func()        // may be nil

	strays *strays // requests whose callers may have left
}

func newLink(kind Kind, inner transport.Interface, onGone func()) *link {
	l := &link{kind: kind, inner: inner, gone: make(chan struct{}), strays: newStrays(), onGone: onGone}
	l.queue = &queue{strays: l.strays}
	l.ids.Store(firstID)
	if lossy, ok := inner.(interface{ SetConnectionLostHandler(func(error)) }); ok {
		lossy.SetConnectionLostHandler(func(err error) { l.fail(lossBy(err)) })
	}
	return l
}

// lossBy is the loss of a stream, with what ended it where that is ours to tell:
// other errors may hold what is secret of the URL.
func lossBy(err error) error {
	var endpoint *httpx.EndpointError
	switch {
	case errors.As(err, &endpoint):
		return fmt.Errorf("%w: %w", ErrLost, endpoint)
	case errors.Is(err, httpx.ErrTooLarge):
		return fmt.Errorf("%w: %w", ErrLost, httpx.ErrTooLarge)
	}
	return ErrLost
}

// forClient is the link as mcp-go's Client may see it. Only HTTP transports
// may offer SetProtocolVersion: the Client tells the kinds apart by it. None
// offers RequiresLegacyProtocol, which would pin an old version.
func (l *link) forClient() transport.Interface {
	if conn, ok := l.inner.(transport.HTTPConnection); ok {
		return httpLink{l, conn}
	}
	return l
}

type httpLink struct {
	*link
	conn transport.HTTPConnection
}

func (h httpLink) SetProtocolVersion(version string) { h.conn.SetProtocolVersion(version) }

func (l *link) nextID() mcp.RequestId { return mcp.NewRequestId(l.ids.Add(1)) }

// fail ends the connection for everybody, with the first cause given.
func (l *link) fail(cause error) {
	l.once.Do(func() {
		l.cause = cause
		close(l.gone)
		if l.onGone != nil {
			l.onGone()
		}
	})
}

// closed reports whether the connection is over because it was closed.
func (l *link) closed() bool {
	select {
	case <-l.gone:
		return errors.Is(l.cause, ErrClosed)
	default:
		return false
	}
}

// Start implements transport.Interface.
func (l *link) Start(ctx context.Context) error { return l.inner.Start(ctx) }

// SendRequest implements transport.Interface for the Client's requests. An
// error the server answers with is returned as one, because the Client would
// drop its code.
func (l *link) SendRequest(ctx context.Context, req transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	response, err := l.route(ctx, req)
	if err == nil && response.Error != nil {
		return nil, rpcError(response.Error)
	}
	return response, err
}

func (l *link) route(ctx context.Context, req transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	req.ID = l.nextID()
	switch req.Method {
	case string(mcp.MethodServerDiscover):
		return l.discover(ctx, req)
	case string(mcp.MethodInitialize):
		return l.initialize(ctx, req)
	}
	return l.exchange(ctx, req)
}

type answer struct {
	response *transport.JSONRPCResponse
	err      error
}

// exchange sends req and waits for its answer, for ctx or for the loss of the
// connection.
func (l *link) exchange(ctx context.Context, req transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	select {
	case <-l.gone:
		return nil, l.cause
	default:
	}
	if !l.kind.deaf() {
		response, err := l.ask(ctx, req)
		if l.closed() { // it may be the answer to the notice of that
			return nil, ErrClosed
		}
		return response, err
	}
	answered := l.askAside(ctx, req)
	select {
	case a := <-answered:
		return a.response, a.err
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-l.gone:
		return nil, l.cause
	}
}

// askAside asks without holding up the caller, who may leave.
func (l *link) askAside(ctx context.Context, req transport.JSONRPCRequest) <-chan answer {
	answered := make(chan answer, 1)
	if !l.strays.run(func() {
		a := answer{err: errQuit}
		defer func() { answered <- a }()
		a.response, a.err = l.ask(ctx, req)
	}) {
		answered <- answer{err: ErrClosed}
	}
	return answered
}

// ask is one exchange with the transport. The in-process transport runs the
// server's handler in this goroutine, so a panic of it arrives here.
func (l *link) ask(ctx context.Context, req transport.JSONRPCRequest) (response *transport.JSONRPCResponse, err error) {
	defer func() {
		if p := recover(); p != nil {
			response, err = nil, &PanicError{p}
		}
	}()
	if l.kind == SSE {
		ctx = timeless{ctx}
	}
	response, err = l.over(ctx, req).SendRequest(ctx, req)
	switch {
	case err == nil && response == nil:
		err = ErrLost
	case err == nil && !answers(response.ID, req.ID):
		response, err = nil, errOther
	case err == nil && response.Error == nil && response.Result == nil:
		response, err = nil, &AnswerError{ErrNeither}
	case err == nil && response.Error != nil:
		response.Error.Data = sse.Data(response.Error.Data)
	}
	return response, err
}

// errOther is what mcp-go's streamable transport gives when another answer
// stands on a request's stream: it takes the first.
var errOther = errors.New("it is the answer to another request")

// answers compares ids. A server may write a number as text, and an error
// about a message it could not read has no id.
func answers(got, asked mcp.RequestId) bool {
	return got == asked || got.IsNil() || fmt.Sprint(got.Value()) == fmt.Sprint(asked.Value())
}

// timeless hides a context's deadline, not its end, from mcp-go's SSE
// transport, which would make an error of its own of it.
type timeless struct{ context.Context }

func (timeless) Deadline() (deadline time.Time, ok bool) { return time.Time{}, false }

// SendNotification implements transport.Interface.
func (l *link) SendNotification(ctx context.Context, n mcp.JSONRPCNotification) error {
	select {
	case <-l.gone:
		return l.cause
	default:
		return l.inner.SendNotification(ctx, n)
	}
}

// SetNotificationHandler implements transport.Interface. The Client's handler is
// not asked: the owner's is told by the queue, with who is to hear it.
func (l *link) SetNotificationHandler(func(mcp.JSONRPCNotification)) {
	l.inner.SetNotificationHandler(func(n mcp.JSONRPCNotification) { l.receive(Notice{JSONRPCNotification: n}) })
}

// receive sorts the notifications that come by no stream of somebody's. The
// owner's handler runs in order, but never on the transport's read loop, where a
// request it makes would wait for itself.
func (l *link) receive(n Notice) {
	switch n.Method {
	case string(mcp.MethodNotificationProgress):
		l.watchers.take(n)
	case string(mcp.MethodNotificationSubscriptionsAcknowledged):
		l.grants.take(n.JSONRPCNotification)
	case string(mcp.MethodNotificationCancelled):
		l.asked.cancel(n.JSONRPCNotification)
	default:
		l.queue.push(n)
	}
}

// SetRequestHandler implements transport.BidirectionalInterface. The Client's
// handler is not asked, because it loses the codes of errors and the digits of
// schemas. Transports run the handler in a goroutine of theirs, which Close
// waits for.
func (l *link) SetRequestHandler(transport.RequestHandler) {
	both, ok := l.inner.(transport.BidirectionalInterface)
	if !ok {
		return
	}
	both.SetRequestHandler(func(ctx context.Context, r transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
		if !l.strays.enter() {
			return nil, ErrClosed
		}
		defer l.strays.ended()
		return l.answer(ctx, l.life, r)
	})
}

// GetSessionId implements transport.Interface.
func (l *link) GetSessionId() string { return l.inner.GetSessionId() }

// Close implements transport.Interface. It does not wait for strays.
func (l *link) Close() error {
	l.fail(ErrClosed)
	err := l.inner.Close()
	l.queue.close()
	return err
}

var (
	_ transport.BidirectionalInterface = (*link)(nil)
	_ transport.HTTPConnection         = httpLink{}
)

// lost reports whether err says that the transport's connection is over.
func lost(err error) bool {
	return errors.Is(err, transport.ErrTransportClosed) || errors.Is(err, ErrLost)
}
