package toolset

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcptoolset/mcptoolset/internal/session"
	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// listKind is one of the lists a server may have besides its tools, and how its
// items are read.
type listKind[T any] struct {
	method   mcp.MCPMethod
	key      string // the member of a page that holds the items
	noun     string // of an item
	declared func(mcp.ServerCapabilities) bool
	// read makes an item of what the server sent. name is what it is known by,
	// faults what was odd about it, and the error why it cannot be used.
	read func(raw json.RawMessage) (item T, name string, faults []string, err error)
}

// listed is a list as the server gave it once. It does not change.
type listed[T any] struct {
	items    []T // in the server's order
	warnings []Warning
}

// listOf is one of the server's lists, for the owner. The items are shared:
// the caller of listOf copies them.
func listOf[T any](ctx context.Context, ts *Toolset, kind listKind[T]) ([]T, error) {
	began := time.Now()
	op, err := ts.begin(ctx)
	if err != nil {
		return nil, ts.fault(StageList, "", began, err)
	}
	all, err := listedBy(ctx, ts, op, kind)
	if err != nil {
		return nil, ts.fault(StageList, "", began, err)
	}
	return all.items, nil
}

// listedBy is one of the server's lists, within an operation.
func listedBy[T any](ctx context.Context, ts *Toolset, op *session.Operation, kind listKind[T]) (*listed[T], error) {
	a, err := ts.recall(ctx, op, wholeList(kind.method, op.Identity()), func(ctx context.Context, op *session.Operation, info wire.Info) (*answer, error) {
		return list(ctx, ts, op, info, kind)
	})
	if err != nil {
		return nil, err
	}
	all := a.value.(*listed[T])
	ts.found(string(kind.method), all.warnings)
	return all, nil
}

// list asks the server for a whole list, within the list limit. A list that the
// server does not declare, or does not know, is empty.
func list[T any](ctx context.Context, ts *Toolset, op *session.Operation, info wire.Info, kind listKind[T]) (*answer, error) {
	all := &listed[T]{}
	if !kind.declared(info.Capabilities) {
		return noList(all), nil
	}
	fresh := guess(kind.method, op)
	listing, received, err := ts.pages(ctx, op, kind.method, kind.key)
	switch {
	case errors.Is(err, mcp.ErrMethodNotFound):
		return noList(all), nil
	case err != nil:
		return nil, err
	}
	all.fill(listing, kind)
	return listAnswer(all, listing, received, fresh), nil
}

// pages fetches every page of a list, within the limits of lists. received is
// when the first one came.
func (ts *Toolset) pages(ctx context.Context, op *session.Operation, method mcp.MCPMethod, key string) (all wire.Listing, received time.Time, err error) {
	ctx, done := wire.Limit(ctx, "list", ts.cfg.ListTimeout)
	defer done()
	request := func(ctx context.Context, params json.RawMessage) (json.RawMessage, error) {
		in := op.Used() // where the cursor is from
		if params == nil {
			in = session.Mark{}
		}
		op.ReadIn(in)
		raw, err := ts.read(ctx, op, method, params)
		if params == nil {
			received = time.Now()
		}
		return raw, err
	}
	all, err = wire.List(ctx, request, key, wire.Bounds{Items: ts.cfg.MaxItems, Pages: ts.cfg.MaxPages})
	return all, received, wire.Cause(ctx, err)
}

// fill makes items of what the server listed. What cannot be used is left out
// with a warning.
func (l *listed[T]) fill(listing wire.Listing, kind listKind[T]) {
	warn := func(format string, args ...any) {
		l.warnings = append(l.warnings, Warning{Reason: fmt.Sprintf(format, args...)})
	}
	if listing.Cut != "" {
		warn("the list of %ss is not complete: %s", kind.noun, listing.Cut)
	}
	for i, raw := range listing.Items {
		item, name, faults, err := kind.read(raw)
		if err != nil {
			warn("item %d of the list of %ss was left out: %v", i, kind.noun, err)
			continue
		}
		for _, fault := range faults {
			warn("%s %q: %s", kind.noun, bounded(name, maxNameShown), fault)
		}
		l.items = append(l.items, item)
	}
}

// begin begins an operation.
func (ts *Toolset) begin(ctx context.Context) (*session.Operation, error) {
	if err := ts.open(ctx); err != nil {
		return nil, err
	}
	return ts.pool.Begin(ctx)
}

// maxFound bounds the warnings that are kept of one list.
const maxFound = 1000

// found replaces what the Report says of one list, whichever identity it was
// for, and logs what is new in it.
func (ts *Toolset) found(list string, warnings []Warning) {
	warnings = warnings[:min(len(warnings), maxFound)]
	ts.mu.Lock()
	before := ts.findings[list]
	delete(ts.findings, list)
	if len(warnings) > 0 {
		ts.findings[list] = warnings
	}
	ts.mu.Unlock()
	for _, w := range warnings {
		if !slices.Contains(before, w) {
			ts.log.Warn(w.Reason, "tool", w.Tool)
		}
	}
}
