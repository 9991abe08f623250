package schema_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/internal/schema"
)

// show converts, and holds the result to everything that is always true.
func show(t *testing.T, raw string, p schema.Profile) schema.Shown {
	t.Helper()
	checkConversion(t, p, json.RawMessage(raw), t.Name())
	return schema.Parameters(json.RawMessage(raw), p)
}

// each runs f for every profile that converts.
func each(t *testing.T, f func(t *testing.T, p schema.Profile)) {
	t.Helper()
	for _, p := range schema.Profiles() {
		if p == schema.Verbatim {
			continue
		}
		t.Run(p.String(), func(t *testing.T) {
			t.Parallel()
			f(t, p)
		})
	}
}

// at gives what is found below parameters, nil if nothing is.
func at(s schema.Shown, keys ...string) any {
	var v any = s.Parameters
	for _, key := range keys {
		m, _ := v.(map[string]any)
		v = m[key]
	}
	return v
}

// words gives all that s says in words.
func words(s schema.Shown) string {
	return mustJSON(s.Parameters) + " " + strings.Join(s.Notes, " ")
}

func TestO01_NoArgumentsIsAnObjectWithProperties(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{``, ` `, `null`, `{}`, `true`, `{"type":"object"}`, `{"type":"object","properties":null}`, `{"properties":[]}`,
		`{"type":["object","null"]}`, `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{},"required":[]}`} {
		for _, p := range schema.Profiles() {
			if p == schema.OpenAIStrict || p == schema.Verbatim && strings.Contains(raw, "$schema") {
				continue
			}
			s := show(t, raw, p)
			assert.JSONEq(t, `{"type":"object","properties":{}}`, mustJSON(s.Parameters), "%s: %s", p, raw)
			assert.Empty(t, s.Notes, "%s: %s", p, raw)
		}
	}
}

func TestO01_NoArgumentsInStrictMode(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{``, `{}`, `{"type":"object"}`} {
		s := show(t, raw, schema.OpenAIStrict)
		assert.JSONEq(t, `{"type":"object","properties":{},"required":[],"additionalProperties":false}`, mustJSON(s.Parameters))
		assert.True(t, s.Strict)
	}
}

func TestC5_AFreshMapAlsoForBrokenSchemas(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{`"x"`, `[]`, `[{"type":"object"}]`, `5`, `{"type":`, `{} {}`, `nonsense`, "\xff"} {
		for _, p := range schema.Profiles() {
			s := show(t, raw, p)
			assert.Equal(t, "object", s.Parameters["type"])
			assert.Empty(t, s.Parameters["properties"])
			assert.NotEmpty(t, s.Notes, "%s: %s", p, raw)
		}
	}
}

func TestO02_ArraysWithoutItemsTakeAnyItem(t *testing.T) {
	t.Parallel()
	raw := `{"type":"object","properties":{"tags":{"type":"array"},"list":{"type":["array","null"]},
		"o":{"type":"object","properties":{"in":{"type":"array"}}},"nest":{"type":"array","items":{"type":"array"}},
		"yes":{"type":"array","items":true},"no":{"type":"array","items":null},"odd":{"items":{}}}}`
	for _, p := range []schema.Profile{schema.Portable, schema.Gemini, schema.OpenAI, schema.Anthropic} {
		s := show(t, raw, p)
		for _, path := range [][]string{{"tags"}, {"list"}, {"o", "properties", "in"}, {"nest", "items"}, {"yes"}, {"no"}, {"odd"}} {
			items := at(s, append(append([]string{"properties"}, path...), "items")...)
			assert.Equal(t, map[string]any{}, items, "%s: %v", p, path)
		}
	}
}

func TestO11_ItemsAreNeverSaidToBeStrings(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p schema.Profile) {
		s := show(t, `{"type":"object","properties":{"l":{"type":"array"}}}`, p)
		assert.NotEqual(t, "string", at(s, "properties", "l", "items", "type"))
		args := `{"l":[1,{"a":2}]}`
		back, err := s.Restore(json.RawMessage(args))
		require.NoError(t, err)
		assert.Equal(t, args, string(back))
	})
}

