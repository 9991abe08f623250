package args

import (
	"strconv"
	"unicode/utf8"
)

// quick is a schema of nothing but the keywords that most tools use. It can say
// of most arguments that they are valid, without what the validator needs for
// that. What it does not accept may be valid all the same: it is for the
// validator to judge.
type quick struct {
	types      typeSet
	properties map[string]*quick
	required   []string
	others     *quick // of additional properties; nil for none
	items      *quick
	enum       map[string]bool // of strings; nil for any
	least      *int64          // of numbers
	most       *int64
	shortest   int64
	longest    int64 // negative for any
}

// accepting is a schema that allows everything.
var accepting = &quick{types: anything, longest: -1}

func init() { accepting.others, accepting.items = accepting, accepting }

// newQuick reads a schema; nil where it has other keywords, or odd ones.
func newQuick(schema *value) *quick {
	switch {
	case schema.kind == boolean && schema.raw == "true":
		return accepting
	case schema.kind != object:
		return nil
	}
	q := &quick{types: anything, others: accepting, items: accepting, longest: -1}
	seen := make(map[string]bool, len(schema.kids))
	for i := range schema.kids {
		keyword := &schema.kids[i]
		if seen[keyword.name] || !q.read(keyword) {
			return nil
		}
		seen[keyword.name] = true
	}
	return q
}

// read takes a keyword and reports whether it is understood.
func (q *quick) read(keyword *value) bool {
	ok := true
	switch keyword.name {
	case "title", "description", "default", "examples", "format", "$schema", "$comment":
	case "type":
		q.types, ok = quickTypes(keyword)
	case "properties":
		q.properties, ok = quickProperties(keyword)
	case "required":
		q.required, ok = quickStrings(keyword)
	case "additionalProperties":
		if q.others = newQuick(keyword); q.others == nil {
			ok = keyword.kind == boolean
		}
	case "items":
		q.items = newQuick(keyword)
		ok = q.items != nil
	case "enum":
		var names []string
		names, ok = quickStrings(keyword)
		q.enum = make(map[string]bool, len(names))
		for _, name := range names {
			q.enum[name] = true
		}
	case "minimum":
		q.least = quickNumber(keyword)
		ok = q.least != nil
	case "maximum":
		q.most = quickNumber(keyword)
		ok = q.most != nil
	case "minLength":
		q.shortest, ok = quickLength(keyword)
	case "maxLength":
		q.longest, ok = quickLength(keyword)
	default:
		ok = false
	}
	return ok
}

func quickTypes(v *value) (typeSet, bool) {
	if v.kind == text {
		set, ok := typeNames[v.str()]
		return set, ok
	}
	names, ok := quickStrings(v)
	var set typeSet
	for _, name := range names {
		one, known := typeNames[name]
		set, ok = set|one, ok && known
	}
	return set, ok && len(names) > 0
}

func quickProperties(v *value) (map[string]*quick, bool) {
	if v.kind != object {
		return nil, false
	}
	properties := make(map[string]*quick, len(v.kids))
	for i := range v.kids {
		name, q := v.kids[i].name, newQuick(&v.kids[i])
		if q == nil || properties[name] != nil {
			return nil, false
		}
		properties[name] = q
	}
	return properties, true
}

func quickStrings(v *value) ([]string, bool) {
	if v.kind != array {
		return nil, false
	}
	list := make([]string, len(v.kids))
	for i := range v.kids {
		if v.kids[i].kind != text {
			return nil, false
		}
		list[i] = v.kids[i].str()
	}
	return list, true
}

// quickNumber reads a number that is written with digits alone and is exact in
// any form; nil for another.
func quickNumber(v *value) *int64 {
	if v.kind != number || !plainInteger(v.raw) || len(v.raw) > 15 {
		return nil
	}
	n, err := strconv.ParseInt(v.raw, 10, 64)
	if err != nil {
		return nil
	}
	return &n
}

func quickLength(v *value) (int64, bool) {
	n := quickNumber(v)
	if n == nil || *n < 0 {
		return 0, false
	}
	return *n, true
}

// accepts reports whether v is certainly valid.
func (q *quick) accepts(v *value) bool {
	if q == nil {
		return false
	}
	if q.enum != nil && (v.kind != text || !q.enum[v.str()]) {
		return false
	}
	switch v.kind {
	case null:
		return q.types&nulls != 0
	case boolean:
		return q.types&booleans != 0
	case number:
		return q.acceptsNumber(v)
	case text:
		return q.types&texts != 0 && q.acceptsLength(v)
	case array:
		return q.types&arrays != 0 && q.acceptsItems(v)
	}
	return q.types&objects != 0 && q.acceptsMembers(v)
}

func (q *quick) acceptsNumber(v *value) bool {
	if q.types&numbers != numbers && (q.types&integers == 0 || !plainInteger(v.raw)) {
		return false
	}
	if q.least == nil && q.most == nil {
		return true
	}
	n := quickNumber(v)
	return n != nil && (q.least == nil || *n >= *q.least) && (q.most == nil || *n <= *q.most)
}

func (q *quick) acceptsLength(v *value) bool {
	if q.shortest == 0 && q.longest < 0 {
		return true
	}
	n := int64(utf8.RuneCountInString(v.str()))
	return n >= q.shortest && (q.longest < 0 || n <= q.longest)
}

func (q *quick) acceptsItems(v *value) bool {
	for i := range v.kids {
		if !q.items.accepts(&v.kids[i]) {
			return false
		}
	}
	return true
}

func (q *quick) acceptsMembers(v *value) bool {
	for i := range v.kids {
		of := q.properties[v.kids[i].name]
		if of == nil {
			of = q.others
		}
		if !of.accepts(&v.kids[i]) {
			return false
		}
	}
	for _, name := range q.required {
		if v.get(name) == nil {
			return false
		}
	}
	return true
}
