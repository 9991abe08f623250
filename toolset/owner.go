package toolset

import (
	"context"
	"errors"

	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// askOwner runs a function of the owner's within the connect limit, until ctx
// ends or the toolset is closed.
func askOwner[T any](ctx context.Context, ts *Toolset, what string, f func(context.Context) (T, error)) (T, error) {
	value, err := wire.Ask(ctx, ts.life, what, ts.cfg.ConnectTimeout, f)
	if errors.Is(err, wire.ErrClosed) {
		err = ErrClosed
	}
	return value, err
}
