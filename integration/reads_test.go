package integration

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/toolset"
)

func init() { mcptest.Register("library", addLibrary) }

// addLibrary adds resources, a template, prompts and completions, and tools that
// change what there is.
func addLibrary(s *mcptest.Server) {
	for _, option := range []server.ServerOption{
		server.WithResourceCapabilities(false, true), server.WithPromptCapabilities(true), server.WithCompletions(),
		server.WithPromptCompletionProvider(words{}), server.WithResourceCompletionProvider(words{}),
	} {
		option(s.MCPServer)
	}
	for i := range 5 {
		addBook(s, fmt.Sprint("first ", i))
	}
	s.AddResource(mcp.NewResource("book://cover", "Cover", mcp.WithMIMEType("image/png")),
		func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{
				mcp.TextResourceContents{URI: "book://cover", Text: "below"},
				mcp.BlobResourceContents{URI: "book://cover", MIMEType: "image/png", Blob: "AQID"},
			}, nil
		})
	s.AddResourceTemplate(mcp.NewResourceTemplate("page://{book}/{n}", "Page"),
		func(_ context.Context, r mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{mcp.TextResourceContents{URI: r.Params.URI, Text: "text of " + r.Params.URI}}, nil
		})
	s.AddPrompt(mcp.NewPrompt("review", mcp.WithArgument("code", mcp.RequiredArgument()), mcp.WithArgument("style")),
		func(_ context.Context, r mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return mcp.NewGetPromptResult("Reviews.", []mcp.PromptMessage{
				mcp.NewPromptMessage(mcp.RoleUser, mcp.NewTextContent("Review "+r.Params.Arguments["code"])),
				mcp.NewPromptMessage(mcp.RoleAssistant, mcp.NewTextContent("Done.")),
			}), nil
		})
	s.AddTool(mcp.NewTool("grow"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		s.AddTool(mcp.NewTool("added"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultText("from the added tool"), nil
		})
		addBook(s, "added")
		s.AddPrompt(mcp.NewPrompt("added"), func(context.Context, mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return mcp.NewGetPromptResult("", nil), nil
		})
		return mcp.NewToolResultText("grown"), nil
	})
	s.AddTool(mcp.NewTool("shrink"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		s.DeleteTools("echo")
		return mcp.NewToolResultText("shrunk"), nil
	})
}

func addBook(s *mcptest.Server, name string) {
	uri := "book://" + strings.ReplaceAll(name, " ", "/")
	s.AddResource(mcp.NewResource(uri, name), func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
		return []mcp.ResourceContents{mcp.TextResourceContents{URI: uri, Text: "text of " + name}}, nil
	})
}

// words completes everything with three words.
type words struct{}

func (words) CompletePromptArgument(_ context.Context, prompt string, a mcp.CompleteArgument, with mcp.CompleteContext) (*mcp.Completion, error) {
	return &mcp.Completion{Values: []string{prompt, a.Name + "=" + a.Value, "code=" + with.Arguments["code"]}, Total: 3}, nil
}

func (words) CompleteResourceArgument(_ context.Context, uri string, a mcp.CompleteArgument, _ mcp.CompleteContext) (*mcp.Completion, error) {
	return &mcp.Completion{Values: []string{uri, a.Name + "=" + a.Value}, HasMore: true}, nil
}

// libraries runs a test over every kind of connection in both eras.
func libraries(t *testing.T, test func(t *testing.T, k mcptest.Kind, legacy bool, b *config.Builder), opts ...mcptest.Option) {
	for _, k := range mcptest.Kinds {
		for _, legacy := range []bool{false, true} {
			name := string(k) + " modern"
			with := append([]mcptest.Option{mcptest.Tools("echo"), mcptest.Setup("library")}, opts...)
			if legacy {
				name, with = string(k)+" legacy", append(with, mcptest.Legacy())
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				test(t, k, legacy, describe(mcptest.Start(t, k, with...)))
			})
		}
	}
}

func TestH6_TheOwnersSideOverEveryConnection(t *testing.T) {
	t.Parallel()
	libraries(t, func(t *testing.T, _ mcptest.Kind, _ bool, b *config.Builder) {
		ts := open(t, b)
		books, err := ts.Resources(t.Context())
		require.NoError(t, err)
		assert.Len(t, books, 6, "O74: those of every page")
		templates, err := ts.ResourceTemplates(t.Context())
		require.NoError(t, err)
		require.Len(t, templates, 1)
		assert.Equal(t, "page://{book}/{n}", templates[0].URITemplate)

		parts, err := ts.ReadResource(t.Context(), "book://cover")
		require.NoError(t, err)
		require.Len(t, parts, 2)
		assert.Equal(t, "below", parts[0].Text)
		assert.Equal(t, []byte{1, 2, 3}, parts[1].Blob)
		parts, err = ts.ReadResource(t.Context(), "page://moby/7")
		require.NoError(t, err, "O38: what only a template matches")
		assert.Equal(t, "text of page://moby/7", parts[0].Text)
		_, err = ts.ReadResource(t.Context(), "book://none")
		var failed *toolset.Error
		require.ErrorAs(t, err, &failed)
		assert.NotZero(t, failed.Code)

		prompts, err := ts.Prompts(t.Context())
		require.NoError(t, err)
		require.Len(t, prompts, 1)
		prompt, err := ts.GetPrompt(t.Context(), "review", map[string]string{"code": "this"})
		require.NoError(t, err)
		require.Len(t, prompt.Messages, 2)
		assert.Equal(t, "user: Review this", prompt.Messages[0].Role+": "+prompt.Messages[0].Content.Text)
		_, err = ts.GetPrompt(t.Context(), "review", nil)
		require.ErrorIs(t, err, toolset.ErrPromptArguments)

		proposed, err := ts.CompletePrompt(t.Context(), "review", "style", "te", map[string]string{"code": "x"})
		require.NoError(t, err)
		assert.Equal(t, []string{"review", "style=te", "code=x"}, proposed.Values)
		assert.Equal(t, 3, *proposed.Total)
		proposed, err = ts.CompleteTemplate(t.Context(), "page://{book}/{n}", "book", "mo", nil)
		require.NoError(t, err)
		assert.Equal(t, []string{"page://{book}/{n}", "book=mo"}, proposed.Values)
		assert.True(t, proposed.HasMore)
		assert.Empty(t, ts.Report().Warnings)
	}, mcptest.Paged(4))
}

