package filter

import (
	"context"
	"slices"
)

// Allow keeps the tools named and no others. Without names it keeps none.
//
// Names the server does not list are reported by [Unknown]; a list of which
// no name is listed is an error there, because it would leave an agent
// without tools and nobody would know why.
func Allow(names ...string) Filter {
	return &allow{newNameSet(names)}
}

// Deny keeps every tool but the ones named. Without names it keeps all.
//
// Names the server does not list are reported by [Unknown], since a misspelt
// name denies nothing.
func Deny(names ...string) Filter {
	return &deny{newNameSet(names)}
}

type allow struct{ nameSet }

func (f *allow) Keep(_ context.Context, t Tool) (bool, error) { return f.has(t.Name), nil }
func (f *allow) String() string                               { return call("Allow", f.ordered) }

func (f *allow) reach(l *listing, negated bool) reach {
	if negated {
		return reachOpen
	}
	return f.only(l)
}

type deny struct{ nameSet }

func (f *deny) Keep(_ context.Context, t Tool) (bool, error) { return !f.has(t.Name), nil }
func (f *deny) String() string                               { return call("Deny", f.ordered) }

func (f *deny) reach(l *listing, negated bool) reach {
	if negated {
		return f.only(l)
	}
	return reachOpen
}

// nameSet is a copy of the caller's names, in order and for look-up.
type nameSet struct {
	ordered []string
	set     map[string]struct{}
}

func newNameSet(names []string) nameSet {
	s := nameSet{ordered: slices.Clone(names), set: make(map[string]struct{}, len(names))}
	for _, n := range names {
		s.set[n] = struct{}{}
	}
	return s
}

func (s *nameSet) has(name string) bool { _, ok := s.set[name]; return ok }

// Names implements [Filter].
func (s *nameSet) Names() []string { return slices.Clone(s.ordered) }

func (s *nameSet) misses(l *listing) ([]string, error) {
	return slices.DeleteFunc(s.Names(), l.has), nil
}

// only is the reach of a filter that keeps these names and no others.
func (s *nameSet) only(l *listing) reach {
	if len(s.ordered) == 0 {
		return reachNone
	}
	if slices.ContainsFunc(s.ordered, l.has) {
		return reachOpen
	}
	return reachMissed
}
