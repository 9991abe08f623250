package filter

import (
	"errors"
	"fmt"
)

// ErrNoMatch is the error of [Unknown] for a filter that names the tools to
// keep and finds none of them.
var ErrNoMatch = errors.New("the filter names tools to keep, and the server lists none of them")

// Unknown compares what f spells out with the names a server lists.
//
// It returns the names, and the patterns of [Match], that fit no listed tool,
// each once and in the order of f, wherever in f they stand: a name that is
// allowed in vain leaves a tool out, one that is denied in vain leaves a tool
// in.
//
// The error wraps [ErrNoMatch] when nothing can be kept because tools were
// asked for by name or pattern and none of them is listed. The names are
// returned with it. Only names decide here; parts that look at something else
// ([ReadOnly], [Predicate], filters of one's own) are taken to keep whatever
// they are shown:
//
//   - Allow and Match: none of their names and patterns fits. Without names
//     they keep nothing on purpose, and that is no error.
//   - And: one of its parts is such a filter.
//   - Or: at least one part is such a filter, and the others keep nothing.
//   - Not: what is taken away cannot be missed, so Not(Allow("x")) is no
//     error; Not(Deny("x")) is Allow("x"), and counts as that.
//
// Another error means that the names cannot be told: a pattern breaks the
// syntax or the Names of a filter panics.
func Unknown(f Filter, listed []string) ([]string, error) {
	l := newListing(listed)
	missed, err := missesOf(f, l)
	missed = unique(missed)
	if err != nil {
		return missed, err
	}
	if reachOf(f, l, false) == reachMissed {
		return missed, noMatch(missed, listed)
	}
	return missed, nil
}

func noMatch(missed, listed []string) error {
	there := "it lists no tools"
	if len(listed) > 0 {
		there = "it lists " + list(listed)
	}
	return fmt.Errorf("filter: %w: %s (%s; filters take the server's own names, without a prefix)", ErrNoMatch, list(missed), there)
}

// listing is what a server lists.
type listing struct {
	names []string
	set   map[string]struct{}
}

func newListing(names []string) *listing {
	l := &listing{names: names, set: make(map[string]struct{}, len(names))}
	for _, n := range names {
		l.set[n] = struct{}{}
	}
	return l
}

func (l *listing) has(name string) bool { _, ok := l.set[name]; return ok }

// reach is how far the names in a filter let tools through, from narrow to
// wide. A filter that looks at more than names is taken to be open.
type reach int

const (
	reachMissed reach = iota // none: the tools asked for are not listed
	reachNone                // none, as asked for
	reachOpen                // some
)

// byName is a filter of this package that knows the names inside it.
type byName interface {
	// misses returns the names and patterns that fit nothing in l.
	misses(l *listing) ([]string, error)
	// reach judges the filter, or its opposite when negated.
	reach(l *listing, negated bool) reach
}

// missesOf is misses for any filter.
func missesOf(f Filter, l *listing) (missed []string, err error) {
	if isNil(f) {
		return nil, nil
	}
	if n, ok := f.(byName); ok {
		return n.misses(l)
	}
	names, err := namesOf(f)
	for _, n := range names {
		if !l.has(n) {
			missed = append(missed, n)
		}
	}
	return missed, err
}

// reachOf is reach for any filter.
func reachOf(f Filter, l *listing, negated bool) reach {
	if n, ok := f.(byName); ok && !isNil(f) {
		return n.reach(l, negated)
	}
	if isNil(f) && negated {
		return reachNone
	}
	return reachOpen
}

// misses joins what the parts miss.
func (ps parts) misses(l *listing) ([]string, error) {
	var missed []string
	var faults []error
	for _, p := range ps {
		m, err := missesOf(p, l)
		missed, faults = append(missed, m...), append(faults, err)
	}
	return missed, errors.Join(faults...)
}

// all is the reach of tools that must pass every part. A part that missed
// what it asked for says more than one that keeps nothing on purpose.
func (ps parts) all(l *listing, negated bool) reach {
	r := reachOpen
	for _, p := range ps {
		r = min(r, reachOf(p, l, negated))
	}
	return r
}

// any is the reach of tools that must pass one part. Where no part lets
// anything through, one that missed explains it.
func (ps parts) any(l *listing, negated bool) reach {
	r := reachNone
	for _, p := range ps {
		switch reachOf(p, l, negated) {
		case reachOpen:
			return reachOpen
		case reachMissed:
			r = reachMissed
		}
	}
	return r
}

// Names joins the names of all parts, each once.
func (ps parts) Names() []string {
	var names []string
	for _, p := range ps {
		if isNil(p) {
			continue
		}
		own, _ := namesOf(p) // a filter that panics spells nothing out here; Unknown reports it
		names = append(names, own...)
	}
	return unique(names)
}

// namesOf asks any filter for its names; a panic becomes an error.
func namesOf(f Filter) (names []string, err error) {
	defer func() {
		if r := recover(); r != nil {
			names, err = nil, fmt.Errorf("filter: Names of %s: %w", describe(f), panicked(r))
		}
	}()
	return f.Names(), nil
}

// unique drops names that were there before.
func unique(names []string) []string {
	var out []string
	seen := make(map[string]struct{}, len(names))
	for _, n := range names {
		if _, ok := seen[n]; !ok {
			seen[n] = struct{}{}
			out = append(out, n)
		}
	}
	return out
}
