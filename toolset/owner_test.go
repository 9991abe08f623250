package toolset_test

import (
	"context"
	"encoding/json"
	"net/http"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/filter"
	"github.com/mcptoolset/mcptoolset/resources"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// curious is a server whose tool asks the user and tells of its progress, and
// that has a resource.
func curious() *server.MCPServer {
	s := server.NewMCPServer("curious", "1", server.WithElicitation(), server.WithResourceCapabilities(false, false))
	s.AddTool(mcp.NewTool("ask", mcp.WithString("who")), func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if meta := r.Params.Meta; meta != nil && meta.ProgressToken != nil {
			_ = s.SendNotificationToClient(ctx, "notifications/progress", map[string]any{"progressToken": meta.ProgressToken, "progress": 1})
		}
		answer, err := s.RequestElicitation(ctx, mcp.ElicitationRequest{Params: mcp.ElicitationParams{
			Message: "who?", RequestedSchema: json.RawMessage(`{"type":"object","properties":{}}`),
		}})
		if err != nil {
			return mcp.NewToolResultError("nobody answers: " + err.Error()), nil
		}
		return mcp.NewToolResultText(string(answer.Action)), nil
	})
	s.AddResource(mcp.NewResource("note://1", "note"), func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
		return []mcp.ResourceContents{mcp.TextResourceContents{URI: "note://1", Text: "the note"}}, nil
	})
	return s
}

// owned gives each of the owner's functions the same to do before it answers.
var owned = map[string]func(b *config.Builder, do func(context.Context)) toolset.Option{
	"header provider": func(_ *config.Builder, do func(context.Context)) toolset.Option {
		return toolset.WithHeaderProvider(func(ctx context.Context) (http.Header, error) { do(ctx); return http.Header{"X-User": {"ann"}}, nil })
	},
	"identity function": func(_ *config.Builder, do func(context.Context)) toolset.Option {
		return toolset.WithIdentity(func(ctx context.Context, _ http.Header) string { do(ctx); return "ann" })
	},
	"filter": func(b *config.Builder, do func(context.Context)) toolset.Option {
		b.Filter(filter.Predicate(func(ctx context.Context, _ filter.Tool) (bool, error) { do(ctx); return true, nil }))
		return nil
	},
	"bound arguments": func(_ *config.Builder, do func(context.Context)) toolset.Option {
		return toolset.WithBoundArgumentsFunc("ask", []string{"who"}, func(ctx context.Context) (map[string]any, error) { do(ctx); return nil, nil })
	},
	"elicitation handler": func(_ *config.Builder, do func(context.Context)) toolset.Option {
		return toolset.WithElicitation(func(ctx context.Context, _ toolset.Elicitation) (toolset.ElicitationAnswer, error) {
			do(ctx)
			return toolset.ElicitationAnswer{Action: toolset.ElicitationDecline}, nil
		})
	},
	"progress handler": func(_ *config.Builder, do func(context.Context)) toolset.Option {
		return toolset.WithProgressHandler(func(ctx context.Context, _ toolset.Progress) { do(ctx) })
	},
	"resource confirmer": func(_ *config.Builder, do func(context.Context)) toolset.Option {
		return toolset.WithResourceConfirmer(func(ctx context.Context, _ string) error { do(ctx); return nil })
	},
}

// useAll uses everything that could ask the owner, and returns what came of it.
func useAll(ctx context.Context, ts *toolset.Toolset) (said []string) {
	note := func(text string, err error) {
		if err != nil {
			text = err.Error()
		}
		said = append(said, text)
	}
	_, err := ts.Tools(ctx)
	note("listed", err)
	_, err = ts.Status(ctx)
	note("told", err)
	_, err = ts.Tool(ctx, "ask")
	note("found", err)
	result, err := ts.CallTool(ctx, "ask", nil)
	if err == nil {
		note(result.Text(), nil)
	} else {
		note("", err)
	}
	note("loaded", callOwn(ctx, ts, resources.LoadResource, `{"uri":"note://1"}`))
	return said
}

// soon fails the test where f does not return: it would wait for ever.
func soon(t *testing.T, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		buf := make([]byte, 1<<16)
		t.Fatalf("it does not return\n%s", buf[:runtime.Stack(buf, true)])
	}
}

