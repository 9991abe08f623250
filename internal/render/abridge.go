package render

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"

	"github.com/mcptoolset/mcptoolset/internal/decode"
	"github.com/mcptoolset/mcptoolset/internal/decode/rawjson"
)

const (
	// maxJSON bounds, in bytes, what is shown of an item that could not be read.
	maxJSON = 1 << 18
	// longBase64 is from which length on a string of base64 digits is taken for
	// binary data: longer than hashes and keys are.
	longBase64 = 256
)

// abridge returns JSON as it was sent, but for binary data, in place of which
// its size stands, and for what is over maxJSON. Binary data are a blob, the
// root's data where the root has a media type (typed), a data URL, and a long
// string that can be nothing else.
func abridge(raw []byte, typed bool) string {
	a := abridger{raw: raw, typed: typed}
	r := rawjson.NewReader(raw)
	a.value(r, "", 0)
	a.copy(len(raw))
	if a.over > 0 {
		return strings.ToValidUTF8(a.b.String(), "") + fmt.Sprintf("… (%d more bytes of JSON)", a.over)
	}
	return a.b.String()
}

// abridger copies raw and leaves things out.
type abridger struct {
	raw   []byte
	typed bool
	b     strings.Builder
	done  int // bytes of raw that have been dealt with
	over  int // bytes there was no room for
}

// value walks one value, which stands under key at a depth.
func (a *abridger) value(r *rawjson.Reader, key string, depth int) {
	switch r.Peek() {
	case rawjson.Object:
		r.Object(func(k []byte) { a.value(r, string(k), depth+1) })
	case rawjson.List:
		r.List(func(int) { a.value(r, key, depth+1) })
	case rawjson.String:
		v := r.Value()
		if note := a.note(v, key, depth); note != "" {
			a.copy(r.Offset() - len(v.Raw))
			a.write([]byte(`"(` + note + `)"`))
			a.done = r.Offset()
		}
	}
}

// note returns what to say in place of a string; "" if it is to be shown.
func (a *abridger) note(v rawjson.Value, key string, depth int) string {
	named := key == "blob" || key == "data" && depth == 1 && a.typed
	if !named && len(v.Raw) < longBase64 && !isDataURL(v.Raw) {
		return ""
	}
	text := v.Text()
	size, err := decode.BinarySize(text)
	head, isURL := dataURLHead(text)
	switch {
	case text == "" || err != nil:
		return ""
	case isURL:
		return head + " " + bytesOf(int64(size))
	case named || len(text) >= longBase64 && looksBinary(text[:longBase64]):
		return "binary, " + bytesOf(int64(size))
	default:
		return ""
	}
}

// looksBinary tells the head of encoded bytes from that of words and sequences
// that happen to consist of base64 digits.
func looksBinary(head string) bool {
	return !strings.ContainsAny(head[:64], " \t\r\n") && // lines of base64 are longer
		strings.ContainsFunc(head, unicode.IsUpper) && strings.ContainsFunc(head, unicode.IsLower) && strings.ContainsFunc(head, unicode.IsDigit)
}

// isDataURL tells a quoted data URL by its head.
func isDataURL(raw []byte) bool {
	const head = `"data:`
	return len(raw) >= len(head) && bytes.EqualFold(raw[:len(head)], []byte(head))
}

// copy takes over raw up to a byte.
func (a *abridger) copy(end int) {
	a.write(a.raw[a.done:end])
	a.done = end
}

// write adds what there is room for.
func (a *abridger) write(out []byte) {
	n := min(len(out), maxJSON-a.b.Len())
	a.b.Write(out[:n])
	a.over += len(out) - n
}
