package proc

import (
	"bytes"
	"io"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestStdoutIsCompleteForALateReader(t *testing.T) {
	t.Parallel()
	// As much as fits into a pipe: the child exits although nobody reads.
	p := startChild(t, patient(), "say", "60000")
	<-p.Done()
	<-p.idle // the grace for others that hold the pipe is over as well
	all, err := io.ReadAll(p.Stdout())
	require.NoError(t, err)
	assert.Len(t, all, 60_000)
}

func TestStdoutEndsWithTheChildAlthoughAnotherHoldsThePipe(t *testing.T) {
	t.Parallel()
	p := startChild(t, quick(), "holder", "stubborn")
	require.Equal(t, "ready", readLine(t, p.Stdout()))
	pid := readPID(t, p.Stdout())
	all, err := io.ReadAll(p.Stdout())
	require.NoError(t, err)
	assert.Empty(t, all)
	<-p.Done()
	code, _, exited := p.Exit()
	assert.True(t, exited)
	assert.Equal(t, 0, code)
	require.NoError(t, p.Close())
	assertGone(t, pid)
}

// orphanPipe is a stdout whose writing side is in the test's hands.
func orphanPipe(t *testing.T) (*stdout, *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	require.NoError(t, err)
	s := newStdout(r)
	t.Cleanup(func() {
		_ = w.Close()
		_ = r.Close()
	})
	return s, w
}

func TestOrphanedStdoutGivesWhatLiesInThePipe(t *testing.T) {
	t.Parallel()
	s, w := orphanPipe(t)
	_, err := w.WriteString("last words")
	require.NoError(t, err)
	s.orphan()
	all, err := io.ReadAll(s)
	require.NoError(t, err)
	assert.Equal(t, "last words", string(all))

	_, err = w.WriteString("from somebody else")
	require.NoError(t, err)
	n, err := s.Read(make([]byte, 9))
	assert.Zero(t, n)
	assert.ErrorIs(t, err, io.EOF, "an ended stream stays ended")
}

func TestOrphanedStdoutEndsAReadThatWaits(t *testing.T) {
	t.Parallel()
	s, w := orphanPipe(t)
	result := make(chan error)
	go func() {
		_, err := io.ReadFull(s, make([]byte, 4))
		result <- err
		_, err = s.Read(make([]byte, 1))
		result <- err
	}()
	_, err := w.WriteString("abc")
	require.NoError(t, err)
	s.orphan()
	assert.ErrorIs(t, <-result, io.ErrUnexpectedEOF)
	assert.ErrorIs(t, <-result, io.EOF)
}

func TestOrphanedStdoutDoesNotFollowAFlood(t *testing.T) {
	t.Parallel()
	s, w := orphanPipe(t)
	stop := make(chan struct{})
	go func() {
		defer close(stop)
		for chunk := bytes.Repeat([]byte("f"), 64<<10); ; {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	}()
	_, err := io.ReadFull(s, make([]byte, 1))
	require.NoError(t, err)
	s.orphan()
	n, err := io.Copy(io.Discard, s)
	require.NoError(t, err)
	assert.LessOrEqual(t, n, int64(maxRest))
	require.NoError(t, w.Close())
	<-stop
}

func TestAbandonEndsTheStreamAndDrains(t *testing.T) {
	t.Parallel()
	s, w := orphanPipe(t)
	result := make(chan error)
	go func() {
		_, err := s.Read(make([]byte, 1))
		result <- err
	}()
	s.abandon()
	assert.ErrorIs(t, <-result, io.EOF)
	_, err := w.Write(make([]byte, unread)) // blocks unless somebody reads
	require.NoError(t, err)
	s.close()
	_, err = s.Read(make([]byte, 1))
	assert.ErrorIs(t, err, io.EOF)
}

func TestEmptyReadTakesNothing(t *testing.T) {
	t.Parallel()
	s, _ := orphanPipe(t)
	n, err := s.Read(nil)
	assert.Zero(t, n)
	assert.NoError(t, err)
}
