package inprocess

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// Transport is one session with a server. It may be used concurrently. A panic
// of the server's code passes through SendRequest.
type Transport struct {
	server  *server.MCPServer
	session *session
	asker   *asker
	fences  chan chan struct{}
	done    chan struct{} // closed by Close

	mu       sync.Mutex
	onNotice func(mcp.JSONRPCNotification)
	started  bool
	closed   bool
	running  sync.WaitGroup
}

var _ transport.BidirectionalInterface = (*Transport)(nil)

// session counts how often the server set out to tell it something.
type session struct {
	*server.InProcessSession
	told atomic.Int64
}

// NotificationChannel implements server.ClientSession.
func (s *session) NotificationChannel() chan<- mcp.JSONRPCNotification {
	s.told.Add(1)
	return s.InProcessSession.NotificationChannel()
}

// New returns a Transport that has to be started.
func New(s *server.MCPServer) *Transport {
	a := &asker{}
	return &Transport{
		server:  s,
		session: &session{InProcessSession: server.NewInProcessSessionWithHandlers("inprocess-"+rand.Text(), a, a, a)},
		asker:   a,
		fences:  make(chan chan struct{}),
		done:    make(chan struct{}),
	}
}

// Start registers the session with the server. Starting again does nothing;
// after Close it is transport.ErrTransportClosed.
func (t *Transport) Start(ctx context.Context) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.closed:
		return transport.ErrTransportClosed
	case t.started:
		return nil
	}
	if err := t.server.RegisterSession(ctx, t.session); err != nil {
		return fmt.Errorf("the server takes no session: %w", err)
	}
	t.started = true
	t.running.Go(t.forward)
	return nil
}

// SendRequest has the server answer, in this goroutine. What the server told
// the session before is delivered when it returns.
func (t *Transport) SendRequest(ctx context.Context, request transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	before := t.session.told.Load()
	message, err := t.handle(ctx, request)
	if err != nil {
		return nil, err
	}
	if t.session.told.Load() != before {
		t.fence()
	}
	response := &transport.JSONRPCResponse{JSONRPC: mcp.JSONRPC_VERSION, ID: request.ID}
	switch m := message.(type) {
	case mcp.JSONRPCResponse:
		response.Result, err = json.Marshal(m.Result)
	case mcp.JSONRPCError:
		response.Error = &m.Error
	default:
		err = fmt.Errorf("it is a %T", message)
	}
	if err != nil {
		return nil, &wire.AnswerError{Err: err}
	}
	return response, nil
}

// SendNotification has the server handle a notification.
func (t *Transport) SendNotification(ctx context.Context, n mcp.JSONRPCNotification) error {
	_, err := t.handle(ctx, n)
	return err
}

func (t *Transport) handle(ctx context.Context, message any) (mcp.JSONRPCMessage, error) {
	select {
	case <-t.done:
		return nil, transport.ErrTransportClosed
	default:
	}
	raw, err := json.Marshal(message)
	if err != nil {
		return nil, err
	}
	return t.server.HandleMessage(t.server.WithContext(ctx, t.session), raw), nil
}

// forward delivers what the server tells the session, in order.
func (t *Transport) forward() {
	for {
		select {
		case <-t.done:
			return
		case n := <-t.session.ClientNotifications():
			t.deliver(n)
		case passed := <-t.fences:
			t.drain()
			close(passed)
		}
	}
}

// drain delivers all that is there.
func (t *Transport) drain() {
	for {
		select {
		case n := <-t.session.ClientNotifications():
			t.deliver(n)
		default:
			return
		}
	}
}

// fence waits until all that is there is delivered.
func (t *Transport) fence() {
	passed := make(chan struct{})
	select {
	case t.fences <- passed:
		<-passed
	case <-t.done:
	}
}

func (t *Transport) deliver(n mcp.JSONRPCNotification) {
	t.mu.Lock()
	handler := t.onNotice
	t.mu.Unlock()
	if handler != nil {
		handler(plain(n))
	}
}

// plain is a notification as it would be after a way over a wire: its fields
// are of JSON's types, not of the server's.
func plain(n mcp.JSONRPCNotification) mcp.JSONRPCNotification {
	var read mcp.JSONRPCNotification
	raw, err := json.Marshal(n)
	if err != nil || json.Unmarshal(raw, &read) != nil {
		return n
	}
	return read
}

// SetNotificationHandler sets who is told of notifications. handler must be
// quick and must not use the Transport.
func (t *Transport) SetNotificationHandler(handler func(mcp.JSONRPCNotification)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.onNotice = handler
}

// GetSessionId returns none: nothing outside the process bears it.
func (t *Transport) GetSessionId() string { return "" }

// Close ends the session. Requests that are being handled go on until their
// contexts end. It is idempotent and returns nil.
func (t *Transport) Close() error {
	t.mu.Lock()
	closed, started := t.closed, t.started
	t.closed = true
	t.mu.Unlock()
	if closed {
		return nil
	}
	close(t.done)
	t.running.Wait()
	if started {
		t.server.UnregisterSession(context.Background(), t.session.SessionID())
	}
	return nil
}
