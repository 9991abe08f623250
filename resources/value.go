package resources

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// value is what a variable of a template stands for.
type value struct {
	kind  valueKind
	parts []part // one for a scalar
}

type valueKind int

const (
	scalar valueKind = iota
	list
	pairs
)

// part is a scalar, an item of a list or a pair.
type part struct{ key, text string }

// undefined values leave no trace in a URI. A list of nothing is one.
func (v value) undefined() bool { return len(v.parts) == 0 }

// readValues reads the values of variables. Null is none, and a text may hold
// them: some models can only be told to write an object so.
func readValues(raw json.RawMessage) (map[string]value, error) {
	if text := strings.TrimSpace(decoded[string](raw)); kindOf(raw) == aString && (text == "" || json.Valid([]byte(text))) {
		raw = json.RawMessage(text)
	}
	switch k := kindOf(raw); k {
	case null:
		return nil, nil
	case anObject:
	default:
		return nil, refuse(ErrArguments, "variables is %s, not an object. %s", k, loadUsage)
	}
	members := decoded[map[string]json.RawMessage](raw)
	values := map[string]value{}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if kindOf(members[name]) == null {
			continue
		}
		v, err := readValue(members[name])
		if err != nil {
			return nil, refuse(ErrArguments, "The variable %s %v. %s", quoted(name), err, loadUsage)
		}
		values[name] = v
	}
	return values, nil
}

func readValue(raw json.RawMessage) (value, error) {
	switch kindOf(raw) {
	case aList:
		v := value{kind: list}
		for _, item := range decoded[[]json.RawMessage](raw) {
			if err := v.add("", item); err != nil {
				return value{}, err
			}
		}
		return v, nil
	case anObject:
		members := decoded[map[string]json.RawMessage](raw)
		v := value{kind: pairs}
		for _, key := range slices.Sorted(maps.Keys(members)) {
			if err := v.add(key, members[key]); err != nil {
				return value{}, err
			}
		}
		return v, nil
	default:
		var v value
		return v, v.add("", raw)
	}
}

// add adds a scalar. A number or a boolean is what it is written as.
func (v *value) add(key string, raw json.RawMessage) error {
	switch k := kindOf(raw); k {
	case null:
		return nil
	case aString:
		v.parts = append(v.parts, part{key, decoded[string](raw)})
	case aNumber, aBoolean:
		v.parts = append(v.parts, part{key, string(raw)})
	default:
		return fmt.Errorf("holds %s, which no part of a uri can be", k)
	}
	return nil
}
