package schema

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// hide returns a schema for the argument object without the hidden fields: the
// owner sets them, so nothing is left to say of them, wherever the schemas that
// apply to the object as a whole do. Fields of the same name further down stay.
// The schema itself is not changed.
func hide(root any, hidden []string) any {
	o, ok := root.(*object)
	if !ok || len(hidden) == 0 {
		return root
	}
	h := hider{refs: resolver{root: root}, hidden: hidden, left: maxNodes}
	if shown, changed := h.schema(o); changed {
		return h.withoutLeftovers(shown)
	}
	return root
}

// hider works on one schema.
type hider struct {
	refs   resolver
	hidden []string
	path   []*object // the schemas being worked on
	left   int       // schemas that may still be worked on
}

// schema returns o without the hidden fields, and whether there were any.
func (h *hider) schema(o *object) (*object, bool) {
	if h.left--; h.left < 0 || len(h.path) > maxNesting || slices.Contains(h.path, o) {
		return o, false
	}
	h.path = append(h.path, o)
	defer func() { h.path = h.path[:len(h.path)-1] }()
	shown, changed := newObject(), false
	for _, key := range o.keys {
		v, other := h.keyword(key, o.values[key])
		if changed = changed || other; v != gone {
			shown.set(key, v)
		}
	}
	changed = h.condition(o, shown) || changed
	changed = h.reference(o, shown) || changed
	if !changed {
		return o, false
	}
	return shown, true
}

// removed stands for a keyword that is left out.
type removed struct{}

var gone any = removed{}

// keyword returns what is left of a keyword, and whether that is something
// else.
func (h *hider) keyword(key string, v any) (any, bool) {
	switch key {
	case "properties":
		return h.members(v, func(field any) (any, bool) { return field, false })
	case "required", "propertyOrdering":
		return h.names(v)
	case "dependentRequired", "dependentSchemas", "dependencies":
		return h.members(v, h.dependency)
	case "default":
		return h.members(v, func(field any) (any, bool) { return field, false })
	case "examples":
		return h.each(v, func(example any) (any, bool) {
			return h.members(example, func(field any) (any, bool) { return field, false })
		})
	case "allOf":
		return h.each(v, h.part)
	case "anyOf", "oneOf":
		return h.union(v)
	case "not":
		if _, mentioned := h.part(v); mentioned {
			return gone, true
		}
	case "minProperties", "maxProperties":
		return h.count(v)
	case "propertyNames":
		return h.allowed(v)
	}
	return v, false
}

// allowed leaves the hidden names out of those that are listed as allowed.
func (h *hider) allowed(v any) (any, bool) {
	o, ok := v.(*object)
	if !ok {
		return v, false
	}
	names, changed := h.names(o.values["enum"])
	if !changed {
		return v, false
	}
	shown := o.clone()
	shown.set("enum", names)
	return shown, true
}

// part hides in a schema within the schema.
func (h *hider) part(v any) (any, bool) {
	if o, ok := v.(*object); ok {
		return h.schema(o)
	}
	return v, false
}

// members leaves the hidden names out of an object and treats what is below
// the others.
func (h *hider) members(v any, below func(any) (any, bool)) (any, bool) {
	o, ok := v.(*object)
	if !ok {
		return v, false
	}
	shown, changed := newObject(), false
	for _, key := range o.keys {
		if slices.Contains(h.hidden, key) {
			changed = true
			continue
		}
		field, other := below(o.values[key])
		if changed = changed || other; field != gone {
			shown.set(key, field)
		}
	}
	if !changed {
		return v, false
	}
	return shown, true
}

// each treats the items of a list.
func (h *hider) each(v any, below func(any) (any, bool)) (any, bool) {
	l, ok := v.(*list)
	if !ok {
		return v, false
	}
	shown, changed := &list{items: []any{}, dropped: l.dropped}, false
	for _, item := range l.items {
		item, other := below(item)
		changed = changed || other
		shown.items = append(shown.items, item)
	}
	if !changed {
		return v, false
	}
	return shown, true
}

// names leaves the hidden ones out of a list.
func (h *hider) names(v any) (any, bool) {
	l, ok := v.(*list)
	if !ok {
		return v, false
	}
	shown := &list{items: slices.Clone(l.items), dropped: l.dropped}
	shown.items = slices.DeleteFunc(shown.items, func(item any) bool {
		name, ok := item.(string)
		return ok && slices.Contains(h.hidden, name)
	})
	if len(shown.items) == len(l.items) {
		return v, false
	}
	return shown, true
}

// dependency is what a field demands: names or, as a schema, more.
func (h *hider) dependency(v any) (any, bool) {
	if _, ok := v.(*list); !ok {
		return h.part(v)
	}
	v, changed := h.names(v)
	if changed && len(v.(*list).items) == 0 {
		return gone, true
	}
	return v, changed
}

