package args

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// captured returns the input schemas of real servers, by server and tool. The
// captures lie beside the project, not in it.
func captured(t *testing.T) map[string]json.RawMessage {
	t.Helper()
	files, err := filepath.Glob("../../../shared/corpus/*.json")
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skip("no captures of real servers beside the project")
	}
	schemas := map[string]json.RawMessage{}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		var capture struct {
			Tools []struct {
				Name        string          `json:"name"`
				InputSchema json.RawMessage `json:"inputSchema"`
			} `json:"tools"`
		}
		require.NoError(t, json.Unmarshal(raw, &capture), file)
		for _, tool := range capture.Tools {
			schemas[filepath.Base(file)+"/"+tool.Name] = tool.InputSchema
		}
	}
	return schemas
}

// drawer makes up values for real schemas. full asks for optional properties
// as well.
type drawer struct {
	doc  *document
	full bool
}

// draw returns a value that probably fits; the caller has to check.
func (d *drawer) draw(s *value, depth int) string {
	if s == nil || s.kind != object || depth > 12 {
		return `"any"`
	}
	if ref := s.get("$ref"); ref != nil {
		return d.draw(d.doc.resolve(ref.str()), depth+1)
	}
	if c := s.get("const"); c != nil {
		return c.json()
	}
	if list := s.get("enum"); list != nil && len(list.kids) > 0 {
		return list.kids[len(list.kids)-1].json()
	}
	for _, keyword := range []string{"anyOf", "oneOf", "allOf"} {
		if alternatives := parts(s, keyword); len(alternatives) > 0 && s.get("properties") == nil {
			return d.draw(alternatives[0], depth+1)
		}
	}
	switch kind := s.get("type"); {
	case kind != nil && kind.kind == array:
		return d.typed(s, kind.kids[0].str(), depth)
	case kind != nil:
		return d.typed(s, kind.str(), depth)
	case s.get("properties") != nil:
		return d.object(s, depth)
	}
	return `"any"`
}

func (d *drawer) typed(s *value, kind string, depth int) string {
	switch kind {
	case "object":
		return d.object(s, depth)
	case "array":
		item := s.get("items")
		least := 1
		if n := s.get("minItems"); n != nil && n.raw > "1" {
			least = 2
		}
		items := make([]string, least)
		for i := range items {
			items[i] = d.draw(item, depth+1)
		}
		return "[" + strings.Join(items, ", ") + "]"
	case "integer", "number":
		for _, keyword := range []string{"default", "minimum", "maximum"} {
			if n := s.get(keyword); n != nil && n.kind == number {
				return n.raw
			}
		}
		return "9007199254740993"
	case "boolean":
		return "true"
	case "null":
		return "null"
	}
	if byDefault := s.get("default"); byDefault != nil && byDefault.kind == text {
		return byDefault.raw
	}
	if s.get("pattern") != nil {
		return `"2024-01-01"`
	}
	return `"some \u0074ext"`
}

func (d *drawer) object(s *value, depth int) string {
	var members []string
	if properties := s.get("properties"); properties != nil {
		for i := range properties.kids {
			p := &properties.kids[i]
			if isRequired(s, p.name) || d.full && depth < 6 {
				members = append(members, p.key+": "+d.draw(p, depth+1))
			}
		}
	}
	return "{" + strings.Join(members, ", ") + "}"
}

func isRequired(s *value, name string) bool {
	required := s.get("required")
	for i := 0; required != nil && i < len(required.kids); i++ {
		if required.kids[i].str() == name {
			return true
		}
	}
	return false
}

// reference compiles a schema as plainly as the validator can.
func reference(raw json.RawMessage) *jsonschema.Schema {
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(raw)))
	if err != nil {
		return nil
	}
	c := jsonschema.NewCompiler()
	c.UseRegexpEngine((&patterns{left: maxInstructions}).compile)
	if c.AddResource("https://example.com/s", doc) != nil {
		return nil
	}
	s, err := c.Compile("https://example.com/s")
	if err != nil {
		return nil
	}
	return s
}

