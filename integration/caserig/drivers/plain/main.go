// Command plain drives mcp-go the way a user would glue it to LangChainGo by
// hand. It is the base line: what a library has to be better than.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"sync"

	"caserig/kit"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/tmc/langchaingo/tools"
)

func main() {
	kit.Main(open, map[string]error{
		"canceled": context.Canceled, "deadline": context.DeadlineExceeded, "exec.ErrNotFound": exec.ErrNotFound,
		"session terminated": transport.ErrSessionTerminated,
	})
}

type set struct {
	cfg kit.Config
	mu  sync.Mutex
	c   *client.Client
}

func open(cfg kit.Config) (kit.Set, error) {
	if err := cfg.Reject("stdio", "http", "sse", "dynamic_headers"); err != nil {
		return nil, err
	}
	return &set{cfg: cfg}, nil
}

func (s *set) connect(ctx context.Context) (*client.Client, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.c != nil {
		return s.c, nil
	}
	var c *client.Client
	var err error
	dynamic := func(ctx context.Context) map[string]string { h, _ := s.cfg.Headers(ctx); return h }
	switch {
	case s.cfg.Stdio != nil:
		var env []string
		for k, v := range s.cfg.Stdio.Env {
			env = append(env, k+"="+v)
		}
		c, err = client.NewStdioMCPClient(s.cfg.Stdio.Command, env, s.cfg.Stdio.Args...)
	case s.cfg.HTTP != nil:
		c, err = client.NewStreamableHttpClient(s.cfg.HTTP.URL, transport.WithHTTPHeaders(s.cfg.HTTP.Headers), transport.WithHTTPHeaderFunc(dynamic))
	case s.cfg.SSE != nil:
		c, err = client.NewSSEMCPClient(s.cfg.SSE.URL, transport.WithHeaders(s.cfg.SSE.Headers), transport.WithHeaderFunc(dynamic))
	default:
		return nil, errors.New("no server given")
	}
	if err != nil {
		return nil, err
	}
	if s.cfg.Stdio == nil {
		if err := c.Start(context.WithoutCancel(ctx)); err != nil { // mcp-go's SSE stream lives as long as this context
			return nil, err
		}
	}
	var req mcp.InitializeRequest
	req.Params.ProtocolVersion = mcp.LATEST_PROTOCOL_VERSION
	req.Params.ClientInfo = mcp.Implementation{Name: "plain", Version: "1"}
	if _, err := c.Initialize(ctx, req); err != nil {
		return nil, err
	}
	s.c = c
	return c, nil
}

func (s *set) Tools(ctx context.Context) ([]tools.Tool, error) {
	c, err := s.connect(ctx)
	if err != nil {
		return nil, err
	}
	res, err := c.ListTools(ctx, mcp.ListToolsRequest{})
	if err != nil {
		return nil, err
	}
	var out []tools.Tool
	for _, t := range res.Tools {
		out = append(out, &tool{s: s, t: t})
	}
	return out, nil
}

func (s *set) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.c == nil {
		return nil
	}
	return s.c.Close()
}

func (s *set) Show() []any { return []any{s, s.cfg, s.c} }

type tool struct {
	s *set
	t mcp.Tool
}

func (t *tool) Name() string        { return t.t.Name }
func (t *tool) Description() string { return t.t.Description }

func (t *tool) Call(ctx context.Context, input string) (string, error) {
	var args map[string]any
	if err := json.Unmarshal([]byte(input), &args); err != nil {
		return "", fmt.Errorf("arguments: %w", err)
	}
	var req mcp.CallToolRequest
	req.Params.Name = t.t.Name
	req.Params.Arguments = args
	res, err := t.s.c.CallTool(ctx, req)
	if err != nil {
		return "", err
	}
	var text string
	for _, c := range res.Content {
		if tc, ok := c.(mcp.TextContent); ok {
			text = tc.Text
			break
		}
	}
	if res.IsError {
		return "", errors.New(text)
	}
	return text, nil
}
