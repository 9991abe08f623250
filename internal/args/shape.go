package args

import (
	"slices"
	"strings"
)

// shape is what reading a text needs to know of the schema: which arguments
// there are.
type shape struct {
	names    []string // the arguments a model may give, in the schema's order
	required []string // those it has to give
	allowed  map[string]typeSet
	values   map[string][]string // the texts an argument lists as its values
	free     bool                // others than those named are provided for
}

// newShape collects the arguments from the root of the schema and from what it
// refers to or combines. Bound arguments are none of the model's.
func newShape(doc *document, bound map[string]value) *shape {
	sh := &shape{allowed: map[string]typeSet{}, values: map[string][]string{}}
	c := collector{shape: sh, typer: newTyper(doc), seen: map[*value]bool{}}
	c.collect(doc.root, true)
	isBound := func(name string) bool { _, ok := bound[name]; return ok }
	sh.names = slices.DeleteFunc(sh.names, isBound)
	sh.required = slices.DeleteFunc(sh.required, isBound)
	sh.free = sh.free || !c.named
	return sh
}

// collector walks over the schemas that apply to the arguments as a whole.
type collector struct {
	*shape
	typer
	seen  map[*value]bool // schemas looked at, and whether they apply in any case
	named bool            // some schema says which arguments there are, if only that there are none
}

// maxNames bounds how many arguments are looked for in a schema.
const maxNames = 2000

// collect looks at one schema and what it refers to and combines. Only what
// applies in any case (must) can require something.
func (c *collector) collect(s *value, must bool) {
	if s == nil || s.kind != object || len(c.names) > maxNames {
		return
	}
	if before, seen := c.seen[s]; seen && (before || !must) {
		return
	}
	c.seen[s] = must
	for _, target := range c.doc.refs(s) {
		c.collect(target, must)
	}
	c.further(s)
	if properties := s.get("properties"); properties != nil && properties.kind == object {
		c.named = true
		for i := range properties.kids {
			c.add(&properties.kids[i])
		}
	}
	if required := s.get("required"); must && required != nil {
		c.require(required)
	}
	for _, part := range parts(s, "allOf") {
		c.collect(part, must)
	}
	for _, part := range append(parts(s, "anyOf"), parts(s, "oneOf")...) {
		c.collect(part, false)
	}
	for _, keyword := range []string{"if", "then", "else"} {
		c.collect(s.get(keyword), false)
	}
	for _, keyword := range []string{"dependentSchemas", "dependencies"} {
		if named := s.get(keyword); named != nil {
			for i := range named.kids {
				c.collect(&named.kids[i], false)
			}
		}
	}
}

// further notes whether a schema provides for arguments it does not name.
func (c *collector) further(s *value) {
	for _, keyword := range []string{"additionalProperties", "unevaluatedProperties", "patternProperties"} {
		switch more := s.get(keyword); {
		case more == nil:
		case more.kind == boolean:
			c.named = c.named || more.raw == "false"
		case more.kind == object && len(more.kids) > 0:
			c.free = true
		}
	}
}

func (c *collector) add(property *value) {
	types, seen := c.allowed[property.name]
	if !seen {
		c.names = append(c.names, property.name)
	}
	c.allowed[property.name] = types | c.types(property)
	for _, s := range append(c.doc.refs(property), property) {
		if list := s.get("enum"); list != nil {
			for i := range list.kids {
				c.values[property.name] = append(c.values[property.name], list.kids[i].str())
			}
		}
		if one := s.get("const"); one != nil {
			c.values[property.name] = append(c.values[property.name], one.str())
		}
	}
}

func (c *collector) require(list *value) {
	for i := range list.kids {
		if name := list.kids[i].str(); list.kids[i].kind == text && !slices.Contains(c.required, name) {
			c.required = append(c.required, name)
		}
	}
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

// lists reports whether an argument lists a text as one of its values.
func (sh *shape) lists(name, t string) bool { return slices.Contains(sh.values[name], t) }

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
