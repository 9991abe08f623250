package args

import (
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// maxMatch bounds the work of one match: bytes of the text times instructions
// of the pattern.
const maxMatch = 50_000_000

// pattern is a regular expression of a schema. Schemas are written for the
// regular expressions of JavaScript, of which Go has no look-around and no back
// references. A pattern that cannot be compiled matches everything: it is the
// server's to check, and the rest of the schema still counts.
type pattern struct {
	source string
	re     *regexp.Regexp // nil matches everything
	size   int            // instructions
}

// maxInstructions bounds the size of all patterns of a schema together.
const maxInstructions = 200_000

// patterns compiles the patterns of one schema, each once.
type patterns struct {
	left     int // instructions
	compiled map[string]*pattern
}

// compile compiles a pattern. It never fails.
func (p *patterns) compile(source string) (jsonschema.Regexp, error) {
	if known, ok := p.compiled[source]; ok {
		return known, nil
	}
	if p.compiled == nil {
		p.compiled = map[string]*pattern{}
	}
	compiled := &pattern{source: source}
	p.compiled[source] = compiled
	translated, ok := fromECMA(source)
	if !ok || p.left <= 0 {
		return compiled, nil
	}
	parsed, err := syntax.Parse(translated, syntax.Perl)
	if err != nil {
		return compiled, nil
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return compiled, nil
	}
	compiled.size = len(prog.Inst)
	if p.left -= compiled.size; p.left > 0 {
		compiled.re, _ = regexp.Compile(translated)
	}
	return compiled, nil
}

// String returns the pattern as the schema has it.
func (p *pattern) String() string { return p.source }

// MatchString reports whether s holds a match, or true where that cannot be
// found out.
func (p *pattern) MatchString(s string) bool {
	return p.re == nil || len(s)*p.size > maxMatch || p.re.MatchString(s)
}

// What \s stands for in JavaScript, for use inside and outside of a class.
const (
	ecmaSpace    = `\t-\r\x{20}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}`
	ecmaNotSpace = `[^` + ecmaSpace + `]`
)

// fromECMA rewrites what JavaScript and Go both know under different names:
// \s, \S, \uXXXX, \u{X}, \cX, \/ and the brackets a class may hold unescaped.
func fromECMA(source string) (string, bool) {
	var b strings.Builder
	class := false
	for i := 0; i < len(source); i++ {
		c := source[i]
		switch {
		case c == '\\':
			s, n, ok := escapeFromECMA(source[i:], class)
			if !ok {
				return "", false
			}
			b.WriteString(s)
			i += n - 1
			continue
		case c == '[' && class:
			b.WriteString(`\[`)
			continue
		case c == '[':
			class = true
			if strings.HasPrefix(source[i:], "[]") || strings.HasPrefix(source[i:], "[^]") {
				return "", false // nothing and anything
			}
		case c == ']':
			class = false
		}
		b.WriteByte(c)
	}
	return b.String(), true
}

// escapeFromECMA rewrites the escape s begins with and says how long it is.
func escapeFromECMA(s string, class bool) (string, int, bool) {
	if len(s) < 2 {
		return "", 0, false
	}
	switch s[1] {
	case 's':
		if class {
			return ecmaSpace, 2, true
		}
		return "[" + ecmaSpace + "]", 2, true
	case 'S':
		return ecmaNotSpace, 2, !class
	case 'u':
		if strings.HasPrefix(s, `\u{`) {
			end := strings.IndexByte(s, '}')
			return `\x` + s[2:max(end, 1)+1], end + 1, end > 0
		}
		if len(s) < 6 {
			return "", 0, false
		}
		return `\x{` + s[2:6] + `}`, 6, true
	case 'c', 'k', 'Z', 'z', 'A', 'Q', 'E', 'C', 'a':
		return "", 0, false // other meanings in JavaScript, and rare
	}
	return s[:2], 2, true
}
