package stdio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcptoolset/mcptoolset/internal/bound"
	"github.com/mcptoolset/mcptoolset/internal/proc"
	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// Options of a Transport. The zero value is of use.
type Options struct {
	// OnStray, where set, is told of each line that belongs to nobody: why, and
	// how it begins (at most 200 bytes). It is called on the read loop and must
	// be quick.
	OnStray func(why, head string)
	// MaxMessage bounds a message, in bytes; 0 is bound.Limit. A line that is
	// larger ends the stream.
	MaxMessage int
}

// Transport is the connection to one child. It may be used concurrently.
type Transport struct {
	lines *lines
	in    Writer
	o     Options

	start   sync.Once
	life    context.Context // of what the server asks for
	end     context.CancelFunc
	pending pending
	places  chan struct{} // for requests of the server
	strays  atomic.Uint64

	mu       sync.Mutex
	onNotice func(mcp.JSONRPCNotification)
	onAsked  transport.RequestHandler

	closed chan struct{} // closed by Close
	close  sync.Once
	done   chan struct{} // closed when nothing more will be read
	err    error         // why; set before done is closed
}

var _ transport.BidirectionalInterface = (*Transport)(nil)

// New returns a Transport that reads a child's stdout and writes to its stdin.
// Nothing is read before Start. The reader ends when out does, which is for its
// owner to bring about: Close only closes in.
func New(out io.Reader, in Writer, o Options) *Transport {
	if o.MaxMessage == 0 {
		o.MaxMessage = bound.Limit
	}
	return &Transport{
		lines: newLines(out, o.MaxMessage), in: in, o: o,
		places: make(chan struct{}, maxAsked),
		closed: make(chan struct{}), done: make(chan struct{}),
	}
}

// Start begins to read. The requests of the server live under ctx. Further
// calls do nothing.
func (t *Transport) Start(ctx context.Context) error {
	t.start.Do(func() {
		t.life, t.end = context.WithCancel(ctx)
		go t.listen()
	})
	return nil
}

func (t *Transport) listen() {
	defer close(t.done)
	r := &reader{to: t, limit: t.o.MaxMessage}
	for {
		line, own, err := t.lines.next()
		if len(line) > 0 {
			r.line(line, own)
		}
		if err != nil {
			r.end()
			if !errors.Is(err, io.EOF) {
				t.err = err
			}
			return
		}
	}
}

// Done is closed when the child's stdout has ended and all of it was read. It
// is not closed where Start was never called.
func (t *Transport) Done() <-chan struct{} { return t.done }

// Err is why the stream ended, once Done is closed: nil for its ordinary end,
// a bound.ErrTooLarge for a message above the limit.
func (t *Transport) Err() error {
	select {
	case <-t.done:
		return t.err
	default:
		return nil
	}
}

// Strays is how many lines, or parts of lines, belonged to nobody so far.
func (t *Transport) Strays() uint64 { return t.strays.Load() }

// SendRequest sends a request, whose id must be an int64 that no other request
// under way has, and waits for its answer. A JSON-RPC error is part of the
// response; its Data is the json.RawMessage that was sent.
//
// An answer that cannot be used is a *wire.AnswerError. When ctx ends or the
// connection is lost the error is ctx's or transport.ErrTransportClosed, within
// a *wire.UnsentError where provably not a byte of the request was written.
func (t *Transport) SendRequest(ctx context.Context, request transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	id, ok := request.ID.Value().(int64)
	if !ok {
		return nil, fmt.Errorf("stdio: the id of a request must be an int64, not a %T", request.ID.Value())
	}
	line, err := encodeRequest(id, request.Method, request.Params)
	if err != nil {
		return nil, err
	}
	if err := t.usable(ctx); err != nil {
		return nil, &wire.UnsentError{Err: err}
	}
	w := t.pending.add(id, request.Method)
	if w == nil {
		return nil, fmt.Errorf("stdio: a request with id %d is under way", id)
	}
	defer t.pending.take(id)
	frame, err := t.in.WriteFrame(line)
	if err != nil {
		return nil, &wire.UnsentError{Err: refused(err)}
	}
	response, err := t.await(ctx, w, frame)
	if response != nil {
		response.ID = request.ID
	}
	return response, err
}

