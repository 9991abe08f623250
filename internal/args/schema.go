package args

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
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
		var err error
		if s.checker, err = compile(raw); err != nil {
			s.unchecked = clip(strings.ReplaceAll(err.Error(), location, ""), maxFault)
		}
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
// A text that leaves a doubt, or arguments that do not fit, give an [*Error].
func (s *Schema) Parse(text string) (json.RawMessage, error) {
	s.ready()
	if s.options.boundErr != nil {
		return nil, s.options.boundErr
	}
	v, err := s.read(text)
	if err == nil {
		err = s.fit(&v)
	}
	if err != nil {
		return nil, s.explain(err)
	}
	return s.finish(&v), nil
}

// read finds the arguments in a text and adds the owner's.
func (s *Schema) read(text string) (value, error) {
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
		bound := s.options.bound[name]
		v.add(name, bound.clone())
	}
}

// fit makes v fit the schema, or says why it does not.
func (s *Schema) fit(v *value) error {
	if s.checker != nil && len(s.faults(v)) == 0 {
		if disguised(v) {
			c := s.coercer()
			c.exact = true
			c.arguments(v)
		}
		return nil
	}
	c := s.coercer()
	c.arguments(v)
	faults := c.broken
	if s.checker != nil {
		if faults = s.faults(v); len(faults) == 0 {
			return nil
		}
		faults = better(faults, c.broken)
	}
	if len(faults) > 0 {
		return faults
	}
	return nil
}

func (s *Schema) coercer() *coercer {
	return &coercer{typer: newTyper(s.doc), bound: s.options.bound}
}

// faults checks v.
func (s *Schema) faults(v *value) troubled {
	e := s.checker.check(v)
	if e == nil {
		return nil
	}
	x := explainer{args: v, bound: s.options.bound, schemas: s.checker.find, left: maxFindings}
	return x.faults(e)
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
	if !bytes.ContainsAny(raw, "\r\n") {
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
