package proc

import (
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// maxRest bounds what is read of stdout after the child has exited and its
// grace is over: as much as a pipe can hold. More would be the output of a
// process left behind, which could go on for ever.
const maxRest = 1 << 20

// stdout reads the child's stdout and knows two more ends than the pipe does:
// the exit of the child while another process holds the pipe, and Close.
type stdout struct {
	file *os.File

	reading  sync.Mutex // held by whoever reads the file
	rest     int        // bytes that may still be read once orphaned; guarded by reading
	orphaned atomic.Bool
	unwanted chan struct{} // closed by abandon
	drained  chan struct{} // closed when nobody will read the file any more, after abandon
}

func newStdout(file *os.File) *stdout {
	return &stdout{file: file, rest: maxRest, unwanted: make(chan struct{}), drained: make(chan struct{})}
}

// Read implements io.Reader.
func (s *stdout) Read(p []byte) (int, error) {
	s.reading.Lock()
	defer s.reading.Unlock()
	if s.abandoned() {
		return 0, io.EOF
	}
	if len(p) == 0 {
		return 0, nil
	}
	if s.orphaned.Load() {
		return s.readRest(p)
	}
	n, err := s.file.Read(p)
	switch {
	case s.abandoned():
		return 0, io.EOF
	case n > 0:
		return n, nil
	case errors.Is(err, os.ErrDeadlineExceeded) && s.orphaned.Load():
		return s.readRest(p)
	case errors.Is(err, os.ErrClosed):
		return 0, io.EOF
	default:
		return 0, err
	}
}

// readRest reads what already lies in the pipe, without waiting.
func (s *stdout) readRest(p []byte) (int, error) {
	if s.rest == 0 {
		return 0, io.EOF
	}
	n := readNow(s.file, p[:min(len(p), s.rest)])
	s.rest -= n
	if n == 0 {
		s.rest = 0
		return 0, io.EOF
	}
	return n, nil
}

// orphan makes Read stop waiting for more: the child has exited, and what it
// wrote lies in the pipe.
func (s *stdout) orphan() {
	s.orphaned.Store(true)
	s.interrupt()
}

// abandon ends the stream for its reader and throws away what still comes, so
// that a child with much to say can say it and exit. It is called once.
func (s *stdout) abandon() {
	close(s.unwanted)
	s.interrupt()
	go func() {
		defer close(s.drained)
		s.takeOver()
		_, _ = io.Copy(io.Discard, s.file)
	}()
}

// takeOver waits until the interrupted reader is gone; none will come again.
func (s *stdout) takeOver() {
	s.reading.Lock()
	defer s.reading.Unlock()
	if !s.orphaned.Load() {
		_ = s.file.SetReadDeadline(time.Time{})
	}
}

func (s *stdout) abandoned() bool {
	select {
	case <-s.unwanted:
		return true
	default:
		return false
	}
}

// interrupt makes a Read that waits return. Where pipes have no deadlines
// (Windows) it has no effect: there the end of the job ends the Read.
func (s *stdout) interrupt() { _ = s.file.SetReadDeadline(time.Unix(1, 0)) }

// close ends the draining that abandon began.
func (s *stdout) close() {
	_ = s.file.Close()
	<-s.drained
}
