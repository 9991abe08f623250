package filter

import "context"

// ReadOnly keeps the tools whose server says that they change nothing
// (readOnlyHint is true). A tool without the hint is not kept.
//
// The hint is the server's claim. Against a server that is not trusted it
// protects from nothing; spell the tools out with [Allow] there.
func ReadOnly() Filter { return &readOnly{} }

// readOnly is not of size zero, so that every filter has an address of its own.
type readOnly struct{ _ byte }

func (*readOnly) Keep(_ context.Context, t Tool) (bool, error) {
	return t.ReadOnly != nil && *t.ReadOnly, nil
}
func (*readOnly) Names() []string { return nil }
func (*readOnly) String() string  { return "ReadOnly()" }
