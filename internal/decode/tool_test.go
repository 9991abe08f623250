package decode_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/internal/decode"
)

func yes() *bool { b := true; return &b }
func no() *bool  { b := false; return &b }

func TestToolOfReadsEverything(t *testing.T) {
	t.Parallel()
	raw := ` {"name":"get_weather","title":"Weather","description":"Says\nthe weather",
		"inputSchema": {"type":"object", "properties":{"n":{"maximum":9007199254740993}},"anyOf":[{}],"x-vendor":1.50},
		"outputSchema":{"type":"object"},
		"annotations":{"title":"W","readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false},
		"_meta":{"k":1},"icons":[{"src":"x"}],"execution":{"taskSupport":"optional"},"extra":[1]}
	`
	tool, err := decode.ToolOf(json.RawMessage(raw))
	require.NoError(t, err)
	assert.Equal(t, decode.Tool{
		Raw:  json.RawMessage(strings.TrimSpace(raw)),
		Name: "get_weather", Title: "Weather", Description: "Says\nthe weather",
		InputSchema:    json.RawMessage(`{"type":"object", "properties":{"n":{"maximum":9007199254740993}},"anyOf":[{}],"x-vendor":1.50}`),
		OutputSchema:   json.RawMessage(`{"type":"object"}`),
		Annotations:    decode.Annotations{Title: "W", ReadOnly: yes(), Destructive: no(), Idempotent: yes(), OpenWorld: no()},
		AnnotationsRaw: json.RawMessage(`{"title":"W","readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}`),
		Meta:           json.RawMessage(`{"k":1}`),
		Icons:          json.RawMessage(`[{"src":"x"}]`),
		Execution:      json.RawMessage(`{"taskSupport":"optional"}`),
		TaskSupport:    "optional",
	}, tool)
}

func TestO01_SchemasThatAreMissing(t *testing.T) {
	t.Parallel()
	for _, schema := range []string{``, `,"inputSchema":null`} {
		tool, err := decode.ToolOf(json.RawMessage(`{"name":"now"` + schema + `}`))
		require.NoError(t, err)
		assert.Nil(t, tool.InputSchema)
	}
	tool, err := decode.ToolOf(json.RawMessage(`{"name":"now","inputSchema":{}}`))
	require.NoError(t, err)
	assert.Equal(t, `{}`, string(tool.InputSchema))
}

func TestO04_SchemasThatAreUsable(t *testing.T) {
	t.Parallel()
	for _, schema := range []string{
		`{"type":"object"}`, `{"type":["object","null"]}`, `{"type":["string","object"]}`, `{"type":"OBJECT"}`, `{"type":""}`, `{"type":null}`, `{"type":[]}`,
		`{"type":5}`, `{"type":[5]}`, `{"type":{}}`, `{"required":true}`, `{"properties":[]}`, `{"$ref":"#/$defs/x"}`, `{"Type":"string"}`, `{"type":"string","type":"object"}`,
		`{"properties":{"type":{"type":"string"}}}`, `{"anyOf":[{"type":"object"}]}`,
	} {
		tool, err := decode.ToolOf(json.RawMessage(`{"name":"a","inputSchema":` + schema + `}`))
		require.NoError(t, err, schema)
		assert.Equal(t, schema, string(tool.InputSchema))
	}
}

