package schema_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/internal/schema"
)

func TestO10_Signatures(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		``:                  `{}`,
		`null`:              `{}`,
		`true`:              `{}`,
		`nonsense`:          `{}`,
		`{"type":"object"}`: `{}`,
		`{"type":"object","properties":{"city":{"type":"string"},"unit":{"type":"string","enum":["celsius","kelvin"]}},"required":["city"]}`:                                 `{city: string, unit?: "celsius"|"kelvin"}`,
		`{"properties":{"z":{"type":"integer"},"a":{"type":["number","null"]},"m":{"const":5}}}`:                                                                             `{z?: integer, a?: number|null, m?: 5}`,
		`{"properties":{"l":{"type":"array","items":{"type":"string"}},"u":{"type":"array","items":{"type":["string","integer"]}},"n":{"type":"array"}}}`:                    `{l?: string[], u?: (string|integer)[], n?: any[]}`,
		`{"properties":{"o":{"type":"object","properties":{"x":{"type":"boolean"}},"required":["x"]},"f":{"type":"object"},"m":{"additionalProperties":{"type":"number"}}}}`: `{o?: {x: boolean}, f?: object, m?: {*: number}}`,
		`{"properties":{"filter[name]":{},"$top":{},"a b":{"type":"string"},"":{},"größe":{}}}`:                                                                              `{"filter[name]"?: any, $top?: any, "a b"?: string, ""?: any, "größe"?: any}`,
		`{"properties":{"t":{"prefixItems":[{"type":"string"},{"type":"number"}]}}}`:                                                                                         `{t?: [string, number]}`,
		`{"properties":{"u":{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}},{"type":"null"}]}}}`:                                                      `{u?: string|string[]|null}`,
		`{"properties":{"r":{"$ref":"#/$defs/R"}},"$defs":{"R":{"properties":{"next":{"$ref":"#/$defs/R"}}}}}`:                                                               `{r?: {next?: object}}`,
		`{"properties":{"v":{"enum":["line\nbreak","\"q\"","<b>"]}}}`:                                                                                                        `{v?: "line\nbreak"|"\"q\""|"<b>"}`,
		`{"properties":{"id":{"type":"integer"},"name":{"type":"string"}},"anyOf":[{"required":["id"]},{"required":["name"]}]}`:                                              `{id?: integer, name?: string} (At least one of these must be given: "id"; or "name".)`,
		`{"properties":{"n":{"enum":[9007199254740993]}}}`:                                                                                                                   `{n?: 9007199254740993}`,
	} {
		assert.Equal(t, want, schema.Signature(json.RawMessage(raw), 300), raw)
	}
}

func TestC2_SignaturesGiveUpDetailsBeforeNames(t *testing.T) {
	t.Parallel()
	raw := json.RawMessage(`{"properties":{"query":{"type":"string"},"options":{"type":"object","properties":{"deep":{"type":"object","properties":{"er":{"type":"object","properties":{"x":{"type":"string"}}}}},
		"mode":{"enum":["one","two","three","four","five","six","seven","eight"]}}},"limit":{"type":"integer"}},"required":["query"]}`)
	full := schema.Signature(raw, 0)
	assert.Equal(t, `{query: string, options?: {deep?: {er?: {x?: string}}, mode?: "one"|"two"|"three"|"four"|"five"|"six"|"seven"|"eight"}, limit?: integer}`, full)
	assert.Equal(t, `{query: string, options?: {deep?: object, mode?: "one"|"two"|"three"|"four"|"five"|"six"|…}, limit?: integer}`, schema.Signature(raw, 120))
	assert.Equal(t, `{query: string, options?: object, limit?: integer}`, schema.Signature(raw, 60))
	assert.Equal(t, `{query, options?, limit?}`, schema.Signature(raw, 30))
	assert.Equal(t, `{query, op…`, schema.Signature(raw, 11))
	for max := 1; max < len(full); max++ {
		checkSignature(t, raw, max)
	}
}

func TestC2_SignaturesOfCapturedTools(t *testing.T) {
	t.Parallel()
	for _, tool := range corpus(t) {
		line := schema.Signature(tool.Schema, 600)
		require.LessOrEqual(t, utf8.RuneCountInString(line), 600, tool.Name)
		require.NotContains(t, line, "\n")
		var s struct {
			Properties map[string]any
		}
		require.NoError(t, json.Unmarshal(tool.Schema, &s))
		for name := range s.Properties {
			if len(s.Properties) <= 20 {
				require.True(t, strings.Contains(line, name), "%s %s: %s", tool.Name, name, line)
			}
		}
	}
}
