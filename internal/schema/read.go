package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Bounds of the normal form.
const (
	maxNodes    = 4_000 // nodes of one schema, references expanded
	maxNesting  = 40    // nested nodes
	maxAlts     = 60    // alternatives of one union
	maxEnum     = 1_000 // values of one enum
	enumPerNode = 20    // values of an enum that cost as much as a node
	maxAdded    = 100   // fields shown only because they are required
	maxFacts    = 20    // sentences about one node
	maxTextLen  = 4_000 // characters of one description
	maxShapeLen = 1_200 // characters of a shape described in words
	maxValueLen = 300   // characters of a value quoted in a sentence
)

// reader turns parsed values into nodes.
//
// References may multiply a small schema beyond every bound. So a schema that
// is too large is read again, with less and less of its depth spelled out. If
// even its upper levels are too large, a last reading shares out a quarter of
// the nodes evenly among the children of each node, so that one greedy branch
// cannot starve its siblings.
type reader struct {
	refs   resolver
	busy   map[*object]string // schemas being read, and where in the arguments
	left   int                // nodes that may still be made
	over   bool               // the nodes did not suffice
	fair   bool               // share out the nodes
	levels int                // levels of fields and items spelled out
	level  int
	depth  int    // schemas within schemas, not all of them a level
	where  string // path in the arguments, for words about recursion
}

// fewerLevels are tried one after the other.
var fewerLevels = []int{maxNesting, 10, 8, 7, 6, 5, 4, 3}

// readRoot gives the normal form of a whole schema, finished. References lead
// into the document, which may say more than the schema.
func readRoot(v, document any, nodes int) *node {
	for _, levels := range fewerLevels {
		if n, ok := newReader(document, nodes, levels).root(v); ok {
			return n
		}
	}
	r := newReader(document, nodes/4, maxNesting)
	r.fair = true
	n, _ := r.root(v)
	return n
}

func newReader(v any, nodes, levels int) *reader {
	return &reader{refs: resolver{root: v}, busy: map[*object]string{}, left: nodes, levels: levels}
}

// root reads the whole schema; false says that the nodes did not suffice.
func (r *reader) root(v any) (*node, bool) {
	n := r.read(v)
	r.finishRoot(n)
	return n, !r.over
}

// each calls f for the children 0 … n-1, sharing out the nodes if need be. It
// returns how many children it came to.
func (r *reader) each(n int, f func(i int)) int {
	if !r.fair {
		for i := range n {
			if r.over {
				return i
			}
			f(i)
		}
		return n
	}
	n = min(n, max(r.left, 0))
	for i := range n {
		share := max(r.left/(n-i), 1)
		rest := r.left - share
		r.left = share
		f(i)
		r.left = max(r.left, 0) + rest
	}
	return n
}

// child reads and finishes the schema of a value at a place in the arguments.
func (r *reader) child(v any, place string) *node {
	if o, ok := v.(*object); ok && r.level >= r.levels && r.peek(o, 0)&kindsContainer != 0 {
		r.left--
		n := r.seal(o, noteTooLarge)
		r.finish(n)
		return n
	}
	where := r.where
	r.where += place
	r.level++
	n := r.read(v)
	r.finish(n)
	r.level--
	r.where = where
	return n
}

// read gives the normal form of any value that stands where a schema should.
func (r *reader) read(v any) *node {
	r.left--
	r.over = r.over || r.left < 0
	o, isObject := v.(*object)
	switch {
	case !isObject:
		return readOddity(v)
	case r.left < 0:
		return r.seal(o, noteTooLarge)
	case r.depth >= maxNesting:
		return r.seal(o, noteTooDeep)
	}
	if place, again := r.busy[o]; again {
		return r.recursion(o, place)
	}
	r.busy[o] = r.where
	r.depth++
	n := r.own(o)
	r.reference(n, o)
	r.compose(n, o)
	n.readNullable(o)
	r.depth--
	delete(r.busy, o)
	return n
}

