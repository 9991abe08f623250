package args

import (
	"regexp"
	"slices"
	"strings"
)

// This file takes the arguments out of a whole tool call. Models that were
// trained on calls of one form or another write all of it where only the
// arguments are asked for.

// What a call as JSON is made of, in the forms there are.
var (
	// payloads hold the arguments.
	payloads = []string{"arguments", "args", "parameters", "params", "input", "tool_input", "toolInput", "action_input", "actionInput", "tool_args",
		"tool_arguments", "function_arguments", "function_args", "kwargs"}
	// labels name the tool or say that it is one.
	labels = []string{"name", "tool", "tool_name", "toolName", "action", "function", "function_name", "id", "type", "recipient_name", "call_id", "tool_call_id", "index"}
	// holders hold a whole call.
	holders = []string{"function", "function_call", "functionCall", "tool_call", "tool_calls", "tool_use", "call"}
)

// envelope is a call whose arguments are in payload.
type envelope struct {
	payload *value
	labels  int // members beside it
}

// maxEnvelopes bounds how deep envelopes are looked into.
const maxEnvelopes = 4

// enclosing returns the envelope that v is. It is one only if the schema could
// not have meant it: no member is an argument, others are not provided for, and
// what is inside can be the arguments.
func (r *reader) enclosing(v *value, depth int) (envelope, bool) {
	var e envelope
	if v.kind != object || depth > maxEnvelopes || r.free && len(r.required) == 0 {
		return e, false
	}
	for i := range v.kids {
		member := &v.kids[i]
		switch holds := slices.Contains(payloads, member.name) || slices.Contains(holders, member.name) && member.kind != text; {
		case r.knows(member.name) || slices.Contains(r.required, member.name):
			return e, false
		case holds && e.payload == nil:
			e.payload = member
		case slices.Contains(labels, member.name) && (member.kind == text || member.kind == number):
			e.labels++
		default:
			return e, false
		}
	}
	return e, e.payload != nil && r.encloses(e, depth)
}

// encloses reports whether the payload of e can be the arguments.
func (r *reader) encloses(e envelope, depth int) bool {
	switch p := e.payload; p.kind {
	case object:
		if len(p.kids) == 0 || e.labels > 0 && len(r.required) > 0 {
			return true
		}
		_, deeper := r.enclosing(p, depth+1)
		return deeper || len(r.names) > 0 && r.fitsItself(p)
	case array:
		return p.name == "tool_calls" && len(p.kids) == 1 && r.encloses(envelope{payload: &p.kids[0]}, depth+1)
	case null:
		return e.labels > 0
	case text:
		return r.enclosesText(e, depth)
	}
	return false
}

// enclosesText reports whether a string can be the arguments: their JSON or, if
// the call names a tool, the only one that is required.
func (r *reader) enclosesText(e envelope, depth int) bool {
	s := trim(e.payload.str())
	if lossy(e.payload) || depth >= maxEnvelopes {
		return false
	}
	inner, err := scan(s)
	if err != nil || inner.kind != object {
		return e.labels > 0 && (none[s] || len(r.required) == 1)
	}
	return r.encloses(envelope{payload: &inner, labels: e.labels}, depth+1)
}

// opened reads what an envelope holds.
func (r *reader) opened(e envelope) (value, error) {
	if r.wraps++; r.wraps > maxWraps {
		return value{}, trouble("the arguments are wrapped too many times")
	}
	p := bared(*e.payload)
	switch p.kind {
	case object:
		return r.unwrap(p)
	case array:
		return r.unwrap(bared(p.kids[0]))
	case text:
		return r.quoted(&p)
	}
	return newObject(), nil
}

// calls are the tags between which models write a call, and inputs those
// between which they write its arguments.
var (
	calls  = []string{"tool_call", "tool_calls", "function_call", "function_calls", "tool_use", "invoke", "function"}
	inputs = []string{"tool_input", "action_input", "tool_arguments"}
)

