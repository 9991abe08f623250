package resources_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/mcptoolset/mcptoolset/resources"
)

// connected is a resources.Server over an mcp-go client.
type connected struct {
	client *client.Client
	ids    atomic.Int64
}

// connect starts a session with a server in this process.
func connect(ctx context.Context, s *server.MCPServer) (*connected, error) {
	c, err := client.NewInProcessClient(s)
	if err != nil {
		return nil, err
	}
	if err := c.Start(ctx); err != nil {
		return nil, err
	}
	if _, err := c.Initialize(ctx, mcp.InitializeRequest{}); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return &connected{client: c}, nil
}

func (c *connected) Page(ctx context.Context, method, cursor string) (json.RawMessage, error) {
	params := map[string]string{}
	if cursor != "" {
		params["cursor"] = cursor
	}
	return c.request(ctx, method, params)
}

func (c *connected) Read(ctx context.Context, uri string) (json.RawMessage, error) {
	return c.request(ctx, "resources/read", map[string]string{"uri": uri})
}

func (c *connected) Rejected(err error) bool {
	var answer *rejection
	return errors.As(err, &answer)
}

// rejection is a JSON-RPC error, the server's own answer.
type rejection struct{ details *mcp.JSONRPCErrorDetails }

func (r *rejection) Error() string { return r.details.Message }
func (r *rejection) Unwrap() error { return r.details.AsError() }

func (c *connected) request(ctx context.Context, method string, params any) (json.RawMessage, error) {
	response, err := c.client.GetTransport().SendRequest(ctx, transport.JSONRPCRequest{
		JSONRPC: mcp.JSONRPC_VERSION, ID: mcp.NewRequestId(1_000 + c.ids.Add(1)), Method: method, Params: params,
	})
	if err != nil {
		return nil, err
	}
	if response.Error != nil {
		return nil, &rejection{response.Error}
	}
	return response.Result, nil
}

func Example() {
	ctx := context.Background()
	library := server.NewMCPServer("library", "1.0.0")
	library.AddResource(mcp.NewResource("book://moby-dick", "Moby-Dick", mcp.WithMIMEType("text/plain")),
		func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{mcp.TextResourceContents{URI: "book://moby-dick", Text: "Call me Ishmael."}}, nil
		})
	s, err := connect(ctx, library)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.client.Close()

	tools := resources.Tools(resources.Options{MaxLength: 12})
	list, load := tools[0], tools[2]
	for _, call := range []struct {
		tool      resources.Tool
		arguments string
	}{
		{list, `{}`},
		{load, `{"name": "Moby-Dick"}`},
		{load, `{"uri": "book://moby-dick", "offset": 12}`},
		{load, `{"name": "Moby"}`},
	} {
		text, err := call.tool.Run(ctx, s, json.RawMessage(call.arguments))
		fmt.Println(text)
		if err != nil {
			fmt.Println("=> a wrong name:", errors.Is(err, resources.ErrName))
		}
	}
	// Output:
	// {"resources":[{"name":"Moby-Dick","uri":"book://moby-dick","mimeType":"text/plain"}]}
	// Call me Ishm
	// [cut: 12 of 16 characters shown; continue with offset 12]
	// ael.
	// [characters 13 to 16 of 16 shown: this is the end]
	// Error: There is no resource or resource template with the name "Moby". The server's resources are:
	// {"name":"Moby-Dick","uri":"book://moby-dick"}
	// The server lists no resource templates.
	// => a wrong name: true
}
