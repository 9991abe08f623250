package mcptest

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"strings"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// pid is this process, to tell a child's calls from the test's.
var pid = os.Getpid()

// PNG is the picture that image and mixed answer: one pixel.
var PNG = mustDecode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==")

// Structured is what the tool structured answers as structuredContent. Its number
// does not fit a float64.
const Structured = `{"id":9007199254740993,"name":"größe","nested":{"list":[1,null,true]}}`

func mustDecode(text string) []byte {
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return data
}

func tool(name, description, schema string, handler server.ToolHandlerFunc, change ...func(*mcp.Tool)) server.ServerTool {
	t := mcp.NewToolWithRawSchema(name, description, json.RawMessage(schema))
	for _, c := range change {
		c(&t)
	}
	return server.ServerTool{Tool: t, Handler: handler}
}

// readOnly says that a tool changes nothing.
func readOnly(t *mcp.Tool) { t.Annotations.ReadOnlyHint = mcp.ToBoolPtr(true) }

// withOutput declares the shape of structuredContent.
func withOutput(schema string) func(*mcp.Tool) {
	return func(t *mcp.Tool) { t.RawOutputSchema = json.RawMessage(schema) }
}

const (
	anything = `{"type":"object"}`
	nothing  = `{"type":"object","properties":{}}`
)

// standardTools are what a server has unless Tools says otherwise.
func (s *Server) standardTools() []server.ServerTool {
	return []server.ServerTool{
		tool("echo", "Answers its arguments, byte by byte.", anything, echo, readOnly),
		tool("add", "Adds two integers of any size.",
			`{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"required":["a","b"]}`, add, readOnly),
		tool("fail", "Fails, saying message.",
			`{"type":"object","properties":{"message":{"type":"string"}}}`, fail),
		tool("slow", "Runs until it is cancelled or released.", nothing, s.slow),
		tool("stubborn", "Runs until it is released, also when it is cancelled.", nothing, s.stubborn),
		tool("counter", "Counts its calls in this session.", nothing, counter()),
		tool("whoami", "Tells the session and the headers it sees.", nothing, whoami, readOnly),
		tool("big", "Answers n times text (x).",
			`{"type":"object","properties":{"n":{"type":"integer","minimum":0},"text":{"type":"string"}},"required":["n"]}`, bigText, readOnly),
		tool("image", "Answers a picture.", nothing, image, readOnly),
		tool("structured", "Answers structured content.", nothing, structured, readOnly, withOutput(`{"type":"object"}`)),
		tool("mixed", "Answers content of every type.", nothing, mixed, readOnly),
		tool("panics", "Panics.", nothing, panics),
		tool("progress", "Reports so many steps.",
			`{"type":"object","properties":{"steps":{"type":"integer","minimum":0}},"required":["steps"]}`, progress, readOnly),
		tool("environ", "Answers the environment of its process.", nothing, environment, readOnly),
	}
}

func echo(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return mcp.NewToolResultText(string(r.Params.RawArguments)), nil
}

func add(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var numbers struct{ A, B *big.Int }
	if err := r.BindArguments(&numbers); err != nil {
		return mcp.NewToolResultError(err.Error()), nil
	}
	if numbers.A == nil || numbers.B == nil {
		return mcp.NewToolResultError("a and b are required"), nil
	}
	return mcp.NewToolResultText(numbers.A.Add(numbers.A, numbers.B).String()), nil
}

func fail(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return mcp.NewToolResultError(r.GetString("message", "no such city")), nil
}

func (s *Server) slow(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-s.gate.opened:
		return mcp.NewToolResultText("released"), nil
	}
}

func (s *Server) stubborn(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	<-s.gate.opened
	return mcp.NewToolResultText("released"), nil
}

func counter() server.ToolHandlerFunc {
	var mu sync.Mutex
	calls := make(map[string]int)
	return func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		mu.Lock()
		defer mu.Unlock()
		calls[sessionOf(ctx)]++
		return mcp.NewToolResultText(fmt.Sprint(calls[sessionOf(ctx)])), nil
	}
}

// Who is what the tool whoami answers, as JSON.
type Who struct {
	Session string            `json:"session"`
	Modern  bool              `json:"modern"`
	Headers map[string]string `json:"headers"` // the first value of each
}

func whoami(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	who := Who{Session: sessionOf(ctx), Modern: server.IsModernRequest(ctx), Headers: make(map[string]string)}
	for name := range r.Header {
		who.Headers[name] = r.Header.Get(name)
	}
	return textJSON(who)
}

func bigText(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	n := r.GetInt("n", 0)
	if n < 0 {
		return mcp.NewToolResultError("n must not be negative"), nil
	}
	return mcp.NewToolResultText(strings.Repeat(r.GetString("text", "x"), n)), nil
}

func image(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return mcp.NewToolResultImage("a pixel", base64.StdEncoding.EncodeToString(PNG), "image/png"), nil
}

func structured(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return mcp.NewToolResultStructured(json.RawMessage(Structured), "see the structured content"), nil
}

func mixed(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	data := base64.StdEncoding.EncodeToString(PNG)
	return &mcp.CallToolResult{Content: []mcp.Content{
		mcp.NewTextContent("first"),
		mcp.NewImageContent(data, "image/png"),
		mcp.NewAudioContent(data, "audio/wav"),
		mcp.NewResourceLink("file:///notes.txt", "notes", "Some notes.", "text/plain"),
		mcp.NewEmbeddedResource(mcp.TextResourceContents{URI: "file:///a.txt", MIMEType: "text/plain", Text: "embedded"}),
		mcp.NewEmbeddedResource(mcp.BlobResourceContents{URI: "file:///a.png", MIMEType: "image/png", Blob: data}),
		mcp.NewTextContent("last"),
	}}, nil
}

func panics(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	panic("handler fault")
}

func progress(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	steps := r.GetInt("steps", 0)
	if r.Params.Meta == nil || r.Params.Meta.ProgressToken == nil {
		return mcp.NewToolResultText("nobody asked for progress"), nil
	}
	written := mark(ctx)
	for i := range steps {
		err := server.ServerFromContext(ctx).SendNotificationToClient(ctx, "notifications/progress", map[string]any{
			"progressToken": r.Params.Meta.ProgressToken,
			"progress":      i + 1,
			"total":         steps,
			"message":       fmt.Sprintf("step %d", i+1),
		})
		if err != nil {
			return nil, err
		}
	}
	if err := written(steps); err != nil {
		return nil, err
	}
	return mcp.NewToolResultText("done"), nil
}

func environment(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	variables := make(map[string]string)
	for _, entry := range os.Environ() {
		name, value, _ := strings.Cut(entry, "=")
		variables[name] = value
	}
	return textJSON(variables)
}

func textJSON(v any) (*mcp.CallToolResult, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return mcp.NewToolResultText(string(text)), nil
}
