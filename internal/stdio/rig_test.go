package stdio_test

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/internal/proc"
	"github.com/mcptoolset/mcptoolset/internal/stdio"
)

// patience is for a test that has failed already.
const patience = time.Minute

// firstID is an id of the kind the wire room gives.
const firstID = int64(1)<<30 + 1

// rig is a transport whose child is played by the test, over a pair of pipes.
type rig struct {
	*stdio.Transport
	t      testing.TB
	out    *io.PipeWriter // what the child prints
	in     *sink          // what it was sent
	strays chan string
}

// newRig starts a transport. in may be nil.
func newRig(t testing.TB, in *sink) *rig {
	t.Helper()
	if in == nil {
		in = newSink()
	}
	stdout, out := io.Pipe()
	r := &rig{t: t, out: out, in: in, strays: make(chan string, 1000)}
	r.Transport = stdio.New(stdout, in, stdio.Options{OnStray: func(why, head string) { r.strays <- why + ": " + head }})
	require.NoError(t, r.Start(context.Background()))
	t.Cleanup(func() {
		require.NoError(t, r.Close())
		_ = out.Close()
		<-r.Done()
	})
	return r
}

// prints is what the child writes to stdout.
func (r *rig) prints(text string) {
	_, err := io.WriteString(r.out, text)
	require.NoError(r.t, err)
}

// reply is how a request ended.
type reply struct {
	*transport.JSONRPCResponse
	err error
}

// ask sends a request and returns when it was handed to the pipe.
func (r *rig) ask(ctx context.Context, id int64, method string, params any) <-chan reply {
	r.t.Helper()
	ended := make(chan reply, 1)
	go func() {
		response, err := r.SendRequest(ctx, ask(id, method, params))
		ended <- reply{response, err}
	}()
	select {
	case <-r.in.frames:
	case <-time.After(patience):
		r.t.Fatal("the request was not written")
	}
	return ended
}

func ask(id int64, method string, params any) transport.JSONRPCRequest {
	return transport.JSONRPCRequest{JSONRPC: mcp.JSONRPC_VERSION, ID: mcp.NewRequestId(id), Method: method, Params: params}
}

func (r *rig) await(ended <-chan reply) reply {
	r.t.Helper()
	select {
	case o := <-ended:
		return o
	case <-time.After(patience):
		r.t.Fatal("the request waits although its answer has come")
		return reply{}
	}
}

// written is the next line the child was sent.
func (r *rig) written() string {
	r.t.Helper()
	select {
	case line := <-r.in.frames:
		return line
	case <-time.After(patience):
		r.t.Fatal("nothing was written")
		return ""
	}
}

// sink takes frames like a pipe that is never full.
type sink struct {
	frame  stdio.Frame // how far each comes
	frames chan string
	done   chan struct{}
	close  sync.Once
}

func newSink() *sink {
	return &sink{frame: gone{}, frames: make(chan string, 1000), done: make(chan struct{})}
}

func (s *sink) WriteFrame(message []byte) (stdio.Frame, error) {
	select {
	case <-s.done:
		return nil, proc.ErrClosed
	default:
		s.frames <- strings.TrimSuffix(string(message), "\n")
		return s.frame, nil
	}
}

func (s *sink) Done() <-chan struct{} { return s.done }

func (s *sink) Close() error {
	s.close.Do(func() { close(s.done) })
	return nil
}

// gone is a frame that was written.
type gone struct{}

func (gone) Withdraw() bool { return false }
func (gone) Written() bool  { return true }

// halfway is a frame that the pipe is taking when the child dies: until writing
// has ended nobody can tell whether any of it was written.
type halfway struct{ over <-chan struct{} }

func (h halfway) Withdraw() bool {
	select {
	case <-h.over:
		return true
	default:
		return false
	}
}

func (halfway) Written() bool { return false }

// member is a member of a line, as it stands there.
func member(t testing.TB, line, name string) string {
	t.Helper()
	var members map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(line), &members), line)
	return string(members[name])
}
