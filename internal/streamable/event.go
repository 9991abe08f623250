package streamable

import (
	"bytes"
	"io"
	"slices"
)

// stream reads events and keeps all it has read, for who may have to read it
// again.
type stream struct {
	body io.Reader
	seen []byte
	next int // where the next line begins
}

const (
	// readAhead is how much is read at a time at least.
	readAhead = 4 << 10
	// maxPrelude bounds what may come before the first event with data:
	// comments, and events that only have an id.
	maxPrelude = 64 << 10
)

// first is the data of the first event that has any, where it is a message on a
// single line, which is how servers write them. It is nil for another. The error
// is what ended the stream before.
func (s *stream) first() (data []byte, err error) {
	var e event
	for e.lines > 0 || s.next < maxPrelude {
		line, err := s.line()
		if err != nil {
			return nil, err
		}
		if e.ends(line) {
			return e.message(), nil
		}
	}
	return nil, nil
}

// line is the next line without its end. The body bounds its length.
func (s *stream) line() ([]byte, error) {
	searched := s.next
	for {
		if at := bytes.IndexByte(s.seen[searched:], '\n'); at >= 0 {
			line := s.seen[s.next : searched+at]
			s.next = searched + at + 1
			return bytes.TrimRight(line, "\r"), nil
		}
		searched = len(s.seen)
		s.seen = slices.Grow(s.seen, readAhead)
		n, err := s.body.Read(s.seen[searched:cap(s.seen)])
		s.seen = s.seen[:searched+n]
		if n == 0 && err != nil {
			return nil, err
		}
	}
}

// event gathers the lines of one event.
type event struct {
	data  []byte
	lines int  // of data
	odd   bool // it has a type other than "message"
}

var (
	dataField  = []byte("data:")
	eventField = []byte("event:")
	space      = []byte(" ")
)

// ends takes a line and reports whether an event with data ends with it.
func (e *event) ends(line []byte) bool {
	switch {
	case len(line) == 0 && e.lines > 0:
		return true
	case len(line) == 0:
		*e = event{}
	case bytes.HasPrefix(line, dataField):
		e.lines++
		e.data = bytes.TrimPrefix(line[len(dataField):], space)
	case bytes.HasPrefix(line, eventField):
		e.odd = string(bytes.TrimSpace(line[len(eventField):])) != "message"
	}
	return false
}

// message is the data where it can be taken as it is.
func (e *event) message() []byte {
	if e.lines != 1 || e.odd {
		return nil
	}
	return e.data
}
