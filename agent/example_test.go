package agent_test

import (
	"context"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/tmc/langchaingo/agents"
	"github.com/tmc/langchaingo/chains"
	"github.com/tmc/langchaingo/llms"

	"github.com/mcptoolset/mcptoolset/agent"
	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/toolset"
)

func Example() {
	ctx := context.Background()
	srv := server.NewMCPServer("travel", "1.0.0", server.WithInstructions("Ask for one city at a time."))
	srv.AddTool(mcp.NewTool("weather", mcp.WithString("city", mcp.Required())),
		func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultText("sunny in " + r.GetString("city", "")), nil
		})
	cfg, err := config.NewInProcess(srv).Build()
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
	tools, err := ts.Tools(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	info, err := ts.ServerInfo(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}

	// A model that has learned its lines; a real one is made by openai.New or
	// anthropic.New.
	llm := mcptest.NewModel(
		mcptest.Turn{Text: "I look at both.", Calls: []llms.ToolCall{
			{FunctionCall: &llms.FunctionCall{Name: "weather", Arguments: `{"city":"Paris"}`}},
			{FunctionCall: &llms.FunctionCall{Name: "weather", Arguments: `{"city":"Oslo"}`}},
		}},
		mcptest.Say("Both are fine."))

	assistant := agent.New(llm, tools,
		agent.WithSystemMessage("You are a travel desk."),
		agent.WithInstructions(info))
	answer, err := chains.Run(ctx, agents.NewExecutor(assistant), "Paris or Oslo?")
	fmt.Println(answer, err)

	for _, message := range llm.Asked.All()[1].Messages {
		for _, part := range message.Parts {
			switch part := part.(type) {
			case llms.TextContent:
				fmt.Println(message.Role+":", part.Text)
			case llms.ToolCall:
				fmt.Println(message.Role+":", part.FunctionCall.Name, part.FunctionCall.Arguments)
			case llms.ToolCallResponse:
				fmt.Println(message.Role+":", part.Content)
			}
		}
	}
	// Output:
	// Both are fine. <nil>
	// system: You are a travel desk.
	//
	// The server "travel" says on the use of its tools, in its own words:
	// > Ask for one city at a time.
	// human: Paris or Oslo?
	// ai: I look at both.
	// ai: weather {"city":"Paris"}
	// tool: sunny in Paris
	// ai: weather {"city":"Oslo"}
	// tool: sunny in Oslo
}
