package args

import "strings"

// view is what is known of the schemas that apply to one value: all of a list,
// any of a list, or one schema. The zero view allows anything.
type view struct {
	schema *value
	all    []view
	any    []view
	// declared says that the value is a property the schema names.
	declared bool
}

func (w *view) empty() bool { return w.schema == nil && len(w.all) == 0 && len(w.any) == 0 }

// coercer makes values fit a schema where the schema leaves one way to read
// them and nothing is lost. It changes a value only if no schema that applies
// could allow it as it is.
type coercer struct {
	typer
	mender
	bound map[string]value // the owner's, not to be touched
	exact bool             // only bring whole numbers into their plain form
	steps int
	// broken holds JSON texts that cannot be read where only a list or an object
	// is allowed.
	broken troubled
}

// maxSteps bounds the schemas looked at in one coercion. Beyond it values stay
// as they are.
const maxSteps = 100_000

// arguments coerces the arguments as a whole.
func (c *coercer) arguments(v *value) {
	c.members(v, view{schema: c.doc.root}, "")
}

// value coerces v where w applies and reports whether it changed.
func (c *coercer) value(v *value, w view, at path) bool {
	if w.empty() {
		return false
	}
	allowed := c.allowed(w)
	changed := allowed&typeOf(v) == 0 && v.kind == text && c.parse(v, allowed, at)
	switch v.kind {
	case number:
		return allowed&numbers == integers && plain(v) || changed
	case object:
		return c.members(v, w, at) || changed
	case array:
		return c.items(v, w, at) || changed
	}
	return changed
}

func (c *coercer) items(v *value, w view, at path) bool {
	for i := range v.kids {
		if c.value(&v.kids[i], c.item(w, v, i), at.item(i)) {
			v.edited = true
		}
	}
	return v.edited
}

// members coerces the members of an object and leaves out null where it stands
// for a property that is not given.
func (c *coercer) members(v *value, w view, at path) bool {
	absent := map[string]bool{}
	for i := range v.kids {
		member := &v.kids[i]
		if _, ok := c.bound[member.name]; ok && at == "" {
			continue
		}
		inside := c.member(w, v, member.name)
		if member.kind == null {
			absent[member.name] = c.absent(w, inside, v, member.name)
		} else if c.value(member, inside, at.member(member.name)) {
			v.edited = true
		}
	}
	if len(absent) > 0 {
		v.drop(func(member *value) bool { return absent[member.name] })
	}
	return v.edited
}

// absent reports whether null for a member of v stands for its absence: the
// schema names it, does not allow null and does not require it.
func (c *coercer) absent(w, inside view, v *value, name string) bool {
	if c.exact || !inside.declared {
		return false
	}
	types := c.allowed(inside)
	return types != 0 && types&nulls == 0 && !c.required(w, v, name)
}

// parse reads a text as the one thing among the allowed types that it can
// mean.
func (c *coercer) parse(v *value, allowed typeSet, at path) bool {
	if c.exact || lossy(v) {
		return false
	}
	t := trim(v.str())
	parsed, err := scan(t)
	if err != nil {
		var ok bool
		if parsed, ok = c.evaluate(t); !ok {
			c.unreadable(t, allowed, at, err)
			return false
		}
	}
	if parsed.kind == text || allowed&typeOf(&parsed) == 0 || parsed.kind == null && t != "null" {
		return false
	}
	parsed.name, parsed.key = v.name, v.key
	*v = parsed
	return true
}

// unreadable notes a text that was meant to be a list or an object.
func (c *coercer) unreadable(t string, allowed typeSet, at path, err error) {
	meant := strings.HasPrefix(t, "[") && allowed&arrays != 0 || strings.HasPrefix(t, "{") && allowed&objects != 0
	if meant {
		c.broken = append(c.broken, at.fault("expected %s, got a text that is broken JSON (%v): %s", allowed, err, tail(t)))
	}
}

// plain writes a whole number without fraction and exponent: 5.0 becomes 5.
// Servers read the two into integers with unequal luck.
func plain(v *value) bool {
	const most = 40
	if plainInteger(v.raw) || cost(v.raw) > most || !whole(v.raw) {
		return false
	}
	v.raw = digits(v.raw)
	return true
}

// step counts a schema looked at and reports whether that was too many.
func (c *coercer) step(hops int) bool {
	c.steps++
	return c.steps > maxSteps || hops > maxHops
}

// allowed returns the types a view allows, possibly too many.
func (c *coercer) allowed(w view) typeSet {
	if c.step(0) {
		return anything
	}
	allowed := anything
	if w.schema != nil {
		allowed = c.types(w.schema)
	}
	for _, one := range w.all {
		allowed &= c.allowed(one)
	}
	if len(w.any) > 0 {
		var either typeSet
		for _, one := range w.any {
			either |= c.allowed(one)
		}
		allowed &= either
	}
	return allowed
}

// member returns the view of a member of v, to which w applies.
func (c *coercer) member(w view, v *value, name string) view {
	return c.inside(w, v, 0, func(s *value) (view, bool) {
		if part := s.get("properties").get(name); part != nil {
			return view{schema: part, declared: true}, true
		}
		if patterns := s.get("patternProperties"); patterns != nil && len(patterns.kids) > 0 {
			return view{}, false // whether one matches is left to the validator
		}
		part := s.get("additionalProperties")
		return view{schema: part}, part != nil
	})
}

