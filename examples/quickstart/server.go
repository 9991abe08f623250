package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// serve is the demo's MCP server: a few small tools over stdio.
func serve() error {
	s := server.NewMCPServer("demo", "1.0.0")
	s.AddTool(mcp.NewTool("calculate",
		mcp.WithDescription("Calculates: plus, minus, times or divided by."),
		mcp.WithNumber("left", mcp.Required(), mcp.Description("the first number")),
		mcp.WithString("operation", mcp.Required(), mcp.Enum("plus", "minus", "times", "divided")),
		mcp.WithNumber("right", mcp.Required(), mcp.Description("the second number")),
		mcp.WithReadOnlyHintAnnotation(true),
	), mcp.NewTypedToolHandler(calculate))
	s.AddTool(mcp.NewTool("convert_temperature",
		mcp.WithDescription("Converts degrees between celsius, fahrenheit and kelvin: how warm or cold something is."),
		mcp.WithNumber("degrees", mcp.Required()),
		mcp.WithString("from", mcp.Required(), mcp.Enum("celsius", "fahrenheit", "kelvin")),
		mcp.WithString("to", mcp.Required(), mcp.Enum("celsius", "fahrenheit", "kelvin")),
		mcp.WithReadOnlyHintAnnotation(true),
	), mcp.NewTypedToolHandler(convert))
	s.AddTool(mcp.NewTool("count_words",
		mcp.WithDescription("Counts the words of a text."),
		mcp.WithString("text", mcp.Required(), mcp.Description("the text, in quotes in the question")),
		mcp.WithReadOnlyHintAnnotation(true),
	), mcp.NewTypedToolHandler(countWords))
	return server.ServeStdio(s)
}

type calculation struct {
	Left      float64 `json:"left"`
	Operation string  `json:"operation"`
	Right     float64 `json:"right"`
}

func calculate(_ context.Context, _ mcp.CallToolRequest, c calculation) (*mcp.CallToolResult, error) {
	var result float64
	switch c.Operation {
	case "plus":
		result = c.Left + c.Right
	case "minus":
		result = c.Left - c.Right
	case "times":
		result = c.Left * c.Right
	case "divided":
		if c.Right == 0 {
			return mcp.NewToolResultError("cannot divide by zero"), nil
		}
		result = c.Left / c.Right
	}
	return mcp.NewToolResultText(fmt.Sprintf("%v %s %v = %v", c.Left, c.Operation, c.Right, result)), nil
}

type conversion struct {
	Degrees float64 `json:"degrees"`
	From    string  `json:"from"`
	To      string  `json:"to"`
}

func convert(_ context.Context, _ mcp.CallToolRequest, c conversion) (*mcp.CallToolResult, error) {
	kelvin := c.Degrees
	switch c.From {
	case "celsius":
		kelvin += 273.15
	case "fahrenheit":
		kelvin = (kelvin + 459.67) * 5 / 9
	}
	result := kelvin
	switch c.To {
	case "celsius":
		result -= 273.15
	case "fahrenheit":
		result = kelvin*9/5 - 459.67
	}
	return mcp.NewToolResultText(fmt.Sprintf("%v degrees %s = %.2f degrees %s", c.Degrees, c.From, result, c.To)), nil
}

type words struct {
	Text string `json:"text"`
}

func countWords(_ context.Context, _ mcp.CallToolRequest, w words) (*mcp.CallToolResult, error) {
	return mcp.NewToolResultText(fmt.Sprintf("%d words", len(strings.Fields(w.Text)))), nil
}
