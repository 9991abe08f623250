package toolset

import (
	"context"
	"errors"
	"time"

	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// askOwner runs a function of the owner's within the connect limit, until ctx
// ends or the toolset is closed.
func askOwner[T any](ctx context.Context, ts *Toolset, what string, f func(context.Context) (T, error)) (T, error) {
	return ask(ctx, ts, what, ts.cfg.ConnectTimeout, f)
}

// within is askOwner in the time that ctx has.
func within[T any](ctx context.Context, ts *Toolset, what string, f func(context.Context) (T, error)) (T, error) {
	return ask(ctx, ts, what, 0, f)
}

func ask[T any](ctx context.Context, ts *Toolset, what string, limit time.Duration, f func(context.Context) (T, error)) (T, error) {
	value, err := wire.Ask(ctx, ts.life, what, limit, f)
	if errors.Is(err, wire.ErrClosed) {
		err = ErrClosed
	}
	return value, err
}
