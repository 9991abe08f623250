package schema

import (
	"bytes"
	"encoding/json"
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
func Parameters(raw json.RawMessage, p Profile) Shown {
	rules := p.rules()
	if rules.verbatim {
		return verbatim(raw)
	}
	src := readSource(raw)
	for _, limits := range allLimits {
		s := convert(src, rules, limits)
		if marshalled(s.Parameters) <= maxShownBytes {
			return s
		}
	}
	s := convert(source{ok: true}, rules, allLimits[0]) // not reached by any known schema
	s.Notes = []string{noteCut}
	return s
}

// convert shows a schema within limits, which the result may still exceed in
// total.
func convert(src source, r *rules, limits limits) Shown {
	l := &lowering{rules: r, limits: limits}
	s := l.root(src.node(limits.nodes))
	if r.strict && !s.Strict {
		return convert(src, r.otherwise.rules(), limits)
	}
	if src.cut {
		s.Notes = append(s.Notes, noteCut)
	}
	if !src.ok {
		s.Notes = append(s.Notes, noteUnreadable)
	}
	return s
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

// node gives the normal form, of about so many nodes at most. It is fresh each
// time.
func (s source) node(nodes int) *node {
	if s.value == nil {
		return &node{kinds: kindObject, finished: true}
	}
	return readRoot(s.value, nodes)
}
