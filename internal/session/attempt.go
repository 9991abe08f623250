package session

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/mcptoolset/mcptoolset/internal/httpx"
	"github.com/mcptoolset/mcptoolset/internal/proc"
	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// attempt is a session being opened. Its result is read after done is closed.
type attempt struct {
	identity string
	headers  http.Header
	entry    *entry
	after    time.Time // not to begin earlier
	listens  bool      // the session is to listen
	done     chan struct{}
	err      error

	process atomic.Pointer[proc.Process] // the child, while it is being greeted
	remarks []func()                     // see say
}

// say has remark made when the attempt is over: the owner's logger may use the
// toolset, and would wait for the attempt.
func (a *attempt) say(remark func()) { a.remarks = append(a.remarks, remark) }

func (a *attempt) tell() {
	for _, remark := range a.remarks {
		remark()
	}
}

// attempt starts to open a session for o's identity. The lock is held.
func (p *Pool) attempt(o *Operation, e *entry) *attempt {
	a := &attempt{identity: o.identity, headers: o.headers, entry: e, after: e.restraint.until, listens: p.listens(o.identity) || p.asks() != nil, done: make(chan struct{})}
	if !p.known {
		p.exploring = a
	}
	skip := p.skipProbe
	p.work.Go(func() {
		l, skipped, err := p.connect(a, skip)
		for !p.finish(a, l, skipped, err) {
			ctx, done := wire.Limit(p.life, "connect", p.o.Config.ConnectTimeout)
			failed := l.adjust(ctx)
			a.say(func() { p.note("asking for log messages", failed) })
			done()
		}
		if err == nil {
			info := l.conn.Info()
			p.o.Logger.Debug("connected", "server", info.Name, "version", info.ProtocolVersion, "probed", !skipped)
		}
		a.tell()
	})
	return a
}

// connect opens a session within the connect limit. A server that does not
// bear the era probe is given a second chance without it, and one remembered
// as such a second chance with it.
func (p *Pool) connect(a *attempt, skip bool) (*live, bool, error) {
	ctx, done := wire.Limit(p.life, "connect", p.o.Config.ConnectTimeout)
	defer done()
	if err := pause(ctx, a.after); err != nil {
		return nil, skip, limited(ctx, err)
	}
	l, probed, err := p.open(ctx, a, skip)
	if err == nil || ctx.Err() != nil || probed == skip || !worthwhile(err) {
		return l, skip, limited(ctx, err)
	}
	first := err
	a.say(func() { p.o.Logger.Debug("connecting again", "probe", skip, "error", first) })
	l, _, err = p.open(ctx, a, !skip)
	return l, !skip, limited(ctx, err)
}

// limited names the connect limit where that ended an attempt, and keeps what
// is known of a child.
func limited(ctx context.Context, err error) error {
	cause := wire.Cause(ctx, err)
	var limit *wire.LimitError
	var child *ProcessError
	if !errors.As(cause, &limit) || !errors.As(err, &child) {
		return cause
	}
	known := *child
	known.Err = limit
	return &known
}

// worthwhile reports whether a failed handshake may have failed because of
// the era probe.
func worthwhile(err error) bool {
	var status *httpx.StatusError
	if errors.As(err, &status) {
		return status.Status >= 400 && status.Status != http.StatusUnauthorized && status.Status != http.StatusForbidden
	}
	var unreached *httpx.RequestError
	var astray *httpx.EndpointError
	return !errors.As(err, &unreached) && !errors.As(err, &astray)
}

// finish makes the result of an attempt known. It reports false where the owner
// asked for another level of log messages meanwhile, which nobody would tell the
// server.
func (p *Pool) finish(a *attempt, l *live, skipped bool, err error) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err == nil && !p.closed && l.level != p.level && l.usable() {
		return false
	}
	defer close(a.done)
	a.entry.pending = nil
	if p.exploring == a {
		p.exploring = nil
	}
	switch {
	case p.closed && err == nil:
		p.retire(&entry{live: l})
		fallthrough
	case p.closed:
		a.err = ErrClosed
	case err != nil:
		a.err = &ConnectError{err}
		a.entry.restraint.failed(err, p.o.Config.ConnectTimeout)
	default:
		a.entry.restraint = restraint{}
		p.learn(l)
		p.place(a, l)
	}
	return true
}

// learn remembers the server's era, which belongs to the server and not to
// the identity that asked.
func (p *Pool) learn(l *live) {
	info := l.conn.Info()
	p.known = true
	p.modern = info.Modern() && p.kind != wire.SSE
	p.skipProbe = !info.Modern()
}

// place gives a session to whom it belongs: the identity it was opened for,
// or all.
func (p *Pool) place(a *attempt, l *live) {
	key := p.key(a.identity)
	if key != a.identity {
		p.entries.Remove(a.identity)
	}
	e := p.entry(key)
	if e.used.Before(a.entry.used) {
		e.used = a.entry.used
	}
	if e.live != nil {
		p.retire(e)
	}
	if e.last.headers == nil {
		e.last = a.entry.last // the entry of all is new
	}
	before := e.before
	l.ear.missed.Store(before || p.begun(a.identity))
	e.live, e.before = l, true
	close(l.placed)
	p.attend(l, e.last, before)
	if !l.usable() {
		p.reopen(l)
	}
}

// interrupted is the error of a caller who would not wait any longer, with
// what is known of the attempt.
func (p *Pool) interrupted(ctx context.Context, a *attempt) error {
	err := wire.Cause(ctx, ctx.Err())
	if child := a.process.Load(); child != nil {
		return &ProcessError{Err: err, Stderr: p.redact(child.Stderr())}
	}
	return err
}
