package args

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// wrapper is the only argument LangChainGo's own OpenAIFunctionsAgent shows a
// model: the real arguments come inside.
const wrapper = "__arg1"

// maxWraps bounds how often arguments are taken out of a string or a wrapper.
const maxWraps = 8

// reader finds the arguments in one text.
type reader struct {
	*shape
	mender
	restored func(value) (value, error) // maps names the model was shown back
	wraps    int                        // strings and wrappers opened so far
}

// fits reports whether an object looks like arguments, under the server's names
// or those the model was shown, or like a call with them.
func (r *reader) fits(v *value) bool {
	if r.fitsItself(v) {
		return true
	}
	_, ok := r.enclosing(v, 0)
	return ok
}

func (r *reader) fitsItself(v *value) bool {
	if r.shape.fits(v) {
		return true
	}
	back, err := r.restored(*v)
	return err == nil && r.shape.fits(&back)
}

// read turns a model's text into an object.
func (r *reader) read(src string) (value, error) {
	t := trim(src)
	if r.nothing(t) {
		return newObject(), nil
	}
	v, err := scan(t)
	if err == nil {
		return r.complete(v)
	}
	if hard(err) {
		return value{}, misread(t, err)
	}
	return r.loose(t)
}

// trim removes what surrounds a text without meaning anything.
func trim(s string) string { return strings.Trim(s, " \t\r\n\v\f\u00a0\u200b\ufeff") }

// hard reports errors that no other reading of the text can mend.
func hard(err error) bool {
	var twice *twiceError
	var syntax *syntaxError
	return errors.As(err, &twice) || errors.As(err, &syntax) && syntax.limit
}

// complete makes arguments of a text that was one JSON value.
func (r *reader) complete(v value) (value, error) {
	switch v.kind {
	case object:
		return r.unwrap(v)
	case null:
		return newObject(), nil
	case text:
		return r.quoted(&v)
	case array:
		if r.takes(arrays) {
			break
		}
		if len(v.kids) == 0 {
			return newObject(), nil
		}
		if one, err := r.listed(&v); one != nil || err != nil {
			return *one, err
		}
	}
	return r.bare(v, nil)
}

// listed takes the arguments out of a list that holds nothing else. Several of
// them are a doubt: the tool is called once.
func (r *reader) listed(list *value) (*value, error) {
	for i := range list.kids {
		item := &list.kids[i]
		if item.kind != object || !r.fits(item) {
			continue
		}
		if len(list.kids) > 1 {
			return &value{}, trouble("the text holds a list of %d values: write exactly one object, and call the tool once for each", len(list.kids))
		}
		args, err := r.unwrap(*item)
		return &args, err
	}
	return nil, nil
}

// unwrap opens {"__arg1": …} and whole calls. A schema that has an argument of
// this name keeps it. What stands beside the wrapper belongs to the arguments as well.
func (r *reader) unwrap(v value) (value, error) {
	wrapped := v.get(wrapper)
	if wrapped == nil || r.knows(wrapper) {
		if e, ok := r.enclosing(&v, 0); ok {
			return r.opened(e)
		}
		return bared(v), nil
	}
	if r.wraps++; r.wraps > maxWraps {
		return value{}, trouble("the arguments are wrapped too many times")
	}
	rest := v
	rest.drop(func(member *value) bool { return member.name == wrapper })
	inner, err := r.inside(wrapped, &rest)
	if err != nil {
		return value{}, err
	}
	return merge(bared(inner), &rest)
}

// inside reads what a wrapper holds, next to the members in beside.
func (r *reader) inside(v, beside *value) (value, error) {
	switch v.kind {
	case object:
		return r.unwrap(*v)
	case null:
		return newObject(), nil
	case text:
		if len(beside.kids) == 0 {
			if err := r.doubt(v.str()); err != nil {
				return value{}, err
			}
			return r.quoted(v)
		}
		if lossy(v) {
			break
		}
		if found, ok, err := r.enclosed(v.str()); ok || err != nil {
			return found, err
		}
	case array:
		if len(v.kids) == 0 && !r.takes(arrays) {
			return newObject(), nil
		}
	}
	return r.bare(*v, beside)
}

// bared returns v as a value that stands for itself.
func bared(v value) value {
	v.name, v.key = "", ""
	return v
}

// merge adds the members beside a wrapper to those that came out of it.
func merge(v value, beside *value) (value, error) {
	for _, member := range beside.kids {
		switch old := v.get(member.name); {
		case old == nil:
			v.add(member.name, member)
		case !equal(old, &member):
			return value{}, misread("", &twiceError{member.name})
		}
	}
	return v, nil
}

