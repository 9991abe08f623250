package args

import (
	"errors"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// The validator visits a value once for every schema that applies to it, on
// every way that leads there. Where schemas refer to others twice, or to
// themselves within an anyOf, the ways multiply, and a small schema takes
// longer than anybody waits. So the visits are counted before they are made.

// maxVisits bounds how many visits are made in one check.
const maxVisits = 200_000

var errEndless = errors.New("the schema refers to itself without end")

// newChecker weighs a compiled schema.
func newChecker(schema *jsonschema.Schema) (*checker, error) {
	w := weigher{below: map[*jsonschema.Schema]int{}}
	if w.endless(schema) {
		return nil, errEndless
	}
	c := &checker{schema: schema}
	if n := w.tree(schema); n < maxVisits {
		c.weight = n
	}
	c.index = sync.OnceValue(func() map[string]*jsonschema.Schema {
		parts := map[*jsonschema.Schema]bool{}
		reach(schema, parts)
		index := make(map[string]*jsonschema.Schema, len(parts))
		for part := range parts {
			index[part.Location] = part
		}
		return index
	})
	return c, nil
}

// affords reports whether the check of v stays within the bounds.
func (c *checker) affords(v *value) bool {
	if !countable(v) {
		return false
	}
	if c.weight > 0 && c.weight*count(v) <= maxVisits {
		return true
	}
	m := meter{flat: map[*jsonschema.Schema]int{}, seen: map[visit]int{}}
	return m.visits(c.schema, v) <= maxVisits
}

// count returns how many values v is made of; long strings count for more.
func count(v *value) int {
	n := 1
	if v.kind == text {
		n += len(v.raw) / 1000
	}
	for i := range v.kids {
		n += count(&v.kids[i])
	}
	return n
}

// beside returns the schemas that apply to the same value as s.
func beside(s *jsonschema.Schema) []*jsonschema.Schema {
	out := append(append(append([]*jsonschema.Schema{s.Ref, s.RecursiveRef, s.Not, s.If, s.Then, s.Else}, s.AllOf...), s.AnyOf...), s.OneOf...)
	if s.DynamicRef != nil {
		out = append(out, s.DynamicRef.Ref)
	}
	for _, part := range s.DependentSchemas {
		out = append(out, part)
	}
	for _, part := range s.Dependencies {
		if part, ok := part.(*jsonschema.Schema); ok {
			out = append(out, part)
		}
	}
	return present(out)
}

// under returns the schemas that apply to what a value holds.
func under(s *jsonschema.Schema) []*jsonschema.Schema {
	out := []*jsonschema.Schema{s.PropertyNames, s.UnevaluatedProperties, s.UnevaluatedItems, s.Contains, s.Items2020}
	for _, part := range s.Properties {
		out = append(out, part)
	}
	return present(append(append(out, patterned(s)...), listItems(s)...))
}

// patterned returns the schemas for properties that are not named.
func patterned(s *jsonschema.Schema) []*jsonschema.Schema {
	var out []*jsonschema.Schema
	for _, part := range s.PatternProperties {
		out = append(out, part)
	}
	if part, ok := s.AdditionalProperties.(*jsonschema.Schema); ok {
		out = append(out, part)
	}
	return out
}

// listItems returns the schemas for items of an array, by any draft.
func listItems(s *jsonschema.Schema) []*jsonschema.Schema {
	out := append([]*jsonschema.Schema(nil), s.PrefixItems...)
	switch items := s.Items.(type) {
	case *jsonschema.Schema:
		out = append(out, items)
	case []*jsonschema.Schema:
		out = append(out, items...)
	}
	if part, ok := s.AdditionalItems.(*jsonschema.Schema); ok {
		out = append(out, part)
	}
	return out
}

func present(list []*jsonschema.Schema) []*jsonschema.Schema {
	kept := list[:0]
	for _, s := range list {
		if s != nil {
			kept = append(kept, s)
		}
	}
	return kept
}

// own is the weight of one visit of s without the schemas it leads to.
func own(s *jsonschema.Schema) int {
	n := 1 + len(s.Required)/10 + len(s.PatternProperties)
	if s.Enum != nil {
		n += len(s.Enum.Values) / 4
	}
	return n
}

// weigher looks at a schema alone.
type weigher struct {
	below map[*jsonschema.Schema]int // known weights; -1 while being weighed
}

// tree returns how many schemas there are when every reference is followed,
// maxVisits if there is no end.
func (w *weigher) tree(s *jsonschema.Schema) int {
	if n, ok := w.below[s]; ok {
		if n < 0 {
			return maxVisits
		}
		return n
	}
	w.below[s] = -1
	n := own(s)
	for _, part := range append(beside(s), under(s)...) {
		if n += w.tree(part); n >= maxVisits {
			n = maxVisits
			break
		}
	}
	if s.RecursiveRef != nil || s.DynamicRef != nil {
		n = maxVisits
	}
	w.below[s] = n
	return n
}

// endless reports whether from s a schema is reached that applies to a value
// because it applies to that value.
func (w *weigher) endless(s *jsonschema.Schema) bool {
	const open, done = 1, 2
	state := map[*jsonschema.Schema]int{}
	var loops func(*jsonschema.Schema) bool
	loops = func(s *jsonschema.Schema) bool {
		state[s] = open
		for _, part := range beside(s) {
			if state[part] == open || state[part] == 0 && loops(part) {
				return true
			}
		}
		state[s] = done
		return false
	}
	all := map[*jsonschema.Schema]bool{}
	reach(s, all)
	for s := range all {
		if state[s] == 0 && loops(s) {
			return true
		}
	}
	return false
}

// reach collects all schemas that s leads to.
func reach(s *jsonschema.Schema, seen map[*jsonschema.Schema]bool) {
	todo := []*jsonschema.Schema{s}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !seen[s] {
			seen[s] = true
			todo = append(append(todo, beside(s)...), under(s)...)
		}
	}
}

