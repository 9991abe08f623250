package schema_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mcptoolset/mcptoolset/internal/args"
	"github.com/mcptoolset/mcptoolset/internal/schema"
)

// Every call the server's schema allows can be written by a model that follows
// what it was shown, and arrives as it was meant.
func TestC6_EveryPermittedCallCanBeMade(t *testing.T) {
	t.Parallel()
	made := 0
	rapid.Check(t, func(t *rapid.T) {
		server := sane(t)
		raw := json.RawMessage(mustJSON(server))
		value := instance(t, server, server["$defs"].(map[string]any), 4).(map[string]any)
		if compiled(t, raw).Validate(decode(t, mustJSON(value))) != nil {
			return // the generator is only roughly right
		}
		made++
		for _, p := range schema.Profiles() {
			callable(t, p, raw, value)
		}
	})
	require.NotZero(t, made, "calls made")
}

// callable writes a call as a model would, checks it against what the model was
// shown, and restores it.
func callable(t *rapid.T, p schema.Profile, raw json.RawMessage, value map[string]any) {
	shown := schema.Parameters(raw, p)
	params := decode(t, mustJSON(shown.Parameters)).(map[string]any)
	written := mustJSON(modelWrites(shown, params, value, ""))
	if p != schema.Verbatim && !strings.Contains(written, "null") {
		err := compiled(t, json.RawMessage(mustJSON(params))).Validate(decode(t, written))
		require.NoError(t, err, "%s forbids %s\nfor %s\nserver %s\nshown %s", p, written, mustJSON(value), raw, mustJSON(params))
	}
	back, err := shown.Restore(json.RawMessage(written))
	require.NoError(t, err)
	accepted(t, p, raw, shown, written, back)
	meant, arrived := decode(t, mustJSON(value)), decode(t, string(back))
	if shown.Strict { // a field that may be left out and may be null is given as null
		meant, arrived = withoutNulls(meant), withoutNulls(arrived)
	}
	require.True(t, alike(meant, arrived), "%s: %s became %s by way of %s\nserver %s\nshown %s",
		p, mustJSON(value), back, written, raw, mustJSON(params))
}

// accepted holds the handling of arguments to what Restore makes of a call: it
// is not changed where the server's schema permits it.
func accepted(t *rapid.T, p schema.Profile, raw json.RawMessage, shown schema.Shown, written string, back json.RawMessage) {
	if compiled(t, raw).Validate(decode(t, string(back))) != nil {
		return // a null that stands for a field left out, or a number written as text
	}
	checked := args.New(raw, args.WithRestore(shown.Restore))
	require.Empty(t, checked.Unchecked(), "%s", raw)
	got, err := checked.Parse(written)
	require.NoError(t, err, "%s: %s\nserver %s", p, written, raw)
	require.Equal(t, decode(t, string(back)), decode(t, string(got)), "%s: %s\nserver %s", p, written, raw)
}

// modelWrites turns a value meant for the server into what a model writes that
// was shown s.
func modelWrites(all schema.Shown, s map[string]any, v any, path string) any {
	if text, ok := asText(s, v); ok {
		return text
	}
	switch x := v.(type) {
	case map[string]any:
		return objectWrites(all, s, x, path)
	case []any:
		items, _ := s["items"].(map[string]any)
		out := make([]any, len(x))
		for i, item := range x {
			out[i] = modelWrites(all, fitting(all, items, item, path+"/*"), item, path+"/*")
		}
		return out
	default:
		return v
	}
}

func objectWrites(all schema.Shown, s map[string]any, x map[string]any, path string) any {
	props, _ := s["properties"].(map[string]any)
	extra, _ := s["additionalProperties"].(map[string]any)
	out := map[string]any{}
	for name, v := range x {
		key, below := name, path+"/*"
		for shown := range props {
			at := path + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(shown)
			if server, renamed := all.Keys[at]; renamed && server == name || !renamed && shown == name {
				key, below = shown, at
			}
		}
		sub := extra
		if p, ok := props[key].(map[string]any); ok {
			sub = p
		}
		out[key] = modelWrites(all, fitting(all, sub, v, below), v, below)
	}
	if all.Strict {
		for name := range props {
			if _, given := out[name]; !given {
				out[name] = nil
			}
		}
	}
	return out
}

// fitting chooses the alternative of a union that v fits once it is written.
func fitting(all schema.Shown, s map[string]any, v any, path string) map[string]any {
	alts, _ := s["anyOf"].([]any)
	for _, a := range alts {
		alt := a.(map[string]any)
		if fits(alt, modelWrites(all, alt, v, path)) {
			return alt
		}
	}
	return s
}

func fits(s map[string]any, written any) bool {
	c := jsonschema.NewCompiler()
	if c.AddResource("mem:alternative", s) != nil {
		return false
	}
	compiled, err := c.Compile("mem:alternative")
	if err != nil {
		return false
	}
	dec := json.NewDecoder(strings.NewReader(mustJSON(written)))
	dec.UseNumber()
	var value any
	return dec.Decode(&value) == nil && compiled.Validate(value) == nil
}