func TestO03_ReferencesAreSpelledOut(t *testing.T) {
	t.Parallel()
	cases := map[string]string{
		"defs":        `{"type":"object","properties":{"s":{"$ref":"#/$defs/S"}},"$defs":{"S":{"type":"string","enum":["a","b"]}}}`,
		"definitions": `{"type":"object","properties":{"s":{"$ref":"#/definitions/S"}},"definitions":{"S":{"type":"string","enum":["a","b"]}}}`,
		"property":    `{"type":"object","properties":{"first":{"type":"string","enum":["a","b"]},"s":{"$ref":"#/properties/first"}}}`,
		"items":       `{"type":"object","properties":{"first":{"type":"array","items":{"enum":["a","b"]}},"s":{"$ref":"#/properties/first/items"}}}`,
		"list":        `{"type":"object","properties":{"s":{"$ref":"#/x-list/1"}},"x-list":[{},{"enum":["a","b"]}]}`,
		"chain":       `{"type":"object","properties":{"s":{"$ref":"#/$defs/A"}},"$defs":{"A":{"$ref":"#/$defs/B"},"B":{"enum":["a","b"]}}}`,
		"allOf":       `{"type":"object","properties":{"s":{"allOf":[{"$ref":"#/$defs/S"}]}},"$defs":{"S":{"type":"string","enum":["a","b"]}}}`,
		"slash":       `{"type":"object","properties":{"s":{"$ref":"#/$defs/a~1b"}},"$defs":{"a/b":{"enum":["a","b"]}}}`,
		"tilde":       `{"type":"object","properties":{"s":{"$ref":"#/$defs/a~0b"}},"$defs":{"a~b":{"enum":["a","b"]}}}`,
		"percent":     `{"type":"object","properties":{"s":{"$ref":"#/$defs/a%25b"}},"$defs":{"a%b":{"enum":["a","b"]}}}`,
		"unescaped":   `{"type":"object","properties":{"s":{"$ref":"#/$defs/a%b"}},"$defs":{"a%b":{"enum":["a","b"]}}}`,
		"space":       `{"type":"object","properties":{"s":{"$ref":"#/$defs/a%20b"}},"$defs":{"a b":{"enum":["a","b"]}}}`,
		"umlaut":      `{"type":"object","properties":{"s":{"$ref":"#/$defs/Gr%C3%B6%C3%9Fe"}},"$defs":{"Größe":{"enum":["a","b"]}}}`,
		"anchor":      `{"type":"object","properties":{"s":{"$ref":"#here"}},"$defs":{"S":{"$anchor":"here","enum":["a","b"]}}}`,
		"dynamic":     `{"type":"object","properties":{"s":{"$dynamicRef":"#here"}},"$defs":{"S":{"$dynamicAnchor":"here","enum":["a","b"]}}}`,
		"old id":      `{"type":"object","properties":{"s":{"$ref":"#here"}},"definitions":{"S":{"id":"#here","enum":["a","b"]}}}`,
		"id":          `{"type":"object","properties":{"s":{"$ref":"https://example.org/s"}},"$defs":{"S":{"$id":"https://example.org/s","enum":["a","b"]}}}`,
		"relative id": `{"$id":"https://example.org/root.json","type":"object","properties":{"s":{"$ref":"s.json"}},"$defs":{"S":{"$id":"s.json","enum":["a","b"]}}}`,
		"own id":      `{"$id":"https://example.org/root.json","type":"object","properties":{"s":{"$ref":"https://example.org/root.json#/$defs/S"}},"$defs":{"S":{"enum":["a","b"]}}}`,
		"odd place":   `{"type":"object","properties":{"s":{"$ref":"#/components/schemas/S"}},"components":{"schemas":{"S":{"enum":["a","b"]}}}}`,
	}
	for name, raw := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, p := range schema.Profiles() {
				s := show(t, raw, p)
				if p == schema.Verbatim {
					continue
				}
				assert.NotContains(t, words(s), "$ref", p)
				values, _ := at(s, "properties", "s", "enum").([]any)
				require.GreaterOrEqual(t, len(values), 2, "%s: %s", p, words(s))
				assert.Equal(t, []any{"a", "b"}, values[:2], p)
			}
			assert.Contains(t, schema.Signature(json.RawMessage(raw), 0), `s?: "a"|"b"`)
		})
	}
}

func TestO03_WordsBesideAReferenceCount(t *testing.T) {
	t.Parallel()
	raw := `{"properties":{"s":{"$ref":"#/$defs/S","description":"Mine.","default":"b"},"t":{"$ref":"#/$defs/S"}},
		"$defs":{"S":{"type":"string","description":"Theirs.","enum":["a","b"]}}}`
	s := show(t, raw, schema.OpenAI)
	assert.Equal(t, "Mine.", at(s, "properties", "s", "description"))
	assert.Equal(t, "b", at(s, "properties", "s", "default"))
	assert.Equal(t, "Theirs.", at(s, "properties", "t", "description"))
}

func TestO03_ReferencesThatLeadNowhereAreSaid(t *testing.T) {
	t.Parallel()
	for _, ref := range []string{"#/$defs/None", "https://example.org/other.json", "other.json#/a", "#none", "%zz", "#/properties/s/type", strings.Repeat("x", 5_000)} {
		raw := `{"type":"object","properties":{"s":{"$ref":` + mustJSON(ref) + `},"t":{"type":"string"}}}`
		each(t, func(t *testing.T, p schema.Profile) {
			s := show(t, raw, p)
			assert.NotNil(t, at(s, "properties", "t"))
			require.NotNil(t, at(s, "properties", "s"))
			if ref != "#/properties/s/type" {
				assert.Contains(t, at(s, "properties", "s", "description"), "Described elsewhere")
			}
		})
	}
}

func TestO03_RecursionEndsInWords(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ raw, at string }{
		"self":   {`{"type":"object","properties":{"n":{"$ref":"#/$defs/N"}},"$defs":{"N":{"type":"object","properties":{"v":{"type":"string"},"next":{"$ref":"#/$defs/N"}}}}}`, `Same form as \"n\"`},
		"root":   {`{"type":"object","properties":{"v":{"type":"string"},"next":{"$ref":"#"}}}`, "Same form as the whole argument object"},
		"list":   {`{"type":"object","properties":{"n":{"$ref":"#/$defs/N"}},"$defs":{"N":{"type":"object","properties":{"v":{"type":"string"},"all":{"type":"array","items":{"$ref":"#/$defs/N"}}}}}}`, `Same form as \"n\"`},
		"mutual": {`{"type":"object","properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":{"type":"object","properties":{"b":{"$ref":"#/$defs/B"},"v":{"type":"string"}}},"B":{"type":"object","properties":{"a":{"$ref":"#/$defs/A"}}}}}`, `Same form as \"a\"`},
		"union":  {`{"type":"object","properties":{"f":{"$ref":"#/$defs/F"}},"$defs":{"F":{"type":"object","properties":{"v":{"type":"string"},"and":{"type":"array","items":{"anyOf":[{"type":"string"},{"$ref":"#/$defs/F"}]}}}}}}`, `Same form as \"f\"`},
		"tree":   {`{"type":"object","properties":{"n":{"type":"object","properties":{"v":{"type":"string"},"left":{"$ref":"#/properties/n"}}}}}`, `Same form as \"n\"`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			each(t, func(t *testing.T, p schema.Profile) {
				s := show(t, c.raw, p)
				assert.Contains(t, words(s), c.at)
				assert.Contains(t, words(s), "v")
				assert.False(t, s.Strict, "recursion has no strict form here")
			})
		})
	}
}

