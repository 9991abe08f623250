package integration

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
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
// change one kind of connection into another. They note in atWork that the
// server has the call of long, where the bridge loses its notices of progress.
var bridges = map[string]func(t *testing.T, atWork chan<- struct{}) *config.Builder{
	"supergateway sse": func(t *testing.T, _ chan<- struct{}) *config.Builder {
		return config.NewSSE(servers.SSE(t, "supergateway"))
	},
	"supergateway http": func(t *testing.T, _ chan<- struct{}) *config.Builder {
		return config.NewStreamableHTTP(servers.HTTP(t, "supergateway"))
	},
	"supergateway http stateful": func(t *testing.T, _ chan<- struct{}) *config.Builder {
		return config.NewStreamableHTTP(servers.HTTP(t, "supergateway-stateful"))
	},
	"supergateway child": func(t *testing.T, atWork chan<- struct{}) *config.Builder {
		return npmChild(t, "supergateway", "--streamableHttp", watched(t, servers.HTTP(t, "everything"), atWork), "--logLevel", "none")
	},
	"mcp-proxy sse": func(t *testing.T, _ chan<- struct{}) *config.Builder {
		return config.NewSSE(servers.SSE(t, "mcp-proxy"))
	},
	"mcp-proxy http": func(t *testing.T, _ chan<- struct{}) *config.Builder {
		return config.NewStreamableHTTP(servers.HTTP(t, "mcp-proxy"))
	},
}

// watched is the address of a server in front of the one at another, which notes
// when a call of long comes by.
func watched(t *testing.T, behind string, called chan<- struct{}) string {
	t.Helper()
	target, err := url.Parse(behind)
	require.NoError(t, err)
	front := httptest.NewServer(&httputil.ReverseProxy{FlushInterval: -1, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(&url.URL{Scheme: target.Scheme, Host: target.Host})
		body, err := io.ReadAll(r.In.Body)
		if err != nil {
			return // the bridge has left
		}
		r.Out.Body = io.NopCloser(bytes.NewReader(body))
		if bytes.Contains(body, []byte(long)) {
			note(called)
		}
	}})
	t.Cleanup(func() {
		front.CloseClientConnections()
		front.Close()
	})
	return front.URL + target.Path
}

// note notes what has happened once at least.
func note(happened chan<- struct{}) {
	select {
	case happened <- struct{}{}:
	default:
	}
}

// long is a tool of server-everything that tells of its progress.
const long = "trigger-long-running-operation"

func TestNPM_Bridges(t *testing.T) {
	t.Parallel()
	for name, describe := range bridges {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			t.Parallel()
			atWork := make(chan struct{}, 1)
			ts := open(t, describe(t, atWork).Name("bridged").Resources(true),
				toolset.WithProgressHandler(func(context.Context, toolset.Progress) { note(atWork) }))
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
			checkBridgedCancel(t, ts, atWork)
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

// checkBridgedCancel leaves a call that would take minutes, once the server is at
// work on it. The bridges need not tell the server that it was left.
func checkBridgedCancel(t *testing.T, ts *toolset.Toolset, atWork <-chan struct{}) {
	t.Helper()
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	left := make(chan error, 1)
	go func() {
		_, err := ts.CallTool(ctx, long, map[string]any{"duration": 300, "steps": 3_000})
		left <- err
	}()
	select {
	case <-atWork:
	case err := <-left:
		require.Fail(t, "it ended by itself", "%v", err)
	}
	leave()
	assert.ErrorIs(t, <-left, context.Canceled)
}
