package schema

import (
	"fmt"
	"strings"
)

// fold turns an object with alternatives into one object that shows the fields
// of all of them, and says in a sentence which forms there are. Providers
// refuse unions at the root, and a union beside properties means too many
// different things to them.
func (n *node) fold() {
	alts, one := n.alts, n.one
	n.alts, n.one = nil, false
	var forms []*node
	for _, a := range alts {
		if _, ok := a.kinds.meet(kindObject); !ok || a.never {
			continue
		}
		a.kinds, a.enum = kindObject, nil
		if len(a.alts) > 0 {
			a.fold()
		}
		forms = append(forms, a)
	}
	switch len(forms) {
	case 0:
		return
	case 1:
		merge(n, forms[0], joinBoth)
		n.never = false
		return
	}
	if text := n.formsOf(forms); text != "" {
		n.fact(fmt.Sprintf("%s these forms: %s.", capital(someOf(one)), text))
	}
	n.adopt(forms)
}

// formsOf describes each form with the fields it names; a field that only the
// common part describes is described from there.
func (n *node) formsOf(forms []*node) string {
	views := make([]*node, 0, len(forms))
	for _, f := range forms {
		view := &node{kinds: kindObject, title: f.title, props: f.props, required: f.required, facts: f.facts, rules: f.rules,
			sealed: f.sealed, finished: true}
		for _, name := range f.required {
			if view.prop(name) == nil {
				p := n.prop(name)
				if p == nil {
					p = &node{finished: true}
				}
				view.props = append(view.props[:len(view.props):len(view.props)], prop{name, p})
			}
		}
		views = append(views, view)
	}
	return formsText(views)
}

// formsText lists alternatives in their compact form.
func formsText(forms []*node) string {
	each := max(maxShapeLen/max(len(forms), 1), 60)
	texts := make([]string, 0, len(forms))
	for _, f := range forms {
		text := longShape(f, each)
		if f.title != "" {
			text = cutText(f.title, 60) + " " + text
		}
		if said := cutText(strings.Join(f.facts, " "), each); said != "" {
			text += " (" + said + ")"
		}
		texts = append(texts, text)
	}
	return cutText(strings.Join(texts, " or "), maxShapeLen)
}

// adopt gives n the fields of all forms. What every form requires is required;
// a field that several forms describe in different ways is a union of these.
func (n *node) adopt(forms []*node) {
	variants := map[string][]*node{}
	var order []string
	count := map[string]int{}
	closed := 0
	for _, f := range forms {
		for _, p := range f.props {
			if variants[p.name] == nil {
				order = append(order, p.name)
			}
			variants[p.name] = append(variants[p.name], p.node)
		}
		for _, name := range f.required {
			count[name]++
		}
		if f.closed {
			closed++
		}
		n.open = n.open || f.open || f.extra != nil
		n.sealed = n.sealed || f.sealed
	}
	for _, name := range order {
		n.adoptField(name, variants[name], len(forms))
	}
	for _, f := range forms {
		for _, name := range f.required {
			if count[name] == len(forms) {
				n.require(name)
			}
		}
	}
	n.closed = n.closed || closed == len(forms)
}

func (n *node) adoptField(name string, variants []*node, forms int) {
	field := &node{finished: true}
	field.gather(variants)
	own := n.prop(name)
	switch {
	case own == nil:
		n.props = append(n.props, prop{name, field})
	case len(variants) == forms && len(own.alts) == 0 && len(field.alts) == 0:
		narrowed := *own
		if merge(&narrowed, field, keepOwn); !narrowed.never {
			*own = narrowed
		}
	}
}
