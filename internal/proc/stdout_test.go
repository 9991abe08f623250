package proc

import (
	"io"
	"os"
	"runtime"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestStdoutIsCompleteForALateReader(t *testing.T) {
	t.Parallel()
	// As much as fits into a pipe: the child exits although nobody reads.
	size := 60_000
	if runtime.GOOS == "windows" {
		size = 4_000
	}
	p := startChild(t, patient(), "say", strconv.Itoa(size))
	<-p.Done()
	<-p.idle // the grace for others that hold the pipe is over as well
	all, err := io.ReadAll(p.Stdout())
	require.NoError(t, err)
	assert.Len(t, all, size)
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

func TestEmptyReadTakesNothing(t *testing.T) {
	t.Parallel()
	s, _ := orphanPipe(t)
	n, err := s.Read(nil)
	assert.Zero(t, n)
	assert.NoError(t, err)
}
