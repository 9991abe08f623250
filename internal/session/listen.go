package session

import (
	"context"
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

// wants are the notices that somebody is to hear. The lock is held.
func (p *Pool) wants(e *ear) wire.Wants {
	wants := wire.Wants{URIs: p.uris(e.identity)}
	if p.listens(e.identity) {
		all := announced(e.live.conn.Info().Capabilities)
		wants.Tools, wants.Prompts, wants.Resources = all.Tools, all.Prompts, all.Resources
	}
	return wants
}

// Hears tells which notices of the server's reach the operation's identity now.
func (o *Operation) Hears() wire.Wants {
	o.pool.mu.Lock()
	defer o.pool.mu.Unlock()
	e := o.pool.earOf(o.identity)
	if e == nil || e.heard.Load() == nil {
		return wire.Wants{}
	}
	return *e.heard.Load()
}

// HearsAll reports whether notices reach the operation's identity now, and all
// that the server was asked for.
func (o *Operation) HearsAll() bool {
	o.pool.mu.Lock()
	defer o.pool.mu.Unlock()
	e := o.pool.earOf(o.identity)
	if e == nil || e.heard.Load() == nil {
		return false
	}
	return !e.heard.Load().Empty() && e.missing().Empty()
}

// attend sees to it that notices of a new session arrive. Since 2026-07-28 a
// stream has to be asked for, over streamable HTTP by each who shares the
// session; before it has to be only there, and the transport does it. The lock is
// held. before says that there was a session before, and opener for whom this
// one was opened.
func (p *Pool) attend(l *live, opener caller, before bool) {
	switch {
	case p.shares():
		p.regrow(l, before)
		if p.listens(opener.identity) && !p.ears.Contains(opener.identity) {
			p.grow(l, opener.identity, opener.headers, before)
		}
	case l.conn.Info().Modern():
		p.work.Go((&listener{pool: p, live: l, ear: l.ear}).run)
	case p.kind == wire.StreamableHTTP:
		p.work.Go(func() { p.resubscribe(l) })
	default:
		all := announced(l.conn.Info().Capabilities)
		l.ear.heard.Store(&all)
		p.work.Go(func() {
			p.resubscribe(l)
			p.hear(l.ear, all)
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
	opened := ready(func() { p.hear(l.ear, announced(l.conn.Info().Capabilities)) })
	return httpx.Watch{
		Opened: func() {
			l.answer()
			opened()
		},
		Closed:    ready(func() { p.deaf(l.ear) }),
		Refused:   l.refuse,
		Forgotten: ready(func() { l.conn.Fail(errForgotten) }),
	}
}

// hesitation is how long a new session that listens waits for the server to
// answer that.
const hesitation = 250 * time.Millisecond

// hesitate lets the server know of the stream that the transport asks for before
// it gets the first request: some send the answer to a request by whichever
// stream is opened behind it. A server need not answer before it has something to
// say.
func (l *live) hesitate(ctx context.Context) {
	if !l.listens || l.pool.kind != wire.StreamableHTTP || l.conn.Info().Modern() {
		return
	}
	timer := time.NewTimer(hesitation)
	defer timer.Stop()
	select {
	case <-l.answered:
	case <-timer.C:
	case <-l.conn.Gone():
	case <-ctx.Done():
	}
}

// errForgotten is the end of a session of which nobody asked anything.
var errForgotten = errors.New("the server no longer knows the session")

// hear notes which notices reach somebody from now on. What may have changed
// while none did counts as changed.
func (p *Pool) hear(e *ear, wants wire.Wants) {
	e.heard.Store(&wants)
	e.live.settle()
	if !e.missed.Swap(false) {
		return
	}
	changes := wants
	p.mu.Lock()
	changes.URIs = p.uris(e.identity)
	p.mu.Unlock()
	e.presume(changes)
}

// presume tells of changes that may have been.
func (e *ear) presume(changes wire.Wants) {
	for _, list := range []struct {
		changed bool
		method  string
	}{
		{changes.Tools, mcp.MethodNotificationToolsListChanged},
		{changes.Prompts, mcp.MethodNotificationPromptsListChanged},
		{changes.Resources, mcp.MethodNotificationResourcesListChanged},
	} {
		if list.changed {
			e.live.conn.Notify(e.identity, list.method, nil)
		}
	}
	for _, uri := range changes.URIs {
		e.live.conn.Notify(e.identity, mcp.MethodNotificationResourceUpdated, map[string]any{"uri": uri})
	}
}

// deaf notes that no more notices reach somebody: what was learnt by them may be
// out of date.
func (p *Pool) deaf(e *ear) {
	if e.heard.Swap(nil) != nil {
		e.missed.Store(true)
		p.o.OnGone(e.identity)
	}
}

// listener keeps a stream of 2026-07-28 open for what somebody wants to hear,
// for as long as the session lives and they are kept.
type listener struct {
	pool    *Pool
	live    *live
	ear     *ear
	current *wire.Stream
	asked   wire.Wants // of the current stream
	granted wire.Wants // by the last stream
	lost    wire.Wants // was to be heard before, and is not granted any more
	began   time.Time
	denied  http.Header // with these the server refuses
	again   restraint
}

func (s *listener) run() {
	retry := s.open(nil)
	for {
		select {
		case asked := <-s.ear.rewanted:
			retry = s.open(asked)
		case <-retry:
			retry = s.open(nil)
		case <-s.over():
			retry = s.ended()
		case <-s.ear.dropped:
			s.close()
			s.pool.deaf(s.ear)
			return
		case <-s.live.conn.Gone():
			s.pool.deaf(s.ear)
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

// close ends the stream, if there is one.
func (s *listener) close() {
	if s.current != nil {
		s.current.Close()
		s.current = nil
	}
}

// open has the stream be one for what is wanted now, and answers who asked for
// that. The channel says when to try again; it may be nil. What was refused to
// one who asked need not be what others want.
func (s *listener) open(asked chan<- error) <-chan time.Time {
	if asked == nil && s.refused() {
		return s.later()
	}
	s.pool.mu.Lock()
	wants := s.pool.wants(s.ear)
	s.pool.mu.Unlock()
	err := s.reopen(wants, asked != nil)
	if asked != nil {
		asked <- err
	}
	if err == nil || asked == nil && !mayRecover(err) {
		return nil
	}
	return s.later()
}

// refused reports whether the server would refuse again: it refuses a caller,
// who has not come with other headers since.
func (s *listener) refused() bool {
	return s.denied != nil && maps.EqualFunc(s.denied, s.ear.lastHeaders(), slices.Equal)
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
	err := s.live.withoutSecrets(s.ear.lastHeaders(), s.current.Err())
	s.current = nil
	s.pool.o.Logger.Debug("listening ended", "error", err)
	s.ear.fails(err)
	s.pool.deaf(s.ear)
	if time.Since(s.began) >= lasting {
		s.again = restraint{}
	}
	return s.later()
}

// reopen replaces the stream. Over HTTP the old one ends after the new one has
// begun; other connections may have one stream for all, so it ends before. What
// was not granted is asked for again only where somebody insists.
func (s *listener) reopen(wants wire.Wants, insists bool) error {
	p, e := s.pool, s.ear
	same := wants.Covers(s.asked) && s.asked.Covers(wants)
	if s.current != nil && same && !(insists && !e.missing().Empty()) {
		return nil
	}
	if wants.Empty() {
		s.rest()
		return nil
	}
	if p.kind != wire.StreamableHTTP && s.current != nil {
		s.close()
		e.missed.Store(true)
	}
	ctx, done := wire.Limit(p.life, "listen", p.o.Config.ConnectTimeout)
	defer done()
	headers := e.lastHeaders()
	stream, granted, err := s.live.conn.Listen(httpx.WithHeaders(ctx, headers), e.identity, wants)
	if err != nil {
		return s.failed(headers, wire.Cause(ctx, err))
	}
	s.denied = nil
	s.close()
	s.current, s.began = stream, time.Now()
	s.grant(wants, granted)
	return nil
}

// rest ends the stream because nobody wants to hear anything. What was to be
// kept until a notice cannot be.
func (s *listener) rest() {
	s.close()
	s.asked, s.granted, s.lost = wire.Wants{}, wire.Wants{}, wire.Wants{}
	s.ear.lacks(wire.Wants{})
	if s.ear.heard.Swap(nil) != nil {
		s.pool.o.OnGone(s.ear.identity)
	}
	s.pool.spare(s.ear.identity)
}

// failed notes why there is no new stream. The old one, if there is one, goes
// on.
func (s *listener) failed(headers http.Header, err error) error {
	s.denied = nil
	var refusal *httpx.StatusError
	if errors.As(err, &refusal) && isDenied(refusal) {
		s.denied = headers
		if refusal.Status == http.StatusUnauthorized { // by 403 only the stream may be meant
			s.pool.denied(s.ear.identity)
		}
	}
	err = s.live.withoutSecrets(headers, err)
	s.pool.o.Logger.Debug("listening failed", "error", err)
	if s.current == nil {
		s.ear.fails(err)
		s.pool.deaf(s.ear)
	}
	return err
}

// grant notes what a new stream brings, and what it does not. Changes may have
// been missed of what no stream brought for a while.
func (s *listener) grant(asked, granted wire.Wants) {
	before := s.granted
	if s.ear.missed.Load() {
		before = asked
	}
	due := s.lost.And(before)
	regained := s.lost.Without(s.lost.Without(granted))
	s.lost = due.Without(due.Without(asked)).Without(granted) // of what is still wanted
	s.asked, s.granted = asked, granted
	s.ear.lacks(asked.Without(granted))
	if !before.Without(before.Without(asked)).Without(granted).Empty() {
		s.pool.o.Logger.Warn("the server does not tell of all that it was asked for", "missing", s.lost.String())
		s.ear.heard.Store(&granted)
		s.pool.o.OnGone(s.ear.identity)
	}
	if !s.ear.missed.Load() {
		s.ear.presume(regained)
	}
	s.pool.hear(s.ear, granted)
}

// mayRecover reports whether listening may succeed later though it failed: a
// server that answered that it cannot will not.
func mayRecover(err error) bool {
	var answer *wire.RPCError
	return !errors.As(err, &answer)
}

// resume opens a session anew that notices came by, so that they go on coming
// though nobody uses it, for the first of some whom the server does not refuse.
// Where it refuses the last headers of all, it has to wait for the next use.
func (p *Pool) resume(callers []caller) {
	for _, c := range callers {
		if !p.resumed(&Operation{pool: p, headers: c.headers, identity: c.identity, aside: true}) {
			return
		}
	}
}

// resumed has a session opened for an operation, and reports whether another one
// may be lucky where this was not.
func (p *Pool) resumed(o *Operation) (refused bool) {
	for {
		l, err := p.acquire(p.life, o)
		if err == nil {
			l.release()
			return false
		}
		if p.life.Err() != nil || errors.Is(err, errDropped) {
			return false
		}
		if !unreachable(err) {
			return true
		}
		p.o.Logger.Debug("not yet listening again", "error", err)
	}
}

// errDropped ends a resumption for an identity that is no longer kept.
var errDropped = errors.New("the identity's session was dropped")

// uris are those that an identity subscribes to; the empty one stands for all.
// The lock is held.
func (p *Pool) uris(identity string) []string {
	var uris []string
	for s := range p.subscriptions {
		if identity == "" || s.by.identity == identity {
			uris = append(uris, s.uri)
		}
	}
	slices.Sort(uris)
	return slices.Compact(uris)
}
