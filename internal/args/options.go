package args

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Option changes how a [Schema] treats arguments.
type Option func(*options)

type options struct {
	unchecked bool
	defaults  bool
	signature string
	bound     map[string]value
	boundErr  error
	restore   func(json.RawMessage) (json.RawMessage, error)
}

// WithoutCheck switches the check against the schema off: what can be read is
// passed on, and the server is left to judge it. Reading and coercion go on as
// before. By default arguments are checked.
func WithoutCheck() Option {
	return func(o *options) { o.unchecked = true }
}

// WithDefaults decides whether arguments the model left out get the default
// the schema gives them. By default they stay out.
func WithDefaults(fill bool) Option {
	return func(o *options) { o.defaults = fill }
}

// WithSignature sets the one line that tells a model how to write the
// arguments; errors end with it. By default it is made of the names of the
// arguments alone.
func WithSignature(line string) Option {
	return func(o *options) { o.signature = line }
}

// WithBound sets arguments that are the owner's, not the model's: they are part
// of every call, replace whatever the model sends under these names, and are
// never mentioned in an error. The values must be JSON; if one is not, every
// Parse fails with an error that is no [*Error]. By default nothing is bound.
// The map is copied.
func WithBound(values map[string]json.RawMessage) Option {
	bound := make(map[string]value, len(values))
	var err error
	for _, name := range sortedKeys(values) {
		v, e := scan(trim(string(values[name])))
		if e != nil {
			err = fmt.Errorf("args: bound argument %q is not JSON: %w", name, e)
		}
		bound[name] = v
	}
	return func(o *options) { o.bound, o.boundErr = bound, err }
}

// WithRestore sets a function that maps an argument object from what the model
// was shown back to what the server expects, where the two differ. It is called
// once the text has been read, before values are made to fit and checked. Its
// error is shown to the model as a fault of the arguments. By default nothing
// is mapped.
func WithRestore(restore func(json.RawMessage) (json.RawMessage, error)) Option {
	return func(o *options) { o.restore = restore }
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
