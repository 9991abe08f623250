package args

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mcptoolset/mcptoolset/internal/decode/rawjson"
)

// sample is a schema together with a way to draw values that are valid under
// it, as JSON texts.
type sample struct {
	schema string
	value  func(*rapid.T) string
}

var (
	names     = rapid.SampledFrom([]string{"q", "city", "API-Key", "user.name", "größe", "$top", "a b", "__arg", "input", "名前"})
	someText  = rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "5", "true", "null", "None", `{"q":1}`, "[1,2]", "it's", `say "hi"`, "a,", "C:\\new", "x\nObservation: y", "```", "{", "http://h/p?a=b"}))
	bigNumber = rapid.StringMatching(`-?[1-9][0-9]{0,30}`)
	fraction  = rapid.StringMatching(`-?(0|[1-9][0-9]{0,20})\.[0-9]{1,20}([eE][+-]?[0-9]{1,2})?`)
)

// jsonText writes a string as JSON, with more escapes than needed at times.
func jsonText(t *rapid.T, s string) string {
	if rapid.Bool().Draw(t, "escaped") {
		b, _ := json.Marshal(s)
		return string(b)
	}
	return quote(strings.ToValidUTF8(s, ""))
}

func fixed(schema string, values *rapid.Generator[string]) sample {
	return sample{schema, func(t *rapid.T) string { return values.Draw(t, "value") }}
}

// drawSample draws a schema of at most the given depth.
func drawSample(t *rapid.T, depth int) sample {
	choices := []string{"string", "integer", "number", "boolean", "null", "untyped", "enum"}
	if depth > 0 {
		choices = append(choices, "object", "array", "map", "anyOf", "types", "ref", "tuple")
	}
	switch rapid.SampledFrom(choices).Draw(t, "kind") {
	case "string":
		return sample{`{"type":"string"}`, func(t *rapid.T) string { return jsonText(t, someText.Draw(t, "text")) }}
	case "integer":
		return fixed(`{"type":"integer"}`, bigNumber)
	case "number":
		return fixed(`{"type":"number"}`, rapid.OneOf(bigNumber, fraction))
	case "boolean":
		return fixed(`{"type":"boolean"}`, rapid.SampledFrom([]string{"true", "false"}))
	case "null":
		return fixed(`{"type":"null"}`, rapid.Just("null"))
	case "enum":
		return fixed(`{"enum":["a",1,null,true,"1"]}`, rapid.SampledFrom([]string{`"a"`, "1", "null", "true", `"1"`}))
	case "object":
		return drawObject(t, depth-1, false)
	case "map":
		part := drawSample(t, depth-1)
		return sample{`{"type":"object","additionalProperties":` + part.schema + `}`, func(t *rapid.T) string {
			return object_(t, rapid.SliceOfNDistinct(names, 0, 3, rapid.ID[string]).Draw(t, "names"), func(string) string { return part.value(t) })
		}}
	case "array":
		part := drawSample(t, depth-1)
		return sample{`{"type":"array","items":` + part.schema + `}`, func(t *rapid.T) string {
			return list_(t, rapid.IntRange(0, 3).Draw(t, "length"), func(int) string { return part.value(t) })
		}}
	case "tuple":
		first, rest := drawSample(t, depth-1), drawSample(t, depth-1)
		return sample{`{"type":"array","prefixItems":[` + first.schema + `],"items":` + rest.schema + `}`, func(t *rapid.T) string {
			return list_(t, rapid.IntRange(0, 3).Draw(t, "length"), func(i int) string {
				if i == 0 {
					return first.value(t)
				}
				return rest.value(t)
			})
		}}
	case "anyOf":
		a, b := drawSample(t, depth-1), drawSample(t, depth-1)
		return sample{`{"anyOf":[` + a.schema + `,` + b.schema + `]}`, rapid.SampledFrom([]func(*rapid.T) string{a.value, b.value}).Draw(t, "alternative")}
	case "types":
		return fixed(`{"type":["string","integer","null"]}`, rapid.SampledFrom([]string{`"5"`, "5", "null", `"null"`}))
	case "ref":
		part := drawSample(t, depth-1)
		return sample{`{"allOf":[` + part.schema + `,{"$ref":"#/$defs/any"}]}`, part.value}
	}
	return fixed(`{}`, rapid.SampledFrom([]string{`{"k":null,"l":[1.0,"5"]}`, `"5"`, "5.0", "null", "[]"}))
}

