package integration

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/tools"

	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/toolset"
)

func init() { mcptest.Register("newsroom", addNewsroom) }

// addNewsroom adds tools that change what the server has, and tell of it.
func addNewsroom(s *mcptest.Server) {
	server.WithResourceCapabilities(true, true)(s.MCPServer)
	server.WithPromptCapabilities(true)(s.MCPServer)
	add := func(name string, act func(ctx context.Context, what string)) {
		s.AddTool(mcp.NewTool(name, mcp.WithString("what")), func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			act(ctx, r.GetString("what", ""))
			return mcp.NewToolResultText("done"), nil
		})
	}
	add("hire", func(_ context.Context, name string) {
		s.AddTool(mcp.NewTool(name), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultText("I am " + name), nil
		})
	})
	add("dismiss", func(_ context.Context, name string) { s.DeleteTools(name) })
	add("publish", func(_ context.Context, uri string) {
		s.AddResource(mcp.NewResource(uri, uri), func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{mcp.TextResourceContents{URI: uri, Text: "news"}}, nil
		})
	})
	add("pose", func(_ context.Context, name string) {
		s.AddPrompt(mcp.NewPrompt(name), func(context.Context, mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return mcp.NewGetPromptResult("", nil), nil
		})
	})
	add("amend", func(_ context.Context, uri string) {
		s.SendNotificationToAllClients(mcp.MethodNotificationResourceUpdated, map[string]any{"uri": uri})
	})
	add("say", func(ctx context.Context, text string) {
		var message mcp.LoggingMessageNotification
		if err := json.Unmarshal([]byte(text), &message.Params); err != nil {
			panic(err)
		}
		message.Method = string(mcp.MethodNotificationMessage)
		if err := s.SendLogMessageToClient(ctx, message); err != nil {
			panic(err)
		}
	})
}

// newsroomTools are the names of those tools.
var newsroomTools = []string{"hire", "dismiss", "publish", "pose", "amend", "say"}

// newsrooms runs a test over a newsroom of each kind and era.
func newsrooms(t *testing.T, test func(t *testing.T, d *mcptest.Target)) {
	for _, k := range mcptest.Kinds {
		for era, opts := range map[string][]mcptest.Option{"older": {mcptest.Legacy()}, "2026-07-28": nil} {
			t.Run(strings.ReplaceAll(string(k)+" "+era, " ", "_"), func(t *testing.T) {
				t.Parallel()
				test(t, mcptest.Start(t, k, append(opts, mcptest.Tools(), mcptest.Setup("newsroom"))...))
			})
		}
	}
}

// newsOf keeps what handlers are told.
type newsOf[T any] struct{ mcptest.Journal[T] }

func (j *newsOf[T]) handler(_ context.Context, what []T, err error) {
	if err != nil {
		panic(err)
	}
	for _, w := range what {
		j.Add(w)
	}
}

func tell(t *testing.T, ts *toolset.Toolset, tool, what string) {
	t.Helper()
	result, err := ts.CallTool(t.Context(), tool, map[string]any{"what": what})
	require.NoError(t, err)
	require.False(t, result.IsError)
}

// hears waits until notices of changes reach the toolset.
func hears(t *testing.T, ts *toolset.Toolset) {
	t.Helper()
	require.NoError(t, ts.Connect(t.Context()))
	eventually(t, "the stream of notices is open", func() bool { return ts.Listening(t.Context()) })
}

func TestB5_O77_AChangedListIsTold(t *testing.T) {
	t.Parallel()
	newsrooms(t, func(t *testing.T, d *mcptest.Target) {
		var hired newsOf[tools.Tool]
		var published newsOf[toolset.Resource]
		var posed newsOf[toolset.Prompt]
		ts := open(t, describe(d), toolset.WithToolsChangedHandler(hired.handler),
			toolset.WithResourcesChangedHandler(published.handler), toolset.WithPromptsChangedHandler(posed.handler))
		hears(t, ts)
		before, err := ts.Tools(t.Context())
		require.NoError(t, err)

		tell(t, ts, "hire", "zoe")
		hired.Wait(t, func(tool tools.Tool) bool { return tool.Name() == "zoe" })
		after, err := ts.Tools(t.Context())
		require.NoError(t, err)
		assert.Len(t, after, len(before)+1, "the list is known to be out of date")
		assert.Equal(t, "I am zoe", call(t, ts, "zoe", "{}"))

		tell(t, ts, "publish", "news://1")
		published.Wait(t, func(r toolset.Resource) bool { return r.URI == "news://1" })
		tell(t, ts, "pose", "who")
		posed.Wait(t, func(p toolset.Prompt) bool { return p.Name == "who" })
	})
}

