package oauth

import (
	"errors"
	"fmt"
	"time"
)

// rest is the time in which no user is asked again, and why.
type rest struct {
	until time.Time
	after *Error
}

// resting is the error of a request that would have a user asked during a
// rest.
type resting struct {
	left  time.Duration
	after error
}

func (r *resting) Error() string {
	return fmt.Sprintf("%v (the user is not asked again for another %v)", r.after, r.left)
}

func (r *resting) Unwrap() error { return r.after }

// isResting reports whether err comes from a rest.
func isResting(err error) bool {
	var r *resting
	return errors.As(err, &r)
}

// beginRest has no user asked for a while after err.
func (t *Transport) beginRest(err error) {
	var failed *Error
	if t.config.AuthorizationCode == nil || !errors.As(err, &failed) {
		return
	}
	t.mu.Lock()
	t.rest = rest{time.Now().Add(t.config.UserRest), failed}
	t.mu.Unlock()
	t.config.Logger.Info("oauth: no user is asked for a while", "rest", t.config.UserRest, "error", err)
}

func (t *Transport) endRest() {
	t.mu.Lock()
	t.rest = rest{}
	t.mu.Unlock()
}

// rested is nil where a user may be asked.
func (t *Transport) rested() error {
	t.mu.Lock()
	r := t.rest
	t.mu.Unlock()
	left := time.Until(r.until)
	if r.after == nil || left <= 0 {
		return nil
	}
	return &Error{Step: r.after.Step, Code: r.after.Code, Err: &resting{roughly(left), r.after.Err}}
}

// roughly is d in whole minutes or, below one, whole seconds, rounded up.
func roughly(d time.Duration) time.Duration {
	unit := time.Minute
	if d <= time.Minute {
		unit = time.Second
	}
	return (d + unit - 1).Truncate(unit)
}
