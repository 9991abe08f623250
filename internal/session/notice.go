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

func (p *Pool) notice(l *live, n mcp.JSONRPCNotification) Notice {
	return Notice{Identity: p.whose(l), Method: n.Method, Params: n.Params.AdditionalFields, live: l}
}

func (p *Pool) changed(l *live, n mcp.JSONRPCNotification) {
	if p.o.OnChange != nil {
		p.o.OnChange(p.notice(l, n))
	}
}

// whose is the identity a session belongs to; empty where it is everybody's.
func (p *Pool) whose(l *live) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.key(l.identity)
}

// gone is told that a session is over. Where it is to hear notices, it is
// opened anew.
func (p *Pool) gone(l *live) {
	p.o.OnGone(p.bound(l))
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
	e, ok := p.entries.Peek(p.key(l.identity))
	if !p.listening || p.closed || !ok || e.live != nil && e.live != l {
		return
	}
	again := &Operation{pool: p, headers: e.last.headers, identity: e.last.identity, aside: true}
	p.work.Go(func() { p.resume(again) })
}

// bound is who knows what was learnt by a session: an identity, or everybody.
func (p *Pool) bound(l *live) string {
	if p.kind == wire.Stdio || p.kind == wire.InProcess {
		return ""
	}
	return l.identity
}

// Recall is an operation of the last user of an identity's session, with the
// headers of then, for who acts on a notice. It reports false where there is
// none. Neither the provider nor the identity function is asked.
func (p *Pool) Recall(identity string) (*Operation, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	e, ok := p.entries.Peek(p.key(identity))
	if !ok || e.last == nil {
		return nil, false
	}
	return &Operation{pool: p, headers: e.last.headers, identity: e.last.identity, aside: true}, true
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
			headers := l.lastHeaders()
			errs[i] = l.withoutSecrets(headers, l.conn.SetLogLevel(httpx.WithHeaders(ctx, headers), level))
		})
	}
	all.Wait()
	return errors.Join(errs...)
}
