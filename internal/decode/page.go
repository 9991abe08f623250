package decode

import (
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/mcptoolset/mcptoolset/internal/decode/rawjson"
)

// maxItems bounds the items of one page, far beyond what callers take of a
// list: an item of two bytes takes a dozen times as much once decoded.
const maxItems = 100_000

// maxTTLMs is the longest time in milliseconds that a time.Duration holds.
const maxTTLMs = int64(math.MaxInt64 / time.Millisecond)

// Page is one answer to a list request.
type Page struct {
	// Items are the list's items in the server's order, whatever they are.
	// They are slices of the answer.
	Items []json.RawMessage
	// NextCursor asks for the page after this one; empty on the last page. A
	// cursor sent as a number is its digits; false is none.
	NextCursor string
	// TTLMs is how many milliseconds the list stays fresh, never negative and
	// never more than a time.Duration holds; nil where the server does not say.
	TTLMs *int64
	// CacheScope is "public", "private" or "" where the server does not say.
	// Anything else a server says is taken for "private", the careful reading.
	CacheScope string
	// Faults are what was wrong beside the items: a cursor or a hint that could
	// not be read.
	Faults []string
	// Cut is that of the faults which hides what the server still has: a cursor
	// that could not be read, or more items than are taken. It is empty where
	// Items and NextCursor lead to the whole list.
	Cut string
}

// ListPage reads the answer to a list request whose items stand under key:
// "tools", "resources", "resourceTemplates" or "prompts". A missing list, a
// null one and a null answer are empty pages. It is an error if the answer is
// not JSON, not an object, or its list is anything but a list.
func ListPage(raw json.RawMessage, key string) (Page, error) {
	var p Page
	r := rawjson.NewReader(raw)
	wrong := rawjson.Invalid // the kind of a list that is none
	switch kind := r.Peek(); kind {
	case rawjson.Object:
		r.Object(func(member []byte) {
			if string(member) == key {
				wrong = p.readItems(r)
				return
			}
			p.readMember(string(member), r)
		})
	case rawjson.Null:
		r.Value()
		p.fault("the answer is null")
	default:
		r.Value()
		if r.End() == nil {
			return Page{}, fmt.Errorf("list of %s: the answer is %s, not an object", key, kind)
		}
	}
	if err := r.End(); err != nil {
		return Page{}, fmt.Errorf("list of %s: not JSON: %w", key, err)
	}
	if wrong != rawjson.Invalid {
		return Page{}, fmt.Errorf("list of %s: %q is %s, not a list", key, key, wrong)
	}
	return p, nil
}

// readItems consumes the list. The kind it returns is that of a value which is
// neither a list nor null, else Invalid.
func (p *Page) readItems(r *rawjson.Reader) (wrong rawjson.Kind) {
	p.Items = nil
	switch kind := r.Peek(); kind {
	case rawjson.List:
		n := 0
		r.List(func(int) {
			if n++; n <= maxItems {
				p.Items = append(p.Items, r.Value().Raw)
			}
		})
		if n > maxItems {
			p.fault("%d of %d items were read", maxItems, n)
			p.Cut = p.Faults[len(p.Faults)-1]
		}
	case rawjson.Null:
	default:
		return kind
	}
	return rawjson.Invalid
}

// readMember consumes what a page says about itself.
func (p *Page) readMember(key string, r *rawjson.Reader) {
	switch key {
	case "nextCursor":
		p.readCursor(r.Value())
	case "ttlMs":
		ms, fault := timeToLive(r.Value())
		p.TTLMs = ms
		p.note(fault)
	case "cacheScope":
		scope, fault := cacheScope(r.Value())
		p.CacheScope = scope
		p.note(fault)
	}
}

// readCursor reads what asks for the next page. Null and false say that there is
// none.
func (p *Page) readCursor(v rawjson.Value) {
	p.NextCursor = v.Text()
	switch {
	case v.Kind == rawjson.String, v.Kind == rawjson.Null, string(v.Raw) == "false":
		return
	case v.Kind == rawjson.Number:
		p.NextCursor = string(v.Raw)
	}
	p.fault("nextCursor is %s, not a string", v.Kind)
	if v.Kind != rawjson.Number {
		p.Cut = p.Faults[len(p.Faults)-1]
	}
}

// note adds a fault where there is one.
func (p *Page) note(fault string) {
	if fault != "" {
		p.fault("%s", fault)
	}
}

func (p *Page) fault(format string, args ...any) {
	p.Faults = append(p.Faults, fmt.Sprintf(format, args...))
}
