package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/mark3labs/mcp-go/server"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// maxOutput lets the largest result through whole, since the others give it
// whole too.
const maxOutput = 4 << 20

func oursHTTP(url, version string) *config.Builder {
	return config.NewStreamableHTTP(url).ProtocolVersion(version).MaxOutput(maxOutput)
}

func oursStdio(kind, version string) (*config.Builder, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return config.NewStdio(self).Env(childEnv, kind).ProtocolVersion(version).MaxOutput(maxOutput), nil
}

func oursInProcess(s *server.MCPServer) *config.Builder {
	return config.NewInProcess(s).MaxOutput(maxOutput)
}

// open is a toolset that is not connected yet.
func open(b *config.Builder, opts ...toolset.Option) (*toolset.Toolset, error) {
	cfg, err := b.Build()
	if err != nil {
		return nil, err
	}
	return toolset.New(cfg, opts...)
}

// oursCalls is a contender that calls one tool as an agent does.
func oursCalls(ctx context.Context, b *config.Builder, tool, arguments string, opts ...toolset.Option) (contender, error) {
	ts, err := open(b, opts...)
	if err != nil {
		return contender{}, err
	}
	t, err := ts.Tool(ctx, tool)
	if err != nil {
		_ = ts.Close()
		return contender{}, err
	}
	call := func(ctx context.Context) error { return callTool(ctx, t, arguments) }
	return contender{name: ours, call: call, close: func() { _ = ts.Close() }}, nil
}

// callTool calls as an agent does, to whom a failure would be a text.
func callTool(ctx context.Context, t *toolset.Tool, arguments string) error {
	text, err := t.Call(ctx, arguments)
	if err == nil && (text == "" || strings.HasPrefix(text, "Error:")) {
		err = fmt.Errorf("the tool failed: %s", text)
	}
	return err
}