// readOddity reads what is not an object: the two boolean schemas, and
// mistakes.
func readOddity(v any) *node {
	n := &node{}
	switch x := v.(type) {
	case bool:
		n.never = !x
	case string: // "x": "string" instead of {"type":"string"}
		n.setType(x)
	case pruned:
		n.sealed = true
		n.fact(noteTooDeep)
	}
	return n
}

// seal gives a node whose inside is not read. Its types and its own words are.
func (r *reader) seal(o *object, why string) *node {
	n := &node{sealed: true, kinds: r.peek(o, 0)}
	n.annotate(o)
	if target, ok := r.target(o); ok {
		if n.description == "" {
			n.annotate(target)
		}
		o = target
	}
	n.fact(why)
	if props, ok := o.values["properties"].(*object); ok && len(props.keys) > 0 && (why == noteTooLarge || why == noteTooDeep) {
		n.fact(fmt.Sprintf("Its fields: %s.", namesText(props.keys)))
	}
	return n
}

const (
	noteTooLarge = "Not spelled out: the schema is too large."
	noteTooDeep  = "Not spelled out: the schema is nested too deep."
)

// peek gives the types of a schema without reading it; 0 where that is not
// easily seen.
func (r *reader) peek(o *object, hops int) kinds {
	n := &node{}
	if n.readType(o); n.kinds != 0 || hops > 5 {
		return n.kinds
	}
	if target, ok := r.target(o); ok {
		return r.peek(target, hops+1)
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		if alts, ok := o.values[key].(*list); ok && len(alts.items) > 0 && len(alts.items) <= 10 {
			return r.peekAll(alts.items, hops+2)
		}
	}
	if _, ok := o.values["properties"].(*object); ok {
		return kindObject
	}
	if _, ok := o.values["items"].(*object); ok {
		return kindArray
	}
	return 0
}

func (r *reader) peekAll(alts []any, hops int) kinds {
	var all kinds
	for _, a := range alts {
		o, ok := a.(*object)
		if !ok {
			return 0
		}
		k := r.peek(o, hops)
		if k == 0 {
			return 0
		}
		all |= k
	}
	return all
}

// target is the schema that o refers to.
func (r *reader) target(o *object) (*object, bool) {
	ref, ok := o.values["$ref"].(string)
	if !ok {
		return nil, false
	}
	v, ok := r.refs.find(ref)
	if !ok {
		return nil, false
	}
	target, ok := v.(*object)
	return target, ok
}

// recursion ends a schema that refers back to one it is part of.
func (r *reader) recursion(o *object, place string) *node {
	switch place = strings.TrimPrefix(place, "."); {
	case r.where == r.busy[o]:
		n := &node{} // a reference that leads only to itself says nothing
		n.fact("The schema refers only to itself.")
		return n
	case place == "":
		return r.seal(o, "Same form as the whole argument object, nested further.")
	default:
		return r.seal(o, fmt.Sprintf("Same form as %s, nested further.", quote(cutText(place, 100))))
	}
}

// own reads the keywords of o itself, without references and composition.
func (r *reader) own(o *object) *node {
	n := &node{}
	n.readType(o)
	n.readEnum(o)
	r.left -= len(n.enum) / enumPerNode
	r.readObject(n, o)
	r.readArray(n, o)
	n.readRules(o)
	n.annotate(o)
	return n
}

func (n *node) annotate(o *object) {
	n.title, _ = o.values["title"].(string)
	n.title = cutText(oneLine(cutText(n.title, 2*maxValueLen)), maxValueLen)
	n.description, _ = o.values["description"].(string)
	n.description = cutText(strings.TrimSpace(cutText(n.description, 2*maxTextLen)), maxTextLen)
}

func (n *node) readType(o *object) {
	switch x := o.values["type"].(type) {
	case string:
		n.setType(x)
	case *list:
		var all kinds
		for _, item := range x.items {
			name, ok := item.(string)
			if !ok {
				continue
			}
			k := kindOf(name)
			if k == 0 {
				n.strangeType(name)
			}
			all |= k
		}
		n.setKinds(all)
	}
	if o.values["nullable"] == true && n.kinds != 0 {
		n.kinds |= kindNull
	}
}

