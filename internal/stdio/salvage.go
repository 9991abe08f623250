package stdio

import (
	"bytes"

	"github.com/mcptoolset/mcptoolset/internal/decode/rawjson"
)

// nesting follows the brackets of text that need not be JSON, piece by piece.
type nesting struct {
	depth    int
	inString bool
	escaped  bool
}

// step takes the next byte.
func (n *nesting) step(c byte) {
	switch {
	case n.escaped:
		n.escaped = false
	case n.inString && c == '\\':
		n.escaped = true
	case c == '"':
		n.inString = !n.inString
	case n.inString:
	case c == '{', c == '[':
		n.depth++
	case c == '}', c == ']':
		n.depth--
	}
}

func (n *nesting) feed(text []byte) {
	for _, c := range text {
		n.step(c)
	}
}

var quotedID = []byte(`"id"`)

// idIn finds the id of a message that is no JSON, so that its request need not
// wait for a better one: the value of the first "id" at the top of the object
// that text starts with.
func idIn(text []byte) (int64, bool) {
	var n nesting
	for i, c := range text {
		if c == '"' && n.depth == 1 && !n.inString && bytes.HasPrefix(text[i:], quotedID) {
			if id, ok := idAfter(text[i+len(quotedID):]); ok {
				return id, true
			}
		}
		if n.step(c); n.depth <= 0 {
			break
		}
	}
	return 0, false
}

// idAfter reads the value that stands behind a key.
func idAfter(text []byte) (int64, bool) {
	text = trim(text)
	if len(text) == 0 || text[0] != ':' {
		return 0, false
	}
	r := rawjson.NewReader(text[1:])
	switch r.Peek() {
	case rawjson.Number, rawjson.String:
		return numberOf(r.Value())
	}
	return 0, false
}

var byteOrderMark = []byte("\uFEFF")

// trim takes off what may stand around a message: white space, and the mark
// that some programs begin their output with.
func trim(text []byte) []byte {
	return bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(text), byteOrderMark))
}
