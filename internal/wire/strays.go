package wire

import (
	"sync"
	"sync/atomic"
	"time"
)

// strays are goroutines of a connection that may outlive who started them. A
// sync.WaitGroup will not do: they are started while Close waits.
type strays struct {
	mu     sync.Mutex
	count  int
	closed bool
	none   chan struct{} // closed when the last one ends after close

	rested  chan func() // work for those that rest
	resting atomic.Int64
	over    chan struct{} // closed by close
}

func newStrays() *strays {
	return &strays{none: make(chan struct{}), rested: make(chan func()), over: make(chan struct{})}
}

// maxResting bounds the goroutines that wait for more work: they have the stack
// that it takes.
const maxResting = 16

// run has a goroutine run f, or reports false after close.
func (s *strays) run(f func()) bool {
	if !s.enter() {
		return false
	}
	select {
	case s.rested <- f:
	default:
		go s.work(f)
	}
	return true
}

func (s *strays) work(f func()) {
	for more := true; more; f, more = s.rest() {
		s.do(f)
	}
}

// do counts f out however it ends: the owner's code below it may end the
// goroutine.
func (s *strays) do(f func()) {
	defer s.ended()
	f()
}

// rest waits for more work. It reports false where enough wait, and after close.
func (s *strays) rest() (f func(), more bool) {
	defer s.resting.Add(-1)
	if s.resting.Add(1) > maxResting {
		return nil, false
	}
	select {
	case f = <-s.rested:
		return f, true
	case <-s.over:
		return nil, false
	}
}

// enter counts the calling goroutine in until ended, or reports false after
// close.
func (s *strays) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.count++
	return true
}

func (s *strays) ended() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count--
	s.settle()
}

// close lets no more start. The channel is closed when all have ended.
func (s *strays) close() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.closed = true
		close(s.over)
		s.settle()
	}
	return s.none
}

// Rested waits until all of work has ended, though not for longer than
// patience, and reports whether it has.
func Rested(work *sync.WaitGroup, patience time.Duration) bool {
	done := make(chan struct{})
	go func() {
		work.Wait()
		close(done)
	}()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}

// settle is called with the lock held.
func (s *strays) settle() {
	if s.closed && s.count == 0 {
		close(s.none)
	}
}
