package args

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Bounds of what is read. They are far above what a model writes and keep a
// hostile or runaway text from taking the process with it.
const (
	maxText   = 16 << 20 // bytes of one text
	maxDepth  = 500      // nested arrays and objects
	maxValues = 250_000  // values in one text
)

// scanner reads strict JSON (RFC 8259) into values.
type scanner struct {
	src    string
	pos    int
	depth  int
	values int
	twice  string // a member name given twice with different values
	// parts holds what was read of the arrays and objects that are still open,
	// the innermost last, so that each gets a list of the right length at once.
	parts []value
	// lenient takes the last of several members of one name, as most readers do.
	lenient bool
}

// syntaxError says where and why a text is not JSON.
type syntaxError struct {
	at    int  // byte offset
	ended bool // the text ended too early
	limit bool // the text is beyond a bound; no other reading will help
	msg   string
}

func (e *syntaxError) Error() string { return fmt.Sprintf("%s at byte %d", e.msg, e.at) }

// scan reads all of src as one JSON value.
func scan(src string) (value, error) {
	v, end, err := scanPrefix(src)
	if err == nil && end < len(src) {
		err = &syntaxError{at: end, msg: "something follows the JSON value"}
	}
	return v, err
}

// scanPrefix reads the JSON value src begins with and returns where the text
// after it, without white space, starts.
func scanPrefix(src string) (value, int, error) {
	s := scanner{src: src}
	s.space()
	v, err := s.value()
	if err != nil {
		return value{}, s.pos, err
	}
	if s.twice != "" {
		return value{}, s.pos, &twiceError{s.twice}
	}
	s.space()
	return v, s.pos, nil
}

// twiceError reports a member name that stands twice in one object with
// different values. Readers disagree about which of them counts, so the model
// has to say. Members that are given twice with the same value count once.
type twiceError struct{ name string }

func (e *twiceError) Error() string { return fmt.Sprintf("%s is given twice", e.name) }

func (s *scanner) value() (value, error) {
	if s.pos >= len(s.src) {
		return value{}, s.ended()
	}
	if s.values++; s.values > maxValues {
		return value{}, s.beyond(fmt.Sprintf("more than %d values", maxValues))
	}
	start := s.pos
	switch c := s.src[s.pos]; {
	case c == '{':
		return s.object()
	case c == '[':
		return s.array()
	case c == '"':
		err := s.str()
		return value{kind: text, raw: s.src[start:s.pos]}, err
	case c == '-' || c >= '0' && c <= '9':
		err := s.number()
		return value{kind: number, raw: s.src[start:s.pos]}, err
	case c == 't':
		return s.word("true", boolean)
	case c == 'f':
		return s.word("false", boolean)
	case c == 'n':
		return s.word("null", null)
	}
	return value{}, s.unexpected("a JSON value")
}

func (s *scanner) object() (value, error) {
	v := value{kind: object}
	start, first := s.pos, len(s.parts)
	if err := s.open(); err != nil {
		return v, err
	}
	for s.next('}') {
		member, err := s.member()
		if err != nil {
			return v, err
		}
		s.keep(member)
		if !s.comma('}') {
			return v, s.unexpected("a comma or }")
		}
	}
	if s.pos >= len(s.src) {
		return v, s.ended()
	}
	s.close(&v, start, first)
	s.once(&v)
	return v, nil
}

func (s *scanner) member() (value, error) {
	start := s.pos
	if s.src[s.pos] != '"' {
		return value{}, s.unexpected("a name in double quotes")
	}
	if err := s.str(); err != nil {
		return value{}, err
	}
	key := s.src[start:s.pos]
	s.space()
	if !s.take(':') {
		return value{}, s.unexpected("a colon")
	}
	s.space()
	v, err := s.value()
	v.key, v.name = key, unquote(key)
	return v, err
}

func (s *scanner) array() (value, error) {
	v := value{kind: array}
	start, first := s.pos, len(s.parts)
	if err := s.open(); err != nil {
		return v, err
	}
	for s.next(']') {
		item, err := s.value()
		if err != nil {
			return v, err
		}
		s.keep(item)
		if !s.comma(']') {
			return v, s.unexpected("a comma or ]")
		}
	}
	if s.pos >= len(s.src) {
		return v, s.ended()
	}
	s.close(&v, start, first)
	return v, nil
}

// keep adds a part of the innermost array or object.
func (s *scanner) keep(part value) {
	if s.parts == nil {
		s.parts = make([]value, 0, usualParts)
	}
	s.parts = append(s.parts, part)
}

// usualParts is how many values most arguments are made of.
const usualParts = 12

// close consumes the bracket an array or object ends with and gives it its
// parts.
func (s *scanner) close(v *value, start, first int) {
	s.pos++
	s.depth--
	v.raw = s.src[start:s.pos]
	if n := len(s.parts) - first; n > 0 {
		v.kids = make([]value, n)
		copy(v.kids, s.parts[first:])
		s.parts = s.parts[:first]
	}
	for i := range v.kids {
		v.edited = v.edited || v.kids[i].edited
	}
}

