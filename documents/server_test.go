package documents_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/schema"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/toolset"
)

func TestMain(m *testing.M) {
	mcptest.Register("library", func(s *mcptest.Server) { library(s.MCPServer) })
	mcptest.Main(m)
}

// picture is what no document may show.
var picture = []byte("\x89PNG\r\n\x1a\n and so on")

// library has resources of every kind, good and bad.
func library(s *server.MCPServer) {
	add(s, mcp.NewResource("file:///docs/a.md", "a.md", mcp.WithResourceTitle("The first"), mcp.WithMIMEType("text/markdown; charset=utf-8")),
		"# Größe\n\n{{.x}} {% y %}\n")
	add(s, mcp.NewResource("file:///docs/deep/b.txt", "b.txt", mcp.WithMIMEType("TEXT/plain")), "second")
	s.AddResource(mcp.NewResource("file:///docs/broken.txt", "broken.txt", mcp.WithMIMEType("text/plain")),
		func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			return nil, errors.New("the disk is on fire")
		})
	s.AddResource(mcp.NewResource("file:///docs/c.png", "c.png", mcp.WithMIMEType("image/png")),
		func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{blob("file:///docs/c.png")}, nil
		})
	add(s, mcp.NewResource("note://blank", "blank"), " \n")
	s.AddResource(mcp.NewResource("note://several", "several"),
		func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{
				mcp.TextResourceContents{URI: "note://several/1", MIMEType: "text/plain", Text: "one"},
				blob("note://several/2"),
				mcp.TextResourceContents{URI: "note://several", Text: "three"},
			}, nil
		})
	add(s, mcp.NewResource("note://typeless", "typeless"), "nobody says what this is")
	add(s, mcp.NewResource("note://json", "json", mcp.WithMIMEType("application/json")), `{"id":9007199254740993}`)
}

func blob(uri string) mcp.ResourceContents {
	return mcp.BlobResourceContents{URI: uri, MIMEType: "image/png", Blob: base64.StdEncoding.EncodeToString(picture)}
}

// add adds a resource with one text.
func add(s *server.MCPServer, r mcp.Resource, text string) {
	s.AddResource(r, func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
		return []mcp.ResourceContents{mcp.TextResourceContents{URI: r.URI, MIMEType: r.MIMEType, Text: text}}, nil
	})
}

// open makes a toolset for the time of a test.
func open(t *testing.T, b *config.Builder, opts ...toolset.Option) *toolset.Toolset {
	t.Helper()
	cfg, err := b.Name("library").Build()
	require.NoError(t, err)
	ts, err := toolset.New(cfg, opts...)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, ts.Close()) })
	return ts
}

// inProcess is a toolset over a server with the resources that fill adds.
func inProcess(t *testing.T, fill func(*server.MCPServer)) *toolset.Toolset {
	t.Helper()
	s := server.NewMCPServer("shelf", "1.0.0", server.WithResourceCapabilities(false, false))
	fill(s)
	return open(t, config.NewInProcess(s))
}

// configOf describes a server of any kind.
func configOf(target *mcptest.Target) *config.Builder {
	switch target.Kind {
	case mcptest.Stdio:
		return config.NewStdio(target.Child.Command, target.Child.Args...).Envs(target.Child.Env)
	case mcptest.SSE:
		return config.NewSSE(target.Web.URL)
	case mcptest.StreamableHTTP:
		return config.NewStreamableHTTP(target.Web.URL)
	default:
		return config.NewInProcess(target.Server.MCPServer)
	}
}

// raw is a toolset over a server that answers lists and reads with these JSON
// texts: "resources/list", or a URI. A text that begins with "!" is an error's.
func raw(t *testing.T, answers map[string]string) *toolset.Toolset {
	t.Helper()
	web := mcptest.Raw(t, func(w http.ResponseWriter, r *http.Request, m mcptest.Message) {
		key := m.Method
		if m.Method == "resources/read" {
			var params struct{ URI string }
			_ = json.Unmarshal(m.Params, &params) // what cannot be read has no answer
			key = params.URI
		}
		answer, ok := answers[key]
		switch {
		case m.Method == "initialize":
			mcptest.Reply(w, m, map[string]any{
				"protocolVersion": "2025-06-18", "serverInfo": map[string]any{"name": "raw", "version": "1"},
				"capabilities": map[string]any{"resources": map[string]any{}},
			})
		case !ok:
			mcptest.Default(w, r, m)
		case strings.HasPrefix(answer, "!"):
			mcptest.Refuse(w, m, mcp.RESOURCE_NOT_FOUND, answer[1:])
		default:
			mcptest.Reply(w, m, json.RawMessage(answer))
		}
	})
	return open(t, config.NewStreamableHTTP(web.URL))
}

func texts(docs []schema.Document) []string {
	all := []string{}
	for _, d := range docs {
		all = append(all, d.PageContent)
	}
	return all
}
