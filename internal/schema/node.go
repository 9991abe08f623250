package schema

import "slices"

// node is a schema in normal form: references resolved, allOf merged, every
// draft's spelling of a rule brought to one.
type node struct {
	// kinds are the types allowed here; none means any, unless alts say more.
	kinds kinds

	// free says that the author named a type that means any or that JSON Schema
	// does not know, so that none is guessed from other keywords.
	free bool

	title       string
	description string

	// For objects. Required may name properties that props lacks until the
	// node is finished. extra is the schema of further properties, if it says
	// anything; open that they are explicitly welcome, closed that they are not.
	props    []prop
	required []string
	extra    *node
	open     bool
	closed   bool

	// For arrays. tuple holds the schemas of the first positions.
	items *node
	tuple []*node

	// enum lists the allowed values; nil allows all. It is never empty.
	enum []any

	// alts are alternatives: a value fits at least one (exactly one, if one is
	// set). A finished node with alts has nothing else but its annotations.
	alts []*node
	one  bool

	// rules are keywords with a valid value that profiles may know or not.
	rules []rule

	// facts are sentences about what has no place in the normal form.
	facts []string

	// sealed says that the inside is not spelled out: the schema refers back to
	// itself or is too deep or too large. A fact says which.
	sealed bool

	// finished says that the node is settled, see finish.
	finished bool

	// never says that no value fits.
	never bool
}

type prop struct {
	name string
	node *node
}

// rule is a JSON Schema keyword that constrains or annotates a single value.
type rule struct {
	name  string
	value any
}

func (n *node) prop(name string) *node {
	for _, p := range n.props {
		if p.name == name {
			return p.node
		}
	}
	return nil
}

func (n *node) rule(name string) (any, bool) {
	for _, r := range n.rules {
		if r.name == name {
			return r.value, true
		}
	}
	return nil, false
}

func (n *node) setRule(name string, v any) {
	for i, r := range n.rules {
		if r.name == name {
			n.rules[i].value = v
			return
		}
	}
	n.rules = append(n.rules, rule{name, v})
}

func (n *node) dropRule(name string) {
	n.rules = slices.DeleteFunc(n.rules, func(r rule) bool { return r.name == name })
}

func (n *node) requires(name string) bool { return slices.Contains(n.required, name) }

func (n *node) require(name string) {
	if !n.requires(name) {
		n.required = append(n.required, name)
	}
}

// fact adds a sentence. Of too many the last says that there are more.
func (n *node) fact(sentence string) {
	switch {
	case sentence == "" || len(n.facts) > maxFacts || slices.Contains(n.facts, sentence):
	case len(n.facts) == maxFacts:
		n.facts = append(n.facts, "Further conditions are not listed.")
	default:
		n.facts = append(n.facts, sentence)
	}
}

// reach gives the types a value of n may have, alternatives included; 0 for any.
func (n *node) reach() kinds {
	if len(n.alts) == 0 {
		return n.kinds
	}
	var all kinds
	for _, a := range n.alts {
		k := a.reach()
		if k == 0 {
			return 0
		}
		all |= k
	}
	return all | n.kinds&kindNull
}

// shaped says whether n restricts a value at all, annotations and facts aside.
func (n *node) shaped() bool {
	return n.kinds != 0 || len(n.props) > 0 || len(n.required) > 0 || n.extra != nil || n.closed ||
		n.items != nil || len(n.tuple) > 0 || n.enum != nil || len(n.alts) > 0 || len(n.rules) > 0 || n.sealed || n.never
}

// onlyRequires says whether n does nothing but require properties.
func (n *node) onlyRequires() bool {
	return len(n.required) > 0 && len(n.props) == 0 && n.extra == nil && !n.closed && n.items == nil &&
		len(n.tuple) == 0 && n.enum == nil && len(n.alts) == 0 && len(n.rules) == 0 && !n.sealed && !n.never &&
		(n.kinds == 0 || n.kinds == kindObject)
}

// sameNode says whether two finished nodes are the same in every respect that
// matters once they are finished.
func sameNode(a, b *node) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.kinds == b.kinds && a.title == b.title && a.description == b.description &&
		a.open == b.open && a.closed == b.closed && a.one == b.one && a.sealed == b.sealed && a.never == b.never &&
		(a.enum == nil) == (b.enum == nil) && slices.EqualFunc(a.enum, b.enum, sameValue) &&
		slices.Equal(a.facts, b.facts) && slices.Equal(a.required, b.required) &&
		slices.EqualFunc(a.rules, b.rules, func(x, y rule) bool { return x.name == y.name && sameValue(x.value, y.value) }) &&
		slices.EqualFunc(a.props, b.props, func(x, y prop) bool { return x.name == y.name && sameNode(x.node, y.node) }) &&
		slices.EqualFunc(a.tuple, b.tuple, sameNode) && slices.EqualFunc(a.alts, b.alts, sameNode) &&
		sameNode(a.items, b.items) && sameNode(a.extra, b.extra)
}
