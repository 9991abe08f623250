package session_test

import (
	"context"
	"log/slog"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/internal/session"
)

// holdUp is a log whose stray lines of stdout wait to be let go. They are
// logged by the goroutine that reads the child's output.
type holdUp struct {
	slog.Handler
	reached, letGo chan struct{}
}

func (h holdUp) Enabled(context.Context, slog.Level) bool { return true }

func (h holdUp) Handle(_ context.Context, r slog.Record) error {
	if r.Message == "stdout" {
		select {
		case h.reached <- struct{}{}:
		default: // only the first matters
		}
		<-h.letGo
	}
	return nil
}

func TestF9_CloseWaitsForWhoReadsTheChildsOutput(t *testing.T) {
	t.Parallel()
	log := holdUp{slog.DiscardHandler, make(chan struct{}, 1), make(chan struct{})}
	c := mcptest.Run(t, mcptest.Script{Rules: []mcptest.Rule{{Tool: "noise", Before: []string{"this is no message"}}}})
	p := newPool(t, child(c), func(o *session.Options) { o.Logger = slog.New(log) })
	_, err := call(t.Context(), p, "t")
	require.NoError(t, err)
	go func() { _, _ = call(t.Context(), p, "noise") }()
	<-log.reached
	closed := make(chan struct{})
	go func() { defer close(closed); assert.NoError(t, p.Close()) }()
	process, err := os.FindProcess(c.Started.All()[0])
	require.NoError(t, err)
	require.Eventually(t, func() bool { return process.Signal(syscall.Signal(0)) != nil }, time.Minute, time.Millisecond,
		"the process ends")
	select {
	case <-closed:
		assert.Fail(t, "Close left the reader behind")
	case <-time.After(50 * time.Millisecond): // where it waits for nothing, it has returned by now
	}
	close(log.letGo)
	<-closed
}
