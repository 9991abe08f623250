package schema

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// Constructs that Go's syntax shares with only some other dialects.
var oddPattern = regexp.MustCompile(`\(\?[^:]|\[\[:|\[:|[*+?}]\?`)

// portablePattern writes a regular expression so that it means the same in the
// dialects of all providers; false for one that cannot be: with lookaround or
// backreferences (refused by OpenAI and by servers that make a grammar of it),
// not anchored (llama.cpp asks for that), or long.
func portablePattern(p string) (string, bool) {
	inner, anchored := strings.CutSuffix(p, "$")
	escapes := len(inner) - len(strings.TrimRight(inner, `\`))
	if len(p) > maxGrammarPattern || !strings.HasPrefix(p, "^") || !anchored || escapes%2 != 0 || oddPattern.MatchString(p) {
		return "", false
	}
	if _, err := syntax.Parse(p, syntax.Perl); err != nil {
		return "", false
	}
	w := patternWriter{rest: p}
	if !w.run() {
		return "", false
	}
	written := w.out.String()
	_, err := syntax.Parse(written, syntax.Perl)
	return written, err == nil && len(written) <= maxGrammarPattern
}

// patternWriter spells out what grammars do not know: of escapes llama.cpp
// takes only those of the characters with a meaning, and in a class hardly any.
type patternWriter struct {
	rest  string
	out   strings.Builder
	class bool
	dash  bool // the class holds a dash, which goes to its end
}

func (w *patternWriter) run() bool {
	for w.rest != "" {
		c := w.rest[0]
		switch {
		case c == '\\':
			if !w.escape() {
				return false
			}
			continue
		case w.class && c == ']':
			if w.dash {
				w.out.WriteByte('-')
			}
			w.class, w.dash = false, false
		case !w.class && c == '[':
			w.class = true
			if strings.HasPrefix(w.rest, "[]") || strings.HasPrefix(w.rest, "[^]") {
				return false // differs between dialects
			}
		}
		w.out.WriteByte(c)
		w.rest = w.rest[1:]
	}
	return !w.class
}

// escape writes what stands for the escape that comes next.
func (w *patternWriter) escape() bool {
	if len(w.rest) < 2 {
		return false
	}
	c := w.rest[1]
	w.rest = w.rest[2:]
	switch {
	case c == 'd' || c == 'w':
		return w.set(map[byte]string{'d': "0-9", 'w': "A-Za-z0-9_"}[c])
	case c == 'n' || c == 'r' || c == 't' || c == '\\':
		w.out.WriteByte('\\')
		w.out.WriteByte(c)
	case c >= 0x80 || c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z':
		return false
	case w.class && c == '-':
		w.dash = true
		return w.apart()
	case w.class && c == '^' && strings.HasSuffix(w.out.String(), "["):
		return false // it would negate the class
	case w.class && (c == '[' || c == ']'), !w.class && strings.IndexByte(`^$.[]()|{}*+?`, c) >= 0:
		w.out.WriteByte('\\')
		w.out.WriteByte(c)
	default:
		w.out.WriteByte(c)
	}
	return true
}

// set writes the characters of a class.
func (w *patternWriter) set(characters string) bool {
	if !w.class {
		w.out.WriteString("[" + characters + "]")
		return true
	}
	ok := w.apart()
	w.out.WriteString(characters)
	return ok
}

// apart reports whether what comes next in the class, and what came before, is
// no dash: with a neighbour, that might be a range.
func (w *patternWriter) apart() bool {
	return !strings.HasPrefix(w.rest, "-") && !strings.HasSuffix(w.out.String(), "-")
}
