package schema

import (
	"bytes"
	"encoding/json"
	"slices"
)

// Shown is what a model is shown of one tool's schema, and the way back from
// the arguments it writes.
//
// A Shown belongs to its caller, who may change Parameters and Notes. Restore
// may be called from several goroutines.
type Shown struct {
	// Parameters is a fresh map of type object with properties. It holds only
	// maps, []any, strings, booleans, nil and json.Number, and marshals to the
	// same bytes for the same schema.
	Parameters map[string]any

	// Notes are short sentences for the tool's description: what holds for the
	// arguments as a whole but could not be said in Parameters. Empty for most
	// tools.
	Notes []string

	// Keys tells which property names differ from the server's: the path of a
	// property as the model writes it (a JSON Pointer, with * for any array
	// item or map key) to the server's own key. Nil when none differs.
	Keys map[string]string

	// Strict says that Parameters keeps to the rules of OpenAI's strict mode and
	// may be sent with strict set. False for every other profile, and for a
	// schema that cannot be said strictly.
	Strict bool

	back *route
}

// Parameters converts the schema of a tool to what p accepts. A schema that is
// absent, null, true or {} is an object without properties, and so is one that
// cannot be read at all, which a note then says. Parameters never fails.
//
// Fields of the argument object whose names are hidden are not shown; the
// owner sets them.
func Parameters(raw json.RawMessage, p Profile, hidden ...string) Shown {
	rules := p.rules()
	if rules.verbatim {
		return verbatim(raw, hidden)
	}
	src := readSource(raw)
	for _, limits := range allLimits {
		if s, ok := convert(src, rules, limits, hidden); ok {
			return s
		}
	}
	s, _ := convert(source{ok: true}, rules, allLimits[0], nil) // not reached by any known schema
	s.Notes = []string{noteCut}
	return s
}

// convert shows a schema within limits; false says that the whole is still too
// large.
func convert(src source, r *rules, limits limits, hidden []string) (Shown, bool) {
	l := &lowering{rules: r, limits: limits}
	s := l.root(src.node(limits.nodes, hidden))
	if l.full() {
		return s, false
	}
	if r.strict && !s.Strict {
		return convert(src, r.otherwise.rules(), limits, hidden)
	}
	if src.cut {
		s.Notes = append(s.Notes, noteCut)
	}
	if !src.ok {
		s.Notes = append(s.Notes, noteUnreadable)
	}
	return s, marshalled(s.Parameters) <= maxShownBytes && cost(s.Parameters) <= maxNodes
}

// source is a tool's schema, parsed.
type source struct {
	value any  // nil for one that says nothing
	cut   bool // parts were beyond the bounds of parse
	ok    bool // it is a schema; otherwise value is nil
}

func readSource(raw json.RawMessage) source {
	if len(bytes.TrimSpace(raw)) == 0 {
		return source{ok: true}
	}
	v, cut, err := parse(raw)
	if err != nil {
		return source{}
	}
	switch v.(type) {
	case nil, bool, *object:
		return source{value: v, cut: cut, ok: true}
	}
	return source{cut: cut}
}

// node gives the normal form, of about so many nodes at most and without the
// hidden fields. It is fresh each time.
func (s source) node(nodes int, hidden []string) *node {
	if s.value == nil {
		return &node{kinds: kindObject, finished: true}
	}
	n := readRoot(hide(s.value, hidden), s.value, nodes)
	n.props = slices.DeleteFunc(n.props, func(p prop) bool { return slices.Contains(hidden, p.name) })
	n.required = slices.DeleteFunc(n.required, func(name string) bool { return slices.Contains(hidden, name) })
	return n
}
