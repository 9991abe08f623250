package sse

import (
	"bytes"
	"io"
	"slices"
)

// Reader passes a stream of events on, event by event. Where nothing is to be
// changed an event is passed on byte by byte.
type Reader struct {
	from  io.Reader
	asked *int64 // nil where answers to any request may come

	event    []byte // read and not passed on
	line     int    // where its last line begins
	searched int    // so much of it holds no more ends of lines
	ready    []byte // to be passed on
	err      error
}

// NewReader reads a stream of messages that need not be about one request. from
// has to bound the size of an event.
func NewReader(from io.Reader) *Reader { return &Reader{from: from} }

// NewAnswer reads the stream that a request has opened. Of the answers in a
// batch only the one to this request is passed on, behind all else: with it the
// stream is over for mcp-go.
func NewAnswer(from io.Reader, id int64) *Reader { return &Reader{from: from, asked: &id} }

// readAhead is how much is read at a time at least.
const readAhead = 4 << 10

// Read implements io.Reader.
func (r *Reader) Read(p []byte) (int, error) {
	for len(r.ready) == 0 {
		if r.err != nil {
			return 0, r.err
		}
		r.fill()
	}
	n := copy(p, r.ready)
	r.ready = r.ready[n:]
	return n, nil
}

// fill reads on. At the end of the stream an event without its own end counts,
// as it does for mcp-go.
func (r *Reader) fill() {
	r.event = slices.Grow(r.event, readAhead)
	n, err := r.from.Read(r.event[len(r.event):cap(r.event)])
	r.event = r.event[:len(r.event)+n]
	var passed []byte
	for {
		event, ok := r.next()
		if !ok {
			break
		}
		passed = append(passed, r.pass(event)...)
	}
	if err != nil {
		r.err = err
		passed = append(passed, r.pass(r.event)...)
		r.event = nil
	}
	r.ready = passed
}

// next takes a whole event, its empty line included, off what was read.
func (r *Reader) next() ([]byte, bool) {
	for {
		at := bytes.IndexByte(r.event[r.searched:], '\n')
		if at < 0 {
			r.searched = len(r.event)
			return nil, false
		}
		line := r.event[r.line : r.searched+at]
		r.searched += at + 1
		r.line = r.searched
		if len(bytes.TrimRight(line, "\r")) > 0 {
			continue
		}
		event := r.event[:r.searched:r.searched]
		r.event = r.event[r.searched:]
		r.line, r.searched = 0, 0
		return event, true
	}
}

var (
	dataField  = []byte("data:")
	eventField = []byte("event:")
	errorKey   = []byte(`"error"`)
)

// pass is an event as mcp-go is to see it: itself, or one for each message.
func (r *Reader) pass(event []byte) []byte {
	fields := split(event)
	switch {
	case IsBatch(fields.data):
		if items, ok := whole(fields.data); ok {
			return fields.with(arrange(items, r.asked))
		}
	case bytes.Contains(fields.data, errorKey):
		if m, ok := scan(fields.data); ok {
			return fields.with([][]byte{quoteData(fields.data, m)})
		}
	}
	return event
}

// Answer is a body that holds the whole answer to a request as mcp-go is to see
// it. Of a batch it makes the stream that [NewAnswer] would pass on, and says so.
func Answer(text []byte, id int64) (body []byte, stream bool) {
	if IsBatch(text) {
		if items, ok := whole(text); ok {
			return fields{}.with(arrange(items, &id)), true
		}
	}
	if m, ok := scan(text); ok {
		text = quoteData(text, m)
	}
	return text, false
}

// arrange is a batch as mcp-go is to see its messages, one after the other.
// Where only the answer to one request is wanted, others are left out and it goes
// to the end.
func arrange(items [][]byte, asked *int64) [][]byte {
	var all [][]byte
	var answer []byte
	for _, item := range items {
		m, ok := scan(item)
		switch {
		case !ok: // JSON, but no object
		case !m.answers || asked == nil:
			all = append(all, quoteData(item, m))
		case answer == nil && isFor(m.id, *asked):
			answer = quoteData(item, m)
		}
	}
	if answer != nil {
		all = append(all, answer)
	}
	return all
}

// fields are those of an event.
type fields struct {
	data []byte // without white space at its ends
	kind []byte // the line that says the event's type; nil for none
	rest []byte // all other lines
}

func split(event []byte) (f fields) {
	for line := range bytes.Lines(event) {
		text := bytes.TrimRight(line, "\r\n")
		switch {
		case bytes.HasPrefix(text, dataField):
			if f.data == nil { // nearly always the only one
				f.data = text[len(dataField):len(text):len(text)]
				continue
			}
			f.data = append(append(f.data, '\n'), text[len(dataField):]...)
		case bytes.HasPrefix(text, eventField):
			f.kind = text
		case len(text) > 0:
			f.rest = append(append(f.rest, text...), '\n')
		}
	}
	f.data = bytes.TrimSpace(f.data)
	return f
}

// with are events with these messages as their data. The fields that say where
// to resume the stream belong to the last.
func (f fields) with(messages [][]byte) []byte {
	var b bytes.Buffer
	if len(messages) == 0 && len(f.rest) > 0 {
		b.Write(f.rest)
		b.WriteByte('\n')
	}
	for i, message := range messages {
		if f.kind != nil {
			b.Write(f.kind)
			b.WriteByte('\n')
		}
		if i == len(messages)-1 {
			b.Write(f.rest)
		}
		writeData(&b, message)
	}
	return b.Bytes()
}

// writeData writes a message as the data that ends an event. White space between
// the parts of JSON may hold ends of lines; inside of strings there are none.
func writeData(b *bytes.Buffer, message []byte) {
	b.WriteString("data: ")
	for line := range bytes.FieldsFuncSeq(message, func(r rune) bool { return r == '\n' || r == '\r' }) {
		b.Write(line)
	}
	b.WriteString("\n\n")
}