// once removes members given twice with the same value and notes one that was
// given with different values.
func (s *scanner) once(v *value) {
	if len(v.kids) > maxLinear {
		v.index = indexed(v.kids)
	}
	if !repeats(v) {
		return
	}
	first := make(map[string]*value, len(v.kids))
	kept := make([]value, 0, len(v.kids))
	for i := range v.kids {
		member := &v.kids[i]
		old, ok := first[member.name]
		switch {
		case !ok:
			kept = append(kept, *member)
			first[member.name] = &kept[len(kept)-1]
		case s.lenient:
			*old = *member
		case !equal(old, member) && s.twice == "":
			s.twice = member.name
		}
	}
	v.kids, v.index, v.edited = kept, nil, true
	if len(v.kids) > maxLinear {
		v.index = indexed(v.kids)
	}
}

func indexed(members []value) map[string]int {
	index := make(map[string]int, len(members))
	for i := range members {
		index[members[i].name] = i
	}
	return index
}

// repeats reports whether a name occurs twice.
func repeats(v *value) bool {
	if v.index != nil {
		return len(v.index) < len(v.kids)
	}
	for i := range v.kids {
		for j := range i {
			if v.kids[i].name == v.kids[j].name {
				return true
			}
		}
	}
	return false
}

// open consumes the bracket an array or object begins with.
func (s *scanner) open() error {
	if s.depth++; s.depth > maxDepth {
		return s.beyond(fmt.Sprintf("values nested more than %d deep", maxDepth))
	}
	s.pos++
	s.space()
	return nil
}

// next reports whether something else than the closing bracket follows.
func (s *scanner) next(closing byte) bool {
	return s.pos < len(s.src) && s.src[s.pos] != closing
}

// comma consumes what stands between two items: a comma that is followed by
// one more, or nothing before the closing bracket.
func (s *scanner) comma(closing byte) bool {
	s.space()
	if s.pos >= len(s.src) {
		return true
	}
	if s.src[s.pos] == closing {
		return true
	}
	if !s.take(',') {
		return false
	}
	s.space()
	return s.pos >= len(s.src) || s.src[s.pos] != closing
}

func (s *scanner) str() error {
	s.pos++
	for s.pos < len(s.src) {
		switch c := s.src[s.pos]; {
		case c == '"':
			s.pos++
			return nil
		case c == '\\':
			if err := s.escape(); err != nil {
				return err
			}
		case c < ' ':
			return s.unexpected("no line break or control character inside a string (write \\n)")
		case c < utf8.RuneSelf:
			s.pos++
		default:
			r, n := utf8.DecodeRuneInString(s.src[s.pos:])
			if r == utf8.RuneError && n == 1 {
				return s.unexpected("UTF-8")
			}
			s.pos += n
		}
	}
	return s.ended()
}

func (s *scanner) escape() error {
	if s.pos+1 >= len(s.src) {
		s.pos = len(s.src)
		return s.ended()
	}
	if strings.IndexByte(`"\/bfnrt`, s.src[s.pos+1]) >= 0 {
		s.pos += 2
		return nil
	}
	if s.src[s.pos+1] != 'u' {
		return s.unexpected("a JSON escape such as \\n or \\\\")
	}
	for i := s.pos + 2; i < s.pos+6; i++ {
		if i >= len(s.src) {
			s.pos = len(s.src)
			return s.ended()
		}
		if !isHex(s.src[i]) {
			return s.unexpected("four hexadecimal digits after \\u")
		}
	}
	s.pos += 6
	return nil
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func (s *scanner) number() error {
	s.take('-')
	switch {
	case s.take('0'):
	default:
		if err := s.digits(); err != nil {
			return err
		}
	}
	if s.take('.') {
		if err := s.digits(); err != nil {
			return err
		}
	}
	if s.take('e') || s.take('E') {
		_ = s.take('+') || s.take('-')
		return s.digits()
	}
	return nil
}

func (s *scanner) digits() error {
	start := s.pos
	for s.pos < len(s.src) && s.src[s.pos] >= '0' && s.src[s.pos] <= '9' {
		s.pos++
	}
	if s.pos == start {
		return s.unexpected("a digit")
	}
	return nil
}

func (s *scanner) word(w string, k kind) (value, error) {
	rest := s.src[s.pos:]
	if strings.HasPrefix(rest, w) {
		s.pos += len(w)
		return value{kind: k, raw: w}, nil
	}
	if strings.HasPrefix(w, rest) {
		s.pos = len(s.src)
		return value{}, s.ended()
	}
	return value{}, s.unexpected("a JSON value")
}

func (s *scanner) space() {
	for s.pos < len(s.src) {
		switch s.src[s.pos] {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return
		}
	}
}

func (s *scanner) take(c byte) bool {
	if s.pos < len(s.src) && s.src[s.pos] == c {
		s.pos++
		return true
	}
	return false
}

func (s *scanner) ended() error {
	return &syntaxError{at: s.pos, ended: true, msg: "the text ends in the middle of the JSON value"}
}

func (s *scanner) unexpected(want string) error {
	if s.pos >= len(s.src) {
		return s.ended()
	}
	r, _ := utf8.DecodeRuneInString(s.src[s.pos:])
	return &syntaxError{at: s.pos, msg: fmt.Sprintf("%q where %s is expected", r, want)}
}

func (s *scanner) beyond(what string) error {
	return &syntaxError{at: s.pos, limit: true, msg: "the text holds " + what}
}