func TestB6_O78_ARemovedToolIsGone(t *testing.T) {
	t.Parallel()
	newsrooms(t, func(t *testing.T, d *mcptest.Target) {
		ts := open(t, describe(d), toolset.WithListening())
		hears(t, ts)
		tell(t, ts, "hire", "zoe")
		var zoe *toolset.Tool
		eventually(t, "the new tool is listed", func() (found bool) {
			var err error
			zoe, err = ts.Tool(t.Context(), "zoe")
			return err == nil
		})
		tell(t, ts, "dismiss", "zoe")
		eventually(t, "the removed tool is not listed", func() bool {
			_, err := ts.Tool(t.Context(), "zoe")
			return err != nil
		})
		text, err := zoe.Call(t.Context(), "{}")
		require.NoError(t, err)
		assert.Regexp(t, `^Error: .*"zoe".*(no such tool|not found)`, text)
	})
}

func TestH6_ASubscriptionOutlivesItsSession(t *testing.T) {
	t.Parallel()
	newsrooms(t, func(t *testing.T, d *mcptest.Target) {
		if strings.HasSuffix(t.Name(), "streamable_http_2026-07-28") {
			t.Skip("mcp-go's server grants such subscriptions and tells of nothing: see TestH6_ASubscriptionIsAStreamOf2026_07_28")
		}
		var updates mcptest.Journal[string]
		ts := open(t, describe(d))
		tell(t, ts, "publish", "news://1")
		s, err := ts.Subscribe(t.Context(), "news://1", func(_ context.Context, uri string) { updates.Add(uri) })
		require.NoError(t, err)
		assert.Equal(t, "news://1", s.URI())

		tell(t, ts, "amend", "news://2")
		tell(t, ts, "amend", "news://1")
		updates.Wait(t)
		assert.Equal(t, []string{"news://1"}, updates.All(), "of this resource alone")

		if strings.HasSuffix(t.Name(), "sse_2026-07-28") {
			return // mcp-go's SSE server would hold the lost stream for ever
		}
		switch d.Kind {
		case mcptest.Stdio:
			child, err := os.FindProcess(d.Child.Started.All()[0])
			require.NoError(t, err)
			require.NoError(t, child.Kill())
			d.Child.Started.WaitN(t, 2)
		case mcptest.InProcess:
			return // such a session is not lost
		default:
			if d.Web != nil {
				d.Web.Forget()
				d.Web.Drop()
			}
		}
		updates.WaitN(t, 2) // it may have been updated meanwhile
		tell(t, ts, "amend", "news://1")
		updates.WaitN(t, 3)

		require.NoError(t, s.Close(t.Context()))
		require.NoError(t, s.Close(t.Context()))
		n := updates.Count()
		tell(t, ts, "amend", "news://1")
		tell(t, ts, "amend", "news://1")
		assert.Equal(t, n, updates.Count())
	})
}

// aStream answers subscriptions/listen: it grants all and tells of the updates
// that come by the channel, until it is told to end or the client leaves.
type aStream struct {
	asked   mcptest.Journal[mcp.SubscriptionFilter]
	left    mcptest.Journal[struct{}]
	updates chan string // empty: the server ends the stream
}

func (s *aStream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var request struct {
		ID     json.RawMessage               `json:"id"`
		Params mcp.SubscriptionsListenParams `json:"params"`
	}
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		panic(err)
	}
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(format string, args ...any) {
		fmt.Fprintf(w, "data: "+format+"\n\n", args...)
		w.(http.Flusher).Flush()
	}
	granted, err := json.Marshal(request.Params.Notifications)
	if err != nil {
		panic(err)
	}
	s.asked.Add(request.Params.Notifications)
	send(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{%q:%s},"notifications":%s}}`,
		mcp.MetaKeySubscriptionID, request.ID, granted)
	for {
		select {
		case uri := <-s.updates:
			if uri == "" {
				return
			}
			send(`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":%q}}`, uri)
		case <-r.Context().Done():
			s.left.Add(struct{}{})
			return
		}
	}
}

