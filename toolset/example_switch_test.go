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

// exampleServer has two tools that answer their names.
func exampleServer() *server.MCPServer {
	s := server.NewMCPServer("files", "1.0.0")
	for _, name := range []string{"read", "delete"} {
		s.AddTool(mcp.NewTool(name), func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultText(r.Params.Name), nil
		})
	}
	return s
}

func exampleToolset(opts ...toolset.Option) *toolset.Toolset {
	cfg, err := config.NewInProcess(exampleServer()).Name("files").Build()
	if err != nil {
		log.Fatal(err)
	}
	ts, err := toolset.New(cfg, opts...)
	if err != nil {
		log.Fatal(err)
	}
	return ts
}

func ExampleToolset_SwitchOff() {
	ctx := context.Background()
	ts := exampleToolset()
	defer ts.Close()

	ts.SwitchOff("delete") // while an incident lasts, say
	tools, err := ts.Tools(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, t := range tools {
		fmt.Println("offered:", t.Name())
	}
	ts.SwitchOn("delete")
	fmt.Println("off:", ts.SwitchedOff())
	// Output:
	// offered: read
	// off: []
}

func ExampleToolset_Status() {
	ctx := context.Background()
	ts := exampleToolset()
	defer ts.Close()

	ts.SwitchOff("delete")
	if _, err := ts.CallTool(ctx, "read", nil); err != nil {
		log.Fatal(err)
	}
	status, err := ts.Status(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range status {
		fmt.Printf("%s: %s, %d calls\n", s.Name, s.State, s.Calls)
	}
	// Output:
	// delete: switched off, 0 calls
	// read: offered, 1 calls
}

func ExampleToolset_Catalogue() {
	ts := exampleToolset()
	defer ts.Close()

	catalogue, err := ts.Catalogue(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.43s\n", catalogue)
	// Output: {"server":"files","tools":[{"name":"delete"
}
