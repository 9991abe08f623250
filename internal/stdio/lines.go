package stdio

import (
	"bufio"
	"errors"
	"io"

	"github.com/mcptoolset/mcptoolset/internal/bound"
)

// readAhead is the size of the buffer that lines are read into. It is larger
// than what a pipe holds, so that most answers are looked at where they lie.
const readAhead = 128 << 10

// lines cuts a stream into lines, of which none is larger than limit.
type lines struct {
	in    *bufio.Reader
	limit int
}

func newLines(from io.Reader, limit int) *lines {
	return &lines{in: bufio.NewReaderSize(from, readAhead), limit: limit}
}

// next is the next line with its end, and may be a last one without end
// together with an error. own tells that the line is the caller's to keep; else
// it is valid until the next call.
func (l *lines) next() (line []byte, own bool, err error) {
	line, err = l.in.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return l.bounded(line, false, err)
	}
	long := append(make([]byte, 0, 2*len(line)), line...)
	for errors.Is(err, bufio.ErrBufferFull) && len(long) <= l.limit {
		line, err = l.in.ReadSlice('\n')
		long = append(long, line...)
	}
	return l.bounded(long, true, err)
}

func (l *lines) bounded(line []byte, own bool, err error) ([]byte, bool, error) {
	if len(line) > l.limit {
		return nil, false, bound.TooLarge(l.limit)
	}
	return line, own, err
}
