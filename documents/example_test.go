package documents_test

import (
	"context"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/tmc/langchaingo/textsplitter"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/documents"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// newShelf is a server with three resources.
func newShelf() *server.MCPServer {
	s := server.NewMCPServer("shelf", "1.0.0")
	add(s, mcp.NewResource("docs://bread", "bread", mcp.WithMIMEType("text/markdown")), "Mix flour and water.\n\nBake for an hour.")
	add(s, mcp.NewResource("docs://soup", "soup", mcp.WithMIMEType("text/markdown")), "Cut the leek.")
	s.AddResource(mcp.NewResource("docs://photo", "photo"), func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
		return []mcp.ResourceContents{blob("docs://photo")}, nil
	})
	return s
}

func Example() {
	ctx := context.Background()
	cfg, err := config.NewInProcess(newShelf()).Name("shelf").Build()
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

	loader, err := documents.New(ts,
		documents.WithURIPatterns("docs://*"),
		documents.WithOnSkip(func(_ context.Context, s documents.Skipped) { fmt.Println("left out:", s) }))
	if err != nil {
		fmt.Println(err)
		return
	}
	splitter := textsplitter.NewRecursiveCharacter(textsplitter.WithChunkSize(25), textsplitter.WithChunkOverlap(0))
	docs, err := loader.LoadAndSplit(ctx, splitter)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, doc := range docs {
		fmt.Printf("%s of %s: %s\n", doc.Metadata[documents.KeyURI], doc.Metadata[documents.KeyServer], doc.PageContent)
	}
	// Output:
	// left out: resource "docs://photo", content 0: binary: 18 bytes
	// docs://bread of shelf: Mix flour and water.
	// docs://bread of shelf: Bake for an hour.
	// docs://soup of shelf: Cut the leek.
}
