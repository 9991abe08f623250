package rawjson

import (
	"encoding/binary"
	"math/bits"
)

// literal consumes word.
func (r *Reader) literal(word string) {
	if end := r.pos + len(word); end <= len(r.data) && string(r.data[r.pos:end]) == word {
		r.pos = end
		return
	}
	r.fail("a word that is none of true, false and null stands")
}

// number consumes a number by the grammar of RFC 8259.
func (r *Reader) number() {
	if r.data[r.pos] == '-' {
		r.pos++
	}
	if r.at('0') {
		r.pos++
	} else {
		r.digits()
	}
	if r.at('.') {
		r.pos++
		r.digits()
	}
	if r.at('e') || r.at('E') {
		r.pos++
		if r.at('+') || r.at('-') {
			r.pos++
		}
		r.digits()
	}
}

// digits consumes one digit or more.
func (r *Reader) digits() {
	start := r.pos
	for r.pos < len(r.data) && r.data[r.pos] >= '0' && r.data[r.pos] <= '9' {
		r.pos++
	}
	if r.pos == start {
		r.fail("a digit is missing")
	}
}

func (r *Reader) at(c byte) bool { return r.pos < len(r.data) && r.data[r.pos] == c }

// str consumes a string and reports whether it holds escapes.
func (r *Reader) str() (escaped bool) {
	start, i := r.pos, r.pos+1
	for {
		i += plainLen(r.data[i:])
		switch {
		case i >= len(r.data):
			r.pos = start
			r.fail("a string does not end; it starts")
			r.short = true
			return escaped
		case r.data[i] == '"':
			r.pos = i + 1
			return escaped
		case r.data[i] == '\\':
			escaped = true
			n := escapeLen(r.data[i:])
			if n == 0 {
				r.pos = i
				r.fail("a broken escape stands in a string")
				return escaped
			}
			i += n
		default:
			r.pos = i
			r.fail("a bare control character stands in a string")
			return escaped
		}
	}
}

// plainLen returns how many bytes s starts with that stand for themselves
// inside a string: no quote, no backslash, no control character. It looks at
// eight bytes at a time, since most of what a server sends is text.
func plainLen(s []byte) int {
	const (
		ones  = 0x0101010101010101
		highs = 0x8080808080808080
	)
	i := 0
	for ; i+8 <= len(s); i += 8 {
		w := binary.LittleEndian.Uint64(s[i:])
		quote, slash := w^(ones*'"'), w^(ones*'\\')
		// A byte of the sum below has its high bit set if the byte is less than
		// a space, a quote or a backslash. A borrow may also set it for the
		// byte above such a one, never below: the lowest bit set is true.
		special := ((w - ones*' ') &^ w) | ((quote - ones) &^ quote) | ((slash - ones) &^ slash)
		if special &= highs; special != 0 {
			return i + bits.TrailingZeros64(special)/8
		}
	}
	for ; i < len(s); i++ {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' {
			break
		}
	}
	return i
}

// escapeLen returns the length of the escape s starts with, 0 if it is none.
func escapeLen(s []byte) int {
	if len(s) < 2 {
		return 0
	}
	switch s[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if _, ok := hex4(s[2:]); ok {
			return 6
		}
	}
	return 0
}

// hex4 reads the four hexadecimal digits s starts with.
func hex4(s []byte) (rune, bool) {
	if len(s) < 4 {
		return 0, false
	}
	var n rune
	for _, c := range s[:4] {
		switch {
		case c >= '0' && c <= '9':
			n = n<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			n = n<<4 | rune(c-'a'+10)
		case c >= 'A' && c <= 'F':
			n = n<<4 | rune(c-'A'+10)
		default:
			return 0, false
		}
	}
	return n, true
}
