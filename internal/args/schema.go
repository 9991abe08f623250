package args

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
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

	prepare   sync.Once
	doc       *document
	shape     *shape
	checker   *checker // nil where nothing is checked
	unchecked string
}

// New returns the Schema for an input schema as the server sent it. It never
// fails: an absent or null schema allows every object, and one that cannot be
// compiled is not checked, see [Schema.Unchecked]. The bytes are copied.
func New(raw json.RawMessage, opts ...Option) *Schema {
	s := &Schema{raw: slices.Clone(raw)}
	for _, opt := range opts {
		opt(&s.options)
	}
	return s
}

// Unchecked tells why arguments are not checked against the schema: the owner
// wanted it so, or the schema cannot be compiled, or it is so large or so
// entangled that a check might never end. It is "" if they are checked. Reading
// and coercion work either way.
func (s *Schema) Unchecked() string {
	s.ready()
	return s.unchecked
}

// ready compiles the schema once.
func (s *Schema) ready() {
	s.prepare.Do(func() {
		raw := string(s.raw)
		s.doc = newDocument(raw)
		s.shape = newShape(s.doc, s.options.bound)
		if s.options.signature == "" {
			s.options.signature = s.shape.signature()
		}
		if s.options.unchecked {
			s.unchecked = "the check is switched off"
			return
		}
		s.checker, s.unchecked = checkerOf(raw)
	})
}

// Parse turns the text a model wrote into the arguments of a call: always one
// JSON object in valid UTF-8, each number with all its digits, each name with
// its bytes, members in the order they were written, all on one line.
//
// Arguments that are valid under the schema stay as they were written, with one
// exception: a whole number where only integers are allowed is written without
// fraction and exponent (5.0 becomes 5), because many servers accept it in no
// other form. Arguments that are not valid are made to fit where the schema
// leaves one reading: a text that is a JSON number, boolean, list or object
// where no text is allowed becomes that, and null for a property that is
// neither required nor nullable is left out. A single value is never wrapped
// into a list, and nothing ever becomes a string.
//
// A text that leaves a doubt, or arguments that do not fit, give an [*Error],
// and arguments of the owner's that do not fit a [*BoundError].
func (s *Schema) Parse(text string) (json.RawMessage, error) {
	return s.ParseBound(text, nil)
}

// ParseBound is Parse with values for the arguments of [WithLateBound]. They
// replace those of [WithBound]. Other names, and what is no JSON, give an error
// that is no [*Error].
func (s *Schema) ParseBound(text string, late map[string]json.RawMessage) (json.RawMessage, error) {
	s.ready()
	bound, err := s.bindings(late)
	if err != nil {
		return nil, err
	}
	v, err := s.read(text, bound)
	if err == nil {
		err = s.fit(&v)
	}
	if err == nil {
		return s.finish(&v), nil
	}
	var owners *BoundError
	if errors.As(err, &owners) {
		return nil, owners
	}
	return nil, s.explain(err)
}

// read finds the arguments in a text and adds the owner's.
func (s *Schema) read(text string, bound map[string]value) (value, error) {
	switch {
	case len(text) > maxText:
		return value{}, trouble("the text is too large: %d bytes, at most %d are read", len(text), maxText)
	case !utf8.ValidString(text):
		return value{}, trouble("the text is not valid UTF-8")
	}
	r := reader{shape: s.shape, restored: s.restored}
	v, err := r.read(text)
	if err != nil {
		return value{}, err
	}
	if v, err = s.restored(v); err != nil {
		return value{}, err
	}
	s.bind(&v, bound)
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

// fit makes v fit the schema, or says why it does not.
func (s *Schema) fit(v *value) error {
	faults, owners := s.faults(v)
	if s.checker != nil && len(faults) == 0 {
		if len(owners) > 0 {
			return &BoundError{Faults: owners}
		}
		if disguised(v) {
			c := s.coercer()
			c.exact = true
			c.arguments(v)
		}
		return nil
	}
	c := s.coercer()
	c.arguments(v)
	if s.checker == nil {
		faults = c.broken
	} else if faults, owners = s.faults(v); len(faults) > 0 {
		faults = better(faults, c.broken)
	}
	switch {
	case len(faults) > 0:
		return faults
	case len(owners) > 0:
		return &BoundError{Faults: owners}
	}
	return nil
}

func (s *Schema) coercer() *coercer {
	return &coercer{typer: newTyper(s.doc), bound: s.options.bound}
}

// faults checks v. What is wrong is the model's or the owner's to mend.
func (s *Schema) faults(v *value) (models, owners troubled) {
	if s.checker == nil {
		return nil, nil
	}
	e := s.checker.check(v)
	if e == nil {
		return nil, nil
	}
	x := s.checker.explainer(v)
	x.bound = s.options.bound
	if models = x.faults(e); len(s.options.bound) > 0 {
		x.owned, x.left = true, maxFindings
		owners = x.bindings(e)
	}
	return models, owners
}

// better replaces faults by those that say more about the same values.
func better(faults, more troubled) troubled {
	for _, m := range more {
		for i := range faults {
			if faults[i].Path == m.Path {
				faults[i] = m
			}
		}
	}
	return faults
}

// disguised reports whether v holds a whole number that is not written with
// digits alone.
func disguised(v *value) bool {
	if v.kind == number {
		return !plainInteger(v.raw) && whole(v.raw)
	}
	for i := range v.kids {
		if disguised(&v.kids[i]) {
			return true
		}
	}
	return false
}

// finish writes the arguments, with defaults where they are wanted and fit.
func (s *Schema) finish(v *value) json.RawMessage {
	args := line(v)
	if !s.options.defaults {
		return args
	}
	f := filler{doc: s.doc}
	if f.fill(v, s.doc.root, 0) && (s.checker == nil || s.checker.check(v) == nil) {
		return line(v)
	}
	return args
}

// line writes v on one line, so that it can go into a message that ends with
// its line.
func line(v *value) json.RawMessage {
	raw := []byte(v.json())
	if bytes.IndexByte(raw, '\n') < 0 && bytes.IndexByte(raw, '\r') < 0 {
		return raw
	}
	var compact bytes.Buffer
	_ = json.Compact(&compact, raw) // it is JSON
	return compact.Bytes()
}

// explain makes an error for the model.
func (s *Schema) explain(err error) error {
	var faults troubled
	if !errors.As(err, &faults) {
		faults = troubled{{Problem: clip(err.Error(), maxFault)}}
	}
	return newError(faults, s.options.signature)
}
