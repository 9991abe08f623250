package args

import (
	"encoding/json"
	"slices"
	"sync"
)

// Output checks the structured results of one tool against its output schema.
//
// It is compiled when it is first needed and may be used by several goroutines
// at once.
type Output struct {
	raw json.RawMessage

	prepare   sync.Once
	checker   *checker // nil where nothing is checked
	unchecked string
}

// NewOutput returns the Output for an output schema as the server sent it. It
// never fails; without a schema everything fits. The bytes are copied.
func NewOutput(raw json.RawMessage) *Output { return &Output{raw: slices.Clone(raw)} }

// Unchecked tells why results are not checked although there is a schema: it
// cannot be compiled, or it is so large or so entangled that a check might
// never end. It is "" if they are checked.
func (o *Output) Unchecked() string {
	o.ready()
	return o.unchecked
}

func (o *Output) ready() {
	o.prepare.Do(func() {
		if len(o.raw) > 0 {
			o.checker, o.unchecked = checkerOf(string(o.raw))
		}
	})
}

// Missing is the problem of a result without what its schema describes.
const Missing = "missing"

// Faults tells what in a structured result does not fit the schema, in the
// order of the paths and at most 20 things. It is nil where everything fits,
// and where the check would take too long. No result at all (nil, null) is a
// fault unless the schema allows null.
func (o *Output) Faults(structured json.RawMessage) []Fault {
	o.ready()
	if o.checker == nil || len(structured) > maxText {
		return nil
	}
	if len(structured) == 0 {
		structured = json.RawMessage("null")
	}
	v, err := scan(trim(string(structured)))
	if err != nil {
		return nil // beyond what is read, or a name twice: nothing a schema speaks of
	}
	e := o.checker.check(&v)
	switch {
	case e == nil:
		return nil
	case v.kind == null:
		return []Fault{{Problem: Missing}}
	}
	x := o.checker.explainer(&v)
	faults := x.faults(e)
	return faults[:min(len(faults), maxFaults)]
}
