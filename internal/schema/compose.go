package schema

import (
	"fmt"
	"strings"
)

// reference merges what o refers to into n. Keywords beside a reference count,
// as they do since draft 2019-09: authors of older drafts put descriptions
// there too.
func (r *reader) reference(n *node, o *object) {
	for _, key := range []string{"$ref", "$dynamicRef", "$recursiveRef"} {
		ref, ok := o.values[key].(string)
		if !ok {
			continue
		}
		target, found := r.refs.find(ref)
		if !found {
			n.free = true
			n.fact(fmt.Sprintf("Described elsewhere: %s.", quote(cutText(ref, maxValueLen))))
			continue
		}
		merge(n, r.read(target), keepOwn)
	}
}

// compose applies the keywords that combine schemas.
func (r *reader) compose(n *node, o *object) {
	r.allOf(n, o)
	r.union(n, o, "oneOf")
	r.union(n, o, "anyOf")
	r.condition(n, o)
	r.dependencies(n, o)
	r.prohibit(n, o)
	r.restrict(n, o)
}

func (r *reader) allOf(n *node, o *object) {
	parts, ok := o.values["allOf"].(*list)
	if !ok {
		return
	}
	r.each(len(parts.items), func(i int) { merge(n, r.read(parts.items[i]), joinBoth) })
}

// union reads anyOf and oneOf. Alternatives that only say what is required are
// a sentence; the others are kept for the finish.
func (r *reader) union(n *node, o *object, key string) {
	parts, ok := o.values[key].(*list)
	if !ok || len(parts.items) == 0 {
		return
	}
	var alts []*node
	count := min(len(parts.items), maxAlts)
	count = r.each(count, func(i int) { alts = append(alts, r.read(parts.items[i])) })
	if rest := len(parts.items) + parts.dropped - count; rest > 0 {
		n.fact(fmt.Sprintf("%d further alternatives are not spelled out.", rest))
	}
	switch {
	case allRequire(alts):
		n.fact(requireOne(alts, key == "oneOf"))
	case len(n.alts) == 0:
		n.alts, n.one = alts, key == "oneOf"
	default:
		for _, a := range alts {
			r.finish(a)
		}
		n.fact(fmt.Sprintf("Also %s: %s.", someOf(key == "oneOf"), formsText(alts)))
	}
}

func allRequire(alts []*node) bool {
	for _, a := range alts {
		if !a.onlyRequires() {
			return false
		}
	}
	return len(alts) > 0
}

func someOf(one bool) string {
	if one {
		return "exactly one of"
	}
	return "at least one of"
}

// requireOne says which fields must be given where there is a choice.
func requireOne(alts []*node, one bool) string {
	forms := make([]string, len(alts))
	for i, a := range alts {
		forms[i] = strings.Join(append([]string{namesText(a.required)}, a.facts...), " ")
	}
	return fmt.Sprintf("%s these must be given: %s.", capital(someOf(one)), cutText(strings.Join(forms, "; or "), maxShapeLen))
}

// namesText lists field names: "a", "b" and "c".
func namesText(names []string) string {
	quoted := make([]string, 0, len(names))
	for _, name := range names[:min(len(names), 20)] {
		quoted = append(quoted, quote(cutText(name, 100)))
	}
	if len(names) > len(quoted) {
		quoted = append(quoted, "…")
	}
	if len(quoted) < 2 {
		return strings.Join(quoted, "")
	}
	last := len(quoted) - 1
	return strings.Join(quoted[:last], ", ") + " and " + quoted[last]
}

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// condition reads if, then and else: said in words, and the fields that only
// then and else name are shown as optional ones.
func (r *reader) condition(n *node, o *object) {
	cond, ok := o.get("if")
	if !ok {
		return
	}
	then, otherwise := o.values["then"], o.values["else"]
	if then == nil && otherwise == nil {
		return
	}
	when := shape(r.child(cond, ""), maxValueLen)
	n.fact(r.outcome(n, "If it matches "+when, "It must not match "+when+".", then))
	n.fact(r.outcome(n, "If it does not match "+when, "It must match "+when+".", otherwise))
}

