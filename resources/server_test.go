package resources_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/mcptoolset/mcptoolset/resources"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// open connects to a server in this process for the time of a test.
func open(t *testing.T, s *server.MCPServer) *connected {
	t.Helper()
	c, err := connect(t.Context(), s)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.client.Close()) })
	return c
}

// raw is a server that answers with whatever it is given: lists by method and
// cursor, reads by URI. What it is not given, it rejects.
type raw struct {
	pages map[string]string // "resources/list" or "resources/list c1"
	reads map[string]string
	fail  map[string]error // by the same keys; goes before the answers

	mu    sync.Mutex
	asked []string
}

var errGone = errors.New("connection reset")

func (r *raw) Page(ctx context.Context, method, cursor string) (json.RawMessage, error) {
	key := method
	if cursor != "" {
		key += " " + cursor
	}
	return r.answer(ctx, key, r.pages, mcp.METHOD_NOT_FOUND)
}

func (r *raw) Read(ctx context.Context, uri string) (json.RawMessage, error) {
	return r.answer(ctx, uri, r.reads, mcp.RESOURCE_NOT_FOUND)
}

func (r *raw) Rejected(err error) bool { return (*connected)(nil).Rejected(err) }

func (r *raw) answer(ctx context.Context, key string, from map[string]string, code int) (json.RawMessage, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked = append(r.asked, key)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := r.fail[key]; err != nil {
		return nil, err
	}
	if text, ok := from[key]; ok {
		return json.RawMessage(text), nil
	}
	return nil, reject(code, "there is no "+key)
}

func reject(code int, message string) error {
	return &rejection{&mcp.JSONRPCErrorDetails{Code: code, Message: message}}
}

// log returns what the server was asked for, and forgets it.
func (r *raw) log() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	asked := r.asked
	r.asked = nil
	return asked
}

// tool returns one of the tools.
func tool(t require.TestingT, name string, o resources.Options) resources.Tool {
	tools := resources.Tools(o)
	i := slices.IndexFunc(tools, func(t resources.Tool) bool { return t.Name == name })
	require.GreaterOrEqual(t, i, 0, name)
	return tools[i]
}

// run calls a tool and wants an observation that is no failure.
func run(t testing.TB, s resources.Server, name, arguments string, o resources.Options) string {
	t.Helper()
	text, err := tool(t, name, o).Run(t.Context(), s, json.RawMessage(arguments))
	require.NoError(t, err, text)
	return text
}

// refused calls a tool and wants an observation of a failure, with its cause.
func refused(t testing.TB, s resources.Server, name, arguments string, o resources.Options) (string, error) {
	t.Helper()
	text, err := tool(t, name, o).Run(t.Context(), s, json.RawMessage(arguments))
	require.Error(t, err, text)
	require.Regexp(t, `^Error: `, text)
	return text, err
}

// page is the JSON a list tool answers with.
type page struct {
	Resources         []map[string]any
	ResourceTemplates []map[string]any
	NextCursor        string
	Note              string
}

func pageOf(t require.TestingT, text string) (p page) {
	require.NoError(t, json.Unmarshal([]byte(text), &p), text)
	return p
}

// shelf is a real server with n resources, a template, a binary and a broken
// resource.
func shelf(n, perPage int) *server.MCPServer {
	s := server.NewMCPServer("shelf", "1", server.WithPaginationLimit(perPage), server.WithResourceCapabilities(false, false))
	for i := range n {
		uri := fmt.Sprintf("data://v1/%03d", i)
		s.AddResource(mcp.NewResource(uri, fmt.Sprintf("item %03d", i), mcp.WithMIMEType("text/plain"), mcp.WithResourceSize(9007199254740993)),
			text("body of "+uri))
	}
	s.AddResource(mcp.NewResource("img://1", "picture", mcp.WithMIMEType("image/png")),
		func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{mcp.BlobResourceContents{URI: "img://1", MIMEType: "image/png", Blob: "iVBORw=="}}, nil
		})
	s.AddResource(mcp.NewResource("bad://1", "unreadable"),
		func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			return nil, errors.New("disk on fire")
		})
	s.AddResourceTemplate(mcp.NewResourceTemplate("user://{id}/notes{?q}", "notes", mcp.WithTemplateDescription("a user's notes")),
		func(_ context.Context, r mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{mcp.TextResourceContents{URI: r.Params.URI, Text: fmt.Sprintf("notes by %v", r.Params.Arguments["id"])}}, nil
		})
	return s
}

func text(body string) server.ResourceHandlerFunc {
	return func(_ context.Context, r mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
		return []mcp.ResourceContents{mcp.TextResourceContents{URI: r.Params.URI, Text: body}}, nil
	}
}
