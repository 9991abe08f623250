package args

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Schemas the tests share. Each is named after what a bare value can be for it.
const (
	noArguments = `{"type":"object","properties":{}}`
	oneText     = `{"type":"object","properties":{"q":{"type":"string"}},"required":["q"]}`
	oneOptional = `{"type":"object","properties":{"q":{"type":"string"}}}`
	oneInteger  = `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`
	oneBoolean  = `{"type":"object","properties":{"b":{"type":"boolean"}},"required":["b"]}`
	oneList     = `{"type":"object","properties":{"ids":{"type":"array"}},"required":["ids"]}`
	oneUntyped  = `{"type":"object","properties":{"v":{}},"required":["v"]}`
	oneRequired = `{"type":"object","properties":{"q":{"type":"string"},"limit":{"type":"integer"},"b":{"type":"boolean"},"o":{"type":"object"}},"required":["q"]}`
	twoRequired = `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["a","b"]}`
	anyObject   = `{"type":"object"}`
)

// reads is a text and what it has to be read as; "" means an error.
type reads struct{ schema, text, want string }

func checkReads(t *testing.T, cases map[string]reads) {
	t.Helper()
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := New(json.RawMessage(c.schema)).Parse(c.text)
			if c.want == "" {
				var e *Error
				require.ErrorAs(t, err, &e, "%q gave %s", c.text, got)
				assert.NotEmpty(t, e.Faults)
				assert.Contains(t, e.Text, "JSON")
				return
			}
			require.NoError(t, err, "%q", c.text)
			assert.Equal(t, c.want, string(got), "%q", c.text)
		})
	}
}

func TestD1_Objects(t *testing.T) {
	t.Parallel()
	checkReads(t, map[string]reads{
		"as sent":               {oneText, `{ "q" : "x" }`, `{ "q" : "x" }`},
		"white space around":    {oneText, "\n\t {\"q\":\"x\"} \r\n", `{"q":"x"}`},
		"byte order mark":       {oneText, "\ufeff{\"q\":\"x\"}", `{"q":"x"}`},
		"several lines":         {oneText, "{\r\n  \"q\": \"a\\n\u2028 b\"\n}", "{\"q\":\"a\\n\u2028 b\"}"},
		"looks like JSON":       {oneText, `{"q":"{\"a\":[1]}"}`, `{"q":"{\"a\":[1]}"}`},
		"order kept":            {anyObject, `{"z":1,"a":2,"m":3}`, `{"z":1,"a":2,"m":3}`},
		"unknown names pass":    {oneText, `{"q":"x","more":[1]}`, `{"q":"x","more":[1]}`},
		"a list of one object":  {oneText, `[{"q":"x"}]`, `{"q":"x"}`},
		"same member twice":     {oneText, `{"q":"x","q":"x"}`, `{"q":"x"}`},
		"member told two ways":  {oneText, `{"q":"x","q":"y"}`, ""},
		"escaped member twice":  {oneText, `{"q":"x","\u0071":"y"}`, ""},
		"told two ways, nested": {anyObject, `{"o":{"k":1,"k":2}}`, ""},
		"nested twice":          {anyObject, `{"o":[{"k":1,"k":1}],"p": 2}`, `{"o":[{"k":1}],"p":2}`},
	})
}

func TestD1_Nothing(t *testing.T) {
	t.Parallel()
	cases := map[string]reads{}
	for _, text := range []string{"", "  ", "\n", "{}", "null", "None", "undefined", `""`, "''", "()", `"{}"`, `"null"`, "none", "No arguments.",
		"(none)", "N/A", "```json\n{}\n```", "```\n```", `{"__arg1":""}`, `{"__arg1":null}`, `{"__arg1":{}}`, `{"__arg1":"{}"}`, `{"__arg1":"None"}`, "{}\nObservation:", "[]", "`{}`"} {
		cases["none: "+text] = reads{noArguments, text, "{}"}
		cases["optional: "+text] = reads{oneOptional, text, "{}"}
		cases["any: "+text] = reads{anyObject, text, "{}"}
	}
	cases["a word for a required text"] = reads{oneText, "nothing", `{"q":"nothing"}`}
	cases["something for a tool without arguments"] = reads{noArguments, "now", ""}
	checkReads(t, cases)
}

