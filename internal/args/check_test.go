package args

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// faultsOf parses a text that must fail and returns the faults as one text.
func faultsOf(t *testing.T, schema, text string) string {
	t.Helper()
	got, err := New(json.RawMessage(schema), WithSignature("{the: signature}")).Parse(text)
	var e *Error
	require.ErrorAs(t, err, &e, "%s gave %s", text, got)
	assert.True(t, utf8.ValidString(e.Text))
	assert.LessOrEqual(t, utf8.RuneCountInString(e.Text), maxObserved)
	assert.Contains(t, e.Text, "{the: signature}")
	assert.Equal(t, e.Text, e.Error())
	var lines []string
	for _, f := range e.Faults {
		lines = append(lines, f.String())
		assert.NotContains(t, f.String(), "\n")
	}
	return strings.Join(lines, "\n")
}

func TestD4_FaultsAModelCanActOn(t *testing.T) {
	t.Parallel()
	const o05 = `{"type":"object","properties":{"id":{"type":"integer"},"name":{"type":"string"},"place":{}},"anyOf":[{"required":["id"]},{"required":["name","place"]}]}`
	const shapes = `{"properties":{"s":{"oneOf":[{"type":"object","properties":{"kind":{"const":"circle"},"r":{"type":"number"}},"required":["kind","r"]},
		{"type":"object","properties":{"kind":{"enum":["rect"]},"w":{"type":"number"}},"required":["kind","w"]},{"type":"string"}]}}}`
	for name, c := range map[string]struct{ schema, text, want string }{
		"O05 anyOf of required":    {o05, `{}`, "give one of these: id, or name and place"},
		"O05 half an alternative":  {o05, `{"name":"x"}`, "give one of these: id, or place"},
		"oneOf, both given":        {strings.ReplaceAll(o05, "anyOf", "oneOf"), `{"id":1,"name":"x","place":1}`, "fits several alternatives at once, of which only one may be given: id, or name and place"},
		"missing":                  {`{"properties":{"a":{"type":"string"},"b":{"enum":[1,2]}},"required":["a","b","c"]}`, `{}`, "a: missing, expected string\nb: missing, expected one of 1, 2\nc: missing, expected a value"},
		"missing deep down":        {`{"properties":{"l":{"type":"array","items":{"type":"object","required":["a b"]}}}}`, `{"l":[{"a b":1},{}]}`, `l[1]["a b"]: missing, expected a value`},
		"wrong type":               {`{"properties":{"n":{"type":"integer"}}}`, `{"n":"five"}`, `n: expected integer, got string "five"`},
		"wrong type, null":         {`{"properties":{"n":{"type":"integer"}},"required":["n"]}`, `{"n":null}`, `n: expected integer, got null`},
		"wrong type, exact digits": {`{"properties":{"n":{"type":"string"}}}`, `{"n":9007199254740993}`, `n: expected string, got number 9007199254740993`},
		"type list":                {`{"properties":{"n":{"type":["string","null"]}}}`, `{"n":{"a":1}}`, `n: expected null or string, got object {"a":1}`},
		"union":                    {`{"properties":{"n":{"anyOf":[{"type":"string"},{"type":"integer"},{"enum":[null]}]}}}`, `{"n":{}}`, `n: expected string or integer or null, got {}`},
		"enum":                     {`{"properties":{"u":{"enum":["celsius","kelvin"]}}}`, `{"u":"Celsius"}`, `u: expected one of "celsius", "kelvin", got "Celsius"`},
		"const":                    {`{"properties":{"u":{"const":{"a":1}}}}`, `{"u":1}`, `u: expected {"a":1}, got 1`},
		"unknown, near":            {`{"properties":{"city":{},"country":{}},"additionalProperties":false}`, `{"citty":1}`, `citty: unknown name, did you mean "city"?`},
		"unknown, other style":     {`{"properties":{"maxResults":{}},"additionalProperties":false}`, `{"max_results":1}`, `max_results: unknown name, did you mean "maxResults"?`},
		"unknown, far":             {`{"properties":{"a":{},"b":{}},"additionalProperties":false}`, `{"zzz":1}`, `zzz: unknown name; known are a, b`},
		"unknown, none known":      {`{"additionalProperties":false}`, `{"z":1}`, `z: unknown name`},
		"unknown, unevaluated":     {`{"properties":{"city":{}},"allOf":[{"properties":{"b":{}}}],"unevaluatedProperties":false}`, `{"city":1,"b":1,"cityy":1}`, `cityy: unknown name, did you mean "city"?`},
		"pattern":                  {`{"properties":{"s":{"pattern":"^[a-z]+$"}}}`, `{"s":"A1"}`, `s: expected a text that matches ^[a-z]+$, got "A1"`},
		"lengths":                  {`{"properties":{"s":{"minLength":2},"t":{"maxLength":1}}}`, `{"s":"é","t":"éé"}`, "s: expected at least 2 characters, got \"é\"\nt: expected at most 1 character, got 2"},
		"ranges":                   {`{"properties":{"a":{"minimum":1},"b":{"maximum":1.5},"c":{"exclusiveMinimum":0},"d":{"exclusiveMaximum":10},"e":{"multipleOf":0.5}}}`, `{"a":0,"b":2,"c":0,"d":10,"e":0.7}`, "a: expected at least 1, got 0\nb: expected at most 1.5, got 2\nc: expected more than 0, got 0\nd: expected less than 10, got 10\ne: expected a multiple of 0.5, got 0.7"},
		"a huge bound":             {`{"properties":{"a":{"maximum":18446744073709551615}}}`, `{"a":18446744073709551616}`, "a: expected at most 18446744073709551615, got 18446744073709551616"},
		"items":                    {`{"properties":{"l":{"minItems":2,"items":{"type":"string"}},"m":{"maxItems":1,"uniqueItems":true}}}`, `{"l":[1],"m":[1,1]}`, "l: expected at least 2 items, got 1\nl[0]: expected string, got number 1\nm: expected at most 1 item, got 2\nm: expected different items, got the same at 0 and 1"},
		"tuples":                   {`{"properties":{"l":{"prefixItems":[{"type":"string"}],"items":false}}}`, `{"l":["a","b"]}`, "l[0]: is not allowed here"},
		"tuples of draft 7":        {`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"l":{"items":[{"type":"string"}],"additionalItems":false}}}`, `{"l":["a","b"]}`, "l: 1 item too many"},
		"contains":                 {`{"properties":{"l":{"contains":{"type":"string"}},"m":{"contains":{"const":1},"minContains":2,"maxContains":3}}}`, `{"l":[1],"m":[1]}`, "l: expected an item of a certain kind: expected string, got number 1\nm: expected at least 2 items of a certain kind, got 1"},
		"too many of a kind":       {`{"properties":{"m":{"contains":{"const":1},"maxContains":1}}}`, `{"m":[1,1]}`, "m: expected at most 1 item of a certain kind, got 2"},
		"number of names":          {`{"minProperties":1,"properties":{"o":{"maxProperties":1}}}`, `{"o":{"a":1,"b":2}}`, "o: expected at most 1 name, got 2"},
		"no names":                 {`{"minProperties":1}`, `{}`, "expected at least 1 name, got 0"},
		"names":                    {`{"propertyNames":{"pattern":"^x-"}}`, `{"y":1}`, `the name "y" is not allowed: expected a text that matches ^x-`},
		"dependent":                {`{"dependentRequired":{"a":["b","c"]}}`, `{"a":1,"c":1}`, "with a, b must be given as well"},
		"one of, by reference":     {`{"oneOf":[{"$ref":"#/$defs/A"},{"required":["b"]},{"enum":[7]}],"$defs":{"A":{"required":["a"]}}}`, `{"a":1,"b":1}`, "fits several alternatives at once, of which only one may be given: a, or b"},
		"one of, by type":          {`{"properties":{"v":{"oneOf":[{"type":"integer"},{"type":"number"}]}}}`, `{"v":1}`, "v: fits several alternatives at once, of which only one may be given: integer, or number"},
		"dependent in draft 7":     {`{"$schema":"http://json-schema.org/draft-07/schema#","dependencies":{"a":["b"]}}`, `{"a":1}`, "with a, b must be given as well"},
		"not together":             {`{"not":{"required":["a","b"]}}`, `{"a":1,"b":1}`, "a, b must not be given together"},
		"not at all":               {`{"not":{"required":["a"]}}`, `{"a":1}`, "a must not be given"},
		"not a value":              {`{"properties":{"a":{"not":{"enum":["x"]}},"b":{"not":{"minLength":1}}}}`, `{"a":"x","b":"y"}`, "a: expected anything but \"x\", got \"x\"\nb: is not allowed"},
		"forbidden":                {`{"properties":{"a":false}}`, `{"a":1}`, "a: is not allowed here"},
		"if then":                  {`{"if":{"properties":{"k":{"const":1}}},"then":{"required":["x"]}}`, `{"k":1}`, "x: missing, expected a value"},
		"the alternative meant":    {shapes, `{"s":{"kind":"rect","w":"wide"}}`, `s.w: expected number, got string "wide"`},
		"no alternative meant":     {shapes, `{"s":{"kind":"oval"}}`, `s.kind: expected one of "circle", "rect", got "oval"`},
		"alternatives in words":    {`{"properties":{"s":{"anyOf":[{"minLength":3},{"pattern":"^x"}]}}}`, `{"s":"a"}`, `s: fits none of the alternatives: (1) s: expected at least 3 characters, got "a" (2) s: expected a text that matches ^x, got "a"`},
		"through a reference":      {`{"properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":{"allOf":[{"type":"object","required":["k"]}]}}}`, `{"a":{}}`, "a.k: missing, expected a value"},
		"O14 broken JSON text":     {`{"properties":{"l":{"type":"array"}}}`, `{"l":"[1,"}`, `l: expected array, got a text that is broken JSON (the text ends in the middle of the JSON value at byte 3): "[1,"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, c.want, faultsOf(t, c.schema, c.text))
		})
	}
}

func TestD4_ErrorsAreBounded(t *testing.T) {
	t.Parallel()
	var names, values []string
	for i := range 3000 {
		names = append(names, fmt.Sprintf(`"n%d%s":{"type":"integer"}`, i, strings.Repeat("n", 200)))
		values = append(values, fmt.Sprintf(`"n%d%s":"%s"`, i, strings.Repeat("n", 200), strings.Repeat("é\\n", 200)))
	}
	schema := `{"properties":{` + strings.Join(names, ",") + `},"additionalProperties":false}`
	text := `{` + strings.Join(values, ",") + `,"z":` + strings.Repeat("[", 400) + strings.Repeat("]", 400) + `}`
	_, err := New(json.RawMessage(schema)).Parse(text)
	var e *Error
	require.ErrorAs(t, err, &e)
	assert.LessOrEqual(t, utf8.RuneCountInString(e.Text), maxObserved)
	assert.LessOrEqual(t, len(e.Faults), maxFaults)
	assert.Contains(t, e.Text, "more")
	_, err = New(nil, WithSignature(strings.Repeat("long ", 10_000))).Parse(`{`)
	require.ErrorAs(t, err, &e)
	assert.LessOrEqual(t, utf8.RuneCountInString(e.Text), maxObserved)
}

func TestD4_ManyFaultsAreCounted(t *testing.T) {
	t.Parallel()
	_, err := New(json.RawMessage(`{"additionalProperties":{"type":"integer"}}`)).Parse(
		`{"a":"x","b":"x","c":"x","d":"x","e":"x","f":"x","g":"x","h":"x","i":"x","j":"x","k":"x","l":"x","m":"x","n":"x","o":"x","p":"x","q":"x","r":"x","s":"x","t":"x","u":"x","v":"x"}`)
	var e *Error
	require.ErrorAs(t, err, &e)
	assert.Len(t, e.Faults, maxFaults)
	assert.Contains(t, e.Text, "and 2 more")
}

func TestC7_BoundArgumentsAreNeverMentioned(t *testing.T) {
	t.Parallel()
	const schema = `{"type":"object","properties":{"q":{"type":"string"},"token":{"type":"integer"}},"required":["q","token"],"additionalProperties":false,"minProperties":4,
		"anyOf":[{"properties":{"token":{"const":"s3cret"}},"required":["zz"]},{"required":["zz"]}],"not":{"required":["token"]}}`
	bound := WithBound(map[string]json.RawMessage{"token": json.RawMessage(`"s3cret"`), "hidden": json.RawMessage(`1`)})
	_, err := New(json.RawMessage(schema), bound).Parse(`{"q":5}`)
	var e *Error
	require.ErrorAs(t, err, &e)
	assert.NotContains(t, e.Text, "s3cret")
	assert.NotContains(t, e.Text, "token")
	assert.NotContains(t, e.Text, "hidden")
	assert.Contains(t, e.Text, "q: expected string")

	_, err = New(json.RawMessage(`{"properties":{"token":{"type":"integer"}}}`), bound).Parse(`{}`)
	require.NotErrorAs(t, err, &e, "a fault of the owner is not the model's")
	var owners *BoundError
	require.ErrorAs(t, err, &owners)
	assert.EqualError(t, err, "bound arguments do not fit the tool's schema: token: expected integer, got string")
}

func TestD4_Drafts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ schema, good, bad string }{
		"draft 4":                      {`{"$schema":"http://json-schema.org/draft-04/schema#","properties":{"n":{"minimum":0,"exclusiveMinimum":true}}}`, `{"n":1}`, `{"n":0}`},
		"draft 4 unsaid":               {`{"properties":{"n":{"minimum":0,"exclusiveMinimum":true}}}`, `{"n":1}`, `{"n":0}`},
		"draft 6":                      {`{"$schema":"http://json-schema.org/draft-06/schema#","properties":{"n":{"exclusiveMinimum":0}}}`, `{"n":1}`, `{"n":0}`},
		"draft 7":                      {`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"n":{"items":[{"type":"string"}]}}}`, `{"n":["a"]}`, `{"n":[1]}`},
		"draft 7 unsaid":               {`{"properties":{"n":{"items":[{"type":"string"}]}}}`, `{"n":["a"]}`, `{"n":[1]}`},
		"draft 7, https":               {`{"$schema":"https://json-schema.org/draft-07/schema","properties":{"n":{"type":"string"}}}`, `{"n":"a"}`, `{"n":1}`},
		"2019-09":                      {`{"$schema":"https://json-schema.org/draft/2019-09/schema","properties":{"n":{"contains":{"const":1},"minContains":2}}}`, `{"n":[1,1]}`, `{"n":[1]}`},
		"2020-12":                      {`{"$schema":"https://json-schema.org/draft/2020-12/schema","properties":{"n":{"prefixItems":[{"type":"string"}]}}}`, `{"n":["a"]}`, `{"n":[1]}`},
		"one nobody knows":             {`{"$schema":"https://example.com/own","properties":{"n":{"type":"string"}}}`, `{"n":"a"}`, `{"n":1}`},
		"no text":                      {`{"$schema":7,"properties":{"n":{"type":"string"}}}`, `{"n":"a"}`, `{"n":1}`},
		"nested dialect":               {`{"properties":{"n":{"$schema":"https://example.com/own","type":"string"}}}`, `{"n":"a"}`, `{"n":1}`},
		"own id":                       {`{"$id":"https://example.com/s","properties":{"n":{"$ref":"https://example.com/s#/$defs/N"}},"$defs":{"N":{"type":"string"}}}`, `{"n":"a"}`, `{"n":1}`},
		"anchor":                       {`{"properties":{"n":{"$ref":"#N"}},"$defs":{"N":{"$anchor":"N","type":"string"}}}`, `{"n":"a"}`, `{"n":1}`},
		"dynamic reference":            {`{"$dynamicAnchor":"R","properties":{"n":{"type":"string"},"o":{"$dynamicRef":"#R"}}}`, `{"o":{"n":"a"}}`, `{"o":{"n":1}}`},
		"formats are remarks":          {`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"n":{"type":"string","format":"date-time"},"u":{"format":"uri"},"e":{"format":"email"}}}`, `{"n":"soon","u":"::","e":"@"}`, `{"n":1}`},
		"a type nobody knows":          {`{"properties":{"n":{"type":"string"},"d":{"type":"decimal"},"e":{"type":["any","string"]}}}`, `{"n":"a","d":[],"e":1}`, `{"n":1}`},
		"keywords that are null":       {`{"description":null,"properties":{"n":{"type":"string","title":null,"pattern":null,"enum":null,"items":null}},"required":null}`, `{"n":"a"}`, `{"n":1}`},
		"remarks of a wrong type":      {`{"description":5,"properties":{"n":{"type":"string","title":["t"],"examples":"x","deprecated":"no"}}}`, `{"n":"a"}`, `{"n":1}`},
		"properties named as keywords": {`{"properties":{"description":{"type":"string"},"type":{"type":"integer"},"maxLength":{"type":"string"},"format":{"enum":["a",null]},"$schema":{"type":"string"}}}`, `{"description":"a","type":1,"maxLength":"m","format":null,"$schema":"x"}`, `{"description":1}`},
		"counts beyond an int":         {`{"properties":{"n":{"type":"string","maxLength":18446744073709551615},"l":{"maxItems":1e30}}}`, `{"n":"a","l":[1]}`, `{"n":1}`},
		"members given twice":          {`{"properties":{"n":{"type":"integer"},"n":{"type":"string"}}}`, `{"n":"a"}`, `{"n":{}}`},
		"root type list":               {`{"type":["object","null"],"properties":{"n":{"type":"string"}}}`, `{"n":"a"}`, `{"n":1}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := New(json.RawMessage(c.schema))
			require.Empty(t, s.Unchecked())
			got, err := s.Parse(c.good)
			require.NoError(t, err)
			assert.Equal(t, c.good, string(got))
			got, err = s.Parse(c.bad)
			require.Error(t, err, "got %s", got)
		})
	}
}

