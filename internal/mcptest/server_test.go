package mcptest

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// each runs a test over every kind of connection, against a server of both eras
// and one of the older.
func each(t *testing.T, test func(t *testing.T, target *Target, c *client.Client, info *mcp.InitializeResult), opts ...Option) {
	for _, kind := range Kinds {
		for era, more := range map[string][]Option{"modern": nil, "legacy": {Legacy()}} {
			t.Run(strings.ReplaceAll(string(kind), " ", "_")+"/"+era, func(t *testing.T) {
				t.Parallel()
				target := Start(t, kind, append(more, opts...)...)
				c, info := connect(t, link(t, target))
				test(t, target, c, info)
			})
		}
	}
}

func TestEveryKindInEveryEra(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, target *Target, c *client.Client, info *mcp.InitializeResult) {
		legacy := strings.HasSuffix(t.Name(), "legacy")
		if legacy {
			assert.Equal(t, mcp.LATEST_LEGACY_PROTOCOL_VERSION, info.ProtocolVersion)
		} else {
			assert.Equal(t, mcp.ProtocolVersion20260728, info.ProtocolVersion)
		}
		assert.Equal(t, "be kind", info.Instructions)

		list, err := c.ListTools(t.Context(), mcp.ListToolsRequest{})
		require.NoError(t, err)
		var names []string
		for _, tool := range list.Tools {
			names = append(names, tool.Name)
		}
		assert.ElementsMatch(t, []string{"add", "echo", "greet"}, names, "over two pages")

		const arguments = `{"id":7960607143101464576,"größe":[1.0]}`
		assert.Equal(t, arguments, text(t, call(t, c, "echo", json.RawMessage(arguments))))
		assert.Equal(t, "9007199254740994", text(t, call(t, c, "add", json.RawMessage(`{"a":9007199254740993,"b":1}`))))
		assert.Equal(t, "hello", text(t, call(t, c, "greet", nil)))

		ran := target.Calls.WaitN(t, 3)
		assert.Equal(t, []string{"echo", "add", "greet"}, []string{ran[0].Tool, ran[1].Tool, ran[2].Tool})
		assert.Equal(t, arguments, string(ran[0].Arguments))
		assert.Equal(t, !legacy, ran[0].Modern)
		target.Ends.WaitN(t, 3)

		resources, err := c.ListResources(t.Context(), mcp.ListResourcesRequest{})
		require.NoError(t, err)
		assert.Len(t, resources.Resources, 1)
	}, Tools("echo", "add"), Setup("greeter"), Instructions("be kind"), Paged(2))
}

func TestCancelAndRelease(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, target *Target, c *client.Client, _ *mcp.InitializeResult) {
		ended := make(chan string)
		go func() {
			result, err := c.CallTool(t.Context(), mcp.CallToolRequest{Params: mcp.CallToolParams{Name: "stubborn"}})
			if assert.NoError(t, err) {
				ended <- text(t, result)
			}
		}()
		target.Calls.Wait(t, Tool("stubborn"))
		assert.Empty(t, target.Ends.All())
		target.Release()
		assert.Equal(t, "released", <-ended)
		target.Ends.Wait(t, Ended("stubborn"))
		assert.Zero(t, target.Ends.Count(Cancelled("stubborn")))
		assert.Equal(t, "released", text(t, call(t, c, "slow", nil)), "for good")
	})
}

func TestCancellationIsSeen(t *testing.T) {
	t.Parallel()
	// On the other kinds mcp-go's client does not tell the server.
	for _, kind := range []Kind{Stdio, InProcess} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			target := Start(t, kind)
			c, _ := connect(t, link(t, target))
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error)
			go func() {
				_, err := c.CallTool(ctx, mcp.CallToolRequest{Params: mcp.CallToolParams{Name: "slow"}})
				ended <- err
			}()
			target.Calls.Wait(t, Tool("slow"))
			cancel()
			assert.Error(t, <-ended)
			target.Ends.Wait(t, Cancelled("slow"))
			if kind == Stdio {
				target.Child.Received.Wait(t, Method("notifications/cancelled"))
			}
		})
	}
}

func TestStandardTools(t *testing.T) {
	t.Parallel()
	target := Start(t, InProcess)
	c, _ := connect(t, link(t, target))

	assert.Equal(t, "no such city", text(t, call(t, c, "fail", nil)))
	assert.True(t, call(t, c, "fail", map[string]any{"message": "x"}).IsError)
	assert.Equal(t, "éé", text(t, call(t, c, "big", map[string]any{"n": 2, "text": "é"})))
	assert.True(t, call(t, c, "big", map[string]any{"n": -1}).IsError)
	assert.True(t, call(t, c, "add", map[string]any{"a": 1}).IsError)
	assert.True(t, call(t, c, "add", map[string]any{"a": "x"}).IsError)
	assert.Equal(t, "1", text(t, call(t, c, "counter", nil)))
	assert.Equal(t, "2", text(t, call(t, c, "counter", nil)))
	assert.Len(t, call(t, c, "image", nil).Content, 2)
	assert.Len(t, call(t, c, "mixed", nil).Content, 7)
	assert.Equal(t, Structured, string(call(t, c, "structured", nil).RawStructuredContent))
	assert.Contains(t, text(t, call(t, c, "environ", nil)), `"PATH"`)
	assert.Equal(t, "nobody asked for progress", text(t, call(t, c, "progress", map[string]any{"steps": 1})))
	assert.Panics(t, func() { _, _ = try(t, c, "panics", nil) }, "mcp-go lets a panic through to the caller")

	var who Who
	require.NoError(t, json.Unmarshal([]byte(text(t, call(t, c, "whoami", nil))), &who))
	assert.True(t, who.Modern)
	assert.NotEmpty(t, who.Session)
}

func TestProgressIsReported(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, target *Target, c *client.Client, _ *mcp.InitializeResult) {
		var steps Journal[string]
		c.OnNotification(func(n mcp.JSONRPCNotification) { steps.Add(n.Method) })
		request := mcp.CallToolRequest{}
		request.Params.Name, request.Params.Arguments = "progress", map[string]any{"steps": 3}
		request.Params.Meta = &mcp.Meta{ProgressToken: "p"}
		result, err := c.CallTool(t.Context(), request)
		require.NoError(t, err)
		assert.Equal(t, "done", text(t, result))
		steps.WaitN(t, 3, func(method string) bool { return method == "notifications/progress" })
	})
}

func TestLegacyServerRefusesTheModernEra(t *testing.T) {
	t.Parallel()
	for _, kind := range Kinds {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			c := client.NewClient(link(t, Start(t, kind, Legacy())))
			require.NoError(t, c.Start(context.WithoutCancel(t.Context())))
			t.Cleanup(func() { _ = c.Close() })
			_, err := c.Discover(t.Context(), mcp.DiscoverRequest{})
			assert.ErrorIs(t, err, mcp.ErrMethodNotFound)
		})
	}

	s := New(t, Legacy())
	answer, err := json.Marshal(s.HandleMessage(t.Context(), json.RawMessage(
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`)))
	require.NoError(t, err)
	assert.Contains(t, string(answer), "unsupported protocol version 2026-07-28")
}

func TestServersThatCannotBe(t *testing.T) {
	t.Parallel()
	_, err := newServer(specOf([]Option{Tools("nope")}))
	assert.ErrorContains(t, err, `"nope"`)
	_, err = newServer(specOf([]Option{Setup("nope")}))
	assert.ErrorContains(t, err, `"nope"`)
	assert.Panics(t, func() { Register("greeter", nil) })
	assert.Empty(t, New(t, Tools()).ListTools())
}
