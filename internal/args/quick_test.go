package args

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestD4_QuickVerdictIsTheValidators compares the two over generated schemas and
// arguments: what the quick check accepts, the validator accepts.
func TestD4_QuickVerdictIsTheValidators(t *testing.T) {
	t.Parallel()
	accepted := 0
	rapid.Check(t, func(t *rapid.T) {
		schema := `{"properties":{"a":` + quickSchema(2).Draw(t, "of a") + `,"b":` + quickSchema(1).Draw(t, "of b") + `}}`
		c, reason := checkerOf(schema)
		if c == nil {
			t.Skip(reason)
		}
		slow := *c
		slow.quick = nil
		for range 30 {
			arguments, err := scan(`{"a":` + quickValue(2).Draw(t, "a") + `,"b":` + quickValue(1).Draw(t, "b") + `}`)
			require.NoError(t, err)
			if !c.quick.accepts(&arguments) {
				continue
			}
			accepted++
			if fault := slow.check(&arguments); fault != nil {
				t.Fatalf("%s under %s: %v", arguments.raw, schema, fault)
			}
		}
	})
	t.Log(accepted, "arguments were compared")
}

// quickSchema draws schemas of the words the quick check knows; one in eight also
// holds a word it must leave to the validator.
func quickSchema(depth int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		var words []string
		word := func(odds int, name string, values ...string) {
			if rapid.IntRange(1, odds).Draw(t, name) == odds {
				words = append(words, fmt.Sprintf("%q:%s", name, rapid.SampledFrom(values).Draw(t, "of "+name)))
			}
		}
		word(2, "type", `"string"`, `"integer"`, `"number"`, `"boolean"`, `"null"`, `"array"`, `"object"`, `["string","null"]`, `["integer","array"]`)
		word(6, "minimum", "1", "-3", "1.5")
		word(6, "maximum", "2", "10", "1e3")
		word(6, "minLength", "1", "3")
		word(6, "maxLength", "2", "0")
		word(6, "enum", `["a","b"]`, `["a",1]`)
		word(6, "required", `["a"]`, `["a","c"]`)
		if rapid.IntRange(1, 8).Draw(t, "odd") == 8 {
			words = append(words, rapid.SampledFrom([]string{
				`"type":"odd"`, `"type":[]`, `"minimum":"1"`, `"minLength":-1`, `"enum":[]`, `"required":true`, `"format":"date"`, `"pattern":"^a"`,
				`"$schema":"http://json-schema.org/draft-07/schema#"`, `"$schema":"http://json-schema.org/draft-04/schema#"`,
			}).Draw(t, "odd word"))
		}
		if depth > 0 {
			below := quickSchema(depth-1).Draw(t, "below")
			word(3, "items", below, "true", "false")
			word(4, "additionalProperties", below, "true", "false")
			word(2, "properties", `{"a":`+below+`}`)
		}
		return "{" + strings.Join(words, ",") + "}"
	})
}

func quickValue(depth int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		plain := []string{`null`, `true`, `1`, `1.0`, `1.5`, `2e0`, `-4`, `90071992547409930`, `""`, `"a"`, `"\u0061"`, `"é€𝄞"`, `"abc"`}
		if depth == 0 || rapid.Bool().Draw(t, "plain") {
			return rapid.SampledFrom(plain).Draw(t, "value")
		}
		below := quickValue(depth - 1)
		if rapid.Bool().Draw(t, "list") {
			return "[" + strings.Join(rapid.SliceOfN(below, 0, 3).Draw(t, "items"), ",") + "]"
		}
		return `{"a":` + below.Draw(t, "a") + `,"d":` + below.Draw(t, "d") + `}`
	})
}

// TestD4_MostArgumentsAreCheckedQuickly would fail if the quick check accepted
// nothing.
func TestD4_MostArgumentsAreCheckedQuickly(t *testing.T) {
	t.Parallel()
	c, reason := checkerOf(tenProperties)
	require.NotNil(t, c, reason)
	for text, want := range map[string]bool{
		tenArguments:                                                       true,
		`{"query":"","owner":"o","repo":"r"}`:                              false, // minLength
		`{"query":"q","owner":"o"}`:                                        false, // required
		`{"query":"q","owner":"o","repo":"r","state":"odd"}`:               false, // enum
		`{"query":"q","owner":"o","repo":"r","page":0}`:                    false, // minimum
		`{"query":"q","owner":"o","repo":"r","perPage":101}`:               false, // maximum
		`{"query":"q","owner":"o","repo":"r","page":1.5}`:                  false, // type
		`{"query":"q","owner":"o","repo":"r","labels":["a",1]}`:            false, // items
		`{"query":"q","owner":"o","repo":"r","more":1}`:                    false, // additionalProperties
		`{"query":"q","owner":"o","repo":"r","page":1.0}`:                  false, // valid, but not for sure
		`{"query":"q","owner":"o","repo":"r","score":1e400,"draft":false}`: true,
	} {
		v, err := scan(text)
		require.NoError(t, err)
		assert.Equal(t, want, c.quick.accepts(&v), text)
	}
	for _, schema := range []string{`{"oneOf":[]}`, `{"type":"object","$ref":"#"}`, `{"required":true}`, `{"properties":{"a":{"pattern":"x"}}}`, `[]`} {
		v, err := scan(schema)
		require.NoError(t, err)
		assert.Nil(t, newQuick(&v), schema)
	}
}
