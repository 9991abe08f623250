package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/tmc/langchaingo/embeddings"
	"github.com/tmc/langchaingo/schema"
	"github.com/tmc/langchaingo/vectorstores"
)

// memoryStore is the smallest vector store there can be: it lives as long as
// the program, and a search looks at everything. LangChainGo has real ones.
type memoryStore struct {
	embedder embeddings.Embedder
	entries  []entry
}

type entry struct {
	document schema.Document
	vector   []float32
}

var _ vectorstores.VectorStore = (*memoryStore)(nil)

// AddDocuments implements vectorstores.VectorStore. It takes no options.
func (s *memoryStore) AddDocuments(ctx context.Context, docs []schema.Document, _ ...vectorstores.Option) ([]string, error) {
	texts := make([]string, len(docs))
	for i, d := range docs {
		texts[i] = d.PageContent
	}
	vectors, err := s.embedder.EmbedDocuments(ctx, texts)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(docs))
	for i, d := range docs {
		ids[i] = fmt.Sprint(len(s.entries))
		s.entries = append(s.entries, entry{d, vectors[i]})
	}
	return ids, nil
}

// SimilaritySearch implements vectorstores.VectorStore. It takes no options.
func (s *memoryStore) SimilaritySearch(ctx context.Context, query string, n int, _ ...vectorstores.Option) ([]schema.Document, error) {
	vector, err := s.embedder.EmbedQuery(ctx, query)
	if err != nil {
		return nil, err
	}
	var found []schema.Document
	for _, e := range s.entries {
		e.document.Score = cosine(vector, e.vector)
		found = append(found, e.document)
	}
	slices.SortStableFunc(found, func(a, b schema.Document) int { return cmp.Compare(b.Score, a.Score) })
	return found[:min(n, len(found))], nil
}

// cosine tells how near two vectors are: 1 is the same direction.
func cosine(a, b []float32) float32 {
	var dot, lengthA, lengthB float64
	for i := range min(len(a), len(b)) {
		x, y := float64(a[i]), float64(b[i])
		dot, lengthA, lengthB = dot+x*y, lengthA+x*x, lengthB+y*y
	}
	if lengthA == 0 || lengthB == 0 {
		return 0
	}
	return float32(dot / math.Sqrt(lengthA*lengthB))
}
