package toolset

import (
	"context"

	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// askOwner runs a function of the owner's within the connect limit, until ctx
// ends or the toolset is closed. One that ignores its context is left behind; a
// panic becomes an error.
func askOwner[T any](ctx context.Context, ts *Toolset, what string, f func(context.Context) (T, error)) (T, error) {
	ctx, done := wire.Limit(ctx, what, ts.cfg.ConnectTimeout)
	defer done()
	type answer struct {
		value T
		err   error
	}
	answered := make(chan answer, 1)
	go func() {
		var a answer
		defer func() {
			if fault := recover(); fault != nil {
				a.err = &wire.PanicError{Value: fault}
			}
			answered <- a
		}()
		a.value, a.err = f(ctx)
	}()
	var none T
	select {
	case a := <-answered:
		return a.value, wire.Cause(ctx, a.err)
	case <-ctx.Done():
		return none, wire.Cause(ctx, ctx.Err())
	case <-ts.life.Done():
		return none, ErrClosed
	}
}
