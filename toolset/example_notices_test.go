package toolset_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/tmc/langchaingo/tools"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// library is a server with a book, a prompt and a log.
func library() *server.MCPServer {
	s := server.NewMCPServer("library", "1.0.0", server.WithToolCapabilities(true),
		server.WithResourceCapabilities(true, true), server.WithPromptCapabilities(true), server.WithLogging())
	s.AddResource(mcp.NewResource("book://1", "Moby-Dick"), func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
		return []mcp.ResourceContents{mcp.TextResourceContents{URI: "book://1", Text: "Call me Ishmael."}}, nil
	})
	s.AddPrompt(mcp.NewPrompt("review", mcp.WithArgument("title", mcp.RequiredArgument())),
		func(_ context.Context, r mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return mcp.NewGetPromptResult("", []mcp.PromptMessage{
				mcp.NewPromptMessage(mcp.RoleUser, mcp.NewTextContent("Review "+r.Params.Arguments["title"]+".")),
			}), nil
		})
	s.AddTool(mcp.NewTool("dust"), func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		err := s.SendLogMessageToClient(ctx, mcp.NewLoggingMessageNotification(mcp.LoggingLevelWarning, "shelves", "dust on shelf 3"))
		return mcp.NewToolResultText("done"), err
	})
	return s
}

func newLibrary(s *server.MCPServer, opts ...toolset.Option) *toolset.Toolset {
	cfg, err := config.NewInProcess(s).Name("library").Build()
	if err != nil {
		panic(err)
	}
	ts, err := toolset.New(cfg, opts...)
	if err != nil {
		panic(err)
	}
	return ts
}

func ExampleWithToolsChangedHandler() {
	s := library()
	changed := make(chan int, 1)
	ts := newLibrary(s, toolset.WithToolsChangedHandler(func(_ context.Context, ts []tools.Tool, err error) {
		changed <- len(ts)
	}))
	defer ts.Close()
	ctx := context.Background()
	if err := ts.Connect(ctx); err != nil {
		fmt.Println(err)
	}
	for !ts.Listening(ctx) { // the server has to take note of us first
		time.Sleep(time.Millisecond)
	}
	s.AddTool(mcp.NewTool("lend"), nil)
	fmt.Println(<-changed, "tools")
	// Output: 2 tools
}

func ExampleToolset_Subscribe() {
	s := library()
	ts := newLibrary(s)
	defer ts.Close()
	ctx := context.Background()
	updated := make(chan string, 1)
	subscription, err := ts.Subscribe(ctx, "book://1", func(_ context.Context, uri string) { updated <- uri })
	if err != nil {
		fmt.Println(err)
		return
	}
	s.SendNotificationToAllClients(mcp.MethodNotificationResourceUpdated, map[string]any{"uri": "book://1"})
	fmt.Println(<-updated)
	fmt.Println(subscription.Close(ctx))
	// Output:
	// book://1
	// <nil>
}

func ExampleWithServerLogger() {
	logged := make(chan string, 10)
	logger := slog.New(slog.NewTextHandler(lineWriter(logged), &slog.HandlerOptions{
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		},
	}))
	ts := newLibrary(library(), toolset.WithServerLogger(logger))
	defer ts.Close()
	if _, err := ts.CallTool(context.Background(), "dust", nil); err != nil {
		fmt.Println(err)
	}
	fmt.Fprintln(os.Stdout, strings.TrimSpace(<-logged))
	// Output: level=WARN msg="dust on shelf 3" server=library logger=shelves
}

type lineWriter chan string

func (w lineWriter) Write(p []byte) (int, error) {
	w <- string(p)
	return len(p), nil
}

func ExampleToolset_GetPrompt() {
	ts := newLibrary(library())
	defer ts.Close()
	prompt, err := ts.GetPrompt(context.Background(), "review", map[string]string{"title": "Moby-Dick"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range prompt.Messages {
		fmt.Println(m.Role+":", m.Content.Text)
	}
	_, err = ts.GetPrompt(context.Background(), "review", nil)
	fmt.Println(err != nil)
	// Output:
	// user: Review Moby-Dick.
	// true
}

func ExampleToolset_CacheStats() {
	// A server of before 2026-07-28 does not say for how long its lists hold.
	cfg, err := config.NewInProcess(library()).ProtocolVersion("2025-11-25").Build()
	if err != nil {
		fmt.Println(err)
		return
	}
	ts, err := toolset.New(cfg)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer ts.Close()
	for range 3 {
		if _, err := ts.Resources(context.Background()); err != nil {
			fmt.Println(err)
		}
	}
	ts.Refresh()
	stats := ts.CacheStats()
	fmt.Println(stats.Hits, stats.Misses, stats.Invalidations, stats.Entries)
	// Output: 2 1 1 0
}
