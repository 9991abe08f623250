package integration

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/toolset"
)

func init() { mcptest.Register("laboratory", addLaboratory) }

// addLaboratory adds tools that run as tasks.
func addLaboratory(s *mcptest.Server) {
	server.WithTaskCapabilities(true, true, true)(s.MCPServer)
	must := func(support mcp.TaskSupport) mcp.ToolOption { return mcp.WithTaskSupport(support) }
	text := func(format string, a ...any) *mcp.CreateTaskResult {
		return &mcp.CreateTaskResult{Content: []mcp.Content{mcp.NewTextContent(fmt.Sprintf(format, a...))}}
	}
	s.AddTaskTool(mcp.NewTool("measure", must(mcp.TaskSupportRequired), mcp.WithString("what")),
		func(_ context.Context, r mcp.CallToolRequest) (*mcp.CreateTaskResult, error) {
			return text("measured %s", r.GetString("what", "nothing")), nil
		})
	s.AddTaskTool(mcp.NewTool("explode", must(mcp.TaskSupportRequired)),
		func(context.Context, mcp.CallToolRequest) (*mcp.CreateTaskResult, error) {
			return nil, errors.New("the flask broke")
		})
	s.AddTaskTool(mcp.NewTool("spill", must(mcp.TaskSupportRequired)),
		func(context.Context, mcp.CallToolRequest) (*mcp.CreateTaskResult, error) {
			result := text("acid everywhere")
			result.IsError = true
			return result, nil
		})
	watered := make(chan struct{}, 1)
	s.AddTool(mcp.NewTool("water"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		watered <- struct{}{}
		return mcp.NewToolResultText("wet"), nil
	})
	s.AddTaskTool(mcp.NewTool("grow", must(mcp.TaskSupportRequired)),
		func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CreateTaskResult, error) {
			err := server.ServerFromContext(ctx).SendNotificationToClient(ctx, "notifications/progress", map[string]any{
				"progressToken": r.Params.Meta.ProgressToken, "progress": 1, "total": 2, "message": "dry",
			})
			<-watered
			return text("grown"), err
		})
	given := make(chan struct{}) // closed by tasks/cancel
	var hooks server.TaskHooks
	hooks.AddOnTaskCancelled(func(context.Context, server.TaskMetrics) { close(given) })
	server.WithTaskHooks(&hooks)(s.MCPServer)
	s.AddTaskTool(mcp.NewTool("idle", must(mcp.TaskSupportRequired)),
		func(context.Context, mcp.CallToolRequest) (*mcp.CreateTaskResult, error) {
			<-given // not its context, which mcp-go ends over HTTP with the request that began it
			return nil, context.Canceled
		})
	s.AddTool(mcp.NewTool("await"), func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		select {
		case <-given:
			return mcp.NewToolResultText("given up"), nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	})
	s.AddTool(mcp.NewTool("weigh", must(mcp.TaskSupportOptional)),
		func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultText(fmt.Sprintf("as a task: %v", r.Params.Task != nil)), nil
		})
}

func laboratories(t *testing.T, test func(t *testing.T, target *mcptest.Target), more ...mcptest.Option) {
	for _, k := range mcptest.Kinds {
		t.Run(strings.ReplaceAll(string(k), " ", "_"), func(t *testing.T) {
			t.Parallel()
			test(t, mcptest.Start(t, k, append([]mcptest.Option{mcptest.Tools(), mcptest.Setup("laboratory")}, more...)...))
		})
	}
}

func TestB2_TaskToolsRunOverEveryKindOfConnection(t *testing.T) {
	t.Parallel()
	laboratories(t, func(t *testing.T, target *mcptest.Target) {
		ts := open(t, describe(target).ProtocolVersion("2025-11-25"), toolset.WithOptionalTasks("weigh"))
		assert.ElementsMatch(t, []string{"measure", "explode", "spill", "weigh", "water", "grow", "idle", "await"}, toolNames(t, ts))
		for range 3 {
			assert.Equal(t, "measured salt", call(t, ts, "measure", `{"what":"salt"}`))
		}
		assert.Contains(t, call(t, ts, "measure", `{"what":7}`), "Error:", "arguments are checked as ever")
		broken := call(t, ts, "explode", "")
		assert.Contains(t, broken, "Error:")
		assert.Contains(t, broken, "the flask broke")
		assert.Contains(t, call(t, ts, "spill", ""), "acid everywhere")
		assert.Equal(t, "as a task: true", call(t, ts, "weigh", ""))
		assert.Empty(t, ts.Report().Warnings)
	})
}

