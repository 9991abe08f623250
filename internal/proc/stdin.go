package proc

import (
	"bytes"
	"os"
	"runtime"
	"sync"
)

// stdin takes frames for a child that need not read them. What the pipe has room
// for is written at once; the rest is queued, and one goroutine writes it, so
// that a child that does not read never blocks a caller.
type stdin struct {
	file  *os.File
	limit int // bytes that may wait

	mu       sync.Mutex
	changed  sync.Cond // a frame was queued or end was set
	queue    []*Frame
	waiting  int           // bytes in the queue and of the frame being written
	end      error         // why nothing more is accepted; nil while open
	finished chan struct{} // closed when the writing goroutine is gone
}

func newStdin(file *os.File, limit int) *stdin {
	s := &stdin{file: file, limit: limit, finished: make(chan struct{})}
	s.changed.L = &s.mu
	go s.run()
	return s
}

// frameState is where a frame is on its way.
type frameState int

const (
	frameQueued  frameState = iota
	frameStarted            // at least its first byte may have reached the child
	frameWritten            // all of it was written
	frameDropped            // it has not and will not
)

// Frame is one message handed to the child's stdin. Its methods are safe for
// concurrent use.
type Frame struct {
	in    *stdin
	data  []byte     // what is left to write
	state frameState // guarded by in.mu
	torn  bool       // a part of it was written before it was queued
}

// Started reports whether writing the frame has begun: the child may have
// received it, in whole or in part.
func (f *Frame) Started() bool {
	f.in.mu.Lock()
	defer f.in.mu.Unlock()
	return f.state == frameStarted || f.state == frameWritten
}

// Written reports whether all of the frame was written. Between Started and
// that it is being written, or the child stopped reading in the middle.
func (f *Frame) Written() bool {
	f.in.mu.Lock()
	defer f.in.mu.Unlock()
	return f.state == frameWritten
}

// Withdraw takes the frame back and reports whether that was in time: true means
// that the child has not received a single byte of it and never will, also
// because it was dropped when the child exited or stdin was closed. It may be
// called repeatedly.
func (f *Frame) Withdraw() bool {
	f.in.mu.Lock()
	defer f.in.mu.Unlock()
	if f.state == frameQueued {
		f.in.remove(f)
	}
	return f.state == frameDropped
}

// writeFrame writes p as far as the pipe has room for it and queues a copy of
// the rest.
func (s *stdin) writeFrame(p []byte) (*Frame, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.end != nil {
		return nil, s.end
	}
	// A frame larger than the limit still passes when it is alone: refused it
	// could never be sent at all.
	if s.waiting > 0 && len(p) > s.limit-s.waiting {
		return nil, ErrStdinFull
	}
	f := &Frame{in: s}
	if s.waiting == 0 {
		p = f.begin(p)
	}
	if f.state == frameWritten {
		return f, nil
	}
	f.data = bytes.Clone(p)
	s.queue = append(s.queue, f)
	s.waiting += len(p)
	s.changed.Signal()
	return f, nil
}

// begin writes what the pipe has room for, while nobody else writes, and returns
// the rest. An error shows again when that is written. Callers hold in.mu.
func (f *Frame) begin(p []byte) []byte {
	n := writeNow(f.in.file, p)
	switch {
	case n == len(p):
		f.state = frameWritten
	case n > 0:
		f.state, f.torn = frameStarted, true
	}
	return p[n:]
}

// Write queues p as one frame. It implements io.Writer.
func (s *stdin) Write(p []byte) (int, error) {
	if _, err := s.writeFrame(p); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Close accepts no more frames. The child sees the end of its stdin once those
// queued are written. It does not wait for that.
func (s *stdin) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.finish(ErrClosed)
	return nil
}

// abort closes the pipe at once: a write at work ends and queued frames are
// dropped.
func (s *stdin) abort(reason error) {
	s.mu.Lock()
	s.finish(reason)
	s.dropAll()
	s.mu.Unlock()
	_ = s.file.Close()
}

// finish sets why no more frames are accepted. The first reason stays. Callers hold mu.
func (s *stdin) finish(reason error) {
	if s.end == nil {
		s.end = reason
	}
	s.changed.Signal()
}

// remove takes a queued frame out of the queue. Callers hold mu.
func (s *stdin) remove(f *Frame) {
	for i, g := range s.queue {
		if g == f {
			s.queue = append(s.queue[:i:i], s.queue[i+1:]...)
			s.drop(f)
			return
		}
	}
}

func (s *stdin) drop(f *Frame) {
	if !f.torn {
		f.state = frameDropped
	}
	s.waiting -= len(f.data)
	f.data = nil
}

func (s *stdin) dropAll() {
	for _, f := range s.queue {
		s.drop(f)
	}
	s.queue = nil
}

// run writes frame after frame until stdin ends.
func (s *stdin) run() {
	defer close(s.finished)
	defer s.file.Close()
	for {
		f := s.next()
		if f == nil {
			return
		}
		n, err := s.file.Write(f.data)
		s.settle(f, n, err)
	}
}

// next waits for a frame and marks it as started; nil means that there will be
// no more.
func (s *stdin) next() *Frame {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.queue) == 0 {
		if s.end != nil {
			return nil
		}
		s.changed.Wait()
	}
	f := s.queue[0]
	s.queue[0] = nil
	s.queue = s.queue[1:]
	f.state = frameStarted
	return f
}

// settle notes how the writing of a frame went. After a failed write the stream
// is of no use: the next frame would be glued to the torn one.
func (s *stdin) settle(f *Frame, written int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting -= len(f.data)
	if err == nil {
		f.state = frameWritten
	}
	// Windows says 0 as well when a write was broken off in the middle.
	if err != nil && written == 0 && !f.torn && runtime.GOOS != "windows" {
		f.state = frameDropped
	}
	f.data = nil
	if err != nil {
		s.finish(ErrExited)
		s.dropAll()
	}
}
