package toolset

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/tmc/langchaingo/tools"

	"github.com/mcptoolset/mcptoolset/filter"
	"github.com/mcptoolset/mcptoolset/internal/decode"
	"github.com/mcptoolset/mcptoolset/internal/session"
	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// catalogue is what a server listed to one identity. It does not change.
type catalogue struct {
	tools    []*Tool // in the server's order
	own      []*Tool // the toolset's own tools that this server can serve
	more     *Tool   // the tool that reads on, nil where it is off
	listed   []string
	places   map[string]int // of the tools that can be used, in the list
	left     []leftOut
	toolless bool // the server knows no tools at all
	warnings []Warning
	at       time.Time
}

// Tools connects where needed and returns the server's tools in its order, as
// far as the filter keeps them. What had to be left out is in the [Report].
// The list is cached per identity: for as long as the server says, else until
// it announces a change where that can be heard, else for 30 seconds.
//
// The error is an [*Error]; it wraps [filter.ErrNoMatch] when the filter names
// tools and the server lists none of them.
func (ts *Toolset) Tools(ctx context.Context) ([]tools.Tool, error) {
	began := time.Now()
	op, err := ts.begin(ctx)
	if err != nil {
		return nil, ts.fault(StageList, "", began, err)
	}
	return ts.toolsOf(ctx, op, began)
}

// toolsOf are the tools for an operation.
func (ts *Toolset) toolsOf(ctx context.Context, op *session.Operation, began time.Time) ([]tools.Tool, error) {
	all, err := ts.listed(ctx, op)
	if err != nil {
		return nil, ts.fault(StageList, "", began, err)
	}
	kept, warnings, err := ts.keep(ctx, all)
	ts.tell(all, len(kept), warnings)
	if err != nil {
		return nil, ts.fault(StageList, "", began, err)
	}
	return kept, nil
}

// keep filters a catalogue with the context of one use.
func (ts *Toolset) keep(ctx context.Context, all *catalogue) ([]tools.Tool, []Warning, error) {
	if all.toolless { // there is nothing that the filter could have missed
		return on(all.withOwn(nil)), ts.judgeSwitches(all), nil
	}
	var warnings []Warning
	unknown, err := filter.Unknown(ts.cfg.Filter, all.listed)
	for _, name := range unknown {
		warnings = append(warnings, Warning{Tool: name, Reason: "the filter names it, but the server does not list it (filters take the server's own names)"})
	}
	if err != nil {
		return nil, warnings, err
	}
	kept, err := ts.pick(ctx, all.tools)
	if err != nil {
		return nil, warnings, err
	}
	return on(all.withOwn(on(kept))), append(warnings, ts.judgeSwitches(all)...), nil
}

// pick are the tools that the filter keeps, within the list limit.
func (ts *Toolset) pick(ctx context.Context, all []*Tool) ([]tools.Tool, error) {
	if ts.cfg.Filter == nil {
		kept := make([]tools.Tool, len(all))
		for i, t := range all {
			kept[i] = t
		}
		return kept, nil
	}
	ctx, done := wire.Limit(ctx, "list", ts.cfg.ListTimeout)
	defer done()
	kept, err := within(ctx, ts, "filter", func(ctx context.Context) ([]tools.Tool, error) {
		kept := make([]tools.Tool, 0, len(all))
		for _, t := range all {
			keep, err := filter.Apply(ctx, ts.cfg.Filter, t.filtered())
			switch {
			case err != nil:
				return nil, err
			case keep:
				kept = append(kept, t)
			}
		}
		return kept, nil
	})
	return kept, wire.Cause(ctx, err)
}

// withOwn adds the toolset's own tools, which are never filtered. Without tools
// of the server there is nothing to read on in.
func (c *catalogue) withOwn(kept []tools.Tool) []tools.Tool {
	readable := len(kept) > 0 && c.more != nil
	for _, t := range c.own {
		kept = append(kept, t)
	}
	if readable {
		kept = append(kept, c.more)
	}
	return kept
}

// tell makes the report of a listing and logs what is new in it.
func (ts *Toolset) tell(all *catalogue, offered int, warnings []Warning) {
	report := Report{Listed: len(all.listed), Offered: offered, At: all.at, Warnings: append(slices.Clone(all.warnings), warnings...)}
	ts.mu.Lock()
	before := ts.report
	ts.report = report
	ts.mu.Unlock()
	for _, w := range report.Warnings {
		if !slices.Contains(before.Warnings, w) {
			ts.log.Warn(w.Reason, "tool", w.Tool)
		}
	}
}

// Tool returns one tool by the server's own name. The error is an [*Error]
// that wraps [ErrUnknownTool], or [ErrNotOffered] when the filter keeps it
// back, or [ErrSwitchedOff].
func (ts *Toolset) Tool(ctx context.Context, name string) (*Tool, error) {
	began := time.Now()
	all, err := ts.catalogue(ctx)
	if err != nil {
		return nil, ts.fault(StageList, name, began, err)
	}
	t := all.find(name)
	if t == nil {
		return nil, ts.fault(StageList, name, began, all.missing(name))
	}
	bounded, done := wire.Limit(ctx, "list", ts.cfg.ListTimeout)
	defer done()
	if err := ts.permit(bounded, t); err != nil {
		return nil, ts.fault(StageList, name, began, err)
	}
	return t, nil
}

func (c *catalogue) find(name string) *Tool {
	for _, t := range c.tools {
		if t.from.Name == name {
			return t
		}
	}
	return nil
}

