package proc

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// unread is a frame no pipe takes whole while nobody reads.
const unread = 4 << 20

// newQueue is a stdin whose reading side is in the test's hands.
func newQueue(t *testing.T, limit int) (*stdin, *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	require.NoError(t, err)
	s := newStdin(w, limit)
	t.Cleanup(func() {
		s.abort(ErrClosed)
		<-s.finished
		_ = r.Close()
	})
	return s, r
}

// block queues a frame and waits until its writing has begun.
func block(t *testing.T, s *stdin, r io.Reader, size int) *Frame {
	t.Helper()
	f, err := s.writeFrame(bytes.Repeat([]byte("b"), size))
	require.NoError(t, err)
	_, err = io.ReadFull(r, make([]byte, 1))
	require.NoError(t, err)
	require.True(t, f.Started())
	return f
}

func TestMS7_WritesDoNotWaitForTheReader(t *testing.T) {
	t.Parallel()
	s, r := newQueue(t, defaultLimits.stdinBytes)
	first := block(t, s, r, unread)

	var frames []*Frame
	for i := range 100 {
		f, err := s.writeFrame(fmt.Appendf(nil, "frame %d\n", i))
		require.NoError(t, err)
		frames = append(frames, f)
	}
	assert.False(t, first.Withdraw(), "the reader has some of it")
	assert.False(t, first.Written(), "but not all")
	for _, f := range frames {
		assert.False(t, f.Started())
	}
	assert.True(t, frames[7].Withdraw())
	assert.True(t, frames[7].Withdraw(), "asking again says the same")

	require.NoError(t, s.Close())
	all, err := io.ReadAll(r)
	require.NoError(t, err)
	want := bytes.Repeat([]byte("b"), unread-1)
	for i := range frames {
		if i != 7 {
			want = fmt.Appendf(want, "frame %d\n", i)
		}
	}
	assert.True(t, bytes.Equal(want, all), "in order, whole, without the withdrawn one")
	<-s.finished
	assert.True(t, frames[8].Started())
	assert.True(t, frames[8].Written())
	assert.False(t, frames[7].Written())
	assert.False(t, frames[8].Withdraw(), "it was written")
	assert.False(t, frames[7].Started())
}

func TestWriteCopiesWhatItIsGiven(t *testing.T) {
	t.Parallel()
	s, r := newQueue(t, unread)
	block(t, s, r, 1<<20)
	p := []byte("mine")
	n, err := s.Write(p)
	require.NoError(t, err)
	assert.Equal(t, 4, n)
	copy(p, "XXXX")
	require.NoError(t, s.Close())
	all, err := io.ReadAll(r)
	require.NoError(t, err)
	assert.Equal(t, "mine", string(all[1<<20-1:]))
}

func TestQueueIsBounded(t *testing.T) {
	t.Parallel()
	s, r := newQueue(t, 10)
	block(t, s, r, unread) // larger than the bound, but alone
	_, err := s.writeFrame([]byte("x"))
	require.ErrorIs(t, err, ErrStdinFull)
	_, err = io.ReadFull(r, make([]byte, unread-1))
	require.NoError(t, err)

	// The queue is empty once the reader has the last byte, or a moment later.
	require.Eventually(t, func() bool { _, err = s.writeFrame([]byte("y")); return err == nil }, waitLong, tick)
	_, err = io.ReadFull(r, make([]byte, 1))
	require.NoError(t, err)
}

func TestWithdrawMakesRoom(t *testing.T) {
	t.Parallel()
	s, r := newQueue(t, unread+10)
	block(t, s, r, unread)
	s.mu.Lock()
	s.limit = s.waiting + 10 // of the first frame the pipe holds a part
	s.mu.Unlock()
	f, err := s.writeFrame(make([]byte, 10))
	require.NoError(t, err)
	_, err = s.writeFrame([]byte("x"))
	require.ErrorIs(t, err, ErrStdinFull)
	require.True(t, f.Withdraw())
	_, err = s.writeFrame([]byte("x"))
	require.NoError(t, err)
}

func TestAbortDropsWhatWaits(t *testing.T) {
	t.Parallel()
	s, r := newQueue(t, 2*unread)
	first := block(t, s, r, unread)
	second, err := s.writeFrame([]byte("second"))
	require.NoError(t, err)

	s.abort(ErrExited)
	<-s.finished
	assert.True(t, second.Withdraw(), "it was never written")
	assert.False(t, second.Started())
	assert.False(t, first.Withdraw())
	_, err = s.writeFrame([]byte("x"))
	assert.ErrorIs(t, err, ErrExited)
	s.abort(ErrClosed)
	_, err = s.writeFrame([]byte("x"))
	assert.ErrorIs(t, err, ErrExited, "the first reason stays")
}

