package session

import (
	"errors"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcptoolset/mcptoolset/internal/httpx"
	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// announced are the changes a server says it tells of.
func announced(c mcp.ServerCapabilities) wire.Wants {
	return wire.Wants{
		Tools:     c.Tools != nil && c.Tools.ListChanged,
		Prompts:   c.Prompts != nil && c.Prompts.ListChanged,
		Resources: c.Resources != nil && c.Resources.ListChanged,
	}
}

// wants are the notices to listen for on a session.
func (p *Pool) wants(l *live) wire.Wants {
	p.mu.Lock()
	defer p.mu.Unlock()
	wants := wire.Wants{URIs: p.uris(p.key(l.identity))}
	if p.listening {
		all := announced(l.conn.Info().Capabilities)
		wants.Tools, wants.Prompts, wants.Resources = all.Tools, all.Prompts, all.Resources
	}
	return wants
}

// Hears tells which notices of the server's reach the operation's identity now.
func (o *Operation) Hears() wire.Wants {
	o.pool.mu.Lock()
	defer o.pool.mu.Unlock()
	e, ok := o.pool.entries.Peek(o.pool.key(o.identity))
	if !ok || e.live == nil || e.live.heard.Load() == nil {
		return wire.Wants{}
	}
	return *e.live.heard.Load()
}

// attend sees to it that notices of a new session arrive. Since 2026-07-28 a
// stream has to be asked for, before it only over streamable HTTP, where the
// transport does it. The lock is held.
func (p *Pool) attend(l *live) {
	switch {
	case l.conn.Info().Modern():
		p.work.Go((&listener{pool: p, live: l}).run)
	case p.kind == wire.StreamableHTTP:
		p.work.Go(func() { p.resubscribe(l) })
	default:
		all := announced(l.conn.Info().Capabilities)
		l.heard.Store(&all)
		p.work.Go(func() {
			p.resubscribe(l)
			p.hear(l, all)
		})
	}
}

// watch tells what becomes of the stream that the transport listens on.
func (p *Pool) watch(l *live) httpx.Watch {
	ready := func(f func()) func() {
		return func() {
			select {
			case <-l.placed:
			case <-p.life.Done():
				return
			}
			if l.conn != nil {
				f()
			}
		}
	}
	return httpx.Watch{
		Opened:    ready(func() { p.hear(l, announced(l.conn.Info().Capabilities)) }),
		Closed:    ready(func() { p.deaf(l) }),
		Refused:   l.refuse,
		Forgotten: ready(func() { l.conn.Fail(errForgotten) }),
	}
}

// errForgotten is the end of a session of which nobody asked anything.
var errForgotten = errors.New("the server no longer knows the session")

// hear notes which notices reach a session from now on. What may have changed
// while none did counts as changed.
func (p *Pool) hear(l *live, wants wire.Wants) {
	l.heard.Store(&wants)
	l.settle()
	if !l.missed.Swap(false) {
		return
	}
	for _, list := range []struct {
		wanted bool
		method string
	}{
		{wants.Tools, mcp.MethodNotificationToolsListChanged},
		{wants.Prompts, mcp.MethodNotificationPromptsListChanged},
		{wants.Resources, mcp.MethodNotificationResourcesListChanged},
	} {
		if list.wanted {
			l.conn.Notify(list.method, nil)
		}
	}
	p.mu.Lock()
	uris := p.uris(p.key(l.identity))
	p.mu.Unlock()
	for _, uri := range uris {
		l.conn.Notify(mcp.MethodNotificationResourceUpdated, map[string]any{"uri": uri})
	}
}

// deaf notes that no more notices reach a session: what was learnt by it may
// be out of date.
func (p *Pool) deaf(l *live) {
	if l.heard.Swap(nil) != nil {
		l.missed.Store(true)
		p.o.OnGone(p.whose(l))
	}
}

// listener keeps a stream of 2026-07-28 open for what is wanted, for as long as
// the session lives.
type listener struct {
	pool    *Pool
	live    *live
	current *wire.Stream
	asked   wire.Wants // of the current stream
	began   time.Time
	denied  http.Header // with these the server refuses
	again   restraint
}

func (s *listener) run() {
	retry := s.open(nil)
	for {
		select {
		case asked := <-s.live.rewanted:
			retry = s.open(asked)
		case <-retry:
			retry = s.open(nil)
		case <-s.over():
			retry = s.ended()
		case <-s.live.conn.Gone():
			return
		case <-s.pool.life.Done():
			return
		}
	}
}

// over is closed when the stream is.
func (s *listener) over() <-chan struct{} {
	if s.current == nil {
		return nil
	}
	return s.current.Done()
}

// open has the stream be one for what is wanted now, and answers who asked for
// that. The channel says when to try again; it may be nil. What was refused to
// one who asked need not be what others want.
func (s *listener) open(asked chan<- error) <-chan time.Time {
	if asked == nil && s.refused() {
		return s.later()
	}
	err := s.reopen(s.pool.wants(s.live))
	if asked != nil {
		asked <- err
	}
	if err == nil || asked == nil && !mayRecover(err) {
		return nil
	}
	return s.later()
}

// refused reports whether the server would refuse again: it refuses a caller,
// and nobody else has come.
func (s *listener) refused() bool {
	return s.denied != nil && maps.EqualFunc(s.denied, s.live.lastHeaders(), slices.Equal)
}

// later is after a pause that grows, whatever the reason: nobody waits for it.
func (s *listener) later() <-chan time.Time {
	s.again.pause(s.pool.o.Config.ConnectTimeout)
	return time.After(time.Until(s.again.until))
}

// lasting is how long a stream has to be open to have been of use.
const lasting = 10 * time.Second

// ended notes that the server ended the stream.
func (s *listener) ended() <-chan time.Time {
	err := s.current.Err()
	s.current = nil
	s.pool.o.Logger.Debug("listening ended", "error", err)
	s.pool.deaf(s.live)
	if time.Since(s.began) >= lasting {
		s.again = restraint{}
	}
	return s.later()
}

// reopen replaces the stream. Over HTTP the old one ends after the new one has
// begun; other connections may have one stream for all, so it ends before.
func (s *listener) reopen(wants wire.Wants) error {
	p, l, old := s.pool, s.live, s.current
	if old != nil && wants.Covers(s.asked) && s.asked.Covers(wants) {
		return nil
	}
	if old != nil && (p.kind != wire.StreamableHTTP || wants.Empty()) {
		old.Close()
		old, s.current = nil, nil
		l.missed.Store(true)
	}
	if wants.Empty() {
		l.heard.Store(nil)
		return nil
	}
	ctx, done := wire.Limit(p.life, "listen", p.o.Config.ConnectTimeout)
	defer done()
	headers := l.lastHeaders()
	stream, granted, err := l.conn.Listen(httpx.WithHeaders(ctx, headers), wants)
	s.denied = nil
	if err != nil {
		var refusal *httpx.StatusError
		if errors.As(err, &refusal) && isDenied(refusal) {
			s.denied = headers
		}
		err = l.withoutSecrets(headers, wire.Cause(ctx, err))
		p.o.Logger.Debug("listening failed", "error", err)
		if old == nil {
			p.deaf(l)
		}
		return err
	}
	if old != nil {
		old.Close()
	}
	s.current, s.asked, s.began = stream, wants, time.Now()
	p.hear(l, granted)
	return nil
}

// mayRecover reports whether listening may succeed later though it failed: a
// server that answered that it cannot will not.
func mayRecover(err error) bool {
	var answer *wire.RPCError
	return !errors.As(err, &answer)
}

// resume opens a session anew that notices came by, so that they go on coming
// though nobody uses it. A server that refuses the last headers has to wait for
// the next use.
func (p *Pool) resume(o *Operation) {
	for {
		l, err := p.acquire(p.life, o)
		if err == nil {
			l.release()
			return
		}
		if p.life.Err() != nil || errors.Is(err, errDropped) || !unreachable(err) {
			return
		}
		p.o.Logger.Debug("not yet listening again", "error", err)
	}
}

// errDropped ends a resumption for an identity that is no longer kept.
var errDropped = errors.New("the identity's session was dropped")

// uris are those that somebody of an entry subscribes to. The lock is held.
func (p *Pool) uris(key string) []string {
	var uris []string
	for s := range p.subscriptions {
		if p.key(s.by.identity) == key {
			uris = append(uris, s.uri)
		}
	}
	slices.Sort(uris)
	return slices.Compact(uris)
}
