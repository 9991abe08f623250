package wire

import (
	"context"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
)

// maxQueued bounds the notifications that wait for a handler. A server that
// sends faster than the handler works loses its oldest ones.
const maxQueued = 1024

// queue delivers notifications in order, in a goroutine of its own that runs
// only while there is something to deliver.
type queue struct {
	mu      sync.Mutex
	handler func(mcp.JSONRPCNotification)
	waiting []mcp.JSONRPCNotification
	running bool
	idle    chan struct{} // closed when what runs has delivered all
	strays  *strays
}

func (q *queue) handle(handler func(mcp.JSONRPCNotification)) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.handler = handler
}

func (q *queue) push(n mcp.JSONRPCNotification) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.handler == nil {
		return
	}
	if len(q.waiting) == maxQueued {
		q.waiting = q.waiting[1:]
	}
	q.waiting = append(q.waiting, n)
	if !q.running {
		q.idle = make(chan struct{})
		q.running = q.strays.run(q.deliver)
	}
}

func (q *queue) deliver() {
	for {
		q.mu.Lock()
		if len(q.waiting) == 0 {
			q.running = false
			q.waiting = nil
			close(q.idle)
			q.mu.Unlock()
			return
		}
		next, handler := q.waiting[0], q.handler
		q.waiting = q.waiting[1:]
		q.mu.Unlock()
		guard(handler, next)
	}
}

// rest waits until all is delivered, or for ctx.
func (q *queue) rest(ctx context.Context) {
	q.mu.Lock()
	running, idle := q.running, q.idle
	q.mu.Unlock()
	if !running {
		return
	}
	select {
	case <-idle:
	case <-ctx.Done():
	}
}

// guard keeps a panicking handler from ending the program. The handlers above
// report panics of the owner's code; what arrives here is only contained.
func guard(handler func(mcp.JSONRPCNotification), n mcp.JSONRPCNotification) {
	defer func() { _ = recover() }()
	handler(n)
}

// close drops what waits. It does not wait for a handler that runs, which may
// be the one that closes.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.handler, q.waiting = nil, nil
}
