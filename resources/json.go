package resources

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// kind is the kind of a JSON value, named so that it reads well in a sentence.
type kind string

const (
	null     kind = "null"
	aBoolean kind = "a boolean"
	aNumber  kind = "a number"
	aString  kind = "a string"
	aList    kind = "a list"
	anObject kind = "an object"
)

// kindOf returns the kind of a JSON value that is well formed or missing. A
// missing one is null.
func kindOf(raw json.RawMessage) kind {
	if len(raw) == 0 {
		return null
	}
	switch raw[0] {
	case '{':
		return anObject
	case '[':
		return aList
	case '"':
		return aString
	case 't', 'f':
		return aBoolean
	case 'n':
		return null
	default:
		return aNumber
	}
}

// decoded is the value of well-formed JSON, the zero value where it is not a T.
func decoded[T any](raw json.RawMessage) T {
	var v T
	if json.Unmarshal(raw, &v) != nil {
		var none T
		return none
	}
	return v
}

// encode writes a value as compact JSON. Control characters are escaped, all of
// them, so that a name or a cursor comes back as it was; nothing else is that
// need not be.
func encode(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // no value of this package fails
	return escapeControls(strings.TrimSuffix(b.String(), "\n"))
}

// escapeControls escapes the control characters that JSON does not demand to
// be escaped.
func escapeControls(s string) string {
	var b strings.Builder
	done := 0
	for at, r := range s {
		if r >= 0x7f && r <= 0x9f {
			b.WriteString(s[done:at])
			fmt.Fprintf(&b, `\u%04x`, r)
			done = at + len(string(r))
		}
	}
	if done == 0 {
		return s
	}
	b.WriteString(s[done:])
	return b.String()
}
