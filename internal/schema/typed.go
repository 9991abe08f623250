package schema

import (
	"fmt"
	"strings"
)

// typed writes a node by rules that ask for exactly one type.
func (l *lowering) typed(n *node, level int, at string) (map[string]any, *route) {
	if len(n.alts) > 0 && n.typeName() == "object" {
		n = foldAlts(n)
	}
	name := n.typeName()
	switch {
	case name == "":
		return l.mixed(n)
	case name == "object" || name == "array":
		if level > l.rules.depth || name == "object" && len(n.props) == 0 {
			return l.jsonText(n, "JSON text in a string, of the form: "+longShape(n, maxShapeLen)+".", textRule{kinds: n.reach()})
		}
		if name == "array" {
			return l.typedArray(n, level, at)
		}
		m, back := l.object(n, level, at, nil)
		l.describe(m, n, l.typedFacts(m, n))
		return m, back
	}
	m := map[string]any{"type": name}
	l.describe(m, n, l.typedFacts(m, n))
	return m, nil
}

// foldAlts makes one object of alternatives that are all objects.
func foldAlts(n *node) *node {
	folded := *n
	folded.alts = nil
	for _, a := range n.alts {
		part := *a
		folded.alts = append(folded.alts, &part)
	}
	folded.kinds = kindObject | n.kinds&kindNull
	folded.fold()
	return &folded
}

func (l *lowering) typedArray(n *node, level int, at string) (map[string]any, *route) {
	m := map[string]any{"type": "array"}
	items, back := l.items(n, level, at)
	m["items"] = items
	l.describe(m, n, append(l.typedFacts(m, n), itemsFact(n, items)))
	return m, back.ofItems()
}

// itemsFact says what items are allowed where their schema could not.
func itemsFact(n *node, written map[string]any) string {
	item := n.item()
	if item == nil || len(written) > 0 || len(n.tuple) > 0 || len(n.alts) > 0 {
		return ""
	}
	words := oneLine(strings.Join(append([]string{cutText(item.description, maxValueLen), rulesText(item)}, item.facts...), " "))
	if item.reach() == 0 && words == "" {
		return ""
	}
	return strings.TrimSpace(fmt.Sprintf("Each item: %s. %s", longShape(item, maxShapeLen), words))
}

// typedFacts writes what the rules know of enum and null and says everything
// that is not written, or would be dropped on its way. What is written comes
// first: a second conversion then finds its own words.
func (l *lowering) typedFacts(m map[string]any, n *node) []string {
	var facts, later []string
	said, kept := l.enum(m, n)
	if said != "" && (!kept || l.rules.echo) {
		facts = append(facts, said)
	}
	if n.mayBeNull() {
		if l.rules.nullable {
			m["nullable"] = true
		}
		facts = append(facts, "May be null.")
	}
	for _, rule := range n.rules {
		if !l.keepRule(m, n, rule) || l.rules.echo {
			later = append(later, sayRule(rule))
		}
	}
	if len(n.alts) > 0 {
		later = append(later, fmt.Sprintf("Either of: %s.", altsText(n.alts)))
	}
	if len(n.tuple) > 0 {
		later = append(later, fmt.Sprintf("By position: %s.", shape(&node{kinds: kindArray, tuple: n.tuple, items: n.items}, maxValueLen)))
	}
	return append(append(append(facts, later...), n.facts...), l.extraFact(n))
}

// altsText describes alternatives with all that is known of each.
func altsText(alts []*node) string {
	var forms []string
	each := max(maxShapeLen/len(alts), 80)
	for _, a := range alts {
		words := strings.Join(append([]string{a.description, rulesText(a)}, a.facts...), " ")
		text := longShape(a, each)
		if words = oneLine(cutText(words, each)); words != "" {
			text += " (" + words + ")"
		}
		forms = append(forms, text)
	}
	return cutText(strings.Join(forms, " or "), maxShapeLen)
}

// mixed writes a node of several types or of any. It becomes a string: as it
// is where a string is allowed, else, and for what a string cannot be, JSON
// text.
func (l *lowering) mixed(n *node) (map[string]any, *route) {
	reach := n.reach()
	free, values := stringsOf(n)
	others := reach &^ kindString
	switch {
	case reach == 0:
		return l.jsonText(n, "Any JSON value, written as JSON text.", textRule{kinds: kindsAll})
	case !free && len(values) == 0:
		return l.jsonText(n, "JSON text in a string, of the form: "+longShape(n, maxShapeLen)+".", textRule{kinds: reach})
	case !free:
		return l.jsonText(n, "Written as text: "+longShape(n, maxShapeLen)+".", textRule{kinds: others, values: values})
	case others&kindsContainer == 0:
		return l.jsonText(n, "Written as text: "+longShape(n, maxShapeLen)+".", textRule{})
	default:
		return l.jsonText(n, "A string, or JSON text of the form: "+longShape(n.without(kindString), maxShapeLen)+".", textRule{kinds: others & kindsContainer})
	}
}

// jsonText writes a node as a string that holds JSON text.
func (l *lowering) jsonText(n *node, what string, rule textRule) (map[string]any, *route) {
	facts := []string{what}
	for _, r := range n.rules {
		facts = append(facts, sayRule(r))
	}
	m := map[string]any{"type": "string"}
	l.describe(m, n, append(facts, n.facts...))
	if rule.kinds == 0 {
		return m, nil
	}
	return m, &route{text: &rule}
}

// stringsOf says whether any string is allowed, and else which ones.
func stringsOf(n *node) (free bool, values map[string]bool) {
	values = map[string]bool{}
	for _, a := range append([]*node{n}, n.alts...) {
		if len(a.alts) > 0 || !a.kinds.has(kindString) {
			continue
		}
		if a.enum == nil {
			free = true
		}
		for _, v := range a.enum {
			if s, ok := v.(string); ok {
				values[s] = true
			}
		}
	}
	return free, values
}

// without gives n less one type, for words.
func (n *node) without(k kinds) *node {
	rest := *n
	rest.kinds &^= k
	rest.alts = nil
	for _, a := range n.alts {
		if a.reach() != k {
			rest.alts = append(rest.alts, a)
		}
	}
	if len(rest.alts) == 1 && rest.kinds == 0 {
		return rest.alts[0]
	}
	return &rest
}
