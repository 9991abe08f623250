package args

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// kind is the kind of a JSON value.
type kind uint8

const (
	null kind = iota
	boolean
	number
	text
	array
	object
)

// String names the kind as JSON Schema does.
func (k kind) String() string {
	return [...]string{"null", "boolean", "number", "string", "array", "object"}[k]
}

// value is a JSON value together with its bytes. A value that was read keeps
// them in raw and is written back from there; one that was changed is marked
// edited and is written from its parts.
type value struct {
	kind   kind
	edited bool
	name   string // the decoded member name, if the value is a member
	key    string // the name as written, quotes included
	raw    string
	kids   []value        // the items of an array, the members of an object
	index  map[string]int // where large objects have their members; nil for others
}

// maxLinear is up to how many members an object is searched through.
const maxLinear = 16

// str decodes a string value.
func (v *value) str() string {
	if v.kind != text {
		return ""
	}
	return unquote(v.raw)
}

// get finds a member of an object, nil if there is none.
func (v *value) get(name string) *value {
	if v == nil || v.kind != object {
		return nil
	}
	if v.index != nil {
		if i, ok := v.index[name]; ok {
			return &v.kids[i]
		}
		return nil
	}
	for i := range v.kids {
		if v.kids[i].name == name {
			return &v.kids[i]
		}
	}
	return nil
}

// add gives an object a member it does not have.
func (v *value) add(name string, member value) {
	member.name, member.key = name, quote(name)
	v.kids = append(v.kids, member)
	v.index, v.edited = nil, true
}

// clone returns a copy that shares nothing that can be changed.
func (v *value) clone() value {
	out := *v
	if len(v.kids) > 0 {
		out.kids = make([]value, len(v.kids))
		for i := range v.kids {
			out.kids[i] = v.kids[i].clone()
		}
	}
	return out
}

// drop removes the members for which gone answers true.
func (v *value) drop(gone func(*value) bool) {
	kept := v.kids[:0:0]
	for i := range v.kids {
		if !gone(&v.kids[i]) {
			kept = append(kept, v.kids[i])
		}
	}
	if len(kept) != len(v.kids) {
		v.kids, v.index, v.edited = kept, nil, true
	}
}

// write appends the value's JSON text.
func (v *value) write(b *strings.Builder) {
	switch {
	case !v.edited:
		b.WriteString(v.raw)
	case v.kind == array:
		b.WriteByte('[')
		for i := range v.kids {
			if i > 0 {
				b.WriteByte(',')
			}
			v.kids[i].write(b)
		}
		b.WriteByte(']')
	default:
		b.WriteByte('{')
		for i := range v.kids {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(v.kids[i].key)
			b.WriteByte(':')
			v.kids[i].write(b)
		}
		b.WriteByte('}')
	}
}

// json returns the value's JSON text.
func (v *value) json() string {
	if !v.edited {
		return v.raw
	}
	var b strings.Builder
	v.write(&b)
	return b.String()
}

// plain converts the value to what encoding/json would decode it to, with
// numbers as json.Number.
func (v *value) plain() any {
	switch v.kind {
	case boolean:
		return v.raw == "true"
	case number:
		return json.Number(v.raw)
	case text:
		return v.str()
	case array:
		out := make([]any, len(v.kids))
		for i := range v.kids {
			out[i] = v.kids[i].plain()
		}
		return out
	case object:
		out := make(map[string]any, len(v.kids))
		for i := range v.kids {
			out[v.kids[i].name] = v.kids[i].plain()
		}
		return out
	}
	return nil
}

// equal reports whether a and b say the same: members in any order, strings
// however escaped, numbers digit by digit.
func equal(a, b *value) bool {
	if a.kind != b.kind || len(a.kids) != len(b.kids) {
		return false
	}
	switch a.kind {
	case text:
		return a.str() == b.str()
	case array:
		for i := range a.kids {
			if !equal(&a.kids[i], &b.kids[i]) {
				return false
			}
		}
		return true
	case object:
		return sameMembers(a.kids, b.kids)
	}
	return a.raw == b.raw
}

func sameMembers(a, b []value) bool {
	index := make(map[string]*value, len(b))
	for i := range b {
		index[b[i].name] = &b[i]
	}
	for i := range a {
		other, ok := index[a[i].name]
		if !ok || !equal(&a[i], other) {
			return false
		}
	}
	return true
}

// newObject returns an object without members.
func newObject() value { return value{kind: object, edited: true} }

// newText returns a string value.
func newText(s string) value { return value{kind: text, raw: quote(s)} }

// quote writes s as a JSON string that is valid UTF-8. Nothing is escaped but
// what JSON demands: what a model wrote is not HTML.
func quote(s string) string {
	const hex = "0123456789abcdef"
	if plainText(s) {
		return `"` + s + `"`
	}
	var b strings.Builder
	b.Grow(len(s) + 8)
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < ' ':
			b.WriteString(`\u00`)
			b.WriteByte(hex[r>>4])
			b.WriteByte(hex[r&15])
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// plainText reports whether s needs no escape in JSON.
func plainText(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] == '"' || s[i] == '\\' {
			return false
		}
	}
	return utf8.ValidString(s)
}

// unquote decodes a valid JSON string.
func unquote(raw string) string {
	inner := raw[1 : len(raw)-1]
	if strings.IndexByte(inner, '\\') < 0 {
		return inner
	}
	var s string
	_ = json.Unmarshal([]byte(raw), &s) // raw passed the scanner
	return s
}

// lossy reports whether decoding the string v loses something: half a
// surrogate pair, which JSON can escape but text cannot hold.
func lossy(v *value) bool {
	const replacement = "\uFFFD"
	if !strings.Contains(v.str(), replacement) {
		return false
	}
	return !strings.Contains(v.raw, replacement) && !strings.Contains(strings.ToLower(v.raw), `\ufffd`)
}