// asText writes a value as a string where its description asks for that.
func asText(s map[string]any, v any) (string, bool) {
	if s["type"] != "string" {
		return "", false
	}
	about, _ := s["description"].(string)
	text, isText := v.(string)
	switch {
	case strings.Contains(about, "JSON text in a string") || strings.Contains(about, "Any JSON value"):
		return mustJSON(v), true
	case !isText && v != nil && (strings.Contains(about, "Written as text") || strings.Contains(about, "JSON text of the form")):
		return mustJSON(v), true
	}
	return text, isText
}

// alike compares what was meant with what arrived, keys and digits exactly. A
// number that may as well be a string may arrive as one.
func alike(want, got any) bool {
	switch x := want.(type) {
	case map[string]any:
		y, ok := got.(map[string]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for k, v := range x {
			if w, ok := y[k]; !ok || !alike(v, w) {
				return false
			}
		}
		return true
	case []any:
		y, ok := got.([]any)
		return ok && slices.EqualFunc(x, y, alike)
	case string:
		return got == want
	default:
		return got == want || got == mustJSON(want)
	}
}

func withoutNulls(v any) any {
	switch x := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, v := range x {
			if v != nil {
				out[k] = withoutNulls(v)
			}
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i, item := range x {
			out[i] = withoutNulls(item)
		}
		return out
	}
	return v
}

func decode(t require.TestingT, text string) any {
	dec := json.NewDecoder(bytes.NewReader([]byte(text)))
	dec.UseNumber()
	var v any
	require.NoError(t, dec.Decode(&v))
	return v
}

func compiled(t require.TestingT, raw json.RawMessage) *jsonschema.Schema {
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("mem:server", decode(t, string(raw))))
	s, err := c.Compile("mem:server")
	require.NoError(t, err, "%s", raw)
	return s
}

// sane generates the schemas honest servers send.
func sane(t *rapid.T) map[string]any {
	root := saneObject(t, 3)
	root["$defs"] = map[string]any{"Leaf": saneSchema(t, 0), "Node": map[string]any{"type": "object",
		"properties": map[string]any{"v": map[string]any{"type": "string"}, "$next": map[string]any{"$ref": "#/$defs/Node"}}}}
	return root
}

func saneObject(t *rapid.T, depth int) map[string]any {
	props := map[string]any{}
	var required []any
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(names), 0, 4, rapid.ID).Draw(t, "fields") {
		props[name] = saneSchema(t, depth-1)
		if rapid.Bool().Draw(t, "required") {
			required = append(required, name)
		}
	}
	m := map[string]any{"type": "object", "properties": props}
	if required != nil {
		m["required"] = required
	}
	switch rapid.IntRange(0, 4).Draw(t, "extra") {
	case 0, 1:
		m["additionalProperties"] = false
	case 2:
		if depth > 1 {
			m["additionalProperties"] = saneSchema(t, depth-2)
		}
	}
	return m
}

func saneSchema(t *rapid.T, depth int) map[string]any {
	kind := rapid.IntRange(0, 30).Draw(t, "kind")
	if depth <= 0 {
		kind = []int{0, 1, 2, 3, 4, 5, 6, 7, 15, 16, 17, 18}[kind%12]
	}
	if odd := oddSchema(t, kind, depth); odd != nil {
		return odd
	}
	switch kind {
	case 0:
		return map[string]any{"type": "string", "description": "Some words."}
	case 1:
		return map[string]any{"type": "string", "enum": []any{"on", "off", "auto"}, "default": "on"}
	case 2:
		return map[string]any{"type": "integer", "minimum": 0}
	case 3:
		return map[string]any{"type": "number"}
	case 4:
		return map[string]any{"type": []any{"boolean", "null"}}
	case 5:
		return map[string]any{"enum": []any{1, "one", nil}}
	case 6:
		return map[string]any{"anyOf": []any{map[string]any{"type": "string", "format": "date"}, map[string]any{"type": "null"}}, "default": nil}
	case 7:
		return map[string]any{}
	case 8:
		return map[string]any{"type": "array", "items": saneSchema(t, depth-1)}
	case 9:
		return map[string]any{"$ref": rapid.SampledFrom([]string{"#/$defs/Leaf", "#/$defs/Node"}).Draw(t, "ref")}
	case 10:
		return map[string]any{"anyOf": []any{saneSchema(t, depth-1), saneSchema(t, depth-1), map[string]any{"type": "null"}}}
	case 11:
		return map[string]any{"anyOf": []any{saneObject(t, depth-1), saneObject(t, depth-1)}}
	case 12:
		return map[string]any{"type": "array"}
	default:
		return saneObject(t, depth)
	}
}

