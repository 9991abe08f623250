package schema

import (
	"encoding/json"
	"regexp"
	"strings"
	"unicode/utf8"
)

const defaultSignature = 1_000

// Signature says a schema in one line of at most max characters (1,000 if max
// is not positive): the names, their types, a ? after the optional ones and
// the allowed values, for instance
//
//	{city: string, unit?: "celsius"|"kelvin"}
//
// What holds for the fields together, such as that one of two is needed, comes
// behind it in brackets where there is room. Details are left out, deepest
// first, when the line would be too long. Names are the server's own, in the
// server's order; hidden ones are left out.
func Signature(raw json.RawMessage, max int, hidden ...string) string {
	if max <= 0 {
		max = defaultSignature
	}
	n := readSource(raw).node(maxNodes, hidden)
	line := shapeAs(shaper{root: true}, n, max)
	if said := oneLine(strings.Join(n.facts, " ")); said != "" {
		if long := line + " (" + said + ")"; utf8.RuneCountInString(long) <= max {
			return long
		}
	}
	return line
}

// shape says a node in one line of at most max characters.
func shape(n *node, max int) string { return shapeAs(shaper{}, n, max) }

func shapeAs(like shaper, n *node, max int) string {
	for _, detail := range []struct{ depth, values int }{{8, 40}, {4, 12}, {2, 6}, {1, 4}} {
		w := &shaper{depth: detail.depth, values: detail.values, max: max, root: like.root}
		if w.node(n, 0); !w.full() {
			return w.b.String()
		}
	}
	w := &shaper{depth: 1, values: 3, max: max, root: like.root, brief: true}
	w.node(n, 0)
	return cutText(w.b.String(), max)
}

// shaper writes the compact form of a node. It stops soon after max characters.
type shaper struct {
	b      strings.Builder
	depth  int  // levels of objects and arrays written out
	values int  // allowed values written out
	brief  bool // field names without types
	root   bool // {} for a whole argument object without fields
	words  int  // characters written out of what is said about a field
	max    int
}

// full says whether more than max characters are written.
func (w *shaper) full() bool {
	return w.b.Len() > w.max && (w.b.Len() > 4*w.max || utf8.RuneCountInString(w.b.String()) > w.max)
}

func (w *shaper) node(n *node, level int) {
	if w.full() {
		return
	}
	switch {
	case n.never:
		w.b.WriteString("never")
	case n.enum != nil:
		w.enum(n.enum)
	case len(n.alts) > 0:
		for i, a := range n.alts {
			w.bar(i)
			w.node(a, level)
			w.say(a)
		}
		if n.kinds.has(kindNull) {
			w.b.WriteString("|null")
		}
	case n.kinds == 0:
		w.b.WriteString("any")
	default:
		for i, name := range n.kinds.names() {
			w.bar(i)
			w.kind(n, name, level)
		}
	}
}

func (w *shaper) bar(i int) {
	if i > 0 {
		w.b.WriteByte('|')
	}
}

func (w *shaper) enum(values []any) {
	for i, v := range values {
		w.bar(i)
		if i == w.values && len(values) > w.values+1 || w.full() {
			w.b.WriteString("…")
			return
		}
		w.b.WriteString(valueText(v, 60))
	}
}

func (w *shaper) kind(n *node, name string, level int) {
	switch name {
	case "object":
		w.object(n, level)
	case "array":
		w.array(n, level)
	default:
		w.b.WriteString(name)
	}
}

func (w *shaper) object(n *node, level int) {
	if n.sealed || level >= w.depth && len(n.props) > 0 {
		w.b.WriteString("object")
		return
	}
	if len(n.props) == 0 && n.extra == nil && !n.closed && !(w.root && level == 0) {
		w.b.WriteString("object")
		return
	}
	w.b.WriteByte('{')
	for i, p := range n.props {
		if w.full() {
			break
		}
		if i > 0 {
			w.b.WriteString(", ")
		}
		w.b.WriteString(fieldName(p.name))
		if !n.requires(p.name) {
			w.b.WriteByte('?')
		}
		if !w.brief {
			w.b.WriteString(": ")
			w.node(p.node, level+1)
		}
		w.say(p.node)
	}
	if n.extra != nil && !w.brief {
		if len(n.props) > 0 {
			w.b.WriteString(", ")
		}
		w.b.WriteString("*: ")
		w.node(n.extra, level+1)
	}
	w.b.WriteByte('}')
}

func (w *shaper) array(n *node, level int) {
	switch {
	case n.sealed || level >= w.depth && n.items != nil && n.items.kinds&kindsContainer != 0:
		w.b.WriteString("array")
	case len(n.tuple) > 0:
		w.tuple(n, level)
	case n.items == nil:
		w.b.WriteString("any[]")
	default:
		w.item(n.items, level)
	}
}

// item writes the item type of an array, in brackets where it is a union.
func (w *shaper) item(n *node, level int) {
	union := len(n.alts) > 0 || len(n.enum) > 1 || len(n.kinds.names()) > 1
	if union {
		w.b.WriteByte('(')
	}
	w.node(n, level+1)
	if union {
		w.b.WriteByte(')')
	}
	w.b.WriteString("[]")
	w.say(n)
}

// say writes what is said about a node.
func (w *shaper) say(n *node) {
	if w.words == 0 {
		return
	}
	about := append([]string{sentence(cutText(oneLine(n.description), w.words)), cutText(rulesText(n), w.words)}, n.facts...)
	if words := cutText(oneLine(strings.Join(about, " ")), 2*w.words); words != "" {
		w.b.WriteString(" (" + words + ")")
	}
}

func (w *shaper) tuple(n *node, level int) {
	w.b.WriteByte('[')
	for i, item := range n.tuple {
		if w.full() {
			break
		}
		if i > 0 {
			w.b.WriteString(", ")
		}
		w.node(item, level+1)
	}
	if n.items != nil {
		w.b.WriteString(", …")
		w.item(n.items, level)
	}
	w.b.WriteByte(']')
}

var plainName = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_.$-]{0,99}$`)

// fieldName writes names that could be misread in quotes.
func fieldName(name string) string {
	if plainName.MatchString(name) {
		return name
	}
	return quote(cutText(name, 100))
}

// longShape says a node in words and types: with what is said about its parts
// where there is room.
func longShape(n *node, max int) string {
	w := &shaper{depth: 8, values: 40, words: 80, max: max}
	if w.node(n, 0); !w.full() {
		return w.b.String()
	}
	return shape(n, max)
}
