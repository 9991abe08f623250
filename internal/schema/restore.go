package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
)

// route is the way back for one place in the arguments. A nil route changes
// nothing.
type route struct {
	names  map[string]string // shown field to the server's
	fields map[string]*route // by shown field
	rest   *route            // for fields not among fields
	items  *route
	nulls  map[string]bool // shown fields that are left out when null
	text   *textRule
}

// textRule says when a string is JSON text that stands for another value.
type textRule struct {
	kinds  kinds           // the types a text may stand for
	values map[string]bool // strings that are meant as they are
}

func (b *route) rename(shown, name string) {
	if b.names == nil {
		b.names = map[string]string{}
	}
	b.names[shown] = name
}

func (b *route) field(shown string, below *route) {
	if below == nil {
		return
	}
	if b.fields == nil {
		b.fields = map[string]*route{}
	}
	b.fields[shown] = below
}

// known keeps a field from being taken for one of the rest.
func (b *route) known(shown string) {
	if b.fields == nil {
		b.fields = map[string]*route{}
	}
	b.fields[shown] = joinRoutes(b.fields[shown], nil)
}

func (b *route) dropNull(shown string) {
	if b.nulls == nil {
		b.nulls = map[string]bool{}
	}
	b.nulls[shown] = true
}

// orNil gives nil for a route that changes nothing.
func (b *route) orNil() *route {
	if b.names == nil && b.fields == nil && b.rest == nil && b.items == nil && b.nulls == nil && b.text == nil {
		return nil
	}
	return b
}

// ofItems gives the route of an array whose items go b.
func (b *route) ofItems() *route {
	if b == nil {
		return nil
	}
	return &route{items: b}
}

// joinRoutes serves values that may go either way: alternatives have their
// fields' new names in common, so nothing contradicts.
func joinRoutes(a, b *route) *route {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	joined := &route{names: maps.Clone(a.names), fields: maps.Clone(a.fields), nulls: maps.Clone(a.nulls),
		rest: joinRoutes(a.rest, b.rest), items: joinRoutes(a.items, b.items), text: joinText(a.text, b.text)}
	for shown, name := range b.names {
		if _, known := joined.names[shown]; !known {
			joined.rename(shown, name)
		}
	}
	for shown, below := range b.fields {
		joined.field(shown, joinRoutes(joined.fields[shown], below))
	}
	for shown := range b.nulls {
		joined.dropNull(shown)
	}
	return joined
}

func joinText(a, b *textRule) *textRule {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	joined := &textRule{kinds: a.kinds | b.kinds, values: maps.Clone(a.values)}
	for text := range b.values {
		if joined.values == nil {
			joined.values = map[string]bool{}
		}
		joined.values[text] = true
	}
	return joined
}

var errNotObject = errors.New("the arguments must be one JSON object")

// Restore maps an argument object written by a model that was shown s back to
// what the server expects: renamed keys get the server's names, at every depth;
// values that had to be described as JSON text are parsed; and in strict mode
// the nulls that stand for optional fields left out are dropped. Everything
// else keeps its bytes. Text that is not the JSON it was asked to be stays as
// it is, for the check of the arguments to name.
//
// Where nothing has to be mapped, args is returned as it is, valid or not.
// Otherwise an error says, for the model, what is wrong: args is no JSON
// object, or one field was given under both of its names.
func (s Shown) Restore(args json.RawMessage) (json.RawMessage, error) {
	if s.back == nil {
		return args, nil
	}
	if kindOfText(args) != kindObject || !json.Valid(args) {
		return nil, errNotObject
	}
	return s.back.value(args)
}

// Or gives the way back from either of two ways of showing one tool, for
// arguments that may have been written after the one or the other. What was
// described as JSON text is parsed once, whichever said so. The rest of the
// result is that of s.
func (s Shown) Or(other Shown) Shown {
	s.back = joinRoutes(s.back, other.back)
	return s
}

// kindOfText gives the type of a JSON text by its first byte.
func kindOfText(raw []byte) kinds {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	if len(raw) == 0 {
		return 0
	}
	switch raw[0] {
	case '{':
		return kindObject
	case '[':
		return kindArray
	case '"':
		return kindString
	case 't', 'f':
		return kindBoolean
	case 'n':
		return kindNull
	default:
		return kindsNumeric
	}
}

