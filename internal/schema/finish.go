package schema

import (
	"fmt"
	"slices"
	"strings"
)

// finish settles a node once everything that contributes to it has been
// merged: its type, its alternatives, and which of its keywords mean anything.
func (r *reader) finish(n *node) {
	if n.finished || n.never {
		return
	}
	n.finished = true
	n.inferContainer()
	r.settleAlts(n)
	n.inferFromRules()
	n.dropMeaningless()
	r.addRequired(n)
}

// finishRoot settles the schema of a whole argument object.
func (r *reader) finishRoot(n *node) {
	if n.never {
		n.never = false
		n.fact("By its schema no arguments are allowed at all.")
	}
	if n.kinds != 0 && !n.kinds.has(kindObject) {
		names := strings.Join(n.kinds.names(), " or ")
		*n = node{kinds: kindObject, title: n.title, description: n.description, facts: n.facts}
		n.fact(fmt.Sprintf("The schema asks for %s, but arguments are always an object.", names))
	}
	n.kinds, n.enum = kindObject, nil
	r.finish(n)
	n.kinds = kindObject
}

// inferContainer guesses object or array from keywords that only these have.
// Strictly, a schema without a type allows every type; its author meant one.
func (n *node) inferContainer() {
	switch {
	case n.kinds != 0 || n.free || n.enum != nil:
	case len(n.props) > 0 || len(n.required) > 0 || n.extra != nil || n.open || n.closed:
		n.kinds = kindObject
	case n.items != nil || len(n.tuple) > 0:
		n.kinds = kindArray
	}
}

// inferFromRules guesses a type from the keywords about single values.
func (n *node) inferFromRules() {
	if n.kinds != 0 || n.free || n.enum != nil || len(n.alts) > 0 {
		return
	}
	for _, rule := range n.rules {
		if kind := ruleKindOf(rule.name).kinds; kind != 0 {
			n.kinds = kind
			if kind == kindsNumeric {
				n.kinds = kindNumber
			}
			if rule.name == "format" {
				n.kinds = kindOfFormat(rule.value.(string))
			}
			return
		}
	}
}

func kindOfFormat(format string) kinds {
	switch format {
	case "int32", "int64", "uint32", "uint64":
		return kindInteger
	case "float", "double":
		return kindNumber
	}
	return kindString
}

// dropMeaningless drops keywords that say nothing about values of n's types,
// such as properties on a string. Nothing is lost: a validator ignores them.
func (n *node) dropMeaningless() {
	if n.sealed && n.kinds.has(kindObject) {
		n.open, n.closed = true, false // there are fields that are not shown
	}
	if n.closed {
		n.open, n.extra = false, nil
	}
	if n.kinds == 0 {
		n.sayForms()
	}
	if !n.kinds.has(kindObject) {
		n.props, n.required, n.extra, n.open, n.closed = nil, nil, nil, false, false
	}
	if !n.kinds.has(kindArray) {
		n.items, n.tuple = nil, nil
	}
	if n.kinds == 0 {
		return
	}
	n.rules = slices.DeleteFunc(n.rules, func(r rule) bool {
		about := ruleKindOf(r.name).kinds
		return about != 0 && about&n.kinds == 0
	})
}

// sayForms says in words what is known of objects and arrays where any type is
// allowed.
func (n *node) sayForms() {
	if len(n.props) > 0 || n.extra != nil {
		n.fact(fmt.Sprintf("If an object: %s.", shape(&node{kinds: kindObject, props: n.props, required: n.required, extra: n.extra}, maxValueLen)))
	}
	if n.items != nil || len(n.tuple) > 0 {
		n.fact(fmt.Sprintf("If an array: %s.", shape(&node{kinds: kindArray, items: n.items, tuple: n.tuple}, maxValueLen)))
	}
}

