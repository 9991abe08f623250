package render

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcptoolset/mcptoolset/internal/decode"
	"github.com/mcptoolset/mcptoolset/internal/decode/rawjson"
)

// wrappers are names that say nothing of what is below them. Servers that have
// to answer an object put a text, a number or a list under one of them.
var wrappers = []string{"result", "results", "content", "contents", "text", "output", "value", "data", "response", "items"}

// says reports whether the items of a result say already what its structured
// part is: a text item is the same JSON; or it is an object with one member
// only, a string that is the text; or with one member under a name that says
// nothing, and its value is the JSON of a text item, the list of the text items
// or the items themselves.
func says(content []decode.Content, structured json.RawMessage) bool {
	if saysJSON(content, structured) {
		return true
	}
	name, value, ok := wrapped(structured)
	switch {
	case !ok:
		return saysText(content, structured)
	case saysText(content, value):
		return true
	}
	return slices.Contains(wrappers, name) &&
		(saysJSON(content, value) || saysList(content, value))
}

// wrapped returns the only member of an object.
func wrapped(object json.RawMessage) (name string, value json.RawMessage, ok bool) {
	r := rawjson.NewReader(object)
	if r.Peek() != rawjson.Object {
		return "", nil, false
	}
	members := 0
	r.Object(func(key []byte) {
		name = string(key)
		value = r.Value().Raw
		members++
	})
	return name, value, members == 1 && r.End() == nil
}

// saysJSON reports whether one of the text items is this JSON.
func saysJSON(content []decode.Content, value json.RawMessage) bool {
	// A server that means to say the same does so early. Looking at everything
	// would let a hostile one take up time.
	const maxCompared = 16
	kind := rawjson.NewReader(value).Peek()
	compared := 0
	for _, c := range content {
		if c.Type != decode.TypeText || !mayBe(c.Text, kind, len(value)) {
			continue
		}
		if rawjson.Same([]byte(c.Text), value) {
			return true
		}
		if compared++; compared == maxCompared {
			return false
		}
	}
	return false
}

// mayBe tells cheaply most texts that cannot be JSON of this kind and size: by
// the first character, and because escapes and white space make one writing
// only so many times as long as another.
func mayBe(text string, kind rawjson.Kind, size int) bool {
	const stretch = 16
	text = strings.TrimLeft(text, " \t\r\n\uFEFF")
	if text == "" || size > stretch*len(text) {
		return false
	}
	return rawjson.NewReader([]byte(text[:1])).Peek() == kind
}

// saysText reports whether a string is one of the text items, or all of them
// together. White space around it does not matter.
func saysText(content []decode.Content, value json.RawMessage) bool {
	r := rawjson.NewReader(value)
	if r.Peek() != rawjson.String {
		return false
	}
	text := strings.TrimSpace(r.Value().Text())
	if text == "" {
		return false // it says more than nothing at all
	}
	all := texts(content)
	if slices.ContainsFunc(all, func(s string) bool { return strings.TrimSpace(s) == text }) {
		return true
	}
	size := 0
	for _, s := range all {
		size += len(strings.TrimSpace(s))
	}
	if len(all) < 2 || size > len(text) {
		return false
	}
	return slices.ContainsFunc([]string{"", "\n", "\n\n"}, func(between string) bool {
		return strings.TrimSpace(strings.Join(all, between)) == text
	})
}

func texts(content []decode.Content) (all []string) {
	for _, c := range content {
		if c.Type == decode.TypeText {
			all = append(all, c.Text)
		}
	}
	return all
}

// saysList reports whether a list is that of the text items, each a string or
// the JSON of one, or that of the items as they were sent.
func saysList(content []decode.Content, value json.RawMessage) bool {
	r := rawjson.NewReader(value)
	if r.Peek() != rawjson.List {
		return false
	}
	n, same := 0, true
	r.List(func(i int) {
		v := r.Value()
		n++
		if same = same && i < len(content); same {
			c := &content[i]
			same = c.Type == decode.TypeText && (v.Kind == rawjson.String && v.Text() == c.Text || rawjson.Same([]byte(c.Text), v.Raw)) ||
				v.Kind == rawjson.Object && bytes.HasPrefix(c.Raw, []byte("{")) && rawjson.Same(c.Raw, v.Raw)
		}
	})
	return same && n == len(content) && n > 0 && r.End() == nil // an empty list says more than nothing
}
