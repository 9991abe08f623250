package wire

import (
	"context"
	"time"
)

// Ask runs a function of the owner's within a limit, until ctx ends, or until
// life ends, which is ErrClosed. A function that ignores its context is left
// behind, and one that would be too late is not asked; a panic, and the end of its
// goroutine without a return, become a *PanicError, the end of the limit a
// *LimitError.
func Ask[T any](ctx, life context.Context, what string, limit time.Duration, f func(context.Context) (T, error)) (T, error) {
	ctx, done := Limit(ctx, what, limit)
	defer done()
	var none T
	switch {
	case ctx.Err() != nil:
		return none, Cause(ctx, ctx.Err())
	case life.Err() != nil:
		return none, ErrClosed
	}
	type answer struct {
		value T
		err   error
	}
	answered := make(chan answer, 1)
	go func() {
		a := answer{err: errQuit}
		defer func() {
			if fault := recover(); fault != nil {
				a.err = &PanicError{Value: fault}
			}
			answered <- a
		}()
		a.value, a.err = f(ctx)
	}()
	select {
	case a := <-answered:
		if a.err != nil {
			return none, Cause(ctx, a.err)
		}
		return a.value, nil
	case <-ctx.Done():
		return none, Cause(ctx, ctx.Err())
	case <-life.Done():
		return none, ErrClosed
	}
}
