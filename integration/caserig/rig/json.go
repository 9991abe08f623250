package rig

import (
	"encoding/json"
	"strconv"
	"strings"
)

// Any is a schema that allows any object.
const Any = `{"type":"object","properties":{}}`

// J makes Raw from text.
func J(s string) Raw { return Raw(s) }

// T makes a tool definition from a name and an input schema.
func T(name, schema string) Raw {
	return Raw(`{"name":` + strconv.Quote(name) + `,"description":"about ` + name + `","inputSchema":` + schema + `}`)
}

// SameJSON compares JSON texts, numbers by their digits, in any order of keys.
func SameJSON(a, b string) bool {
	x, ok := canonical(a)
	y, ok2 := canonical(b)
	return ok && ok2 && x == y
}

func canonical(s string) (string, bool) {
	d := json.NewDecoder(strings.NewReader(s))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return "", false
	}
	b, err := json.Marshal(v)
	return string(b), err == nil
}

// Prop follows keys into a JSON value, nil when one is missing.
func Prop(v any, path ...string) any {
	for _, p := range path {
		m, ok := v.(M)
		if !ok {
			return nil
		}
		v = m[p]
	}
	return v
}

// Short cuts text for a table.
func Short(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 160 {
		return string(r[:110]) + "…" + string(r[len(r)-45:])
	}
	return s
}
