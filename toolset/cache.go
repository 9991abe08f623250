package toolset

import (
	"context"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// question is what an answer is kept by: the method, what of its parameters
// decides about the answer, and who asks (MCP 2026-07-28,
// server/utilities/caching, "Cache Key").
type question struct {
	method mcp.MCPMethod
	// about is the cursor of a page, or the URI that is read.
	about string
	// whole stands for all pages of a list, read and made ready.
	whole bool
	// identity is who asks. The answer to anybody has none, and anyone is set.
	identity string
	anyone   bool
}

// ofAnyone is the question that an answer for all identities is kept by.
func (q question) ofAnyone() question {
	q.identity, q.anyone = "", true
	return q
}

// answer is what a server answered once. It does not change.
type answer struct {
	value  any
	public bool      // it is the same for all identities
	at     time.Time // when it came
	// fresh is for how long after that it may be used: 0 for not again,
	// untilChanged for as long as no notice or loss of the session ends it.
	fresh time.Duration
	// spare answers may be used later than that where the server cannot be
	// reached and the owner allows it.
	spare bool
	size  int // in bytes, as far as it counts
}

func (a *answer) isFresh() bool { return time.Since(a.at) < a.fresh }

// answerCache keeps what servers listed and gave to read, and lets one ask for all
// who want the same meanwhile.
type answerCache struct {
	stale time.Duration  // how old an answer may be that is used in need; 0: none is
	work  sync.WaitGroup // fetches

	mu      sync.Mutex
	lists   *shelf // whole lists
	raw     *shelf // single pages and reads, as sent
	pending map[question]*fetch
	stats   CacheStats
	closed  bool
}

// fetch is an answer being fetched. Its result is read after done is closed.
type fetch struct {
	question question
	waiting  int // who waits for it; guarded by the cache's lock
	stop     context.CancelFunc
	done     chan struct{}
	result   *answer
	err      error
}

func newCache(stale time.Duration) *answerCache {
	return &answerCache{
		stale: stale, pending: map[question]*fetch{},
		lists: newShelf(maxLists, maxListBytes), raw: newShelf(maxRaw, maxRawBytes),
	}
}

func (c *answerCache) shelf(q question) *shelf {
	if q.whole {
		return c.lists
	}
	return c.raw
}

// fresh returns the answer that is kept to a question; nil where there is none
// to use.
func (c *answerCache) fresh(q question) *answer {
	c.mu.Lock()
	defer c.mu.Unlock()
	a := c.find(q)
	if a != nil {
		c.stats.Hits++
	}
	return a
}

// peek is fresh for who does not use the answer as such.
func (c *answerCache) peek(q question) *answer {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.find(q)
}

// find returns a fresh answer and drops those that are of no use any more. The
// lock is held.
func (c *answerCache) find(q question) *answer {
	for _, slot := range []question{q, q.ofAnyone()} {
		a := c.shelf(q).get(slot)
		switch {
		case a == nil:
		case a.isFresh():
			return a
		case !c.serves(a):
			c.shelf(q).remove(slot)
		}
	}
	return nil
}

// get has a question answered by ask, once for all who want to know meanwhile,
// each of whom waits with a context of its own. ask gets the values of the
// first one's context, but not its end. What is not a whole list is given up
// when nobody waits any more. A failure is not kept.
//
// An answer that may not be used again belongs to who asked for it: who came
// later may know of a change it does not show, and asks on its own. Whole lists
// are for all, because those who come first come at once.
func (c *answerCache) get(ctx context.Context, q question, ask func(context.Context) (*answer, error)) (*answer, error) {
	f, joined, known, err := c.join(ctx, q, ask)
	if known != nil || err != nil {
		return known, err
	}
	select {
	case <-f.done:
	case <-ctx.Done():
		c.leave(f)
		return nil, ctx.Err()
	}
	if joined && !q.whole && f.err == nil && f.result.fresh == 0 {
		return ask(ctx)
	}
	return f.result, f.err
}

// join returns the running fetch of an answer, or begins one, unless the answer
// has come since it was looked for.
func (c *answerCache) join(ctx context.Context, q question, ask func(context.Context) (*answer, error)) (f *fetch, joined bool, known *answer, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, false, nil, ErrClosed
	}
	if known := c.find(q); known != nil {
		c.stats.Hits++
		return nil, false, known, nil
	}
	c.stats.Misses++
	if f := c.pending[q]; f != nil {
		f.waiting++
		return f, true, nil, nil
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	f = &fetch{question: q, waiting: 1, stop: stop, done: make(chan struct{})}
	c.pending[q] = f
	c.work.Go(func() {
		defer stop()
		defer close(f.done)
		f.result, f.err = ask(ctx)
		c.finish(f)
	})
	return f, false, nil, nil
}

// leave is the end of one's waiting.
func (c *answerCache) leave(f *fetch) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f.waiting--
	if f.waiting > 0 || f.question.whole {
		return
	}
	f.stop()
	if c.pending[f.question] == f {
		delete(c.pending, f.question)
	}
}

// finish keeps what was fetched, unless it was given up meanwhile: then it may
// be from before a change.
func (c *answerCache) finish(f *fetch) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pending[f.question] != f {
		return
	}
	delete(c.pending, f.question)
	if f.err == nil {
		c.keep(f.question, f.result)
	}
}

// keep puts an answer in the place of the one before. The lock is held.
func (c *answerCache) keep(q question, a *answer) {
	shelf := c.shelf(q)
	shelf.remove(q)
	shelf.remove(q.ofAnyone())
	if a.public {
		q = q.ofAnyone()
	}
	if a.fresh > 0 || c.serves(a) {
		shelf.put(q, a)
	}
}

// close lets no more fetches begin and waits for those that run, which end
// with the sessions, within patience.
func (c *answerCache) close() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	wire.Rested(&c.work, patience)
}
