package schema

import (
	"net/url"
	"strconv"
	"strings"
)

// resolver finds what a reference points at within one document. It never
// fetches: a reference to another document finds nothing.
type resolver struct {
	root  any
	named map[string]any // by $id, $anchor and the like, built on first need
}

// maxRef bounds the length of a reference; each use of one costs its length.
const maxRef = 2_000

// find gives the value a $ref names.
func (r *resolver) find(ref string) (any, bool) {
	if len(ref) > maxRef {
		return nil, false
	}
	if v, ok := r.byName(ref); ok {
		return v, true
	}
	base, fragment, _ := strings.Cut(ref, "#")
	from := r.root
	if base != "" {
		v, ok := r.byName(base)
		if !ok {
			return nil, false
		}
		from = v
	}
	if decoded, err := url.PathUnescape(fragment); err == nil {
		if v, ok := pointAt(from, decoded); ok {
			return v, true
		}
	}
	// Some generators forget to escape the percent sign.
	if v, ok := pointAt(from, fragment); ok {
		return v, true
	}
	if fragment == "/" { // meant as the whole, though it names a member ""
		return from, true
	}
	return r.byName("#" + fragment)
}

// pointAt follows a JSON Pointer (RFC 6901).
func pointAt(v any, pointer string) (any, bool) {
	if pointer == "" {
		return v, true
	}
	rest, ok := strings.CutPrefix(pointer, "/")
	if !ok {
		return nil, false
	}
	for _, token := range strings.Split(rest, "/") {
		token = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		switch x := v.(type) {
		case *object:
			if v, ok = x.get(token); !ok {
				return nil, false
			}
		case *list:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(x.items) {
				return nil, false
			}
			v = x.items[i]
		default:
			return nil, false
		}
	}
	return v, true
}

func (r *resolver) byName(name string) (any, bool) {
	if name == "" || name == "#" {
		return r.root, true
	}
	if r.named == nil {
		r.named = map[string]any{}
		r.index(r.root)
	}
	v, ok := r.named[name]
	return v, ok
}

// index collects the names that schemas give themselves. The first of equal
// names counts.
func (r *resolver) index(v any) {
	switch x := v.(type) {
	case *object:
		for _, key := range []string{"$id", "id"} {
			if id, ok := x.values[key].(string); ok && id != "" {
				r.name(id, x)
				if i := strings.LastIndexByte(strings.TrimRight(id, "/#"), '/'); i >= 0 {
					r.name(id[i+1:], x) // references are often relative
				}
			}
		}
		for _, key := range []string{"$anchor", "$dynamicAnchor"} {
			if a, ok := x.values[key].(string); ok && a != "" {
				r.name("#"+a, x)
			}
		}
		for _, k := range x.keys {
			r.index(x.values[k])
		}
	case *list:
		for _, item := range x.items {
			r.index(item)
		}
	}
}

func (r *resolver) name(name string, v any) {
	for _, n := range []string{name, strings.TrimSuffix(name, "#")} {
		if _, taken := r.named[n]; !taken && n != "" {
			r.named[n] = v
		}
	}
}
