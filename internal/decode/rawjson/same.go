package rawjson

import "bytes"

// effort bounds the work of [Same]: how many times the bytes of both texts may
// be walked over to look for members that stand in another order. Each level of
// shuffled objects takes one walk.
const effort = 32

// Same reports whether two texts hold the same JSON value. White space, the
// order of members and the way a string is escaped do not matter. Numbers are
// compared as the exact decimals they are: 1.0 is 1, but 9007199254740993 is
// not 9007199254740992.
//
// The answer is no where a text is not JSON, and in two cases that no sane
// server sends: where equal values hide behind repeated members, and where
// shuffled objects are nested so deeply that comparing them would take long.
func Same(a, b []byte) bool {
	c := comparison{left: effort * (len(a) + len(b))}
	ra, rb := NewReader(a), NewReader(b)
	return c.values(ra, rb) && ra.End() == nil && rb.End() == nil
}

// comparison is the state of one call of Same.
type comparison struct {
	left int // bytes that may still be walked over again
}

// values consumes one value of each text. After false the readers are of no
// further use.
func (c *comparison) values(a, b *Reader) bool {
	kind := a.Peek()
	if kind != b.Peek() {
		return false
	}
	switch kind {
	case Object:
		return c.objects(a, b)
	case List:
		return c.lists(a, b)
	default:
		return sameScalar(a.Value(), b.Value())
	}
}

// lists compares item by item.
func (c *comparison) lists(a, b *Reader) bool {
	if !a.enter() || !b.enter() {
		return false
	}
	endA, endB := a.closes(']'), b.closes(']')
	for !endA && !endB {
		if !c.values(a, b) {
			return false
		}
		endA, endB = !a.continues(']'), !b.continues(']')
	}
	return endA && endB && a.err == nil && b.err == nil
}

// objects compares member by member as long as the keys agree, which they do
// where both texts were written by one server, and then by key.
func (c *comparison) objects(a, b *Reader) bool {
	if !a.enter() || !b.enter() {
		return false
	}
	endA, endB := a.closes('}'), b.closes('}')
	for !endA && !endB {
		keyA, keyB := a.key(), b.key()
		if a.err != nil || b.err != nil {
			return false
		}
		if !bytes.Equal(keyA, keyB) {
			return c.shuffled(a, b, string(keyA), string(keyB))
		}
		if !c.values(a, b) {
			return false
		}
		endA, endB = !a.continues('}'), !b.continues('}')
	}
	return endA && endB && a.err == nil && b.err == nil
}

// shuffled compares what is left of two objects whose next keys differ.
func (c *comparison) shuffled(a, b *Reader, keyA, keyB string) bool {
	restA, restB := a.rest(keyA), b.rest(keyB)
	if a.err != nil || b.err != nil || len(restA) != len(restB) {
		return false
	}
	for key, valueA := range restA {
		valueB, ok := restB[key]
		if c.left -= len(valueA) + len(valueB); c.left < 0 || !ok {
			return false
		}
		if !c.values(NewReader(valueA), NewReader(valueB)) {
			return false
		}
	}
	return true
}

// rest consumes the members left of an object, of which the first key has been
// consumed already.
func (r *Reader) rest(key string) map[string][]byte {
	members := make(map[string][]byte)
	members[key] = r.Value().Raw
	for r.continues('}') {
		key := string(r.key())
		members[key] = r.Value().Raw
	}
	return members
}

func sameScalar(a, b Value) bool {
	switch {
	case a.Kind == Invalid || b.Kind == Invalid:
		return false
	case bytes.Equal(a.Raw, b.Raw):
		return true
	case a.Kind == String:
		return a.Text() == b.Text()
	case a.Kind == Number:
		return decimalOf(a.Raw) == decimalOf(b.Raw)
	default:
		return false
	}
}
