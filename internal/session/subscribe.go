package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcptoolset/mcptoolset/internal/httpx"
	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// Subscription is one wish to be told of a resource's updates, by notices of
// the method notifications/resources/updated. It outlives sessions.
type Subscription struct {
	pool  *Pool
	uri   string
	by    *Operation // whose it is; guarded by the pool's lock
	begun bool       // the server agreed to it once; guarded by the pool's lock
}

// Concerns reports whether a notice is for the subscription's identity, and about
// its resource or one below it (MCP, server/resources, "Subscriptions").
func (s *Subscription) Concerns(n Notice) bool {
	return (n.Identity == "" || n.Identity == s.whose().identity) && Within(s.uri, n.URI())
}

// whose is who subscribed.
func (s *Subscription) whose() *Operation {
	s.pool.mu.Lock()
	defer s.pool.mu.Unlock()
	return s.by
}

// Within reports whether a URI is that of a resource or of a part of it, which
// the server may name in a notice in its place.
func Within(resource, uri string) bool {
	below, ok := strings.CutPrefix(uri, resource)
	return ok && (below == "" || strings.HasSuffix(resource, "/") || strings.ContainsAny(below[:1], "/?#"))
}

// Subscription is one to a resource, which Begin begins.
func (o *Operation) Subscription(uri string) *Subscription {
	return &Subscription{pool: o.pool, by: o.Fork(), uri: uri}
}

// Begin asks for the updates. From then on the pool listens, and opens lost
// sessions of the identity anew without being used. The first update may come
// before Begin returns. A refusal has the header provider asked again, once.
func (s *Subscription) Begin(ctx context.Context) error {
	own := s.by.Fork() // a refusal may change it
	err := s.begin(ctx, own)
	var refusal *httpx.StatusError
	if errors.As(err, &refusal) && isDenied(refusal) && own.renewed(ctx) {
		err = s.begin(ctx, own)
	}
	return err
}

func (s *Subscription) begin(ctx context.Context, own *Operation) error {
	info, err := own.Info(ctx)
	if err != nil {
		return err
	}
	if info.Capabilities.Resources == nil || !info.Capabilities.Resources.Subscribe {
		return errUndeclared
	}
	if err := s.pool.add(s, own.Fork()); err != nil {
		return err
	}
	if err := own.asked(ctx, mcp.MethodResourcesSubscribe, s.uri); err != nil {
		s.pool.remove(s)
		s.pool.spare(s.whose().identity)
		return err
	}
	s.pool.mu.Lock()
	defer s.pool.mu.Unlock()
	s.begun = true
	return nil
}

// Why tells why updates do not arrive now; nil where they do. It asks nobody.
func (s *Subscription) Why() error {
	p := s.pool
	p.mu.Lock()
	_, known := p.subscriptions[s]
	e := p.earOf(s.by.identity)
	closed := p.closed
	p.mu.Unlock()
	switch {
	case closed:
		return ErrClosed
	case !known:
		return errOver
	case e == nil:
		return errUnheard
	}
	return e.why(s.uri)
}

// maxSubscriptions bounds those of a pool.
const maxSubscriptions = 10_000

func (p *Pool) add(s *Subscription, by *Operation) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.closed:
		return ErrClosed
	case len(p.subscriptions) >= maxSubscriptions:
		return fmt.Errorf("more than %d subscriptions", maxSubscriptions)
	}
	s.by = by
	p.subscriptions[s] = struct{}{}
	p.subscribers[s.by.identity]++
	p.listenFrom(p.key(s.by.identity))
	return nil
}

// listenFrom begins to listen where no session did. A session over streamable
// HTTP before 2026-07-28 that was opened without a stream is replaced. The lock
// is held.
func (p *Pool) listenFrom(key string) {
	e, ok := p.entries.Peek(key)
	// What the replaced one has not heard, nobody had asked for.
	if ok && e.live != nil && p.kind == wire.StreamableHTTP && !e.live.conn.Info().Modern() && !e.live.listens {
		p.retire(e)
		e.before = false
	}
}

// remove ends a subscription, and reports whether it was the last to the
// resource of those who hear the same.
func (p *Pool) remove(s *Subscription) (last bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, known := p.subscriptions[s]; !known {
		return false
	}
	delete(p.subscriptions, s)
	if p.subscribers[s.by.identity]--; p.subscribers[s.by.identity] == 0 {
		delete(p.subscribers, s.by.identity)
	}
	return !slices.Contains(p.uris(p.audience(s.by.identity)), s.uri)
}

// End ends the subscription. The error is that of telling the server; the
// subscription is over in any case. Ending it again does nothing.
func (s *Subscription) End(ctx context.Context) error {
	if !s.pool.remove(s) {
		return nil
	}
	last, ok := s.pool.Recall(s.whose().identity)
	if !ok {
		return nil // it is no longer kept
	}
	err := last.asked(ctx, mcp.MethodResourcesUnsubscribe, s.uri)
	if errors.Is(err, errDropped) {
		return nil
	}
	return err
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
	if _, err = o.Read(ctx, string(method), params); err == nil {
		l.ear.refuses(uri, nil)
	}
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
	if l.ear.heard.Load() != nil {
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

// rewant has what the operation's identity listens to be what it wants now, and
// waits for the server's acknowledgement.
func (o *Operation) rewant(ctx context.Context, l *live, method mcp.MCPMethod, uri string) error {
	if o.pool.kind == wire.SSE {
		l.use(o.headers)
	}
	answered := make(chan error, 1)
	for {
		e := o.pool.listening(l, o)
		if e == nil {
			return nil // nothing is wanted any more
		}
		select {
		case e.rewanted <- answered:
		case <-e.dropped:
			continue // it is another by now, if any
		case <-l.conn.Gone():
			return nil // the next session listens for what is wanted then
		case <-ctx.Done():
			return wire.Cause(ctx, ctx.Err())
		}
		select {
		case err := <-answered:
			if err == nil && method == mcp.MethodResourcesSubscribe && !e.covers(uri) {
				err = errNotGranted
			}
			return err
		case <-l.conn.Gone():
			return nil
		case <-ctx.Done():
			return wire.Cause(ctx, ctx.Err())
		}
	}
}

// listening is what an operation's identity hears by a session, nil for nothing.
func (p *Pool) listening(l *live, o *Operation) *ear {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.shares() {
		return l.ear
	}
	p.lend(l, o)
	e, _ := p.ears.Peek(o.identity)
	return e
}

// resubscribe tells a new session of before 2026-07-28 what was subscribed to
// in the one it replaces.
func (p *Pool) resubscribe(l *live) {
	p.mu.Lock()
	uris := p.uris(l.ear.identity)
	p.mu.Unlock()
	ctx, done := wire.Limit(p.life, "subscribe", p.o.Config.ConnectTimeout)
	defer done()
	ctx = httpx.WithHeaders(ctx, l.lastHeaders())
	for _, uri := range uris {
		params, err := subscription(uri)
		if err == nil {
			_, err = l.conn.Request(ctx, string(mcp.MethodResourcesSubscribe), params, nil)
		}
		err = l.withoutSecrets(l.lastHeaders(), err)
		p.note("subscribing again", err)
		l.ear.refuses(uri, unanswerable(err))
	}
}

// unanswerable is the error of a subscription that the server refuses though it
// was agreed to before; nil for what only says that the session is over.
func unanswerable(err error) error {
	var answer *wire.RPCError
	var refusal *httpx.StatusError
	if errors.As(err, &answer) || errors.As(err, &refusal) {
		return fmt.Errorf("%w: %w", errNotGranted, err)
	}
	return nil
}