// addRequired shows fields that are required but described nowhere. Where the
// schema forbids them as well, that is said.
func (r *reader) addRequired(n *node) {
	if n.sealed {
		n.required = nil
		return
	}
	added, left := 0, 0
	for _, name := range n.required {
		switch {
		case n.prop(name) != nil:
		case added == maxAdded || r.left <= 0:
			left++
			r.over = r.over || r.left <= 0
			continue
		case n.closed:
			n.fact(fmt.Sprintf("%s is required and not allowed at once.", quote(cutText(name, 100))))
		case n.extra != nil:
			added++
			r.left--
			n.props = append(n.props, prop{name, n.extra})
		default:
			added++
			r.left--
			n.props = append(n.props, prop{name, &node{finished: true}})
		}
	}
	if left > 0 {
		n.fact(fmt.Sprintf("%d further fields are required but not described.", left))
	}
	n.required = slices.DeleteFunc(n.required, func(name string) bool { return n.prop(name) == nil })
}

// settleAlts sorts out the alternatives of n. Afterwards n has either none, or
// several that differ, and nothing else beside them but annotations and null.
func (r *reader) settleAlts(n *node) {
	if len(n.alts) == 0 {
		return
	}
	if n.kinds.has(kindObject) && n.kinds&^kindNull == kindObject {
		n.fold()
		return
	}
	// What n says beside its alternatives is multiplied by their number.
	shared := len(n.props) + len(n.tuple) + len(n.enum)/enumPerNode
	if r.left -= shared * (len(n.alts) - 1); shared > 0 && r.left < 0 {
		r.over = true
		n.fact(fmt.Sprintf("%s these forms: %s.", capital(someOf(n.one)), formsText(n.alts)))
		n.alts = nil
		return
	}
	alts := n.distribute()
	for _, a := range alts {
		r.finish(a)
	}
	n.alts = nil
	flat, dropped := flatten(alts)
	if dropped > 0 {
		n.fact(fmt.Sprintf("%d further alternatives are not spelled out.", dropped))
	}
	n.gather(flat)
}

// distribute gives the alternatives of n with everything else that n says
// merged into each, and leaves n with its annotations.
func (n *node) distribute() []*node {
	base := &node{kinds: n.kinds, free: n.free, props: n.props, required: n.required, extra: n.extra, open: n.open,
		closed: n.closed, items: n.items, tuple: n.tuple, enum: n.enum, sealed: n.sealed}
	var keep []rule
	for _, rule := range n.rules {
		if ruleKindOf(rule.name).kinds == 0 {
			keep = append(keep, rule)
		} else {
			base.rules = append(base.rules, rule)
		}
	}
	alts := n.alts
	if base.shaped() {
		for _, a := range alts {
			merge(a, base, joinBoth)
		}
	}
	*n = node{title: n.title, description: n.description, rules: keep, facts: n.facts, one: n.one, finished: n.finished}
	return alts
}

// flatten replaces alternatives that are unions themselves by their parts, and
// drops those that no value fits. Beyond maxAlts they are only counted.
func flatten(alts []*node) (flat []*node, dropped int) {
	for _, a := range alts {
		parts := a.alts
		switch {
		case a.never:
			continue
		case len(parts) == 0:
			parts = []*node{a}
		case a.kinds.has(kindNull):
			parts = append(parts[:len(parts):len(parts)], &node{kinds: kindNull, finished: true})
		}
		for _, part := range parts {
			if len(flat) == maxAlts {
				dropped++
				continue
			}
			if part != a {
				part.inherit(a)
			}
			flat = append(flat, part)
		}
	}
	return flat, dropped
}

// inherit takes over the words of the union that n was a part of.
func (n *node) inherit(union *node) {
	if n.description == "" && n.kinds != kindNull {
		n.description = union.description
	}
	for _, f := range union.facts {
		n.fact(f)
	}
}

