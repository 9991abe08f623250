package toolset

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcptoolset/mcptoolset/internal/args"
)

// WithBoundArguments sets arguments of a tool, given by the server's own name,
// that are the owner's and not the model's. They are part of every call,
// whatever the model sends under their names, and are in nothing that a model
// is told: parameters, descriptions, errors. (The server's own words are not
// changed.) By default nothing is bound. Given again for a tool it adds to what
// was given before, and overrides values of the same name.
//
// The values are encoded as JSON at once; those that cannot be are an error of
// New. Numbers keep their digits as json.Number, json.RawMessage or integers.
// Only arguments of the tool itself can be bound, not what is inside of one.
//
// A tool the server does not list, an argument its schema does not have and a
// value the schema refuses are in the Report after a listing. A call with a
// value that the schema refuses does not reach the server: it fails with a Go
// error at [StageArguments], since no model can mend it.
func WithBoundArguments(tool string, values map[string]any) Option {
	encoded, err := encodeEach(values)
	return func(o *options) {
		b := o.bindingOf("WithBoundArguments", tool)
		if err != nil {
			o.faults = append(o.faults, fmt.Errorf("WithBoundArguments: tool %q: %w", tool, err))
		}
		maps.Copy(b.fixed, encoded)
	}
}

// WithBoundArgumentsFunc is [WithBoundArguments] with values that differ from
// call to call, such as the user's. values is asked once per call of the tool,
// with its context, and answers with values for names, of which it may leave
// some out: they are not set then, unless WithBoundArguments does so. By
// default nothing is bound. Given again for a tool it adds to what was given
// before; of the values for one name the last counts.
//
// An error of values, a panic, a value for another name and one that is not
// JSON stop the call, with a Go error at [StageArguments]. values has as long
// as the connect limit and may be called concurrently.
func WithBoundArgumentsFunc(tool string, names []string, values func(ctx context.Context) (map[string]any, error)) Option {
	names = slices.Clone(names)
	return func(o *options) {
		b := o.bindingOf("WithBoundArgumentsFunc", tool)
		switch {
		case values == nil:
			o.faults = append(o.faults, fmt.Errorf("WithBoundArgumentsFunc: tool %q: the function is nil", tool))
		case len(names) == 0:
			o.faults = append(o.faults, fmt.Errorf("WithBoundArgumentsFunc: tool %q: no names are given", tool))
		}
		b.late = append(b.late, lateValues{names, values})
	}
}

// binding is what the owner binds of one tool. Once New has returned it does
// not change. A nil binding binds nothing.
type binding struct {
	tool  string
	fixed map[string]json.RawMessage
	late  []lateValues
	names []string     // of all arguments, sorted
	only  *args.Schema // sets the arguments without a schema
}

type lateValues struct {
	names  []string
	values func(context.Context) (map[string]any, error)
}

// bindingOf returns the binding of a tool, a new one where there is none.
func (o *options) bindingOf(option, tool string) *binding {
	if tool == "" {
		o.faults = append(o.faults, errors.New(option+": the name of the tool is empty"))
	}
	if o.bindings == nil {
		o.bindings = map[string]*binding{}
	}
	b := o.bindings[tool]
	if b == nil {
		b = &binding{tool: tool, fixed: map[string]json.RawMessage{}}
		o.bindings[tool] = b
	}
	return b
}

// seal ends the making of the bindings.
func (o *options) seal() {
	for _, b := range o.bindings {
		b.names = append(slices.Collect(maps.Keys(b.fixed)), b.lateNames()...)
		slices.Sort(b.names)
		b.names = slices.Compact(b.names)
		b.only = args.New(nil, b.options()...)
	}
}

func (b *binding) lateNames() (names []string) {
	for _, l := range b.late {
		names = append(names, l.names...)
	}
	return names
}

// hidden are the names of the arguments no model is shown.
func (b *binding) hidden() []string {
	if b == nil {
		return nil
	}
	return b.names
}

func (b *binding) options() []args.Option {
	if b == nil {
		return nil
	}
	return []args.Option{args.WithBound(b.fixed), args.WithLateBound(b.lateNames()...)}
}

