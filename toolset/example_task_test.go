package toolset_test

import (
	"context"
	"fmt"
	"log"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// A report that takes minutes runs as a task: no connection has to be held open
// for it.
func ExampleWithOptionalTasks() {
	s := server.NewMCPServer("reports", "1.0.0", server.WithTaskCapabilities(true, true, true))
	s.AddTool(mcp.NewTool("report", mcp.WithTaskSupport(mcp.TaskSupportOptional)),
		func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultText(fmt.Sprintf("written, as a task: %v", r.Params.Task != nil)), nil
		})

	cfg, err := config.NewInProcess(s).ProtocolVersion("2025-11-25").Build()
	if err != nil {
		log.Fatal(err)
	}
	ts, err := toolset.New(cfg, toolset.WithOptionalTasks("report"))
	if err != nil {
		log.Fatal(err)
	}
	defer ts.Close()
	tool, err := ts.Tool(context.Background(), "report")
	if err != nil {
		log.Fatal(err)
	}
	text, err := tool.Call(context.Background(), "{}")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(text)
	// Output: written, as a task: true
}
