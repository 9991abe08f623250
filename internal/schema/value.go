package schema

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// kindOfValue gives the type of a parsed value. A number written without
// fraction and exponent is an integer.
func kindOfValue(v any) kinds {
	switch x := v.(type) {
	case nil:
		return kindNull
	case bool:
		return kindBoolean
	case string:
		return kindString
	case json.Number:
		if strings.ContainsAny(x.String(), ".eE") {
			return kindNumber
		}
		return kindInteger
	case *list:
		return kindArray
	default:
		return kindObject
	}
}

// valueText writes a value as compact JSON on one line of about max characters;
// what is longer ends in an ellipsis.
func valueText(v any, max int) string {
	w := &valueWriter{max: 4 * max}
	w.write(v)
	return cutText(w.buf.String(), max)
}

// valueWriter stops writing where its reader would stop reading, so that huge
// values cost nothing.
type valueWriter struct {
	buf bytes.Buffer
	max int
}

func (w *valueWriter) write(v any) {
	if w.buf.Len() > w.max {
		return
	}
	switch x := v.(type) {
	case *object:
		w.buf.WriteByte('{')
		for i, k := range x.keys {
			if w.buf.Len() > w.max {
				return
			}
			w.comma(i)
			w.buf.WriteString(quote(k))
			w.buf.WriteByte(':')
			w.write(x.values[k])
		}
		w.buf.WriteByte('}')
	case *list:
		w.buf.WriteByte('[')
		for i, item := range x.items {
			if w.buf.Len() > w.max {
				return
			}
			w.comma(i)
			w.write(item)
		}
		w.buf.WriteByte(']')
	case string:
		w.buf.WriteString(quote(x))
	case json.Number:
		w.buf.WriteString(x.String())
	case bool:
		w.buf.WriteString(map[bool]string{true: "true", false: "false"}[x])
	case nil:
		w.buf.WriteString("null")
	default:
		w.buf.WriteString("…")
	}
}

func (w *valueWriter) comma(i int) {
	if i > 0 {
		w.buf.WriteByte(',')
	}
}

// quote writes a string as JSON, without the escapes that only HTML needs.
func quote(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string always encodes
	return strings.TrimSuffix(b.String(), "\n")
}

// sameValue compares two values as JSON, keys in any order.
func sameValue(a, b any) bool {
	switch x := a.(type) {
	case *object:
		y, ok := b.(*object)
		if !ok || len(x.keys) != len(y.keys) {
			return false
		}
		for k, v := range x.values {
			if w, ok := y.values[k]; !ok || !sameValue(v, w) {
				return false
			}
		}
		return true
	case *list:
		y, ok := b.(*list)
		return ok && x.dropped == y.dropped && slices.EqualFunc(x.items, y.items, sameValue)
	default:
		return a == b
	}
}

// cutText shortens s to max characters, the last of them an ellipsis.
func cutText(s string, max int) string {
	if len(s) <= max {
		return s
	}
	n, last := 0, 0
	for i := range s {
		if n == max-1 {
			last = i
		}
		if n == max {
			return strings.TrimRight(s[:last], " \n") + "…"
		}
		n++
	}
	return s
}

// oneLine folds all white space to single spaces.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
