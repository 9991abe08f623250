package mcptest

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"
)

// Patience is how long a test waits for an event before it fails. Only failing
// tests wait that long.
const Patience = 30 * time.Second

// Journal is a list of events that only grows and that a test can wait on. The
// zero value is ready to use, and it is safe for concurrent use.
type Journal[T any] struct {
	mu      sync.Mutex
	events  []T
	changed chan struct{} // closed at the next Add; nil while nobody waits
	forward func(T)       // gets each event as well; set before the first Add
}

// Add appends an event.
func (j *Journal[T]) Add(event T) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.events = append(j.events, event)
	if j.changed != nil {
		close(j.changed)
		j.changed = nil
	}
	if j.forward != nil {
		j.forward(event)
	}
}

// All returns the events so far that all of match accept, in order.
func (j *Journal[T]) All(match ...func(T) bool) []T {
	found, _ := j.look(match)
	return found
}

// Count is how many events there are so far that all of match accept.
func (j *Journal[T]) Count(match ...func(T) bool) int { return len(j.All(match...)) }

// Wait returns the first event that all of match accept, past or to come. It
// fails the test when none comes.
func (j *Journal[T]) Wait(t testing.TB, match ...func(T) bool) T {
	t.Helper()
	return j.WaitN(t, 1, match...)[0]
}

// WaitN waits until n events are there that all of match accept and returns all
// such events.
func (j *Journal[T]) WaitN(t testing.TB, n int, match ...func(T) bool) []T {
	t.Helper()
	found, err := j.wait(n, match, Patience)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func (j *Journal[T]) wait(n int, match []func(T) bool, patience time.Duration) ([]T, error) {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for {
		found, changed := j.look(match)
		if len(found) >= n {
			return found, nil
		}
		select {
		case <-changed:
		case <-timer.C:
			return nil, fmt.Errorf("waited %v for %d events, %d came; all events: %+v", patience, n, len(found), j.All())
		}
	}
}

// look returns the matching events and a channel that is closed at the next Add.
func (j *Journal[T]) look(match []func(T) bool) ([]T, <-chan struct{}) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.changed == nil {
		j.changed = make(chan struct{})
	}
	var found []T
	for _, event := range j.events {
		if !slices.ContainsFunc(match, func(m func(T) bool) bool { return !m(event) }) {
			found = append(found, event)
		}
	}
	return found, j.changed
}
