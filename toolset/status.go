package toolset

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcptoolset/mcptoolset/internal/decode"
	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// ToolState tells whether a tool can be called, and if not, what keeps it back.
type ToolState string

// The states of a tool. Where several things keep one back, the first of
// StateLeftOut, StateSwitchedOff and StateFilteredOut is told.
const (
	// StateOffered: Tools returns it.
	StateOffered ToolState = "offered"
	// StateFilteredOut: the filter keeps it back, in this context.
	StateFilteredOut ToolState = "filtered out"
	// StateSwitchedOff: it was switched off ([Toolset.SwitchOff]).
	StateSwitchedOff ToolState = "switched off"
	// StateLeftOut: it cannot be used, or its name is reserved or taken.
	StateLeftOut ToolState = "left out"
)

// ToolStatus is what is known of one item of the server's list, or of one of
// the toolset's own tools.
type ToolStatus struct {
	// Name is the server's own name of the tool; empty where it gave none.
	Name string
	// ModelName is the name a model calls it by; empty where it is left out.
	ModelName string
	// Own is set for the toolset's own tools, which load resources or read on.
	Own bool
	// State tells whether it is offered.
	State ToolState
	// Reason says why it is left out, or how the filter failed; else empty.
	Reason string
	// Unchecked says why arguments are not checked before a call, such as a
	// schema that does not compile; empty where they are checked.
	Unchecked string
	// Calls counts the calls of the name since the toolset was made, by all
	// callers and by whatever way; Failures those of them that failed, for
	// whatever reason: a failure the tool reports, arguments that do not fit,
	// a call that was refused. LastFailure is when the last one did; zero where
	// none has. Calls that still run are not counted.
	Calls, Failures int64
	LastFailure     time.Time
}

// Status tells of each item the server lists, in its order, and of the
// toolset's own tools after them, whether it is offered to the caller of ctx,
// and how its calls went. It connects and lists where needed. The error is an
// [*Error], for a list that cannot be had; a filter that fails is the Reason of
// the tools it fails for, which are not offered.
func (ts *Toolset) Status(ctx context.Context) ([]ToolStatus, error) {
	began := time.Now()
	entries, err := ts.entries(ctx)
	if err != nil {
		return nil, ts.fault(StageList, "", began, err)
	}
	all := make([]ToolStatus, len(entries))
	for i, e := range entries {
		s := ToolStatus{Name: e.from.Name, State: e.state, Reason: e.reason}
		if t := e.tool; t != nil {
			s.ModelName, s.Own = t.name, t.own
			if !t.judges {
				s.Unchecked = t.args().Unchecked()
			}
			s.Calls, s.Failures, s.LastFailure = ts.tally.of(t.from.Name)
		}
		all[i] = s
	}
	return all, nil
}

// leftOut is an item of the server's list that is not a tool here.
type leftOut struct {
	place  int
	from   decode.Tool // as far as it could be read
	reason string
}

// leave leaves out the item at a place of the list, with a warning.
func (c *catalogue) leave(place int, from decode.Tool, reason string) {
	c.warn(from.Name, reason)
	c.left = append(c.left, leftOut{place, from, reason})
}

// entry is a listed tool with its state in one context. tool is nil where it
// is left out.
type entry struct {
	tool   *Tool
	from   decode.Tool
	state  ToolState
	reason string
	place  int
}

// entries are the tools of the caller's list in its order, then the toolset's
// own.
func (ts *Toolset) entries(ctx context.Context) ([]entry, error) {
	c, err := ts.catalogue(ctx)
	if err != nil {
		return nil, err
	}
	bounded, done := wire.Limit(ctx, "list", ts.cfg.ListTimeout)
	defer done()
	all := make([]entry, 0, len(c.tools)+len(c.left)+len(c.own)+1)
	for _, l := range c.left {
		all = append(all, entry{from: l.from, state: StateLeftOut, reason: l.reason, place: l.place})
	}
	for _, t := range c.tools {
		state, reason := ts.stateOf(bounded, t)
		all = append(all, entry{t, t.from, state, reason, c.places[t.from.Name]})
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	slices.SortStableFunc(all, func(a, b entry) int { return cmp.Compare(a.place, b.place) })
	for _, t := range c.withOwn(nil) {
		all = append(all, ts.ownEntry(t.(*Tool)))
	}
	if c.more != nil && len(c.tools) > 0 {
		all = append(all, ts.ownEntry(c.more))
	}
	return all, nil
}

func (ts *Toolset) ownEntry(t *Tool) entry {
	if ts.off.has(t.from.Name) {
		return entry{tool: t, from: t.from, state: StateSwitchedOff}
	}
	return entry{tool: t, from: t.from, state: StateOffered}
}

func (ts *Toolset) stateOf(ctx context.Context, t *Tool) (ToolState, string) {
	if ts.off.has(t.from.Name) {
		return StateSwitchedOff, ""
	}
	keep, err := ts.judge(ctx, t)
	switch {
	case err != nil:
		return StateFilteredOut, "the filter failed: " + wire.Cause(ctx, err).Error()
	case !keep:
		return StateFilteredOut, ""
	}
	return StateOffered, ""
}

// tallies count calls by the server's names of tools. A listing makes new tool
// values, but no new counts.
type tallies struct {
	mu    sync.RWMutex
	names map[string]*tally
}

type tally struct {
	calls, failures atomic.Int64
	last            atomic.Int64 // when one failed, in nanoseconds
}

// maxTallies bounds the names that are counted: a server may invent new ones.
const maxTallies = 10_000

func (s *tallies) count(name string, failed bool) {
	one := s.get(name)
	if one == nil {
		return
	}
	one.calls.Add(1)
	if failed {
		one.failures.Add(1)
		one.last.Store(time.Now().UnixNano())
	}
}

// get returns the tally of a name, a new one where there is none yet; nil
// where there are too many.
func (s *tallies) get(name string) *tally {
	s.mu.RLock()
	one := s.names[name]
	s.mu.RUnlock()
	if one != nil {
		return one
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.names == nil {
		s.names = map[string]*tally{}
	}
	one = s.names[name]
	if one == nil && len(s.names) < maxTallies {
		one = &tally{}
		s.names[name] = one
	}
	return one
}

func (s *tallies) of(name string) (calls, failures int64, last time.Time) {
	s.mu.RLock()
	one := s.names[name]
	s.mu.RUnlock()
	if one == nil {
		return 0, 0, time.Time{}
	}
	if at := one.last.Load(); at != 0 {
		last = time.Unix(0, at)
	}
	return one.calls.Load(), one.failures.Load(), last
}