// usable is nil while something can be sent.
func (t *Transport) usable(ctx context.Context) error {
	select {
	case <-t.closed:
	case <-t.done:
	default:
		return ctx.Err()
	}
	return transport.ErrTransportClosed
}

// refused is why a frame was not taken: too much waits for a child that may
// read again, or nothing can be sent to it any longer.
func refused(err error) error {
	if errors.Is(err, proc.ErrStdinFull) {
		return err
	}
	return fmt.Errorf("%w: %w", transport.ErrTransportClosed, err)
}

// await waits for what ends a request that was handed to the pipe.
func (t *Transport) await(ctx context.Context, w *waiter, frame Frame) (*transport.JSONRPCResponse, error) {
	unread := t.in.Done()
	for {
		select {
		case o := <-w.outcome:
			return o.response, o.err
		case <-ctx.Done():
			return nil, unsent(frame, ctx.Err())
		case <-t.closed:
			return w.last(unsent(frame, transport.ErrTransportClosed))
		case <-t.done:
			t.settle(frame)
			return w.last(unsent(frame, transport.ErrTransportClosed))
		case <-unread:
			// The child takes no more, but it may still answer what it took.
			if frame.Withdraw() {
				return nil, unsent(frame, transport.ErrTransportClosed)
			}
			unread = nil
		}
	}
}

// last is the answer that came just before the end, or the end.
func (w *waiter) last(end error) (*transport.JSONRPCResponse, error) {
	select {
	case o := <-w.outcome:
		return o.response, o.err
	default:
		return nil, end
	}
}

// unsent marks err where the request was certainly not sent.
func unsent(frame Frame, err error) error {
	if frame.Withdraw() {
		return &wire.UnsentError{Err: err}
	}
	return err
}

// grace is how long the end of stdin may come behind that of stdout.
const grace = time.Second

// settle waits until it is known whether a frame was written that the pipe was
// taking when the child's output ended. With the child gone that is at once.
func (t *Transport) settle(frame Frame) {
	if frame.Withdraw() || frame.Written() {
		return
	}
	bound := time.NewTimer(grace)
	defer bound.Stop()
	select {
	case <-t.in.Done():
	case <-bound.C:
	}
}

// SendNotification hands a notification to the pipe. It does not wait for the
// child.
func (t *Transport) SendNotification(ctx context.Context, n mcp.JSONRPCNotification) error {
	if err := t.usable(ctx); err != nil {
		return err
	}
	line, err := encodeNotification(n)
	if err != nil {
		return err
	}
	if _, err := t.in.WriteFrame(line); err != nil {
		return refused(err)
	}
	return nil
}

// SetNotificationHandler implements transport.Interface. The handler runs on
// the read loop, in order. Notifications that come before it is set are
// dropped.
func (t *Transport) SetNotificationHandler(handler func(mcp.JSONRPCNotification)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.onNotice = handler
}

// SetRequestHandler implements transport.BidirectionalInterface. The handler is
// asked for sampling, elicitation and roots only; the transport knows the
// answer to all else.
func (t *Transport) SetRequestHandler(handler transport.RequestHandler) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.onAsked = handler
}

// GetSessionId implements transport.Interface. There are no sessions here.
func (t *Transport) GetSessionId() string { return "" }

// Close ends what is under way and the child's stdin. It waits for nothing:
// the reader ends with the child, see Done.
func (t *Transport) Close() error {
	t.close.Do(func() {
		close(t.closed)
		t.start.Do(func() { // it was never started, and must not be any more
			t.life, t.end = context.WithCancel(context.Background())
			close(t.done)
		})
		t.end()
	})
	return t.in.Close()
}
