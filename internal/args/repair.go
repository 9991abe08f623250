package args

import (
	"errors"
	"strings"

	"github.com/kaptinlin/jsonrepair"
)

// maxMend bounds the repairs in one text. The repair copies all it has written
// so far at many of the signs that mean something in JSON, so it is counted in
// bytes times signs: this much allows for some 20 KB of ordinary JSON, and for
// far more if most of it is text.
const maxMend = 100_000_000

// mender repairs what is nearly JSON: Python and JavaScript literals, trailing
// commas, comments, missing quotes and commas.
type mender struct{ spent int }

// mend repairs t, which has to begin and end with a bracket. The repair is a heuristic that also completes and drops
// things, so its result counts only if the text can be read as that very
// result, see sayTheSame.
func (m *mender) mend(t string) (value, bool) {
	if group, whole := enclosedGroup(t); !whole || group != t {
		return value{}, false
	}
	if m.spent += len(t) * signs(t); m.spent > maxMend {
		return value{}, false
	}
	fixed, err := repair(t)
	if err != nil {
		return value{}, false
	}
	v, err := scan(fixed)
	if err != nil || !sayTheSame(t, &v) {
		return value{}, false
	}
	return v, true
}

// signs counts the characters at which the repair may stop.
func signs(t string) int {
	n := 1
	for i := range len(t) {
		switch t[i] {
		case '\n', '"', '\'', '`', ',', ':', '{', '}', '[', ']', '(', ')', '+', '/', '\\', 0xE2: // and typographic quotes
			n++
		}
	}
	return n
}

// repair keeps a panic of the heuristic from reaching the caller.
func repair(t string) (fixed string, err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("the repair failed")
		}
	}()
	return jsonrepair.JSONRepair(t)
}

// enclosedGroup returns the text from the bracket t begins with to the one
// that closes it. Strings and comments are passed over; whole is false if it is
// never closed.
func enclosedGroup(t string) (group string, whole bool) {
	var open []byte
	for i := 0; i < len(t); i++ {
		switch c := t[i]; c {
		case '{', '[', '(':
			if len(open) >= maxDepth {
				return t, false
			}
			open = append(open, c)
		case '}', ']', ')':
			if len(open) == 0 || !closes(open[len(open)-1], c) {
				return t, false
			}
			if open = open[:len(open)-1]; len(open) == 0 {
				return t[:i+1], true
			}
		case '"', '\'':
			if c == '\'' && !startsValue(t[:i]) {
				continue
			}
			end := endOfString(t, i)
			if end < 0 {
				return t, false
			}
			i = end
		case '/':
			i = endOfComment(t, i)
		}
	}
	return t, false
}

func closes(open, c byte) bool {
	return open == '{' && c == '}' || open == '[' && c == ']' || open == '(' && c == ')'
}

// startsValue reports whether a value may begin after the text before.
func startsValue(before string) bool {
	before = strings.TrimRight(before, " \t\r\n")
	return before != "" && strings.IndexByte("{[(:,", before[len(before)-1]) >= 0
}

// endOfString returns where the string that begins at i ends, -1 if it does
// not. A single quote ends it only where a value may end: it may also be an
// apostrophe.
func endOfString(t string, i int) int {
	mark := t[i]
	for i++; i < len(t); i++ {
		switch {
		case t[i] == '\\':
			i++
		case t[i] == mark && (mark == '"' || endsValue(t[i+1:])):
			return i
		}
	}
	return -1
}

// endsValue reports whether a value may end before the text after.
func endsValue(after string) bool {
	after = strings.TrimLeft(after, " \t\r\n")
	return after == "" || strings.IndexByte(",:}])", after[0]) >= 0
}

// endOfComment returns where the comment that begins at i ends, i if there is
// none.
func endOfComment(t string, i int) int {
	switch rest := t[i:]; {
	case strings.HasPrefix(rest, "//") && (i == 0 || t[i-1] != ':'):
		if end := strings.IndexByte(rest, '\n'); end >= 0 {
			return i + end
		}
		return len(t)
	case strings.HasPrefix(rest, "/*"):
		if end := strings.Index(rest, "*/"); end >= 0 {
			return i + end + 1
		}
		return len(t)
	}
	return i
}