func TestB2_TaskToolsThatMayRunPlainlyDo(t *testing.T) {
	t.Parallel()
	laboratories(t, func(t *testing.T, target *mcptest.Target) {
		ts := open(t, describe(target).ProtocolVersion("2025-11-25"))
		assert.Equal(t, "as a task: false", call(t, ts, "weigh", ""))
	})
}

// mcp-go runs tasks in the modern era, but does not give their results there.
func TestB2_TaskToolsAreLeftOutInAnEraThatCannotCarryThem(t *testing.T) {
	t.Parallel()
	laboratories(t, func(t *testing.T, target *mcptest.Target) {
		ts := open(t, describe(target))
		info, err := ts.ServerInfo(t.Context())
		require.NoError(t, err)
		if !info.Modern() {
			t.Skip("this kind of connection is not of the modern era")
		}
		assert.ElementsMatch(t, []string{"weigh", "water", "await"}, toolNames(t, ts))
		_, err = ts.Tool(t.Context(), "measure")
		require.ErrorIs(t, err, toolset.ErrUnknownTool)
		assert.ErrorContains(t, err, "Config.ProtocolVersion")
		assert.Equal(t, "as a task: false", call(t, ts, "weigh", ""))
	})
}

// The progress of a task comes after the answer that began it, and the owner's
// handler may use the toolset meanwhile.
func TestE9_ProgressOfATaskIsHeardAfterItsCreation(t *testing.T) {
	t.Parallel()
	laboratories(t, func(t *testing.T, target *mcptest.Target) {
		if target.Kind == mcptest.StreamableHTTP {
			t.Skip("mcp-go has no stream to send it on")
		}
		var heard steps
		var ts *toolset.Toolset
		ts = open(t, describe(target).ProtocolVersion("2025-11-25"), toolset.WithProgressHandler(func(ctx context.Context, p toolset.Progress) {
			heard.hear(ctx, p)
			_, err := ts.CallTool(ctx, "water", nil)
			assert.NoError(t, err)
		}))
		assert.Equal(t, "grown", call(t, ts, "grow", ""))
		assert.Equal(t, []toolset.Progress{{Server: "desk", Tool: "grow", Progress: 1, Total: 2, Message: "dry"}}, heard.take())
	})
}

func TestE8_TasksOfRealServersAreCancelled(t *testing.T) {
	t.Parallel()
	laboratories(t, func(t *testing.T, target *mcptest.Target) {
		ts := open(t, describe(target).ProtocolVersion("2025-11-25").CallTimeout(30*time.Second))
		idle := named(t, ts, "idle")
		ctx, leave := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer leave()
		_, err := idle.Call(ctx, "")
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Equal(t, "given up", call(t, ts, "await", ""))
	})
}

func TestF7_ATaskWhoseServerDiesIsLostAndNotBegunAgain(t *testing.T) {
	t.Parallel()
	c := mcptest.Run(t, mcptest.Script{
		Tools: []json.RawMessage{json.RawMessage(`{"name":"grow","inputSchema":{"type":"object"},"execution":{"taskSupport":"required"}}`)},
		Rules: []mcptest.Rule{
			{Method: "initialize", Result: json.RawMessage(`{"protocolVersion":"2025-11-25","serverInfo":{"name":"s","version":"1"},
				"capabilities":{"tools":{},"tasks":{"cancel":{},"requests":{"tools":{"call":{}}}}}}`)},
			{Tool: "grow", Result: json.RawMessage(`{"task":{"taskId":"1","status":"working","pollInterval":1}}`)},
			{Method: "tasks/get", Exit: mcptest.Code(3)},
		},
	})
	ts := open(t, child(c))
	text := call(t, ts, "grow", "")
	assert.Contains(t, text, "cannot be followed any longer")
	assert.Contains(t, text, "exit code 3")
	assert.Contains(t, text, "Whether the tool ran is unknown.")
	assert.Equal(t, 1, c.Received.Count(mcptest.CallOf("grow")))
}
