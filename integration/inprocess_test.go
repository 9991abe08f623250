package integration

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/toolset"
)

func TestG1_AHandlerThatIgnoresItsContext(t *testing.T) {
	t.Parallel()
	s := mcptest.New(t)
	cfg, err := describe(&mcptest.Target{Kind: mcptest.InProcess, Server: s}).CallTimeout(50 * time.Millisecond).Build()
	require.NoError(t, err)
	ts, err := toolset.New(cfg)
	require.NoError(t, err)
	text := call(t, ts, "stubborn", "{}")
	assert.Contains(t, text, "call limit of 50ms")
	assert.Contains(t, text, "unknown", "it still runs")
	assert.Equal(t, `{"a":1}`, call(t, ts, "echo", `{"a":1}`), "the session lives on")

	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	stubborn := named(t, ts, "stubborn")
	go func() {
		_, err := stubborn.Call(ctx, "{}")
		ended <- err
	}()
	s.Calls.WaitN(t, 2, mcptest.Tool("stubborn"))
	cancel()
	require.ErrorIs(t, <-ended, context.Canceled, "the caller is free at once")

	err = ts.Close()
	require.ErrorContains(t, err, "left behind", "Close does not wait for ever, and says so")
	require.ErrorContains(t, err, `"desk"`)
	assert.Equal(t, err, ts.Close())
	_, err = stubborn.Call(t.Context(), "{}")
	assert.ErrorIs(t, err, toolset.ErrClosed)
	s.Release()
	s.Ends.WaitN(t, 2, mcptest.Ended("stubborn"))
}

type localeKey struct{}

func TestG2_ContextValuesAndHeadersReachTheHandler(t *testing.T) {
	t.Parallel()
	s := mcptest.New(t, mcptest.Tools())
	type seen struct {
		locale any
		header http.Header
		info   toolset.CallInfo
	}
	saw := make(chan seen, 1)
	s.AddTool(mcp.NewTool("look"), func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		info, _ := toolset.CallFromContext(ctx)
		saw <- seen{ctx.Value(localeKey{}), toolset.HeadersFromContext(ctx), info}
		return mcp.NewToolResultText("looked"), nil
	})
	ts := open(t, describe(&mcptest.Target{Kind: mcptest.InProcess, Server: s}),
		toolset.WithHeaderProvider(func(ctx context.Context) (http.Header, error) {
			user, _ := ctx.Value(userKey{}).(string)
			return http.Header{"x-user": {user}}, nil
		}))
	for _, user := range []string{"alice", "bob", ""} {
		ctx := context.WithValue(context.WithValue(t.Context(), userKey{}, user), localeKey{}, "fr")
		found, err := ts.Tools(ctx)
		require.NoError(t, err)
		text, err := pick(found, "look").Call(ctx, "{}")
		require.NoError(t, err)
		require.Equal(t, "looked", text)
		got := <-saw
		assert.Equal(t, "fr", got.locale)
		assert.Equal(t, []string{user}, got.header.Values("X-User"))
		assert.Equal(t, toolset.CallInfo{Server: "desk", Tool: "look", Name: "look"}, got.info)
	}
	_, err := ts.CallTool(context.WithValue(t.Context(), localeKey{}, "de"), "look", nil)
	require.NoError(t, err)
	assert.Equal(t, "de", (<-saw).locale)
}

func TestG2_TheHandlerKnowsWhoCalls(t *testing.T) {
	t.Parallel()
	s := mcptest.New(t, mcptest.Tools())
	s.AddTool(mcp.NewTool("whom"), func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		name, named := toolset.IdentityFromContext(ctx)
		return mcp.NewToolResultText(fmt.Sprintf("%q %v", name, named)), nil
	})
	b := describe(&mcptest.Target{Kind: mcptest.InProcess, Server: s})
	ts := open(t, b, toolset.WithIdentity(func(ctx context.Context, _ http.Header) string {
		user, _ := ctx.Value(userKey{}).(string)
		return user
	}))
	for _, user := range []string{"alice", "named bob", ""} {
		ctx := context.WithValue(t.Context(), userKey{}, user)
		assert.Equal(t, fmt.Sprintf("%q true", user), callWith(ctx, t, ts, "whom"))
	}
	assert.Equal(t, `"" false`, callWith(t.Context(), t, open(t, b), "whom"), "nobody names identities")
	_, named := toolset.IdentityFromContext(t.Context())
	assert.False(t, named)
}

func callWith(ctx context.Context, t *testing.T, ts *toolset.Toolset, tool string) string {
	t.Helper()
	result, err := ts.CallTool(ctx, tool, nil)
	require.NoError(t, err)
	return result.Text()
}
