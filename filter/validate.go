package filter

import (
	"errors"
	"fmt"
)

// Validate reports what can be seen to be wrong with f before there is a
// server, in f itself and in the filters it combines: a pattern that breaks
// the syntax, a filter that holds a nil pointer or function (which would keep
// every tool, hardly what was meant), and whatever the Validate() error of a
// filter of one's own returns. A nil f is no fault.
//
// The error joins all faults: its Unwrap() []error gives each of them.
func Validate(f Filter) error {
	return errors.Join(faultsOf(f)...)
}

// faultsOf returns each fault by itself.
func faultsOf(f Filter) []error {
	if f == nil {
		return nil
	}
	if isNil(f) {
		return []error{fmt.Errorf("filter: a nil %T is no filter: leave it out to keep every tool", f)}
	}
	switch f := f.(type) {
	case interface{ faults() []error }: // of this package
		return f.faults()
	case interface{ Validate() error }:
		if err := validateGuarded(f, f.Validate); err != nil {
			return []error{err}
		}
	}
	return nil
}

func validateGuarded(f any, validate func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("filter: Validate of %T: %w", f, panicked(r))
		}
	}()
	return validate()
}

func (ps parts) faults() []error {
	var found []error
	for _, p := range ps {
		found = append(found, faultsOf(p)...)
	}
	return found
}
