package resources_test

import (
	"encoding/json"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/internal/args"
	"github.com/mcptoolset/mcptoolset/internal/schema"
	"github.com/mcptoolset/mcptoolset/resources"
)

func TestH1_NamesAndOrder(t *testing.T) {
	t.Parallel()
	want := []string{"list_mcp_resources", "list_mcp_resource_templates", "load_mcp_resource"}
	assert.Equal(t, want, resources.Names())
	var got []string
	for _, tool := range resources.Tools(resources.Options{}) {
		got = append(got, tool.Name)
		assert.NotEmpty(t, tool.Description)
		assert.LessOrEqual(t, len(tool.Description), 1_024)
		assert.NotRegexp(t, regexp.MustCompile(`[\r\n]|\{\{`), tool.Description)
		assert.True(t, json.Valid(tool.Schema))
	}
	assert.Equal(t, want, got)
}

func TestH1_WhatIsGivenOutIsTheCallers(t *testing.T) {
	t.Parallel()
	names, tools := resources.Names(), resources.Tools(resources.Options{})
	names[0], tools[0].Name, tools[0].Schema[0] = "changed", "changed", '['
	assert.Equal(t, "list_mcp_resources", resources.Names()[0])
	assert.Equal(t, "list_mcp_resources", resources.Tools(resources.Options{})[0].Name)
	assert.True(t, json.Valid(resources.Tools(resources.Options{})[0].Schema))
	assert.True(t, json.Valid(resources.Tools(resources.Options{})[1].Schema))
}

// TestH3_WhatModelsWriteReachesTheTools takes the way of a model's text through
// the check of arguments that toolset makes.
func TestH3_WhatModelsWriteReachesTheTools(t *testing.T) {
	t.Parallel()
	s := named(`{"uri":"a://1","name":"A"}`, `{"uriTemplate":"t://{id}","name":"T"}`, "a://1", "t://7", "t://7,8")
	s.reads["a://2"] = `{"contents":[{"text":"0123456789"}]}`
	for _, c := range []struct{ tool, text, want string }{
		{resources.ListResources, ``, `{"resources":[{"name":"A","uri":"a://1"}]}`},
		{resources.ListResources, `None`, `{"resources":[{"name":"A","uri":"a://1"}]}`},
		{resources.ListTemplates, "```json\n{}\n```", `{"resourceTemplates":[{"name":"T","uriTemplate":"t://{id}"}]}`},
		{resources.LoadResource, `{"uri": "a://1", "name": null, "offset": null, "variables": null}`, "read a://1"},
		{resources.LoadResource, `{"uri": "a://1", "name": "", "variables": {}}`, "read a://1"},
		{resources.LoadResource, `{"uri": "a://2", "offset": "5"}`, "56789\n[characters 6 to 10 of 10 shown: this is the end]"},
		{resources.LoadResource, `{"name": "T", "variables": "{\"id\": 7}"}`, "read t://7"},
		{resources.LoadResource, `{"uri": "t://{id}", "variables": {"id": [7, 8], "other": null}}`, "read t://7,8"},
	} {
		tool := tool(t, c.tool, resources.Options{})
		arguments, err := args.New(tool.Schema).Parse(c.text)
		require.NoError(t, err, c.text)
		said, err := tool.Run(t.Context(), s, arguments)
		require.NoError(t, err, c.text)
		assert.Equal(t, c.want, said, c.text)
	}
	for _, wrong := range []string{`{"uri":"a://1","offset":-1}`, `{"uri":["a://1"]}`, `{"uri":"a://1","variables":[1]}`} {
		_, err := args.New(tool(t, resources.LoadResource, resources.Options{}).Schema).Parse(wrong)
		require.Error(t, err, wrong)
	}
}

func TestH1_SignaturesForTextAgents(t *testing.T) {
	t.Parallel()
	var got []string
	for _, tool := range resources.Tools(resources.Options{}) {
		assert.Empty(t, args.New(tool.Schema).Unchecked())
		got = append(got, schema.Signature(tool.Schema, 0))
	}
	assert.Equal(t, []string{"{cursor?: string}", "{cursor?: string}", "{uri?: string, name?: string, offset?: integer, variables?: object}"}, got)
}
