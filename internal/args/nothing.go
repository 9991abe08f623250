package args

import "strings"

// none are texts that say that there are no arguments, whatever the schema.
var none = map[string]bool{
	"": true, "{}": true, "null": true, "None": true, "NULL": true, "Null": true, "undefined": true,
	`""`: true, "''": true, "``": true, "()": true,
}

// noneSaid are words for the same. They count only where no argument is
// required, because elsewhere they may be a bare value.
var noneSaid = map[string]bool{
	"none": true, "nil": true, "n/a": true, "na": true, "nothing": true, "empty": true, "void": true,
	"no input": true, "no inputs": true, "no argument": true, "no arguments": true, "no args": true,
	"no parameter": true, "no parameters": true, "no params": true, "none needed": true,
	"none required": true, "not applicable": true, "no input needed": true, "no input required": true,
	"no arguments needed": true, "no arguments required": true, "no parameters needed": true,
	"no parameters required": true,
}

// nothing reports whether t says that there are no arguments.
func (r *reader) nothing(t string) bool {
	if len(t) > 100 {
		return false
	}
	if none[t] {
		return true
	}
	if len(r.required) > 0 {
		return false
	}
	words := strings.ToLower(strings.TrimRight(t, ".!"))
	for _, marks := range []string{"()", "<>", "[]"} {
		if inner, ok := between(words, marks[:1], marks[1:]); ok {
			words = trim(inner)
			break
		}
	}
	return noneSaid[words]
}

// vague are words that rather say what the tool shall do than be a value.
var vague = map[string]bool{
	"all": true, "any": true, "anything": true, "everything": true, "default": true, "defaults": true, "list": true, "get": true, "show": true,
	"fetch": true, "go": true, "run": true, "start": true, "begin": true, "execute": true, "call": true, "ok": true, "okay": true, "yes": true,
	"continue": true, "*": true, "-": true, ".": true, "...": true, "…": true, "input": true, "arguments": true, "args": true,
}

// doubt tells that an unquoted text may stand for no arguments at all, where
// none is required: "list all" for a tool whose only argument is a cursor. One
// word may be a value, and so may what the argument lists as one.
func (r *reader) doubt(t string) error {
	name, ok := r.only(nil)
	if !ok || len(r.required) > 0 || r.lists(name, t) {
		return nil
	}
	t = trim(t)
	if strings.ContainsAny(t, `{["`) || !strings.ContainsAny(t, " \t\n") && !vague[strings.ToLower(t)] {
		return nil
	}
	v := newText(t)
	return trouble("%s may be a value or say that there is none: write {}, or one JSON object with names", excerpt(&v))
}
