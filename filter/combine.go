package filter

import (
	"context"
	"slices"
	"strings"
)

// And keeps the tools that every one of fs keeps. The filters are asked in
// order, up to the first that drops the tool or fails. Without filters And
// keeps every tool; a nil filter among them keeps every tool, as [Apply] has
// it.
func And(fs ...Filter) Filter { return &and{slices.Clone(fs)} }

// Or keeps the tools that at least one of fs keeps. The filters are asked in
// order, up to the first that keeps the tool or fails. Without filters Or
// keeps none; with a nil filter among them it keeps every tool.
func Or(fs ...Filter) Filter { return &or{slices.Clone(fs)} }

// Not keeps the tools that f drops. Not(nil) keeps none. An error of f stays
// an error.
func Not(f Filter) Filter { return &not{f} }

type and struct{ parts parts }

// Keep implements [Filter].
func (f *and) Keep(ctx context.Context, t Tool) (bool, error) {
	for _, p := range f.parts {
		if keep, err := Apply(ctx, p, t); !keep || err != nil {
			return false, err
		}
	}
	return true, nil
}

func (f *and) Names() []string                     { return f.parts.Names() }
func (f *and) faults() []error                     { return f.parts.faults() }
func (f *and) String() string                      { return "And(" + f.parts.String() + ")" }
func (f *and) misses(l *listing) ([]string, error) { return f.parts.misses(l) }
func (f *and) reach(l *listing, negated bool) reach {
	if negated {
		return f.parts.any(l, true)
	}
	return f.parts.all(l, false)
}

type or struct{ parts parts }

// Keep implements [Filter].
func (f *or) Keep(ctx context.Context, t Tool) (bool, error) {
	for _, p := range f.parts {
		if keep, err := Apply(ctx, p, t); keep || err != nil {
			return keep, err
		}
	}
	return false, nil
}

func (f *or) Names() []string                     { return f.parts.Names() }
func (f *or) faults() []error                     { return f.parts.faults() }
func (f *or) String() string                      { return "Or(" + f.parts.String() + ")" }
func (f *or) misses(l *listing) ([]string, error) { return f.parts.misses(l) }
func (f *or) reach(l *listing, negated bool) reach {
	if negated {
		return f.parts.all(l, true)
	}
	return f.parts.any(l, false)
}

type not struct{ part Filter }

// Keep implements [Filter].
func (f *not) Keep(ctx context.Context, t Tool) (bool, error) {
	keep, err := Apply(ctx, f.part, t)
	return !keep && err == nil, err
}

func (f *not) Names() []string                     { return parts{f.part}.Names() }
func (f *not) faults() []error                     { return faultsOf(f.part) }
func (f *not) String() string                      { return "Not(" + describe(f.part) + ")" }
func (f *not) misses(l *listing) ([]string, error) { return parts{f.part}.misses(l) }
func (f *not) reach(l *listing, negated bool) reach {
	return reachOf(f.part, l, !negated)
}

// parts are the filters inside a combinator.
type parts []Filter

func (ps parts) String() string {
	texts := make([]string, len(ps))
	for i, p := range ps {
		texts[i] = describe(p)
	}
	return strings.Join(texts, ", ")
}