// gather makes n the union of finished alternatives, in the simplest form that
// says the same.
func (n *node) gather(alts []*node) {
	var null kinds
	var rest []*node
	for _, a := range alts {
		if a.kinds == kindNull && len(a.alts) == 0 {
			null = kindNull
			for _, f := range a.facts {
				n.fact(f)
			}
			continue
		}
		if i := slices.IndexFunc(rest, func(b *node) bool { return sameNode(a, b) }); i < 0 {
			rest = append(rest, a)
		}
	}
	switch {
	case slices.ContainsFunc(rest, (*node).anything):
		n.free = true
		for _, f := range forInstance(slices.DeleteFunc(rest, (*node).anything)) {
			n.fact(f)
		}
	case len(rest) == 0:
		n.kinds = null
	case len(rest) == 1:
		n.become(rest[0], null)
	case all(rest, (*node).plainEnum):
		n.gatherEnum(rest, null)
	case all(rest, (*node).plainKinds):
		for _, a := range rest {
			n.kinds |= a.kinds
		}
		n.kinds |= null
	default:
		n.alts, n.kinds = rest, null
	}
}

// forInstance says what alternatives there are besides one that allows all.
func forInstance(rest []*node) []string {
	if len(rest) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("For instance: %s.", altsText(rest))}
}

// anything says whether n allows every value and says nothing about it.
func (n *node) anything() bool {
	open := *n
	open.sealed = false
	return !open.shaped() && n.title == "" && n.description == "" && len(n.facts) == 0
}

func all(nodes []*node, f func(*node) bool) bool {
	for _, n := range nodes {
		if !f(n) {
			return false
		}
	}
	return true
}

// become makes n its only alternative; n's own words stay.
func (n *node) become(only *node, null kinds) {
	own := *n
	*n = *only
	n.finished = true
	if n.kinds != 0 || len(n.alts) > 0 {
		n.kinds |= null
	}
	if null != 0 && n.enum != nil {
		n.enum = distinct(append(slices.Clone(n.enum), nil))
	}
	if own.title != "" {
		n.title = own.title
	}
	if own.description != "" {
		n.description = own.description
	}
	n.rules = slices.Clone(n.rules)
	for _, rule := range own.rules {
		n.setRule(rule.name, rule.value)
	}
	n.facts = slices.Clone(own.facts)
	for _, f := range only.facts {
		n.fact(f)
	}
}

// plainEnum says whether n only lists values.
func (n *node) plainEnum() bool {
	return n.enum != nil && len(n.rules) == 0
}

// plainKinds says whether n only names scalar types.
func (n *node) plainKinds() bool {
	return n.kinds != 0 && n.kinds&kindsContainer == 0 && n.enum == nil && len(n.alts) == 0 && len(n.rules) == 0 &&
		len(n.facts) == 0 && n.description == ""
}

// gatherEnum joins lists of values. What is said about a single value becomes
// a sentence.
func (n *node) gatherEnum(alts []*node, null kinds) {
	for _, a := range alts {
		n.kinds |= a.kinds
		n.enum = append(n.enum, a.enum...)
		about := a.description
		if about == "" && len(a.enum) == 1 && !strings.EqualFold(a.title, valueText(a.enum[0], maxValueLen)) {
			about = a.title
		}
		if about = oneLine(strings.Join(append([]string{about}, a.facts...), " ")); about != "" {
			n.fact(sentence(fmt.Sprintf("%s: %s", valuesText(a.enum, 100), cutText(about, 200))))
		}
	}
	if null != 0 {
		n.kinds |= null
		n.enum = append(n.enum, nil)
	}
	n.enum = distinct(n.enum)
	if len(n.enum) > maxEnum {
		n.fact(fmt.Sprintf("One of %d values, such as %s.", len(n.enum), valuesText(n.enum[:5], maxValueLen)))
		n.enum = nil
	}
}

// sentence ends a text with a full stop if it does not end a sentence already.
func sentence(s string) string {
	if s == "" || strings.ContainsAny(s[len(s)-1:], ".!?:;") || strings.HasSuffix(s, "…") {
		return s
	}
	return s + "."
}
