package args

import "strings"

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
const maxSteps = 1_000_000

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
