package args

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// property returns a schema with one optional property v.
func property(schema string) string {
	return `{"type":"object","properties":{"v":` + schema + `,"other":{"type":"string"}}}`
}

func TestD3_TextBecomesWhatTheSchemaAllows(t *testing.T) {
	t.Parallel()
	const kept, wrong = "kept", ""
	for name, c := range map[string]struct{ schema, value, want string }{
		"O15 integer":                        {`{"type":"integer"}`, `"5812"`, `5812`},
		"O15 number":                         {`{"type":"number"}`, `"1.5"`, `1.5`},
		"O15 boolean":                        {`{"type":"boolean"}`, `"true"`, `true`},
		"boolean false":                      {`{"type":"boolean"}`, `"false"`, `false`},
		"Python boolean":                     {`{"type":"boolean"}`, `"True"`, `true`},
		"negative":                           {`{"type":"integer"}`, `"-7"`, `-7`},
		"white space around":                 {`{"type":"integer"}`, `" 7\n"`, `7`},
		"every digit of an integer":          {`{"type":"integer"}`, `"7960607143101464576"`, `7960607143101464576`},
		"every digit of a number":            {`{"type":"number"}`, `"0.10000000000000000001"`, `0.10000000000000000001`},
		"integer with zeros behind":          {`{"type":"integer"}`, `"5.0"`, `5`},
		"integer with an exponent":           {`{"type":"integer"}`, `"5e3"`, `5000`},
		"zeros behind an integer":            {`{"type":"integer"}`, `5.00`, `5`},
		"an exponent of an integer":          {`{"type":"integer"}`, `12.5e1`, `125`},
		"minus zero":                         {`{"type":"integer"}`, `-0.0`, `-0`},
		"a fraction is no integer":           {`{"type":"integer"}`, `"5.5"`, wrong},
		"a fraction stays":                   {`{"type":"integer"}`, `5.5`, wrong},
		"a number keeps its zeros":           {`{"type":"number"}`, `5.0`, kept},
		"a union with number keeps them":     {`{"type":["integer","number"]}`, `5.0`, kept},
		"leading zeros mean something":       {`{"type":"integer"}`, `"007"`, wrong},
		"a plus is no JSON":                  {`{"type":"integer"}`, `"+7"`, wrong},
		"thousands are no JSON":              {`{"type":"integer"}`, `"1,000"`, wrong},
		"hexadecimal":                        {`{"type":"integer"}`, `"0x10"`, wrong},
		"not a number":                       {`{"type":"number"}`, `"NaN"`, wrong},
		"an empty text is no number":         {`{"type":"integer"}`, `""`, wrong},
		"yes is no boolean":                  {`{"type":"boolean"}`, `"yes"`, wrong},
		"1 is no boolean":                    {`{"type":"boolean"}`, `"1"`, wrong},
		"1 stays a number":                   {`{"type":"boolean"}`, `1`, wrong},
		"a number is no text":                {`{"type":"string"}`, `5`, wrong},
		"a text stays a text":                {`{"type":"string"}`, `"5"`, kept},
		"a text of JSON stays":               {`{"type":"string"}`, `"[1,2]"`, kept},
		"an object is no text":               {`{"type":"string"}`, `{"a":1}`, wrong},
		"O14 array":                          {`{"type":"array","items":{"type":"object"}}`, `"[{\"c\":\"A\"}]"`, `[{"c":"A"}]`},
		"O14 broken array":                   {`{"type":"array"}`, `"[1,"`, wrong},
		"O14 broken object":                  {`{"type":"object"}`, `"{\"a\":"`, wrong},
		"O14 object":                         {`{"type":"object"}`, `"{\"a\": 1.50}"`, `{"a": 1.50}`},
		"O06 type list":                      {`{"type":["null","array"],"items":{"type":"integer"}}`, `"[1,2]"`, `[1,2]`},
		"O06 array stays":                    {`{"type":["null","array"],"items":{"type":"integer"}}`, `[1,2]`, kept},
		"Python list":                        {`{"type":"array"}`, `"['a', None]"`, `["a", null]`},
		"array of an object's text":          {`{"type":"array"}`, `"{}"`, wrong},
		"a text in a text":                   {`{"type":"array"}`, `"\"[1]\""`, wrong},
		"texts in an array in a text":        {`{"type":"array","items":{"type":"integer"}}`, `"[\"1\",2]"`, `[1,2]`},
		"items":                              {`{"type":"array","items":{"type":"integer"}}`, `["1",2,"3"]`, `[1,2,3]`},
		"items of a tuple":                   {`{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"items":{"type":"boolean"}}`, `["1","2","true"]`, `["1",2,true]`},
		"nested objects":                     {`{"type":"object","properties":{"o":{"type":"object","properties":{"n":{"type":"integer"}}}}}`, `{"o":{"n":"1","s":"1"}}`, `{"o":{"n":1,"s":"1"}}`},
		"values of a map":                    {`{"type":"object","additionalProperties":{"type":"integer"}}`, `{"a":"1"}`, `{"a":1}`},
		"a text for all of it":               {`{"type":"object","properties":{"n":{"type":"integer"}}}`, `"{\"n\":\"1\"}"`, `{"n":1}`},
		"nothing is wrapped":                 {`{"type":"array","items":{"type":"integer"}}`, `5`, wrong},
		"no text is wrapped":                 {`{"type":"array","items":{"type":"string"}}`, `"a"`, wrong},
		"no text is split":                   {`{"type":"array","items":{"type":"string"}}`, `"a,b"`, wrong},
		"anyOf without text":                 {`{"anyOf":[{"type":"integer"},{"type":"null"}]}`, `"5"`, `5`},
		"oneOf without text":                 {`{"oneOf":[{"type":"array"},{"type":"boolean"}]}`, `"[1]"`, `[1]`},
		"anyOf with text":                    {`{"anyOf":[{"type":"integer"},{"type":"string"}]}`, `"5"`, kept},
		"type list with text":                {`{"type":["string","integer"]}`, `"5"`, kept},
		"type list keeps a number":           {`{"type":["string","integer"]}`, `5`, kept},
		"untyped":                            {`{}`, `"5"`, kept},
		"true":                               {`true`, `"5"`, kept},
		"allOf":                              {`{"allOf":[{"type":["string","integer"]},{"type":["integer","null"]}]}`, `"5"`, `5`},
		"anyOf within allOf":                 {`{"allOf":[{"anyOf":[{"type":"integer"},{"type":"boolean"}]}]}`, `"true"`, `true`},
		"enum of numbers":                    {`{"enum":[1,2]}`, `"2"`, `2`},
		"enum of numbers and texts":          {`{"enum":[1,"2"]}`, `"1"`, wrong},
		"enum of texts":                      {`{"enum":["1","2"]}`, `"2"`, kept},
		"const":                              {`{"const":true}`, `"true"`, `true`},
		"null for null":                      {`{"type":["integer","null"]}`, `"null"`, `null`},
		"no null from an empty text":         {`{"type":["integer","null"]}`, `""`, wrong},
		"a type nobody knows":                {`{"type":"decimal"}`, `"5"`, kept},
		"half a surrogate":                   {`{"type":"array"}`, `"[\"\ud800\"]"`, wrong},
		"an escaped half inside":             {`{"type":"array"}`, `"[\"\\ud800\"]"`, `["\ud800"]`},
		"alternatives told apart by a value": {`{"oneOf":[{"properties":{"k":{"const":"a"},"x":{"type":"integer"}}},{"properties":{"k":{"const":"b"},"x":{"type":"string"}}}]}`, `{"k":"a","x":"1"}`, `{"k":"a","x":1}`},
		"told apart by a number in a text":   {`{"oneOf":[{"properties":{"k":{"const":1},"x":{"type":"integer"}}},{"properties":{"k":{"const":2},"x":{"type":"integer"}}}]}`, `{"k":"1","x":"1"}`, `{"k":1,"x":1}`},
		"the other alternative":              {`{"oneOf":[{"properties":{"k":{"const":"a"},"x":{"type":"integer"}}},{"properties":{"k":{"const":"b"},"x":{"type":"string"}}}]}`, `{"k":"b","x":"1"}`, kept},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.want == kept {
				c.want = c.value
			}
			got, err := New(json.RawMessage(property(c.schema))).Parse(`{"v":` + c.value + `}`)
			if c.want == wrong {
				var e *Error
				require.ErrorAs(t, err, &e, "got %s", got)
				assert.Contains(t, e.Faults[0].Path, "v")
				return
			}
			require.NoError(t, err)
			v, err := scan(string(got))
			require.NoError(t, err)
			assert.Equal(t, c.want, v.get("v").json())
		})
	}
}

