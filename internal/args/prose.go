package args

import (
	"errors"
	"regexp"
	"strings"
	"unicode"
)

// This file reads texts that are not JSON as a whole: JSON between sentences,
// name="value" lists, and bare values as text agents write them.

// turns are the begins of lines with which a model goes on after its
// arguments, inventing what LangChainGo's text agents would say.
var turns = []string{"Observation", "Thought", "Action", "Action Input", "Final Answer", "New input", "Human", "AI"}

// observed is the one after which nothing is the model's own input.
var observed = turns[:1]

// turnAt returns where the first line begins that starts with one of the words
// and a colon, -1 if there is none.
func turnAt(t string, words []string) int {
	for at := 0; at >= 0; {
		if startsWith(strings.TrimLeft(t[at:], " \t"), words) {
			return at
		}
		next := strings.IndexByte(t[at:], '\n')
		if next < 0 {
			return -1
		}
		at += next + 1
	}
	return -1
}

// startsWith reports whether a line starts with one of the words and a colon.
func startsWith(line string, words []string) bool {
	if line == "" || line[0] < 'A' || line[0] > 'Z' {
		return false
	}
	for _, word := range words {
		if rest, ok := strings.CutPrefix(line, word); ok && strings.HasPrefix(strings.TrimLeft(rest, " \t"), ":") {
			return true
		}
	}
	return false
}

// loose reads a text that is not one JSON value.
func (r *reader) loose(t string) (value, error) {
	if short := unsigned(t); short != t {
		return r.read(short)
	}
	if v, ok, err := r.tagged(t); ok {
		return v, err
	}
	if v, ok := r.assigned(t); ok {
		return v, nil
	}
	if v, ok, err := r.among(t); ok || err != nil {
		return v, err
	}
	short := cutTail(t)
	if inner, ok := unfence(short); ok {
		short = inner
	}
	if short != t {
		return r.read(short)
	}
	if inner, ok := unquoted(t); ok {
		v := newText(inner)
		return r.quoted(&v)
	}
	return r.bareText(t)
}

// cutTail removes invented lines after the first line of a bare value.
func cutTail(t string) string {
	if at := turnAt(t, turns); at > 0 {
		return trim(t[:at])
	}
	return t
}

// unfence takes a text out of a code fence or inline code that encloses all of
// it.
func unfence(t string) (string, bool) {
	for _, fence := range []string{"```", "~~~"} {
		if inner, ok := between(t, fence, fence); ok && !strings.Contains(inner, fence) {
			first, rest, several := strings.Cut(inner, "\n")
			if several && isLanguage(trim(first)) {
				inner = rest
			}
			return trim(inner), true
		}
	}
	inner, ok := between(t, "`", "`")
	if !ok || strings.Contains(inner, "`") {
		return "", false
	}
	return trim(inner), true
}

// isLanguage reports whether the first line of a fence names a language.
func isLanguage(s string) bool {
	return !strings.ContainsFunc(s, func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("+-#._", c)
	})
}

// unquoted takes a text out of quotes that JSON does not know.
func unquoted(t string) (string, bool) {
	for _, q := range [][2]string{{"'", "'"}, {"“", "”"}, {"‘", "’"}, {"«", "»"}} {
		inner, ok := between(t, q[0], q[1])
		if ok && !strings.Contains(inner, q[0]) && !strings.Contains(inner, q[1]) {
			return inner, true
		}
	}
	return "", false
}

// among looks for the one object a text holds between sentences. ok tells
// whether there is one; an error says that there is one but which, or what it
// says, is unclear.
func (r *reader) among(t string) (v value, ok bool, err error) {
	f := finder{reader: r, text: t}
	f.run()
	mayBeText := r.takes(texts)
	fitting := 0
	for i := range f.objects {
		if v := &f.objects[i]; v.kind == array || r.fits(v) {
			fitting++
		}
	}
	switch {
	case f.err != nil && (f.meant || !mayBeText):
		return value{}, false, f.err
	case len(f.objects) == 0, fitting == 0 && mayBeText:
		return value{}, false, nil
	case len(f.objects) > 1:
		return value{}, false, trouble("the text holds %d different JSON objects: write exactly one", len(f.objects))
	case f.more():
		return value{}, false, trouble("the text holds another JSON value beside the object: write exactly one object")
	}
	v, err = r.complete(f.objects[0])
	return v, err == nil, err
}

// finder walks over a text and picks the JSON objects out of it. It never
// looks inside a broken object: what it found there could be anything.
type finder struct {
	*reader
	text    string
	pos     int
	objects []value // different ones; {} counts only if there is nothing else
	other   strings.Builder
	err     error // what is wrong with an object that could not be read
	meant   bool  // the broken object was meant to be the arguments
}

