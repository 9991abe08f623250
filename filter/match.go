package filter

import (
	"context"
	"errors"
	"slices"
)

// Match keeps the tools whose whole name fits at least one of the patterns.
// Without patterns it keeps none.
//
// The syntax is that of [path.Match], except that nothing in a tool's name is
// a separator:
//
//	?        any one character
//	*        any characters, none and "/" included
//	[a-z_]   one of a set; [^a-z] and [!a-z] one that is not in it
//	\c       the character c itself
//
// A pattern that breaks the syntax is an error: [Validate], which a config
// calls when it is built, reports every one, and Keep fails with it. The error
// wraps [path.ErrBadPattern].
//
// Patterns that fit no tool of the server are reported by [Unknown], as the
// names of [Allow] are. Names returns the patterns that stand for one name
// only.
func Match(patterns ...string) Filter {
	f := &match{patterns: slices.Clone(patterns)}
	for _, p := range patterns {
		g, err := compile(p)
		if err != nil {
			f.broken = append(f.broken, err)
			continue
		}
		f.globs = append(f.globs, g)
	}
	return f
}

type match struct {
	patterns []string
	globs    []glob  // one a pattern, if none is broken
	broken   []error // one a broken pattern
}

// Keep implements [Filter].
func (f *match) Keep(_ context.Context, t Tool) (bool, error) {
	if f.broken != nil {
		return false, errors.Join(f.broken...)
	}
	return slices.ContainsFunc(f.globs, func(g glob) bool { return g.match(t.Name) }), nil
}

// Names implements [Filter].
func (f *match) Names() []string {
	var names []string
	for _, g := range f.globs {
		if name, ok := g.exact(); ok {
			names = append(names, name)
		}
	}
	return names
}

func (f *match) faults() []error { return f.broken }

func (f *match) String() string { return call("Match", f.patterns) }

func (f *match) misses(l *listing) ([]string, error) {
	if f.broken != nil {
		return nil, errors.Join(f.broken...)
	}
	var missed []string
	for i, g := range f.globs {
		if !slices.ContainsFunc(l.names, g.match) {
			missed = append(missed, f.patterns[i])
		}
	}
	return missed, nil
}

func (f *match) reach(l *listing, negated bool) reach {
	switch {
	case negated:
		return reachOpen
	case len(f.patterns) == 0:
		return reachNone
	}
	for _, g := range f.globs {
		if slices.ContainsFunc(l.names, g.match) {
			return reachOpen
		}
	}
	return reachMissed
}
