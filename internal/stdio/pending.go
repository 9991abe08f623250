package stdio

import (
	"sync"

	"github.com/mark3labs/mcp-go/client/transport"
)

// outcome is how a request ended.
type outcome struct {
	response *transport.JSONRPCResponse
	err      error
}

// waiter is a request that waits for its answer.
type waiter struct {
	method  string
	outcome chan outcome // of size 1
}

// pending are the requests that wait, by their id.
type pending struct {
	mu      sync.Mutex
	waiters map[int64]*waiter
}

// add notes a request; nil says that one of this id is waiting already.
func (p *pending) add(id int64, method string) *waiter {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.waiters[id] != nil {
		return nil
	}
	if p.waiters == nil {
		p.waiters = make(map[int64]*waiter)
	}
	w := &waiter{method: method, outcome: make(chan outcome, 1)}
	p.waiters[id] = w
	return w
}

// take removes a request and returns it, or nil where none of this id waits.
func (p *pending) take(id int64) *waiter {
	p.mu.Lock()
	defer p.mu.Unlock()
	w := p.waiters[id]
	delete(p.waiters, id)
	return w
}

// only is the id of the one request that waits, where there is just one.
func (p *pending) only() (int64, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for id := range p.waiters {
		return id, len(p.waiters) == 1
	}
	return 0, false
}

// method is what the request of an id asks for; empty where none waits.
func (p *pending) method(id int64) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if w := p.waiters[id]; w != nil {
		return w.method
	}
	return ""
}