func TestO41_AServerWithToolsAloneHasNoResources(t *testing.T) {
	t.Parallel()
	for _, k := range mcptest.Kinds {
		t.Run(string(k), func(t *testing.T) {
			t.Parallel()
			ts := open(t, describe(mcptest.Start(t, k, mcptest.Tools("echo"))))
			books, err := ts.Resources(t.Context())
			require.NoError(t, err)
			assert.Empty(t, books)
			prompts, err := ts.Prompts(t.Context())
			require.NoError(t, err)
			assert.Empty(t, prompts)
			_, err = ts.ReadResource(t.Context(), "book://first/0")
			require.ErrorIs(t, err, mcp.ErrMethodNotFound)
		})
	}
}

// untilSeen waits until a change at the server is seen. Over streamable HTTP
// before 2026-07-28 the server's notice does not reach us: there the owner says
// so.
func untilSeen(t *testing.T, ts *toolset.Toolset, k mcptest.Kind, legacy bool, seen func() bool) {
	t.Helper()
	if k == mcptest.StreamableHTTP && legacy {
		ts.Refresh()
	}
	require.Eventually(t, seen, mcptest.Patience, 10*time.Millisecond)
}

func TestO77_WhatAServerAddsIsFound(t *testing.T) {
	t.Parallel()
	libraries(t, func(t *testing.T, k mcptest.Kind, legacy bool, b *config.Builder) {
		ts := open(t, b)
		listed := func() (tools, books, prompts int) {
			found, err := ts.Tools(t.Context())
			require.NoError(t, err)
			resources, err := ts.Resources(t.Context())
			require.NoError(t, err)
			gettable, err := ts.Prompts(t.Context())
			require.NoError(t, err)
			return len(found), len(resources), len(gettable)
		}
		tools, books, prompts := listed()
		assert.Equal(t, []int{3, 6, 1}, []int{tools, books, prompts})
		assert.Equal(t, "grown", call(t, ts, "grow", "{}"))
		untilSeen(t, ts, k, legacy, func() bool {
			tools, books, prompts = listed()
			return tools == 4 && books == 7 && prompts == 2
		})
		assert.Equal(t, "from the added tool", call(t, ts, "added", "{}"))
	})
}

func TestO78_WhatAServerRemovesIsGone(t *testing.T) {
	t.Parallel()
	libraries(t, func(t *testing.T, k mcptest.Kind, legacy bool, b *config.Builder) {
		ts := open(t, b)
		old := named(t, ts, "echo")
		assert.Equal(t, "shrunk", call(t, ts, "shrink", "{}"))
		untilSeen(t, ts, k, legacy, func() bool {
			found, err := ts.Tools(t.Context())
			require.NoError(t, err)
			return len(found) == 2
		})
		text, err := old.Call(t.Context(), "{}")
		require.NoError(t, err, "a run goes on")
		assert.True(t, strings.HasPrefix(text, "Error:"), text)
		assert.Contains(t, text, "echo")
		_, err = ts.Tool(t.Context(), "echo")
		require.ErrorIs(t, err, toolset.ErrUnknownTool)
	})
}

func TestO78_AToolThatIsGoneIsNoticedByItsCall(t *testing.T) {
	t.Parallel()
	libraries(t, func(t *testing.T, _ mcptest.Kind, _ bool, b *config.Builder) {
		ts := open(t, b)
		old := named(t, ts, "echo")
		call(t, ts, "shrink", "{}")
		text, err := old.Call(t.Context(), "{}")
		require.NoError(t, err)
		assert.True(t, strings.HasPrefix(text, "Error:"), text)
		found, err := ts.Tools(t.Context())
		require.NoError(t, err)
		assert.Len(t, found, 2, "the refused call put the list in doubt")
	})
}

func TestB5_AChildThatDiesLeavesItsListInNeed(t *testing.T) {
	t.Parallel()
	init := `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`
	mortal := mcptest.Run(t, mcptest.Script{Rules: []mcptest.Rule{
		{Method: "server/discover", Error: []byte(`{"code":-32601,"message":"no"}`)},
		{Method: "initialize", Nth: 1, Result: []byte(init)},
		{Method: "initialize", Exit: mcptest.Code(3)},
		{Method: "tools/list", Result: []byte(`{"tools":[{"name":"a"}]}`)},
		{Method: "tools/call", Exit: mcptest.Code(4)},
	}})
	ts := open(t, child(mortal), toolset.WithStaleOnError(time.Hour))
	a := named(t, ts, "a")
	text, err := a.Call(t.Context(), "{}")
	require.NoError(t, err)
	assert.Contains(t, text, "Error:", "a call is never answered by what is kept")
	found, err := ts.Tools(t.Context())
	require.NoError(t, err)
	assert.Len(t, found, 1)
}