// binding is what the owner binds of the tool.
func (t *Tool) binding() *binding {
	if t.own {
		return nil
	}
	return t.set.o.bindings[t.from.Name]
}

// bindingError says that a tool cannot be called because of its bound
// arguments. It is nothing a model could mend.
type bindingError struct {
	tool string
	err  error
}

func (e *bindingError) Error() string {
	return fmt.Sprintf("the arguments bound for the tool %q cannot be set: %v", e.tool, e.err)
}

func (e *bindingError) Unwrap() error { return e.err }

// blame tells faults of the owner from those of the model.
func (b *binding) blame(err error) error {
	if err == nil || b == nil {
		return err
	}
	var models *args.Error
	var owners *args.BoundError
	switch {
	case errors.As(err, &models):
		return err
	case errors.As(err, &owners):
		err = fmt.Errorf("%w; correct what WithBoundArguments or its function gives", err)
	}
	return &bindingError{b.tool, err}
}

// late asks for the values that come with each call.
func (ts *Toolset) late(ctx context.Context, b *binding) (map[string]json.RawMessage, error) {
	if b == nil || len(b.late) == 0 {
		return nil, nil
	}
	all := map[string]json.RawMessage{}
	for _, l := range b.late {
		values, err := askOwner(ctx, ts, "bound arguments", l.ask)
		if errors.Is(err, ErrClosed) || ctx.Err() != nil {
			return nil, errors.Join(err, ctx.Err())
		}
		if err != nil {
			return nil, &bindingError{b.tool, err}
		}
		maps.Copy(all, values)
	}
	return all, nil
}

// ask returns the values encoded, so that nobody else can change them.
func (l lateValues) ask(ctx context.Context) (map[string]json.RawMessage, error) {
	values, err := l.values(ctx)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !slices.Contains(l.names, name) {
			return nil, fmt.Errorf("the function answers with %q, which is not among the names given to WithBoundArgumentsFunc", name)
		}
	}
	return encodeEach(values)
}

// bind sets the owner's arguments in those of [Toolset.CallTool].
func (ts *Toolset) bind(ctx context.Context, tool string, arguments json.RawMessage) (json.RawMessage, error) {
	b := ts.o.bindings[tool]
	if b == nil {
		return arguments, nil
	}
	late, err := ts.late(ctx, b)
	if err != nil {
		return nil, err
	}
	bound, err := b.only.Bind(arguments, late)
	return bound, b.blame(err)
}

// encodeEach encodes values as JSON. The error names each that cannot be.
func encodeEach(values map[string]any) (map[string]json.RawMessage, error) {
	encoded := make(map[string]json.RawMessage, len(values))
	var faults []error
	for _, name := range slices.Sorted(maps.Keys(values)) {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(values[name]); err != nil {
			faults = append(faults, fmt.Errorf("the value of argument %q cannot be encoded as JSON: %w", name, err))
		}
		encoded[name] = bytes.TrimSpace(b.Bytes())
	}
	return encoded, errors.Join(faults...)
}

// judgeBindings warns of bound arguments that do not fit what the server
// listed.
func (ts *Toolset) judgeBindings(c *catalogue) {
	for _, name := range slices.Sorted(maps.Keys(ts.o.bindings)) {
		b := ts.o.bindings[name]
		t := c.find(name)
		if t == nil {
			if !slices.Contains(c.listed, name) {
				c.warn(name, "arguments are bound for it, but the server does not list it (bindings take the server's own names)")
			}
			continue
		}
		for _, argument := range b.names {
			if !t.args().Declares(argument) {
				c.warn(name, fmt.Sprintf("the bound argument %q is not in its schema; it is sent all the same", argument))
			}
		}
		var faults []string
		for _, f := range t.args().BoundFaults() {
			faults = append(faults, f.String())
		}
		if faults != nil {
			c.warn(name, "its schema refuses bound arguments, so that every call will fail: "+strings.Join(faults, "; ")+"; correct what WithBoundArguments gives")
		}
	}
}
