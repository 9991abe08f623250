package toolset_test

import (
	"context"
	"log/slog"
	"maps"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/callbacks"
	"github.com/tmc/langchaingo/tools"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// busyLog is a log handler, and busyCallbacks a callbacks handler, with something
// else to do.
type busyLog struct {
	slog.Handler
	do func(context.Context)
}

func (b busyLog) Enabled(context.Context, slog.Level) bool        { return true }
func (b busyLog) Handle(ctx context.Context, r slog.Record) error { b.do(ctx); return nil }
func (b busyLog) WithAttrs([]slog.Attr) slog.Handler              { return b }
func (b busyLog) WithGroup(string) slog.Handler                   { return b }

type busyCallbacks struct {
	callbacks.SimpleHandler
	do func(context.Context)
}

func (b busyCallbacks) HandleToolStart(ctx context.Context, _ string) { b.do(ctx) }
func (b busyCallbacks) HandleToolEnd(ctx context.Context, _ string)   { b.do(ctx) }

// TestE9_OwnersFunctionsMayUseTheToolset has each of the owner's functions use
// the toolset that asks it, or close it.
func TestE9_OwnersFunctionsMayUseTheToolset(t *testing.T) {
	t.Parallel()
	all := maps.Clone(owned)
	all["logger"] = func(_ *config.Builder, do func(context.Context)) toolset.Option {
		return toolset.WithLogger(slog.New(busyLog{do: do}))
	}
	all["server logger"] = func(_ *config.Builder, do func(context.Context)) toolset.Option {
		return toolset.WithServerLogger(slog.New(busyLog{do: do}))
	}
	all["callbacks"] = func(_ *config.Builder, do func(context.Context)) toolset.Option {
		return toolset.WithCallbacksHandler(busyCallbacks{do: do})
	}
	all["tools changed"] = func(_ *config.Builder, do func(context.Context)) toolset.Option {
		return toolset.WithToolsChangedHandler(func(ctx context.Context, _ []tools.Tool, _ error) { do(ctx) })
	}
	for who, option := range all {
		for what, use := range map[string]func(ctx context.Context, ts *toolset.Toolset){
			"uses": func(ctx context.Context, ts *toolset.Toolset) {
				useAll(ctx, ts)
				ts.Report()
				ts.SwitchOff("x")
				ts.CacheStats()
				ts.Refresh()
			},
			"closes": func(_ context.Context, ts *toolset.Toolset) { _ = ts.Close() },
		} {
			for _, n := range []int{0, 1} {
				t.Run(who+" "+what, func(t *testing.T) {
					t.Parallel()
					var depth atomic.Int32
					var ts atomic.Pointer[toolset.Toolset]
					b := config.NewInProcess(curious()).Resources(true).CallTimeout(20 * time.Second)
					o := option(b, func(ctx context.Context) {
						if depth.Add(1) == 1 {
							if s := ts.Load(); s != nil {
								use(ctx, s)
							}
						}
						depth.Add(-1)
					})
					opts := []toolset.Option{o}
					if n > 0 {
						opts = append(opts, toolset.WithMaxConcurrentCalls(n))
					}
					cfg, err := b.Build()
					require.NoError(t, err)
					s, err := toolset.New(cfg, opts...)
					require.NoError(t, err)
					ts.Store(s)
					soon(t, func() {
						said := useAll(context.Background(), s)
						if what == "uses" {
							assert.Equal(t, "loaded", said[len(said)-1], said)
						}
						useAll(context.Background(), s)
					})
					soon(t, func() {
						if err := s.Close(); what == "uses" {
							assert.NoError(t, err)
						}
					})
				})
			}
		}
	}
}

func TestE9_ALogHandlerThatPanics(t *testing.T) {
	t.Parallel()
	ts := open(t, config.NewInProcess(curious()).Resources(true),
		toolset.WithLogger(slog.New(busyLog{do: func(context.Context) { panic("full disk") }})))
	soon(t, func() { assert.Equal(t, "loaded", useAll(t.Context(), ts)[4]) })
}