// untagged takes what stands between tags, such as <tool_call>…</tool_call> and
// <function=name>…</function>, off a text that begins with one. The end may be
// missing, since it stops some models.
func untagged(t string) (name, inner string, ok bool) {
	rest, found := strings.CutPrefix(t, "<")
	end := strings.IndexByte(rest, '>')
	if !found || end < 0 || end > maxName {
		return "", "", false
	}
	name, inner = rest[:end], rest[end+1:]
	if i := strings.IndexAny(name, "= \t\n"); i >= 0 {
		name = name[:i]
	} else if name == "function" || name == "invoke" {
		return "", "", false // these name the tool, or are another language's
	}
	if i := strings.LastIndex(inner, "</"+name+">"); i >= 0 {
		inner = inner[:i]
	}
	return name, trim(inner), slices.Contains(calls, name) || slices.Contains(inputs, name)
}

// marked reads arguments each of which stands between tags of its own:
// <parameter=name>value</parameter>, <parameter name="name">value</parameter>
// and <arg_key>name</arg_key><arg_value>value</arg_value>. ok tells whether t is
// nothing but these.
func (r *reader) marked(t string) (v value, ok bool) {
	args := newObject()
	for t != "" {
		name, text, rest, ok := r.markedPair(t)
		if !ok || !r.knows(name) || args.get(name) != nil {
			return value{}, false
		}
		args.add(name, r.literal(name, text))
		t = trim(rest)
	}
	return args, len(args.kids) > 0
}

// markedPair takes one argument off the begin of t.
func (r *reader) markedPair(t string) (name, text, rest string, ok bool) {
	if key, after, ok := element(t, "<arg_key>", "</arg_key>"); ok {
		text, rest, ok = element(trim(after), "<arg_value>", "</arg_value>")
		return trim(key), trim(text), rest, ok
	}
	for _, open := range []string{"<parameter=", "<parameter name=", "<param name="} {
		after, ok := strings.CutPrefix(t, open)
		name, after, closed := strings.Cut(after, ">")
		if !ok || !closed {
			continue
		}
		tag, _, _ := strings.Cut(strings.TrimLeft(open, "<"), "=")
		tag, _, _ = strings.Cut(tag, " ")
		text, rest, ok := strings.Cut(after, "</"+tag+">")
		return strings.Trim(name, "\"' "), trim(text), rest, ok
	}
	return "", "", "", false
}

// element takes what stands between two marks off the begin of t.
func element(t, open, end string) (inner, rest string, ok bool) {
	t, ok = strings.CutPrefix(t, open)
	if !ok {
		return "", "", false
	}
	return strings.Cut(t, end)
}

// tagged reads a text that begins with a tag. ok tells whether it does; what is
// not arguments then is only the name of a tool.
func (r *reader) tagged(t string) (v value, ok bool, err error) {
	name, inner, ok := untagged(t)
	if !ok {
		return value{}, false, nil
	}
	if r.wraps++; r.wraps > maxWraps {
		return value{}, true, trouble("the arguments are wrapped too many times")
	}
	if slices.Contains(inputs, name) {
		v, err = r.read(inner)
		return v, true, err
	}
	if tool, rest, ok := strings.Cut(inner, "<arg_key>"); ok && !strings.ContainsAny(tool, "<{") {
		inner = "<arg_key>" + rest
	}
	if none[inner] {
		return newObject(), true, nil
	}
	if v, ok := r.marked(inner); ok {
		return v, true, nil
	}
	if v, ok, err := r.tagged(inner); ok {
		return v, true, err
	}
	if v, ok := r.assigned(inner); ok {
		return v, true, nil
	}
	if v, ok, err := r.among(inner); ok || err != nil {
		return v, true, err
	}
	return value{}, true, trouble("the arguments cannot be told from the call around them: write exactly one JSON object")
}

// tokens are the signs with which models mark a call, not meant to be read.
var tokens = regexp.MustCompile(`^(?:<[|｜][^<>|｜]{1,60}[|｜]>\s*|\[TOOL_CALLS\]\s*)+|(?:\s*<[|｜][^<>|｜]{1,60}[|｜]>)+$`)

// pythonic is a call as Llama writes it: [name(argument="value")].
var pythonic = regexp.MustCompile(`^\[\s*[A-Za-z_][\w.-]*\s*\(`)

// unsigned takes such signs off a text.
func unsigned(t string) string {
	t = trim(tokens.ReplaceAllString(t, ""))
	if inner, ok := between(t, "[", "]"); ok && pythonic.MatchString(t) {
		return trim(inner)
	}
	return t
}
