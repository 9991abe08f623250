package wire_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/internal/stdio"
	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// FuzzAnswers lets a server answer a call with anything, over each framing: a
// child's output, a JSON body and an event stream. The call ends by an answer
// or an error once the input has ended.
func FuzzAnswers(f *testing.F) {
	const id = "1073741826" // of the first request after a handshake without the probe
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":` + id + `,"result":{"content":[]}}`,
		`{"jsonrpc":"2.0","id":"` + id + `","result":{}}`,
		`{"jsonrpc":"2.0","id":` + id + `.0,"result":null}`,
		`{"jsonrpc":"2.0","id":` + id + `}`,
		`{"jsonrpc":"2.0","id":` + id + `,"result":{},"error":{"code":1,"message":"x"}}`,
		`{"jsonrpc":"2.0","id":` + id + `,"error":{"code":"E_LIMIT","message":"x","data":9007199254740993}}`,
		`{"jsonrpc":"2.0","id":` + id + `,"error":{"code":-32004,"message":"x","data":{"supported":1}}}`,
		`{"jsonrpc":"2.0","id":` + id + `,"error":"cursor_invalid"}`,
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}`,
		`[{"jsonrpc":"2.0","id":` + id + `,"result":{}}]`,
		`{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":[]}`,
		`{"jsonrpc":"2.0","id":` + id + `,"result":{"x":NaN}}`, `{"id":`, `[[[[`, `null`, `"x"`, ``, "\uFEFF{}", "<html>", "\n\ndata:\n\n",
		"data: {\"id\":" + id + ",\"result\":{}}", "event: x\ndata: 1\ndata: 2\n\nid: 7\nretry: 1\n\n",
	} {
		for framing := range framings {
			f.Add(byte(framing), []byte(seed))
		}
	}
	f.Fuzz(func(t *testing.T, framing byte, output []byte) {
		ctx, done := context.WithTimeout(t.Context(), time.Minute)
		defer done()
		connect := framings[int(framing)%len(framings)]
		o := connect(t, output)
		o.ClientInfo, o.Version = us, "2025-11-25"
		c, _, err := wire.Dial(ctx, o)
		require.NoError(t, err)
		raw, err := c.Request(ctx, "tools/call", json.RawMessage(`{"name":"t","arguments":{}}`), nil)
		require.NotErrorIs(t, err, context.DeadlineExceeded, "the input has ended")
		require.True(t, (err == nil) != (raw == nil), "%v %s", err, raw)
		if err != nil {
			require.NotEmpty(t, err.Error())
			var answer *wire.RPCError
			if errors.As(err, &answer) {
				answer.Redact(func(text string) string { return text })
			}
		}
		require.NoError(t, c.Close())
	})
}

// framings connect to a server that shakes hands and then answers with output.
var framings = []func(t *testing.T, output []byte) wire.Options{
	childThatPrints,
	func(t *testing.T, output []byte) wire.Options { return webThatSends(t, "application/json", output) },
	func(t *testing.T, output []byte) wire.Options { return webThatSends(t, "text/event-stream", output) },
	func(t *testing.T, output []byte) wire.Options {
		event := append([]byte("event: message\ndata: "), output...)
		return webThatSends(t, "text/event-stream", append(event, "\n\n"...))
	},
}

// childThatPrints answers with output on stdout, which then ends.
func childThatPrints(t *testing.T, output []byte) wire.Options {
	stdout, print := io.Pipe()
	in := &listener{closed: make(chan struct{})}
	var once sync.Once
	var writing sync.WaitGroup
	in.heard = func(m message) {
		switch m.Method {
		case "initialize":
			writing.Go(func() {
				_, _ = io.WriteString(print, `{"id":`+string(m.ID)+`,"result":`+legacyAnswer+"}\n")
			})
		case "tools/call":
			once.Do(func() {
				writing.Go(func() { _, _ = print.Write(output); print.Close() })
			})
		}
	}
	over := make(chan struct{})
	t.Cleanup(func() {
		stdout.Close()
		print.Close()
		writing.Wait()
		close(over)
	})
	tr := stdio.New(stdout, in, stdio.Options{})
	return wire.Options{Transport: tr, Kind: wire.Stdio, Ended: func(ctx context.Context) error {
		select {
		case <-tr.Done():
			return wire.ErrLost
		case <-ctx.Done():
			return nil
		}
	}}
}

// listener is the stdin of such a child.
type listener struct {
	heard  func(message)
	closed chan struct{}
	once   sync.Once
}

func (l *listener) WriteFrame(line []byte) (stdio.Frame, error) {
	var m message
	if err := json.Unmarshal(line, &m); err != nil {
		return nil, err
	}
	l.heard(m)
	return written{}, nil
}

func (l *listener) Done() <-chan struct{} { return l.closed }

func (l *listener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

type written struct{}

func (written) Withdraw() bool { return false }
func (written) Written() bool  { return true }

// webThatSends answers a call with output as a body of a type.
func webThatSends(t *testing.T, contentType string, output []byte) wire.Options {
	var called atomic.Bool
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m message
		_ = json.NewDecoder(r.Body).Decode(&m)
		switch {
		case m.Method == "initialize":
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":`+string(m.ID)+`,"result":`+legacyAnswer+`}`)
		case m.Method == "tools/call" && !called.Swap(true):
			w.Header().Set("Content-Type", contentType)
			_, _ = w.Write(output)
		case r.Method == http.MethodGet: // a stream that is to be read on
			w.WriteHeader(http.StatusMethodNotAllowed)
		default:
			w.WriteHeader(http.StatusAccepted)
		}
	}))
	t.Cleanup(web.Close)
	tr, err := transport.NewStreamableHTTP(web.URL, transport.WithHTTPBasicClient(web.Client()), transport.WithHTTPLogger(slog.New(slog.DiscardHandler)))
	require.NoError(t, err)
	return wire.Options{Transport: tr, Kind: wire.StreamableHTTP}
}