// quoted makes arguments of a text that was one JSON string: a JSON text
// inside, nothing, or else a bare value, which stays as it is.
func (r *reader) quoted(v *value) (value, error) {
	if !lossy(v) {
		if found, ok, err := r.enclosed(v.str()); ok || err != nil {
			return found, err
		}
	}
	return r.bare(*v, nil)
}

// enclosed looks for an object inside a string; ok tells whether there is one,
// or nothing at all.
func (r *reader) enclosed(inner string) (v value, ok bool, err error) {
	t := trim(inner)
	if r.nothing(t) {
		return newObject(), true, nil
	}
	if r.wraps++; r.wraps > maxWraps {
		return value{}, false, trouble("the arguments are wrapped too many times")
	}
	if !strings.ContainsAny(t, `{"`) {
		return value{}, false, nil
	}
	switch v, err := scan(t); {
	case err != nil:
		return r.among(t)
	case v.kind == text:
		return r.enclosed(v.str())
	case v.kind == object && (r.fits(&v) || !r.takes(texts)):
		found, err := r.unwrap(v)
		return found, err == nil, err
	}
	return value{}, false, nil
}

// bare makes a value the only argument.
func (r *reader) bare(v value, beside *value) (value, error) {
	name, ok := r.only(beside)
	if !ok {
		return value{}, r.homeless(&v)
	}
	if v.kind != text && r.typesOf(name)&typeOf(&v) == 0 && r.typesOf(name)&texts != 0 {
		v = newText(v.json()) // an unquoted 5 for a string is "5"
	}
	args := newObject()
	args.add(name, v)
	return args, nil
}

// bareText makes an unquoted text the only argument.
func (r *reader) bareText(t string) (value, error) {
	name, ok := r.only(nil)
	if !ok {
		v := newText(t)
		return value{}, r.homeless(&v)
	}
	if err := r.doubt(t); err != nil {
		return value{}, err
	}
	args := newObject()
	args.add(name, r.literal(name, t))
	return args, nil
}

// literal reads an unquoted text as the value of an argument: a string where
// the argument may be one, else what the text says in JSON or Python.
func (r *reader) literal(name, t string) value {
	types := r.typesOf(name)
	if v, ok := r.evaluate(t); ok && types&typeOf(&v) != 0 && (v.kind != text || types == texts) {
		return v
	}
	return newText(t)
}

// evaluate reads a text as one literal of JSON or Python.
func (m *mender) evaluate(t string) (value, bool) {
	if v, err := scan(t); err == nil {
		return v, true
	}
	switch t {
	case "True", "TRUE":
		return value{kind: boolean, raw: "true"}, true
	case "False", "FALSE":
		return value{kind: boolean, raw: "false"}, true
	case "None", "NULL", "undefined":
		return value{kind: null, raw: "null"}, true
	}
	if inner, ok := between(t, "'", "'"); ok && !strings.ContainsAny(inner, `'\`) {
		return newText(inner), true
	}
	if strings.HasPrefix(t, "[") || strings.HasPrefix(t, "{") {
		return m.mend(t)
	}
	return value{}, false
}

// between returns what stands between two marks, if t begins and ends so.
func between(t, before, after string) (string, bool) {
	if len(t) < len(before)+len(after) || !strings.HasPrefix(t, before) || !strings.HasSuffix(t, after) {
		return "", false
	}
	return t[len(before) : len(t)-len(after)], true
}

// homeless explains that a text is no object and that no single argument could
// be meant by it.
func (r *reader) homeless(v *value) error {
	if len(r.names) == 0 {
		return trouble("the tool names no arguments: write {}, or one JSON object; got %s", excerpt(v))
	}
	return trouble("the arguments must be one JSON object with names; got %s", excerpt(v))
}

// misread explains why t is not JSON.
func misread(t string, err error) error {
	var twice *twiceError
	if errors.As(err, &twice) {
		return troubleAt(path("").member(twice.name), "given twice with different values; give it once")
	}
	var syntax *syntaxError
	if !errors.As(err, &syntax) {
		return trouble("the arguments are not valid JSON: %v", err)
	}
	switch {
	case syntax.limit:
		return trouble("the arguments are too large: %s", syntax.msg)
	case syntax.ended:
		return trouble("the JSON of the arguments is cut off: it ends with %s; write the whole object again", tail(t))
	}
	return trouble("the arguments are not valid JSON: %s, after %s", syntax.msg, tail(t[:min(syntax.at, len(t))]))
}

// tail shows the end of a text.
func tail(t string) string {
	const most = 40
	if len(t) > most {
		t = t[len(t)-most:]
		for len(t) > 0 && !utf8.RuneStart(t[0]) {
			t = t[1:]
		}
		return "…" + fmt.Sprintf("%q", t)
	}
	return fmt.Sprintf("%q", t)
}
