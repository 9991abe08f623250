package args

import (
	"encoding/json"
	"testing"
)

// FuzzParse feeds any text to any schema. What comes out is one JSON object
// that fits the schema and stays as it is, or a bounded error.
func FuzzParse(f *testing.F) {
	texts := []string{
		"", "null", "x", "5", `"x"`, "'x'", `q="x", limit=5`, `{"q":"x"}`, `{'q': 'it\'s', 'b': True, 'n': None,}`, `{"q":"x","q":"y"}`,
		"```json\n{\"q\":\"x\"}\n```\nObservation: y", `Sure: {"q": "x"} {"q": "y"}`, `{"__arg1":"{\"q\":\"x\"}","limit":"5"}`, `"\"{\\\"q\\\":1}\""`,
		`{"q":"x`, `{q: say "hi", n: 1.}`, `[{"q":1}]`, `{"n":5.0,"l":"[1,","o":"{}","z":null}`, "{\"q\":\"\\ud800\\u0000\xff\"}", `{"n":1e999999999}`,
		`{"name":"t","arguments":"{\"q\":\"x\"}"}`, `<tool_call><function=t><parameter=q>x</parameter></function></tool_call>`, `[TOOL_CALLS][t(q="x")]`,
		`<tool_call>t<arg_key>q</arg_key><arg_value>x</arg_value>`, `{"input":{"input":{"input":{}}}}`, "list all",
	}
	schemas := []string{
		noArguments, oneText, oneInteger, oneBoolean, oneList, oneRequired, twoRequired, anyObject, "", "true", "false", "{",
		`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"q":{"$ref":"#/definitions/N"}},"definitions":{"N":{"anyOf":[{"type":"integer"},{"items":{"$ref":"#/definitions/N"}}]}}}`,
		`{"oneOf":[{"required":["q"]},{"required":["n"]}],"properties":{"n":{"enum":[1,null]},"q":{"default":"x","pattern":"^(?!a)\\s"}},"additionalProperties":false}`,
		`{"allOf":[{"$ref":"#"}]}`, `{"patternProperties":{"^a":{"not":{}}},"propertyNames":{"maxLength":3},"dependentRequired":{"q":["n"]},"unevaluatedProperties":false}`,
		`{"if":{"properties":{"q":{"const":1}}},"then":{"properties":{"n":{"type":"integer"}}},"else":{"$dynamicRef":"#d"},"$defs":{"d":{"$dynamicAnchor":"d","dependentSchemas":{"q":{"$ref":"#d"}}}},"unevaluatedProperties":{"type":"null"}}`,
	}
	for i, schema := range schemas {
		for _, text := range texts[:max(1, len(texts)-i)] {
			f.Add(schema, text, i%4)
		}
	}
	f.Fuzz(func(t *testing.T, schema, text string, options int) {
		opts := []Option{WithDefaults(options&1 != 0)}
		if options&2 != 0 {
			opts = append(opts, WithBound(map[string]json.RawMessage{"z": json.RawMessage(`{"k":[1]}`)}))
		}
		s := New(json.RawMessage(schema), opts...)
		checkOutcome(t, s, text)
		unchecked := New(json.RawMessage(schema), append(opts, WithoutCheck())...)
		checkOutcome(t, unchecked, text)
	})
}