func TestH6_ASubscriptionIsAStreamOf2026_07_28(t *testing.T) {
	t.Parallel()
	web := mcptest.New(t, mcptest.Setup("newsroom")).StreamableHTTP(t)
	stream := &aStream{updates: make(chan string)}
	web.Always(mcptest.Method("subscriptions/listen"), stream.ServeHTTP)
	ts := open(t, describe(&mcptest.Target{Kind: mcptest.StreamableHTTP, Web: web}))
	var first, second mcptest.Journal[string]
	one, err := ts.Subscribe(t.Context(), "news://1", func(_ context.Context, uri string) { first.Add(uri) })
	require.NoError(t, err)
	stream.updates <- "news://1"
	first.Wait(t)
	stream.updates <- "news://1/headline"
	first.WaitN(t, 2)

	two, err := ts.Subscribe(t.Context(), "news://2", func(_ context.Context, uri string) { second.Add(uri) })
	require.NoError(t, err)
	assert.Equal(t, []string{"news://1", "news://2"}, stream.asked.All()[stream.asked.Count()-1].ResourceSubscriptions)
	stream.left.Wait(t)
	stream.updates <- "news://2"
	second.Wait(t)
	assert.Equal(t, 2, first.Count(), "the new stream begins before the old one ends: nothing is missed")

	n := stream.asked.Count()
	stream.updates <- "" // the server ends the stream
	first.WaitN(t, 3)    // and what was missed meanwhile counts as changed
	second.WaitN(t, 2)
	stream.asked.WaitN(t, n+1)
	stream.updates <- "news://2"
	second.WaitN(t, 3)

	require.NoError(t, one.Close(t.Context()))
	assert.Equal(t, []string{"news://2"}, stream.asked.All()[stream.asked.Count()-1].ResourceSubscriptions)
	require.NoError(t, two.Close(t.Context()))
	stream.left.WaitN(t, stream.asked.Count()-1) // but for the one that the server ended
	assert.False(t, ts.Listening(t.Context()), "nobody wants to hear anything any more")
}

func TestH6_WhoCannotSubscribeIsTold(t *testing.T) {
	t.Parallel()
	nothing := func(context.Context, string) {}
	web := mcptest.New(t, mcptest.Legacy(), mcptest.Setup("newsroom")).StreamableHTTP(t)
	web.Always(mcptest.HTTP(http.MethodGet), mcptest.Status(405, "no stream"))
	ts := open(t, describe(&mcptest.Target{Kind: mcptest.StreamableHTTP, Web: web}))
	_, err := ts.Subscribe(t.Context(), "news://1", nothing)
	require.ErrorIs(t, err, toolset.ErrNoSubscriptions)
	assert.ErrorContains(t, err, "offers no stream")

	plain := open(t, describe(mcptest.Start(t, mcptest.InProcess)))
	_, err = plain.Subscribe(t.Context(), "news://1", nothing)
	require.ErrorIs(t, err, toolset.ErrNoSubscriptions)
	assert.ErrorContains(t, err, "does not declare")

	var failed *toolset.Error
	_, err = ts.Subscribe(t.Context(), "", nothing)
	require.ErrorAs(t, err, &failed)
	assert.Equal(t, toolset.StageSubscribe, failed.Stage)
	_, err = ts.Subscribe(t.Context(), "news://1", nil)
	require.ErrorAs(t, err, &failed)
}

// lines is a writer of a slog.Handler, whose records a test waits for.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func TestE9_TheServersLogMessages(t *testing.T) {
	t.Parallel()
	newsrooms(t, func(t *testing.T, d *mcptest.Target) {
		var out lines
		logger := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelInfo + 1}))
		ts := open(t, describe(d), toolset.WithServerLogger(logger))
		require.NoError(t, ts.Connect(t.Context()))
		// mcp-go's server may drop what a tool says just before it returns.
		say := func(text, message string) {
			eventually(t, text+" is logged", func() bool {
				tell(t, ts, "say", message)
				return strings.Contains(out.String(), text)
			})
		}
		tell(t, ts, "say", `{"level":"info","data":"too low"}`)
		say("a notice", `{"level":"notice","logger":"desk","data":"a notice"}`)
		say("fire", `{"level":"emergency","data":{"message":"fire","floor":3}}`)
		say("two", `{"level":"error","data":[1,"two"]}`)
		logged := out.String()
		assert.NotContains(t, logged, "too low")
		assert.Contains(t, logged, `level=INFO+2 msg="a notice" server=desk logger=desk`)
		assert.Contains(t, logged, `level=ERROR+12 msg=fire server=desk`)
		assert.Contains(t, logged, `floor`)
		assert.Contains(t, logged, `level=ERROR msg="message of the server" server=desk data="[1,\"two\"]"`)

		require.NoError(t, ts.SetServerLogLevel(t.Context(), slog.LevelError+1))
		tell(t, ts, "say", `{"level":"error","data":"no longer"}`)
		say("still", `{"level":"critical","data":"still"}`)
		assert.NotContains(t, out.String(), "no longer")
	})
}