func TestB2_ToolsThatCannotBeUsedSayWhy(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]struct{ reason, name string }{
		`{"name":"a","inputSchema":true}`:                       {"inputSchema is a boolean, not an object", "a"},
		`{"name":"a","inputSchema":"{\"type\":\"object\"}"}`:    {"inputSchema is a string, not an object", "a"},
		`{"name":"a","inputSchema":[]}`:                         {"inputSchema is a list, not an object", "a"},
		`{"name":"a","inputSchema":7}`:                          {"inputSchema is a number, not an object", "a"},
		`{"name":"a","inputSchema":{"type":"string"}}`:          {`inputSchema has the type "string", but arguments are always an object`, "a"},
		`{"name":"a","inputSchema":{"type":["string","null"]}}`: {`inputSchema has the type ["string","null"], but arguments are always an object`, "a"},
		`{"inputSchema":{}}`:                                    {"the tool has no name", ""},
		`{"Name":"a"}`:                                          {"the tool has no name", ""},
		`{}`:                                                    {"the tool has no name", ""},
		`{"name":""}`:                                           {"the tool's name is empty", ""},
		`{"name":" \t\n\u00a0"}`:                                {"the tool's name is empty", " \t\n\u00a0"},
		`{"name":null}`:                                         {"the tool's name is null, not a string", ""},
		`{"name":["a"]}`:                                        {"the tool's name is a list, not a string", ""},
		"{\"name\":\"a\xff\"}":                                  {"the tool's name holds bytes that are not valid Unicode", "a\uFFFD"},
		`{"name":"\ud800"}`:                                     {"the tool's name holds bytes that are not valid Unicode", "\uFFFD"},
		`"a"`:                                                   {"the tool is a string, not an object", ""},
		`null`:                                                  {"the tool is null, not an object", ""},
		`["name"]`:                                              {"the tool is a list, not an object", ""},
		`{"name":"a","inputSchema":true,"annotations":5,"name":""}`: {"the tool's name is empty", ""},
	} {
		tool, err := decode.ToolOf(json.RawMessage(raw))
		require.Error(t, err, raw)
		assert.Equal(t, want.reason, err.Error(), raw)
		assert.Equal(t, want.name, tool.Name, "a report has to name the tool: %s", raw)
		assert.Equal(t, raw, string(tool.Raw))
	}
	for _, raw := range []string{``, `{`, `{"name":"a"}}`, `{"name":"a",}`, `{"name":"a"} {"name":"b"}`} {
		_, err := decode.ToolOf(json.RawMessage(raw))
		require.ErrorContains(t, err, "not JSON", raw)
	}
}

func TestB2_ReasonsAreShort(t *testing.T) {
	t.Parallel()
	_, err := decode.ToolOf(json.RawMessage(`{"name":"a","inputSchema":{"type":"` + strings.Repeat("é", 100_000) + `"}}`))
	require.Error(t, err)
	assert.Less(t, utf8.RuneCountInString(err.Error()), 200)
	assert.True(t, utf8.ValidString(err.Error()))
}

func TestMH15_WrongTypesBesideNameAndSchemaAreNothing(t *testing.T) {
	t.Parallel()
	for _, wrong := range []string{`5`, `"x"`, `true`, `[1]`, `{"a":1}`, `null`} {
		raw := strings.ReplaceAll(`{"title":$,"description":$,"annotations":$,"_meta":$,"icons":$,"execution":$,"outputSchema":$,"name":"a","whatever":$}`, "$", wrong)
		tool, err := decode.ToolOf(json.RawMessage(raw))
		require.NoError(t, err, raw)
		assert.Equal(t, "a", tool.Name)
		assert.Equal(t, decode.Annotations{}, tool.Annotations)
		assert.Empty(t, tool.TaskSupport)
		for _, kept := range []json.RawMessage{tool.AnnotationsRaw, tool.Meta, tool.Icons, tool.Execution, tool.OutputSchema} {
			if wrong == "null" {
				assert.Nil(t, kept)
			} else {
				assert.Equal(t, wrong, string(kept))
			}
		}
		if wrong != `"x"` {
			assert.Empty(t, tool.Title+tool.Description)
		}
	}
}

func TestMH15_HintsOfAWrongTypeSayNothing(t *testing.T) {
	t.Parallel()
	for _, wrong := range []string{`"true"`, `1`, `null`, `[]`, `{}`} {
		raw := strings.ReplaceAll(`{"name":"a","annotations":{"readOnlyHint":$,"destructiveHint":false,"idempotentHint":$,"openWorldHint":$,"title":"t"}}`, "$", wrong)
		tool, err := decode.ToolOf(json.RawMessage(raw))
		require.NoError(t, err)
		assert.Equal(t, decode.Annotations{Title: "t", Destructive: no()}, tool.Annotations, wrong)
	}
	for support, want := range map[string]string{`"required"`: "required", `"forbidden"`: "forbidden", `"Required"`: "", `true`: "", `null`: ""} {
		tool, err := decode.ToolOf(json.RawMessage(`{"name":"a","execution":{"taskSupport":` + support + `}}`))
		require.NoError(t, err)
		assert.Equal(t, want, tool.TaskSupport)
	}
}

