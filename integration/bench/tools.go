package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// The tools that are called.
const (
	toolEcho      = "echo"
	toolEchoLarge = "echo_large" // echo with a schema of 1.5 KB
	toolText64    = "text_64k"
	toolText1M    = "text_1m"
	toolRows      = "rows_256k" // structured, and the same as text
	toolPID       = "pid"
)

// echoArguments are what a model writes to call echo and echo_large.
const echoArguments = `{"text":"hello, how are you today?"}`

// flatSchema is of a flat object of ten properties, about as large as those of
// public servers are.
const flatSchema = `{"type":"object","properties":{` +
	`"text":{"type":"string","minLength":1,"description":"What is to be found, in the words of whoever asks for it."},` +
	`"owner":{"type":"string","description":"Who owns the place that is searched; everybody's where it is missing."},` +
	`"place":{"type":"string","description":"The name of the place that is searched, without that of its owner."},` +
	`"state":{"type":"string","enum":["open","closed","all"],"description":"Whether to find what is open, closed or both."},` +
	`"labels":{"type":"array","items":{"type":"string"},"description":"Only what bears all of these labels."},` +
	`"page":{"type":"integer","minimum":1,"description":"Which page of what was found, from one on."},` +
	`"per_page":{"type":"integer","minimum":1,"maximum":100,"description":"How many of them make a page."},` +
	`"draft":{"type":"boolean","description":"Whether what is not finished is to be found too."},` +
	`"since":{"type":"string","description":"Only what has changed since this day, as YYYY-MM-DD."},` +
	`"score":{"type":"number","description":"Only what fits at least as well as this, of one."}},` +
	`"required":["text"],"additionalProperties":false}`

// flatArguments use all ten.
const flatArguments = `{"text":"memory leak","owner":"octo","place":"cat","state":"open","labels":["bug","p1"],"page":2,"per_page":50,"draft":false,"since":"2026-01-01","score":0.75}`

// newServer is the server all contenders call, with so many tools besides.
func newServer(others int) *server.MCPServer {
	return newServerWith(others, nil)
}

func newServerWith(others int, hooks *server.Hooks) *server.MCPServer {
	options := []server.ServerOption{server.WithToolCapabilities(true)}
	if hooks != nil {
		options = append(options, server.WithHooks(hooks))
	}
	s := server.NewMCPServer("bench", "1.0.0", options...)
	line := "a line of plain text, as logs and files have it, sixty-three long\n"
	s.AddTools(
		tool(toolEcho, `{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`, echo),
		tool(toolEchoLarge, flatSchema[:len(flatSchema)-1]+`,"description":"`+strings.Repeat("x", 1500-len(flatSchema))+`"}`, echo),
		tool(toolText64, `{"type":"object"}`, always(mcp.NewToolResultText(strings.Repeat(line, 64<<10/len(line))))),
		tool(toolText1M, `{"type":"object"}`, always(mcp.NewToolResultText(strings.Repeat(line, 1<<20/len(line))))),
		tool(toolRows, `{"type":"object"}`, always(rowsResult())),
		tool(toolPID, `{"type":"object"}`, always(mcp.NewToolResultText(strconv.Itoa(os.Getpid())))),
	)
	for i := range others {
		s.AddTools(tool(fmt.Sprintf("search_%04d", i), flatSchema, echo))
	}
	return s
}

func tool(name, schema string, handle server.ToolHandlerFunc) server.ServerTool {
	return server.ServerTool{Tool: mcp.NewToolWithRawSchema(name, "Finds what is asked for, and says where it is.", json.RawMessage(schema)), Handler: handle}
}

func echo(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return mcp.NewToolResultText(r.GetString("text", "")), nil
}

func always(result *mcp.CallToolResult) server.ToolHandlerFunc {
	return func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) { return result, nil }
}

// rowsResult is structured content of 256 KB with the same JSON as its text, as
// the protocol advises.
func rowsResult() *mcp.CallToolResult {
	row := `{"id":9007199254740993,"name":"Grüße aus Köln","tags":["first","second"],"score":0.5},`
	rows := `{"rows":[` + strings.Repeat(row, 256<<10/len(row)) + `null]}`
	return mcp.NewToolResultStructured(json.RawMessage(rows), rows)
}
