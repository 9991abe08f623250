package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// dialPlain connects mcp-go's Client. An empty version negotiates.
func dialPlain(ctx context.Context, over transport.Interface, version string) (*client.Client, error) {
	var options []client.ClientOption
	if version != "" {
		options = append(options, client.WithProtocolVersion(version))
	}
	c := client.NewClient(over, options...)
	if err := c.Start(ctx); err != nil {
		return nil, err
	}
	var hello mcp.InitializeRequest
	hello.Params.ClientInfo = mcp.Implementation{Name: "bench", Version: "1"}
	if _, err := c.Initialize(ctx, hello); err != nil {
		_ = c.Close()
		return nil, err
	}
	return c, nil
}

func dialPlainHTTP(ctx context.Context, url, version string) (*client.Client, error) {
	over, err := transport.NewStreamableHTTP(url)
	if err != nil {
		return nil, err
	}
	return dialPlain(ctx, over, version)
}

func dialPlainStdio(ctx context.Context, version string) (*client.Client, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return dialPlain(ctx, transport.NewStdio(self, []string{childEnv + "=" + childStdio}), version)
}

func dialPlainInProcess(ctx context.Context, s *server.MCPServer) (*client.Client, error) {
	return dialPlain(ctx, transport.NewInProcessTransport(s), "")
}

// plainCalls is a contender that calls one tool. mcp-go's Client knows a tool's
// schema once it has listed it, as an adapter has.
func plainCalls(ctx context.Context, c *client.Client, tool, arguments string) (contender, error) {
	if _, err := c.ListTools(ctx, mcp.ListToolsRequest{}); err != nil {
		_ = c.Close()
		return contender{}, err
	}
	var given map[string]any
	if err := json.Unmarshal([]byte(arguments), &given); err != nil {
		_ = c.Close()
		return contender{}, err
	}
	call := func(ctx context.Context) error {
		var r mcp.CallToolRequest
		r.Params.Name = tool
		r.Params.Arguments = given // who uses it reads what the model wrote besides
		result, err := c.CallTool(ctx, r)
		if err == nil && (result.IsError || len(result.Content) == 0) {
			err = errors.New("the tool failed")
		}
		return err
	}
	return contender{name: plain, call: call, close: func() { _ = c.Close() }}, nil
}
