package schema_test

import (
	"encoding/json"

	"pgregory.net/rapid"
)

// names are field names providers like and dislike, few enough to collide.
var names = []string{"a", "b", "id", "name", "$top", "_top", "@top", "filter[name]", "filter_name_", "uids[]", "größe", "", "1st", "a.b", "a-b",
	"type", "properties", "items", "required", "description", "enum", "a/b", "a~b", "a%b", "__proto__"}

// wild generates values that look like schemas and often are none: every
// keyword with every kind of value, references that lead nowhere, in circles
// and out of the document.
func wild() *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any { return wildSchema(t, 4) })
}

var wildKeywords = []string{"type", "type", "type", "properties", "properties", "required", "additionalProperties", "patternProperties", "items",
	"items", "prefixItems", "additionalItems", "enum", "const", "anyOf", "oneOf", "allOf", "not", "if", "then", "else", "$ref", "$ref",
	"dependentRequired", "dependencies", "dependentSchemas", "propertyNames", "contains", "format", "pattern", "minLength", "maxLength",
	"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "divisibleBy", "minItems", "maxItems", "uniqueItems",
	"minProperties", "maxProperties", "default", "examples", "example", "title", "description", "nullable", "readOnly", "deprecated",
	"unevaluatedProperties", "$schema", "$id", "id", "$anchor", "$defs", "definitions", "x-extra", "contentEncoding", "$dynamicRef"}

func wildSchema(t *rapid.T, depth int) any {
	if depth == 0 || rapid.IntRange(0, 9).Draw(t, "leaf") == 0 {
		return wildValue(t, 1)
	}
	m := map[string]any{}
	for range rapid.IntRange(0, 5).Draw(t, "keywords") {
		key := rapid.SampledFrom(wildKeywords).Draw(t, "keyword")
		if rapid.IntRange(0, 11).Draw(t, "broken") == 0 {
			m[key] = wildValue(t, 2)
			continue
		}
		m[key] = wildKeyword(t, key, depth-1)
	}
	return m
}

func wildKeyword(t *rapid.T, key string, depth int) any {
	switch key {
	case "type":
		types := rapid.SampledFrom([]string{"string", "integer", "number", "boolean", "object", "object", "array", "null", "decimal", "any", "STRING"})
		if rapid.IntRange(0, 3).Draw(t, "list") == 0 {
			return rapid.SliceOfN(types, 0, 3).Draw(t, "types")
		}
		return types.Draw(t, "type")
	case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas":
		m := map[string]any{}
		for range rapid.IntRange(0, 4).Draw(t, "fields") {
			m[rapid.SampledFrom(names).Draw(t, "name")] = wildSchema(t, depth)
		}
		return m
	case "required":
		return rapid.SliceOfN(rapid.SampledFrom(names), 0, 3).Draw(t, "required")
	case "dependentRequired", "dependencies":
		return map[string]any{rapid.SampledFrom(names).Draw(t, "with"): rapid.SliceOfN(rapid.SampledFrom(names), 0, 2).Draw(t, "needs")}
	case "anyOf", "oneOf", "allOf", "prefixItems":
		var list []any
		for range rapid.IntRange(0, 3).Draw(t, "parts") {
			list = append(list, wildSchema(t, depth))
		}
		return list
	case "items", "additionalProperties", "additionalItems", "unevaluatedProperties", "not", "if", "then", "else", "propertyNames", "contains":
		return wildSchema(t, depth)
	case "$ref", "$dynamicRef":
		return rapid.SampledFrom([]string{"#", "#/", "#/$defs/a", "#/definitions/id", "#/properties/a", "#/properties/a/items", "#/properties/a~1b",
			"#/properties/gr%C3%B6%C3%9Fe", "#/anyOf/0", "#a", "other.json", "https://example.org/s.json#/a", "%zz", "#/allOf/1"}).Draw(t, "ref")
	case "enum", "examples":
		var list []any
		for range rapid.IntRange(0, 4).Draw(t, "values") {
			list = append(list, wildValue(t, 1))
		}
		return list
	case "pattern":
		return rapid.SampledFrom([]string{"^a+$", "a", "^(?!x).*$", "(", `^\d{1,5000}$`, `^\p{L}$`, ""}).Draw(t, "pattern")
	case "format":
		return rapid.SampledFrom([]string{"date-time", "uri", "email", "int64", "x"}).Draw(t, "format")
	case "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "divisibleBy", "minItems",
		"maxItems", "minProperties", "maxProperties":
		return rapid.SampledFrom([]any{0, 1, 3, -1, json.Number("9007199254740993"), 1.5, json.Number("1e400"), json.Number("1E-400"), true}).Draw(t, "bound")
	case "uniqueItems", "nullable", "readOnly", "deprecated":
		return rapid.Bool().Draw(t, "flag")
	case "title", "description":
		return rapid.SampledFrom([]string{"", "A title", "Allowed values: \"a\".", "one\ntwo", "Größe 🙂.", "a"}).Draw(t, "text")
	default:
		return wildValue(t, 1)
	}
}

func wildValue(t *rapid.T, depth int) any {
	switch n := rapid.IntRange(0, 8).Draw(t, "value"); {
	case n == 0:
		return nil
	case n == 1:
		return rapid.Bool().Draw(t, "bool")
	case n == 2:
		return json.Number(rapid.SampledFrom([]string{"0", "1", "-5", "1.0", "9007199254740993", "1e3", "1E400"}).Draw(t, "number"))
	case n < 6 || depth == 0:
		return rapid.SampledFrom([]string{"", "a", "b", "null", "1", "[1]", "ab\ncd", "\"", "object", "string"}).Draw(t, "string")
	case n == 6:
		return []any{wildValue(t, depth-1), wildValue(t, depth-1)}
	default:
		return map[string]any{rapid.SampledFrom(names).Draw(t, "key"): wildValue(t, depth-1)}
	}
}
