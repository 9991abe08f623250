package args

// filler fills in defaults.
type filler struct {
	doc   *document
	steps int
}

// fill gives the properties of an object that are not there the default their
// schema names, also in objects that are there. Alternatives are left alone,
// and so is a default of null, which says that there is none. It reports
// whether anything was filled in.
func (f *filler) fill(v, s *value, hops int) bool {
	if f.steps++; v.kind != object || s == nil || hops > maxHops || f.steps > maxSteps {
		return false
	}
	filled := false
	if refs := f.doc.refs(s); len(refs) > 0 {
		for _, target := range refs {
			filled = f.fill(v, target, hops+1) || filled
		}
		if f.doc.refsAlone {
			return filled
		}
	}
	if properties := s.get("properties"); properties != nil {
		for i := range properties.kids {
			filled = f.property(v, &properties.kids[i], hops) || filled
		}
	}
	for _, part := range parts(s, "allOf") {
		filled = f.fill(v, part, hops+1) || filled
	}
	return filled
}

// property fills in one property of v, or what is missing inside of it.
func (f *filler) property(v, property *value, hops int) bool {
	if given := v.get(property.name); given != nil {
		if !f.fill(given, property, hops+1) {
			return false
		}
		v.edited = true
		return true
	}
	byDefault := property.get("default")
	if byDefault == nil || byDefault.kind == null {
		return false
	}
	v.add(property.name, byDefault.clone())
	return true
}
