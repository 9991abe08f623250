package rawjson

import (
	"bytes"
	"fmt"
)

// MaxDepth is how deeply lists and objects may be nested. It is the limit of
// encoding/json, which most answers have passed before they come here.
const MaxDepth = 10_000

// byteOrderMark is what some servers write in front of their JSON.
var byteOrderMark = []byte("\uFEFF")

// Reader walks one JSON text. Methods consume values in the order of the text;
// the first violation of the grammar ends the walk: from then on every method
// returns a zero value and [Reader.End] returns the error.
//
// A Reader keeps and hands out slices of its text and never writes to it. It
// is not safe for concurrent use.
type Reader struct {
	data  []byte
	pos   int
	depth int
	err   error
	short bool // err is that the text ended too early
}

// NewReader returns a Reader of data. A leading byte order mark is passed over.
func NewReader(data []byte) *Reader {
	return &Reader{data: bytes.TrimPrefix(data, byteOrderMark)}
}

// Peek returns the kind of the next value without consuming it.
func (r *Reader) Peek() Kind {
	r.space()
	if r.err != nil || r.pos >= len(r.data) {
		return Invalid
	}
	return kindOf(r.data[r.pos])
}

// Offset returns how many bytes of the text have been consumed, a byte order
// mark not counted. After [Reader.Peek] it is where the next value starts, and
// after a value where that ends.
func (r *Reader) Offset() int { return r.pos }

// Value consumes the next value, whatever it is.
func (r *Reader) Value() Value {
	kind := r.Peek()
	start := r.pos
	v := Value{Kind: kind}
	switch kind {
	case Object:
		r.Object(nil)
	case List:
		r.List(nil)
	case String:
		v.escaped = r.str()
	case Number:
		r.number()
	case Bool:
		if r.data[start] == 't' {
			r.literal("true")
		} else {
			r.literal("false")
		}
	case Null:
		r.literal("null")
	default:
		r.fail("a value is missing")
	}
	if r.err != nil {
		return Value{}
	}
	v.Raw = r.since(start)
	return v
}

// Object consumes the next value, which must be an object, and returns its
// bytes. It calls visit for each member in order, repeated keys included, with
// the decoded key, which is valid during the call only. Visit may consume the
// member's value; if it does not, Object passes over it. A nil visit passes
// over all members.
func (r *Reader) Object(visit func(key []byte)) []byte {
	if r.Peek() != Object {
		r.fail("an object is missing")
		return nil
	}
	start := r.pos
	if !r.enter() {
		return nil
	}
	if r.closes('}') {
		return r.since(start)
	}
	for r.err == nil {
		r.member(visit)
		if !r.continues('}') {
			break
		}
	}
	return r.since(start)
}

// List consumes the next value, which must be a list, and returns its bytes.
// It calls visit for each item in order. Visit may consume the item; if it
// does not, List passes over it. A nil visit passes over all items.
func (r *Reader) List(visit func(index int)) []byte {
	if r.Peek() != List {
		r.fail("a list is missing")
		return nil
	}
	start := r.pos
	if !r.enter() {
		return nil
	}
	if r.closes(']') {
		return r.since(start)
	}
	for i := 0; r.err == nil; i++ {
		r.space()
		before := r.pos
		if visit != nil {
			visit(i)
		}
		if r.pos == before {
			r.Value()
		}
		if !r.continues(']') {
			break
		}
	}
	return r.since(start)
}

// End reports whether the text was JSON: the first error met, or an error if
// anything but white space is left.
func (r *Reader) End() error {
	r.space()
	if r.err == nil && r.pos < len(r.data) {
		r.fail("something follows the value")
	}
	return r.err
}

// Err returns the first error met so far. Unlike [Reader.End] it lets anything
// follow what was consumed.
func (r *Reader) Err() error { return r.err }

// Short reports whether the error met is that the text ended too early: with
// more text it might have been JSON.
func (r *Reader) Short() bool { return r.short }

// member consumes one key, its colon and its value.
func (r *Reader) member(visit func(key []byte)) {
	key := r.key()
	before := r.pos
	if visit != nil && r.err == nil {
		visit(key)
	}
	if r.pos == before {
		r.Value()
	}
}

// key consumes a key and its colon and stops before the value. What it returns
// is decoded, and a slice of the text where that is the same.
func (r *Reader) key() []byte {
	if r.Peek() != String {
		r.fail("a key is missing")
		return nil
	}
	start := r.pos
	key := Value{Kind: String, escaped: r.str()}
	key.Raw = r.since(start)
	r.space()
	if r.err != nil || r.pos >= len(r.data) || r.data[r.pos] != ':' {
		r.fail("a colon is missing after a key")
		return nil
	}
	r.pos++
	r.space()
	return key.bytes()
}

// enter steps over an opening bracket.
func (r *Reader) enter() bool {
	if r.depth++; r.depth > MaxDepth {
		r.fail("lists and objects are nested too deeply")
		return false
	}
	r.pos++
	return true
}

// closes steps over the closing bracket of an empty list or object.
func (r *Reader) closes(end byte) bool {
	r.space()
	if r.err == nil && r.pos < len(r.data) && r.data[r.pos] == end {
		r.pos++
		r.depth--
		return true
	}
	return false
}

// continues steps over what follows an item: a comma, after which it returns
// true, or the closing bracket.
func (r *Reader) continues(end byte) bool {
	r.space()
	if r.err != nil {
		return false
	}
	if r.pos < len(r.data) && r.data[r.pos] == ',' {
		r.pos++
		return true
	}
	if !r.closes(end) {
		r.fail("a comma or a closing bracket is missing")
	}
	return false
}

func (r *Reader) space() {
	for r.pos < len(r.data) {
		switch r.data[r.pos] {
		case ' ', '\t', '\n', '\r':
			r.pos++
		default:
			return
		}
	}
}

// since returns the bytes from start up to here, without room to grow into
// what follows them.
func (r *Reader) since(start int) []byte {
	if r.err != nil {
		return nil
	}
	return r.data[start:r.pos:r.pos]
}

func (r *Reader) fail(what string) {
	if r.err == nil {
		r.err = fmt.Errorf("%s at byte %d of %d", what, r.pos, len(r.data))
		r.short = r.pos >= len(r.data)
	}
}
