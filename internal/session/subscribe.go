package session

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcptoolset/mcptoolset/internal/httpx"
	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// Subscription is one wish to be told of a resource's updates, by notices of
// the method notifications/resources/updated. It outlives sessions.
type Subscription struct {
	by  *Operation
	uri string
}

// Concerns reports whether a notice that came by an identity's session is about
// the subscription's resource or one below it (MCP, server/resources,
// "Subscriptions").
func (s *Subscription) Concerns(n Notice) bool {
	s.by.pool.mu.Lock()
	mine := s.by.pool.key(s.by.identity) == n.Identity
	s.by.pool.mu.Unlock()
	return mine && Within(s.uri, n.URI())
}

// Within reports whether a URI is that of a resource or of a part of it, which
// the server may name in a notice in its place.
func Within(resource, uri string) bool {
	below, ok := strings.CutPrefix(uri, resource)
	return ok && (below == "" || strings.HasSuffix(resource, "/") || strings.ContainsAny(below[:1], "/?#"))
}

// Subscription is one to a resource, which Begin begins.
func (o *Operation) Subscription(uri string) *Subscription {
	return &Subscription{by: &Operation{pool: o.pool, headers: o.headers, identity: o.identity}, uri: uri}
}

// Begin asks for the updates. From then on the pool listens, and opens lost
// sessions of the identity anew without being used. The first update may come
// before Begin returns.
func (s *Subscription) Begin(ctx context.Context) error {
	own := *s.by // a refusal may change it
	info, err := own.Info(ctx)
	if err != nil {
		return err
	}
	if info.Capabilities.Resources == nil || !info.Capabilities.Resources.Subscribe {
		return errUndeclared
	}
	if err := s.by.pool.add(s); err != nil {
		return err
	}
	if err := own.asked(ctx, mcp.MethodResourcesSubscribe, s.uri); err != nil {
		s.by.pool.remove(s)
		return err
	}
	return nil
}

// maxSubscriptions bounds those of a pool.
const maxSubscriptions = 10_000

func (p *Pool) add(s *Subscription) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.closed:
		return ErrClosed
	case len(p.subscriptions) >= maxSubscriptions:
		return fmt.Errorf("more than %d subscriptions", maxSubscriptions)
	}
	p.subscriptions[s] = struct{}{}
	p.listenFrom(p.key(s.by.identity))
	return nil
}

// listenFrom begins to listen where no session did. A session over streamable
// HTTP before 2026-07-28 that was opened without a stream is replaced. The lock
// is held.
func (p *Pool) listenFrom(key string) {
	p.listening = true
	e, ok := p.entries.Peek(key)
	// What the replaced one has not heard, nobody had asked for.
	if ok && e.live != nil && p.kind == wire.StreamableHTTP && !e.live.conn.Info().Modern() && !e.live.listens {
		p.retire(e)
		e.before = false
	}
}

// remove ends a subscription, and reports whether it was the last of its
// identity to the resource.
func (p *Pool) remove(s *Subscription) (last bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, known := p.subscriptions[s]; !known {
		return false
	}
	delete(p.subscriptions, s)
	key := p.key(s.by.identity)
	for other := range p.subscriptions {
		if other.uri == s.uri && p.key(other.by.identity) == key {
			return false
		}
	}
	return true
}

// End ends the subscription. The error is that of telling the server; the
// subscription is over in any case. Ending it again does nothing.
func (s *Subscription) End(ctx context.Context) error {
	if !s.by.pool.remove(s) {
		return nil
	}
	own := *s.by
	return own.asked(ctx, mcp.MethodResourcesUnsubscribe, s.uri)
}

// asked tells the server what is wanted now: by a request, or since 2026-07-28
// by another stream.
func (o *Operation) asked(ctx context.Context, method mcp.MCPMethod, uri string) error {
	l, err := o.pool.acquire(ctx, o)
	if err != nil {
		return err
	}
	defer l.release()
	if l.conn.Info().Modern() {
		return o.rewant(ctx, l, method, uri)
	}
	if err := l.offered(ctx); err != nil {
		return err
	}
	params, err := subscription(uri)
	if err != nil {
		return err
	}
	_, err = o.Read(ctx, string(method), params)
	return err
}

// offered waits until it is known whether notices reach a session.
func (l *live) offered(ctx context.Context) error {
	select {
	case <-l.settled:
	case <-l.conn.Gone():
		return nil // the request that follows goes to another session
	case <-ctx.Done():
		return wire.Cause(ctx, ctx.Err())
	}
	if l.heard.Load() != nil {
		return nil
	}
	if status := l.refused.Load(); status != 0 {
		return fmt.Errorf("%w (HTTP status %d to the GET for it)", errNoStream, status)
	}
	return fmt.Errorf("%w (no answer to the GET for it)", errNoStream)
}

func subscription(uri string) (json.RawMessage, error) {
	return json.Marshal(map[string]string{"uri": uri})
}

// rewant has the session listen for what is wanted now, and waits for the
// server's acknowledgement.
func (o *Operation) rewant(ctx context.Context, l *live, method mcp.MCPMethod, uri string) error {
	l.use(o.headers)
	answered := make(chan error, 1)
	select {
	case l.rewanted <- answered:
	case <-l.conn.Gone():
		return nil // the next session listens for what is wanted then
	case <-ctx.Done():
		return wire.Cause(ctx, ctx.Err())
	}
	select {
	case err := <-answered:
		if err == nil && method == mcp.MethodResourcesSubscribe && !l.covers(uri) {
			err = errNotGranted
		}
		return err
	case <-l.conn.Gone():
		return nil
	case <-ctx.Done():
		return wire.Cause(ctx, ctx.Err())
	}
}

// covers reports whether updates of a resource reach the session.
func (l *live) covers(uri string) bool {
	heard := l.heard.Load()
	return heard != nil && heard.Covers(wire.Wants{URIs: []string{uri}})
}

// resubscribe tells a new session of before 2026-07-28 what was subscribed to
// in the one it replaces.
func (p *Pool) resubscribe(l *live) {
	p.mu.Lock()
	uris := p.uris(p.key(l.identity))
	p.mu.Unlock()
	ctx, done := wire.Limit(p.life, "subscribe", p.o.Config.ConnectTimeout)
	defer done()
	ctx = httpx.WithHeaders(ctx, l.lastHeaders())
	for _, uri := range uris {
		params, err := subscription(uri)
		if err == nil {
			_, err = l.conn.Request(ctx, string(mcp.MethodResourcesSubscribe), params, nil)
		}
		p.note("subscribing again", l.withoutSecrets(l.lastHeaders(), err))
	}
}
