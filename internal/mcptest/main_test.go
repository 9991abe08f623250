package mcptest

import (
	"context"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	Register("greeter", func(s *Server) {
		s.AddTool(mcp.NewTool("greet"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultText("hello"), nil
		})
		s.AddResource(mcp.NewResource("data://greeting", "greeting"), func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{mcp.TextResourceContents{URI: "data://greeting", Text: "hello"}}, nil
		})
	})
	Main(m)
}

// link is a transport to a target, not yet started.
func link(t *testing.T, target *Target) transport.Interface {
	t.Helper()
	switch target.Kind {
	case Stdio:
		return transport.NewStdio(target.Child.Command, target.Child.Environ(), target.Child.Args...)
	case SSE:
		return sse(t, target.Web)
	case StreamableHTTP:
		return streamable(t, target.Web)
	default:
		return transport.NewInProcessTransport(target.Server.MCPServer)
	}
}

func sse(t *testing.T, e *Endpoint) transport.Interface {
	t.Helper()
	link, err := transport.NewSSE(e.URL, transport.WithHTTPClient(e.web.Client()))
	require.NoError(t, err)
	return link
}

func streamable(t *testing.T, e *Endpoint) transport.Interface {
	t.Helper()
	link, err := transport.NewStreamableHTTP(e.URL, transport.WithHTTPBasicClient(e.web.Client()))
	require.NoError(t, err)
	return link
}

// connect makes an mcp-go client that is closed with the test.
func connect(t *testing.T, link transport.Interface) (*client.Client, *mcp.InitializeResult) {
	t.Helper()
	c := client.NewClient(link, client.WithDiscoverTimeout(Patience))
	require.NoError(t, c.Start(context.WithoutCancel(t.Context())))
	t.Cleanup(func() { _ = c.Close() })
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	info, err := c.Initialize(ctx, mcp.InitializeRequest{})
	require.NoError(t, err)
	return c, info
}

// call runs a tool and returns its result.
func call(t *testing.T, c *client.Client, tool string, arguments any) *mcp.CallToolResult {
	t.Helper()
	result, err := try(t, c, tool, arguments)
	require.NoError(t, err)
	return result
}

func try(t *testing.T, c *client.Client, tool string, arguments any) (*mcp.CallToolResult, error) {
	t.Helper()
	request := mcp.CallToolRequest{}
	request.Params.Name, request.Params.Arguments = tool, arguments
	return c.CallTool(t.Context(), request)
}

// text is the only text of a result.
func text(t *testing.T, r *mcp.CallToolResult) string {
	t.Helper()
	require.Len(t, r.Content, 1)
	content, ok := r.Content[0].(mcp.TextContent)
	require.True(t, ok, "%T", r.Content[0])
	return content.Text
}