func TestD1_FencesProseAndTails(t *testing.T) {
	t.Parallel()
	const want = `{"q":"x"}`
	cases := map[string]reads{
		"braces in prose":                   {oneRequired, `Use {tool} like this: {"q":"x"}`, want},
		"empty object first":                {oneText, `{}{"q":"x"}`, want},
		"the same twice":                    {oneText, "{\"q\":\"x\"}\n{ \"q\" : \"x\" }", want},
		"two objects":                       {oneText, `{"q":"x"}{"q":"y"}`, ""},
		"two objects, one in prose":         {twoRequired, `{"a":"x"} and then {"b":"y"}`, ""},
		"an object and a list":              {oneText, `{"q":"x"} ["y"]`, ""},
		"an object and a value":             {oneText, `{"q":"x"}, 5`, ""},
		"list of two objects":               {oneText, `[{"q":"x"},{"q":"y"}]`, ""},
		"cut off":                           {oneText, `{"q":"x`, ""},
		"cut off after a value":             {oneText, `{"q":"x"`, ""},
		"cut off in prose":                  {oneText, `Sure: {"q":"x"`, ""},
		"cut off around a whole object":     {oneRequired, `{"q":"x","o":{"limit":1}`, ""},
		"cut off in a fence":                {oneText, "```json\n{\"q\":\"x\n```", ""},
		"cut off list":                      {oneText, `[{"q":"x"}`, ""},
		"code is a bare text":               {oneText, `if x { return {"a":1} }`, `{"q":"if x { return {\"a\":1} }"}`},
		"an odd bracket behind":             {oneRequired, `{"q":"x"} :-{ sorry`, want},
		"an odd bracket before":             {oneInteger, `:-{ {"n":1}`, ""},
		"half an object behind":             {oneInteger, `{"n":1} {"n": `, ""},
		"many brackets and an object":       {oneText, `{"q":"x"} ` + strings.Repeat("[1] ", 70) + `{"q":"y"}`, ""},
		"many brackets in a text":           {oneText, strings.Repeat("[1] ", 70), `{"q":"` + strings.TrimSpace(strings.Repeat("[1] ", 70)) + `"}`},
		"a conversation is a bare text":     {oneText, "User: hi\nAssistant: ho", `{"q":"User: hi\nAssistant: ho"}`},
		"a template is a bare text":         {oneText, "{{name}} hello", `{"q":"{{name}} hello"}`},
		"a block is a bare text":            {oneText, "{ print 1 }", `{"q":"{ print 1 }"}`},
		"a block in a string":               {oneText, `{"__arg1":"{ print 1 }"}`, `{"q":"{ print 1 }"}`},
		"a name cut off":                    {oneText, `{"q`, ""},
		"a name without quotes cut off":     {oneText, `{q`, ""},
		"a broken object of other names":    {oneText, `{"z": [1}`, ""},
		"broken and balanced":               {oneText, `{"q": [1, 2, ...]}`, ""},
		"an object in an observation":       {oneText, "x\nObservation: {\"q\":\"y\"}", want},
		"an object in a later action":       {oneText, "{\"q\":\"x\"}\nObservation: ok\nAction: t\nAction Input: {\"q\":\"y\"}", want},
		"a line break inside a string":      {oneText, "{\"q\":\"a\nThought: b\"}", `{"q":"a\nThought: b"}`},
		"fenced text":                       {oneText, "```\nx\n```", want},
		"fenced text with a language":       {oneText, "```sql\nx\n```", want},
		"inline code":                       {oneText, "`x`", want},
		"text with code in it stays":        {oneText, "see ```x```", "{\"q\":\"see ```x```\"}"},
		"text that talks of turns is cut":   {oneText, "x\nThought: done", want},
		"a string that talks of turns":      {oneText, `"x\nThought: done"`, `{"q":"x\nThought: done"}`},
		"markdown link beside":              {oneRequired, `[see](http://h) {"q":"x"}`, want},
		"redundant closing bracket":         {oneText, `{"q":"x"}}`, want},
		"list in prose for a list":          {oneList, `Here: [1, 2]`, `{"ids":[1, 2]}`},
		"list with objects for a list":      {oneList, "```\n[{\"a\":1}]\n```", `{"ids":[{"a":1}]}`},
		"half a list for a list":            {oneList, `[1,`, ""},
		"prose without JSON, two arguments": {twoRequired, "I would like to know", ""},
	}
	for _, text := range []string{"```json\n{\"q\":\"x\"}\n```", "```{\"q\":\"x\"}```", "~~~\n{\"q\":\"x\"}\n~~~", "```\n{\"q\":\"x\"}", "`{\"q\":\"x\"}`",
		`Sure, here: {"q":"x"} hope that helps`, `{"q":"x"} hope that helps!`, "Action Input: {\"q\":\"x\"}", "Thought: I need x\nAction: t\nAction Input: {\"q\":\"x\"}",
		"{\"q\":\"x\"}\nObservation:", "{\"q\":\"x\"}\nObservation: it rains {\"q\":\"y\"}", "{\"q\":\"x\"} Observation: y", "{\"q\":\"x\"}\nThought: done\nFinal Answer: {\"z\":1}",
		"```json\n{\"q\":\"x\"}\n```\nObservation: {\"q\":\"z\"}", "{\"q\":\"x\"}\n\nHuman: {\"q\":\"z\"}", `search({"q":"x"})`, `t: {"q":"x"}`, `{"q":"x"};`} {
		cases[text] = reads{oneText, text, want}
	}
	checkReads(t, cases)
}