func TestO03_ReferencesInCirclesSayNothing(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{
		`{"$ref":"#"}`,
		`{"$ref":"#/$defs/A","$defs":{"A":{"$ref":"#/$defs/B"},"B":{"$ref":"#/$defs/A"}}}`,
		`{"properties":{"a":{"$ref":"#/properties/b"},"b":{"$ref":"#/properties/a"}}}`,
		`{"properties":{"a":{"allOf":[{"$ref":"#/properties/a"}]}}}`,
		`{"properties":{"a":{"anyOf":[{"$ref":"#/properties/a"},{"type":"string"}]}}}`,
	} {
		each(t, func(t *testing.T, p schema.Profile) { show(t, raw, p) })
	}
}

func TestO04_TypeLists(t *testing.T) {
	t.Parallel()
	raw := `{"type":["object","null"],"properties":{"x":{"type":"string"},"u":{"type":["string","number"]},"one":{"type":["integer"]},
		"opt":{"type":["boolean","null"]},"all":{"type":["string","number","integer","boolean","object","array","null"]},"none":{"type":[]}},"required":["opt"]}`
	s := show(t, raw, schema.OpenAI)
	assert.Equal(t, "object", s.Parameters["type"])
	assert.Equal(t, []any{"string", "number"}, at(s, "properties", "u", "type"))
	assert.Equal(t, "integer", at(s, "properties", "one", "type"))
	assert.Equal(t, []any{"boolean", "null"}, at(s, "properties", "opt", "type"))
	assert.Equal(t, map[string]any{}, at(s, "properties", "all"))

	s = show(t, raw, schema.Portable)
	assert.Equal(t, "string", at(s, "properties", "u", "type"))
	assert.Contains(t, at(s, "properties", "u", "description"), "string|number")
	assert.Equal(t, "boolean", at(s, "properties", "opt", "type"))
	assert.Contains(t, at(s, "properties", "opt", "description"), "null")
	assert.Equal(t, true, at(show(t, raw, schema.Gemini), "properties", "opt", "nullable"))
}

func TestO05_UnionsAtTheRoot(t *testing.T) {
	t.Parallel()
	const fields = `"properties":{"id":{"type":"integer"},"name":{"type":"string"}}`
	cases := map[string]struct {
		raw  string
		said []string // patterns of a note
	}{
		"anyOf required": {`{"type":"object",` + fields + `,"anyOf":[{"required":["id"]},{"required":["name"]}]}`, []string{"At least one of these must be given", `"id"; or "name"`}},
		"oneOf required": {`{"type":"object",` + fields + `,"oneOf":[{"required":["id"]},{"required":["name"]}]}`, []string{"Exactly one of these must be given"}},
		"pairs":          {`{` + fields + `,"anyOf":[{"required":["id","name"]},{"required":["name"]}]}`, []string{`"id" and "name"; or "name"`}},
		"forms": {`{"oneOf":[{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"]},{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}]}`,
			[]string{"Exactly one of these forms", "{id: integer} or {name: string}"}},
		"referenced": {`{"anyOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"}],"$defs":{"A":{"properties":{"id":{"type":"integer"}}},"B":{"properties":{"name":{"type":"string"}}}}}`,
			[]string{"At least one of these forms", "{id?: integer} or {name?: string}"}},
		"allOf": {`{"allOf":[{"properties":{"id":{"type":"integer"}},"required":["id"]},{"properties":{"name":{"type":"string"}}}]}`, nil},
		"in allOf": {`{` + fields + `,"allOf":[{"anyOf":[{"required":["id"]},{"required":["name"]}]}]}`,
			[]string{"At least one of these must be given"}},
		"both": {`{` + fields + `,"anyOf":[{"required":["id"]},{"required":["name"]}],"oneOf":[{"properties":{"id":{"const":1}}},{"properties":{"name":{"const":"x"}}}]}`,
			[]string{"At least one of these must be given", "Exactly one of these forms"}},
		"single": {`{"anyOf":[{"type":"object",` + fields + `}]}`, nil},
		"not":    {`{` + fields + `,"not":{"required":["id","name"]}}`, []string{`"id" and "name" must not be given together`}},
		"if": {`{` + fields + `,"if":{"properties":{"id":{"const":1}}},"then":{"required":["name"]},"else":{"properties":{"more":{"type":"string"}}}}`,
			[]string{`If it matches {id?: 1}, then also "name" must be given.`, "{more?: string}"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			each(t, func(t *testing.T, p schema.Profile) {
				s := show(t, c.raw, p)
				assert.NotNil(t, at(s, "properties", "id"))
				assert.NotNil(t, at(s, "properties", "name"))
				said := strings.Join(s.Notes, " ")
				for _, want := range c.said {
					assert.Contains(t, said, want)
				}
				if c.said == nil {
					assert.Empty(t, s.Notes)
				}
			})
		})
	}
}

