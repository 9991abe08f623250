package config

import (
	"errors"
	"fmt"
	"strings"
)

// Both are found by errors.Is in what [Config.Validate] and [Builder.Build]
// return. The fault that wraps them names the fields.
var (
	// ErrNoConnection: none of Stdio, SSE, StreamableHTTP and InProcess is set.
	ErrNoConnection = errors.New("no connection is set")
	// ErrManyConnections: more than one of them is set.
	ErrManyConnections = errors.New("more than one connection is set")
)

// Fault is one thing wrong with a config. It holds no secret value.
type Fault struct {
	// Field is the path to the field, such as "StreamableHTTP.URL" or
	// `Stdio.Env["TOKEN"]`; for a call that does not fit the connection it is
	// the method, such as "Builder.Header".
	Field string
	// Problem says what is wrong, Remedy what to do about it. Remedy may be
	// empty.
	Problem, Remedy string

	cause error
}

// Error is "Field: Problem: Remedy".
func (f *Fault) Error() string {
	text := f.Field + ": " + f.Problem
	if f.Remedy != "" {
		text += ": " + f.Remedy
	}
	return text
}

// Unwrap returns the cause, if there is one beyond the Fault.
func (f *Fault) Unwrap() error { return f.cause }

// invalidError joins the faults of one config, or of headers, which belong to
// no server yet.
type invalidError struct {
	server string
	faults []*Fault
}

func (e *invalidError) Error() string {
	texts := make([]string, len(e.faults))
	for i, f := range e.faults {
		texts[i] = f.Error()
	}
	text := strings.Join(texts, "; ")
	if e.server == "" {
		return text
	}
	return "config of server " + quote(e.server) + ": " + text
}

// Unwrap makes errors.Is and errors.As see every fault.
func (e *invalidError) Unwrap() []error {
	errs := make([]error, len(e.faults))
	for i, f := range e.faults {
		errs[i] = f
	}
	return errs
}

// faults gathers what is wrong, so that one round of mending is enough.
type faults struct{ list []*Fault }

func (f *faults) add(field, problem, remedy string) {
	f.list = append(f.list, &Fault{Field: field, Problem: problem, Remedy: remedy})
}

// wrap adds a fault that callers can find by its cause.
func (f *faults) wrap(field string, cause error, remedy string) {
	problem := strings.TrimPrefix(cause.Error(), "filter: ")
	f.list = append(f.list, &Fault{Field: field, Problem: problem, Remedy: remedy, cause: cause})
}

// err is nil without faults.
func (f *faults) err(server string) error {
	if len(f.list) == 0 {
		return nil
	}
	return &invalidError{server, f.list}
}

// indexed and keyed are the paths to an element.
func indexed(field string, i int) string { return fmt.Sprintf("%s[%d]", field, i) }
func keyed(field, key string) string     { return field + "[" + quote(key) + "]" }
