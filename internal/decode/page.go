package decode

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"time"

	"github.com/mcptoolset/mcptoolset/internal/decode/rawjson"
)

// maxTTLMs is the longest time in milliseconds that a time.Duration holds.
const maxTTLMs = int64(math.MaxInt64 / time.Millisecond)

// Page is one answer to a list request.
type Page struct {
	// Items are the list's items in the server's order, whatever they are.
	// They are slices of the answer.
	Items []json.RawMessage
	// NextCursor asks for the page after this one; empty on the last page. A
	// cursor sent as a number is its digits.
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
				p.Items, wrong = readItems(r)
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

// readItems consumes a list's items. The kind it returns is that of a value
// which is neither a list nor null, else Invalid.
func readItems(r *rawjson.Reader) (items []json.RawMessage, wrong rawjson.Kind) {
	switch kind := r.Peek(); kind {
	case rawjson.List:
		r.List(func(int) { items = append(items, r.Value().Raw) })
		return items, rawjson.Invalid
	case rawjson.Null:
		return nil, rawjson.Invalid
	default:
		return nil, kind
	}
}

// readMember consumes what a page says about itself.
func (p *Page) readMember(key string, r *rawjson.Reader) {
	switch key {
	case "nextCursor":
		v := r.Value()
		switch v.Kind {
		case rawjson.String:
			p.NextCursor = v.Text()
		case rawjson.Number:
			p.NextCursor = string(v.Raw)
			p.fault("nextCursor is a number, not a string")
		case rawjson.Null:
			p.NextCursor = ""
		default:
			p.fault("nextCursor is %s, not a string", v.Kind)
		}
	case "ttlMs":
		v := r.Value()
		if v.Kind == rawjson.Null {
			return
		}
		ms, err := wholeNumber(v, maxTTLMs)
		if err != nil {
			p.fault("ttlMs %v", err)
			return
		}
		p.TTLMs = &ms
	case "cacheScope":
		v := r.Value()
		switch scope := v.Text(); {
		case v.Kind == rawjson.Null:
		case scope == "public" || scope == "private":
			p.CacheScope = scope
		default:
			p.CacheScope = "private"
			p.fault("cacheScope is neither \"public\" nor \"private\"")
		}
	}
}

func (p *Page) fault(format string, args ...any) {
	p.Faults = append(p.Faults, fmt.Sprintf(format, args...))
}

// wholeNumber reads a number that counts something. What is over most becomes
// most, a fraction is cut off, and a negative number is an error as what is no
// number at all.
func wholeNumber(v rawjson.Value, most int64) (int64, error) {
	if v.Kind != rawjson.Number {
		return 0, fmt.Errorf("is %s, not a number", v.Kind)
	}
	f, _, err := big.ParseFloat(string(v.Raw), 10, 64, big.ToZero)
	if err != nil && f == nil {
		return 0, errors.New("is a number that cannot be read")
	}
	if f.Sign() < 0 {
		return 0, errors.New("is negative")
	}
	n, _ := f.Int64()
	return min(n, most), nil
}
