package args

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Error says why a text does not make arguments for a tool. It is meant for
// the model: the tool was not called, and the text says how to write the
// arguments.
type Error struct {
	// Text is all of it as one observation: what is wrong, fault by fault, and
	// the signature of the tool. It is valid UTF-8 and at most 4,000 characters
	// long.
	Text string
	// Faults are the single things that are wrong, in the order of the
	// arguments, at most 20. There is at least one.
	Faults []Fault
}

func (e *Error) Error() string { return e.Text }

// Fault is one thing that is wrong with the arguments.
type Fault struct {
	// Path leads to the value concerned: filters[0].name. It is empty for the
	// arguments as a whole.
	Path string
	// Problem says in words what was expected there and what was got. Values
	// are shown shortened.
	Problem string
}

// String returns path and problem.
func (f Fault) String() string {
	if f.Path == "" {
		return f.Problem
	}
	return f.Path + ": " + f.Problem
}

// Bounds of what a model is told.
const (
	maxFaults    = 20
	maxFault     = 400  // characters of one fault
	maxSignature = 1200 // characters of the signature
	maxObserved  = 4000 // characters of the whole
	maxExcerpt   = 80   // characters of a value that is shown
	maxPath      = 150
)

// troubled is a list of faults on its way to becoming an [Error].
type troubled []Fault

func (t troubled) Error() string { return fmt.Sprint([]Fault(t)) }

// trouble is a fault of the arguments as a whole.
func trouble(format string, a ...any) error { return troubleAt("", format, a...) }

func troubleAt(at path, format string, a ...any) error {
	return troubled{at.fault(format, a...)}
}

// newError puts faults into words.
func newError(faults troubled, signature string) *Error {
	var b strings.Builder
	b.WriteString("The tool was not called, because its arguments are not right.\n")
	shown := faults[:min(len(faults), maxFaults)]
	used := 0
	for i, f := range shown {
		line := "- " + clip(f.String(), maxFault) + "\n"
		if used += utf8.RuneCountInString(line); used > maxObserved-maxSignature-300 {
			shown = shown[:i]
			break
		}
		b.WriteString(line)
	}
	if n := len(faults) - len(shown); n > 0 {
		fmt.Fprintf(&b, "- and %d more\n", n)
	}
	b.WriteString("Write the arguments as one JSON object: " + clip(signature, maxSignature))
	return &Error{Text: b.String(), Faults: shown}
}

// path is the way to a value in the arguments, as a model would write it.
type path string

func (p path) member(name string) path {
	switch {
	case !isIdentifier(name):
		return p.add("[" + strconv.Quote(clip(name, 60)) + "]")
	case p == "":
		return path(clip(name, 60))
	}
	return p.add("." + clip(name, 60))
}

func (p path) item(i int) path { return p.add("[" + strconv.Itoa(i) + "]") }

func (p path) add(s string) path {
	switch {
	case strings.HasSuffix(string(p), "…"):
		return p
	case len(p)+len(s) > maxPath:
		return p + "…"
	}
	return p + path(s)
}

func (p path) fault(format string, a ...any) Fault {
	return Fault{Path: string(p), Problem: clip(fmt.Sprintf(format, a...), maxFault)}
}

func isIdentifier(s string) bool {
	for i, c := range s {
		if c != '_' && c != '-' && c != '$' && !unicode.IsLetter(c) && (i == 0 || !unicode.IsDigit(c)) {
			return false
		}
	}
	return s != ""
}

// excerpt shows a value, shortened.
func excerpt(v *value) string {
	if v.kind == text {
		return strconv.Quote(clip(v.str(), maxExcerpt))
	}
	return clip(v.json(), maxExcerpt)
}

// clip shortens a text to at most n characters, one of which then says so, and
// makes it one line of valid UTF-8.
func clip(s string, n int) string {
	if len(s) > 4*n+4 {
		s = s[:4*n+4] + "…"
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.Map(func(c rune) rune {
		if unicode.IsControl(c) || c == '\u2028' || c == '\u2029' {
			return ' '
		}
		return c
	}, s)
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	runes := []rune(s)
	return string(runes[:n-1]) + "…"
}
