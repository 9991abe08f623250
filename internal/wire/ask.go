package wire

import (
	"context"
	"time"
)

// Ask runs a function of the owner's within a limit, until ctx ends, or until
// life ends, which is ErrClosed. A function that ignores its context is left
// behind; a panic becomes a *PanicError, the end of the limit a *LimitError.
func Ask[T any](ctx, life context.Context, what string, limit time.Duration, f func(context.Context) (T, error)) (T, error) {
	ctx, done := Limit(ctx, what, limit)
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
				a.err = &PanicError{Value: fault}
			}
			answered <- a
		}()
		a.value, a.err = f(ctx)
	}()
	var none T
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
