package filter

import "context"

// Predicate keeps the tools for which keep returns true. A nil keep keeps
// every tool.
//
// keep is given the context of the listing or the call, so that it can decide
// by user. It is asked anew each time, from many goroutines at once, and must
// not change t. Its error is passed on as it is; a panic becomes an error. In
// both cases the tool is not kept.
func Predicate(keep func(ctx context.Context, t Tool) (bool, error)) Filter {
	return &predicate{keep}
}

type predicate struct {
	keep func(context.Context, Tool) (bool, error)
}

// Keep implements [Filter].
func (f *predicate) Keep(ctx context.Context, t Tool) (bool, error) {
	if f.keep == nil {
		return true, nil
	}
	return guarded(f, t, func() (bool, error) { return f.keep(ctx, t) })
}

// Names implements [Filter]: a function spells nothing out.
func (*predicate) Names() []string { return nil }

func (f *predicate) String() string {
	if f.keep == nil {
		return "Predicate(nil)"
	}
	return "Predicate(func)"
}
