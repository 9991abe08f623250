package args

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Option changes how a [Schema] treats arguments.
type Option func(*options)

type options struct {
	unchecked bool
	defaults  bool
	signature string
	bound     map[string]value // the owner's arguments; one that comes late has no value here
	late      map[string]bool
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
// never mentioned in an [*Error]. The values must be JSON; if one is not, every
// Parse fails with an error that is no [*Error]. One that the schema refuses is
// a [*BoundError]. By default nothing is bound. The map is copied.
func WithBound(values map[string]json.RawMessage) Option {
	bound, err := scanBound(values)
	return func(o *options) {
		o.own(bound)
		o.boundErr = errors.Join(o.boundErr, err)
	}
}

// WithLateBound names arguments that are the owner's like those of
// [WithBound], but whose values come with each call, to [Schema.ParseBound].
// One that does not come is left out of the call. A name that is in WithBound
// too has its value there by default. By default there are none.
func WithLateBound(names ...string) Option {
	names = slices.Clone(names)
	return func(o *options) {
		if o.late == nil {
			o.late = map[string]bool{}
		}
		for _, name := range names {
			o.late[name] = true
			if _, ok := o.bound[name]; !ok {
				o.own(map[string]value{name: {}})
			}
		}
	}
}

// own adds arguments of the owner's.
func (o *options) own(bound map[string]value) {
	if o.bound == nil {
		o.bound = map[string]value{}
	}
	maps.Copy(o.bound, bound)
}

// scanBound reads the values of bound arguments.
func scanBound(values map[string]json.RawMessage) (map[string]value, error) {
	bound := make(map[string]value, len(values))
	var err error
	for _, name := range sortedKeys(values) {
		v, e := scan(trim(string(values[name])))
		if e != nil {
			err = errors.Join(err, fmt.Errorf("args: bound argument %q is not JSON: %w", name, e))
		}
		bound[name] = v
	}
	return bound, err
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