func TestE7_AnOwnersFunctionThatIgnoresItsContextIsLeftBehind(t *testing.T) {
	t.Parallel()
	for who, option := range owned {
		t.Run(who, func(t *testing.T) {
			t.Parallel()
			var blocked atomic.Bool
			released := make(chan struct{})
			defer close(released)
			b := config.NewInProcess(curious()).Resources(true).
				CallTimeout(100 * time.Millisecond).ListTimeout(100 * time.Millisecond).ConnectTimeout(200 * time.Millisecond)
			o := option(b, func(context.Context) {
				if blocked.Load() {
					<-released
				}
			})
			cfg, err := b.Build()
			require.NoError(t, err)
			ts, err := toolset.New(cfg, o)
			require.NoError(t, err)
			soon(t, func() { useAll(t.Context(), ts) })
			blocked.Store(true)
			soon(t, func() { t.Log(useAll(t.Context(), ts)) })
			soon(t, func() {
				ctx, leave := context.WithCancel(t.Context())
				time.AfterFunc(10*time.Millisecond, leave)
				useAll(ctx, ts)
			})
			soon(t, func() {
				if err := ts.Close(); who != "progress handler" { // it runs within the session, so that Close tells of it
					assert.NoError(t, err)
				}
			})
		})
	}
}

func TestE7_ALoadDoesNotWaitForItsConfirmerBeyondTheLimit(t *testing.T) {
	t.Parallel()
	released := make(chan struct{})
	defer close(released)
	ts := open(t, config.NewInProcess(curious()).Resources(true).CallTimeout(50*time.Millisecond),
		toolset.WithResourceConfirmer(func(context.Context, string) error { <-released; return nil }))
	soon(t, func() {
		err := callOwn(t.Context(), ts, resources.LoadResource, `{"uri":"note://1"}`)
		assert.ErrorContains(t, err, "the call limit of 50ms was reached")
		assert.NotErrorIs(t, err, resources.ErrDeclined, "nobody said no")
	})
}

func TestF9_CloseEndsALoadWhoseConfirmerWaits(t *testing.T) {
	t.Parallel()
	asked, released := make(chan struct{}), make(chan struct{})
	defer close(released)
	ts := open(t, config.NewInProcess(curious()).Resources(true),
		toolset.WithResourceConfirmer(func(context.Context, string) error { close(asked); <-released; return nil }))
	ended := make(chan error, 1)
	go func() { ended <- callOwn(context.Background(), ts, resources.LoadResource, `{"uri":"note://1"}`) }()
	<-asked
	soon(t, func() {
		require.NoError(t, ts.Close())
		assert.ErrorIs(t, <-ended, toolset.ErrClosed)
	})
}

func TestE9_AnOwnersFunctionThatEndsItsGoroutine(t *testing.T) {
	t.Parallel()
	for who, option := range owned {
		t.Run(who, func(t *testing.T) {
			t.Parallel()
			var gone atomic.Bool
			b := config.NewInProcess(curious()).Resources(true).CallTimeout(30 * time.Second)
			o := option(b, func(context.Context) {
				if gone.Load() {
					runtime.Goexit()
				}
			})
			ts := open(t, b, o)
			var well []string
			soon(t, func() { well = useAll(t.Context(), ts) })
			gone.Store(true)
			soon(t, func() {
				said := useAll(t.Context(), ts)
				t.Log(said)
				if who != "progress handler" {
					assert.NotEqual(t, well, said, "it counts as a failure, not as an answer")
				}
			})
			gone.Store(false)
			soon(t, func() { assert.Equal(t, well, useAll(t.Context(), ts)) })
			soon(t, func() { require.NoError(t, ts.Close()) })
		})
	}
}

func TestE9_AHandlerOfNoticesThatEndsItsGoroutine(t *testing.T) {
	t.Parallel()
	s := curious()
	told := make(chan struct{}, 2)
	ts := open(t, config.NewInProcess(s), toolset.WithResourcesChangedHandler(func(context.Context, []toolset.Resource, error) {
		told <- struct{}{}
		runtime.Goexit()
	}))
	require.NoError(t, ts.Connect(t.Context()))
	for range 2 {
		s.SendNotificationToAllClients(mcp.MethodNotificationResourcesListChanged, nil)
		soon(t, func() { <-told })
	}
	soon(t, func() { require.NoError(t, ts.Close()) })
}

func TestG1_AHandlerThatEndsItsGoroutine(t *testing.T) {
	t.Parallel()
	s := server.NewMCPServer("quits", "1")
	s.AddTool(mcp.NewTool("quit"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		runtime.Goexit()
		return nil, nil
	})
	ts := open(t, config.NewInProcess(s))
	soon(t, func() {
		for range 2 {
			tool, err := ts.Tool(t.Context(), "quit")
			require.NoError(t, err)
			text, err := tool.Call(t.Context(), "{}")
			require.NoError(t, err)
			assert.Contains(t, text, "runtime.Goexit")
		}
	})
	soon(t, func() { require.NoError(t, ts.Close()) })
}
