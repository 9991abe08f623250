package filter

import (
	"errors"
	"fmt"
)

// Validate reports what can be seen to be wrong with f before there is a
// server, in f itself and in the filters it combines: a pattern that breaks
// the syntax, a filter that holds a nil pointer or function (which would keep
// every tool, hardly what was meant), and whatever the Validate() error of a
// filter of one's own returns. All faults are joined. A nil f is no fault.
func Validate(f Filter) error {
	if f == nil {
		return nil
	}
	if isNil(f) {
		return fmt.Errorf("filter: a nil %T is no filter: leave it out to keep every tool", f)
	}
	v, ok := f.(interface{ Validate() error })
	if !ok {
		return nil
	}
	return validateGuarded(f, v.Validate)
}

func validateGuarded(f Filter, validate func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("filter: Validate of %s: %w", describe(f), panicked(r))
		}
	}()
	return validate()
}

// Validate joins the faults of all parts.
func (ps parts) Validate() error {
	faults := make([]error, len(ps))
	for i, p := range ps {
		faults[i] = Validate(p)
	}
	return errors.Join(faults...)
}