// meter counts the visits a check of one value makes.
type meter struct {
	flat map[*jsonschema.Schema]int // visits of a value without parts
	seen map[visit]int
}

type visit struct {
	schema *jsonschema.Schema
	value  *value
}

// maxSeen bounds the counting itself.
const maxSeen = 100_000

func (m *meter) visits(s *jsonschema.Schema, v *value) int {
	if len(v.kids) == 0 {
		return m.alone(s) + len(v.raw)/1000
	}
	if s.Types != nil && !matches(s, v) {
		return 1
	}
	at := visit{s, v}
	if n, ok := m.seen[at]; ok {
		return n
	}
	if len(m.seen) > maxSeen {
		return maxVisits + 1
	}
	m.seen[at] = maxVisits + 1 // never read before it is known: endless was checked
	n := own(s)
	for _, part := range beside(s) {
		if n += m.visits(part, v); n > maxVisits {
			return n
		}
	}
	for i := range v.kids {
		for _, part := range parting(s, v, i) {
			if n += m.visits(part, &v.kids[i]); n > maxVisits {
				return n
			}
		}
	}
	m.seen[at] = n
	return n
}

// alone counts the visits of a value that has no parts.
func (m *meter) alone(s *jsonschema.Schema) int {
	if n, ok := m.flat[s]; ok {
		return n
	}
	n := own(s)
	for _, part := range beside(s) {
		if n += m.alone(part); n > maxVisits {
			n = maxVisits + 1
			break
		}
	}
	m.flat[s] = n
	return n
}

// matches reports whether the type of v, which has parts, is one s allows.
func matches(s *jsonschema.Schema, v *value) bool {
	for _, name := range s.Types.ToStrings() {
		if name == v.kind.String() {
			return true
		}
	}
	return false
}

// parting returns the schemas that apply to part i of v because s applies to
// v, or more.
func parting(s *jsonschema.Schema, v *value, i int) []*jsonschema.Schema {
	if v.kind == array {
		return present(append(listItems(s), s.Items2020, s.Contains, s.UnevaluatedItems))
	}
	return present(append(patterned(s), s.Properties[v.kids[i].name], s.UnevaluatedProperties))
}
