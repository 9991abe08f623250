package toolset

import (
	"context"
	"time"

	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// Progress is one notice of how far a call has come (MCP,
// basic/utilities/progress).
type Progress struct {
	// Server is the name the configuration gives the server, Tool the server's
	// name of the tool.
	Server, Tool string
	// Progress is how far it has come, in the server's own unit; it grows.
	Progress float64
	// Total is where it ends; 0 where the server does not know.
	Total float64
	// Message is the server's words on it, text of a stranger; often empty.
	Message string
}

// WithProgressHandler has handler told of the progress of calls, with the
// context of the call. The notices of one call come in order, one at a time, and
// all that came before its result are delivered before Call returns; those of
// different calls may come concurrently. While the handler is busy up to 1,024
// notices of a call wait, then the oldest go.
//
// Where a tool runs as a task, its notices are heard until the task ends, and
// new words on its status are a notice too, with the numbers of the one before.
//
// The handler does not run on the connection's read loop: it may be slow, which
// delays the end of its call, and may use the toolset. A panic is logged. By
// default, and for nil, servers are not asked for progress.
func WithProgressHandler(handler func(ctx context.Context, p Progress)) Option {
	return func(o *options) { o.progress = handler }
}

// WithProgressExtendingCalls begins the call limit anew with each notice of
// progress, though no call lasts longer than most. By default a call ends with
// its limit, whatever progress it makes. It has no effect where the
// configuration sets no call limit.
func WithProgressExtendingCalls(most time.Duration) Option {
	return func(o *options) {
		if most <= 0 {
			o.fault("WithProgressExtendingCalls: %v is not positive", most)
		}
		o.extend = most
	}
}

// limit bounds a call, and asks for its progress where anybody wants that.
func (ts *Toolset) limit(ctx context.Context, tool string) (context.Context, context.CancelFunc) {
	o := &ts.o
	if o.progress == nil && o.extend == 0 && o.answerTime == 0 {
		return wire.Limit(ctx, "call", ts.cfg.CallTimeout)
	}
	bounded, clock := wire.Timed(ctx, "call", ts.cfg.CallTimeout, max(o.extend, ts.cfg.CallTimeout), o.answerTime)
	if o.progress == nil && o.extend == 0 {
		return bounded, clock.Done
	}
	return wire.WithProgress(bounded, func(p wire.Progress) {
		if o.extend > 0 {
			clock.Extend()
		}
		ts.progressed(ctx, Progress{Server: ts.cfg.Name, Tool: tool, Progress: p.Progress, Total: p.Total, Message: p.Message})
	}), clock.Done
}

// progressed keeps a panic of the owner's handler from ending the program.
func (ts *Toolset) progressed(ctx context.Context, p Progress) {
	if ts.o.progress == nil {
		return
	}
	ts.contain("progress handler of tool "+p.Tool, func() { ts.o.progress(ctx, p) })
}
