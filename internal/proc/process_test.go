package proc

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEchoAndOrderlyEnd(t *testing.T) {
	t.Parallel()
	p := startChild(t, patient(), "echo")

	_, err := p.Stdin().Write([]byte("one\n"))
	require.NoError(t, err)
	assert.Equal(t, "one", readLine(t, p.Stdout()))
	assert.Nil(t, p.Err())
	_, _, exited := p.Exit()
	assert.False(t, exited)

	_, err = p.WriteFrame([]byte("two\n"))
	require.NoError(t, err)
	require.NoError(t, p.Stdin().Close())
	rest, err := io.ReadAll(p.Stdout())
	require.NoError(t, err)
	assert.Equal(t, "two\n", string(rest), "what was queued before the end is written")

	<-p.Done()
	code, signal, exited := p.Exit()
	assert.True(t, exited)
	assert.Equal(t, 0, code)
	assert.Empty(t, signal)
	require.NoError(t, p.Close())
}

func TestB10_O70_ExitCodeAndLastWords(t *testing.T) {
	t.Parallel()
	p := startChild(t, patient(), "exit", "3", "missing API_TOKEN\n", "")
	<-p.Done()

	code, signal, exited := p.Exit()
	assert.True(t, exited)
	assert.Equal(t, 3, code)
	assert.Empty(t, signal)
	assert.Equal(t, "missing API_TOKEN", p.Stderr(), "complete when Done is closed")

	var exit *ExitError
	require.True(t, errors.As(p.Err(), &exit))
	assert.Equal(t, 3, exit.Code)
	assert.Contains(t, exit.Error(), "exited with code 3, stderr: missing API_TOKEN")
	assert.Contains(t, p.String(), "exited with code 3")

	_, err := p.WriteFrame([]byte("x"))
	assert.ErrorIs(t, err, ErrExited)
	_, err = p.Stdout().Read(make([]byte, 1))
	assert.ErrorIs(t, err, io.EOF)
}

func TestO69_StderrFloodStallsNothing(t *testing.T) {
	t.Parallel()
	p := startChild(t, patient(), "flood", "4000000")
	_, err := p.Stdin().Write([]byte("hello\n"))
	require.NoError(t, err)
	assert.Equal(t, "hello", readLine(t, p.Stdout()))
	require.NoError(t, p.Close())

	tail := p.Stderr()
	assert.LessOrEqual(t, len(tail), tailShown)
	for _, line := range strings.Split(tail, "\n") {
		assert.Len(t, line, 99, "whole lines")
	}
}

func TestO68_LongAnswerLine(t *testing.T) {
	t.Parallel()
	p := startChild(t, patient(), "echo")
	frame := strings.Repeat("x", 5<<20) + "\n"
	_, err := p.Stdin().Write([]byte(frame))
	require.NoError(t, err)
	got := make([]byte, len(frame))
	_, err = io.ReadFull(p.Stdout(), got)
	require.NoError(t, err)
	assert.True(t, string(got) == frame)
}

func TestO89_LastWordsOfAChildThatNeverAnswers(t *testing.T) {
	t.Parallel()
	said := make(chan string, 1)
	s := childSpec(t, "deaf")
	s.StderrLine = func(line string) { said <- line }
	p := startSpec(t, quick(), s)
	assert.Equal(t, "ready", <-said)
	assert.Equal(t, "ready", p.Stderr(), "while it runs")
	assert.NoError(t, p.Err())
	assert.Contains(t, p.String(), "is running")
}