// item returns the view of item i of v, to which w applies.
func (c *coercer) item(w view, v *value, i int) view {
	return c.inside(w, v, 0, func(s *value) (view, bool) {
		items := s.get("items")
		head := s.get("prefixItems")
		if items != nil && items.kind == array {
			head, items = items, s.get("additionalItems")
		}
		if head != nil && i < len(head.kids) {
			items = &head.kids[i]
		}
		return view{schema: items}, items != nil
	})
}

// inside collects the views of a part of v from all schemas of w; pick takes
// the part's schema out of one schema.
func (c *coercer) inside(w view, v *value, hops int, pick func(*value) (view, bool)) view {
	if c.step(hops) {
		return view{}
	}
	var out view
	add := func(one view) {
		out.declared = out.declared || one.declared
		if !one.empty() {
			out.all = append(out.all, one)
		}
	}
	if w.schema != nil {
		add(c.insideSchema(w.schema, v, hops, pick))
	}
	for _, one := range w.all {
		add(c.inside(one, v, hops+1, pick))
	}
	add(c.either(w.any, v, hops, pick))
	if len(out.all) == 1 {
		declared := out.declared
		out = out.all[0]
		out.declared = declared
	}
	return out
}

// either joins the views from the alternatives that v may be meant for. If one
// of them allows anything for the part, all do.
func (c *coercer) either(alternatives []view, v *value, hops int, pick func(*value) (view, bool)) view {
	var out view
	for _, one := range alternatives {
		if c.allowed(one)&typeOf(v) == 0 {
			continue
		}
		inside := c.inside(one, v, hops+1, pick)
		out.declared = out.declared || inside.declared
		if inside.empty() {
			return view{declared: out.declared}
		}
		out.any = append(out.any, inside)
	}
	return out
}

// insideSchema collects the views of a part of v from one schema and what it
// refers to and combines.
func (c *coercer) insideSchema(s, v *value, hops int, pick func(*value) (view, bool)) view {
	if s.kind != object || c.step(hops) {
		return view{}
	}
	var w view
	if ref := s.get("$ref"); ref != nil {
		target := c.doc.resolve(ref.str())
		if target == nil {
			return view{}
		}
		w.all = append(w.all, c.insideSchema(target, v, hops+1, pick))
		if c.doc.refsAlone {
			return w.all[0]
		}
	}
	if part, ok := pick(s); ok {
		w.all = append(w.all, part)
	}
	for _, part := range parts(s, "allOf") {
		w.all = append(w.all, c.insideSchema(part, v, hops+1, pick))
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		var any []view
		for _, part := range c.plausible(parts(s, keyword), v) {
			any = append(any, view{schema: part})
		}
		w.all = append(w.all, c.either(any, v, hops+1, pick))
	}
	return join(w.all)
}

// join makes one view of those that all apply.
func join(all []view) view {
	var out view
	for _, one := range all {
		out.declared = out.declared || one.declared
		if !one.empty() {
			out.all = append(out.all, one)
		}
	}
	return out
}

// plausible returns the alternatives v may be meant for: those that allow its
// kind and whose fixed values v does not contradict; all, if none is left.
func (c *coercer) plausible(alternatives []*value, v *value) []*value {
	var kept []*value
	for _, s := range alternatives {
		if c.types(s)&typeOf(v) != 0 && !c.contradicts(s, v) {
			kept = append(kept, s)
		}
	}
	if len(kept) == 0 {
		return alternatives
	}
	return kept
}

// contradicts reports whether a property of v has another value than the fixed
// one s wants, which is how alternatives are told apart.
func (c *coercer) contradicts(s, v *value) bool {
	for hops := 0; s != nil && s.get("$ref") != nil && hops < maxHops; hops++ {
		s = c.doc.resolve(s.get("$ref").str())
	}
	properties := s.get("properties")
	if properties == nil || v.kind != object || c.step(0) {
		return false
	}
	for i := range properties.kids {
		property := &properties.kids[i]
		given := v.get(property.name)
		if given == nil || given.kind != text {
			continue
		}
		if fixed := property.get("const"); fixed != nil && !equal(fixed, given) {
			return true
		}
		if list := property.get("enum"); list != nil && len(list.kids) == 1 && !equal(&list.kids[0], given) {
			return true
		}
	}
	return false
}

// required reports whether w demands that v has a member of this name.
func (c *coercer) required(w view, v *value, name string) bool {
	if c.step(0) {
		return true
	}
	if w.schema != nil && c.requiredBy(w.schema, v, name, 0) {
		return true
	}
	for _, one := range w.all {
		if c.required(one, v, name) {
			return true
		}
	}
	for _, one := range w.any {
		if !c.required(one, v, name) {
			return false
		}
	}
	return len(w.any) > 0
}

func (c *coercer) requiredBy(s, v *value, name string, hops int) bool {
	if s == nil || c.step(hops) {
		return false
	}
	if ref := s.get("$ref"); ref != nil && c.requiredBy(c.doc.resolve(ref.str()), v, name, hops+1) {
		return true
	}
	if list := s.get("required"); list != nil {
		for i := range list.kids {
			if list.kids[i].str() == name {
				return true
			}
		}
	}
	for _, part := range parts(s, "allOf") {
		if c.requiredBy(part, v, name, hops+1) {
			return true
		}
	}
	return false
}
