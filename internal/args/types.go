package args

import (
	"math/big"
	"net/url"
	"strconv"
	"strings"
)

// typeSet is a set of the types JSON Schema knows. Whole numbers and fractions
// are apart, so that "integer" and "number" are sets like the others.
type typeSet uint8

const (
	nulls typeSet = 1 << iota
	booleans
	integers
	fractions
	texts
	arrays
	objects

	numbers  = integers | fractions
	anything = nulls | booleans | numbers | texts | arrays | objects
)

var typeNames = map[string]typeSet{
	"null": nulls, "boolean": booleans, "integer": integers, "number": numbers,
	"string": texts, "array": arrays, "object": objects,
}

// typeOf returns the type of a value.
func typeOf(v *value) typeSet {
	switch v.kind {
	case null:
		return nulls
	case boolean:
		return booleans
	case text:
		return texts
	case array:
		return arrays
	case object:
		return objects
	}
	if whole(v.raw) {
		return integers
	}
	return fractions
}

// maxDigits bounds numbers that are looked at as numbers: beyond it their
// value would be costly to compute.
const maxDigits = 4000

// whole reports whether a JSON number has no fraction: 5, 5.0 and 5e3, but not
// 5.5 and 5e-1.
func whole(raw string) bool {
	if plainInteger(raw) {
		return true
	}
	if !strings.ContainsAny(raw, "eE") {
		_, decimals, _ := strings.Cut(raw, ".")
		return strings.Trim(decimals, "0") == ""
	}
	if cost(raw) > maxDigits {
		return false
	}
	r, ok := new(big.Rat).SetString(raw)
	return ok && r.IsInt()
}

// plainInteger reports whether a JSON number is written with digits alone.
func plainInteger(raw string) bool { return !strings.ContainsAny(raw, ".eE") }

// cost estimates how many digits a JSON number has when written out.
func cost(raw string) int {
	e := strings.IndexAny(raw, "eE")
	if e < 0 {
		return len(raw)
	}
	exp, err := strconv.Atoi(strings.TrimPrefix(raw[e+1:], "+"))
	if err != nil || exp > 1<<30 || exp < -1<<30 {
		return 1 << 30
	}
	return e + max(exp, -exp)
}

// document is a schema as the coercer reads it: tolerant, and silent about
// what it does not understand. Where it cannot tell, it takes a schema to allow
// anything, so that no value is changed on a misunderstanding.
type document struct {
	root      *value
	opaque    bool // $id inside: references may be relative to it
	refsAlone bool // before 2019-09 the neighbours of a $ref do not count
	// anchors are the schemas references name, nil where a name stands twice.
	anchors  map[string]*value
	patterns patterns // of patternProperties; all compiled, and only read
}

// newDocument reads a schema. What cannot be read allows anything.
func newDocument(raw string) *document {
	root, err := scanSchema(raw)
	if err != nil {
		root = &value{kind: boolean, raw: "true"}
	}
	d := &document{root: root, anchors: map[string]*value{}, patterns: patterns{left: maxInstructions}}
	d.survey(root)
	if dialect := root.get("$schema"); dialect != nil {
		d.refsAlone = strings.Contains(dialect.str(), "draft-0")
	}
	return d
}

// scanSchema reads a schema. Nothing at all stands for one that allows
// anything, as null does. Of members given twice the last counts.
func scanSchema(raw string) (*value, error) {
	s := scanner{src: trim(raw), lenient: true}
	if s.src == "" {
		s.src = "true"
	}
	root, err := s.value()
	if err == nil && s.pos < len(s.src) {
		err = s.unexpected("the end")
	}
	return &root, err
}

// survey collects what has to be known of the schema as a whole.
func (d *document) survey(v *value) {
	for _, keyword := range []string{"$anchor", "$dynamicAnchor"} {
		if name := v.get(keyword); name != nil && name.kind == text {
			d.anchor(name.str(), v)
		}
	}
	for _, keyword := range []string{"$id", "id"} {
		id := v.get(keyword)
		if id == nil || id.kind != text {
			continue
		}
		if name, local := strings.CutPrefix(id.str(), "#"); local {
			d.anchor(name, v)
		} else if keyword == "$id" && v != d.root {
			d.opaque = true
		}
	}
	if named := v.get("patternProperties"); named != nil && named.kind == object {
		for i := range named.kids {
			_, _ = d.patterns.compile(named.kids[i].name)
		}
	}
	for i := range v.kids {
		d.survey(&v.kids[i])
	}
}

func (d *document) anchor(name string, s *value) {
	if old, twice := d.anchors[name]; twice && old != s {
		s = nil
	}
	d.anchors[name] = s
}

