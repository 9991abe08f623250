package toolset

import (
	"context"
	"slices"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/tmc/langchaingo/tools"

	"github.com/mcptoolset/mcptoolset/internal/session"
	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// WithListening has the toolset listen for what the server tells between
// requests, so that a changed list is asked for again at the next use instead
// of after 30 seconds. It costs an open stream for each session: over
// streamable HTTP one for each identity (see [WithIdentity]), a GET before
// 2026-07-28, a request since then. What is told to one is told for them alone:
// their list is asked for again, and that of others is not. Over SSE, and to a
// child process or a server in the same process of before 2026-07-28, such
// notices come without being asked for, with this option or without.
//
// Who listens stays connected: a lost session is opened anew, with pauses that
// grow to 10 seconds, though nobody uses the toolset; only a server that refuses
// the last headers with 4xx is left alone until the next use. A stream that is
// refused or ends is asked for again with pauses too. What may have
// changed while no notice could arrive counts as changed.
//
// No more than 1,000 identities are listened for; the one that was used least
// recently goes first, and so does one that was not used for 15 minutes and
// subscribes to nothing. What a server was asked to tell of and does not grant
// is a warning of the Report.
//
// The handlers for changes imply it. [Toolset.Subscribe] listens for whom it is
// called, as long as they subscribe to anything.
func WithListening() Option {
	return func(o *options) { o.listen = true }
}

// WithToolsChangedHandler has handler given the tools whenever the server says
// that they changed: those that [Toolset.Tools] would return, asked for with the
// headers of the last use of the session the notice came by. Neither the header
// provider nor the identity function is asked; [HeadersFromContext] tells whose
// they are. err is as that of Tools.
//
// Handlers of one connection run one after another, off its read loop: they
// may be slow and may use the toolset, but not close it and wait. While one
// works, up to 1,024 notices of about 16 MiB wait; the same change is not noted
// twice, and of more the oldest log messages go first. ctx ends with Close. A panic is
// logged. It implies [WithListening]. Nil, the default, is no handler.
func WithToolsChangedHandler(handler func(ctx context.Context, ts []tools.Tool, err error)) Option {
	return func(o *options) { o.onTools = handler }
}

// WithResourcesChangedHandler is as [WithToolsChangedHandler] for the list of
// resources, as [Toolset.Resources] returns it. For a single resource's
// contents see [Toolset.Subscribe].
func WithResourcesChangedHandler(handler func(ctx context.Context, rs []Resource, err error)) Option {
	return func(o *options) { o.onResources = handler }
}

// WithPromptsChangedHandler is as [WithToolsChangedHandler] for the list of
// prompts, as [Toolset.Prompts] returns it.
func WithPromptsChangedHandler(handler func(ctx context.Context, ps []Prompt, err error)) Option {
	return func(o *options) { o.onPrompts = handler }
}

func (o *options) listens() bool {
	return o.listen || o.onTools != nil || o.onResources != nil || o.onPrompts != nil
}

// changed is told at once of a change: what is known of it is no longer used,
// however busy the owner's handlers are.
func (ts *Toolset) changed(n session.Notice) {
	ts.cache.forget(changeable(n.Method), n.Identity)
	if n.Method == mcp.MethodNotificationResourceUpdated {
		ts.cache.forgetURI(n.URI(), n.Identity)
	}
}

// notified acts on a notification of the server, after changed.
func (ts *Toolset) notified(n session.Notice) {
	switch n.Method {
	case mcp.MethodNotificationToolsListChanged:
		announce(ts, n, ts.o.onTools, func(ctx context.Context, op *session.Operation) ([]tools.Tool, error) {
			return ts.toolsOf(ctx, op, time.Now())
		})
	case mcp.MethodNotificationResourcesListChanged:
		announce(ts, n, ts.o.onResources, listBy(ts, resourceLists))
	case mcp.MethodNotificationPromptsListChanged:
		announce(ts, n, ts.o.onPrompts, listBy(ts, promptLists))
	case mcp.MethodNotificationResourceUpdated:
		ts.updated(n)
	case string(mcp.MethodNotificationElicitationComplete):
		id, _ := n.Params["elicitationId"].(string)
		ts.visits.complete(id)
	case string(mcp.MethodNotificationMessage):
		ts.logged(n)
	}
}

// announce gives a changed list to the owner's handler.
func announce[T any](ts *Toolset, n session.Notice, handler func(context.Context, []T, error), list func(context.Context, *session.Operation) ([]T, error)) {
	if handler == nil {
		return
	}
	op, ok := ts.pool.Recall(n.Identity)
	if !ok {
		return // the identity is no longer kept
	}
	ctx := op.Context(ts.life)
	items, err := list(ctx, op)
	ts.contain("handler of "+n.Method, func() { handler(ctx, items, err) })
}

// listBy lists for an operation.
func listBy[T any](ts *Toolset, kind listKind[T]) func(context.Context, *session.Operation) ([]T, error) {
	return func(ctx context.Context, op *session.Operation) ([]T, error) {
		began := time.Now()
		all, err := listedBy(ctx, ts, op, kind)
		if err != nil {
			return nil, ts.fault(StageList, "", began, err)
		}
		return slices.Clone(all.items), nil
	}
}

// contain keeps a panic of the owner's code from ending the program, and has it
// told that it ended its goroutine.
func (ts *Toolset) contain(what string, f func()) {
	var lost error = &wire.PanicError{Value: "runtime.Goexit was called"}
	defer func() {
		if fault := recover(); fault != nil {
			lost = &wire.PanicError{Value: fault}
		}
		if lost != nil {
			ts.log.Warn(what, "error", lost)
		}
	}()
	f()
	lost = nil
}

// Listening reports whether notices of changes reach the caller of ctx now, and
// all that the server was asked to tell of: a stream by which it grants less is
// not enough, and the Report names what is missing. It does not connect; it asks
// the header provider, as everything does.
func (ts *Toolset) Listening(ctx context.Context) bool {
	op, err := ts.begin(ctx)
	if err != nil {
		return false
	}
	return op.HearsAll()
}
