package providers

import "testing"

func TestO10_OpenAI_Conversations(t *testing.T)    { t.Parallel(); openAI.conversations(t) }
func TestO10_Ollama_Conversations(t *testing.T)    { t.Parallel(); ollama.conversations(t) }
func TestO10_Anthropic_Conversations(t *testing.T) { t.Parallel(); claude.conversations(t) }
func TestO10_Bedrock_Conversations(t *testing.T)   { t.Parallel(); bedrockAWS.conversations(t) }
func TestO10_Googleai_Conversations(t *testing.T)  { t.Parallel(); google.conversations(t) }
func TestO10_Vertex_Conversations(t *testing.T)    { t.Parallel(); vertexAI.conversations(t) }

func TestE5_OpenAI_FaultsOfTheModel(t *testing.T)    { t.Parallel(); openAI.faulty(t) }
func TestE5_Ollama_FaultsOfTheModel(t *testing.T)    { t.Parallel(); ollama.faulty(t) }
func TestE5_Anthropic_FaultsOfTheModel(t *testing.T) { t.Parallel(); claude.faulty(t) }
func TestE5_Bedrock_FaultsOfTheModel(t *testing.T)   { t.Parallel(); bedrockAWS.faulty(t) }
func TestE5_Googleai_FaultsOfTheModel(t *testing.T)  { t.Parallel(); google.faulty(t) }
func TestE5_Vertex_FaultsOfTheModel(t *testing.T)    { t.Parallel(); vertexAI.faulty(t) }