// refs returns the schemas s refers to. One that cannot be found is nil, which
// allows anything.
func (d *document) refs(s *value) []*value {
	var found []*value
	for _, keyword := range []string{"$ref", "$dynamicRef", "$recursiveRef"} {
		if ref := s.get(keyword); ref != nil {
			found = append(found, d.resolve(ref.str()))
		}
	}
	return found
}

// resolve follows a reference within the document, nil where it cannot.
func (d *document) resolve(ref string) *value {
	base := ""
	if id := d.root.get("$id"); id != nil {
		base = strings.TrimSuffix(id.str(), "#")
	}
	fragment, local := strings.CutPrefix(strings.TrimPrefix(ref, base), "#")
	if !local || d.opaque {
		return nil
	}
	pointer, err := url.PathUnescape(fragment)
	if err != nil {
		return nil
	}
	if pointer != "" && pointer[0] != '/' {
		return d.anchors[pointer]
	}
	at := d.root
	for _, token := range strings.Split(pointer, "/")[1:] {
		token = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		if at = at.at(token); at == nil {
			return nil
		}
	}
	return at
}

// at finds a member by its name or an item by its index.
func (v *value) at(token string) *value {
	if v.kind != array {
		return v.get(token)
	}
	i, err := strconv.Atoi(token)
	if err != nil || i < 0 || i >= len(v.kids) {
		return nil
	}
	return &v.kids[i]
}

// maxHops bounds the references and combinations followed at one place.
const maxHops = 32

// typer finds out which types schemas allow. It looks at each schema once and
// belongs to one goroutine.
type typer struct {
	doc   *document
	known map[*value]typeSet
}

func newTyper(doc *document) typer { return typer{doc, map[*value]typeSet{}} }

// types returns the types a schema allows, possibly too many.
func (t *typer) types(s *value) typeSet {
	switch {
	case s == nil:
		return anything
	case s.kind == boolean && s.raw == "false":
		return 0
	case s.kind != object:
		return anything
	}
	if allowed, ok := t.known[s]; ok {
		return allowed
	}
	t.known[s] = anything // what it refers back to itself adds nothing
	allowed := t.look(s)
	t.known[s] = allowed
	return allowed
}

func (t *typer) look(s *value) typeSet {
	allowed := anything
	if refs := t.doc.refs(s); len(refs) > 0 {
		for _, target := range refs {
			allowed &= t.types(target)
		}
		if t.doc.refsAlone {
			return allowed
		}
	}
	allowed &= named(s.get("type")) & listed(s.get("enum"))
	if c := s.get("const"); c != nil {
		allowed &= typeOf(c)
	}
	for _, part := range parts(s, "allOf") {
		allowed &= t.types(part)
	}
	return allowed & t.union(parts(s, "anyOf")) & t.union(parts(s, "oneOf"))
}

// union returns the types any of the alternatives allows.
func (t *typer) union(alternatives []*value) typeSet {
	if len(alternatives) == 0 {
		return anything
	}
	var allowed typeSet
	for _, s := range alternatives {
		allowed |= t.types(s)
	}
	return allowed
}

// named reads the keyword type. A type nobody knows allows anything.
func named(t *value) typeSet {
	switch {
	case t == nil:
		return anything
	case t.kind == text:
		if set, ok := typeNames[t.str()]; ok {
			return set
		}
		return anything
	case t.kind != array:
		return anything
	}
	var allowed typeSet
	for i := range t.kids {
		allowed |= named(&t.kids[i])
	}
	return allowed
}

// listed returns the types of the values of an enum.
func listed(enum *value) typeSet {
	if enum == nil || enum.kind != array {
		return anything
	}
	var allowed typeSet
	for i := range enum.kids {
		allowed |= typeOf(&enum.kids[i])
	}
	return allowed
}

// parts returns the schemas a keyword lists.
func parts(s *value, keyword string) []*value {
	list := s.get(keyword)
	if list == nil || list.kind != array {
		return nil
	}
	out := make([]*value, len(list.kids))
	for i := range list.kids {
		out[i] = &list.kids[i]
	}
	return out
}

// String says the set in words, as an error shows it.
func (t typeSet) String() string {
	var words []string
	for _, one := range []struct {
		types typeSet
		name  string
	}{{nulls, "null"}, {booleans, "boolean"}, {numbers, "number"}, {integers, "integer"}, {texts, "string"}, {arrays, "array"}, {objects, "object"}} {
		if t&one.types == one.types {
			words = append(words, one.name)
			t &^= one.types
		}
	}
	if len(words) == 0 {
		return "nothing"
	}
	return strings.Join(words, " or ")
}

// digits writes a whole number without fraction and exponent.
func digits(raw string) string {
	r, ok := new(big.Rat).SetString(raw)
	if !ok || !r.IsInt() {
		return raw
	}
	if s := r.Num().String(); s != "0" || raw[0] != '-' {
		return s
	}
	return "-0"
}
