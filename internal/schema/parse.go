package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
)

// Bounds of what is kept of a server's text. They are far beyond every honest
// schema; what lies outside is left out and said.
const (
	maxJSONDepth  = 256     // nested objects and arrays
	maxMembers    = 10_000  // members of one object or array
	maxJSONValues = 300_000 // values in all
)

// object is a JSON object that remembers the order of its keys, because the
// order a server chose is often the order of importance.
type object struct {
	keys   []string
	values map[string]any
}

func newObject() *object { return &object{values: map[string]any{}} }

func (o *object) set(key string, v any) {
	if _, ok := o.values[key]; !ok {
		o.keys = append(o.keys, key)
	}
	o.values[key] = v
}

func (o *object) get(key string) (any, bool) {
	v, ok := o.values[key]
	return v, ok
}

func (o *object) remove(key string) {
	delete(o.values, key)
	o.keys = slices.DeleteFunc(o.keys, func(k string) bool { return k == key })
}

// clone returns a copy that shares its values.
func (o *object) clone() *object {
	return &object{keys: slices.Clone(o.keys), values: maps.Clone(o.values)}
}

// pruned stands where a value was left out because of a bound.
type pruned struct{}

// list is a JSON array; dropped counts the members beyond the bound.
type list struct {
	items   []any
	dropped int
}

var errNotOneValue = errors.New("more than one JSON value")

// parser builds values of the kinds nil, bool, string, json.Number, *list,
// *object and pruned.
type parser struct {
	dec    *json.Decoder
	values int
	pruned bool
}

// parse reads one JSON value. Numbers keep their digits. The second result
// says whether something was left out because of a bound.
func parse(raw []byte) (any, bool, error) {
	p := &parser{dec: json.NewDecoder(bytes.NewReader(raw))}
	p.dec.UseNumber()
	tok, err := p.dec.Token()
	if err != nil {
		return nil, false, err
	}
	v, err := p.value(tok, 0)
	if err != nil {
		return nil, false, err
	}
	if _, err := p.dec.Token(); !errors.Is(err, io.EOF) {
		return nil, false, errNotOneValue
	}
	return v, p.pruned, nil
}

// value reads the value that starts with tok.
func (p *parser) value(tok json.Token, depth int) (any, error) {
	p.values++
	delim, ok := tok.(json.Delim)
	switch {
	case !ok:
		return tok, nil
	case depth >= maxJSONDepth:
		p.pruned = true
		return pruned{}, p.skip()
	case delim == '[':
		return p.array(depth)
	default:
		return p.object(depth)
	}
}

// room says whether one more member of a container that has n is kept.
func (p *parser) room(n int) bool {
	if n < maxMembers && p.values < maxJSONValues {
		return true
	}
	p.pruned = true
	return false
}

func (p *parser) array(depth int) (any, error) {
	l := &list{items: []any{}}
	for {
		tok, err := p.dec.Token()
		if err != nil {
			return nil, err
		}
		if tok == json.Delim(']') {
			return l, nil
		}
		if !p.room(len(l.items)) {
			l.dropped++
			if err := p.drop(tok); err != nil {
				return nil, err
			}
			continue
		}
		v, err := p.value(tok, depth+1)
		if err != nil {
			return nil, err
		}
		l.items = append(l.items, v)
	}
}

func (p *parser) object(depth int) (any, error) {
	o := newObject()
	for {
		tok, err := p.dec.Token()
		if err != nil {
			return nil, err
		}
		if tok == json.Delim('}') {
			return o, nil
		}
		key, _ := tok.(string)
		if tok, err = p.dec.Token(); err != nil {
			return nil, err
		}
		if !p.room(len(o.keys)) {
			if err := p.drop(tok); err != nil {
				return nil, err
			}
			continue
		}
		v, err := p.value(tok, depth+1)
		if err != nil {
			return nil, err
		}
		o.set(key, v)
	}
}

// drop reads past the value that starts with tok.
func (p *parser) drop(tok json.Token) error {
	if _, opens := tok.(json.Delim); opens {
		return p.skip()
	}
	return nil
}

// skip reads to the end of the object or array whose opening was just read,
// without recursion, so that depth costs nothing.
func (p *parser) skip() error {
	for open := 1; open > 0; {
		tok, err := p.dec.Token()
		if err != nil {
			return err
		}
		switch tok {
		case json.Delim('['), json.Delim('{'):
			open++
		case json.Delim(']'), json.Delim('}'):
			open--
		}
	}
	return nil
}

// plain gives a value as encoding/json would have decoded it, fresh at every
// level, with json.Number for numbers. What was pruned becomes an empty object.
func plain(v any) any {
	switch x := v.(type) {
	case *object:
		m := make(map[string]any, len(x.keys))
		for _, k := range x.keys {
			m[k] = plain(x.values[k])
		}
		return m
	case *list:
		s := make([]any, len(x.items))
		for i, item := range x.items {
			s[i] = plain(item)
		}
		return s
	case pruned:
		return map[string]any{}
	default:
		return v
	}
}
