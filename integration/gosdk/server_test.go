package gosdk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"
)

const (
	// childEnv makes this test binary the server as a child process. Its value
	// is the file that the child notes a cancellation in.
	childEnv = "MCPTOOLSET_GOSDK_CHILD"
	// onlyEnv is the one protocol version this child speaks; empty is all.
	onlyEnv = "MCPTOOLSET_GOSDK_ONLY"
)

func TestMain(m *testing.M) {
	if note := os.Getenv(childEnv); note != "" {
		s := newServer(os.Getenv(onlyEnv), nil, func() { _ = os.WriteFile(note, nil, 0o600) })
		if err := s.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(m)
}

// form is what the tool elicit asks the user for.
const form = `{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"size":{"type":"string","enum":["S","M"],"default":"M"}}}`

// sum is the structured result of the tool add.
type sum struct {
	Sum   int64 `json:"sum"`
	Terms []int `json:"terms" jsonschema:"what was added"`
}

// newServer is the server of all tests. only is the one protocol version it
// speaks; empty is all. cancelled is called when a call of hang ends by its
// context; over ends it otherwise.
func newServer(only string, over <-chan struct{}, cancelled func()) *mcp.Server {
	nothing := func(context.Context, *mcp.SubscribeRequest) error { return nil }
	options := &mcp.ServerOptions{
		Instructions:       "be kind",
		PageSize:           3,
		SubscribeHandler:   nothing,
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
	}
	if only != "" {
		options.SupportedProtocolVersions = []string{only}
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "gosdk", Version: "1.0.0"}, options)
	addPlain(s)
	addLasting(s, over, cancelled)
	addNews(s)
	addCurious(s)
	return s
}

func text(said string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: said}}}
}

// addPlain adds what answers at once.
func addPlain(s *mcp.Server) {
	object := json.RawMessage(`{"type":"object"}`)
	s.AddTool(&mcp.Tool{Name: "echo", InputSchema: object}, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return text(string(r.Params.Arguments)), nil
	})
	type terms struct {
		A int `json:"a"`
		B int `json:"b"`
	}
	mcp.AddTool(s, &mcp.Tool{Name: "add"}, func(_ context.Context, _ *mcp.CallToolRequest, in terms) (*mcp.CallToolResult, sum, error) {
		return nil, sum{Sum: int64(in.A) + int64(in.B), Terms: []int{in.A, in.B}}, nil
	})
	mcp.AddTool(s, &mcp.Tool{Name: "fail"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return nil, nil, errors.New("no such city")
	})
	s.AddTool(&mcp.Tool{Name: "refuse", InputSchema: object}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return nil, errors.New("out of order")
	})
	s.AddTool(&mcp.Tool{Name: "whoami", InputSchema: object}, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if r.Extra == nil {
			return text("nobody"), nil
		}
		return text("user " + r.Extra.Header.Get("X-User")), nil
	})
	for i := range 5 {
		uri := fmt.Sprint("note://", i)
		s.AddResource(&mcp.Resource{URI: uri, Name: fmt.Sprint("note ", i), MIMEType: "text/plain"}, read)
	}
	s.AddResource(&mcp.Resource{URI: "blob://0", Name: "blob"}, read)
	s.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: "page://{n}", Name: "page"}, read)
	s.AddPrompt(&mcp.Prompt{Name: "greet", Arguments: []*mcp.PromptArgument{{Name: "who", Required: true}}},
		func(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			said := &mcp.TextContent{Text: "Greet " + r.Params.Arguments["who"] + "."}
			return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: said}}}, nil
		})
}

func read(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	contents := &mcp.ResourceContents{URI: r.Params.URI, Text: "text of " + r.Params.URI}
	switch r.Params.URI {
	case "blob://0":
		contents = &mcp.ResourceContents{URI: r.Params.URI, Blob: []byte{0, 1, 2}}
	case "page://none":
		return nil, mcp.ResourceNotFoundError(r.Params.URI)
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{contents}}, nil
}

// addLasting adds what takes its time, or counts.
func addLasting(s *mcp.Server, over <-chan struct{}, cancelled func()) {
	object := json.RawMessage(`{"type":"object"}`)
	var running, calls atomic.Int32
	s.AddTool(&mcp.Tool{Name: "hang", InputSchema: object}, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		running.Add(1)
		select {
		case <-ctx.Done():
			cancelled()
			return nil, ctx.Err()
		case <-over:
			return text("over"), nil
		}
	})
	s.AddTool(&mcp.Tool{Name: "hanging", InputSchema: object}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return text(fmt.Sprint(running.Load())), nil
	})
	s.AddTool(&mcp.Tool{Name: "count", InputSchema: object}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return text(fmt.Sprint(calls.Add(1))), nil
	})
	s.AddTool(&mcp.Tool{Name: "steps", InputSchema: object}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		for i := 1; i <= 20; i++ {
			p := &mcp.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Progress: float64(i), Total: 20, Message: fmt.Sprint("step ", i)}
			_ = r.Session.NotifyProgress(ctx, p) // where there is no stream it goes nowhere
		}
		return text("done"), nil
	})
}

// addNews adds what changes the server's lists, and tells of it.
func addNews(s *mcp.Server) {
	type input struct {
		What string `json:"what"`
	}
	add := func(name string, act func(ctx context.Context, r *mcp.CallToolRequest, what string) error) {
		mcp.AddTool(s, &mcp.Tool{Name: name}, func(ctx context.Context, r *mcp.CallToolRequest, in input) (*mcp.CallToolResult, any, error) {
			return text("done"), nil, act(ctx, r, in.What)
		})
	}
	add("hire", func(_ context.Context, _ *mcp.CallToolRequest, name string) error {
		s.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return text("I am " + name), nil
		})
		return nil
	})
	add("dismiss", func(_ context.Context, _ *mcp.CallToolRequest, name string) error {
		s.RemoveTools(name)
		return nil
	})
	add("publish", func(_ context.Context, _ *mcp.CallToolRequest, uri string) error {
		s.AddResource(&mcp.Resource{URI: uri, Name: uri}, read)
		return nil
	})
	add("pose", func(_ context.Context, _ *mcp.CallToolRequest, name string) error {
		s.AddPrompt(&mcp.Prompt{Name: name}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return &mcp.GetPromptResult{}, nil
		})
		return nil
	})
	add("amend", func(ctx context.Context, _ *mcp.CallToolRequest, uri string) error {
		return s.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: uri})
	})
	add("say", func(ctx context.Context, r *mcp.CallToolRequest, what string) error {
		return r.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "warning", Logger: "desk", Data: what})
	})
	add("whisper", func(ctx context.Context, r *mcp.CallToolRequest, what string) error {
		return r.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "debug", Data: what})
	})
}

// addCurious adds tools that ask the client, by what the era has for it.
func addCurious(s *mcp.Server) {
	ask := func(name string, question mcp.InputRequest) {
		s.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)}, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if len(r.Params.InputResponses) == 0 {
				return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"q": question}, RequestState: "state of " + name}, nil
			}
			answers, err := json.Marshal(r.Params.InputResponses)
			return text(r.Params.RequestState + ": " + string(answers)), err
		})
	}
	ask("elicit", &mcp.ElicitParams{Message: "Who?", Mode: "form", RequestedSchema: json.RawMessage(form)})
	ask("sample", &mcp.CreateMessageParams{MaxTokens: 50, SystemPrompt: "Be brief.",
		Messages: []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: "Capital of France?"}}}})
	ask("roots", &mcp.ListRootsParams{})
}