func TestO05_WhatEveryFormRequiresIsRequired(t *testing.T) {
	t.Parallel()
	raw := `{"oneOf":[{"properties":{"kind":{"const":"a"},"x":{"type":"string"}},"required":["kind","x"]},
		{"properties":{"kind":{"const":"b"},"y":{"type":"number"}},"required":["kind","y"]}]}`
	s := show(t, raw, schema.Anthropic)
	assert.Equal(t, []any{"kind"}, s.Parameters["required"])
	assert.Equal(t, []any{"a", "b"}, at(s, "properties", "kind", "enum"))
}

func TestO07_KeywordsOfOtherTypesAreDropped(t *testing.T) {
	t.Parallel()
	raw := `{"type":"object","properties":{"data":{"type":"string","properties":{"x":{"type":"string"}},"required":["x"],"items":{}},
		"n":{"type":"number","required":["y"],"minLength":3,"additionalProperties":false},
		"l":{"type":"array","items":{"type":"string","properties":{"z":{}},"required":["z"]},"properties":{"q":{}}}}}`
	each(t, func(t *testing.T, p schema.Profile) {
		s := show(t, raw, p) // its checker looks for them at every depth
		assert.NotContains(t, mustJSON(at(s, "properties", "data")), "properties")
		assert.NotContains(t, mustJSON(at(s, "properties", "n")), "minLength")
	})
}

func TestO06_NullableUnions(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{
		`{"type":"object","properties":{"ids":{"type":["null","array"],"items":{"type":"integer"}}}}`,
		`{"type":"object","properties":{"ids":{"anyOf":[{"type":"array","items":{"type":"integer"}},{"type":"null"}]}}}`,
		`{"type":"object","properties":{"ids":{"oneOf":[{"type":"null"},{"type":"array","items":{"type":"integer"}}],"default":null}}}`,
		`{"type":"object","properties":{"ids":{"type":"array","items":{"type":"integer"},"nullable":true}}}`,
	} {
		for _, p := range []schema.Profile{schema.OpenAI, schema.OpenAIStrict, schema.Anthropic} {
			s := show(t, raw, p)
			assert.Equal(t, []any{"array", "null"}, at(s, "properties", "ids", "type"), p)
			assert.Equal(t, "integer", at(s, "properties", "ids", "items", "type"), p)
		}
		for _, p := range []schema.Profile{schema.Portable, schema.Gemini} {
			s := show(t, raw, p)
			assert.Equal(t, "array", at(s, "properties", "ids", "type"), p)
			assert.Equal(t, "integer", at(s, "properties", "ids", "items", "type"), p)
			assert.Contains(t, at(s, "properties", "ids", "description"), "May be null", p)
		}
	}
}

func TestO08_ADefaultOfNullIsNoDefault(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p schema.Profile) {
		s := show(t, `{"type":"object","properties":{"city":{"anyOf":[{"type":"string"},{"type":"null"}],"default":null}}}`, p)
		assert.NotContains(t, words(s), "efault")
		if p != schema.OpenAIStrict {
			assert.Nil(t, s.Parameters["required"])
		}
	})
}

func TestO09_TypesNobodyKnows(t *testing.T) {
	t.Parallel()
	raw := `{"type":"object","properties":{"i":{"type":"integer"},"n":{"type":"number"},"b":{"type":"boolean"},"z":{"type":"null"},
		"a":{"type":"array","items":{}},"o":{"type":"object"},"d":{"type":"decimal"},"l":{"type":["decimal","string"]},"up":{"type":"STRING"},"five":{"type":5}}}`
	assert.Equal(t, "decimal", at(show(t, raw, schema.Verbatim), "properties", "d", "type"))
	each(t, func(t *testing.T, p schema.Profile) {
		s := show(t, raw, p)
		assert.NotEqual(t, "decimal", at(s, "properties", "d", "type"))
		assert.Contains(t, at(s, "properties", "d", "description"), "decimal")
		assert.Contains(t, at(s, "properties", "l", "description"), "decimal")
		assert.Len(t, at(s, "properties"), 10)
		if p == schema.OpenAI || p == schema.Portable {
			assert.Equal(t, "string", at(s, "properties", "up", "type"))
		}
	})
}