func TestD1_Wrapper(t *testing.T) {
	t.Parallel()
	const want = `{"q":"x"}`
	const own = `{"type":"object","properties":{"__arg1":{"type":"string"},"input":{"type":"string"}}}`
	const inAllOf = `{"type":"object","allOf":[{"$ref":"#/$defs/A"}],"$defs":{"A":{"properties":{"__arg1":{"type":"string"}}}}}`
	deep := `{"q":"x"}`
	for range maxWraps + 1 {
		deep = `{"__arg1":` + deep + `}`
	}
	checkReads(t, map[string]reads{
		"object inside":              {oneText, `{"__arg1":{"q":"x"}}`, want},
		"text inside":                {oneText, `{"__arg1":"{\"q\":\"x\"}"}`, want},
		"text in fences inside":      {oneText, "{\"__arg1\":\"```json\\n{\\\"q\\\":\\\"x\\\"}\\n```\"}", want},
		"bare value inside":          {oneText, `{"__arg1":"x"}`, want},
		"bare number inside":         {oneText, `{"__arg1":5}`, `{"q":"5"}`},
		"bare integer inside":        {oneInteger, `{"__arg1":5}`, `{"n":5}`},
		"list inside":                {oneList, `{"__arg1":[1]}`, `{"ids":[1]}`},
		"twice":                      {oneText, `{"__arg1":{"__arg1":"{\"q\":\"x\"}"}}`, want},
		"in a string":                {oneText, `"{\"__arg1\":\"x\"}"`, want},
		"in prose":                   {oneText, `Here: {"__arg1":"x"}`, want},
		"other names beside":         {oneRequired, `{"__arg1":{"q":"x"},"limit":3}`, `{"q":"x","limit":3}`},
		"other names beside a value": {oneRequired, `{"limit":3,"__arg1":"x"}`, `{"q":"x","limit":3}`},
		"names beside a text":        {oneRequired, `{"limit":3,"__arg1":"{\"q\":\"x\"}"}`, `{"q":"x","limit":3}`},
		"names beside nothing":       {oneText, `{"__arg1":"","q":"x"}`, want},
		"same name on both sides":    {oneText, `{"__arg1":{"q":"x"},"q":"x"}`, want},
		"conflict":                   {oneText, `{"__arg1":{"q":"x"},"q":"y"}`, ""},
		"nowhere to put the value":   {twoRequired, `{"__arg1":"x"}`, ""},
		"the one that is missing":    {twoRequired, `{"__arg1":"x","b":"y"}`, `{"a":"x","b":"y"}`},
		"own argument":               {own, `{"__arg1":"a","input":"b"}`, `{"__arg1":"a","input":"b"}`},
		"own argument with JSON":     {own, `{"__arg1":"{\"input\":\"b\"}"}`, `{"__arg1":"{\"input\":\"b\"}"}`},
		"own argument by reference":  {inAllOf, `{"__arg1":"{}"}`, `{"__arg1":"{}"}`},
		"too deep":                   {oneText, deep, ""},
		"text with invented turns":   {oneText, `{"__arg1":"x\nObservation: y"}`, `{"q":"x\nObservation: y"}`},
		"cut off inside":             {oneText, `{"__arg1":"{\"q\":\"x"}`, ""},
	})
}