// value maps one valid JSON value. The depth of the recursion is the route's.
func (b *route) value(raw json.RawMessage) (json.RawMessage, error) {
	if b == nil {
		return raw, nil
	}
	switch kindOfText(raw) {
	case kindObject:
		if b.names != nil || b.fields != nil || b.rest != nil || b.nulls != nil {
			return b.object(raw)
		}
	case kindArray:
		if b.items != nil {
			return b.array(raw)
		}
	case kindString:
		if b.text != nil {
			return b.text.value(raw), nil
		}
	}
	return raw, nil
}

func (b *route) object(raw json.RawMessage) (json.RawMessage, error) {
	members, err := split(raw)
	if err != nil {
		return nil, err
	}
	if err := b.conflict(members); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	out.WriteByte('{')
	shown := b.shownNames()
	for _, m := range members {
		name := m.name
		if s, ok := shown[name]; ok {
			name = s // the server's own name is as good
		}
		if b.nulls[name] && kindOfText(m.value) == kindNull {
			continue
		}
		below, ok := b.fields[name]
		if !ok {
			below = b.rest
		}
		value, err := below.value(m.value)
		if err != nil {
			return nil, err
		}
		key := m.key
		if name, ok := b.names[m.name]; ok {
			key = []byte(quote(name))
		}
		if out.Len() > 1 {
			out.WriteByte(',')
		}
		out.Write(key)
		out.WriteByte(':')
		out.Write(value)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// shownNames gives the shown names of renamed fields by the server's.
func (b *route) shownNames() map[string]string {
	shown := make(map[string]string, len(b.names))
	for s, name := range b.names {
		shown[name] = s
	}
	return shown
}

// conflict finds a field that was given under its shown name and under the
// server's.
func (b *route) conflict(members []member) error {
	given := map[string]bool{}
	for _, m := range members {
		given[m.name] = true
	}
	for _, m := range members {
		if name, ok := b.names[m.name]; ok && given[name] {
			return fmt.Errorf("%s and %s are the same field; give it once, as %s", quote(m.name), quote(name), quote(m.name))
		}
	}
	return nil
}

func (b *route) array(raw json.RawMessage) (json.RawMessage, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if _, err := dec.Token(); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	out.WriteByte('[')
	for dec.More() {
		var item json.RawMessage
		if err := dec.Decode(&item); err != nil {
			return nil, err
		}
		value, err := b.items.value(item)
		if err != nil {
			return nil, err
		}
		if out.Len() > 1 {
			out.WriteByte(',')
		}
		out.Write(value)
	}
	out.WriteByte(']')
	return out.Bytes(), nil
}

// member is one member of an object: the key as it was written and what it
// says, and the value as it was written.
type member struct {
	key   []byte
	name  string
	value json.RawMessage
}

// split takes a JSON object apart without changing a byte of its parts.
func split(raw json.RawMessage) ([]member, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if _, err := dec.Token(); err != nil {
		return nil, err
	}
	var members []member
	for dec.More() {
		from := dec.InputOffset()
		tok, err := dec.Token()
		if err != nil {
			return nil, err
		}
		name, ok := tok.(string)
		if !ok {
			return nil, io.ErrUnexpectedEOF
		}
		key := bytes.TrimLeft(raw[from:dec.InputOffset()], ", \t\r\n")
		m := member{key: key, name: name}
		if err := dec.Decode(&m.value); err != nil {
			return nil, err
		}
		members = append(members, m)
	}
	return members, nil
}

// value parses a string that stands for another value; any other string stays.
func (t *textRule) value(raw json.RawMessage) json.RawMessage {
	var text string
	if json.Unmarshal(raw, &text) != nil || t.values[text] {
		return raw
	}
	inner := bytes.TrimSpace([]byte(text))
	if kind := kindOfText(inner); kind == 0 || kind&t.kinds == 0 || !json.Valid(inner) {
		return raw
	}
	return inner
}
