// Package bound keeps a server from filling the memory: it ends a stream on
// which one message is larger than any real one.
package bound

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// Limit is how many bytes one message of a server may have.
const Limit = 64 << 20

// ErrTooLarge ends a stream with a message above the limit. [TooLarge] names
// that.
var ErrTooLarge = errors.New("a message of the server is too large")

// TooLarge is the ErrTooLarge of a limit in bytes.
func TooLarge(limit int) error { return fmt.Errorf("%w: larger than %d MiB", ErrTooLarge, limit>>20) }

// Framing is how messages follow one another on a stream.
type Framing int

const (
	// Whole streams are one message.
	Whole Framing = iota
	// Events are separated by an empty line, as in text/event-stream.
	Events
)

// Reader passes a stream on until a message is too large.
type Reader struct {
	from    io.Reader
	framing Framing
	limit   int
	size    int  // of the message so far
	begun   bool // the line so far is not empty
	err     error
}

// NewReader bounds the messages of a stream to so many bytes.
func NewReader(from io.Reader, framing Framing, limit int) *Reader {
	return &Reader{from: from, framing: framing, limit: limit}
}

// Read implements io.Reader. What belongs to a message above the limit is not
// passed on.
func (r *Reader) Read(p []byte) (int, error) {
	if r.err != nil {
		return 0, r.err
	}
	n, err := r.from.Read(p)
	if !r.fits(p[:n]) {
		r.err = TooLarge(r.limit)
		return 0, r.err
	}
	return n, err
}

// fits counts what was read, message by message.
func (r *Reader) fits(read []byte) bool {
	for r.framing == Events {
		end := bytes.IndexByte(read, '\n')
		if end < 0 {
			break
		}
		line := read[:end]
		r.begun = r.begun || len(bytes.TrimSuffix(line, []byte{'\r'})) > 0
		r.size += len(line) + 1
		if r.size > r.limit {
			return false
		}
		if !r.begun {
			r.size = 0
		}
		r.begun = false
		read = read[end+1:]
	}
	r.begun = r.begun || len(bytes.TrimSuffix(read, []byte{'\r'})) > 0
	r.size += len(read)
	return r.size <= r.limit
}