func TestC3_OddNamesAreTheServersOwn(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		`"a b/c.d"`: "a b/c.d", `" a"`: " a", `"\u0000"`: "\x00", `"Straße 😀"`: "Straße 😀", `"{{x}}"`: "{{x}}", `"` + strings.Repeat("n", 5000) + `"`: strings.Repeat("n", 5000),
	} {
		tool, err := decode.ToolOf(json.RawMessage(`{"name":` + raw + `}`))
		require.NoError(t, err, raw)
		assert.Equal(t, want, tool.Name)
	}
}

// TestRealServersToolsAreAllUsable reads what public servers list.
func TestRealServersToolsAreAllUsable(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../../shared/corpus/*.json")
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skip("the captures of real servers are not here")
	}
	for _, file := range files {
		capture, err := os.ReadFile(file)
		require.NoError(t, err)
		page, err := decode.ListPage(capture, "tools")
		require.NoError(t, err, file)
		for _, raw := range page.Items {
			tool, err := decode.ToolOf(raw)
			require.NoError(t, err, file)
			var plain struct {
				Name, Title, Description  string
				InputSchema, OutputSchema json.RawMessage
			}
			require.NoError(t, json.Unmarshal(raw, &plain))
			require.Equal(t, plain.Name, tool.Name)
			require.Equal(t, plain.Title, tool.Title)
			require.Equal(t, plain.Description, tool.Description)
			require.Equal(t, string(plain.InputSchema), string(tool.InputSchema))
			require.Equal(t, string(plain.OutputSchema), string(tool.OutputSchema))
			require.Equal(t, string(raw), string(tool.Raw))
		}
	}
}

func FuzzToolOf(f *testing.F) {
	for _, seed := range []string{
		`{"name":"a","title":"t","description":"d","inputSchema":{"type":["object","null"]},"annotations":{"readOnlyHint":true,"title":1}}`,
		`{"name":"a","inputSchema":{"type":["string",5,"objecT"]},"execution":{"taskSupport":"required"},"_meta":1,"icons":[],"outputSchema":true}`,
		`{"name":"a","inputSchema":true}`, `{"name":" "}`, `{"name":5}`, `[]`, `null`, `x`, `{"name":"a"} x`, "{\"name\":\"\xff\"}", "\uFEFF{\"name\":\"\\ud83d\\ude00\"}", `{"name":"a","name":null}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		before := string(raw)
		tool, err := decode.ToolOf(raw)
		require.Equal(t, before, string(raw), "the answer was written to")
		requireText(t, tool.Name, tool.Title, tool.Description, tool.Annotations.Title)
		for _, part := range []json.RawMessage{tool.Raw, tool.InputSchema, tool.OutputSchema, tool.AnnotationsRaw, tool.Meta, tool.Icons, tool.Execution} {
			if part != nil {
				requirePart(t, before, part)
			}
		}
		if err != nil {
			require.NotEmpty(t, err.Error())
			require.Less(t, utf8.RuneCountInString(err.Error()), 200)
			requireText(t, err.Error())
			return
		}
		require.NotEmpty(t, strings.TrimSpace(tool.Name))
		require.True(t, tool.InputSchema == nil || tool.InputSchema[0] == '{')
		sent, err := json.Marshal(tool.Name)
		require.NoError(t, err)
		var back string
		require.NoError(t, json.Unmarshal(sent, &back))
		require.Equal(t, tool.Name, back, "the name cannot be sent back")
	})
}

// requireText checks that strings are valid UTF-8.
func requireText(t *testing.T, texts ...string) {
	t.Helper()
	for _, s := range texts {
		require.True(t, utf8.ValidString(s), "%q", s)
	}
}
