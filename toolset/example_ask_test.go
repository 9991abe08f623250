package toolset_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/tmc/langchaingo/llms"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// askingServer has a tool for each question that a server may ask. They answer
// with what they were told.
func askingServer() *server.MCPServer {
	s := server.NewMCPServer("travel", "1.0.0")
	add := func(name string, ask func(*server.InputRequestBuilder)) {
		s.AddTool(mcp.NewTool(name), func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if len(r.Params.InputResponses) > 0 {
				told, err := json.Marshal(r.Params.InputResponses["q"])
				return mcp.NewToolResultText(string(told)), err
			}
			b := server.NewInputRequestBuilder("asked")
			ask(b)
			return b.ToolResult(), nil
		})
	}
	add("book", func(b *server.InputRequestBuilder) {
		b.Elicit("q", mcp.ElicitationParams{Message: "Which seat?", RequestedSchema: map[string]any{
			"type": "object", "properties": map[string]any{
				"seat":   map[string]any{"type": "string", "enum": []string{"aisle", "window"}, "default": "window"},
				"people": map[string]any{"type": "integer", "default": 1},
			},
		}})
	})
	add("describe", func(b *server.InputRequestBuilder) {
		b.Sample("q", mcp.CreateMessageParams{MaxTokens: 50, Messages: []mcp.SamplingMessage{
			{Role: mcp.RoleUser, Content: mcp.NewTextContent("Describe Paris in one word.")},
		}})
	})
	add("folders", func(b *server.InputRequestBuilder) { b.Roots("q") })
	return s
}

// travel calls a tool of the server above.
func travel(tool string, opts ...toolset.Option) string {
	ctx := context.Background()
	cfg, err := config.NewInProcess(askingServer()).Name("travel").Build()
	if err != nil {
		log.Fatal(err)
	}
	ts, err := toolset.New(cfg, opts...)
	if err != nil {
		log.Fatal(err)
	}
	defer ts.Close()
	found, err := ts.Tool(ctx, tool)
	if err != nil {
		log.Fatal(err)
	}
	text, err := found.Call(ctx, "{}")
	if err != nil {
		log.Fatal(err)
	}
	return text
}

func ExampleWithElicitation() {
	ask := func(_ context.Context, e toolset.Elicitation) (toolset.ElicitationAnswer, error) {
		fmt.Printf("%s asks: %s (%v)\n", e.Server, e.Message, e.Defaults())
		return e.Accept(map[string]any{"seat": "aisle"}), nil // what a user typed, and defaults for the rest
	}
	fmt.Println(travel("book", toolset.WithElicitation(ask)))
	// Output:
	// travel asks: Which seat? (map[people:1 seat:window])
	// {"action":"accept","content":{"people":1,"seat":"aisle"}}
}

// obliging is a model for an example.
type obliging struct{ llms.Model }

func (obliging) GenerateContent(context.Context, []llms.MessageContent, ...llms.CallOption) (*llms.ContentResponse, error) {
	return &llms.ContentResponse{Choices: []*llms.ContentChoice{{Content: "Lights", StopReason: "stop"}}}, nil
}

func ExampleNewSampler() {
	sampler := toolset.NewSampler(obliging{},
		toolset.WithSamplingModelName("obliging"),
		toolset.WithSamplingBudget(10, 5_000),
		toolset.WithSamplingPermission(func(_ context.Context, s toolset.Sampling) error {
			fmt.Printf("%s wants a completion of at most %d tokens\n", s.Server, s.MaxTokens)
			return nil // an error rejects it
		}))
	fmt.Println(travel("describe", toolset.WithSampling(sampler.Sample)))
	calls, _ := sampler.Used()
	fmt.Println(calls, "of 10")
	// Output:
	// travel wants a completion of at most 50 tokens
	// {"role":"assistant","content":{"type":"text","text":"Lights"},"model":"obliging","stopReason":"endTurn"}
	// 1 of 10
}

func ExampleWithSampling() {
	// A handler of one's own, for what a Sampler does not do.
	answer := func(_ context.Context, s toolset.Sampling) (toolset.SamplingAnswer, error) {
		question := fmt.Sprint(s.Messages[0].Parts[0])
		if !strings.Contains(question, "Paris") {
			return toolset.SamplingAnswer{}, toolset.ErrSamplingRejected
		}
		return toolset.SamplingAnswer{Text: "Crowded", Model: "me"}, nil
	}
	fmt.Println(travel("describe", toolset.WithSampling(answer)))
	// Output: {"role":"assistant","content":{"type":"text","text":"Crowded"},"model":"me"}
}

func ExampleWithRoots() {
	fmt.Println(travel("folders", toolset.WithRoots(toolset.Root{URI: "file:///srv/trips", Name: "trips"})))
	// Output: {"roots":[{"uri":"file:///srv/trips","name":"trips"}]}
}
