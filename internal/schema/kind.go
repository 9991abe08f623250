package schema

import "strings"

// kinds is a set of JSON types. The empty set means any type.
type kinds uint8

const (
	kindString kinds = 1 << iota
	kindInteger
	kindNumber
	kindBoolean
	kindObject
	kindArray
	kindNull

	kindsScalar    = kindString | kindInteger | kindNumber | kindBoolean
	kindsNumeric   = kindInteger | kindNumber
	kindsContainer = kindObject | kindArray
	kindsAll       = kindsScalar | kindsContainer | kindNull
)

// kindNames lists the types in the order they are shown.
var kindNames = []struct {
	kind kinds
	name string
}{
	{kindString, "string"},
	{kindInteger, "integer"},
	{kindNumber, "number"},
	{kindBoolean, "boolean"},
	{kindObject, "object"},
	{kindArray, "array"},
	{kindNull, "null"},
}

// kindOf reads the name of a type, in any case: generators that started from
// OpenAPI write STRING.
func kindOf(name string) kinds {
	lower := strings.ToLower(name)
	for _, k := range kindNames {
		if k.name == lower {
			return k.kind
		}
	}
	if lower == "any" {
		return kindsAll
	}
	return 0
}

// has says whether k holds every type of other.
func (k kinds) has(other kinds) bool { return other != 0 && k&other == other }

// names lists the types of k. A number may be an integer, so integer is left
// out beside number.
func (k kinds) names() []string {
	if k.has(kindNumber) {
		k &^= kindInteger
	}
	var out []string
	for _, n := range kindNames {
		if k.has(n.kind) {
			out = append(out, n.name)
		}
	}
	return out
}

// name is the name of a single type, "number" for a number that may be an
// integer, and "" for anything else.
func (k kinds) name() string {
	if names := k.names(); len(names) == 1 {
		return names[0]
	}
	return ""
}

// meet gives the types allowed by both sets; ok is false when there are none.
func (k kinds) meet(other kinds) (both kinds, ok bool) {
	if k == 0 {
		return other, true
	}
	if other == 0 {
		return k, true
	}
	both = k & other
	if k.has(kindNumber) && other.has(kindInteger) || k.has(kindInteger) && other.has(kindNumber) {
		both |= kindInteger
	}
	return both, both != 0
}
