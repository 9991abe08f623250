package wire

import (
	"context"
	"sync"
	"time"
)

// Clock is the time that a call has. It may be used concurrently.
type Clock struct {
	bounded context.Context
	end     context.CancelCauseFunc
	cause   *LimitError

	mu    sync.Mutex
	timer *time.Timer
	due   time.Time     // when the timer fires
	last  time.Time     // no notice of progress moves the end beyond it
	still int           // who has stopped it
	since time.Time     // from when on it stands still
	left  time.Duration // for which it may still stand still
}

type clockKey struct{}

// Timed returns ctx bounded by a limit that a Clock moves: Extend begins it
// anew, as long as the whole does not take longer than most, and Stop has it
// stand still, for standing in all. A limit of zero or less is none. [Cause]
// tells the limit's end from others.
func Timed(ctx context.Context, name string, limit, most, standing time.Duration) (context.Context, *Clock) {
	c := &Clock{cause: &LimitError{Name: name, Limit: limit}, left: standing}
	c.bounded, c.end = context.WithCancelCause(ctx)
	if limit > 0 {
		now := time.Now()
		c.due, c.last = now.Add(limit), now.Add(most)
		c.timer = time.AfterFunc(limit, func() { c.end(c.cause) })
	}
	return context.WithValue(c.bounded, clockKey{}, c), c
}

// ClockOf is the clock of the call that ctx belongs to, or nil.
func ClockOf(ctx context.Context) *Clock {
	c, _ := ctx.Value(clockKey{}).(*Clock)
	return c
}

// Done ends the time.
func (c *Clock) Done() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.timer != nil {
		c.timer.Stop()
	}
	c.end(context.Canceled)
}

// Extend begins the limit anew.
func (c *Clock) Extend() {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	if c.timer == nil || c.bounded.Err() != nil {
		return
	}
	if c.still > 0 {
		now = c.since // it goes on from there
	}
	if c.due = now.Add(c.cause.Limit); c.due.After(c.last) {
		c.due = c.last
	}
	if c.still == 0 {
		c.timer.Reset(time.Until(c.due))
	}
}

// Stop has the clock stand still until the returned function is called, which
// may be called once. left is for how long it may: zero or less where that is
// used up, and the clock goes on.
func (c *Clock) Stop() (left time.Duration, goOn func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.still == 0 {
		c.since = time.Now()
	}
	left = c.left - time.Since(c.since)
	if left <= 0 {
		return left, func() {}
	}
	if c.still == 0 && c.timer != nil {
		c.timer.Stop()
	}
	c.still++
	return left, c.start
}

// start lets the clock go on when nobody stops it any more.
func (c *Clock) start() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.still--; c.still > 0 {
		return
	}
	stood := time.Since(c.since)
	c.left -= stood
	if c.timer == nil || c.bounded.Err() != nil {
		return
	}
	c.due, c.last = c.due.Add(stood), c.last.Add(stood)
	c.timer.Reset(time.Until(c.due))
}