// drawObject draws an object schema with some required properties.
func drawObject(t *rapid.T, depth int, root bool) sample {
	all := rapid.SliceOfNDistinct(names, 0, 4, rapid.ID[string]).Draw(t, "properties")
	parts := map[string]sample{}
	var properties, required []string
	for _, name := range all {
		parts[name] = drawSample(t, depth)
		properties = append(properties, quote(name)+":"+parts[name].schema)
		if rapid.Bool().Draw(t, "required") {
			required = append(required, name)
		}
	}
	list, _ := json.Marshal(append([]string{}, required...))
	schema := `{"type":"object","properties":{` + strings.Join(properties, ",") + `},"required":` + string(list)
	if rapid.Bool().Draw(t, "closed") {
		schema += `,"additionalProperties":false`
	}
	if root {
		schema += `,"$defs":{"any":{}}`
	}
	return sample{schema + "}", func(t *rapid.T) string {
		var given []string
		for _, name := range rapid.Permutation(all).Draw(t, "order") {
			if strings.Contains(string(list), quote(name)) || rapid.Bool().Draw(t, "given") {
				given = append(given, name)
			}
		}
		return object_(t, given, func(name string) string { return parts[name].value(t) })
	}}
}

var blanks = rapid.SampledFrom([]string{"", "", " ", "\n\t"})

func object_(t *rapid.T, names []string, value func(string) string) string {
	var members []string
	for _, name := range names {
		members = append(members, jsonText(t, name)+blanks.Draw(t, "blank")+":"+value(name))
	}
	return "{" + strings.Join(members, ","+blanks.Draw(t, "blank")) + blanks.Draw(t, "blank") + "}"
}

func list_(t *rapid.T, n int, value func(int) string) string {
	var items []string
	for i := range n {
		items = append(items, value(i))
	}
	return "[" + strings.Join(items, blanks.Draw(t, "blank")+",") + "]"
}

// TestD2_ValidArgumentsAreNeverRefusedOrChanged holds for however they are
// wrapped.
func TestD2_ValidArgumentsAreNeverRefusedOrChanged(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		root := drawObject(t, 3, true)
		args := root.value(t)
		s := New(json.RawMessage(root.schema))
		if s.Unchecked() != "" {
			t.Fatalf("%s: %s", root.schema, s.Unchecked())
		}
		for _, text := range []string{
			args, " " + args + "\n", quote(args), quote(quote(args)), `{"__arg1":` + args + `}`, `{"__arg1":` + quote(args) + `}`,
			"```json\n" + args + "\n```", "~~~\n" + args + "\n~~~", args + "\nObservation: {\"q\":1}", "Sure, here: " + args + " hope that helps",
		} {
			got, err := s.Parse(text)
			if err != nil {
				t.Fatalf("%s\nrefused: %s\n%v", root.schema, text, err)
			}
			if string(got) != string(line(&value{raw: args})) {
				t.Fatalf("%s\n%s\nbecame %s", root.schema, text, got)
			}
		}
	})
}

// TestD3_WhatIsSpelledAsTextArrives: where the schema allows no text, a value
// in a JSON string arrives as the value, at any depth.
func TestD3_WhatIsSpelledAsTextArrives(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		part := drawSample(t, 2)
		schema := `{"type":"object","properties":{"o":{"type":"array","items":{"type":"object","properties":{"v":` + part.schema + `},"required":["v"]}}},"$defs":{"any":{}}}`
		v := part.value(t)
		spelled := `{"o":[{"v":` + quote(v) + `}]}`
		types := newTyper(newDocument(schema))
		want := string(line(&value{raw: `{"o":[{"v":` + v + `}]}`}))
		if types.types(types.doc.resolve("#/properties/o/items/properties/v"))&texts != 0 {
			want = spelled
		}
		s := New(json.RawMessage(schema))
		got, err := s.Parse(spelled)
		if want == spelled && err != nil {
			return // a text, but not one the schema allows
		}
		if err != nil || string(got) != want {
			t.Fatalf("%s\n%s\nbecame %s, %v", schema, spelled, got, err)
		}
	})
}