// readNullable allows null, as OpenAPI says it, also beside a reference or
// alternatives, which do not know of it.
func (n *node) readNullable(o *object) {
	if o.values["nullable"] != true {
		return
	}
	if n.kinds != 0 {
		n.kinds |= kindNull
	}
	if n.enum != nil && !slices.Contains(n.enum, nil) {
		n.enum = append(slices.Clone(n.enum), nil)
	}
	if len(n.alts) > 0 {
		n.alts = append(n.alts, &node{kinds: kindNull})
	}
}

func (n *node) setType(name string) {
	k := kindOf(name)
	if k == 0 {
		n.strangeType(name)
	}
	n.setKinds(k)
}

func (n *node) setKinds(k kinds) {
	if k == kindsAll || k == kindsAll&^kindInteger {
		k, n.free = 0, true
	}
	n.kinds = k
}

// strangeType notes a type JSON Schema does not have. What the author meant is
// not guessed from other keywords.
func (n *node) strangeType(name string) {
	n.free = true
	if name = oneLine(cutText(name, maxValueLen)); name != "" {
		n.fact(fmt.Sprintf("The server calls the type %s.", quote(name)))
	}
}

// readEnum reads enum and const, and brings types and values together: values
// of another type than declared can never be sent, and where all are of
// another type the values win.
func (n *node) readEnum(o *object) {
	if v, ok := o.get("const"); ok {
		n.enum = []any{v}
	} else if l, ok := o.values["enum"].(*list); ok && len(l.items) > 0 {
		if total := len(l.items) + l.dropped; total > maxEnum {
			few := &list{items: l.items[:5]}
			n.fact(fmt.Sprintf("One of %d values, such as %s.", total, strings.Trim(valueText(few, maxValueLen), "[]")))
			n.kinds = orKinds(n.kinds, kindsOf(few.items))
			return
		}
		n.enum = distinct(l.items)
	}
	if n.enum == nil {
		return
	}
	if o.values["nullable"] == true && !slices.Contains(n.enum, nil) {
		n.enum = append(n.enum, nil) // OpenAPI: null need not be listed
	}
	if fitting := valuesOf(n.enum, n.kinds); len(fitting) > 0 {
		n.enum = fitting
	} else {
		n.kinds = 0
	}
	used := kindsOf(n.enum)
	if n.kinds == 0 {
		n.kinds = used
	} else if both, ok := n.kinds.meet(used); ok {
		n.kinds = both
	}
}

func orKinds(declared, seen kinds) kinds {
	if declared != 0 {
		return declared
	}
	return seen
}

// kindsOf gives the types of values.
func kindsOf(values []any) kinds {
	var k kinds
	for _, v := range values {
		k |= kindOfValue(v)
	}
	return k
}

// valuesOf gives those values that have one of the types of k, all for none.
func valuesOf(values []any, k kinds) []any {
	if k == 0 {
		return values
	}
	var out []any
	for _, v := range values {
		of := kindOfValue(v)
		if k.has(of) || k.has(kindNumber) && of == kindInteger || k.has(kindInteger) && of == kindNumber {
			out = append(out, v)
		}
	}
	return out
}

// distinct drops repeated values, keeping the order.
func distinct(values []any) []any {
	seen := map[any]bool{}
	out := make([]any, 0, len(values))
	for _, v := range values {
		if key := valueKey(v); !seen[key] {
			seen[key] = true
			out = append(out, v)
		}
	}
	return out
}

// valueKey is a map key for a value. Two objects or arrays that differ only
// beyond a generous length count as equal.
func valueKey(v any) any {
	switch v.(type) {
	case *object, *list:
		return struct{ text string }{valueText(v, 2_000)}
	}
	return v
}

