package args

import (
	"encoding/json"
	"errors"
	"sync"
	"unicode/utf8"
)

// Schema reads and checks the arguments of one tool.
//
// A Schema is compiled when it is first needed. It may be used by several
// goroutines at once.
type Schema struct {
	raw     json.RawMessage
	options options

	prepare sync.Once
	shape   *shape
}

// New returns the Schema for an input schema as the server sent it. It never
// fails: an absent, null or broken schema allows every object, and one that
// cannot be compiled is not checked, see [Schema.Unchecked]. The bytes are
// copied.
func New(raw json.RawMessage, opts ...Option) *Schema {
	s := &Schema{raw: append(json.RawMessage(nil), raw...)}
	for _, opt := range opts {
		opt(&s.options)
	}
	return s
}

// ready compiles the schema once.
func (s *Schema) ready() {
	s.prepare.Do(func() {
		doc := newDocument(string(s.raw))
		s.shape = newShape(doc, s.options.bound)
		if s.options.signature == "" {
			s.options.signature = s.shape.signature()
		}
	})
}

// Parse turns the text a model wrote into the arguments of a call: always one
// JSON object in valid UTF-8, each number with all its digits, each name with
// its bytes, members in the order they were written. A text that leaves a doubt
// or does not fit the schema gives an [*Error].
func (s *Schema) Parse(text string) (json.RawMessage, error) {
	s.ready()
	if s.options.boundErr != nil {
		return nil, s.options.boundErr
	}
	v, err := s.parse(text)
	if err != nil {
		return nil, s.explain(err)
	}
	return json.RawMessage(v.json()), nil
}

func (s *Schema) parse(text string) (value, error) {
	switch {
	case len(text) > maxText:
		return value{}, trouble("the text is too large: %d bytes, at most %d are read", len(text), maxText)
	case !utf8.ValidString(text):
		return value{}, trouble("the text is not valid UTF-8")
	}
	r := reader{shape: s.shape}
	v, err := r.read(text)
	if err != nil {
		return value{}, err
	}
	if v, err = s.restored(v); err != nil {
		return value{}, err
	}
	s.bind(&v)
	return v, nil
}

// restored maps the names the model was shown back to the server's.
func (s *Schema) restored(v value) (value, error) {
	if s.options.restore == nil {
		return v, nil
	}
	raw, err := s.options.restore(json.RawMessage(v.json()))
	if err != nil {
		return value{}, trouble("%v", err)
	}
	back, err := scan(string(raw))
	if err != nil || back.kind != object {
		return value{}, trouble("the arguments could not be mapped to the server's names")
	}
	return back, nil
}

// bind sets the owner's arguments, in a fixed order behind the model's.
func (s *Schema) bind(v *value) {
	if len(s.options.bound) == 0 {
		return
	}
	v.drop(func(member *value) bool { _, ok := s.options.bound[member.name]; return ok })
	for _, name := range sortedKeys(s.options.bound) {
		v.set(name, s.options.bound[name])
	}
}

// explain makes an error for the model.
func (s *Schema) explain(err error) error {
	var faults troubled
	if !errors.As(err, &faults) {
		faults = troubled{{Problem: clip(err.Error(), maxFault)}}
	}
	return newError(faults, s.options.signature)
}
