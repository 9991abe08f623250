package toolset

import (
	"context"
	"fmt"
	"log/slog"
)

// loggerOf is the owner's logger with its panics contained: who logs may be any
// goroutine of ours.
func loggerOf(owners *slog.Logger) *slog.Logger {
	if owners == nil {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(containing{owners.Handler()})
}

// containing is a handler of the owner's whose panics become errors.
type containing struct{ owners slog.Handler }

// Enabled implements slog.Handler.
func (c containing) Enabled(ctx context.Context, level slog.Level) (enabled bool) {
	defer func() { _ = recover() }()
	return c.owners.Enabled(ctx, level)
}

// Handle implements slog.Handler.
func (c containing) Handle(ctx context.Context, r slog.Record) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("log handler: panic: %v", fault)
		}
	}()
	return c.owners.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (c containing) WithAttrs(attrs []slog.Attr) slog.Handler {
	return containing{c.owners.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (c containing) WithGroup(name string) slog.Handler { return containing{c.owners.WithGroup(name)} }
