package integration

import (
	"encoding/base64"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/chains"
	"github.com/tmc/langchaingo/llms"
	lcprompts "github.com/tmc/langchaingo/prompts"
	"github.com/tmc/langchaingo/textsplitter"

	"github.com/mcptoolset/mcptoolset/documents"
	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/prompts"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// What server-everything has to read and to say, in the owner's code.
func TestH6_NPM_EverythingReadAndPrompted(t *testing.T) {
	t.Parallel()
	for name, describe := range everythingKinds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ts := open(t, describe(t))
			checkEverythingDocuments(t, ts)
			checkEverythingPrompts(t, ts)
			checkEverythingInstructions(t, ts)
		})
	}
}

func checkEverythingDocuments(t *testing.T, ts *toolset.Toolset) {
	const features = "demo://resource/static/document/features.md"
	loader, err := documents.New(ts,
		documents.WithURIPatterns("demo://resource/static/*"),
		documents.WithMIMETypes("text/*"),
		documents.WithURIs("demo://resource/dynamic/text/7", "demo://resource/dynamic/blob/8", "demo://nothing/here"))
	require.NoError(t, err)
	result, err := loader.Read(t.Context())
	require.NoError(t, err)

	byURI := map[string]string{}
	for _, d := range result.Documents {
		byURI[d.Metadata[documents.KeyURI].(string)] = d.PageContent
		assert.Equal(t, "everything", d.Metadata[documents.KeyServer])
		if d.Metadata[documents.KeyURI] == features {
			assert.Equal(t, "features.md", d.Metadata[documents.KeyName])
			assert.Equal(t, "text/markdown", d.Metadata[documents.KeyMIMEType])
		}
	}
	assert.Contains(t, byURI[features], "# Everything Server")
	assert.Contains(t, byURI["demo://resource/dynamic/text/7"], "Resource 7: This is a plaintext resource")
	assert.Greater(t, len(byURI), 3)

	require.Len(t, result.Skipped, 2)
	assert.Equal(t, "demo://resource/dynamic/blob/8", result.Skipped[0].URI)
	assert.Equal(t, documents.Binary, result.Skipped[0].Reason)
	assert.Equal(t, "demo://nothing/here", result.Skipped[1].URI)
	assert.Equal(t, documents.Failed, result.Skipped[1].Reason)

	parts, err := loader.LoadAndSplit(t.Context(), textsplitter.NewRecursiveCharacter(textsplitter.WithChunkSize(300), textsplitter.WithChunkOverlap(0)))
	require.NoError(t, err)
	assert.Greater(t, len(parts), len(result.Documents))
	for _, part := range parts {
		assert.Contains(t, byURI, part.Metadata[documents.KeyURI])
	}
}

func checkEverythingPrompts(t *testing.T, ts *toolset.Toolset) {
	weather, err := prompts.New(t.Context(), ts, "args-prompt")
	require.NoError(t, err)
	assert.Equal(t, []string{"city"}, weather.GetInputVariables(), "the state may be missing")
	_, err = weather.Format(nil)
	require.ErrorIs(t, err, toolset.ErrPromptArguments)
	assert.ErrorContains(t, err, `"city"`)

	model := mcptest.NewModel(mcptest.Say("rain"), mcptest.Say("sun"))
	for i, template := range []*prompts.Template{weather, weather.With(map[string]any{"state": "{x}"})} {
		_, err = chains.Run(t.Context(), chains.NewLLMChain(model, template.WithContext(t.Context())), "{{.Austin}}")
		require.NoError(t, err)
		asked := model.Asked.All()[i].Messages[0].Parts[0].(llms.TextContent).Text
		assert.Contains(t, asked, []string{"{{.Austin}}", "{{.Austin}}, {x}"}[i])
	}

	simple, err := ts.GetPrompt(t.Context(), "simple-prompt", nil)
	require.NoError(t, err)
	messages, notes := prompts.Messages(simple, toolset.ImageBinary)
	assert.Nil(t, notes)
	require.Len(t, messages, 1)
	assert.Equal(t, llms.ChatMessageTypeHuman, messages[0].Role)

	embedded, err := prompts.New(t.Context(), ts, "resource-prompt")
	require.NoError(t, err)
	for kind, want := range map[string]string{"Text": "Resource 3: This is a plaintext resource", "Blob": "binary; size: "} {
		value, err := embedded.Get(t.Context(), map[string]any{"resourceType": kind, "resourceId": 3})
		require.NoError(t, err)
		assert.Contains(t, value.String(), want)
		assert.NotContains(t, value.String(), base64.StdEncoding.EncodeToString([]byte("Resource 3")), "base64 is nothing for a model")
	}
	_, err = embedded.Format(map[string]any{"resourceType": "Smell", "resourceId": 3})
	var fault *toolset.Error
	require.ErrorAs(t, err, &fault)
	assert.Contains(t, err.Error(), "Smell", "the server's own words")
}

func checkEverythingInstructions(t *testing.T, ts *toolset.Toolset) {
	info, err := ts.ServerInfo(t.Context())
	require.NoError(t, err)
	plain, err := prompts.Instructions(info, "")
	require.NoError(t, err)
	assert.Contains(t, plain, `The server "mcp-servers/everything" says`)
	for _, format := range []lcprompts.TemplateFormat{lcprompts.TemplateFormatGoTemplate, lcprompts.TemplateFormatFString, lcprompts.TemplateFormatJinja2} {
		template, err := prompts.Instructions(info, format)
		require.NoError(t, err)
		said, err := lcprompts.RenderTemplate(template, format, nil)
		require.NoError(t, err)
		assert.Equal(t, plain, said)
	}
}
