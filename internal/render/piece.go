package render

import (
	"strings"
	"unicode/utf8"
)

// piece is a part of an observation that has not been put together yet. It
// refers to what the server sent, so that of a text of megabytes only what the
// budget has room for is copied.
type piece struct {
	text string
	json []byte // in place of text
}

// size returns the piece's length in bytes.
func (p piece) size() int { return len(p.text) + len(p.json) }

// runes returns the piece's length in characters.
func (p piece) runes() int {
	n := utf8.RuneCountInString(p.text)
	for i := 0; i < len(p.json); n++ { // utf8.RuneCount would copy
		if p.json[i] < utf8.RuneSelf {
			i++
			continue
		}
		_, size := utf8.DecodeRune(p.json[i:])
		i += size
	}
	return n
}

// head returns the first n characters.
func (p piece) head(n int) string {
	s := p.text
	if p.json != nil {
		s = string(p.json[:min(len(p.json), maxBytes(n))])
	}
	return s[:byteIndex(s, n)]
}

// tail returns the last n characters.
func (p piece) tail(n int) string {
	s := p.text
	if p.json != nil {
		s = string(p.json[max(0, len(p.json)-maxBytes(n)):])
	}
	i := len(s)
	for ; n > 0 && i > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:i])
		i -= size
	}
	return s[i:]
}

// maxBytes returns how many bytes n characters take at most.
func maxBytes(n int) int {
	const limit = int(^uint(0)>>1) / utf8.UTFMax
	return min(n, limit) * utf8.UTFMax
}

// byteIndex returns how many bytes the first n characters of s take.
func byteIndex(s string, n int) int {
	if len(s) <= n {
		return len(s) // a character takes at least a byte
	}
	for i := range s {
		if n == 0 {
			return i
		}
		n--
	}
	return len(s)
}

// join puts pieces together.
func join(pieces []piece) string {
	if len(pieces) == 1 && pieces[0].json == nil {
		return pieces[0].text
	}
	size := 0
	for _, p := range pieces {
		size += p.size()
	}
	var b strings.Builder
	b.Grow(size)
	for _, p := range pieces {
		b.WriteString(p.text)
		b.Write(p.json)
	}
	return b.String()
}