func TestD3_References(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ schema, want string }{
		"$defs":             {`{"properties":{"v":{"$ref":"#/$defs/N"}},"$defs":{"N":{"type":"integer"}}}`, `{"v":5}`},
		"chain":             {`{"properties":{"v":{"$ref":"#/$defs/A"}},"$defs":{"A":{"$ref":"#/$defs/N"},"N":{"type":"integer"}}}`, `{"v":5}`},
		"properties":        {`{"properties":{"v":{"$ref":"#/properties/w"},"w":{"type":"integer"}}}`, `{"v":5}`},
		"escaped name":      {`{"properties":{"v":{"$ref":"#/$defs/a~1b%20c"}},"$defs":{"a/b c":{"type":"integer"}}}`, `{"v":5}`},
		"root":              {`{"$ref":"#/$defs/R","$defs":{"R":{"properties":{"v":{"type":"integer"}}}}}`, `{"v":5}`},
		"beside":            {`{"properties":{"v":{"$ref":"#/$defs/N","maximum":9}},"$defs":{"N":{"type":"integer"}}}`, `{"v":5}`},
		"alone in draft 7":  {`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"v":{"$ref":"#/definitions/N","type":"integer"}},"definitions":{"N":{"type":"string"}}}`, `{"v":"5"}`},
		"item of a list":    {`{"properties":{"v":{"$ref":"#/$defs/L/anyOf/1"}},"$defs":{"L":{"anyOf":[{"type":"string"},{"type":"integer"}]}}}`, `{"v":5}`},
		"within alternates": {`{"properties":{"v":{"anyOf":[{"$ref":"#/$defs/N"},{"type":"null"}]}},"$defs":{"N":{"type":"integer"}}}`, `{"v":5}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := New(json.RawMessage(c.schema)).Parse(`{"v":"5"}`)
			require.NoError(t, err)
			assert.Equal(t, c.want, string(got))
		})
	}
	recursive := New(json.RawMessage(`{"$ref":"#/$defs/N","$defs":{"N":{"type":"object","properties":{"n":{"type":"integer"},"next":{"$ref":"#/$defs/N"}},"required":["n"]}}}`))
	got, err := recursive.Parse(`{"n":"1","next":{"n":"2","next":{"n":3,"next":null}}}`)
	require.NoError(t, err)
	assert.Equal(t, `{"n":1,"next":{"n":2,"next":{"n":3}}}`, string(got))
}

func TestD3_Null(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ schema, text, want string }{
		"O12 optional text": {`{"properties":{"q":{"type":"string"},"after":{"type":"string"}},"required":["q"]}`, `{"q":"x","after":null}`, `{"q":"x"}`},
		"O13 permitted and nested": {`{"type":"object","properties":{"a":{"type":["string","null"]},"b":{"anyOf":[{"type":"integer"},{"type":"null"}]},"c":{"type":"string"},"d":{"type":"object"}}}`,
			`{"a":null,"b":null,"c":null,"d":{"k":null}}`, `{"a":null,"b":null,"d":{"k":null}}`},
		"required":                   {`{"properties":{"q":{"type":"string"}},"required":["q"]}`, `{"q":null}`, ""},
		"required by allOf":          {`{"properties":{"q":{"type":"string"}},"allOf":[{"required":["q"]}]}`, `{"q":null}`, ""},
		"untyped":                    {`{"properties":{"q":{}}}`, `{"q":null}`, `{"q":null}`},
		"unknown name":               {`{"properties":{"q":{"type":"string"}}}`, `{"z":null}`, `{"z":null}`},
		"unknown name, closed":       {`{"properties":{"q":{"type":"string"}},"additionalProperties":false}`, `{"z":null}`, ""},
		"value of a map":             {`{"additionalProperties":{"type":"string"}}`, `{"z":null}`, ""},
		"in a nested typed object":   {`{"properties":{"o":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":["string","null"]}}}}}`, `{"o":{"a":null,"b":null,"c":null}}`, `{"o":{"b":null,"c":null}}`},
		"item of a list":             {`{"properties":{"l":{"type":"array","items":{"type":"string"}}}}`, `{"l":[null]}`, ""},
		"enum with null":             {`{"properties":{"q":{"enum":["a",null]},"r":{"type":"string"}}}`, `{"q":null,"r":null}`, `{"q":null}`},
		"enum without null":          {`{"properties":{"q":{"enum":["a"]}}}`, `{"q":null}`, `{}`},
		"an array that is not given": {`{"properties":{"l":{"type":"array"},"o":{"type":"object"}}}`, `{"l":null,"o":null}`, `{}`},
		"alternatives":               {`{"properties":{"id":{"type":"integer"},"name":{"type":"string"}},"anyOf":[{"required":["id"]},{"required":["name"]}]}`, `{"id":null,"name":"x"}`, `{"name":"x"}`},
		"null type":                  {`{"properties":{"z":{"type":"null"}}}`, `{"z":null}`, `{"z":null}`},
		"forbidden":                  {`{"properties":{"z":false}}`, `{"z":null}`, ""},
		"with a default of null":     {`{"properties":{"c":{"anyOf":[{"type":"string"},{"type":"null"}],"default":null}}}`, `{"c":null}`, `{"c":null}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := New(json.RawMessage(c.schema)).Parse(c.text)
			if c.want == "" {
				require.Error(t, err, "got %s", got)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, c.want, string(got))
		})
	}
}

func TestD3_WorksWithoutACheck(t *testing.T) {
	t.Parallel()
	const schema = `{"type":"object","properties":{"n":{"type":"integer"},"s":{"type":"string"},"l":{"type":"array"},"z":{"type":"string"}},"required":["x"]`
	for name, s := range map[string]*Schema{
		"switched off": New(json.RawMessage(schema+`}`), WithoutCheck()),
		"not compiled": New(json.RawMessage(schema + `,"minProperties":"many"}`)),
	} {
		require.NotEmpty(t, s.Unchecked(), name)
		got, err := s.Parse(`{"n":"5","s":"5","l":"[1]","z":null,"m":7}`)
		require.NoError(t, err, name)
		assert.Equal(t, `{"n":5,"s":"5","l":[1],"m":7}`, string(got), name)
		_, err = s.Parse(`{"l":"[1,"}`)
		var e *Error
		require.ErrorAs(t, err, &e, name)
		assert.Equal(t, "l", e.Faults[0].Path, name)
		got, err = s.Parse(`{"n":"five"}`)
		require.NoError(t, err, name)
		assert.Equal(t, `{"n":"five"}`, string(got), name)
	}
}

func TestD5_Defaults(t *testing.T) {
	t.Parallel()
	const schema = `{"type":"object","properties":{
		"q":{"type":"string"},
		"limit":{"type":"integer","default":9007199254740993},
		"f":{"type":"number","default":1.50},
		"none":{"type":["string","null"],"default":null},
		"o":{"type":"object","properties":{"deep":{"type":"boolean","default":true}}},
		"whole":{"type":"object","default":{"a":[1]},"properties":{"b":{"default":2}}},
		"r":{"$ref":"#/$defs/R"}},
		"$defs":{"R":{"type":"string","default":"unused"}},
		"allOf":[{"properties":{"from":{"type":"string","default":"x"}}}]}`
	for text, want := range map[string]string{
		`{}`:                   `{"limit":9007199254740993,"f":1.50,"whole":{"a":[1]},"from":"x"}`,
		`{"limit":1,"o":{}}`:   `{"limit":1,"o":{"deep":true},"f":1.50,"whole":{"a":[1]},"from":"x"}`,
		`{"whole":{},"f":2.0}`: `{"whole":{"b":2},"f":2.0,"limit":9007199254740993,"from":"x"}`,
		``:                     `{"limit":9007199254740993,"f":1.50,"whole":{"a":[1]},"from":"x"}`,
	} {
		got, err := New(json.RawMessage(schema), WithDefaults(true)).Parse(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, string(got), text)
	}
	got, err := New(json.RawMessage(schema), WithDefaults(false)).Parse(`{}`)
	require.NoError(t, err)
	assert.Equal(t, `{}`, string(got))
}

func TestD5_DefaultsThatDoNotFitStayOut(t *testing.T) {
	t.Parallel()
	s := New(json.RawMessage(`{"properties":{"a":{"type":"integer","default":"one"},"b":{"default":1}},"type":"object"}`), WithDefaults(true))
	got, err := s.Parse(`{"c":3}`)
	require.NoError(t, err)
	assert.Equal(t, `{"c":3}`, string(got))
}

func TestSchemasAreSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	s := New(json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"},"d":{"type":"object","default":{"x":{}},"properties":{"x":{"properties":{"y":{"default":1}}}}}},
		"allOf":[{"properties":{"d":{"properties":{"z":{"default":2}}}}}],"required":["n"]}`),
		WithDefaults(true), WithBound(map[string]json.RawMessage{"b": json.RawMessage(`{"k":"1"}`)}))
	var wg sync.WaitGroup
	for i := range 32 {
		wg.Go(func() {
			got, err := s.Parse(fmt.Sprintf(`{"n":"%d"}`, i))
			assert.NoError(t, err)
			assert.Equal(t, fmt.Sprintf(`{"n":%d,"b":{"k":"1"},"d":{"x":{},"z":2}}`, i), string(got))
			_, err = s.Parse(`{"n":"x"}`)
			assert.Error(t, err)
		})
	}
	wg.Wait()
}
