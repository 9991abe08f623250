package args

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// sayTheSame reports whether the text t, which is not strict JSON, reads as the
// value v: the same names, values and brackets in the same order, told apart
// only by how strings are quoted, how Python and JavaScript spell literals, and
// by commas, comments and white space. Whatever a repair completed, dropped or
// changed, the two differ.
func sayTheSame(t string, v *value) bool {
	c := comparer{text: t}
	if !c.value(v) {
		return false
	}
	c.gap()
	return c.pos == len(t)
}

// comparer walks over a text along a value.
type comparer struct {
	text string
	pos  int
}

func (c *comparer) rest() string { return c.text[c.pos:] }

// gap passes over white space and comments.
func (c *comparer) gap() {
	for {
		rest := strings.TrimLeft(c.rest(), " \t\r\n\f\v\u00a0\ufeff")
		c.pos = len(c.text) - len(rest)
		if rest == "" || rest[0] != '/' {
			return
		}
		end := endOfComment(rest, 0)
		if end == 0 {
			return
		}
		c.pos += min(end+1, len(rest))
	}
}

func (c *comparer) take(s string) bool {
	if !strings.HasPrefix(c.rest(), s) {
		return false
	}
	c.pos += len(s)
	return true
}

func (c *comparer) value(v *value) bool {
	c.gap()
	switch v.kind {
	case object, array:
		return c.group(v)
	case text:
		return c.str(v.str())
	case number:
		return c.word(v.raw)
	case boolean:
		return c.word(v.raw) || c.word(strings.ToUpper(v.raw[:1])+v.raw[1:]) || c.word(strings.ToUpper(v.raw))
	}
	return c.word("null") || c.word("None") || c.word("undefined") || c.word("NULL")
}

func (c *comparer) group(v *value) bool {
	opening, closing := "{", "}"
	if v.kind == array {
		opening, closing = "[", "]"
	}
	if !c.take(opening) {
		return false
	}
	for i := range v.kids {
		if !c.item(v, i) {
			return false
		}
		c.gap()
		c.take(",")
	}
	c.gap()
	return c.take(closing)
}

func (c *comparer) item(v *value, i int) bool {
	if v.kind == object {
		c.gap()
		if !c.str(v.kids[i].name) {
			return false
		}
		c.gap()
		if !c.take(":") {
			return false
		}
	}
	return c.value(&v.kids[i])
}

// word compares a number or literal, which has to end there.
func (c *comparer) word(w string) bool {
	after, found := strings.CutPrefix(c.rest(), w)
	if !found || !isBoundary(after) {
		return false
	}
	c.pos += len(w)
	return true
}

func isBoundary(after string) bool {
	return after == "" || strings.IndexByte(" \t\r\n,:}]/", after[0]) >= 0
}

// marks are the quotes strings are written in.
var marks = [][2]string{{`"`, `"`}, {"'", "'"}, {"“", "”"}, {"‘", "’"}, {"`", "`"}}

func (c *comparer) str(s string) bool {
	for _, mark := range marks {
		if c.take(mark[0]) {
			return c.body(s, mark[1]) && c.take(mark[1])
		}
	}
	// Not a number: what stands for "not a number" in other languages is no text.
	if s == "" || strings.ContainsAny(s, "{}[]()\"'`\\,:\n") && !strings.Contains(s, "://") || s == "NaN" || strings.HasSuffix(s, "Infinity") {
		return false
	}
	return c.word(s)
}

// body compares the inside of a quoted string, escapes and all. A quote of the
// same sort inside counts as part of the string only where the string cannot
// end.
func (c *comparer) body(s, mark string) bool {
	for s != "" {
		want, size := utf8.DecodeRuneInString(s)
		got, n := c.rune(want)
		if n == 0 || got != want {
			return false
		}
		if after, found := strings.CutPrefix(c.rest(), mark); found && endsValue(after) {
			return false
		}
		c.pos += n
		s = s[size:]
	}
	return true
}

// rune decodes the next character of a string and how many bytes it takes,
// where want is the character it should be.
func (c *comparer) rune(want rune) (rune, int) {
	rest := c.rest()
	if len(rest) < 2 || rest[0] != '\\' {
		return utf8.DecodeRuneInString(rest)
	}
	if i := strings.IndexByte(`"\/bfnrt'`, rest[1]); i >= 0 {
		return rune("\"\\/\b\f\n\r\t'"[i]), 2
	}
	switch rest[1] {
	case 'x':
		return hexRune(rest, 2)
	case 'u':
		return hexRune(rest, 4)
	}
	if want == '\\' {
		return want, 1 // a lone backslash, as in a Windows path
	}
	return 0, 0
}

// hexRune decodes \xhh, \uhhhh and a pair of these that stands for one
// character.
func hexRune(s string, digits int) (rune, int) {
	r, ok := hexDigits(s, digits)
	if !ok {
		return 0, 0
	}
	size := 2 + digits
	if !utf16.IsSurrogate(r) {
		return r, size
	}
	low, ok := hexDigits(s[size:], digits)
	if pair := utf16.DecodeRune(r, low); ok && pair != utf8.RuneError {
		return pair, 2 * size
	}
	return 0, 0
}

func hexDigits(s string, digits int) (rune, bool) {
	if len(s) < 2+digits || s[0] != '\\' {
		return 0, false
	}
	n, err := strconv.ParseUint(s[2:2+digits], 16, 32)
	return rune(n), err == nil
}
