package session

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/mcptoolset/mcptoolset/internal/httpx"
)

const (
	// firstPause is that between a failed attempt to connect and the next;
	// the pauses after it grow, with some chance in each.
	firstPause = 100 * time.Millisecond
	// longestPause bounds them, and so does a quarter of the connect limit: a
	// caller waits for the pause too.
	longestPause = 10 * time.Second
)

// restraint keeps a server that cannot be reached from being asked at every
// use. Its zero value asks at once.
type restraint struct {
	pauses *backoff.ExponentialBackOff // nil when the last attempt did not fail
	until  time.Time
}

// failed notes a failed attempt, of those that count.
func (r *restraint) failed(err error, limit time.Duration) {
	if unreachable(err) {
		r.pause(limit)
	}
}

// pause has the next attempt wait longer than the last one.
func (r *restraint) pause(limit time.Duration) {
	if r.pauses == nil {
		r.pauses = backoff.NewExponentialBackOff()
		r.pauses.MaxInterval = min(longestPause, limit/4)
		r.pauses.InitialInterval = min(firstPause, r.pauses.MaxInterval)
	}
	r.until = time.Now().Add(r.pauses.NextBackOff())
}

// unreachable tells a server that is not there, or not well, from one that
// refuses a caller, who may have other headers the next time.
func unreachable(err error) bool {
	var refusal *httpx.StatusError
	return !errors.As(err, &refusal) || refusal.Status >= 500 || refusal.Status == http.StatusTooManyRequests
}

// pause waits until a time, or until ctx ends.
func pause(ctx context.Context, until time.Time) error {
	left := time.Until(until)
	if left <= 0 {
		return nil
	}
	timer := time.NewTimer(left)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