func TestC5_EveryDraftsSpelling(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, field, want string }{
		{"const", `{"const":"a"}`, `{"enum":["a"],"type":"string"}`},
		{"const of a number", `{"const":9007199254740993}`, `{"enum":[9007199254740993],"type":"integer"}`},
		{"enum without type", `{"enum":["a",1,null]}`, `{"enum":["a",1,null],"type":["string","integer","null"]}`},
		{"enum against type", `{"type":"string","enum":[1,2]}`, `{"enum":[1,2],"type":"integer"}`},
		{"enum partly against type", `{"type":"string","enum":["a",2]}`, `{"enum":["a"],"type":"string"}`},
		{"enum repeated", `{"type":"string","enum":["a","a","b"]}`, `{"enum":["a","b"],"type":"string"}`},
		{"enum empty", `{"type":"string","enum":[]}`, `{"type":"string"}`},
		{"union of constants", `{"oneOf":[{"const":"a","title":"First"},{"const":"b","description":"The second"}]}`, `{"description":"\"a\": First. \"b\": The second.","enum":["a","b"],"type":"string"}`},
		{"union of types", `{"anyOf":[{"type":"string"},{"type":"integer"},{"type":"null"}]}`, `{"type":["string","integer","null"]}`},
		{"nested unions", `{"anyOf":[{"anyOf":[{"type":"string"},{"type":"null"}]},{"oneOf":[{"type":"boolean"}]}]}`, `{"type":["string","boolean","null"]}`},
		{"true", `true`, `{}`},
		{"missing type", `{"properties":{"x":{"type":"string"}}}`, `{"properties":{"x":{"type":"string"}},"type":"object"}`},
		{"missing type of a list", `{"items":{"type":"string"}}`, `{"items":{"type":"string"},"type":"array"}`},
		{"missing type of text", `{"minLength":1}`, `{"minLength":1,"type":"string"}`},
		{"missing type of a number", `{"minimum":1}`, `{"minimum":1,"type":"number"}`},
		{"nullable reference", `{"$ref":"#/definitions/D","nullable":true}`, `{"enum":["x",null],"type":["string","null"]}`},
		{"nullable union", `{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}],"nullable":true}`, `{"anyOf":[{"type":"string"},{"items":{"type":"string"},"type":"array"},{"type":"null"}]}`},
		{"exactly one", `{"oneOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"object","properties":{"b":{"type":"string"}}},{"type":"null"}]}`,
			`{"anyOf":[{"properties":{"a":{"type":"string"}},"type":"object"},{"properties":{"b":{"type":"string"}},"type":"object"},{"type":"null"}],"description":"Exactly one of the alternatives must fit."}`},
		{"then false", `{"type":"object","properties":{"a":{"type":"string"}},"if":{"required":["a"]},"then":false,"else":true}`, `{"description":"It must not match {a: any}.","properties":{"a":{"type":"string"}},"type":"object"}`},
		{"draft 4 bounds", `{"type":"integer","minimum":0,"exclusiveMinimum":true,"maximum":9,"exclusiveMaximum":false}`, `{"exclusiveMinimum":0,"maximum":9,"type":"integer"}`},
		{"draft 3 divisibleBy", `{"type":"integer","divisibleBy":5}`, `{"multipleOf":5,"type":"integer"}`},
		{"tuple of draft 7", `{"type":"array","items":[{"type":"number"},{"type":"number"}],"additionalItems":false}`, `{"description":"By position: [number, number].","items":{"type":"number"},"maxItems":2,"type":"array"}`},
		{"tuple of 2020-12", `{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"items":{"type":"boolean"}}`, `{"description":"By position: [string, integer, …boolean[]].","items":{"type":["string","integer","boolean"]},"type":"array"}`},
		{"allOf", `{"allOf":[{"type":"string","minLength":1},{"maxLength":5},{"minLength":2}]}`, `{"maxLength":5,"minLength":2,"type":"string"}`},
		{"allOf of lists", `{"allOf":[{"enum":["a","b","c"]},{"enum":["b","c","d"]}]}`, `{"enum":["b","c"],"type":"string"}`},
		{"a string for a schema", `"string"`, `{"type":"string"}`},
		{"a map", `{"type":"object","additionalProperties":{"type":"number"}}`, `{"additionalProperties":{"type":"number"},"properties":{},"type":"object"}`},
		{"not", `{"type":"string","not":{"enum":["x"]}}`, `{"description":"Must not be \"x\".","type":"string"}`},
		{"pattern properties", `{"type":"object","patternProperties":{"^x-":{"type":"string"}},"additionalProperties":false}`, `{"additionalProperties":true,"description":"Fields whose names match \"^x-\": string.","properties":{},"type":"object"}`},
		{"dependent fields", `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"dependentRequired":{"a":["b"]}}`, `{"description":"With \"a\", \"b\" must be given.","properties":{"a":{"type":"string"},"b":{"type":"string"}},"type":"object"}`},
		{"required of draft 3", `{"type":"object","properties":{"a":{"type":"string","required":true}}}`, `{"properties":{"a":{"type":"string"}},"required":["a"],"type":"object"}`},
		{"required but unknown", `{"type":"object","properties":{"a":{"type":"string"}},"required":["b","a","b",5]}`, `{"properties":{"a":{"type":"string"},"b":{}},"required":["b","a"],"type":"object"}`},
		{"required and forbidden", `{"type":"object","properties":{"a":{"type":"string"}},"required":["b"],"additionalProperties":false}`, `{"additionalProperties":false,"description":"\"b\" is required and not allowed at once.","properties":{"a":{"type":"string"}},"type":"object"}`},
		{"a field that may not be given", `{"type":"object","properties":{"a":false,"b":true}}`, `{"description":"\"a\" must not be given.","properties":{"b":{}},"type":"object"}`},
		{"bad values of keywords", `{"type":"string","minLength":"2","pattern":5}`, `{"description":"pattern: 5. minLength: \"2\".","type":"string"}`},
		{"lookahead", `{"type":"string","pattern":"^(?!x).*$"}`, `{"description":"Must match the pattern ^(?!x).*$","type":"string"}`},
		{"a simple pattern", `{"type":"string","pattern":"^[a-z]+$"}`, `{"pattern":"^[a-z]+$","type":"string"}`},
		{"huge counts", `{"type":"string","maxLength":100000}`, `{"description":"At most 100000 characters.","type":"string"}`},
		{"a big number", `{"type":"integer","maximum":18446744073709551616,"default":9007199254740993}`, `{"default":9007199254740993,"maximum":18446744073709551616,"type":"integer"}`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			raw := `{"type":"object","properties":{"f":` + c.field + `},"definitions":{"D":{"type":"string","enum":["x"]}}}`
			assert.Equal(t, c.want, mustJSON(at(show(t, raw, schema.OpenAI), "properties", "f")))
			each(t, func(t *testing.T, p schema.Profile) { show(t, raw, p) })
		})
	}
}

