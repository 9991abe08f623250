package args

import "slices"

// This file finds out which schemas apply on a condition.

// conditional returns the views of a part of v from the schemas of s that apply
// only if v is of a certain form. Where that is in doubt either may.
func (c *coercer) conditional(s, v *value, hops int, pick func(*value) (view, bool)) []view {
	var all []view
	for _, keyword := range []string{"dependentSchemas", "dependencies"} {
		named := s.get(keyword)
		if named == nil || named.kind != object {
			continue
		}
		for i := range named.kids {
			if v.get(named.kids[i].name) != nil {
				all = append(all, c.insideSchema(&named.kids[i], v, hops+1, pick))
			}
		}
	}
	if condition := s.get("if"); condition != nil {
		all = append(all, c.branch(condition, s, v, hops, pick))
	}
	return all
}

// branch returns the view from then or else, or from both where it cannot be
// told whether the condition holds.
func (c *coercer) branch(condition, s, v *value, hops int, pick func(*value) (view, bool)) view {
	always := &value{kind: boolean, raw: "true"}
	then, otherwise := s.get("then"), s.get("else")
	if then == nil {
		then = always
	}
	if otherwise == nil {
		otherwise = always
	}
	switch c.holds(condition, v, 0) {
	case yes:
		return join([]view{c.insideSchema(condition, v, hops+1, pick), c.insideSchema(then, v, hops+1, pick)})
	case no:
		return c.insideSchema(otherwise, v, hops+1, pick)
	}
	return c.either(views([]*value{then, otherwise}), v, hops+1, pick)
}

// verdict is the answer to a question that may have none.
type verdict int

const (
	unsure verdict = iota
	yes
	no
)

// judged are the keywords that holds understands; those of remarks say nothing
// about a value.
var judged = []string{"type", "const", "enum", "required", "properties", "allOf", "default"}

// holds reports whether v is valid under s, as far as a few keywords tell: those
// conditions are written with.
func (c *coercer) holds(s, v *value, hops int) verdict {
	switch {
	case c.step(hops):
		return unsure
	case s.kind == boolean && s.raw == "true":
		return yes
	case s.kind == boolean:
		return no
	case s.kind != object:
		return unsure
	}
	sum := yes
	for i := range s.kids {
		keyword := &s.kids[i]
		_, remark := remarks[keyword.name]
		switch one := c.keyword(keyword, v, hops); {
		case remark:
		case !slices.Contains(judged, keyword.name):
			sum = unsure // though another keyword may still say no
		case one == no:
			return no
		case one == unsure:
			sum = unsure
		}
	}
	return sum
}

// keyword judges v by one keyword.
func (c *coercer) keyword(keyword, v *value, hops int) verdict {
	switch keyword.name {
	case "default":
		return yes
	case "type":
		return c.told(v, func(v *value) bool { return named(keyword)&typeOf(v) != 0 })
	case "const":
		return c.told(v, func(v *value) bool { return equal(keyword, v) })
	case "enum":
		return c.told(v, func(v *value) bool {
			return slices.ContainsFunc(keyword.kids, func(one value) bool { return equal(&one, v) })
		})
	case "required":
		return verdictOf(v.kind != object || !slices.ContainsFunc(keyword.kids, func(name value) bool { return v.get(name.str()) == nil }))
	}
	sum := yes
	for i := range keyword.kids {
		part, of := &keyword.kids[i], v
		if keyword.name == "properties" {
			if of = v.get(part.name); of == nil {
				continue
			}
		}
		switch c.holds(part, of, hops+1) {
		case no:
			return no
		case unsure:
			sum = unsure
		}
	}
	return sum
}

// told judges a value as it is, but not one that may yet be made to fit, nor
// a number, which can be written in many ways.
func (c *coercer) told(v *value, fits func(*value) bool) verdict {
	if fits(v) {
		return yes
	}
	if v.kind == number {
		return unsure
	}
	if v.kind == text {
		if parsed, ok := c.evaluate(trim(v.str())); ok && fits(&parsed) {
			return unsure
		}
	}
	return no
}

func verdictOf(b bool) verdict {
	if b {
		return yes
	}
	return no
}
