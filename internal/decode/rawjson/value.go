package rawjson

import (
	"bytes"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Value is one value as it stands in a text. The zero Value is no value.
type Value struct {
	Kind Kind
	Raw  []byte // the value's bytes, a slice of the text, without white space around it

	escaped bool // a string with escapes in it
}

// Text returns the decoded string; "" if v is none. Bytes that are not UTF-8
// and halves of surrogate pairs become U+FFFD each, as encoding/json has it.
func (v Value) Text() string {
	if v.Kind != String {
		return ""
	}
	inner := v.Raw[1 : len(v.Raw)-1]
	switch {
	case v.escaped:
		return unescape(inner)
	case utf8.Valid(inner):
		return string(inner)
	default:
		return validate(string(inner))
	}
}

// True reports whether v is the value true.
func (v Value) True() bool { return v.Kind == Bool && v.Raw[0] == 't' }

// bytes is Text for keys: it copies only where it must.
func (v Value) bytes() []byte {
	if len(v.Raw) < 2 {
		return nil
	}
	if inner := v.Raw[1 : len(v.Raw)-1]; !v.escaped && utf8.Valid(inner) {
		return inner
	}
	return []byte(v.Text())
}

// unescape decodes the inside of a string, whose escapes are known to be well
// formed.
func unescape(s []byte) string {
	var b strings.Builder
	b.Grow(len(s))
	for {
		i := bytes.IndexByte(s, '\\')
		if i < 0 {
			b.Write(s)
			break
		}
		b.Write(s[:i])
		s = s[i+writeEscape(&b, s[i:]):]
	}
	text := b.String()
	if !utf8.ValidString(text) {
		return validate(text)
	}
	return text
}

// writeEscape decodes the escape s starts with and returns its length.
func writeEscape(b *strings.Builder, s []byte) int {
	switch s[1] {
	case 'b':
		b.WriteByte('\b')
	case 'f':
		b.WriteByte('\f')
	case 'n':
		b.WriteByte('\n')
	case 'r':
		b.WriteByte('\r')
	case 't':
		b.WriteByte('\t')
	case 'u':
		high, _ := hex4(s[2:])
		if !utf16.IsSurrogate(high) {
			b.WriteRune(high)
			return 6
		}
		if len(s) >= 12 && s[6] == '\\' && s[7] == 'u' {
			low, _ := hex4(s[8:])
			if both := utf16.DecodeRune(high, low); both != utf8.RuneError {
				b.WriteRune(both)
				return 12
			}
		}
		b.WriteRune(utf8.RuneError)
		return 6
	default: // a quote, a slash, a backslash
		b.WriteByte(s[1])
	}
	return 2
}

// validate replaces each byte of s that is not part of valid UTF-8 by U+FFFD.
func validate(s string) string {
	var b strings.Builder
	b.Grow(len(s) + len(s)/4)
	for _, c := range s { // ranging yields U+FFFD for each bad byte
		b.WriteRune(c)
	}
	return b.String()
}