func TestC6_WhatGoogleDoesNotSendIsSaid(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, field, want string }{
		{"enum", `{"type":"string","enum":["a","b"]}`, `{"description":"Allowed values: \"a\", \"b\".","enum":["a","b"],"type":"string"}`},
		{"enum of numbers", `{"type":"integer","enum":[1,2]}`, `{"description":"Allowed values: 1, 2.","type":"integer"}`},
		{"enum with empty text", `{"type":"string","enum":["","b"]}`, `{"description":"Allowed values: \"\", \"b\".","type":"string"}`},
		{"constraints", `{"type":"string","description":"A name","minLength":1,"format":"uri","default":"x"}`, `{"description":"A name. Format: uri. At least 1 character. Default: \"x\".","type":"string"}`},
		{"free form", `{"type":"object"}`, `{"description":"JSON text in a string, of the form: object.","type":"string"}`},
		{"anything", `{}`, `{"description":"Any JSON value, written as JSON text.","type":"string"}`},
		{"union of objects", `{"anyOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},{"type":"object","properties":{"b":{"type":"string"}},"required":["b"]}]}`,
			`{"description":"At least one of these forms: {a: string} or {b: string}.","properties":{"a":{"type":"string"},"b":{"type":"string"}},"type":"object"}`},
		{"mixed items", `{"type":"array","items":{"type":["string","number"]}}`, `{"description":"Each item: string|number.","items":{},"type":"array"}`},
		{"pair", `{"type":"array","prefixItems":[{"type":"string"},{"type":"number"}],"minItems":2}`, `{"description":"At least 2 items. By position: [string, number].","items":{},"type":"array"}`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := show(t, `{"type":"object","properties":{"f":`+c.field+`}}`, schema.Portable)
			assert.Equal(t, c.want, mustJSON(at(s, "properties", "f")))
		})
	}
}

func TestC6_DeepPartsAreDescribed(t *testing.T) {
	t.Parallel()
	raw := `{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"array","items":{"type":"object","properties":{
		"c":{"type":"object","description":"Deep.","properties":{"id":{"type":"integer","description":"The number.","minimum":1},"tags":{"type":"array","items":{"type":"string"}}},"required":["id"]}}}}}}}}`
	for _, p := range []schema.Profile{schema.Gemini, schema.Portable} {
		s := show(t, raw, p)
		c := at(s, "properties", "a", "properties", "b", "items", "properties", "c")
		assert.Equal(t, `{"description":"Deep. JSON text in a string, of the form: {id: integer (The number. Minimum: 1.), tags?: string[]}.","type":"string"}`, mustJSON(c))
		back, err := s.Restore(json.RawMessage(`{"a":{"b":[{"c":"{\"id\": 9007199254740993}"},{"c":{"id":2}}]}}`))
		require.NoError(t, err)
		assert.Equal(t, `{"a":{"b":[{"c":{"id": 9007199254740993}},{"c":{"id":2}}]}}`, string(back))
	}
	s := show(t, raw, schema.Vertex)
	assert.Equal(t, "string", at(s, "properties", "a", "type"))
}

func TestC6_Strict(t *testing.T) {
	t.Parallel()
	s := show(t, `{"type":"object","properties":{"q":{"type":"string"},"n":{"type":"integer","enum":[1,2]},"u":{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]},
		"o":{"type":"object","properties":{"x":{"type":"string","format":"uri"}}},"z":{"type":["string","null"]}},"required":["q"]}`, schema.OpenAIStrict)
	require.True(t, s.Strict)
	assert.Equal(t, []any{"q", "n", "o", "u", "z"}, s.Parameters["required"])
	assert.Equal(t, []any{"integer", "null"}, at(s, "properties", "n", "type"))
	assert.Equal(t, mustJSON([]any{1, 2, nil}), mustJSON(at(s, "properties", "n", "enum")))
	assert.Contains(t, at(s, "properties", "o", "properties", "x", "description"), "uri")

	back, err := s.Restore(json.RawMessage(`{"q":"x","n":null,"u":null,"o":{"x":null},"z":null}`))
	require.NoError(t, err)
	assert.Equal(t, `{"q":"x","o":{},"z":null}`, string(back), "a null the server allows is kept")

	many := make([]string, 400)
	for i := range many {
		many[i] = "value " + strings.Repeat("x", i%7) + string(rune('a'+i%26)) + mustJSON(i)
	}
	enum := `{"type":"string","enum":` + mustJSON(many) + `}`
	for name, field := range map[string]string{
		"too many values": `{"type":"object","properties":{"a":` + enum + `,"b":` + enum + `,"c":` + enum + `},"additionalProperties":false}`,
		"free form":       `{"type":"object"}`, "anything": `{}`, "map": `{"type":"object","additionalProperties":{"type":"string"}}`,
		"open": `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":true}`, "any items": `{"type":"array"}`,
		"patterns":      `{"type":"object","properties":{"a":{"type":"string"}},"patternProperties":{"^x":{"type":"string"}}}`,
		"reference out": `{"$ref":"other.json"}`,
	} {
		s := show(t, `{"type":"object","properties":{"f":`+field+`}}`, schema.OpenAIStrict)
		assert.False(t, s.Strict, name)
		assert.Equal(t, mustJSON(show(t, `{"type":"object","properties":{"f":`+field+`}}`, schema.OpenAI).Parameters), mustJSON(s.Parameters), name)
	}
}

