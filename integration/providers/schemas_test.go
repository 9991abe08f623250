package providers

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/llms"

	"github.com/mcptoolset/mcptoolset/toolset"
)

// What each provider's API is shown of the server's tools. That it takes all of
// them, its own rules tell; here is what the hardest look like on the wire.

// shows compares what an API got with the schemas, by the server's names.
func (p provider) shows(t *testing.T, want map[string]string) {
	t.Helper()
	r := p.begin(t, nil)
	_, err := r.model.GenerateContent(t.Context(), []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeHuman, question)},
		llms.WithTools(toolset.Definitions(r.tools, toolset.WithModel(r.model))))
	require.Empty(t, r.refused())
	require.NoError(t, err)
	plain := r.sent()[0].tools
	_, err = r.boundLoop(t, false)
	require.NoError(t, err)
	assert.Equal(t, plain, r.sent()[1].tools, "Bind and Definitions show the same")

	profiled := toolset.Definitions(r.tools, toolset.WithProfile(p.profile))
	require.Len(t, plain, len(profiled))
	seen := map[string]string{}
	for i, d := range plain {
		assert.Equal(t, profiled[i].Function.Name, d.name)
		assert.Equal(t, profiled[i].Function.Description, d.description)
		seen[d.name] = string(d.parameters)
	}
	for tool, schema := range want {
		assert.JSONEq(t, schema, seen[r.shown(t, tool)], tool)
	}
	assert.Contains(t, seen, "_2fa_check")
	assert.Contains(t, seen, "plan_gr__e_v2")
}

const (
	topNote  = `The server's name for it is \"$top\".`
	nameNote = `The server's name for it is \"filter[name]\".`
)

// claudes are what Anthropic and Bedrock are shown.
var claudes = map[string]string{
	"search": `{"type":"object","required":["_top","filter_name_"],"properties":{
		"_top":{"type":"integer","minimum":1,"maximum":50,"description":"` + topNote + `"},
		"filter_name_":{"type":"string","minLength":1,"description":"` + nameNote + `"},
		"where":{"type":"object","additionalProperties":false,"required":["op"],"properties":{
			"op":{"type":"string","enum":["eq","ne"]},"value":{"type":["string","null"]}}},
		"order":{"type":["string","null"],"enum":["up","down",null]}}}`,
	"either": `{"type":"object","properties":{"id":{"type":"integer"},"name":{"type":"string"}}}`,
	"odd":    oddSchema,
	"now":    `{"type":"object","properties":{}}`,
}

func TestC6_OpenAI_SchemasOnTheWire(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"search": `{"type":"object","required":["$top","filter[name]"],"properties":{
			"$top":{"type":"integer","minimum":1,"maximum":50},"filter[name]":{"type":"string","minLength":1},
			"where":{"type":"object","additionalProperties":false,"required":["op"],"properties":{
				"op":{"type":"string","enum":["eq","ne"]},"value":{"type":["string","null"]}}},
			"order":{"type":["string","null"],"enum":["up","down",null]}}}`,
		"ledger": ledgerSchema,
		planName: planSchema,
		"odd":    oddSchema,
		"now":    `{"type":"object","properties":{}}`,
	}
	openAI.shows(t, want)
	ollama.shows(t, want)
}

func TestC6_Anthropic_SchemasOnTheWire(t *testing.T) { t.Parallel(); claude.shows(t, claudes) }
func TestC6_Bedrock_SchemasOnTheWire(t *testing.T)   { t.Parallel(); bedrockAWS.shows(t, claudes) }

func TestC6_Googleai_SchemasOnTheWire(t *testing.T) {
	t.Parallel()
	google.shows(t, map[string]string{
		"search": `{"type":"OBJECT","required":["_top","filter_name_"],"properties":{
			"_top":{"type":"INTEGER","description":"Minimum: 1. Maximum: 50. ` + topNote + `"},
			"filter_name_":{"type":"STRING","description":"At least 1 character. ` + nameNote + `"},
			"where":{"type":"OBJECT","required":["op"],"properties":{
				"op":{"type":"STRING","description":"Allowed values: \"eq\", \"ne\"."},"value":{"type":"STRING","description":"May be null."}}},
			"order":{"type":"STRING","description":"Allowed values: \"up\", \"down\". May be null."}}}`,
		planName: `{"type":"OBJECT","required":["plan"],"properties":{"plan":{"type":"OBJECT","required":["stages"],"properties":{
			"stages":{"type":"ARRAY","items":{"type":"OBJECT","required":["jobs"],"properties":{
			"jobs":{"type":"STRING","description":"JSON text in a string, of the form: {step: {on: boolean, $id?: integer}}[]."}}}}}}}}`,
	})
}

func TestC6_Vertex_SchemasOnTheWire(t *testing.T) {
	t.Parallel()
	vertexAI.shows(t, map[string]string{
		"search": `{"type":"OBJECT","required":["_top","filter_name_"],"properties":{
			"_top":{"type":"INTEGER","description":"Minimum: 1. Maximum: 50. ` + topNote + `"},
			"filter_name_":{"type":"STRING","description":"At least 1 character. ` + nameNote + `"},
			"where":{"type":"STRING","description":"JSON text in a string, of the form: {op: \"eq\"|\"ne\", value?: string|null}."},
			"order":{"type":"STRING","description":"Allowed values: \"up\", \"down\". May be null."}}}`,
		planName: `{"type":"OBJECT","required":["plan"],"properties":{
			"plan":{"type":"STRING","description":"JSON text in a string, of the form: {stages: {jobs: {step: {on: boolean, $id?: integer}}[]}[]}."}}}`,
	})
}
