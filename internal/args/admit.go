package args

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Bounds of a schema that is checked against. Real ones are far below.
const (
	maxSchema       = 2 << 20 // bytes
	maxSchemaValues = 20_000  // JSON values in it
	maxSchemaDepth  = 200
	maxSchemaIDs    = 300
	maxSchemaOdd    = 200 // references to places where no schema is expected
)

// admit reads a schema and refuses what is too large to be worked with.
func admit(raw string) (*value, error) {
	if len(raw) > maxSchema {
		return nil, fmt.Errorf("the schema is too large: %d bytes", len(raw))
	}
	root, err := scanSchema(raw)
	switch {
	case err != nil:
		return nil, fmt.Errorf("the schema is not JSON: %w", err)
	case count(root) > maxSchemaValues:
		return nil, fmt.Errorf("the schema is too large: more than %d values", maxSchemaValues)
	case depth(root) > maxSchemaDepth:
		return nil, errors.New("the schema is nested too deeply")
	case !countable(root):
		return nil, errors.New("the schema holds a number too large to compute with")
	}
	s := survey{odd: map[string]bool{}}
	s.look(root)
	if s.ids > maxSchemaIDs || len(s.odd) > maxSchemaOdd {
		return nil, errors.New("the schema is too entangled")
	}
	return root, nil
}

// survey counts what takes the validator a time that grows with the square of
// the number.
type survey struct {
	ids int
	odd map[string]bool
}

func (s *survey) look(v *value) {
	for _, keyword := range []string{"$id", "id"} {
		if id := v.get(keyword); id != nil && id.kind == text {
			s.ids++
		}
	}
	if ref := v.get("$ref"); ref != nil && ref.kind == text && !leadsToSchema(ref.str()) {
		s.odd[ref.str()] = true
	}
	for i := range v.kids {
		s.look(&v.kids[i])
	}
}

// leadsToSchema reports whether a reference is one to a place where a schema
// is expected, such as #/$defs/a/properties/b.
func leadsToSchema(ref string) bool {
	pointer, local := strings.CutPrefix(ref, "#/")
	if !local {
		return ref == "#"
	}
	for tokens := strings.Split(pointer, "/"); len(tokens) > 0; {
		switch {
		case len(tokens) > 1 && (slices.Contains(mapKeywords, tokens[0]) || slices.Contains(listKeywords, tokens[0]) && isIndex(tokens[1])):
			tokens = tokens[2:]
		case slices.Contains(schemaKeywords, tokens[0]):
			tokens = tokens[1:]
		default:
			return false
		}
	}
	return true
}

func isIndex(token string) bool { return token != "" && strings.Trim(token, "0123456789") == "" }

func depth(v *value) int {
	deepest := 0
	for i := range v.kids {
		deepest = max(deepest, depth(&v.kids[i]))
	}
	return deepest + 1
}

// countable reports whether all numbers in v can be computed with.
func countable(v *value) bool {
	left := 20 * maxDigits
	return spend(v, &left)
}

func spend(v *value, left *int) bool {
	if v.kind == number && len(v.raw) > 18 || v.kind == number && strings.ContainsAny(v.raw, "eE") {
		n := cost(v.raw)
		if *left -= n; n > maxDigits || *left < 0 {
			return false
		}
	}
	for i := range v.kids {
		if !spend(&v.kids[i], left) {
			return false
		}
	}
	return true
}
