package providers

import (
	"encoding/base64"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/llms"

	"github.com/mcptoolset/mcptoolset/toolset"
)

// The model reads of an image in an observation. It sees it where the owner
// puts it into a message after that, in the form the provider takes.
func (p provider) seesImages(t *testing.T) {
	t.Helper()
	r := p.begin(t, []leg{{errands: []errand{same("draw", `{}`)}}})
	bound := toolset.Bind(r.model, r.tools, toolset.WithOfferAll())
	messages := []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeHuman, question)}
	response, err := bound.GenerateContent(t.Context(), messages)
	require.NoError(t, err)
	more, err := toolset.Respond(t.Context(), r.tools, response)
	require.NoError(t, err)
	result, err := r.set.CallTool(t.Context(), "draw", nil)
	require.NoError(t, err)
	images, err := result.Images(p.image)
	require.NoError(t, err)
	parts := append([]llms.ContentPart{llms.TextPart("This is what was drawn.")}, images...)
	messages = append(append(messages, more...), llms.MessageContent{Role: llms.ChatMessageTypeHuman, Parts: parts})
	_, err = bound.GenerateContent(t.Context(), messages)
	require.Empty(t, r.refused())
	require.NoError(t, err)

	encoded := base64.StdEncoding.EncodeToString(pixel)
	last := r.sent()[1]
	assert.Equal(t, []part{imagePart("image/png", encoded)}, last.of(anImage))
	observation := last.of(anAnswer)[0].text
	assert.Contains(t, observation, "A point.")
	assert.Contains(t, observation, "image/png")
	assert.NotContains(t, observation, encoded)
}

func TestE3_OpenAI_Images(t *testing.T)    { t.Parallel(); openAI.seesImages(t) }
func TestE3_Ollama_Images(t *testing.T)    { t.Parallel(); ollama.seesImages(t) }
func TestE3_Anthropic_Images(t *testing.T) { t.Parallel(); claude.seesImages(t) }
func TestE3_Bedrock_Images(t *testing.T)   { t.Parallel(); bedrockAWS.seesImages(t) }
func TestE3_Googleai_Images(t *testing.T)  { t.Parallel(); google.seesImages(t) }
func TestE3_Vertex_Images(t *testing.T)    { t.Parallel(); vertexAI.seesImages(t) }