func TestC5_VerbatimIsAsSent(t *testing.T) {
	t.Parallel()
	raw := `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","title":"T","properties":{"a":{"$ref":"#/$defs/A"},"d":{"type":"decimal"},"n":{"const":9007199254740993}},
		"$defs":{"A":{"anyOf":[true,{"type":["string","null"]}]}},"anyOf":[{"required":["a"]}],"x-vendor":[1.0,null]}`
	s := show(t, raw, schema.Verbatim)
	assert.JSONEq(t, raw, mustJSON(s.Parameters))
	assert.Contains(t, mustJSON(s.Parameters), "9007199254740993")
	assert.Contains(t, mustJSON(s.Parameters), "1.0")
	assert.Empty(t, s.Notes)
}

func TestC5_DescriptionsAreBounded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("Größe 🙂 ", 5_000)
	raw := `{"type":"object","description":` + mustJSON(long) + `,"properties":{"a":{"type":"string","description":` + mustJSON(long) + `,"enum":["x","y"]}}}`
	each(t, func(t *testing.T, p schema.Profile) {
		s := show(t, raw, p)
		text := at(s, "properties", "a", "description").(string)
		assert.LessOrEqual(t, len([]rune(text)), 4_000)
		assert.Contains(t, text, "…")
		assert.NotEmpty(t, at(s, "properties", "a", "enum"))
	})
}

func TestC6_NothingIsSilentlyLost(t *testing.T) {
	t.Parallel()
	// Each field has one construct that some profile cannot express, and a word
	// that must then be found somewhere.
	fields := map[string]string{
		"format-w1":       `{"type":"string","format":"w1"}`,
		"w2":              `{"type":"string","pattern":"(?=w2)"}`,
		"77001":           `{"type":"integer","maximum":77001}`,
		"77002":           `{"type":"array","items":{"type":"integer","enum":[77002]}}`,
		"w3":              `{"type":"object","patternProperties":{"w3":{"type":"string"}}}`,
		"w4":              `{"type":"object","additionalProperties":{"enum":["w4"]}}`,
		"w5":              `{"not":{"const":"w5"}}`,
		"w6":              `{"type":"object","properties":{"a":{"type":"string"}},"dependencies":{"a":["w6"]}}`,
		"w7":              `{"type":"object","properties":{"a":{"type":"string"}},"if":{"required":["a"]},"then":{"properties":{"w7":{"type":"string"}}}}`,
		"w8":              `{"type":"array","prefixItems":[{"const":"w8"},{"type":"number"}]}`,
		"w9":              `{"type":"string","default":"w9"}`,
		"w10":             `{"type":"string","examples":["w10"]}`,
		"w11":             `{"anyOf":[{"type":"string"},{"type":"object","properties":{"w11":{"type":"string"}}}]}`,
		"w12":             `{"type":"object","propertyNames":{"pattern":"w12"}}`,
		"w13":             `{"type":"array","contains":{"const":"w13"}}`,
		"w14":             `{"type":"w14"}`,
		"w15":             `{"$ref":"w15.json"}`,
		"base64":          `{"type":"string","contentEncoding":"base64"}`,
		"w16":             `{"anyOf":[{"type":"array","items":{"type":"string","description":"w16"}},{"type":"array","items":{"type":"object"}}]}`,
		"w17":             `{"type":"array","items":{"anyOf":[{"type":"string","format":"w17"},{"type":"number"}]}}`,
		"w18":             `{"oneOf":[{"type":"string","pattern":"w18"},{"type":"string","format":"date"}]}`,
		"w19":             `{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"object","properties":{"c":{"type":"object","properties":{"w19":{"type":"string"}}}}}}}}}`,
		"w20":             `{"type":["string","object"],"properties":{"w20":{"type":"string"}}}`,
		"w21":             `{"enum":["w21",5,null]}`,
		"w22":             `{"enum":[{"w22":1}]}`,
		"w23":             `{"type":"string","minimum":"w23"}`,
		"w24":             `{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"object","properties":{"c":{"type":"object","properties":{"x":{"type":"string","format":"w24"}}}}}}}}}`,
		"w25":             `{"anyOf":[{"type":"object","properties":{"a":{"type":"string","description":"w25"}}},{"type":"object","properties":{"a":{"type":"number"}}}]}`,
		"w26":             `{"title":"w26","type":"string"}`,
		"Deprecated":      `{"type":"string","deprecated":true}`,
		"At least 1 item": `{"type":"array","minItems":1,"maxItems":5000000}`,
	}
	for word, field := range fields {
		t.Run(word, func(t *testing.T) {
			t.Parallel()
			each(t, func(t *testing.T, p schema.Profile) {
				s := show(t, `{"type":"object","properties":{"f":`+field+`}}`, p)
				want := strings.TrimPrefix(word, "format-")
				if word == "At least 1 item" && s.Parameters["properties"].(map[string]any)["f"].(map[string]any)["minItems"] != nil {
					return
				}
				assert.Contains(t, words(s), want)
			})
		})
	}
}