func TestD4_Patterns(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		pattern, text string
		valid         bool
	}{
		"plain":                       {`^a+$`, "aa", true},
		"plain, no match":             {`^a+$`, "ab", false},
		"not anchored":                {`b`, "abc", true},
		"look ahead is not checked":   {`^(?!x)`, "x", true},
		"back reference":              {`(a)\1`, "ab", true},
		"white space of JavaScript":   {`^\s+$`, "\u00a0\v\ufeff", true},
		"white space in a class":      {`^[\s-]+$`, "\u2003-", true},
		"no white space":              {`^\S+$`, "a\u00a0", false},
		"unicode escape":              {`^\u00e9$`, "é", true},
		"unicode escape, no match":    {`^\u00e9$`, "e", false},
		"unicode escape with braces":  {`^\u{1F600}$`, "😀", true},
		"property":                    {`^\p{L}+$`, "é", true},
		"named group":                 {`^(?<y>\d{4})$`, "2020", true},
		"slash":                       {`^a\/b$`, "a/b", true},
		"bracket in a class":          {`^[[a]+$`, "[a", true},
		"hyphens":                     {`^[\w.-]+$`, "a-b.c", true},
		"nothing":                     {`[]`, "a", true},
		"a bracket too many":          {`^(a$`, "b", true},
		"control letter":              {`^\cA$`, "b", true},
		"cut off escape":              {`\`, "b", true},
		"cut off unicode":             {`\u00`, "b", true},
		"unclosed unicode":            {`\u{12`, "b", true},
		"repeated too often for Go":   {`^a{2000}$`, "b", true},
		"dollar is the very end":      {`^a$`, "a\n", false},
		"case is kept":                {`^a$`, "A", false},
		"digits are ASCII":            {`^\d$`, "٣", false},
		"an end of JavaScript's none": {`^a\Z`, "b", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := New(json.RawMessage(`{"properties":{"s":{"type":"string","pattern":` + quote(c.pattern) + `}}}`))
			require.Empty(t, s.Unchecked())
			_, err := s.Parse(`{"s":` + quote(c.text) + `}`)
			assert.Equal(t, c.valid, err == nil, "%v", err)
		})
	}
	t.Run("names by a pattern that cannot be matched", func(t *testing.T) {
		t.Parallel()
		s := New(json.RawMessage(`{"patternProperties":{"^(?!x)":{"type":"integer"},"^n":{"type":"integer"}},"additionalProperties":false}`))
		require.Empty(t, s.Unchecked())
		_, err := s.Parse(`{"x":"a","y":"b"}`)
		require.NoError(t, err)
		_, err = s.Parse(`{"n":"a"}`)
		require.Error(t, err)
	})
}

func TestD4_SchemasThatCannotBeCheckedAgainst(t *testing.T) {
	t.Parallel()
	bomb := func(keyword string) string {
		var defs []string
		for i := range 40 {
			defs = append(defs, fmt.Sprintf(`"a%d":{"%s":[{"$ref":"#/$defs/a%d"},{"$ref":"#/$defs/a%d"}]}`, i, keyword, i+1, i+1))
		}
		return `{"properties":{"v":{"$ref":"#/$defs/a0"}},"$defs":{` + strings.Join(defs, ",") + `,"a40":{"type":"boolean"}}}`
	}
	for name, schema := range map[string]string{
		"not JSON":             `{"type":`,
		"a list":               `[]x`,
		"a wrong keyword":      `{"properties":{"a":{"minimum":"one"}}}`,
		"required as boolean":  `{"properties":{"a":{"required":true}}}`,
		"reference to nothing": `{"properties":{"a":{"$ref":"#/$defs/none"}}}`,
		"reference elsewhere":  `{"properties":{"a":{"$ref":"https://example.com/s.json"}}}`,
		"reference to a file":  `{"properties":{"a":{"$ref":"file:///etc/passwd"}}}`,
		"relative reference":   `{"properties":{"a":{"$ref":"other.json"}}}`,
		"endless reference":    `{"properties":{"a":{"$ref":"#/properties/a"}}}`,
		"endless combination":  `{"$ref":"#/$defs/A","$defs":{"A":{"allOf":[{"$ref":"#/$defs/A"}]}}}`,
		"deep":                 strings.Repeat(`{"items":`, 300) + `{}` + strings.Repeat(`}`, 300),
		"very deep":            strings.Repeat(`{"items":`, 100_000),
		"large":                `{"description":"` + strings.Repeat("x", maxSchema) + `"}`,
		"many values":          `{"enum":[` + strings.Repeat("1,", maxSchemaValues) + `1]}`,
		"many ids":             `{"properties":{` + repeated(maxSchemaIDs+1, `"p#":{"$id":"i#"}`) + `}}`,
		"many odd references":  `{"x":{` + repeated(maxSchemaOdd+1, `"p#":{}`) + `},"properties":{` + repeated(maxSchemaOdd+1, `"p#":{"$ref":"#/x/p#"}`) + `}}`,
		"a huge number":        `{"properties":{"a":{"maximum":1e400000000}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := New(json.RawMessage(schema))
			assert.NotEmpty(t, s.Unchecked())
			assert.LessOrEqual(t, utf8.RuneCountInString(s.Unchecked()), maxFault)
			got, err := s.Parse(`{"a":[1,"x"]}`)
			require.NoError(t, err)
			assert.Equal(t, `{"a":[1,"x"]}`, string(got))
		})
	}
	t.Run("patterns beyond the bound match everything", func(t *testing.T) {
		t.Parallel()
		s := New(json.RawMessage(`{"properties":{"a":{"type":"string"},"b":{"pattern":"^x"},` + repeated(1000, `"p#":{"pattern":"^#((a{1,10}){1,10}){1,10}$"}`) + `}}`))
		require.Empty(t, s.Unchecked())
		_, err := s.Parse(`{"a":1}`)
		require.Error(t, err)
	})
	for _, keyword := range []string{"anyOf", "allOf", "oneOf"} {
		t.Run("bomb of "+keyword, func(t *testing.T) {
			t.Parallel()
			got, err := New(json.RawMessage(bomb(keyword))).Parse(`{"v":1}`)
			require.NoError(t, err)
			assert.Equal(t, `{"v":1}`, string(got))
		})
	}
}

// repeated writes a member n times, with its number in place of each #, but
// not of one that begins a reference.
func repeated(n int, member string) string {
	var all []string
	for i := range n {
		all = append(all, strings.NewReplacer("#/", "#/", "#", fmt.Sprint(i)).Replace(member))
	}
	return strings.Join(all, ",")
}

// within fails the test if work is not done in a time that only an explosion
// could exceed.
func within(t *testing.T, work func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); work() }()
	select {
	case <-done:
	case <-time.After(2 * time.Minute):
		t.Fatal("the work does not end")
	}
}

func TestD4_HostileSchemasAndValues(t *testing.T) {
	t.Parallel()
	var forks []string
	for i := range 20 {
		forks = append(forks, fmt.Sprintf(`{"type":"object","properties":{"k":{"const":"%d"},"in":{"$ref":"#/$defs/N"}}}`, i))
	}
	tree := `{"properties":{"n":{"$ref":"#/$defs/N"}},"$defs":{"N":{"anyOf":[` + strings.Join(forks, ",") + `]}}}`
	nested := strings.Repeat(`{"k":"x","in":`, 100) + `1` + strings.Repeat(`}`, 100)
	long := strings.Repeat("a", 2<<20)
	for name, c := range map[string][2]string{
		"alternatives that contain themselves": {tree, `{"n":` + nested + `}`},
		"arrays that contain themselves":       {`{"properties":{"n":{"$ref":"#/$defs/N"}},"$defs":{"N":{"allOf":[{"items":{"$ref":"#/$defs/N"}},{"items":{"$ref":"#/$defs/N"}}]}}}`, `{"n":` + strings.Repeat("[", 400) + strings.Repeat("]", 400) + `}`},
		"in a not":                             {`{"properties":{"n":{"not":{"$ref":"#/$defs/N"}}},"$defs":{"N":{"$ref":"#/$defs/M","items":{"$ref":"#/$defs/N"}},"M":{"items":{"$ref":"#/$defs/N"},"type":"array"}}}`, `{"n":` + strings.Repeat("[", 400) + "1" + strings.Repeat("]", 400) + `}`},
		"names by many patterns":               {`{"properties":{"n":{"$ref":"#/$defs/N"}},"$defs":{"N":{"patternProperties":{"a":{"$ref":"#/$defs/N"},"a+":{"$ref":"#/$defs/N"},"a*":{"$ref":"#/$defs/N"}}}}}`, `{"n":` + strings.Repeat(`{"a":`, 300) + "1" + strings.Repeat("}", 300) + `}`},
		"numbers of a huge size":               {`{"properties":{"n":{"type":"array","uniqueItems":true,"items":{"type":"integer","maximum":5}}}}`, `{"n":[` + strings.Repeat("1e999999,", 10_000) + `1e400000000]}`},
		"numbers of many digits":               {`{"properties":{"n":{"type":"integer","multipleOf":3}}}`, `{"n":` + strings.Repeat("9", 2<<20) + `}`},
		"a pattern on a long text":             {`{"properties":{"n":{"pattern":"^((((a?){10}){10}){10})*b$"}}}`, `{"n":"` + long + `"}`},
		"a long list against a long enum":      {`{"properties":{"n":{"items":{"enum":[` + strings.Repeat("1.5,", 9000) + `2]}}}}`, `{"n":[` + strings.Repeat("3,", 30_000) + `3]}`},
		"texts for numbers":                    {`{"properties":{"n":{"items":{"type":"integer"}}}}`, `{"n":[` + strings.Repeat(`"1",`, 30_000) + `"x"]}`},
		"all of many":                          {`{"allOf":[` + strings.Repeat(`{"properties":{"n":{"items":{"type":"integer"}}}},`, 1000) + `{}]}`, `{"n":[` + strings.Repeat(`"1",`, 10_000) + `"x"]}`},
		"many unknown names": {`{"properties":{"abcdefghijklmnop":{}},"additionalProperties":false}`, `{` + func() string {
			var b strings.Builder
			for i := range 10_000 {
				fmt.Fprintf(&b, `"abcdefghijklmn%d":1,`, i)
			}
			return b.String()
		}() + `"z":1}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, opt := range []Option{WithDefaults(true), WithoutCheck()} {
				within(t, func() {
					got, err := New(json.RawMessage(c[0]), opt).Parse(c[1])
					if err == nil {
						assert.True(t, json.Valid(got))
					}
				})
			}
		})
	}
}

func TestD4_RecursiveSchemasAreChecked(t *testing.T) {
	t.Parallel()
	s := New(json.RawMessage(`{"properties":{"filter":{"$ref":"#/$defs/F"}},"$defs":{"F":{"anyOf":[
		{"type":"object","properties":{"and":{"type":"array","items":{"$ref":"#/$defs/F"}}},"required":["and"],"additionalProperties":false},
		{"type":"object","properties":{"field":{"type":"string"},"value":{"type":"integer"}},"required":["field","value"],"additionalProperties":false}]}}}`))
	require.Empty(t, s.Unchecked())
	for _, text := range []string{`{"filter":{"and":[{"field":"a","value":1},{"and":[]}]}}`, `{}`} {
		got, err := s.Parse(text)
		require.NoError(t, err)
		assert.Equal(t, text, string(got))
	}
	_, err := s.Parse(`{"filter":{"and":[{"and":[{"field":"a"}]}]}}`)
	require.Error(t, err)
	got, err := s.Parse(`{"filter":{"and":[{"and":[{"field":"a","value":"1"}]}]}}`)
	require.NoError(t, err)
	assert.Equal(t, `{"filter":{"and":[{"and":[{"field":"a","value":1}]}]}}`, string(got))
}

func TestD4_WithoutCheck(t *testing.T) {
	t.Parallel()
	s := New(json.RawMessage(oneInteger), WithoutCheck())
	assert.NotEmpty(t, s.Unchecked())
	got, err := s.Parse(`{"q":1}`)
	require.NoError(t, err)
	assert.Equal(t, `{"q":1}`, string(got))
	assert.Empty(t, New(json.RawMessage(oneInteger)).Unchecked())
}
