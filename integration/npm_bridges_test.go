package integration

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/integration/servers"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// bridges are the ways to server-everything through programs of others that
// change one kind of connection into another.
var bridges = map[string]func(*testing.T) *config.Builder{
	"supergateway sse": func(t *testing.T) *config.Builder { return config.NewSSE(servers.SSE(t, "supergateway")) },
	"supergateway http": func(t *testing.T) *config.Builder {
		return config.NewStreamableHTTP(servers.HTTP(t, "supergateway"))
	},
	"supergateway http stateful": func(t *testing.T) *config.Builder {
		return config.NewStreamableHTTP(servers.HTTP(t, "supergateway-stateful"))
	},
	"supergateway child": func(t *testing.T) *config.Builder {
		return npmChild(t, "supergateway", "--streamableHttp", servers.HTTP(t, "everything"), "--logLevel", "none")
	},
	"mcp-proxy sse":  func(t *testing.T) *config.Builder { return config.NewSSE(servers.SSE(t, "mcp-proxy")) },
	"mcp-proxy http": func(t *testing.T) *config.Builder { return config.NewStreamableHTTP(servers.HTTP(t, "mcp-proxy")) },
}

// long is a tool of server-everything that tells of its progress.
const long = "trigger-long-running-operation"

func TestNPM_Bridges(t *testing.T) {
	t.Parallel()
	for name, describe := range bridges {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			t.Parallel()
			progress := make(chan string, 1)
			ts := open(t, describe(t).Name("bridged").Resources(true), toolset.WithProgressHandler(func(ctx context.Context, _ toolset.Progress) {
				info, _ := toolset.CallFromContext(ctx)
				select {
				case progress <- info.Tool:
				default: // the first is enough
				}
			}))
			speaks(t, ts)
			names := toolNames(t, ts)
			assert.Subset(t, names, []string{"echo", "get-sum", "get-tiny-image", "load_mcp_resource"})
			assert.Equal(t, "Echo: größe <&>", call(t, ts, "echo", `{"message":"größe <&>"}`))
			// supergateway reads no message above 100 kB: its express has that limit.
			big := strings.Repeat("größe ", 10_000)
			result, err := ts.CallTool(t.Context(), "echo", map[string]any{"message": big})
			require.NoError(t, err)
			require.Len(t, result.Content, 1)
			assert.True(t, result.Content[0].Text == "Echo: "+big, "%d bytes", len(result.Content[0].Text))
			failed := call(t, ts, "get-resource-reference", `{"resourceId":-1}`)
			assert.True(t, strings.HasPrefix(failed, "Error:"), failed)
			assert.Contains(t, failed, "-1", "the server's own words")
			assert.Contains(t, call(t, ts, "load_mcp_resource", `{"uri":"demo://resource/static/document/features.md"}`), "# Everything Server")
			checkBridgedAtOnce(t, ts)
			checkBridgedCancel(t, ts, progress)
			assert.Equal(t, "Echo: still here", call(t, ts, "echo", `{"message":"still here"}`))
		})
	}
}

func checkBridgedAtOnce(t *testing.T, ts *toolset.Toolset) {
	t.Helper()
	echo := named(t, ts, "echo")
	var all sync.WaitGroup
	for i := range 2 {
		all.Go(func() {
			text, err := echo.Call(t.Context(), fmt.Sprintf(`{"message":"caller %d"}`, i))
			assert.NoError(t, err)
			assert.Equal(t, fmt.Sprint("Echo: caller ", i), text)
		})
	}
	all.Wait()
}

// checkBridgedCancel leaves a call that would take minutes, when the server is
// at work on it: it has made progress. The bridges need not tell the server that
// it was left.
func checkBridgedCancel(t *testing.T, ts *toolset.Toolset, progress <-chan string) {
	t.Helper()
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	left := make(chan error, 1)
	go func() {
		_, err := ts.CallTool(ctx, long, map[string]any{"duration": 300, "steps": 30_000})
		left <- err
	}()
	select {
	case tool := <-progress:
		assert.Equal(t, long, tool)
	case err := <-left:
		require.NoError(t, err, "it ended by itself")
	}
	leave()
	assert.ErrorIs(t, <-left, context.Canceled)
}
