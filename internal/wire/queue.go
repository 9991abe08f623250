package wire

import (
	"context"
	"slices"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
)

// maxQueued and maxQueuedBytes bound the notifications that wait for a handler.
const (
	maxQueued      = 1024
	maxQueuedBytes = 16 << 20
)

// Notice is a notification of the server.
type Notice struct {
	mcp.JSONRPCNotification
	// Whose is who is told, where it came by a stream that was opened for them
	// (see Conn.Listen); empty for one that came otherwise.
	Whose string
}

// queue delivers notifications in order, in a goroutine of its own that runs
// only while there is something to deliver. A server that sends faster than the
// handler works loses what makeRoom drops.
type queue struct {
	mu      sync.Mutex
	handler func(Notice)
	waiting []Notice
	bytes   int // of what waits
	running bool
	idle    chan struct{} // closed when what runs has delivered all
	strays  *strays
	// arrived, where set, is told of a change at once, however much waits.
	arrived func(Notice)
}

func (q *queue) handle(handler func(Notice)) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.handler = handler
}

func (q *queue) push(n Notice) {
	if q.arrived != nil && n.Changes() {
		q.arrived(n)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.handler == nil || q.waits(n) {
		return
	}
	size := sizeOf(n.Params.AdditionalFields)
	for len(q.waiting) == maxQueued || len(q.waiting) > 0 && q.bytes+size > maxQueuedBytes {
		q.makeRoom()
	}
	q.waiting = append(q.waiting, n)
	q.bytes += size
	if !q.running {
		q.idle = make(chan struct{})
		q.running = q.strays.run(q.deliver)
	}
}

// waits reports whether a notice of the same change, for the same who hear it,
// waits already. It will be delivered after the change that n tells of, so that n
// adds nothing.
func (q *queue) waits(n Notice) bool {
	return n.Changes() && slices.ContainsFunc(q.waiting, func(other Notice) bool {
		return other.Method == n.Method && other.Whose == n.Whose && uriOf(other) == uriOf(n)
	})
}

// makeRoom drops the oldest that tells of no change, for a change that nobody
// was told of leaves lists stale; where all do, the oldest.
func (q *queue) makeRoom() {
	at := slices.IndexFunc(q.waiting, func(n Notice) bool { return !n.Changes() })
	at = max(at, 0)
	q.bytes -= sizeOf(q.waiting[at].Params.AdditionalFields)
	q.waiting = slices.Delete(q.waiting, at, at+1)
}

// Changes reports whether a notification tells of a change.
func (n Notice) Changes() bool {
	switch n.Method {
	case mcp.MethodNotificationToolsListChanged, mcp.MethodNotificationPromptsListChanged,
		mcp.MethodNotificationResourcesListChanged, mcp.MethodNotificationResourceUpdated:
		return true
	}
	return false
}

// uriOf is which resource a notification is about.
func uriOf(n Notice) string {
	uri, _ := n.Params.AdditionalFields["uri"].(string)
	return uri
}

// sizeOf is about how many bytes a decoded JSON value takes. What a server in
// the same process set may be anything, and counts little.
func sizeOf(v any) int {
	const each = 16
	size := each
	switch v := v.(type) {
	case string:
		size += len(v)
	case []any:
		for _, item := range v {
			size += sizeOf(item)
		}
	case map[string]any:
		for name, member := range v {
			size += len(name) + sizeOf(member)
		}
	}
	return size
}

func (q *queue) deliver() {
	whole := false
	defer func() {
		if !whole {
			q.goOn()
		}
	}()
	for {
		q.mu.Lock()
		if len(q.waiting) == 0 {
			whole = true
			q.rested()
			q.mu.Unlock()
			return
		}
		next, handler := q.waiting[0], q.handler
		q.waiting = q.waiting[1:]
		q.bytes -= sizeOf(next.Params.AdditionalFields)
		q.mu.Unlock()
		guard(handler, next)
	}
}

// rested notes that nothing is left to deliver. The lock is held.
func (q *queue) rested() {
	q.running, q.waiting = false, nil
	close(q.idle)
}

// goOn delivers the rest in another goroutine, because a handler has ended the
// one it was called in.
func (q *queue) goOn() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.strays.run(q.deliver) {
		q.rested()
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
func guard(handler func(Notice), n Notice) {
	defer func() { _ = recover() }()
	handler(n)
}

// close drops what waits. It does not wait for a handler that runs, which may
// be the one that closes.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.handler, q.waiting, q.bytes = nil, nil, 0
}