func (r *reader) readObject(n *node, o *object) {
	if props, ok := o.values["properties"].(*object); ok {
		seen := r.each(len(props.keys), func(i int) {
			name := props.keys[i]
			r.readProp(n, name, props.values[name])
		})
		if hidden := len(props.keys) - seen; hidden > 0 {
			n.fact(fmt.Sprintf("%d further fields are not spelled out: the schema is too large.", hidden))
		}
	}
	if names, ok := o.values["required"].(*list); ok {
		for _, item := range names.items {
			if name, ok := item.(string); ok && len(n.required) < maxNodes {
				n.required = append(n.required, name)
			}
		}
		n.required = distinctNames(n.required)
	}
	for _, key := range []string{"additionalProperties", "unevaluatedProperties"} {
		if v, ok := o.get(key); ok {
			r.readExtra(n, v)
		}
	}
	r.readPatterns(n, o)
}

// readProp reads one property. In draft 3 a property itself says whether it is
// required, and many servers still do.
func (r *reader) readProp(n *node, name string, v any) {
	child := r.child(v, "."+cutText(name, 100))
	if child.never {
		n.fact(fmt.Sprintf("%s must not be given.", quote(cutText(name, 100))))
		return
	}
	if o, ok := v.(*object); ok && o.values["required"] == true {
		n.require(name)
	}
	if sameWords(child.title, name) {
		child.title = ""
	}
	n.props = append(n.props, prop{name, child})
}

// sameWords says whether a title only repeats a name, as generated titles do.
func sameWords(title, name string) bool {
	letters := func(c rune) rune {
		if c == ' ' || c == '_' || c == '-' {
			return -1
		}
		return c
	}
	return strings.EqualFold(strings.Map(letters, title), strings.Map(letters, name))
}

func (r *reader) readExtra(n *node, v any) {
	switch x := v.(type) {
	case bool:
		n.open, n.closed = n.open || x, n.closed || !x
	case *object:
		extra := r.child(x, ".*")
		switch {
		case extra.never:
			n.closed = true
		case extra.shaped() || extra.description != "" || len(extra.facts) > 0:
			n.extra = extra
		default:
			n.open = true
		}
	}
}

func (r *reader) readPatterns(n *node, o *object) {
	patterns, ok := o.values["patternProperties"].(*object)
	if !ok {
		return
	}
	r.each(len(patterns.keys), func(i int) {
		key := patterns.keys[i]
		child := r.child(patterns.values[key], ".*")
		if child.never {
			n.fact(fmt.Sprintf("No field name may match %s.", quote(cutText(key, 200))))
			return
		}
		n.fact(fmt.Sprintf("Fields whose names match %s: %s.", quote(cutText(key, 200)), shape(child, maxValueLen)))
	})
	n.open, n.closed = true, false
}

func (r *reader) readArray(n *node, o *object) {
	further, hasFurther := o.get("additionalItems")
	switch items := o.values["items"].(type) {
	case *list: // the tuple of drafts 4 to 2019-09
		r.readTuple(n, items)
	case nil:
	default:
		further, hasFurther = items, true
	}
	if prefix, ok := o.values["prefixItems"].(*list); ok {
		r.readTuple(n, prefix)
	}
	if !hasFurther {
		return
	}
	item := r.child(further, "[]")
	if !item.never {
		n.items = item
	} else if len(n.tuple) > 0 {
		n.tightenMax("maxItems", len(n.tuple))
	} else {
		n.tightenMax("maxItems", 0)
	}
}

func (r *reader) readTuple(n *node, positions *list) {
	r.each(len(positions.items), func(i int) {
		n.tuple = append(n.tuple, r.child(positions.items[i], "[]"))
	})
}

func (n *node) tightenMax(name string, to int) {
	n.setRule(name, json.Number(fmt.Sprint(to)))
}

func distinctNames(names []string) []string {
	seen := make(map[string]bool, len(names))
	out := names[:0]
	for _, name := range names {
		if !seen[name] {
			seen[name] = true
			out = append(out, name)
		}
	}
	return out
}