func TestD1_JSONInStrings(t *testing.T) {
	t.Parallel()
	const want = `{"q":"x"}`
	encode := func(s string) string { b, _ := json.Marshal(s); return string(b) }
	checkReads(t, map[string]reads{
		"once":                     {oneText, encode(want), want},
		"twice":                    {oneText, encode(encode(want)), want},
		"three times":              {oneText, encode(encode(encode(want))), want},
		"in a fence":               {oneText, "```json\n" + encode(want) + "\n```", want},
		"with a tail":              {oneText, encode(want) + "\nObservation: y", want},
		"not arguments, one text":  {oneText, encode(`{"a":1}`), `{"q":"{\"a\":1}"}`},
		"not arguments, one list":  {oneList, encode(`{"a":1}`), ""},
		"list in a string":         {oneList, encode(`[1]`), `{"ids":[1]}`},
		"half a surrogate stays":   {oneText, `"\ud800 {}"`, `{"q":"\ud800 {}"}`},
		"nothing":                  {oneOptional, encode(encode("")), "{}"},
		"quotes that were meant":   {oneText, encode(`"exact phrase"`), `{"q":"\"exact phrase\""}`},
		"digits stay digits":       {oneText, encode("007"), `{"q":"007"}`},
		"prose and JSON":           {oneText, encode(`Sure: {"q":"x"}`), want},
		"broken JSON of arguments": {oneText, encode(`{"q": "x`), ""},
	})
}

func TestD1_BareValues(t *testing.T) {
	t.Parallel()
	const want = `{"q":"x"}`
	checkReads(t, map[string]reads{
		"unquoted":                   {oneText, "x", want},
		"single quotes":              {oneText, "'x'", want},
		"double quotes":              {oneText, `"x"`, want},
		"typographic quotes":         {oneText, "“x”", want},
		"with a tail":                {oneText, "x\nObservation:", want},
		"quotes with a tail":         {oneText, "'x'\nObservation: y", want},
		"several lines":              {oneText, "a\nb", `{"q":"a\nb"}`},
		"digits for a string":        {oneText, "5", `{"q":"5"}`},
		"leading zeros":              {oneText, "007", `{"q":"007"}`},
		"a big number for a string":  {oneText, "9007199254740993", `{"q":"9007199254740993"}`},
		"true for a string":          {oneText, "true", `{"q":"true"}`},
		"a list for a string":        {oneText, `["a"]`, `{"q":"[\"a\"]"}`},
		"apostrophes":                {oneText, "it's", `{"q":"it's"}`},
		"quotes at both ends":        {oneText, "'a' or 'b'", `{"q":"'a' or 'b'"}`},
		"integer":                    {oneInteger, "9007199254740993", `{"n":9007199254740993}`},
		"boolean":                    {oneBoolean, "true", `{"b":true}`},
		"Python boolean":             {oneBoolean, "True", `{"b":true}`},
		"list":                       {oneList, `[1, 2]`, `{"ids":[1, 2]}`},
		"Python list":                {oneList, `['a', None]`, `{"ids":["a", null]}`},
		"empty list":                 {oneList, `[]`, `{"ids":[]}`},
		"untyped number":             {oneUntyped, "5", `{"v":5}`},
		"untyped text":               {oneUntyped, "five", `{"v":"five"}`},
		"only required":              {oneRequired, "x", want},
		"only optional":              {oneOptional, "x", want},
		"several required":           {twoRequired, "x", ""},
		"equals":                     {oneText, `q="x"`, want},
		"equals, single quotes":      {oneText, `q='x'`, want},
		"equals, unquoted":           {oneText, `q=x`, want},
		"colon":                      {oneText, `q: x`, want},
		"colon, quoted name":         {oneText, `"q": "x"`, want},
		"colon, quotes and a tail":   {oneText, "q: \"x\"\nObservation: y", want},
		"unquoted with a tail":       {oneText, "q: x\nObservation: y", want},
		"with commas inside":         {oneText, "q: x, y", `{"q":"x, y"}`},
		"unknown name":               {oneText, "z: x", `{"q":"z: x"}`},
		"a URL":                      {`{"properties":{"http":{"type":"string"}}}`, "http://h/", `{"http":"http://h/"}`},
		"a comparison":               {oneText, "q == 1", `{"q":"q == 1"}`},
		"several":                    {oneRequired, `q="x", limit=5, b=True`, `{"q":"x","limit":5,"b":true}`},
		"several lines of names":     {oneRequired, "q: x\nlimit: 5", `{"q":"x","limit":5}`},
		"outer braces missing":       {oneRequired, `"q": "x", "limit": 5`, `{"q":"x","limit":5}`},
		"call":                       {oneRequired, `search(q="x", limit=5)`, `{"q":"x","limit":5}`},
		"an object for an argument":  {oneRequired, `q=x, o={"a":1}`, `{"q":"x","o":{"a":1}}`},
		"a digit string as named":    {oneText, `q="5"`, `{"q":"5"}`},
		"named twice":                {oneRequired, `q=x, q=y`, `{"q":"q=x, q=y"}`},
		"a name around the object":   {oneText, `q: {"q":"x"}`, want},
		"code that looks like calls": {oneText, `print("x")`, `{"q":"print(\"x\")"}`},
		"control characters":         {oneText, "a\x01\tb\\", `{"q":"a\u0001\tb\\"}`},
	})
}

