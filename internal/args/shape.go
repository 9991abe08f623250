package args

import (
	"slices"
	"strings"
)

// shape is what reading a text needs to know of the schema: which arguments
// there are.
type shape struct {
	doc      *document
	names    []string // the arguments a model may give, in the schema's order
	required []string // those it has to give
	allowed  map[string]typeSet
}

// newShape collects the arguments from the root of the schema and from what it
// refers to or combines. Bound arguments are none of the model's.
func newShape(doc *document, bound map[string]value) *shape {
	sh := &shape{doc: doc, allowed: map[string]typeSet{}}
	sh.collect(doc.root, true, 0)
	isBound := func(name string) bool { _, ok := bound[name]; return ok }
	sh.names = slices.DeleteFunc(sh.names, isBound)
	sh.required = slices.DeleteFunc(sh.required, isBound)
	return sh
}

// collect walks over the schemas that apply to the arguments as a whole. Only
// what applies in any case (must) can require something.
func (sh *shape) collect(s *value, must bool, hops int) {
	if s == nil || s.kind != object || hops > maxHops || len(sh.names) > maxNames {
		return
	}
	if ref := s.get("$ref"); ref != nil {
		sh.collect(sh.doc.resolve(ref.str()), must, hops+1)
	}
	if properties := s.get("properties"); properties != nil && properties.kind == object {
		for i := range properties.kids {
			sh.add(&properties.kids[i])
		}
	}
	if required := s.get("required"); must && required != nil {
		for i := range required.kids {
			if name := required.kids[i].str(); !slices.Contains(sh.required, name) {
				sh.required = append(sh.required, name)
			}
		}
	}
	for _, part := range parts(s, "allOf") {
		sh.collect(part, must, hops+1)
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		for _, part := range parts(s, keyword) {
			sh.collect(part, false, hops+1)
		}
	}
	for _, keyword := range []string{"if", "then", "else"} {
		sh.collect(s.get(keyword), false, hops+1)
	}
}

// maxNames bounds how many arguments are looked for in a schema.
const maxNames = 2000

func (sh *shape) add(property *value) {
	types, seen := sh.allowed[property.name]
	if !seen {
		sh.names = append(sh.names, property.name)
	}
	sh.allowed[property.name] = types | sh.doc.types(property, 0)
}

// knows reports whether the schema names an argument.
func (sh *shape) knows(name string) bool {
	_, ok := sh.allowed[name]
	return ok
}

// only returns the argument a bare value is meant for: the one that is
// required and not given, or else the only one there is.
func (sh *shape) only(given *value) (string, bool) {
	open := func(names []string) (left []string) {
		for _, name := range names {
			if given.get(name) == nil {
				left = append(left, name)
			}
		}
		return left
	}
	left := open(sh.required)
	if len(left) == 0 {
		left = open(sh.names)
	}
	if len(left) != 1 {
		return "", false
	}
	return left[0], true
}

// takes reports whether a bare value of one of the types may be meant: there
// is an only argument, and it allows them.
func (sh *shape) takes(types typeSet) bool {
	name, ok := sh.only(nil)
	return ok && sh.typesOf(name)&types != 0
}

func (sh *shape) typesOf(name string) typeSet {
	if types, ok := sh.allowed[name]; ok {
		return types
	}
	return anything
}

// fits reports whether an object looks like arguments for this schema, rather
// than like something quoted in a sentence.
func (sh *shape) fits(v *value) bool {
	if len(v.kids) == 0 || len(sh.names) == 0 {
		return true
	}
	return slices.ContainsFunc(v.kids, func(member value) bool {
		return sh.knows(member.name) || member.name == wrapper
	})
}

// signature is what is told of the arguments where no better text was given.
func (sh *shape) signature() string {
	if len(sh.names) == 0 {
		return "{}"
	}
	var b strings.Builder
	b.WriteByte('{')
	for i, name := range sh.names[:min(len(sh.names), 30)] {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(clip(name, 60))
		if !slices.Contains(sh.required, name) {
			b.WriteByte('?')
		}
	}
	if len(sh.names) > 30 {
		b.WriteString(", …")
	}
	b.WriteByte('}')
	return b.String()
}