func TestC7_HiddenFieldsAreNotShown(t *testing.T) {
	t.Parallel()
	raw := json.RawMessage(`{"$ref":"#/$defs/Args","$defs":{"Args":{"type":"object","properties":{"tenant":{"type":"string"},"q":{"type":"string"},
		"same":{"$ref":"#/$defs/Args/properties/tenant"},"o":{"type":"object","properties":{"tenant":{"type":"string"}}}},"required":["tenant","q"]}}}`)
	each(t, func(t *testing.T, p schema.Profile) {
		s := schema.Parameters(raw, p, "tenant", "unknown")
		require.Empty(t, problems(p, s))
		assert.Nil(t, at(s, "properties", "tenant"))
		assert.NotContains(t, s.Parameters["required"], "tenant")
		assert.Contains(t, s.Parameters["required"], "q")
		assert.NotNil(t, at(s, "properties", "same"))
		assert.Contains(t, mustJSON(at(s, "properties", "o")), "tenant", "a field of the same name elsewhere stays")
	})
	assert.Equal(t, `{q: string, same?: string, o?: {tenant?: string}}`, schema.Signature(raw, 0, "tenant"))

	s := schema.Parameters(json.RawMessage(`{"properties":{"a":{},"b":{}},"required":["a","b",5]}`), schema.Verbatim, "a")
	assert.JSONEq(t, `{"type":"object","properties":{"b":{}},"required":["b",5]}`, mustJSON(s.Parameters))
}

func TestC7_HiddenFieldsAreNotMentioned(t *testing.T) {
	t.Parallel()
	const props = `"properties":{"tenant":{"type":"string"},"q":{"type":"string"},"n":{"type":"integer"}}`
	for name, raw := range map[string]string{
		"all that names a field": `{"type":"object",` + props + `,"required":["tenant","q"],"propertyOrdering":["tenant","q"],"minProperties":2,
			"dependentRequired":{"tenant":["q"],"q":["tenant"],"n":["tenant","q"]},"dependencies":{"tenant":{"required":["n"]},"n":["tenant"]},
			"default":{"tenant":"t","q":"x"},"examples":[{"tenant":"t","q":"x"},7],"propertyNames":{"enum":["tenant","q","n"]}}`,
		"combined": `{` + props + `,"allOf":[{"required":["tenant"]},{"properties":{"tenant":{"minLength":3}}}],
			"anyOf":[{"required":["tenant"]},{"required":["q"]}],"oneOf":[{"required":["tenant","q"]},{"required":["n"]}]}`,
		"conditions":           `{` + props + `,"if":{"properties":{"tenant":{"const":"t"}}},"then":{"required":["q"]},"not":{"required":["tenant","n"]}}`,
		"consequences":         `{` + props + `,"if":{"required":["q"]},"then":{"required":["tenant"]},"else":{"properties":{"tenant":{"const":"t"}}}}`,
		"referred to":          `{"$ref":"#/definitions/Args","definitions":{"Args":{"type":"object",` + props + `,"required":["tenant","q"]}}}`,
		"referred to and more": `{"$ref":"#/$defs/Args","properties":{"m":{"type":"string"}},"$defs":{"Args":{"$ref":"#/$defs/Base"},"Base":{"type":"object",` + props + `}}}`,
		"alternatives":         `{"oneOf":[{"type":"object",` + props + `,"required":["tenant","q"]},{"type":"object","properties":{"tenant":{},"m":{"type":"string"}},"required":["tenant","m"]}]}`,
	} {
		for _, p := range schema.Profiles() {
			s := schema.Parameters(json.RawMessage(raw), p, "tenant")
			require.Empty(t, problems(p, s), "%s, %v", name, p)
			assert.NotContains(t, mustJSON(s.Parameters)+mustJSON(s.Notes), "tenant", "%s, %v", name, p)
			assert.Contains(t, mustJSON(s.Parameters), `"q"`, "%s, %v", name, p)
		}
		assert.NotContains(t, schema.Signature(json.RawMessage(raw), 0, "tenant"), "tenant", name)
	}
	const recursive = `{"type":"object","properties":{"tenant":{"type":"string"},"child":{"$ref":"#"}},"required":["tenant"]}`
	s := schema.Parameters(json.RawMessage(recursive), schema.OpenAI, "tenant")
	assert.Nil(t, at(s, "properties", "tenant"))
	assert.Contains(t, mustJSON(at(s, "properties", "child")), "tenant", "it is a field of the child's")
	s = schema.Parameters(json.RawMessage(`{"$ref":"#/$defs/A","$defs":{"A":{"properties":{"tenant":{},"c":{"$ref":"#/$defs/A"}}}}}`), schema.Verbatim, "tenant")
	assert.NotNil(t, at(s, "$defs", "A"), "what is referred to stays")
	for _, broken := range []string{`true`, `null`, `{"properties":7,"required":"tenant","anyOf":{},"if":7}`, `{"$ref":"#"}`, `{"$ref":"#/$defs/x","$defs":7}`} {
		for _, p := range schema.Profiles() {
			assert.Empty(t, problems(p, schema.Parameters(json.RawMessage(broken), p, "tenant")), broken)
		}
	}
}
