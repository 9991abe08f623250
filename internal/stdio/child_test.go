package stdio_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/internal/proc"
	"github.com/mcptoolset/mcptoolset/internal/stdio"
	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// pipe is a real child's stdin. It tells of each frame it was given.
type pipe struct {
	child  *proc.Process
	frames chan *proc.Frame
}

func (p pipe) WriteFrame(message []byte) (stdio.Frame, error) {
	f, err := p.child.WriteFrame(message)
	if err != nil {
		return nil, err
	}
	if p.frames != nil {
		p.frames <- f
	}
	return f, nil
}

func (p pipe) Done() <-chan struct{} { return p.child.StdinDone() }
func (p pipe) Close() error          { return p.child.Stdin().Close() }

// child is a transport over a real process.
type child struct {
	*stdio.Transport
	process *proc.Process
	frames  chan *proc.Frame
	strays  chan string
}

func start(t testing.TB, spec proc.Spec) *child {
	t.Helper()
	process, err := proc.Start(spec)
	require.NoError(t, err)
	c := &child{process: process, frames: make(chan *proc.Frame, 100), strays: make(chan string, 100)}
	c.Transport = stdio.New(process.Stdout(), pipe{process, c.frames}, stdio.Options{OnStray: func(_, head string) { c.strays <- head }})
	require.NoError(t, c.Start(context.Background()))
	t.Cleanup(func() {
		require.NoError(t, c.Close())
		require.NoError(t, process.Close())
		<-c.Done()
	})
	return c
}

func play(t testing.TB, script mcptest.Script) (*child, *mcptest.Child) {
	t.Helper()
	c := mcptest.Run(t, script)
	return start(t, proc.Spec{Command: c.Command, Env: c.Env}), c
}

// send sends a request and returns when it was queued, with its frame.
func (c *child) send(ctx context.Context, id int64, params string) (<-chan error, *proc.Frame) {
	ended := make(chan error, 1)
	go func() {
		_, err := c.SendRequest(ctx, ask(id, "x/y", json.RawMessage(params)))
		ended <- err
	}()
	return ended, <-c.frames
}

func (c *child) kill(t testing.TB) {
	t.Helper()
	process, err := os.FindProcess(c.process.PID())
	require.NoError(t, err)
	require.NoError(t, process.Kill())
}

func isUnsent(err error) bool {
	var unsent *wire.UnsentError
	return errors.As(err, &unsent)
}

// unread is more than any pipe takes while nobody reads.
var unread = `"` + strings.Repeat("x", 8<<20) + `"`

// fill gives a child that does not read more than its pipe takes.
func (c *child) fill(t testing.TB) <-chan error {
	t.Helper()
	ended, frame := c.send(context.Background(), firstID, unread)
	require.Eventually(t, frame.Started, patience, time.Millisecond)
	return ended
}

func TestF8_AChildThatNeverReads(t *testing.T) {
	t.Parallel()
	c, _ := play(t, mcptest.Script{Deaf: true})
	first := c.fill(t)
	ctx, cancel := context.WithCancel(t.Context())
	second, frame := c.send(ctx, firstID+1, `{}`)
	cancel()
	err := <-second
	require.ErrorIs(t, err, context.Canceled)
	assert.True(t, isUnsent(err), "it lay behind the first")
	assert.True(t, frame.Withdraw())

	third, _ := c.send(t.Context(), firstID+2, `{}`)
	c.kill(t)
	err = <-first
	require.ErrorIs(t, err, transport.ErrTransportClosed)
	assert.False(t, isUnsent(err), "some of it lay in the pipe")
	err = <-third
	require.ErrorIs(t, err, transport.ErrTransportClosed)
	assert.True(t, isUnsent(err), "nothing of it ever did")
}

func TestF8_AChildThatIsGone(t *testing.T) {
	t.Parallel()
	c, _ := play(t, mcptest.Script{Exit: mcptest.Code(0)})
	<-c.process.Done()
	_, err := c.SendRequest(t.Context(), ask(firstID, "x/y", nil))
	require.ErrorIs(t, err, transport.ErrTransportClosed)
	assert.True(t, isUnsent(err))
}

func TestF8_AChildThatReadsAndDies(t *testing.T) {
	t.Parallel()
	c, seen := play(t, mcptest.Script{Rules: []mcptest.Rule{{Exit: mcptest.Code(3)}}})
	_, err := c.SendRequest(t.Context(), ask(firstID, "x/y", nil))
	require.ErrorIs(t, err, transport.ErrTransportClosed)
	assert.False(t, isUnsent(err))
	assert.Equal(t, 1, seen.Received.Count(mcptest.Method("x/y")))
}

func TestF8_AChildThatClosesItsInputAndLives(t *testing.T) {
	t.Parallel()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh here")
	}
	c := start(t, proc.Spec{Command: sh, Args: []string{"-c", "exec 0<&-; echo ready; sleep 1000"}})
	assert.Contains(t, <-c.strays, "ready")
	_, err = c.SendRequest(t.Context(), ask(firstID, "x/y", nil))
	require.ErrorIs(t, err, transport.ErrTransportClosed, "although the process lives")
	assert.True(t, isUnsent(err))
	_, _, exited := c.process.Exit()
	assert.False(t, exited)
}

func TestF8_AQueueThatIsFull(t *testing.T) {
	t.Parallel()
	c, _ := play(t, mcptest.Script{Deaf: true})
	c.fill(t)
	large := json.RawMessage(`"` + strings.Repeat("x", 60<<20) + `"`)
	_, err := c.SendRequest(t.Context(), ask(firstID+1, "x/y", large))
	require.ErrorIs(t, err, proc.ErrStdinFull)
	assert.True(t, isUnsent(err))
	require.NotErrorIs(t, err, transport.ErrTransportClosed, "it may read again")
}

func TestO58_ManyCallersOverARealPipe(t *testing.T) {
	t.Parallel()
	c, seen := play(t, mcptest.Script{})
	large := strings.Repeat("é", 20_000)
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			params := json.RawMessage(`{"name":"t","arguments":{"text":"` + large + `"}}`)
			response, err := c.SendRequest(t.Context(), ask(firstID+int64(i), "tools/call", params))
			<-c.frames
			if assert.NoError(t, err) {
				assert.Contains(t, string(response.Result), large)
			}
		})
	}
	all.Wait()
	assert.Equal(t, 50, seen.Received.Count(mcptest.CallOf("t")))
	assert.Zero(t, c.Strays())
}
