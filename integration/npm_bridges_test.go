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

func TestNPM_Bridges(t *testing.T) {
	t.Parallel()
	for name, describe := range bridges {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			t.Parallel()
			ts := open(t, describe(t).Name("bridged").Resources(true))
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
			checkBridgedCancel(t, ts)
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

// checkBridgedCancel leaves a call that would take minutes. The bridges need not
// tell the server.
func checkBridgedCancel(t *testing.T, ts *toolset.Toolset) {
	t.Helper()
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan error, 1)
	go func() {
		_, err := ts.CallTool(ctx, "trigger-long-running-operation", map[string]any{"duration": 300, "steps": 300})
		left <- err
	}()
	leave()
	assert.ErrorIs(t, <-left, context.Canceled)
}