func TestD1_Repair(t *testing.T) {
	t.Parallel()
	const three = `{"q":"x","b":true,"n":null}`
	squeeze := func(raw json.RawMessage) string {
		v, err := scan(string(raw))
		require.NoError(t, err)
		v.edited = true
		return v.json()
	}
	for text, want := range map[string]string{
		`{'q': 'x', 'b': True, 'n': None}`:              three,
		`{"q": "x", "b": true, "n": null,}`:             three,
		`{q: "x", b: true, n: null}`:                    three,
		`{q: 'x', b: true, n: undefined}`:               three,
		"{\"q\": \"x\", // why\n\"b\":true,\"n\":null}": three,
		`{"q": "x" /* why */, "b":true,"n":null}`:       three,
		`{"q": "x" "b":true "n":null}`:                  three,
		`{“q”: “x”, “b”: true, “n”: null}`:              three,
		`{'q': "it's"}`:                                 `{"q":"it's"}`,
		`{'q': 'it\'s'}`:                                `{"q":"it's"}`,
		`{"q": "say "hi" now"}`:                         `{"q":"say \"hi\" now"}`,
		`{'q': 'a "b" c'}`:                              `{"q":"a \"b\" c"}`,
		`{'ids': [9007199254740993, 1.50]}`:             `{"ids":[9007199254740993, 1.50]}`,
		"{\"q\": \"a\nb\"}":                             `{"q":"a\nb"}`,
		`{'q': '😀 é'}`:                                  `{"q":"😀 é"}`,
		`{'q': '\ud83d\ude00'}`:                         `{"q":"\ud83d\ude00"}`,
		`{"url": http://h/p?a=1, "q": x}`:               `{"url":"http://h/p?a=1","q":"x"}`,
		`{"p": "C:\Users"}`:                             `{"p":"C:\\Users"}`,
		"Here you are:\n```python\n{'q': 'x'}\n```":     `{"q":"x"}`,
		`{"__arg1": {'q': 'x'}}`:                        `{"q":"x"}`,
	} {
		got, err := New(json.RawMessage(anyObject)).Parse(text)
		if assert.NoError(t, err, text) {
			assert.Equal(t, want, squeeze(got), text)
		}
	}
}

func TestD1_RepairNeverGuesses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"q": "x"`, `{"q": "x`, `{"q": `, `{"q"`, `{"q": [1, 2`, `{"q": [1, 2}`, `{"a": {"b": 1}`, `{'q': 'x`, // cut off
		`{"q": [1, 2, ...]}`, `{"q": "x", ...}`, // left out
		`{"n": NumberLong(5)}`, `{"d": ISODate("2020")}`, `{"n": 1.}`, `{"n": NaN}`, `{"n": -Infinity}`, // changed
		`{"q": "a" + "b"}`, `{"q": "a", "b"}`, `{"q": \d+}`, `{"q": "\d+"}`, `{"q": "C:\new\Users"}`,
		`{"q": "say "a", "b" now"}`, `{"a"}`, `{"q": "x"; "b": 1}`, `{"q" = "x"}`, `{'q': b'x'}`, `{"t": (1, 2)}`,
	} {
		got, err := New(json.RawMessage(anyObject)).Parse(text)
		var e *Error
		assert.ErrorAs(t, err, &e, "%s gave %s", text, got)
	}
}

