package wire

import (
	"context"
	"time"
)

// Extendable is [Limit] for a limit that begins anew with each extend, though
// never so that all of it lasts longer than most. extend may be called
// concurrently, and after the end.
func Extendable(ctx context.Context, name string, limit, most time.Duration) (bounded context.Context, extend func(), done context.CancelFunc) {
	if limit <= 0 {
		bounded, done = context.WithCancel(ctx)
		return bounded, func() {}, done
	}
	bounded, end := context.WithCancelCause(ctx)
	last := time.Now().Add(most)
	timer := time.AfterFunc(limit, func() { end(&LimitError{Name: name, Limit: limit}) })
	extend = func() {
		if bounded.Err() == nil {
			timer.Reset(min(limit, time.Until(last)))
		}
	}
	return bounded, extend, func() {
		timer.Stop()
		end(context.Canceled)
	}
}
