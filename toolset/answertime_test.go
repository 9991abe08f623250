package toolset_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// nosy is a server whose tool t asks twice.
func nosy() *server.MCPServer {
	s := server.NewMCPServer("nosy", "1", server.WithElicitation())
	ask := mcp.ElicitationParams{Message: "Sure?", RequestedSchema: map[string]any{"type": "object"}}
	s.AddTool(mcp.NewTool("t"), func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if !mcp.IsModernProtocol(server.RequestProtocolVersion(ctx)) {
			for range 2 {
				if _, err := s.RequestElicitation(ctx, mcp.ElicitationRequest{Params: ask}); err != nil {
					return nil, err
				}
			}
			return mcp.NewToolResultText("done"), nil
		}
		if len(r.Params.InputResponses) == 0 {
			return server.NewInputRequestBuilder("s").Elicit("a", ask).Elicit("b", ask).ToolResult(), nil
		}
		return mcp.NewToolResultText("done"), nil
	})
	return s
}

// A person needs 20 s for an answer, a call has 30 s.
func TestJ3_APersonMayTakeLongerThanACall(t *testing.T) {
	t.Parallel()
	for title, c := range map[string]struct {
		opts []toolset.Option
		says string
		took time.Duration
	}{
		"by default":       {nil, "the call limit of 30s was reached", 30 * time.Second},
		"with time":        {[]toolset.Option{toolset.WithAnswerTime(time.Minute)}, "done", 40 * time.Second},
		"with some time":   {[]toolset.Option{toolset.WithAnswerTime(25 * time.Second)}, "Error:", 25 * time.Second},
		"with little time": {[]toolset.Option{toolset.WithAnswerTime(5 * time.Second)}, "Error:", 5 * time.Second},
		"beside progress":  {[]toolset.Option{toolset.WithAnswerTime(time.Minute), toolset.WithProgressExtendingCalls(time.Hour)}, "done", 40 * time.Second},
	} {
		for _, version := range []string{"2025-11-25", "2026-07-28"} {
			t.Run(title+" "+version, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					cfg, err := config.NewInProcess(nosy()).ProtocolVersion(version).CallTimeout(30 * time.Second).Build()
					require.NoError(t, err)
					ts, err := toolset.New(cfg, append(c.opts, toolset.WithElicitation(
						func(ctx context.Context, e toolset.Elicitation) (toolset.ElicitationAnswer, error) {
							select {
							case <-time.After(20 * time.Second):
								return e.Accept(nil), nil
							case <-ctx.Done():
								return toolset.ElicitationAnswer{}, ctx.Err()
							}
						}))...)
					require.NoError(t, err)
					defer func() { require.NoError(t, ts.Close()) }()
					found, err := ts.Tool(t.Context(), "t")
					require.NoError(t, err)
					began := time.Now()
					text, err := found.Call(t.Context(), "")
					require.NoError(t, err)
					assert.Contains(t, text, c.says)
					assert.Equal(t, c.took, time.Since(began).Round(time.Second))
				})
			})
		}
	}
}

func TestJ3_AnAnswerTimeThatIsNone(t *testing.T) {
	t.Parallel()
	cfg, err := config.NewInProcess(nosy()).Build()
	require.NoError(t, err)
	_, err = toolset.New(cfg, toolset.WithAnswerTime(0))
	assert.ErrorContains(t, err, "WithAnswerTime")
}
