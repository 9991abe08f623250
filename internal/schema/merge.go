package schema

import (
	"encoding/json"
	"fmt"
	"math/big"
)

// mergeMode says whose annotations win.
type mergeMode int

const (
	keepOwn  mergeMode = iota // n is the schema beside a reference to other
	joinBoth                  // n and other are parts of one allOf
)

// merge narrows n to what other allows as well. Where the two contradict each
// other, n becomes never.
func merge(n, other *node, mode mergeMode) {
	both, ok := n.kinds.meet(other.kinds)
	if !ok || other.never {
		n.never = true
	}
	n.kinds = both
	n.free = n.free || other.free
	n.mergeWords(other, mode)
	n.mergeProps(other)
	n.mergeItems(other)
	n.mergeEnum(other)
	for _, rule := range other.rules {
		n.mergeRule(rule, mode)
	}
	switch {
	case len(n.alts) == 0:
		n.alts, n.one = other.alts, other.one
	case len(other.alts) > 0:
		n.fact(fmt.Sprintf("Also %s: %s.", someOf(other.one), formsText(other.alts)))
	}
	for _, f := range other.facts {
		n.fact(f)
	}
	n.sealed = n.sealed || other.sealed
}

func (n *node) mergeWords(other *node, mode mergeMode) {
	if n.title == "" {
		n.title = other.title
	}
	switch {
	case n.description == "":
		n.description = other.description
	case mode == joinBoth && other.description != "" && other.description != n.description:
		n.description = cutText(sentence(n.description)+" "+other.description, maxTextLen)
	}
}

func (n *node) mergeProps(other *node) {
	for _, p := range other.props {
		if own := n.prop(p.name); own != nil {
			merged := *own
			merge(&merged, p.node, joinBoth)
			if !merged.never {
				*own = merged
			}
			continue
		}
		n.props = append(n.props, p)
	}
	n.required = distinctNames(append(append([]string{}, n.required...), other.required...))
	if n.extra == nil {
		n.extra = other.extra
	}
	n.open, n.closed = n.open || other.open, n.closed || other.closed
}

func (n *node) mergeItems(other *node) {
	switch {
	case n.items == nil:
		n.items = other.items
	case other.items != nil:
		merged := *n.items
		if merge(&merged, other.items, joinBoth); !merged.never {
			n.items = &merged
		}
	}
	if len(n.tuple) == 0 {
		n.tuple = other.tuple
	}
}

func (n *node) mergeEnum(other *node) {
	switch {
	case n.enum == nil:
		n.enum = other.enum
	case other.enum != nil:
		allowed := map[any]bool{}
		for _, v := range other.enum {
			allowed[valueKey(v)] = true
		}
		var both []any
		for _, v := range n.enum {
			if allowed[valueKey(v)] {
				both = append(both, v)
			}
		}
		n.enum, n.never = both, n.never || len(both) == 0
	}
	if n.enum == nil {
		return
	}
	if n.enum = valuesOf(n.enum, n.kinds); len(n.enum) == 0 {
		n.enum, n.never = nil, true
		return
	}
	n.kinds, _ = n.kinds.meet(kindsOf(n.enum))
}

// mergeRule keeps the stricter of two bounds; of two other values the one that
// belongs to n, and says the second.
func (n *node) mergeRule(other rule, mode mergeMode) {
	own, ok := n.rule(other.name)
	switch {
	case !ok:
		n.setRule(other.name, other.value)
	case sameValue(own, other.value):
	case ruleKindOf(other.name).bound() != 0:
		if compareNumbers(own, other.value) == -ruleKindOf(other.name).bound() {
			n.setRule(other.name, other.value)
		}
	case mode == joinBoth && ruleKindOf(other.name).kinds != 0:
		n.fact(ruleKindOf(other.name).say(other.value))
	}
}

// bound is 1 where a larger value is stricter, -1 where a smaller one is, else 0.
func (k *ruleKind) bound() int {
	switch k.name {
	case "minLength", "minimum", "exclusiveMinimum", "minItems", "minProperties":
		return 1
	case "maxLength", "maximum", "exclusiveMaximum", "maxItems", "maxProperties":
		return -1
	}
	return 0
}

// compareNumbers compares two JSON numbers exactly where their size allows it.
func compareNumbers(a, b any) int {
	x, okX := exact(a)
	y, okY := exact(b)
	if !okX || !okY {
		return 0
	}
	return x.Cmp(y)
}

func exact(v any) (*big.Rat, bool) {
	n, ok := v.(json.Number)
	if !ok || len(n) > 40 {
		return nil, false
	}
	if f, err := n.Float64(); err != nil || f > 1e60 || f < -1e60 || f != 0 && f < 1e-60 && f > -1e-60 {
		return nil, false // the exponent decides the size of an exact number
	}
	return new(big.Rat).SetString(n.String())
}
