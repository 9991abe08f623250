package schema_test

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/internal/schema"
)

// seeds are schemas of every construct, sound and broken.
var seeds = []string{
	``, `null`, `true`, `false`, `{}`, `[]`, `"object"`, `{"type":`, `{} {}`, "\xff", `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`,
	`{"type":["object","null"],"properties":{"a":{"type":["string","number","null"],"enum":["x",1,null]}}}`,
	`{"properties":{"$top":{"type":"integer"},"filter[name]":{"type":"string"},"":{},"größe":{"type":"number"}}}`,
	`{"properties":{"n":{"$ref":"#/$defs/N"}},"$defs":{"N":{"type":"object","properties":{"next":{"$ref":"#/$defs/N"},"all":{"type":"array","items":{"$ref":"#/$defs/N"}}}}}}`,
	`{"$ref":"#/$defs/A","$defs":{"A":{"allOf":[{"$ref":"#/$defs/B"},{"required":["x"]}]},"B":{"$ref":"#/$defs/A"}}}`,
	`{"oneOf":[{"properties":{"k":{"const":"a"}},"required":["k"]},{"properties":{"k":{"const":"b"},"v":{"anyOf":[{"type":"null"},{"type":"array","items":[{"type":"string"},{"type":"number"}],"additionalItems":false}]}}}]}`,
	`{"type":"object","anyOf":[{"required":["a"]},{"required":["b"]}],"if":{"properties":{"a":{"const":1}}},"then":{"required":["b"]},"else":false,"not":{"required":["a","b"]}}`,
	`{"patternProperties":{"^x":{"type":"string"}},"propertyNames":{"pattern":"^x"},"additionalProperties":{"type":"decimal"},"dependencies":{"a":["b"],"c":{"properties":{"d":{}}}}}`,
	`{"properties":{"s":{"type":"string","pattern":"^(?!x)","format":"uri","minLength":1,"maxLength":1e3,"default":null},"n":{"minimum":0,"exclusiveMinimum":true,"multipleOf":0.1},"l":{"type":"array","contains":{"const":1},"minItems":100000}}}`,
	`{"properties":{"a":{"properties":{"b":{"properties":{"c":{"properties":{"d":{"properties":{"e":{"type":"string","description":"deep"}}}}}}}}}}}`,
	`{"properties":{"a":{"type":"object","nullable":true,"additionalProperties":{"properties":{"@x":{"type":"object"}}}}},"required":["a","z",5],"additionalProperties":false}`,
	`{"properties":{"a":{"enum":[{"k":1},[1],"x",9007199254740993,1e999]},"b":{"const":{"deep":[[[]]]}},"c":{"examples":["x"],"deprecated":true,"title":"C"}}}`,
	`{"$id":"https://example.org/a","properties":{"a":{"$ref":"b#frag"},"b":{"$dynamicRef":"#x"}},"$defs":{"b":{"$id":"b","$defs":{"c":{"$anchor":"frag","type":"string"}}},"x":{"$dynamicAnchor":"x","items":true}}}`,
	`{"oneOf":[{"properties":{"k":{"const":""}}},{"properties":{"k":{"anyOf":[{"type":"0"},{"items":false}]}}}]}`,
}

func FuzzParameters(f *testing.F) {
	for _, s := range seeds {
		for i := range schema.Profiles() {
			f.Add([]byte(s), uint8(i))
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte, which uint8) {
		all := schema.Profiles()
		checkConversion(t, all[int(which)%len(all)], raw, "fuzzed")
	})
}

func FuzzSignature(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s), 80)
	}
	f.Fuzz(func(t *testing.T, raw []byte, max int) {
		line := schema.Signature(raw, max)
		require.True(t, utf8.ValidString(line))
		require.NotContains(t, line, "\n")
		require.NotEmpty(t, line)
		if max > 0 {
			require.LessOrEqual(t, utf8.RuneCountInString(line), max)
		}
		require.Equal(t, line, schema.Signature(raw, max))
	})
}

func FuzzRestore(f *testing.F) {
	args := []string{``, `{}`, `null`, `[]`, `{"_top":1,"a":"{\"b\":[1]}"}`, `{"_top":1,"$top":2}`, `{"a":{"x":{"_x":"{}"}},"n":{"all":["{}",null]}}`, `{"a":"null","a":1.0}`, `{"\u005ftop" : 1 }`, "{\"a\":\"\xff\"}"}
	for _, s := range seeds {
		for i := range schema.Profiles() {
			for _, a := range args {
				f.Add([]byte(s), uint8(i), []byte(a))
			}
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte, which uint8, args []byte) {
		all := schema.Profiles()
		s := schema.Parameters(raw, all[int(which)%len(all)])
		before := string(args)
		back, err := s.Restore(args)
		require.Equal(t, before, string(args), "the arguments of the caller are changed")
		if err != nil {
			return
		}
		require.Equal(t, json.Valid(args), json.Valid(back), "%s became %s", args, back)
		again, err := s.Restore(args)
		require.NoError(t, err)
		require.Equal(t, string(back), string(again))
	})
}
