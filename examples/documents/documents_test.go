package main

import (
	"context"
	"hash/fnv"
	"os/exec"
	"strings"
	"testing"
	"unicode"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/llms"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/documents"
	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/toolset"
)

func TestMain(m *testing.M) {
	mcptest.Register("kitchen", kitchen)
	mcptest.Main(m)
}

// kitchen has three recipes, one of which cannot be read.
func kitchen(s *mcptest.Server) {
	for uri, text := range map[string]string{
		"recipe://bread": "Bread needs flour, water and salt.\n\nThe oven has to be hot: {{.degrees}} degrees.",
		"recipe://soup":  "Soup needs leek and potatoes. It is cooked for twenty minutes.",
		"recipe://torn":  "",
	} {
		s.AddResource(mcp.NewResource(uri, uri, mcp.WithMIMEType("text/plain")), func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			if text == "" {
				return nil, context.DeadlineExceeded
			}
			return []mcp.ResourceContents{mcp.TextResourceContents{URI: uri, MIMEType: "text/plain", Text: text}}, nil
		})
	}
}

// words is an embedding by the words of a text, each in a place of its own.
type words struct{}

func (words) EmbedQuery(_ context.Context, text string) ([]float32, error) {
	vector := make([]float32, 256)
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		place := fnv.New32a()
		place.Write([]byte(word))
		vector[place.Sum32()%256]++
	}
	return vector, nil
}

func (w words) EmbedDocuments(ctx context.Context, texts []string) ([][]float32, error) {
	var vectors [][]float32
	for _, text := range texts {
		vector, err := w.EmbedQuery(ctx, text)
		if err != nil {
			return nil, err
		}
		vectors = append(vectors, vector)
	}
	return vectors, nil
}

func TestH6_APassageIsFoundAgain(t *testing.T) {
	t.Parallel()
	cfg, err := config.NewInProcess(mcptest.New(t, mcptest.Setup("kitchen")).MCPServer).Build()
	require.NoError(t, err)
	ts, err := toolset.New(cfg)
	require.NoError(t, err)
	defer ts.Close()
	store := &memoryStore{embedder: words{}}
	require.NoError(t, index(t.Context(), ts, store))

	for question, uri := range map[string]string{
		"Is the oven hot?":            "recipe://bread",
		"What are the potatoes for?":  "recipe://soup",
		"How many minutes is it for?": "recipe://soup",
	} {
		found, err := store.SimilaritySearch(t.Context(), question, 1)
		require.NoError(t, err)
		require.Len(t, found, 1)
		assert.Equal(t, uri, found[0].Metadata[documents.KeyURI], question)
		assert.Positive(t, found[0].Score)
	}

	model := mcptest.NewModel(mcptest.Say("very hot"))
	said, err := answer(t.Context(), model, store, "Is the oven hot?")
	require.NoError(t, err)
	assert.Equal(t, "very hot", said)
	asked := model.Asked.All()[0].Messages[0].Parts[0].(llms.TextContent).Text
	assert.Contains(t, asked, "The oven has to be hot: {{.degrees}} degrees.", "the passage reaches the model as it stands")
}

func TestTheWholeProgramRuns(t *testing.T) {
	t.Parallel()
	child := mcptest.Command(t, mcptest.Setup("kitchen"))
	// A child gets a minimal environment, so env sets what this one needs.
	env, err := exec.LookPath("env")
	if err != nil {
		t.Skip("there is no command env here")
	}
	var command []string
	for name, value := range child.Env {
		command = append(command, name+"="+value)
	}
	command = append(append(command, child.Command), child.Args...)
	said, err := run(t.Context(), mcptest.NewModel(mcptest.Say("leek")), words{}, "What does soup need?", env, command...)
	require.NoError(t, err)
	assert.Equal(t, "leek", said)

	_, err = run(t.Context(), mcptest.NewModel(), words{}, "x", "no-such-command-anywhere")
	assert.ErrorContains(t, err, "no-such-command-anywhere")
}