// oddSchema generates what is less common, nil for other kinds.
func oddSchema(t *rapid.T, kind, depth int) map[string]any {
	switch kind {
	case 15:
		return map[string]any{"const": rapid.SampledFrom([]any{"on", 1, true, "null", "1"}).Draw(t, "const")}
	case 16:
		return map[string]any{"type": []any{"string", "integer"}, "description": "A number or a name."}
	case 17:
		return map[string]any{"type": "integer", "enum": []any{1, 2, 3}}
	case 18:
		return map[string]any{"enum": []any{"", "a", "1", nil, true}}
	case 19:
		return map[string]any{"type": []any{"array", "null"}, "items": saneSchema(t, depth-1)}
	case 20:
		return map[string]any{"type": []any{"object", "null"}, "properties": map[string]any{"a": saneSchema(t, depth-1), "$top": saneSchema(t, 0)}}
	case 21:
		return map[string]any{"type": "array", "prefixItems": []any{saneSchema(t, depth-1), saneSchema(t, 0)}, "minItems": 2, "maxItems": 2}
	case 22:
		return map[string]any{"oneOf": []any{
			map[string]any{"type": "object", "properties": map[string]any{"k": map[string]any{"const": "a"}, "$v": saneSchema(t, depth-1)}, "required": []any{"k"}},
			map[string]any{"type": "object", "properties": map[string]any{"k": map[string]any{"const": "b"}, "_v": saneSchema(t, 0)}, "required": []any{"k"}}}}
	case 23:
		return map[string]any{"allOf": []any{saneObject(t, depth-1), map[string]any{"description": "More."}}}
	case 24:
		return map[string]any{"anyOf": []any{map[string]any{"type": "string"}, map[string]any{"type": "array", "items": saneSchema(t, depth-1)}}}
	case 25:
		return map[string]any{"type": "object", "additionalProperties": saneSchema(t, depth-1)}
	case 26:
		return map[string]any{"type": "object"}
	case 27:
		return map[string]any{"type": []any{"string", "object", "array", "number", "boolean", "null"}}
	case 28:
		return map[string]any{"anyOf": []any{map[string]any{"type": "integer"}, map[string]any{"enum": []any{"auto", "5"}}, map[string]any{"type": "boolean"}}}
	case 29:
		deep := saneSchema(t, 0)
		for range 6 {
			deep = map[string]any{"type": "object", "properties": map[string]any{"a/b": deep}, "required": []any{"a/b"}}
		}
		return deep
	}
	return nil
}

// instance draws a value that mostly fits a schema of sane.
func instance(t *rapid.T, s, defs map[string]any, depth int) any {
	if ref, ok := s["$ref"].(string); ok {
		return instance(t, defs[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any), defs, depth-1)
	}
	if enum, ok := s["enum"].([]any); ok {
		return rapid.SampledFrom(enum).Draw(t, "value")
	}
	if one, ok := s["const"]; ok {
		return one
	}
	if all, ok := s["allOf"].([]any); ok {
		return instance(t, all[0].(map[string]any), defs, depth)
	}
	if types, ok := s["type"].([]any); ok {
		one := maps.Clone(s)
		one["type"] = rapid.SampledFrom(types).Draw(t, "type")
		return instance(t, one, defs, depth)
	}
	alts, ok := s["anyOf"].([]any)
	if !ok {
		alts, ok = s["oneOf"].([]any)
	}
	if ok {
		return instance(t, rapid.SampledFrom(alts).Draw(t, "alternative").(map[string]any), defs, depth)
	}
	switch s["type"] {
	case "object":
		return objectInstance(t, s, defs, depth)
	case "array":
		items, _ := s["items"].(map[string]any)
		list := []any{}
		head, _ := s["prefixItems"].([]any)
		for _, part := range head {
			list = append(list, instance(t, part.(map[string]any), defs, depth-1))
		}
		if len(head) > 0 {
			return list
		}
		for range rapid.IntRange(0, 2).Draw(t, "items") {
			list = append(list, instance(t, items, defs, depth-1))
		}
		return list
	case "integer":
		return json.Number(rapid.SampledFrom([]string{"0", "7", "9007199254740993", "123456789012345678901234567890"}).Draw(t, "integer"))
	case "number":
		return json.Number(rapid.SampledFrom([]string{"1.5", "-0.10", "1e3", "3"}).Draw(t, "number"))
	case "string":
		return rapid.SampledFrom([]string{"", "plain", "5", "true", "null", "ä\n\"", "2020-01-01"}).Draw(t, "string")
	case nil:
		return wildValue(t, 1)
	case "null":
		return nil
	default:
		return rapid.SampledFrom([]any{true, false, nil}).Draw(t, "bool")
	}
}

func objectInstance(t *rapid.T, s, defs map[string]any, depth int) any {
	out := map[string]any{}
	props, _ := s["properties"].(map[string]any)
	required, _ := s["required"].([]any)
	for _, name := range slices.Sorted(maps.Keys(props)) {
		if slices.Contains(required, any(name)) || depth > 0 && rapid.Bool().Draw(t, "given") {
			out[name] = instance(t, props[name].(map[string]any), defs, depth-1)
		}
	}
	if extra, ok := s["additionalProperties"].(map[string]any); ok && depth > 0 && rapid.Bool().Draw(t, "more") {
		out["further"] = instance(t, extra, defs, depth-1)
	}
	return out
}