func TestD2_EveryDigitAndEveryByte(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"id":7960607143101464576,"deep":{"ids":[9007199254740993]}}`,
		`{"f":1.10,"e":1E5,"z":-0,"l":0.1000000000000000055511151231257827021181583404541015625}`,
		`{"resourceType":"a","API-Key":"b","user.name":"c","größe":"d"}`,
		`{"gr\u00f6\u00dfe":"\u00e4","<&>":"</script>"," ":""}`,
	} {
		for _, written := range []string{text, "```json\n" + text + "\n```", quote(text), `{"__arg1":` + text + `}`, `{"__arg1":` + quote(text) + `}`} {
			got, err := New(json.RawMessage(anyObject)).Parse(written)
			require.NoError(t, err, written)
			assert.Equal(t, text, string(got), written)
		}
	}
}

func TestD2_OfTheWrongSize(t *testing.T) {
	t.Parallel()
	deep := func(n int) string { return `{"a":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}` }
	schema := New(json.RawMessage(anyObject))
	_, err := schema.Parse(deep(maxDepth - 1))
	require.NoError(t, err)
	for name, text := range map[string]string{
		"deep":          deep(maxDepth),
		"deep and open": `{"a":` + strings.Repeat("[", 1<<20),
		"many values":   `{"a":[` + strings.Repeat("1,", maxValues) + `1]}`,
		"large":         `{"a":"` + strings.Repeat("x", maxText) + `"}`,
		"brackets":      strings.Repeat("{[", 1<<20),
		"broken UTF-8":  "{\"a\":\"\xff\"}",
	} {
		_, err := schema.Parse(text)
		var e *Error
		if assert.ErrorAs(t, err, &e, name) {
			assert.LessOrEqual(t, len([]rune(e.Text)), maxObserved, name)
		}
	}
	got, err := schema.Parse(`{"a":"` + strings.Repeat("x", 10<<20) + `"}`)
	require.NoError(t, err)
	assert.Len(t, got, 10<<20+8)
}

func TestC7_BoundArguments(t *testing.T) {
	t.Parallel()
	bound := map[string]json.RawMessage{"tenant": json.RawMessage(`{ "id": 9007199254740993 }`), "a": json.RawMessage(`1`)}
	schema := New(json.RawMessage(`{"type":"object","properties":{"q":{"type":"string"},"tenant":{},"a":{}},"required":["q","tenant"]}`), WithBound(bound))
	bound["a"] = json.RawMessage(`2`)
	for text, want := range map[string]string{
		`{"q":"x"}`:                       `{"q":"x","a":1,"tenant":{ "id": 9007199254740993 }}`,
		`{"tenant":"mine","q":"x","a":7}`: `{"q":"x","a":1,"tenant":{ "id": 9007199254740993 }}`,
		`x`:                               `{"q":"x","a":1,"tenant":{ "id": 9007199254740993 }}`,
	} {
		got, err := schema.Parse(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, string(got), text)
	}
	_, err := New(nil, WithBound(map[string]json.RawMessage{"a": json.RawMessage(`{`)})).Parse("{}")
	require.ErrorContains(t, err, "bound argument")
	var e *Error
	assert.NotErrorAs(t, err, &e)
}

func TestC6_RestoredNames(t *testing.T) {
	t.Parallel()
	restore := func(raw json.RawMessage) (json.RawMessage, error) {
		if strings.Contains(string(raw), "bad") {
			return nil, assert.AnError
		}
		return json.RawMessage(strings.ReplaceAll(string(raw), `"top"`, `"$top"`)), nil
	}
	schema := New(json.RawMessage(`{"properties":{"$top":{"type":"string"}}}`), WithRestore(restore))
	got, err := schema.Parse("```\n{\"top\":\"x\"}\n```")
	require.NoError(t, err)
	assert.Equal(t, `{"$top":"x"}`, string(got))
	got, err = schema.Parse(`Here: {"top":"x"}`)
	require.NoError(t, err)
	assert.Equal(t, `{"$top":"x"}`, string(got), "known by the name the model was shown")
	_, err = schema.Parse(`{"bad":1}`)
	assert.ErrorContains(t, err, assert.AnError.Error())
}

func TestAbsentSchemas(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{"", "null", "true", "{}", "[]", `"x"`, "{", `{"properties":[]}`, `{"required":"q"}`, `{"properties":{"a":5}}`} {
		got, err := New(json.RawMessage(raw)).Parse(`{"a":1}`)
		require.NoError(t, err, raw)
		assert.Equal(t, `{"a":1}`, string(got), raw)
	}
}