// python writes a value as Python prints it.
func python(v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		return strings.Title(fmt.Sprint(v)) //nolint:staticcheck // ASCII
	case string:
		mark := "'"
		if strings.Contains(v, "'") && !strings.Contains(v, `"`) {
			mark = `"`
		}
		return mark + strings.NewReplacer(`\`, `\\`, mark, `\`+mark, "\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(v) + mark
	case []any:
		var items []string
		for _, item := range v {
			items = append(items, python(item))
		}
		return "[" + strings.Join(items, ", ") + "]"
	case map[string]any:
		var members []string
		for _, name := range sortedKeys(v) {
			members = append(members, python(name)+": "+python(v[name]))
		}
		return "{" + strings.Join(members, ", ") + "}"
	}
	return fmt.Sprint(v)
}

// TestD1_RepairNeverChangesAValue: what Python prints is read as what was
// printed, or not at all.
func TestD1_RepairNeverChangesAValue(t *testing.T) {
	t.Parallel()
	read, all := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		root := drawObject(t, 3, true)
		v, err := scan(root.value(t))
		if err != nil {
			t.Fatal(err)
		}
		want := v.plain()
		for _, text := range []string{python(want), v.json()[:len(v.json())-1] + ",}", "{// x\n" + v.json()[1:], "Here: " + python(want) + "."} {
			got, err := New(nil).Parse(text)
			all++
			var e *Error
			if errors.As(err, &e) {
				continue
			}
			read++
			back, err := scan(string(got))
			if err != nil {
				t.Fatalf("%s became %s", text, got)
			}
			if fmt.Sprintf("%#v", back.plain()) != fmt.Sprintf("%#v", want) {
				t.Fatalf("%s\nbecame %s", text, got)
			}
		}
	})
	require.Greater(t, read, all/2, "%d of %d were read", read, all)
	t.Logf("%d of %d were read", read, all)
}

// pieces are what texts of models are made of.
var pieces = rapid.SampledFrom([]string{"{", "}", "[", "]", `"`, "'", ",", ":", "=", "\\", "\n", " ", "q", "limit", "__arg1", "5", "1.5e3", "true", "None", "null", "x",
	"```", "```json\n", "`", "Observation:", "\nThought: ", "Action Input: ", "//", "/*", "*/", "(", ")", `{"q":"x"}`, `"q":`, `{"__arg1":`, `\"`, "é", "😀", "\x00", "“", "”", "...", "undefined",
	"<tool_call>", "</tool_call>", "<function=t>", "<parameter=q>", "</parameter>", "[TOOL_CALLS]", "<|x|>", "<arg_key>", "<arg_value>", `{"name":"t","arguments":`, `{"tool_input":`, "list all"})

// TestD2_WhateverIsWritten gives an object or a bounded error, and what it
// gives stays as it is when it is read again.
func TestD2_WhateverIsWritten(t *testing.T) {
	t.Parallel()
	schemas := map[string]*Schema{}
	var all []string
	for _, schema := range []string{noArguments, oneText, oneOptional, oneInteger, oneBoolean, oneList, oneUntyped, oneRequired, twoRequired, anyObject} {
		schemas[schema] = New(json.RawMessage(schema))
		all = append(all, schema)
	}
	rapid.Check(t, func(t *rapid.T) {
		schema := rapid.SampledFrom(all).Draw(t, "schema")
		text := strings.Join(rapid.SliceOfN(rapid.OneOf(pieces, someText), 0, 12).Draw(t, "text"), "")
		checkOutcome(t, schemas[schema], text)
	})
}

type failer interface{ Fatalf(string, ...any) }

// checkOutcome parses a text and checks what holds for every outcome.
func checkOutcome(t failer, s *Schema, text string) {
	got, err := s.Parse(text)
	if err != nil {
		var e *Error
		var owners *BoundError
		switch {
		case errors.As(err, &owners) && len(owners.Faults) > 0:
		case !errors.As(err, &e):
			t.Fatalf("%q: no Error: %v", text, err)
		case len(e.Faults) == 0 || len(e.Faults) > maxFaults || !utf8.ValidString(e.Text) || utf8.RuneCountInString(e.Text) > maxObserved:
			t.Fatalf("%q: %d faults, %d bytes: %s", text, len(e.Faults), len(e.Text), e.Text)
		}
		return
	}
	v, err := scan(string(got))
	if err != nil || v.kind != object || !utf8.Valid(got) || !json.Valid(got) || bytes.ContainsAny(got, "\r\n") {
		t.Fatalf("%q became %q: %v", text, got, err)
	}
	if faults, _ := s.faults(&v); len(faults) > 0 {
		t.Fatalf("%q became %s, which does not fit: %v", text, got, faults)
	}
	again, err := s.Parse(string(got))
	if err != nil || !rawjson.Same(again, got) { // where defaults and the owner's arguments stand does not matter
		t.Fatalf("%q became %s, and that %s, %v", text, got, again, err)
	}
}
