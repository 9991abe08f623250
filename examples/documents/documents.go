// Command documents answers a question from what an MCP server has to read: its
// resources are split, put into a vector store and found again.
//
//	OPENAI_API_KEY=… go run ./examples/documents "How is the server structured?" npx -y @modelcontextprotocol/server-everything
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/tmc/langchaingo/chains"
	"github.com/tmc/langchaingo/embeddings"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/openai"
	"github.com/tmc/langchaingo/textsplitter"
	"github.com/tmc/langchaingo/vectorstores"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/documents"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// index puts the server's texts into a store. A resource that cannot be read
// keeps none of the others out.
func index(ctx context.Context, ts *toolset.Toolset, store vectorstores.VectorStore) error {
	loader, err := documents.New(ts,
		documents.WithMIMETypes("text/*"),
		documents.WithOnSkip(func(_ context.Context, s documents.Skipped) { log.Print("left out: ", s) }))
	if err != nil {
		return err
	}
	splitter := textsplitter.NewRecursiveCharacter(textsplitter.WithChunkSize(1000), textsplitter.WithChunkOverlap(100))
	docs, err := loader.LoadAndSplit(ctx, splitter)
	if err != nil {
		return err
	}
	_, err = store.AddDocuments(ctx, docs)
	return err
}

// answer has the model answer from the three passages that are nearest.
func answer(ctx context.Context, llm llms.Model, store vectorstores.VectorStore, question string) (string, error) {
	return chains.Run(ctx, chains.NewRetrievalQAFromLLM(llm, vectorstores.ToRetriever(store, 3)), question)
}

func main() {
	if len(os.Args) < 3 {
		log.Fatal("ask a question, and name the command of an MCP server")
	}
	llm, err := openai.New(openai.WithEmbeddingModel("text-embedding-3-small"))
	if err != nil {
		log.Fatal(err)
	}
	embedder, err := embeddings.NewEmbedder(llm)
	if err != nil {
		log.Fatal(err)
	}
	said, err := run(context.Background(), llm, embedder, os.Args[1], os.Args[2], os.Args[3:]...)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(said)
}

func run(ctx context.Context, llm llms.Model, embedder embeddings.Embedder, question, command string, args ...string) (string, error) {
	cfg, err := config.NewStdio(command, args...).Build()
	if err != nil {
		return "", err
	}
	ts, err := toolset.New(cfg)
	if err != nil {
		return "", err
	}
	defer ts.Close()
	store := &memoryStore{embedder: embedder}
	if err := index(ctx, ts, store); err != nil {
		return "", err
	}
	return answer(ctx, llm, store, question)
}
