package toolset

import (
	"context"
	"math"
	"sync"
	"time"

	"github.com/mcptoolset/mcptoolset/internal/wire"
)

const (
	// defaultFreshness is for how long a list is used when the server says
	// nothing of it.
	defaultFreshness = 30 * time.Second
	// maxLists bounds the identities whose lists are kept.
	maxLists = 1000
)

// freshness decides for how long a catalogue may be used. What the server says
// (MCP 2026-07-28, server/utilities/caching) goes before what can be guessed.
// A list that is not complete is not kept.
func (c *catalogue) freshness(listing wire.Listing, heard bool) {
	switch {
	case listing.Cut != "":
		c.fresh = 0
	case listing.TTLMs != nil:
		c.fresh = time.Duration(min(*listing.TTLMs, math.MaxInt64/int64(time.Millisecond))) * time.Millisecond
	case heard:
		c.fresh = math.MaxInt64
	default:
		c.fresh = defaultFreshness
	}
}

// lists caches catalogues by identity.
type lists struct {
	work sync.WaitGroup // fetches

	mu      sync.Mutex
	known   map[string]*catalogue
	pending map[string]*fetch
	epoch   int // how often all were forgotten
	closed  bool
}

// fetch is a catalogue being fetched. Its result is read after done is closed.
type fetch struct {
	epoch  int
	done   chan struct{}
	result *catalogue
	err    error
}

func (l *lists) init() {
	l.known = map[string]*catalogue{}
	l.pending = map[string]*fetch{}
}

// cached returns an identity's catalogue, nil where there is none to use.
func (l *lists) cached(identity string) *catalogue {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.known[identity]
	if c == nil || time.Since(c.at) >= c.fresh {
		return nil
	}
	return c
}

// get has the catalogue of an identity fetched by ask, once for all who want
// it meanwhile, each of whom waits with a context of its own. ask gets the
// values of the first one's context, but not its end. A failure is not kept.
func (l *lists) get(ctx context.Context, identity string, ask func(context.Context) (*catalogue, error)) (*catalogue, error) {
	f, err := l.join(identity, func() (*catalogue, error) { return ask(context.WithoutCancel(ctx)) })
	if err != nil {
		return nil, err
	}
	select {
	case <-f.done:
		return f.result, f.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// join returns the running fetch of an identity, or begins one. A fetch that
// began before all were forgotten may be from before the change: it is not
// joined.
func (l *lists) join(identity string, ask func() (*catalogue, error)) (*fetch, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, ErrClosed
	}
	if f := l.pending[identity]; f != nil && f.epoch == l.epoch {
		return f, nil
	}
	f := &fetch{epoch: l.epoch, done: make(chan struct{})}
	l.pending[identity] = f
	l.work.Go(func() {
		defer close(f.done)
		f.result, f.err = ask()
		l.finish(identity, f)
	})
	return f, nil
}

// finish keeps what was fetched, unless all were forgotten meanwhile.
func (l *lists) finish(identity string, f *fetch) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.pending[identity] == f {
		delete(l.pending, identity)
	}
	if f.err != nil || f.epoch != l.epoch || f.result.fresh == 0 {
		return
	}
	if len(l.known) >= maxLists {
		l.evict()
	}
	l.known[identity] = f.result
}

// evict drops what is stale, or the oldest.
func (l *lists) evict() {
	oldest, at := "", time.Time{}
	for identity, c := range l.known {
		if time.Since(c.at) >= c.fresh {
			delete(l.known, identity)
		} else if at.IsZero() || c.at.Before(at) {
			oldest, at = identity, c.at
		}
	}
	if len(l.known) >= maxLists {
		delete(l.known, oldest)
	}
}

// forget drops every list.
func (l *lists) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.epoch++
	clear(l.known)
}

// lost drops what was listed over a session that is over; the empty identity
// stands for all.
func (l *lists) lost(identity string) {
	if identity == "" {
		l.forget()
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.known, identity)
}

// close lets no more fetches begin and waits for those that run, which end
// with the sessions.
func (l *lists) close() {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.work.Wait()
}
