package args

// view is what is known of the schemas that apply to one value: all of a list,
// any of a list, or one schema. The zero view allows anything.
type view struct {
	schema *value
	all    []view
	any    []view
	// declared says that the value is a property the schema names.
	declared bool
	// reached says that a schema applies to the value, if only one that allows
	// anything.
	reached bool
}

func (w *view) empty() bool { return w.schema == nil && len(w.all) == 0 && len(w.any) == 0 }

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
		var named []view
		if part := s.get("properties").get(name); part != nil {
			named = append(named, view{schema: part, declared: true, reached: true})
		}
		named = append(named, c.patterned(s, name)...)
		if len(named) > 0 {
			return join(named), true
		}
		part := s.get("additionalProperties")
		return view{schema: part, reached: true}, part != nil
	})
}

// patterned returns the views of a member from the patterns its name matches.
// One that cannot be matched may be one of them.
func (c *coercer) patterned(s *value, name string) []view {
	patterns := s.get("patternProperties")
	if patterns == nil || patterns.kind != object {
		return nil
	}
	var all []view
	for i := range patterns.kids {
		part := &patterns.kids[i]
		switch p := c.doc.patterns.compiled[part.name]; {
		case p == nil || p.re == nil:
			all = append(all, view{reached: true})
		case p.MatchString(name):
			all = append(all, view{schema: part, reached: true})
		}
	}
	return all
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
		return view{schema: items, reached: true}, items != nil
	})
}

// inside collects the views of a part of v from all schemas of w; pick takes
// the part's schema out of one schema.
func (c *coercer) inside(w view, v *value, hops int, pick func(*value) (view, bool)) view {
	if c.step(hops) {
		return view{}
	}
	if w.schema != nil && len(w.all)+len(w.any) == 0 {
		return c.insideSchema(w.schema, v, hops, pick)
	}
	var all []view
	if w.schema != nil {
		all = append(all, c.insideSchema(w.schema, v, hops, pick))
	}
	for _, one := range w.all {
		all = append(all, c.inside(one, v, hops+1, pick))
	}
	return join(append(all, c.either(w.any, v, hops, pick)))
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
		out.reached = true
		if inside.empty() {
			return view{declared: out.declared, reached: true}
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
	var all []view
	if refs := c.doc.refs(s); len(refs) > 0 {
		for _, target := range refs {
			if target == nil {
				return view{reached: true} // it may say anything
			}
			all = append(all, c.insideSchema(target, v, hops+1, pick))
		}
		if c.doc.refsAlone {
			return join(all)
		}
	}
	if part, ok := pick(s); ok {
		all = append(all, part)
	}
	for _, part := range parts(s, "allOf") {
		all = append(all, c.insideSchema(part, v, hops+1, pick))
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if alternatives := parts(s, keyword); len(alternatives) > 0 {
			all = append(all, c.either(views(c.plausible(alternatives, v)), v, hops+1, pick))
		}
	}
	all = append(all, c.conditional(s, v, hops, pick)...)
	w := join(all)
	if !w.reached {
		w.schema = s.get(unevaluated(v))
	}
	return w
}

// unevaluated is the keyword for what no other one applies to.
func unevaluated(v *value) string {
	if v.kind == array {
		return "unevaluatedItems"
	}
	return "unevaluatedProperties"
}

func views(schemas []*value) []view {
	out := make([]view, len(schemas))
	for i, s := range schemas {
		out[i].schema = s
	}
	return out
}

// join makes one view of those that all apply.
func join(all []view) view {
	if len(all) == 1 {
		return all[0]
	}
	var out view
	for _, one := range all {
		out.declared = out.declared || one.declared
		out.reached = out.reached || one.reached
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
		fixed := property.get("const")
		if list := property.get("enum"); list != nil && len(list.kids) == 1 {
			fixed = &list.kids[0]
		}
		if fixed != nil && fixed.kind == text && !equal(fixed, given) {
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
	for _, target := range c.doc.refs(s) {
		if c.requiredBy(target, v, name, hops+1) {
			return true
		}
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
