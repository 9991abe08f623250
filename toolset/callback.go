package toolset

import (
	"context"

	"github.com/tmc/langchaingo/callbacks"
)

// told calls the owner's callbacks handler, if there is one, and keeps its
// panics from ending a run.
type told struct {
	handler callbacks.Handler
	set     *Toolset
}

func (ts *Toolset) callbacks() told { return told{ts.o.callbacks, ts} }

func (t told) start(ctx context.Context, input string) {
	t.safely(func() { t.handler.HandleToolStart(ctx, input) })
}

func (t told) end(ctx context.Context, output string) {
	t.safely(func() { t.handler.HandleToolEnd(ctx, output) })
}

func (t told) fail(ctx context.Context, err error) {
	t.safely(func() { t.handler.HandleToolError(ctx, err) })
}

func (t told) safely(tell func()) {
	if t.handler == nil {
		return
	}
	defer func() {
		if p := recover(); p != nil {
			t.set.log.Error("callbacks handler panicked", "panic", p)
		}
	}()
	tell()
}
