package toolset

import (
	"errors"
	"maps"
	"slices"
	"sync"

	"github.com/tmc/langchaingo/tools"
)

// ErrSwitchedOff is the cause when a tool was switched off with
// [Toolset.SwitchOff].
var ErrSwitchedOff = errors.New("the tool has been switched off")

// SwitchOff takes tools away until [Toolset.SwitchOn], given by the server's
// own names or by those of the toolset's own tools, such as
// "load_mcp_resource". It does no I/O, counts for all callers and holds at
// once, for what was handed out before too:
//
//   - Tools leaves them out, and so do Definitions and a bound model.
//   - A call is refused before anything is sent: Call of an older tool value,
//     Execute and Respond with an observation, CallTool and Tool with an
//     [*Error] that wraps [ErrSwitchedOff].
//
// Calls whose request has left run on. A name that the server does not list is
// kept, since it may come with a later listing; the Report warns of it. Switching
// off what is off changes nothing. SwitchOff may be called concurrently.
func (ts *Toolset) SwitchOff(names ...string) { ts.off.set(names, true) }

// SwitchOn gives back tools that [Toolset.SwitchOff] took away. Other names are
// ignored: a filter is not overridden. It may be called concurrently.
func (ts *Toolset) SwitchOn(names ...string) { ts.off.set(names, false) }

// SwitchedOff returns the names that are switched off, sorted, whether the
// server lists them or not.
func (ts *Toolset) SwitchedOff() []string { return ts.off.sorted() }

// switches are the names that are off. The zero value has all on.
type switches struct {
	mu  sync.RWMutex
	off map[string]bool
}

func (s *switches) set(names []string, off bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range names {
		if !off {
			delete(s.off, name)
			continue
		}
		if s.off == nil {
			s.off = map[string]bool{}
		}
		s.off[name] = true
	}
}

func (s *switches) has(name string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.off[name]
}

func (s *switches) sorted() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Sorted(maps.Keys(s.off))
}

// switchedOff refuses a tool that is off.
func (ts *Toolset) switchedOff(name string) error {
	if ts.off.has(name) {
		return ErrSwitchedOff
	}
	return nil
}

// on are the tools that are not switched off. Others' tools always stay.
func on(ts []tools.Tool) []tools.Tool {
	return slices.DeleteFunc(slices.Clone(ts), isOff)
}

func isOff(t tools.Tool) bool {
	own, ok := t.(*Tool)
	return ok && own.set.off.has(own.from.Name)
}

// judgeSwitches warns of names that nothing answers to.
func (ts *Toolset) judgeSwitches(c *catalogue) (warnings []Warning) {
	known := func(name string) bool {
		is := func(t *Tool) bool { return t.from.Name == name }
		return slices.Contains(c.listed, name) || slices.ContainsFunc(ts.own, is) || ts.more != nil && is(ts.more)
	}
	for _, name := range ts.off.sorted() {
		if !known(name) {
			warnings = append(warnings, Warning{name, "it is switched off, but the server does not list it (SwitchOff takes the server's own names)"})
		}
	}
	return warnings
}
