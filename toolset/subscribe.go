package toolset

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/mcptoolset/mcptoolset/internal/session"
	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// Subscription is a wish to be told of a resource's updates. It is made by
// [Toolset.Subscribe] and may be used concurrently.
type Subscription struct {
	ts      *Toolset
	uri     string
	by      *session.Subscription
	handler func(ctx context.Context, uri string)
}

// subscriptions are those of a toolset.
type subscriptions struct {
	mu   sync.Mutex
	live map[*Subscription]struct{}
}

// Subscribe has handler told whenever the server says that a resource was
// updated, with its URI: that of the subscription, or of a resource below it.
// What the update is, [Toolset.ReadResource] tells. Handlers run as those of
// [WithToolsChangedHandler], with the headers of the last use of the session, and
// may be told before Subscribe returns.
//
// ctx bounds the call and says whose subscription it is. The subscription lasts
// until [Subscription.Close] or [Toolset.Close] and outlives sessions: a lost one
// is opened anew, as [WithListening] says, and then handler is told once,
// because an update may have been missed. A toolset has at most 10,000
// subscriptions; an identity that is dropped because there are more than 1,000
// hears nothing until its next use.
//
// The error is an [*Error], which wraps [ErrNoSubscriptions] when the server does
// not tell of updates, or refuses the stream that they would come by. Over
// streamable HTTP each identity has a stream of its own, with the headers of its
// last use, which ends with its last subscription unless [WithListening] keeps
// it. Where tokens change, let [WithIdentity] name users: else a new token is
// another identity, and a stream that is lost cannot be opened again with it.
func (ts *Toolset) Subscribe(ctx context.Context, uri string, handler func(ctx context.Context, uri string)) (*Subscription, error) {
	began := time.Now()
	s := &Subscription{ts: ts, uri: uri, handler: handler}
	if uri == "" || handler == nil {
		return nil, ts.fault(StageSubscribe, "", began, errors.New("a subscription needs a URI and a handler"))
	}
	op, err := ts.begin(ctx)
	if err != nil {
		return nil, ts.fault(StageSubscribe, "", began, err)
	}
	if _, err := op.Info(ctx); err != nil { // within the connect limit
		return nil, ts.fault(StageSubscribe, "", began, err)
	}
	ctx, done := wire.Limit(ctx, "list", ts.cfg.ListTimeout)
	defer done()
	s.by = op.Subscription(uri)
	ts.subscriptions.add(s)
	if err := s.by.Begin(ctx); err != nil {
		ts.subscriptions.remove(s)
		return nil, ts.fault(StageSubscribe, "", began, wire.Cause(ctx, err))
	}
	return s, nil
}

// URI is the resource subscribed to.
func (s *Subscription) URI() string { return s.uri }

// Close ends the subscription: once it returns, no handler of it begins. The
// error is an [*Error] that says why the server could not be told; the
// subscription is over all the same. Closing it again, or after the toolset,
// does nothing.
func (s *Subscription) Close(ctx context.Context) error {
	began := time.Now()
	if !s.ts.subscriptions.remove(s) || s.ts.life.Err() != nil {
		return nil
	}
	ctx, done := wire.Limit(ctx, "list", s.ts.cfg.ListTimeout)
	defer done()
	if err := s.by.End(ctx); err != nil {
		return s.ts.fault(StageSubscribe, "", began, wire.Cause(ctx, err))
	}
	return nil
}

// Err tells why updates do not arrive now; nil where they do. It may be asked at
// any time and asks nobody. While a lost stream is opened anew it is the cause;
// where the server agreed once and does not any more, such as after a restart, it
// wraps [ErrNoSubscriptions], and the server is asked again with the next stream
// or the next Subscribe. After [Toolset.Close] it is [ErrClosed], and after Close an
// error too.
func (s *Subscription) Err() error { return s.by.Why() }

func (s *subscriptions) add(one *Subscription) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.live == nil {
		s.live = map[*Subscription]struct{}{}
	}
	s.live[one] = struct{}{}
}

func (s *subscriptions) remove(one *Subscription) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, known := s.live[one]
	delete(s.live, one)
	return known
}

// concerned are the subscriptions that a notice is for.
func (s *subscriptions) concerned(n session.Notice) []*Subscription {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []*Subscription
	for one := range s.live {
		if one.by.Concerns(n) {
			found = append(found, one)
		}
	}
	return found
}

// updated tells those who subscribed.
func (ts *Toolset) updated(n session.Notice) {
	for _, s := range ts.subscriptions.concerned(n) {
		ctx := ts.life
		if op, ok := ts.pool.Recall(n.Identity); ok {
			ctx = op.Context(ctx)
		}
		ts.contain("handler of a subscription", func() { s.handler(ctx, n.URI()) })
	}
}