// maxGroups bounds how many brackets are looked at in one text.
const maxGroups = 64

func (f *finder) run() {
	for groups := 0; f.err == nil; groups++ {
		i := strings.IndexAny(f.text[f.pos:], "{[")
		if i < 0 || f.over(f.text[f.pos:f.pos+i]) {
			break
		}
		if groups == maxGroups {
			f.err, f.meant = trouble("the text holds too many brackets to tell the arguments: write exactly one JSON object"), len(f.objects) > 0
			break
		}
		f.other.WriteString(f.text[f.pos : f.pos+i])
		f.pos += i
		f.group()
	}
	rest := f.text[f.pos:]
	if at := turnAt(rest, turns); at >= 0 {
		rest = rest[:at]
	}
	f.other.WriteString(rest)
}

// over reports whether the model's own input has ended in a stretch of text
// between two objects.
func (f *finder) over(gap string) bool {
	if len(f.objects) > 0 {
		return turnAt(gap, turns) >= 0
	}
	at := turnAt(gap, observed)
	return at >= 0 && trim(f.text[:f.pos+at]) != ""
}

// group reads what begins with the bracket at pos.
func (f *finder) group() {
	rest := f.text[f.pos:]
	v, end, err := scanPrefix(rest)
	switch {
	case err == nil && (v.kind == object || f.listMatters(&v)):
		f.found(v)
		f.pos += end
	case err == nil:
		f.other.WriteString(rest[:end])
		f.pos += end
	case hard(err):
		f.err, f.meant = misread(rest, err), true
	case rest[0] == '[':
		f.list(rest, err)
	default:
		f.broken(rest, err)
	}
}

// listMatters reports whether a list in the text may be more than prose.
func (f *finder) listMatters(v *value) bool {
	if f.takes(arrays) {
		return true
	}
	for i := range v.kids {
		if v.kids[i].kind == object {
			return true
		}
	}
	return false
}

func (f *finder) found(v value) {
	if v.kind == array && len(v.kids) == 1 && !f.takes(arrays) {
		v = v.kids[0]
	}
	for i := range f.objects {
		old := &f.objects[i]
		if equal(old, &v) || v.kind == object && len(v.kids) == 0 {
			return
		}
		if old.kind == object && len(old.kids) == 0 {
			*old = v
			return
		}
	}
	f.objects = append(f.objects, v)
}

// list passes over a bracket that begins no JSON list.
func (f *finder) list(rest string, err error) {
	var syntax *syntaxError
	if f.pos == 0 && errors.As(err, &syntax) && syntax.ended {
		f.err, f.meant = misread(rest, err), f.takes(arrays) || strings.Contains(rest, "{")
		return
	}
	f.other.WriteByte('[')
	f.pos++
}

// broken mends an object that is nearly JSON, or passes over a bracket that
// begins none.
func (f *finder) broken(rest string, err error) {
	group, whole := enclosedGroup(rest)
	if whole {
		if v, ok := f.mend(group); ok && v.kind == object {
			f.found(v)
			f.pos += len(group)
			return
		}
	}
	looksSo := anyOpening.MatchString(group[:min(len(group), maxOpening)])
	f.meant = f.begins(rest) || f.pos == 0 && (!whole || looksSo)
	if f.meant || !whole && looksSo {
		f.err = misread(rest, err)
		return
	}
	f.other.WriteString(group) // all that follows, if the bracket is never closed
	f.pos += len(group)
}

// maxOpening bounds how much of an object is looked at for its first name.
const maxOpening = 1000

// opening is how an object with a first name begins.
var opening = regexp.MustCompile(`^\{\s*["'“‘]?([^"'“”‘’{}:,\n]{1,200})["'”’]?\s*:`)

// anyOpening is how something begins that was meant to be an object, whatever
// its names, and not a template or a block of code.
var anyOpening = regexp.MustCompile(`^\{\s*(?:["'“‘]|[^"'“”‘’{}:,\n]{1,200}:)`)

// begins reports whether a broken object begins with a known argument.
func (f *finder) begins(rest string) bool {
	m := opening.FindStringSubmatch(rest[:min(len(rest), maxOpening)])
	return m != nil && (f.knows(m[1]) || m[1] == wrapper)
}

// more reports whether beside the object another JSON value stands alone, one
// that is not part of a sentence.
func (f *finder) more() bool {
	left := strings.Trim(f.other.String(), " \t\r\n,;`~")
	if left == "" {
		return false
	}
	_, err := scan(left)
	return err == nil
}
