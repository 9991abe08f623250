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
		schema := quickSchema(3).Draw(t, "schema")
		c, reason := checkerOf(schema)
		if c == nil {
			t.Skip(reason)
		}
		arguments, err := scan(`{"a":` + quickValue(3).Draw(t, "a") + `,"b":` + quickValue(2).Draw(t, "b") + `}`)
		require.NoError(t, err)
		if !c.quick.accepts(&arguments) {
			return
		}
		accepted++
		slow := *c
		slow.quick = nil
		if fault := slow.check(&arguments); fault != nil {
			t.Fatalf("%s under %s: %v", arguments.raw, schema, fault)
		}
	})
	assert.Positive(t, accepted, "nothing was compared")
}

func quickSchema(depth int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		var words []string
		word := func(name string, values ...string) {
			if rapid.IntRange(0, 2).Draw(t, name) == 0 {
				words = append(words, fmt.Sprintf("%q:%s", name, rapid.SampledFrom(values).Draw(t, "of "+name)))
			}
		}
		word("type", `"string"`, `"integer"`, `"number"`, `"boolean"`, `"null"`, `"array"`, `"object"`, `["string","null"]`, `["integer","array"]`, `"odd"`, `[]`)
		word("minimum", "1", "-3", "1.5", `"1"`)
		word("maximum", "2", "10", "1e3")
		word("minLength", "1", "3", "-1")
		word("maxLength", "2", "0")
		word("enum", `["a","b"]`, `["a",1]`, `[]`)
		word("required", `["a"]`, `["a","c"]`, `true`)
		word("format", `"date"`)
		word("pattern", `"^a"`)
		word("$schema", `"http://json-schema.org/draft-07/schema#"`, `"http://json-schema.org/draft-04/schema#"`)
		if depth > 0 {
			below := quickSchema(depth-1).Draw(t, "below")
			word("items", below, "true", "false")
			word("additionalProperties", below, "true", "false")
			words = append(words, `"properties":{"a":`+below+`}`)
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
