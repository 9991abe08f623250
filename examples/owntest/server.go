// Package owntest shows how a server of one's own is tested through a toolset:
// in the same process, without a network, but over the protocol.
package owntest

import (
	"context"
	"strconv"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// newServer is the server under test.
func newServer() *server.MCPServer {
	s := server.NewMCPServer("arithmetic", "1.0.0")
	s.AddTool(mcp.NewTool("divide",
		mcp.WithDescription("Divides a by b."),
		mcp.WithNumber("a", mcp.Required()),
		mcp.WithNumber("b", mcp.Required()),
	), divide)
	return s
}

func divide(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	a, b := r.GetFloat("a", 0), r.GetFloat("b", 0)
	if b == 0 {
		return mcp.NewToolResultError("cannot divide by zero"), nil
	}
	return mcp.NewToolResultText(strconv.FormatFloat(a/b, 'f', -1, 64)), nil
}
