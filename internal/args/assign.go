package args

import (
	"regexp"
	"strings"
)

// assigned reads name="value", name: value and lists of these, with or without
// a call f(…) around them. Only names of the schema count: anything else is a
// text that happens to hold a colon.
func (r *reader) assigned(t string) (value, bool) {
	if len(r.names) == 0 {
		return value{}, false
	}
	if v, ok := r.pairs(t); ok {
		return v, true
	}
	if m := call.FindStringIndex(t); m != nil && strings.HasSuffix(cutTail(t), ")") {
		return r.pairs(strings.TrimSuffix(cutTail(t), ")")[m[1]:])
	}
	return value{}, false
}

// call is how a function call begins.
var call = regexp.MustCompile(`^[A-Za-z_][\w.-]*\s*\(`)

func (r *reader) pairs(t string) (value, bool) {
	args := newObject()
	for {
		name, rest, ok := r.named(t)
		if !ok || args.get(name) != nil {
			return value{}, false
		}
		v, rest, ok := r.assignedValue(name, rest)
		if !ok {
			return value{}, false
		}
		args.add(name, v)
		t = strings.TrimLeft(rest, " \t\r\n,;")
		if t == "" || startsTurn(t) {
			return args, true
		}
	}
}

// startsTurn reports whether the first line of t is an invented one.
func startsTurn(t string) bool {
	line, _, _ := strings.Cut(t, "\n")
	return turnAt(line, turns) == 0
}

// maxName bounds how far the sign after a name is looked for.
const maxName = 200

// named takes a known name, quoted or not, and the sign after it from the begin
// of t.
func (r *reader) named(t string) (name, rest string, ok bool) {
	if t == "" {
		return "", "", false
	}
	head := t[:min(len(t), maxName)]
	if strings.IndexByte("\"'`", t[0]) >= 0 {
		end := strings.IndexByte(head[1:], t[0])
		if end < 0 {
			return "", "", false
		}
		name, rest = head[1:1+end], t[end+2:]
	} else {
		end := strings.IndexAny(head, "=:")
		if end < 0 {
			return "", "", false
		}
		name, rest = strings.TrimRight(head[:end], " \t"), t[end:]
	}
	if !r.knows(name) {
		return "", "", false
	}
	rest, ok = sign(rest)
	return name, rest, ok
}

// sign takes = or : from the begin of what follows a name, but not ==, => or
// the begin of a URL.
func sign(t string) (string, bool) {
	t = strings.TrimLeft(t, " \t")
	if t == "" || t[0] != '=' && t[0] != ':' {
		return "", false
	}
	rest := t[1:]
	if strings.HasPrefix(rest, "=") || strings.HasPrefix(rest, ">") || strings.HasPrefix(rest, "//") {
		return "", false
	}
	return strings.TrimLeft(rest, " \t\r\n"), true
}

// assignedValue takes the value of an argument from the begin of t: a JSON
// value, a quoted text, or all up to the next name.
func (r *reader) assignedValue(name, t string) (v value, rest string, ok bool) {
	if v, rest, ok = leading(t); ok && ended(rest) {
		isText := v.kind == text && strings.HasPrefix(t, "'")
		if types := r.typesOf(name); isText || types&typeOf(&v) != 0 {
			return v, rest, true
		}
		if v.kind == object {
			return value{}, "", false // name: {…} around the arguments themselves
		}
	}
	end := r.nextName(t)
	bare := t[:end]
	if end == len(t) {
		bare = cutTail(bare)
	}
	if bare = trim(bare); bare == "" {
		return value{}, "", false
	}
	return r.literal(name, bare), t[end:], true
}

// leading takes a JSON value or a text in single quotes from the begin of t.
func leading(t string) (value, string, bool) {
	if inner, ok := strings.CutPrefix(t, "'"); ok {
		end := strings.IndexByte(inner, '\'')
		if end < 0 || strings.IndexByte(inner[:end], '\\') >= 0 {
			return value{}, "", false
		}
		return newText(inner[:end]), inner[end+1:], true
	}
	v, end, err := scanPrefix(t)
	if err != nil {
		return value{}, "", false
	}
	return v, t[end:], true
}

// ended reports whether nothing, a separator or an invented line follows.
func ended(rest string) bool {
	rest = strings.TrimLeft(rest, " \t\r\n")
	return rest == "" || rest[0] == ',' || rest[0] == ';' || startsTurn(rest)
}

// nextName returns where in t a separator with the next name stands.
func (r *reader) nextName(t string) int {
	for at := 0; at < len(t); at++ {
		i := strings.IndexAny(t[at:], ",;\n")
		if i < 0 {
			break
		}
		at += i
		if _, _, ok := r.named(strings.TrimLeft(t[at+1:], " \t\r\n")); ok {
			return at
		}
	}
	return len(t)
}
