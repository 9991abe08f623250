package main

import (
	"context"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/filter"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"caserig/kit"
)

func TestConfigOf_CarriesEveryWish(t *testing.T) {
	t.Parallel()
	headers := map[string]string{"A": "b"}
	got := configOf(kit.Config{
		Name: "n", Prefix: "p", Trusted: true, Resources: true, MaxResourceLength: 1, MaxOutput: 2, CallTimeoutMS: 3, ConnectTimeoutMS: 4,
		Stdio: &kit.Stdio{Command: "c", Args: []string{"a"}, Env: headers},
		HTTP:  &kit.URL{URL: "http://h", Headers: headers},
		SSE:   &kit.URL{URL: "http://s", Headers: headers},
	})
	assert.Equal(t, config.Config{
		Name: "n", Prefix: "p", Trusted: true, Resources: true, MaxResourceLength: 1, MaxOutput: 2,
		CallTimeout: 3 * time.Millisecond, ConnectTimeout: 4 * time.Millisecond,
		Stdio:          &config.Stdio{Command: "c", Args: []string{"a"}, Env: headers},
		StreamableHTTP: &config.StreamableHTTP{URL: "http://h", Headers: headers},
		SSE:            &config.SSE{URL: "http://s", Headers: headers},
	}, got)
}

func TestFilterOf_JoinsBothLists(t *testing.T) {
	t.Parallel()
	assert.Nil(t, filterOf(kit.Config{}))
	f := filterOf(kit.Config{Allow: &[]string{"a", "b"}, Deny: &[]string{"b"}})
	for name, want := range map[string]bool{"a": true, "b": false, "c": false} {
		kept, err := filter.Apply(t.Context(), f, filter.Tool{Name: name})
		require.NoError(t, err)
		assert.Equal(t, want, kept, name)
	}
}

func TestOpen_SaysWhatTheLibraryLacks(t *testing.T) {
	t.Parallel()
	for _, c := range []kit.Config{{ServersJSON: "{}"}, {Group: []kit.Config{{ServersJSON: "{}"}}}} {
		_, err := open(c)
		require.ErrorContains(t, err, "unsupported")
	}
}

func TestOpen_GivesToolsOfAServer(t *testing.T) {
	t.Parallel()
	srv := server.NewMCPServer("test", "1")
	srv.AddTool(mcp.NewTool("greet", mcp.WithString("name", mcp.Required())), func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText("hello " + r.GetString("name", "")), nil
	})
	web := httptest.NewServer(server.NewStreamableHTTPServer(srv))
	t.Cleanup(web.Close)

	s, err := open(kit.Config{HTTP: &kit.URL{URL: web.URL}})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	ts, err := s.Tools(t.Context())
	require.NoError(t, err)
	require.Len(t, ts, 1)
	params, _ := s.(kit.Parameterer).Params(ts[0]).(map[string]any)
	assert.Contains(t, params["properties"], "name")
	got, err := ts[0].Call(t.Context(), `{"name":"Ada"}`)
	require.NoError(t, err)
	assert.Equal(t, "hello Ada", got)
}
