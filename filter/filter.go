package filter

import (
	"context"
	"fmt"
	"reflect"
)

// Tool is what a filter sees of a tool: the server's own words, before any
// name is shortened, prefixed or made unique for a model.
type Tool struct {
	// Name is the server's name of the tool, the one that goes over the wire.
	Name string
	// Title and Description are empty where the server gave none.
	Title, Description string
	// ReadOnly, Destructive, Idempotent and OpenWorld are the tool's
	// annotations readOnlyHint, destructiveHint, idempotentHint and
	// openWorldHint; nil where the server gave none. They are claims of the
	// server, not facts.
	ReadOnly, Destructive, Idempotent, OpenWorld *bool
}

// Filter keeps some tools and drops the rest.
//
// Filters are asked at every listing, again before every call, and from many
// goroutines at once: they must be safe for concurrent use and quick. A listing
// or a call does not wait for one beyond its own limit.
//
// A Filter may also have the method Validate() error, which [Validate] calls,
// and the method String() string, which stands for it in errors and logs.
type Filter interface {
	// Keep reports whether t stays. ctx is the context of the listing or of
	// the call. An error stops the listing or the call.
	Keep(ctx context.Context, t Tool) (bool, error)

	// Names returns the tool names the filter spells out, whether to keep or
	// to drop them, so that names no tool bears can be reported. It returns
	// nil where the filter does not go by name. The slice is the caller's.
	Names() []string
}

// Apply reports whether f keeps t. It is the way to ask a filter: a nil
// filter, or one holding a nil pointer or function, keeps every tool; a panic
// of f becomes an error. With an error the result is always false.
func Apply(ctx context.Context, f Filter, t Tool) (bool, error) {
	if isNil(f) {
		return true, nil
	}
	return guarded(f, t, func() (bool, error) { return f.Keep(ctx, t) })
}

// guarded runs one decision of f about t and turns a panic into an error.
func guarded(f Filter, t Tool, decide func() (bool, error)) (keep bool, err error) {
	defer func() {
		if r := recover(); r != nil {
			keep, err = false, fmt.Errorf("filter: %s on tool %s: %w", describe(f), quote(t.Name), panicked(r))
		}
	}()
	keep, err = decide()
	if err != nil {
		return false, err
	}
	return keep, nil
}

// panicked keeps the cause of a panic reachable by errors.Is and errors.As.
func panicked(r any) error {
	if err, ok := r.(error); ok {
		return fmt.Errorf("panic: %w", err)
	}
	return fmt.Errorf("panic: %v", r)
}

// isNil reports whether f is nil or holds a nil pointer or function, which
// could only panic. A nil map or slice is a value with methods that work: a
// set of names without names must not turn into one that keeps everything.
func isNil(f Filter) bool {
	if f == nil {
		return true
	}
	switch v := reflect.ValueOf(f); v.Kind() {
	case reflect.Pointer, reflect.Func:
		return v.IsNil()
	default:
		return false
	}
}