func TestD4_RealSchemas(t *testing.T) {
	t.Parallel()
	checked, drawn, valid := 0, 0, 0
	for name, raw := range captured(t) {
		s := New(raw)
		if reason := s.Unchecked(); reason != "" {
			t.Logf("%s is not checked: %s", name, reason)
			continue
		}
		checked++
		plain := reference(raw)
		for _, full := range []bool{false, true} {
			d := drawer{doc: newDocument(string(raw)), full: full}
			args := d.draw(d.doc.root, 0)
			v, err := scan(args)
			if err != nil || v.kind != object {
				continue
			}
			drawn++
			if plain == nil || plain.Validate(v.plain()) != nil {
				continue
			}
			valid++
			checkReal(t, name, s, d.doc, v)
		}
	}
	t.Logf("%d schemas are checked; %d of %d drawn arguments are valid", checked, valid, drawn)
	assert.Greater(t, valid, drawn*3/4)
}

// checkReal takes valid arguments of a real tool through what models do to
// them.
func checkReal(t *testing.T, name string, s *Schema, doc *document, v value) {
	t.Helper()
	args := v.json()
	for _, text := range []string{args, "```json\n" + args + "\n```", quote(args), `{"__arg1":` + quote(args) + `}`, "Here: " + args + "\nObservation: {}"} {
		got, err := s.Parse(text)
		if assert.NoError(t, err, "%s: %s", name, text) {
			assert.Equal(t, string(line(&v)), string(got), name)
		}
	}
	for i := range v.kids {
		property := doc.root.get("properties").get(v.kids[i].name)
		if property == nil {
			continue
		}
		if isRequired(doc.root, v.kids[i].name) {
			checkFault(t, name, s, without(v, i), v.kids[i].name)
		}
		checkSpelling(t, name, s, doc, v, i, property)
	}
}

// without returns an object without its member i.
func without(v value, i int) value {
	v = v.clone()
	v.drop(func(member *value) bool { return member.name == v.kids[i].name })
	v.edited = true
	return v
}

func with(v value, i int, raw string) value {
	v = v.clone()
	v.kids[i] = value{kind: text, key: v.kids[i].key, name: v.kids[i].name, raw: raw}
	v.edited = true
	return v
}

// checkFault checks that arguments are refused with a fault that names what.
func checkFault(t *testing.T, name string, s *Schema, v value, what string) {
	t.Helper()
	args := v.json()
	if r := (reader{shape: s.shape}); r.nothing(args) {
		args = "{}"
	}
	got, err := s.Parse(args)
	var e *Error
	if assert.ErrorAs(t, err, &e, "%s: %s gave %s", name, args, got) {
		assert.Contains(t, fmt.Sprint(e.Faults), what, "%s: %s", name, args)
	}
}

// checkSpelling writes one argument as text or null and checks that it arrives
// as it was, where the schema allows no text and no null.
func checkSpelling(t *testing.T, name string, s *Schema, doc *document, v value, i int, property *value) {
	t.Helper()
	types := newTyper(doc)
	allowed := types.types(property)
	if allowed&texts == 0 && v.kids[i].kind != text && v.kids[i].kind != null {
		spelled := with(v, i, quote(v.kids[i].json()))
		got, err := s.Parse(spelled.json())
		if assert.NoError(t, err, "%s: %s", name, spelled.json()) {
			back, err := scan(string(got))
			require.NoError(t, err)
			assert.True(t, equal(&back, &v), "%s: %s became %s", name, spelled.json(), got)
		}
	}
	if allowed&nulls == 0 && !isRequired(doc.root, v.kids[i].name) && s.checker.check(ptr(without(v, i))) == nil {
		got, err := s.Parse(ptr(with(v, i, "null")).json())
		if assert.NoError(t, err, name) {
			back, err := scan(string(got))
			require.NoError(t, err)
			assert.True(t, equal(&back, ptr(without(v, i))), "%s: null for %s gave %s", name, v.kids[i].name, got)
		}
	}
	if allowed&(objects|texts) == texts {
		checkFault(t, name, s, with(v, i, `{"no":"text"}`), v.kids[i].name)
	}
}

func ptr(v value) *value { return &v }