// missing says why there is no tool of a name.
func (c *catalogue) missing(name string) error {
	for _, w := range c.warnings {
		if w.Tool == name {
			return fmt.Errorf("%w: it was left out: %s", ErrUnknownTool, w.Reason)
		}
	}
	names := c.listed
	if len(names) == 0 {
		return fmt.Errorf("%w: it lists none", ErrUnknownTool)
	}
	const shown = 20
	more := ""
	if len(names) > shown {
		more = fmt.Sprintf(" and %d more", len(names)-shown)
		names = names[:shown]
	}
	return fmt.Errorf("%w: it lists %s%s", ErrUnknownTool, strings.Join(names, ", "), more)
}

// catalogue is the list of the caller's identity, as an operation of its own.
func (ts *Toolset) catalogue(ctx context.Context) (*catalogue, error) {
	if err := ts.open(ctx); err != nil {
		return nil, err
	}
	op, err := ts.pool.Begin(ctx)
	if err != nil {
		return nil, err
	}
	return ts.listed(ctx, op)
}

// listed is the list of an operation's identity.
func (ts *Toolset) listed(ctx context.Context, op *session.Operation) (*catalogue, error) {
	a, err := ts.recall(ctx, op, wholeList(mcp.MethodToolsList, op.Identity()), ts.list)
	if err != nil {
		return nil, err
	}
	return a.value.(*catalogue), nil
}

// known is the list of an identity that is at hand, nil where there is none.
func (ts *Toolset) known(identity string) *catalogue {
	if a := ts.cache.peek(wholeList(mcp.MethodToolsList, identity)); a != nil {
		return a.value.(*catalogue)
	}
	return nil
}

// list asks the server for its tools within the list limit. Connecting has a
// limit of its own.
func (ts *Toolset) list(ctx context.Context, op *session.Operation, info wire.Info) (*answer, error) {
	c := &catalogue{at: time.Now(), more: ts.more}
	if info.Capabilities.Resources != nil {
		c.own = ts.own
	} else if ts.own != nil {
		c.warn("", "the tools for resources are left out: the server does not declare resources")
	}
	if info.Capabilities.Tools == nil {
		return noList(c.without("the server does not declare tools")), nil
	}
	fresh := guess(mcp.MethodToolsList, op)
	listing, received, err := ts.pages(ctx, op, mcp.MethodToolsList, "tools")
	switch {
	case errors.Is(err, mcp.ErrMethodNotFound):
		return noList(c.without("the server does not know tools/list: it has no tools")), nil
	case err != nil:
		return nil, err
	}
	ts.fill(c, listing, info)
	return listAnswer(c, listing, received, fresh), nil
}

// fill makes tools of what the server listed. What cannot be used is left out
// with a warning.
func (ts *Toolset) fill(c *catalogue, listing wire.Listing, info wire.Info) {
	if listing.Cut != "" {
		c.warn("", "the list of tools is not complete: "+listing.Cut)
	}
	var usable []decode.Tool
	c.places = map[string]int{}
	for i, raw := range listing.Items {
		t, err := decode.ToolOf(raw)
		if t.Name != "" {
			c.listed = append(c.listed, t.Name)
		}
		if err == nil {
			err = wire.CheckHeaders(ts.pool.Kind(), info, t.Name, t.InputSchema)
		}
		switch {
		case err != nil && t.Name == "":
			c.leave(i, t, fmt.Sprintf("item %d of the list of tools was left out: %v", i, err))
		case err != nil:
			c.leave(i, t, fmt.Sprintf("left out: %v", err))
		case t.TaskSupport == taskRequired && taskless(info) != "":
			c.leave(i, t, taskless(info))
		case c.known(t.Name):
			c.leave(i, t, "left out: the server lists the name again; the first is used")
		default:
			c.places[t.Name] = i
			usable = append(usable, t)
		}
	}
	ts.name(c, usable)
}

// name gives tools the names a model uses and leaves out those whose name is
// reserved.
func (ts *Toolset) name(c *catalogue, usable []decode.Tool) {
	originals := make([]string, len(usable))
	for i, t := range usable {
		originals[i] = t.Name
	}
	names := assignNames(ts.cfg.Prefix, originals)
	for _, t := range usable {
		name := names[t.Name]
		if c.reserves(ts.cfg.Reserved, t.Name, name) {
			c.leave(c.places[t.Name], t, "left out: its name is reserved")
			continue
		}
		c.tools = append(c.tools, ts.newTool(name, t))
	}
	ts.judgeBindings(c)
}

// reserves reports whether a tool's name is one the owner reserves or that of
// one of the toolset's own tools, as LangChainGo's Executor compares names.
func (c *catalogue) reserves(reserved []string, original, name string) bool {
	return c.more != nil && strings.EqualFold(c.more.name, name) ||
		slices.ContainsFunc(c.own, func(t *Tool) bool { return strings.EqualFold(t.name, name) }) ||
		slices.ContainsFunc(reserved, func(r string) bool { return strings.EqualFold(r, name) || r == original })
}

// without makes it the catalogue of a server that knows no tools.
func (c *catalogue) without(why string) *catalogue {
	c.toolless = true
	c.warn("", why)
	return c
}

// known reports whether a usable tool of this name came before.
func (c *catalogue) known(name string) bool {
	_, known := c.places[name]
	return known
}

func (c *catalogue) warn(tool, reason string) {
	c.warnings = append(c.warnings, Warning{Tool: tool, Reason: reason})
}
