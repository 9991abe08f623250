package wire

import "sync"

// strays are goroutines of a connection that may outlive who started them. A
// sync.WaitGroup will not do: they are started while Close waits.
type strays struct {
	mu     sync.Mutex
	count  int
	closed bool
	none   chan struct{} // closed when the last one ends after close
}

func newStrays() *strays { return &strays{none: make(chan struct{})} }

// run starts f, or reports false after close.
func (s *strays) run(f func()) bool {
	if !s.enter() {
		return false
	}
	go func() {
		defer s.ended()
		f()
	}()
	return true
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
		s.settle()
	}
	return s.none
}

// settle is called with the lock held.
func (s *strays) settle() {
	if s.closed && s.count == 0 {
		close(s.none)
	}
}
