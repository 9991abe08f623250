//go:build unix

package proc

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Where pipes have no deadlines, which is Windows, a read ends with the job that
// holds the pipe; there these tests would wait for ever.

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

func TestStderrOfAPipeThatAnotherHolds(t *testing.T) {
	t.Parallel()
	s, w := stderrPipe(t, nil)
	write := func(text string) {
		_, err := w.WriteString(text)
		require.NoError(t, err)
	}
	write("last words\n")
	s.catchUp()
	assert.Equal(t, "last words", s.text())
	write(strings.Repeat("from another\n", 100_000)) // more than a pipe holds
	s.catchUp()
	assert.Contains(t, s.text(), "from another", "it is drained all the same")
	write("the end\n")
	s.close()
	assert.Contains(t, s.text(), "the end")
	s.catchUp() // nothing to wait for any more
}
