package session

import (
	"math"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// ear is what somebody hears of the server's notices by one session: the
// identity that the session is for; all, where they share a channel; or one of
// those who share the session over streamable HTTP since 2026-07-28, where each
// has a stream of their own.
type ear struct {
	pool     *Pool
	live     *live
	identity string                     // whose; empty for all
	heard    atomic.Pointer[wire.Wants] // the notices that reach it; nil for none
	missed   atomic.Bool                // some may not have reached who wanted them
	rewanted chan chan<- error          // asks to listen for what is wanted now
	dropped  chan struct{}              // closed when nobody is to hear any more

	// Of one that shares a session; guarded by the pool's lock.
	headers http.Header // of its identity's last use
	used    time.Time

	mu      sync.Mutex
	lacking wire.Wants       // what the server was asked for and did not grant
	fault   error            // why there is no stream
	refused map[string]error // why the server does not tell of these resources
}

func newEar(l *live, identity string) *ear {
	return &ear{
		pool: l.pool, live: l, identity: identity,
		rewanted: make(chan chan<- error), dropped: make(chan struct{}),
	}
}

// lastHeaders are those of the last use of whom it is for.
func (e *ear) lastHeaders() http.Header {
	e.pool.mu.Lock()
	headers := e.headers
	e.pool.mu.Unlock()
	if headers != nil {
		return headers
	}
	return e.live.lastHeaders()
}

// covers reports whether updates of a resource reach it by a stream.
func (e *ear) covers(uri string) bool {
	heard := e.heard.Load()
	return heard != nil && heard.Covers(wire.Wants{URIs: []string{uri}})
}

// lacks notes what the server does not grant.
func (e *ear) lacks(w wire.Wants) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.lacking, e.fault = w, nil
}

// fails notes why there is no stream.
func (e *ear) fails(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.fault = err
}

// refuses notes what a server of before 2026-07-28 answered to a request for
// the updates of a resource.
func (e *ear) refuses(uri string, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err == nil {
		delete(e.refused, uri)
		return
	}
	if e.refused == nil {
		e.refused = map[string]error{}
	}
	e.refused[uri] = err
}

// missing is what the server was asked to tell of, and does not.
func (e *ear) missing() wire.Wants {
	e.mu.Lock()
	defer e.mu.Unlock()
	missing := e.lacking
	for uri := range e.refused {
		missing = missing.And(wire.Wants{URIs: []string{uri}})
	}
	return missing
}

// why tells why updates of a resource do not arrive; nil where they do.
func (e *ear) why(uri string) error {
	heard := e.heard.Load()
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case e.refused[uri] != nil:
		return e.refused[uri]
	case heard == nil && e.fault != nil:
		return e.fault
	case heard == nil:
		return errUnheard
	case e.live.conn.Info().Modern() && !e.covers(uri):
		return errNotGranted
	}
	return nil
}

// shares reports whether identities that share a session are told apart by the
// streams they listen to. The lock is held.
func (p *Pool) shares() bool { return p.modern && p.kind == wire.StreamableHTTP }

// ears is the empty table of those who share a session. Its bound is kept by
// sweepEars.
func ears() *simplelru.LRU[string, *ear] {
	table, err := simplelru.NewLRU[string, *ear](math.MaxInt, nil)
	if err != nil {
		panic(err) // only for a size that is not positive
	}
	return table
}

// listens reports whether an identity is to hear notices; the empty one stands
// for all. The lock is held.
func (p *Pool) listens(identity string) bool {
	return p.o.Listen || p.subscribers[identity] > 0 || identity == "" && len(p.subscriptions) > 0
}

// earOf is what an identity hears by now; nil for nothing. The lock is held.
func (p *Pool) earOf(identity string) *ear {
	if p.shares() {
		e, _ := p.ears.Peek(identity)
		return e
	}
	if e, ok := p.entries.Peek(p.key(identity)); ok && e.live != nil {
		return e.live.ear
	}
	return nil
}

// lend notes a use of a session that many share, and has its user hear what is
// wanted. The lock is held.
func (p *Pool) lend(l *live, o *Operation) {
	if o.aside || p.closed || !p.shares() || p.ears.Len() == 0 && !p.o.Listen && len(p.subscriptions) == 0 {
		return
	}
	e, ok := p.ears.Get(o.identity)
	if !ok || e.live != l {
		if !p.listens(o.identity) {
			return
		}
		e = p.grow(l, o.identity, o.headers, p.begun(o.identity))
	}
	e.headers, e.used = o.headers, time.Now()
	p.sweepEars()
}

// grow gives an identity an ear on a session that many share. missed says that
// there may have been notices that it did not hear. The lock is held.
func (p *Pool) grow(l *live, identity string, headers http.Header, missed bool) *ear {
	e := newEar(l, identity)
	e.headers, e.used = headers, time.Now()
	e.missed.Store(missed)
	p.ears.Add(identity, e)
	p.work.Go((&listener{pool: p, live: l, ear: e}).run)
	return e
}

// regrow has all who heard by the session before hear by a new one, and those
// who subscribe and were not heard of since. The lock is held.
func (p *Pool) regrow(l *live, before bool) {
	for _, old := range p.ears.Values() { // from the oldest on
		if p.listens(old.identity) {
			p.grow(l, old.identity, old.headers, before).used = old.used
		} else {
			p.ears.Remove(old.identity)
		}
	}
	for s := range p.subscriptions {
		if !p.ears.Contains(s.by.identity) {
			p.grow(l, s.by.identity, s.by.headers, p.begun(s.by.identity))
		}
	}
	p.sweepEars()
}

// sweepEars keeps those who share a session within the bounds of a pool. The
// lock is held.
func (p *Pool) sweepEars() {
	for {
		identity, e, ok := p.ears.GetOldest()
		few := p.ears.Len() <= maxSessions
		if !ok || few && time.Since(e.used) <= maxIdle {
			return
		}
		if few && p.subscribers[identity] > 0 {
			p.ears.Get(identity)
			e.used = time.Now() // a subscription uses it
			continue
		}
		p.drop(e)
	}
}

// drop lets one who shares a session hear nothing any more. The lock is held.
func (p *Pool) drop(e *ear) {
	p.ears.Remove(e.identity)
	close(e.dropped)
}

// spare drops one who shares a session and wants to hear nothing.
func (p *Pool) spare(identity string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if e, ok := p.ears.Peek(identity); ok && !p.listens(identity) {
		p.drop(e)
	}
}

// begun reports whether an identity subscribed before now. The lock is held.
func (p *Pool) begun(identity string) bool {
	for s := range p.subscriptions {
		if s.begun && s.by.identity == identity {
			return true
		}
	}
	return false
}

// Unheard is what the server was asked to tell of and does not, whoever asked.
func (p *Pool) Unheard() wire.Wants {
	var all wire.Wants
	for _, e := range p.listeners() {
		all = all.And(e.missing())
	}
	return all
}

// listeners are all who hear notices now, or could.
func (p *Pool) listeners() []*ear {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shares() {
		return p.ears.Values()
	}
	var all []*ear
	for _, e := range p.entries.Values() {
		if e.live != nil {
			all = append(all, e.live.ear)
		}
	}
	return all
}
