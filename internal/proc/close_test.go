package proc

import (
	"fmt"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	waitLong = 30 * time.Second // only failing tests live to see it
	tick     = time.Millisecond
)

func TestO63_CloseEndsAWellBehavedChildAtOnce(t *testing.T) {
	t.Parallel()
	p := startChild(t, patient(), "echo")
	require.NoError(t, p.Close())
	code, signal, exited := p.Exit()
	assert.True(t, exited)
	assert.Equal(t, 0, code, "it exited by itself")
	assert.Empty(t, signal)
	require.NoError(t, p.Close(), "once more")
	_, err := p.WriteFrame([]byte("x"))
	assert.Error(t, err)
	_, err = p.Stdin().Write([]byte("x"))
	assert.Error(t, err)
	require.NoError(t, p.Stdin().Close())
	_, err = p.Stdout().Read(make([]byte, 1))
	assert.ErrorIs(t, err, io.EOF)
	assertGone(t, p.PID())
}

func TestCloseIsOneForAllCallers(t *testing.T) {
	t.Parallel()
	p := startChild(t, quick(), "stubborn")
	require.Equal(t, "ready", readLine(t, p.Stdout()))
	var group sync.WaitGroup
	for range 10 {
		group.Go(func() {
			assert.NoError(t, p.Close())
			_, _, exited := p.Exit()
			assert.True(t, exited, "each waits for the end")
		})
	}
	group.Wait()
	assertGone(t, p.PID())
}

func TestO61_CloseDuringABlockedWrite(t *testing.T) {
	t.Parallel()
	p := startChild(t, quick(), "deaf")
	require.Equal(t, "ready", readLine(t, p.Stdout()))
	first, err := p.WriteFrame(make([]byte, unread))
	require.NoError(t, err)
	require.Eventually(t, first.Started, waitLong, tick)
	second, err := p.WriteFrame([]byte("second"))
	require.NoError(t, err)
	require.NoError(t, p.Close())
	assert.True(t, second.Withdraw(), "it provably did not reach the child")
	assertGone(t, p.PID())
}

func TestCloseWhileStdoutIsRead(t *testing.T) {
	t.Parallel()
	p := startChild(t, patient(), "echo")
	result := make(chan error)
	go func() {
		_, err := p.Stdout().Read(make([]byte, 1))
		result <- err
	}()
	require.NoError(t, p.Close())
	assert.ErrorIs(t, <-result, io.EOF)
}

func TestCloseLetsAChildSayAllItHasToSay(t *testing.T) {
	t.Parallel()
	// More than a pipe holds: without somebody who reads it could not exit.
	p := startChild(t, patient(), "say", "4000000")
	require.NoError(t, p.Close())
	code, signal, _ := p.Exit()
	assert.Equal(t, 0, code)
	assert.Empty(t, signal)
}

func TestCloseWritesWhatIsQueued(t *testing.T) {
	t.Parallel()
	s := childSpec(t, "stderrecho")
	p := startSpec(t, patient(), s)
	for i := range 50 {
		_, err := p.WriteFrame(fmt.Appendf(nil, "%d ", i))
		require.NoError(t, err)
	}
	require.NoError(t, p.Close())
	assert.Contains(t, p.Stderr(), "48 49")
}

func TestCloseDoesNotWaitForACallbackThatNeverReturns(t *testing.T) {
	t.Parallel()
	l := patient()
	l.lineGrace = time.Millisecond
	release := make(chan struct{})
	s := childSpec(t, "exit", "0", "line\n", "")
	s.StderrLine = func(string) { <-release }
	p, err := start(s, l)
	require.NoError(t, err)
	<-p.Done()
	require.NoError(t, p.Close())
	close(release)
	<-p.errs.lines.drained
}

func TestClosePassesLastLinesToTheCallback(t *testing.T) {
	t.Parallel()
	var got []string
	s := childSpec(t, "exit", "0", "one\ntwo", "")
	s.StderrLine = func(line string) { got = append(got, line) }
	p := startSpec(t, patient(), s)
	require.NoError(t, p.Close())
	assert.Equal(t, []string{"one", "two"}, got)
}