// outcome says what then or else asks for; never is said where that is the
// schema false.
func (r *reader) outcome(n *node, condition, never string, v any) string {
	switch v {
	case nil, true:
		return ""
	case false:
		return never
	}
	return fmt.Sprintf("%s, then also %s.", condition, r.consequence(n, v))
}

// consequence describes a schema that holds only sometimes, and shows its
// fields as optional ones of n.
func (r *reader) consequence(n *node, v any) string {
	c := r.read(v)
	for _, p := range c.props {
		if n.prop(p.name) == nil {
			n.props = append(n.props, p)
		}
	}
	if c.onlyRequires() && len(c.facts) == 0 {
		return namesText(c.required) + " must be given"
	}
	text := strings.Join(c.facts, " ")
	r.finish(c)
	return strings.TrimSpace(shape(c, maxValueLen) + " " + cutText(text, maxValueLen))
}

// dependencies reads the fields and schemas that one field brings with it.
func (r *reader) dependencies(n *node, o *object) {
	for _, key := range []string{"dependentRequired", "dependentSchemas", "dependencies"} {
		deps, ok := o.values[key].(*object)
		if !ok {
			continue
		}
		r.each(len(deps.keys), func(i int) {
			name := deps.keys[i]
			n.fact(r.dependency(n, quote(cutText(name, 100)), deps.values[name]))
		})
	}
}

func (r *reader) dependency(n *node, name string, v any) string {
	switch x := v.(type) {
	case string: // draft 3
		return fmt.Sprintf("With %s, %s must be given.", name, quote(cutText(x, 100)))
	case *list:
		var names []string
		for _, item := range x.items {
			if s, ok := item.(string); ok {
				names = append(names, s)
			}
		}
		if len(names) == 0 {
			return ""
		}
		return fmt.Sprintf("With %s, %s must be given.", name, namesText(names))
	default:
		return fmt.Sprintf("With %s: %s.", name, r.consequence(n, v))
	}
}

// prohibit says not in words.
func (r *reader) prohibit(n *node, o *object) {
	v, ok := o.get("not")
	if !ok {
		return
	}
	c := r.read(v)
	switch {
	case c.onlyRequires() && len(c.required) == 1:
		n.fact(fmt.Sprintf("%s must not be given.", namesText(c.required)))
	case c.onlyRequires():
		n.fact(fmt.Sprintf("%s must not be given together.", namesText(c.required)))
	case c.enum != nil:
		n.fact(fmt.Sprintf("Must not be %s.", valuesText(c.enum, maxValueLen)))
	case c.shaped():
		r.finish(c)
		n.fact(fmt.Sprintf("Must not match %s.", strings.TrimSpace(shape(c, maxValueLen)+" "+cutText(rulesText(c), maxValueLen))))
	}
}

// restrict says the remaining keywords about names and members in words.
func (r *reader) restrict(n *node, o *object) {
	if v, ok := o.get("propertyNames"); ok {
		if c := r.child(v, ""); c.shaped() && rulesText(c)+valuesTextOf(c) != "" {
			n.fact(fmt.Sprintf("Field names: %s", strings.TrimSpace(valuesTextOf(c)+" "+rulesText(c))))
		}
	}
	if v, ok := o.get("contains"); ok {
		c := r.child(v, "")
		n.fact(fmt.Sprintf("At least one item must match %s.", strings.TrimSpace(shape(c, maxValueLen)+" "+rulesText(c))))
	}
}

// rulesText says the rules of a node.
func rulesText(n *node) string {
	var said []string
	for _, rule := range n.rules {
		said = append(said, ruleKindOf(rule.name).say(rule.value))
	}
	return cutText(strings.Join(said, " "), maxValueLen)
}

func valuesTextOf(n *node) string {
	if n.enum == nil {
		return ""
	}
	return "one of " + valuesText(n.enum, maxValueLen) + "."
}
