package resources

import (
	"errors"
	"fmt"
	"strings"
)

// maxTemplate bounds a template and the URI that is made of it, in bytes: a
// server may repeat a variable as often as it likes.
const maxTemplate = 1 << 16

// template is a URI template (RFC 6570, all four levels). Two rules are wider
// than the RFC's, because servers write such templates and match them as they
// are: a variable may have any name, and text between expressions is copied.
type template []expression

// expression is literal text or, where it has variables, what stands between
// two braces.
type expression struct {
	literal string
	operator
	variables []variable
}

type variable struct {
	name    string
	explode bool // name*
	prefix  int  // name:3, in characters; 0 where there is none
}

// operator says how the variables of an expression are written (RFC 6570,
// appendix A).
type operator struct {
	first, separator string
	named            bool   // as name=value
	empty            string // what follows the name of an empty value
	reserved         bool   // reserved characters stay as they are
}

var operators = map[byte]operator{
	0:   {separator: ","}, // none
	'+': {separator: ",", reserved: true},
	'#': {first: "#", separator: ",", reserved: true},
	'.': {first: ".", separator: "."},
	'/': {first: "/", separator: "/"},
	';': {first: ";", separator: ";", named: true},
	'?': {first: "?", separator: "&", named: true, empty: "="},
	'&': {first: "&", separator: "&", named: true, empty: "="},
}

// parseTemplate reads a template.
func parseTemplate(s string) (template, error) {
	if len(s) > maxTemplate {
		return nil, fmt.Errorf("it has more than %d bytes", maxTemplate)
	}
	var t template
	for s != "" {
		literal, rest, opened := strings.Cut(s, "{")
		if strings.Contains(literal, "}") {
			return nil, errors.New(`a "}" has no "{" before it`)
		}
		if literal != "" {
			t = append(t, expression{literal: literal})
		}
		if !opened {
			break
		}
		inside, rest, closed := strings.Cut(rest, "}")
		if !closed {
			return nil, errors.New(`a "{" is not closed`)
		}
		e, err := parseExpression(inside)
		if err != nil {
			return nil, fmt.Errorf("%w in {%s}", err, clip(inside, maxEcho))
		}
		t, s = append(t, e), rest
	}
	return t, nil
}

func parseExpression(s string) (expression, error) {
	e := expression{operator: operators[0]}
	if s != "" {
		if op, known := operators[s[0]]; known {
			e.operator, s = op, s[1:]
		} else if strings.IndexByte("=,!@|", s[0]) >= 0 {
			return e, errors.New("an operator that is not known")
		}
	}
	for spec := range strings.SplitSeq(s, ",") {
		v, err := parseVariable(spec)
		if err != nil {
			return e, err
		}
		e.variables = append(e.variables, v)
	}
	return e, nil
}

func parseVariable(s string) (variable, error) {
	name, explode := strings.CutSuffix(s, "*")
	name, digits, prefixed := strings.Cut(name, ":")
	v := variable{name: name, explode: explode}
	if prefixed {
		const most = 9_999 // RFC 6570, section 2.4.1
		n, ok := wholeNumber(digits)
		if !ok || n == 0 || n > most || explode {
			return v, errors.New("a wrong modifier")
		}
		v.prefix = n
	}
	if strings.TrimSpace(name) == "" || strings.ContainsAny(name, "{*") {
		return v, errors.New("a variable without a name")
	}
	return v, nil
}

// names are the variables, each once, in order, and those of them that are
// needed. Named parameters such as {?q} may be left out; without any other
// variable the URI would be that of something else.
func (t template) names() (all, needed []string) {
	const known, isNeeded = 1, 2
	seen := map[string]int{}
	for _, e := range t {
		for _, v := range e.variables {
			if seen[v.name] == 0 {
				seen[v.name] = known
				all = append(all, v.name)
			}
			if !e.named && seen[v.name] == known {
				seen[v.name] = isNeeded
				needed = append(needed, v.name)
			}
		}
	}
	return all, needed
}

// expand fills the template in. Variables without a value are left out.
func (t template) expand(values map[string]value) (string, error) {
	var b strings.Builder
	for _, e := range t {
		b.WriteString(e.literal)
		lead := e.first
		for _, v := range e.variables {
			val := values[v.name]
			if val.undefined() {
				continue
			}
			b.WriteString(lead)
			lead = e.separator
			e.write(&b, v, val)
			if b.Len() > maxTemplate {
				return "", fmt.Errorf("the uri has more than %d bytes", maxTemplate)
			}
		}
	}
	return b.String(), nil
}

// write adds one variable (RFC 6570, section 3.2.1).
func (e expression) write(b *strings.Builder, v variable, val value) {
	if val.kind == scalar {
		text := val.parts[0].text
		if v.prefix > 0 {
			text = firstRunes(text, v.prefix)
		}
		e.pair(b, v.name, text)
		return
	}
	separator := ","
	if v.explode {
		separator = e.separator
	} else if e.named {
		b.WriteString(v.name + "=")
	}
	for i, p := range val.parts {
		if i > 0 {
			b.WriteString(separator)
		}
		switch {
		case v.explode && val.kind == list:
			e.pair(b, v.name, p.text)
		case v.explode && e.named && p.text == "":
			e.encode(b, p.key)
			b.WriteString(e.empty)
		case v.explode:
			e.encode(b, p.key)
			b.WriteByte('=')
			e.encode(b, p.text)
		case val.kind == pairs:
			e.encode(b, p.key)
			b.WriteByte(',')
			e.encode(b, p.text)
		default:
			e.encode(b, p.text)
		}
	}
}

// firstRunes returns the first n characters of s.
func firstRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// pair adds a value, under its name where the operator has it so.
func (e expression) pair(b *strings.Builder, name, text string) {
	if e.named {
		b.WriteString(name)
		if text == "" {
			b.WriteString(e.empty)
			return
		}
		b.WriteByte('=')
	}
	e.encode(b, text)
}

const (
	unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
	reserved   = ":/?#[]@!$&'()*+,;="
	hex        = "0123456789ABCDEF"
)

// encode adds text, percent-encoding the UTF-8 of what may not stand there.
func (e expression) encode(b *strings.Builder, text string) {
	for i := range len(text) {
		switch c := text[i]; {
		case strings.IndexByte(unreserved, c) >= 0,
			e.reserved && (strings.IndexByte(reserved, c) >= 0 || isTriplet(text[i:])):
			b.WriteByte(c)
		default:
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		}
	}
}

// isTriplet reports whether s starts with a character that is encoded already.
func isTriplet(s string) bool {
	isHex := func(c byte) bool {
		return '0' <= c && c <= '9' || 'A' <= c && c <= 'F' || 'a' <= c && c <= 'f'
	}
	return len(s) >= 3 && s[0] == '%' && isHex(s[1]) && isHex(s[2])
}
