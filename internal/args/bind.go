package args

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// BoundError says that arguments of the owner's do not fit the tool's schema.
// It is for the owner and shows no values.
type BoundError struct {
	// Faults are the single things that are wrong. There is at least one.
	Faults []Fault
}

func (e *BoundError) Error() string {
	var all []string
	for _, f := range e.Faults[:min(len(e.Faults), maxFaults)] {
		all = append(all, f.String())
	}
	return "bound arguments do not fit the tool's schema: " + strings.Join(all, "; ")
}

// bindings are the values of the owner's arguments for one call.
func (s *Schema) bindings(late map[string]json.RawMessage) (map[string]value, error) {
	if s.options.boundErr != nil {
		return nil, s.options.boundErr
	}
	if len(s.options.bound) == 0 && len(late) == 0 {
		return nil, nil
	}
	values, err := scanBound(late)
	for _, name := range sortedKeys(values) {
		if !s.options.late[name] {
			err = errors.Join(err, fmt.Errorf("args: %q is not among the names of late bound arguments", name))
		}
	}
	if err != nil {
		return nil, err
	}
	for name, v := range s.options.bound {
		if _, given := values[name]; !given && v.raw != "" {
			values[name] = v
		}
	}
	return values, nil
}

// bind sets the owner's arguments, in a fixed order behind the model's.
func (s *Schema) bind(v *value, bound map[string]value) {
	if len(s.options.bound) == 0 {
		return
	}
	v.drop(func(member *value) bool { _, ok := s.options.bound[member.name]; return ok })
	for _, name := range sortedKeys(bound) {
		value := bound[name]
		v.add(name, value.clone())
	}
}

// Bind sets the owner's arguments in an object of arguments that is not to be
// read, made to fit or checked, with values as for [Schema.ParseBound].
func (s *Schema) Bind(arguments json.RawMessage, late map[string]json.RawMessage) (json.RawMessage, error) {
	bound, err := s.bindings(late)
	if err != nil || len(s.options.bound) == 0 {
		return arguments, err
	}
	v, err := scan(trim(string(arguments)))
	switch {
	case err != nil:
		return nil, fmt.Errorf("args: %w", err)
	case v.kind != object:
		return nil, errors.New("args: the arguments are not a JSON object")
	}
	s.bind(&v, bound)
	return line(&v), nil
}

// BoundFaults tells what of the values of [WithBound] the schema refuses, as
// far as that does not depend on other arguments. It shows no values.
func (s *Schema) BoundFaults() []Fault {
	s.ready()
	bound, err := s.bindings(nil)
	if err != nil || s.checker == nil {
		return nil
	}
	v := newObject()
	s.bind(&v, bound)
	_, owners := s.faults(&v)
	var all []Fault
	for _, f := range owners {
		if _, given := bound[f.Path]; given || !s.options.late[f.Path] {
			all = append(all, f)
		}
	}
	return all
}

// Declares reports whether the schema knows an argument: by its name, or
// because it says what further ones are like.
func (s *Schema) Declares(name string) bool {
	s.ready()
	if s.shape.knows(name) {
		return true
	}
	further := s.doc.root.get("additionalProperties")
	return s.doc.root.get("patternProperties") != nil || further != nil && further.raw != "false"
}
