package integration

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/tools"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/toolset"
)

func named(t *testing.T, ts *toolset.Toolset, name string) *toolset.Tool {
	t.Helper()
	tool, err := ts.Tool(t.Context(), name)
	require.NoError(t, err)
	return tool
}

func TestContract_List(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, k kind, b *config.Builder, _ func() bool) {
		ts := open(t, b)
		found, err := ts.Tools(t.Context())
		require.NoError(t, err)
		var names []string
		for _, tool := range found {
			names = append(names, tool.Name())
		}
		assert.ElementsMatch(t, []string{"echo", "fail", "broken", "whoami", "hang", "hanging"}, names)
		assert.Empty(t, ts.Report().Warnings)

		info, err := ts.ServerInfo(t.Context())
		require.NoError(t, err)
		assert.Equal(t, "contract", info.Name)
		assert.Equal(t, "be kind", info.Instructions)
		assert.Equal(t, k.version, info.ProtocolVersion)
	})
}

func TestContract_Call(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, k kind, b *config.Builder, _ func() bool) {
		echo := named(t, open(t, b), "echo")
		const arguments = `{"id":7960607143101464576,"größe":[9007199254740993],"text":"<&>"}`
		text, err := echo.Call(t.Context(), arguments)
		require.NoError(t, err)
		assert.JSONEq(t, arguments, text)
		assert.Contains(t, text, "7960607143101464576")
		assert.Contains(t, text, "9007199254740993")

		text, err = echo.Call(t.Context(), "")
		require.NoError(t, err)
		assert.Equal(t, "{}", text)
	})
}

func TestContract_ErrorResult(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, k kind, b *config.Builder, _ func() bool) {
		ts := open(t, b)
		text, err := named(t, ts, "fail").Call(t.Context(), "{}")
		require.NoError(t, err, "a failing tool is something an agent can live with")
		assert.Equal(t, "Error: no such city", text)

		result, err := ts.CallTool(t.Context(), "fail", nil)
		require.NoError(t, err)
		assert.True(t, result.IsError)
		assert.Equal(t, "no such city", result.Content[0].Text)

		_, err = ts.CallTool(t.Context(), "nope", nil)
		var failed *toolset.Error
		require.ErrorAs(t, err, &failed)
		assert.NotZero(t, failed.Code, "the server's own error: %v", err)
	})
}

func TestContract_APanickingHandlerIsAnObservation(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, k kind, b *config.Builder, _ func() bool) {
		ts := open(t, b)
		text, err := named(t, ts, "broken").Call(t.Context(), "{}")
		require.NoError(t, err)
		assert.Contains(t, text, "Error:")
		assert.Contains(t, text, "handler fault")
		_, err = named(t, ts, "echo").Call(t.Context(), "{}")
		assert.NoError(t, err, "the session lives on")
	})
}

func TestContract_CancellationReachesTheServer(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, k kind, b *config.Builder, saw func() bool) {
		ts := open(t, b)
		hang, hanging := named(t, ts, "hang"), named(t, ts, "hanging")
		ctx, cancel := context.WithCancelCause(t.Context())
		ended := make(chan error, 1)
		go func() {
			_, err := hang.Call(ctx, "{}")
			ended <- err
		}()
		eventually(t, "the call has begun", func() bool {
			text, err := hanging.Call(t.Context(), "{}")
			return err == nil && text == "1"
		})
		cancel(errors.New("the user left"))
		require.ErrorIs(t, <-ended, context.Canceled)
		eventually(t, "the server knows", saw)
		_, err := hanging.Call(t.Context(), "{}")
		assert.NoError(t, err, "the session lives on")
	})
}

func TestContract_TheCallLimitIsNamed(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, k kind, b *config.Builder, saw func() bool) {
		ts := open(t, b.CallTimeout(50*time.Millisecond))
		text, err := named(t, ts, "hang").Call(t.Context(), "{}")
		require.NoError(t, err)
		assert.Contains(t, text, "call limit of 50ms")
		eventually(t, "the server knows", saw)
	})
}

func TestContract_ConcurrentFirstUses(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, k kind, b *config.Builder, _ func() bool) {
		ts := open(t, b)
		var all sync.WaitGroup
		for i := range 20 {
			all.Go(func() {
				found, err := ts.Tools(t.Context())
				if !assert.NoError(t, err) {
					return
				}
				sent := fmt.Sprintf(`{"text":"caller %d"}`, i)
				text, err := pick(found, "echo").Call(t.Context(), sent)
				assert.NoError(t, err)
				assert.JSONEq(t, sent, text)
			})
		}
		all.Wait()
	})
}

func pick(found []tools.Tool, name string) tools.Tool {
	for _, tool := range found {
		if tool.Name() == name {
			return tool
		}
	}
	return nil
}

type userKey struct{}

func TestContract_HeadersOfTheCaller(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, k kind, b *config.Builder, _ func() bool) {
		ts := open(t, b, toolset.WithHeaderProvider(func(ctx context.Context) (http.Header, error) {
			user, _ := ctx.Value(userKey{}).(string)
			return http.Header{"x-user": {user}}, nil
		}))
		as := func(user string) context.Context { return context.WithValue(t.Context(), userKey{}, user) }
		if k.name == "stdio" {
			text, err := named(t, ts, "whoami").Call(as("alice"), "{}")
			require.NoError(t, err)
			assert.Equal(t, "user ", text, "a child process has no headers")
			assert.Len(t, ts.Report().Warnings, 1, "and the owner is told so")
			return
		}
		var all sync.WaitGroup
		for i := range 20 {
			all.Go(func() {
				user := []string{"alice", "bob"}[i%2]
				found, err := ts.Tools(as(user))
				if !assert.NoError(t, err) {
					return
				}
				text, err := pick(found, "whoami").Call(as(user), "{}")
				assert.NoError(t, err)
				assert.Equal(t, "user "+user, text)
			})
		}
		all.Wait()
	})
}

func TestContract_Close(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, k kind, b *config.Builder, _ func() bool) {
		ts := open(t, b)
		hang, hanging := named(t, ts, "hang"), named(t, ts, "hanging")
		ended := make(chan error, 1)
		go func() {
			_, err := hang.Call(t.Context(), "{}")
			ended <- err
		}()
		eventually(t, "the call has begun", func() bool {
			text, err := hanging.Call(t.Context(), "{}")
			return err == nil && text == "1"
		})
		require.NoError(t, ts.Close())
		require.NoError(t, ts.Close(), "it is idempotent")
		assert.ErrorIs(t, <-ended, toolset.ErrClosed)

		_, err := hanging.Call(t.Context(), "{}")
		assert.ErrorIs(t, err, toolset.ErrClosed)
		_, err = ts.Tools(t.Context())
		assert.ErrorIs(t, err, toolset.ErrClosed)
		_, err = ts.CallTool(t.Context(), "echo", nil)
		assert.ErrorIs(t, err, toolset.ErrClosed)
		assert.ErrorIs(t, ts.Connect(t.Context()), toolset.ErrClosed)
	})
}

// eventually waits for what no event tells of: the state of another process.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	require.Eventually(t, holds, 20*time.Second, 5*time.Millisecond, what)
}