// union leaves out alternatives of which one says nothing any more: the owner's
// fields decide between them.
func (h *hider) union(v any) (any, bool) {
	v, changed := h.each(v, h.part)
	if changed && slices.ContainsFunc(v.(*list).items, saysNothing) {
		return gone, true
	}
	return v, changed
}

// saysNothing reports whether a schema allows every object.
func saysNothing(v any) bool {
	o, ok := v.(*object)
	if !ok {
		return v == true
	}
	for _, key := range o.keys {
		switch v := o.values[key].(type) {
		case *object:
			if key != "properties" || len(v.keys) > 0 {
				return false
			}
		case *list:
			if key != "required" || len(v.items) > 0 {
				return false
			}
		default:
			if key != "type" && key != "title" && key != "description" {
				return false
			}
		}
	}
	return true
}

// count takes the hidden fields off a number of fields.
func (h *hider) count(v any) (any, bool) {
	digits, ok := v.(json.Number)
	n, err := strconv.Atoi(string(digits))
	if !ok || err != nil || n < len(h.hidden) {
		return v, false
	}
	return json.Number(strconv.Itoa(n - len(h.hidden))), true
}

// condition leaves out if, then and else where they depend on hidden fields.
func (h *hider) condition(o, shown *object) bool {
	if _, mentioned := h.part(o.values["if"]); mentioned {
		for _, key := range []string{"if", "then", "else"} {
			shown.remove(key)
		}
		return true
	}
	changed := false
	for _, key := range []string{"then", "else"} {
		if v, other := h.part(o.values[key]); other {
			shown.set(key, v)
			changed = true
		}
	}
	return changed
}

// reference puts a schema that is referred to, and names hidden fields, in
// place of the reference: others may refer to it too.
func (h *hider) reference(o, shown *object) bool {
	ref, ok := o.values["$ref"].(string)
	if !ok {
		return false
	}
	target, found := h.refs.find(ref)
	if !found {
		return false
	}
	v, mentioned := h.part(target)
	if !mentioned {
		return false
	}
	shown.remove("$ref")
	part := v.(*object)
	if slices.ContainsFunc(part.keys, func(key string) bool { _, own := shown.values[key]; return own && !isAnnotation(key) }) {
		parts, _ := shown.values["allOf"].(*list)
		all := &list{items: []any{part}}
		if parts != nil {
			all.items, all.dropped = append(all.items, parts.items...), parts.dropped
		}
		shown.set("allOf", all)
		return true
	}
	for _, key := range part.keys {
		if _, own := shown.values[key]; !own {
			shown.set(key, part.values[key])
		}
	}
	return true
}

func isAnnotation(key string) bool {
	return slices.Contains([]string{"title", "description", "$schema", "$id", "$comment", "type"}, key)
}

// maxLeftovers bounds how many definitions are looked at.
const maxLeftovers = 100

// withoutLeftovers leaves out definitions that nothing refers to any more,
// since what was hidden may stand there.
func (h *hider) withoutLeftovers(root *object) *object {
	shown := root.clone()
	for _, key := range []string{"$defs", "definitions"} {
		all, ok := shown.values[key].(*object)
		if !ok {
			continue
		}
		rest := shown.clone()
		rest.remove(key)
		all = all.clone()
		for left := len(all.keys) + 1; len(all.keys) < left; { // one may have been referred to by another
			left = len(all.keys)
			for _, name := range slices.Clone(all.keys[:min(left, maxLeftovers)]) {
				if h.mentions(all.values[name]) && !referred(rest, all, key, name) {
					all.remove(name)
				}
			}
		}
		shown.set(key, all)
	}
	return shown
}

// mentions reports whether a definition has a hidden field.
func (h *hider) mentions(definition any) bool {
	_, mentioned := h.part(definition)
	return mentioned
}

// referred reports whether something refers to a definition, or into it.
func referred(rest, all *object, key, name string) bool {
	pointer := "#/" + key + "/" + strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
	if refersTo(rest, pointer) {
		return true
	}
	for _, other := range all.keys {
		if other != name && refersTo(all.values[other], pointer) {
			return true
		}
	}
	return false
}

// refersTo reports whether a reference to a place, or to below it, is in v.
func refersTo(v any, pointer string) bool {
	switch x := v.(type) {
	case *object:
		for _, key := range []string{"$ref", "$dynamicRef", "$recursiveRef"} {
			if ref, ok := x.values[key].(string); ok && (ref == pointer || strings.HasPrefix(ref, pointer+"/") || !strings.HasPrefix(ref, "#/")) {
				return true // a reference by a name may mean any
			}
		}
		return slices.ContainsFunc(x.keys, func(key string) bool { return refersTo(x.values[key], pointer) })
	case *list:
		return slices.ContainsFunc(x.items, func(item any) bool { return refersTo(item, pointer) })
	}
	return false
}