func TestF7_ReaderThatIsGone(t *testing.T) {
	t.Parallel()
	s, r := newQueue(t, unread)
	require.NoError(t, r.Close())
	f, err := s.writeFrame([]byte("x"))
	require.NoError(t, err)
	<-s.finished
	if runtime.GOOS != "windows" { // where nobody can tell
		assert.False(t, f.Started(), "not a byte was written")
		assert.True(t, f.Withdraw())
	}
	_, err = s.writeFrame([]byte("x"))
	assert.ErrorIs(t, err, ErrExited)
}

func TestReaderThatLeavesInTheMiddle(t *testing.T) {
	t.Parallel()
	s, r := newQueue(t, 2*unread)
	first := block(t, s, r, unread)
	second, err := s.writeFrame([]byte("second"))
	require.NoError(t, err)
	require.NoError(t, r.Close())
	<-s.finished
	assert.False(t, first.Withdraw(), "it may have been read")
	assert.True(t, first.Started())
	assert.False(t, first.Written(), "in part only")
	assert.True(t, second.Withdraw())
}

func TestCloseOfStdinIsFinal(t *testing.T) {
	t.Parallel()
	s, r := newQueue(t, unread)
	require.NoError(t, s.Close())
	require.NoError(t, s.Close())
	_, err := s.Write([]byte("x"))
	require.ErrorIs(t, err, ErrClosed)
	all, err := io.ReadAll(r)
	require.NoError(t, err)
	assert.Empty(t, all)
}

func TestO58_FramesOfManyWritersStayWhole(t *testing.T) {
	t.Parallel()
	const writers, each, size = 20, 20, 20_000
	s, r := newQueue(t, defaultLimits.stdinBytes)
	var group sync.WaitGroup
	for i := range writers {
		group.Go(func() {
			for range each {
				_, err := s.writeFrame(append(bytes.Repeat([]byte{byte('a' + i)}, size), '\n'))
				assert.NoError(t, err)
			}
		})
	}
	go func() { group.Wait(); _ = s.Close() }()
	all, err := io.ReadAll(r)
	require.NoError(t, err)
	frames := bytes.Split(bytes.TrimSuffix(all, []byte("\n")), []byte("\n"))
	require.Len(t, frames, writers*each)
	for _, f := range frames {
		require.True(t, bytes.Equal(f, bytes.Repeat(f[:1], size)))
	}
}

func TestWithdrawRacesWithWriting(t *testing.T) {
	t.Parallel()
	s, r := newQueue(t, unread)
	const n = 2000
	withdrawn := make(chan int)
	go func() {
		count := 0
		for range n {
			f, err := s.writeFrame([]byte("x"))
			assert.NoError(t, err)
			if f.Withdraw() {
				count++
			}
		}
		_ = s.Close()
		withdrawn <- count
	}()
	all, err := io.ReadAll(r)
	require.NoError(t, err)
	assert.Equal(t, n, len(all)+<-withdrawn, "a frame is either written or withdrawn")
}

// TestF8_TornFrameIsNotTakenBack has the pipe take the begin of a frame, so that
// the rest may not be given up as never sent.
func TestF8_TornFrameIsNotTakenBack(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("pipes cannot be asked how much room they have")
	}
	s, _ := newQueue(t, 2*unread)
	f, err := s.writeFrame(make([]byte, unread))
	require.NoError(t, err)
	assert.True(t, f.Started())
	assert.False(t, f.Withdraw())
	s.abort(ErrExited)
	<-s.finished
	assert.False(t, f.Withdraw(), "a part of it was sent")
	assert.False(t, f.Written())
}

// TestFrameThatFitsIsWrittenAtOnce is what keeps a call from waiting for another
// goroutine to wake up.
func TestFrameThatFitsIsWrittenAtOnce(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("pipes cannot be asked how much room they have")
	}
	s, r := newQueue(t, unread)
	f, err := s.writeFrame([]byte("whole\n"))
	require.NoError(t, err)
	assert.True(t, f.Written())
	got := make([]byte, 6)
	_, err = io.ReadFull(r, got)
	require.NoError(t, err)
	assert.Equal(t, "whole\n", string(got))
}
