package servers_test

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/integration/servers"
)

// The servers are used through mcp-go alone, so that a failure here is never
// the library's.

func TestFind_EachServerListsAndAnswersACall(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "note.txt")
	require.NoError(t, os.WriteFile(file, []byte("written by the test"), 0o600))

	for _, tc := range []struct {
		server string
		args   []string
		env    []string
		tool   string
		input  map[string]any
		want   string
	}{
		{server: "everything", tool: "echo", input: map[string]any{"message": "over a pipe"}, want: "over a pipe"},
		{server: "filesystem", args: []string{dir}, tool: "read_text_file", input: map[string]any{"path": file}, want: "written by the test"},
		{server: "memory", env: []string{"MEMORY_FILE_PATH=" + filepath.Join(dir, "graph.json")}, tool: "create_entities", want: "Ada",
			input: map[string]any{"entities": []any{map[string]any{"name": "Ada", "entityType": "person", "observations": []any{"counts"}}}}},
		{server: "time", tool: "days_in_month", input: map[string]any{"date": "2024-02-11"}, want: "29"},
		{server: "context7", tool: "resolve-library-id", input: map[string]any{"query": "how to list tools", "libraryName": "mcp"}},
	} {
		t.Run(tc.server, func(t *testing.T) {
			t.Parallel()
			s := servers.Find(t, tc.server, tc.args...)
			c, err := client.NewStdioMCPClient(s.Command, tc.env, s.Args...)
			require.NoError(t, err)
			t.Cleanup(func() { assert.NoError(t, c.Close()) })
			checkCall(t, c, tc.tool, tc.input, tc.want)
		})
	}
}

func TestHTTP_ServersAnswerOnTheirURL(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		server, tool string
		input        map[string]any
		want         string
	}{
		{"everything", "echo", map[string]any{"message": "over HTTP"}, "over HTTP"},
		{"context7", "resolve-library-id", map[string]any{"query": "how to list tools", "libraryName": "mcp"}, ""},
	} {
		t.Run(tc.server, func(t *testing.T) {
			t.Parallel()
			c, err := client.NewStreamableHttpClient(servers.HTTP(t, tc.server))
			require.NoError(t, err)
			startAndCheck(t, c, tc.tool, tc.input, tc.want)
		})
	}
}

func TestSSE_ServerAnswersOnItsURL(t *testing.T) {
	t.Parallel()
	c, err := client.NewSSEMCPClient(servers.SSE(t, "everything"))
	require.NoError(t, err)
	startAndCheck(t, c, "echo", map[string]any{"message": "over SSE"}, "over SSE")
}

func TestHTTP_TheServerEndsWithTheTest(t *testing.T) {
	t.Parallel()
	var url string
	t.Run("uses it", func(t *testing.T) {
		url = servers.HTTP(t, "everything")
	})
	if url == "" {
		t.Skip("the server is not installed")
	}
	_, err := http.Get(url)
	require.Error(t, err)
}

func startAndCheck(t *testing.T, c *client.Client, tool string, input map[string]any, want string) {
	t.Helper()
	t.Cleanup(func() { assert.NoError(t, c.Close()) })
	require.NoError(t, c.Start(t.Context()))
	checkCall(t, c, tool, input, want)
}

// checkCall initialises, lists and makes one call. Without a wanted text any
// answer of the tool will do.
func checkCall(t *testing.T, c *client.Client, tool string, input map[string]any, want string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var hello mcp.InitializeRequest
	hello.Params.ProtocolVersion = mcp.LATEST_PROTOCOL_VERSION
	hello.Params.ClientInfo = mcp.Implementation{Name: "servers_test", Version: "1"}
	_, err := c.Initialize(ctx, hello)
	require.NoError(t, err)

	list, err := c.ListTools(ctx, mcp.ListToolsRequest{})
	require.NoError(t, err)
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	require.Contains(t, names, tool)

	var call mcp.CallToolRequest
	call.Params.Name, call.Params.Arguments = tool, input
	res, err := c.CallTool(ctx, call)
	require.NoError(t, err)
	text, err := json.Marshal(res.Content)
	require.NoError(t, err)
	require.NotEmpty(t, res.Content)
	if want != "" {
		assert.False(t, res.IsError, "%s", text)
		assert.Contains(t, string(text), want)
	}
}
