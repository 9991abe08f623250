package filter

import (
	"fmt"
	"path"
	"strings"
	"unicode/utf8"
)

// glob is a compiled pattern. Matching takes at most len(pattern) × len(name)
// steps, whatever the pattern.
type glob []token

type token struct {
	kind    tokenKind
	literal string // for literal: the bytes of one character
	ranges  []runeRange
	negated bool
}

type tokenKind int

const (
	literal  tokenKind = iota
	anyOne             // ?
	anyRun             // *
	oneOfSet           // [a-z]
)

type runeRange struct{ lo, hi rune }

// compile reads a pattern; its error wraps [path.ErrBadPattern] and says what
// to write instead.
func compile(pattern string) (glob, error) {
	var g glob
	for rest := pattern; rest != ""; {
		var t token
		var err error
		if t, rest, err = nextToken(rest); err != nil {
			return nil, fmt.Errorf("filter: %w %s: %w", path.ErrBadPattern, quote(pattern), err)
		}
		if t.kind == anyRun && len(g) > 0 && g[len(g)-1].kind == anyRun {
			continue
		}
		g = append(g, t)
	}
	return g, nil
}

func nextToken(s string) (token, string, error) {
	switch s[0] {
	case '*':
		return token{kind: anyRun}, s[1:], nil
	case '?':
		return token{kind: anyOne}, s[1:], nil
	case '[':
		return setToken(s[1:])
	case '\\':
		if s = s[1:]; s == "" {
			return token{}, "", fmt.Errorf(`it ends in a backslash: write "\\" for the character itself`)
		}
	}
	_, n := utf8.DecodeRuneInString(s)
	return token{kind: literal, literal: s[:n]}, s[n:], nil
}

// setToken reads what follows an opening bracket.
func setToken(s string) (token, string, error) {
	t := token{kind: oneOfSet}
	if s != "" && (s[0] == '^' || s[0] == '!') {
		t.negated, s = true, s[1:]
	}
	for {
		if strings.HasPrefix(s, "]") && len(t.ranges) > 0 {
			return t, s[1:], nil
		}
		r, rest, err := setRange(s)
		if err != nil {
			return token{}, "", err
		}
		t.ranges, s = append(t.ranges, r), rest
	}
}

func setRange(s string) (runeRange, string, error) {
	lo, s, err := setRune(s)
	if err != nil || !strings.HasPrefix(s, "-") {
		return runeRange{lo, lo}, s, err
	}
	hi, s, err := setRune(s[1:])
	if err == nil && lo > hi {
		err = fmt.Errorf("the range %q-%q runs backwards: write the lower end first", lo, hi)
	}
	return runeRange{lo, hi}, s, err
}

func setRune(s string) (rune, string, error) {
	if strings.HasPrefix(s, `\`) {
		s = s[1:]
	} else if strings.HasPrefix(s, "]") || strings.HasPrefix(s, "-") {
		return 0, s, fmt.Errorf(`%q stands where a character of a set is due: write "\%c" for the character itself`, s[:1], s[0])
	}
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return 0, s, fmt.Errorf(`a "[" is not closed: add "]", or write "\[" for the character itself`)
	}
	if r == utf8.RuneError && n == 1 {
		return 0, s, fmt.Errorf("a set holds bytes that are not UTF-8: spell the set in UTF-8")
	}
	return r, s[n:], nil
}

// match tells whether the whole of name fits. On a mismatch only the last run
// takes in one more character, which is enough: runs before it can gain
// nothing by growing.
func (g glob) match(name string) bool {
	at, pos := 0, 0
	run, runEnd := -1, 0
	for pos < len(name) {
		if at < len(g) {
			if g[at].kind == anyRun {
				run, runEnd = at, pos
				at++
				continue
			}
			if n := g[at].eat(name[pos:]); n > 0 {
				at++
				pos += n
				continue
			}
		}
		if run < 0 {
			return false
		}
		_, n := utf8.DecodeRuneInString(name[runEnd:])
		runEnd += n
		at, pos = run+1, runEnd
	}
	for at < len(g) && g[at].kind == anyRun {
		at++
	}
	return at == len(g)
}

// eat returns how many bytes of the non-empty s the token takes, 0 for none.
// Literals are compared as bytes, so that broken UTF-8 equals only itself.
func (t token) eat(s string) int {
	if t.kind == literal {
		if strings.HasPrefix(s, t.literal) {
			return len(t.literal)
		}
		return 0
	}
	r, n := utf8.DecodeRuneInString(s)
	if t.kind == oneOfSet && t.includes(r) == t.negated {
		return 0
	}
	return n
}

func (t token) includes(r rune) bool {
	for _, b := range t.ranges {
		if b.lo <= r && r <= b.hi {
			return true
		}
	}
	return false
}

// exact returns the one name the pattern stands for, if there is only one.
func (g glob) exact() (string, bool) {
	var b strings.Builder
	for _, t := range g {
		if t.kind != literal {
			return "", false
		}
		b.WriteString(t.literal)
	}
	return b.String(), true
}
