package session

import (
	"context"
	"errors"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcptoolset/mcptoolset/internal/httpx"
	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// Notice is a notification of the server.
type Notice struct {
	// Identity is whose session it came by; empty where all share it.
	Identity string
	Method   string
	Params   map[string]any

	live *live
}

// URI is the resource that a notice is about; empty for none.
func (n Notice) URI() string {
	uri, _ := n.Params["uri"].(string)
	return uri
}

// Redact takes what is secret out of a text of the server's: of the session and
// of all who used one of late.
func (n Notice) Redact(text string) string {
	secrets := append(n.live.pool.used.all(), n.live.secrets...)
	if n.live.http != nil {
		secrets = append(secrets, n.live.http.OriginSecrets()...)
	}
	return httpx.Redact(text, secrets)
}

func (p *Pool) notice(l *live, whose string, n wire.Notice) Notice {
	return Notice{Identity: whose, Method: n.Method, Params: n.Params.AdditionalFields, live: l}
}

// notified hands a notification on, to each whom it may concern. One of a change
// that came by no stream of anybody's concerns all who share the session.
func (p *Pool) notified(l *live, n wire.Notice) {
	for _, whose := range p.concerned(l, n) {
		p.o.OnNotification(p.notice(l, whose, n))
	}
}

func (p *Pool) concerned(l *live, n wire.Notice) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	whose := p.whose(l, n)
	if whose != "" || !p.shares() || !n.Changes() || p.ears.Len() == 0 {
		return []string{whose}
	}
	return p.ears.Keys()
}

func (p *Pool) changed(l *live, n wire.Notice) {
	if p.o.OnChange == nil {
		return
	}
	p.mu.Lock()
	whose := p.whose(l, n)
	p.mu.Unlock()
	p.o.OnChange(p.notice(l, whose, n))
}

// whose is the identity a notice is for; empty for all. The lock is held.
func (p *Pool) whose(l *live, n wire.Notice) string {
	if p.shares() {
		return n.Whose
	}
	return p.key(l.identity)
}

// audience is who hears the same notices as an identity: nobody else over HTTP,
// all on other connections, which the empty identity stands for.
func (p *Pool) audience(identity string) string {
	if p.kind == wire.Stdio || p.kind == wire.InProcess {
		return ""
	}
	return identity
}

// gone is told that a session is over. Where it is to hear notices, it is
// opened anew.
func (p *Pool) gone(l *live) {
	p.o.OnGone(p.audience(l.identity))
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-l.placed:
		if l.conn != nil {
			p.reopen(l)
		}
	default: // it was never of use
	}
}

// reopen has a session of whose end nobody may know opened anew, where notices
// are to be heard. The lock is held.
func (p *Pool) reopen(l *live) {
	key := p.key(l.identity)
	e, ok := p.entries.Peek(key)
	if !p.listens(key) || p.closed || !ok || e.live != nil && e.live != l {
		return
	}
	again := []caller{e.last}
	if p.shares() {
		for _, other := range p.ears.Values() {
			again = append(again, caller{other.headers, other.identity})
		}
	}
	p.work.Go(func() { p.resume(again) })
}

// Recall is an operation of the last user of an identity's session, with the
// headers of then, for who acts on a notice. It reports false where there is
// none. Neither the provider nor the identity function is asked.
func (p *Pool) Recall(identity string) (*Operation, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	last, ok := p.last(identity)
	return &Operation{pool: p, headers: last.headers, identity: last.identity, aside: true}, ok
}

// last is the last use by an identity, or by anybody for the empty one. The lock
// is held.
func (p *Pool) last(identity string) (caller, bool) {
	if e := p.earOf(identity); e != nil && e.headers != nil {
		return caller{e.headers, identity}, true
	}
	if p.shares() && identity != "" {
		return caller{}, false
	}
	e, ok := p.entries.Peek(p.key(identity))
	if !ok || e.last.headers == nil {
		return caller{}, false
	}
	return e.last, true
}

func (p *Pool) logLevel() mcp.LoggingLevel {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.level
}

// SetLogLevel asks for the server's log messages from a level on, in the
// sessions there are and in those to come.
func (p *Pool) SetLogLevel(ctx context.Context, level mcp.LoggingLevel) error {
	p.mu.Lock()
	p.level = level
	var open []*live
	for _, e := range p.entries.Values() {
		if e.live != nil && e.live.usable() {
			e.live.busy.Add(1)
			open = append(open, e.live)
		}
	}
	p.mu.Unlock()
	var all sync.WaitGroup
	errs := make([]error, len(open))
	for i, l := range open {
		all.Go(func() {
			defer l.release()
			errs[i] = l.adjust(ctx)
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// adjust asks the server for log messages from the level on that is wanted now.
// Requests for it go one after another, so that the last one holds.
func (l *live) adjust(ctx context.Context) error {
	select {
	case l.setting <- struct{}{}:
		defer func() { <-l.setting }()
	case <-ctx.Done():
		return wire.Cause(ctx, ctx.Err())
	}
	level := l.pool.logLevel()
	headers := l.lastHeaders()
	err := l.withoutSecrets(headers, l.conn.SetLogLevel(httpx.WithHeaders(ctx, headers), level))
	l.pool.mu.Lock()
	defer l.pool.mu.Unlock()
	l.level = level
	return err
}
