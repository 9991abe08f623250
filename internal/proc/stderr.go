package proc

import (
	"errors"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// tailShown is how much of stderr Process.Stderr shows, in bytes.
const tailShown = 4 << 10

// stderr drains the child's stderr, keeps its end and hands on its lines.
type stderr struct {
	file     *os.File
	lines    *lines
	caughtUp chan struct{} // closed once catchUp has been obeyed
	eof      chan struct{} // closed when nothing more will come

	mu      sync.Mutex
	tail    []byte
	cut     bool // something before tail was dropped
	closing bool
}

func newStderr(file *os.File, callback func(string)) *stderr {
	s := &stderr{file: file, caughtUp: make(chan struct{}), eof: make(chan struct{})}
	if callback != nil {
		s.lines = newLines(callback)
	}
	go s.run()
	return s
}

func (s *stderr) run() {
	defer close(s.eof)
	defer s.file.Close()
	defer s.lines.end()
	buf := make([]byte, 32<<10)
	for {
		n, err := s.file.Read(buf)
		s.take(buf[:n])
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			s.takeRest(buf)
			if !s.goOn() {
				return
			}
		case err != nil:
			return
		}
	}
}

func (s *stderr) take(p []byte) {
	s.keep(p)
	s.lines.feed(p)
}

// takeRest takes what already lies in the pipe, however late this goroutine is.
func (s *stderr) takeRest(buf []byte) {
	for rest := maxRest; rest > 0; {
		n := readNow(s.file, buf)
		if n == 0 {
			return
		}
		s.take(buf[:n])
		rest -= n
	}
}

// goOn, after an interruption, reports whether reading goes on.
func (s *stderr) goOn() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return false
	}
	select {
	case <-s.caughtUp:
	default:
		close(s.caughtUp)
	}
	return s.file.SetReadDeadline(time.Time{}) == nil
}

// interrupt makes the goroutine look up from its Read; it reports whether files
// of this system can do so.
func (s *stderr) interrupt(closing bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closing = s.closing || closing
	return s.file.SetReadDeadline(time.Unix(1, 0)) == nil
}

// catchUp waits until all that lies in the pipe has been taken. What a process
// left behind still writes is taken later.
func (s *stderr) catchUp() {
	if !s.interrupt(false) {
		return
	}
	select {
	case <-s.caughtUp:
	case <-s.eof:
	}
}

// keep appends p to the tail and drops what is too old. More is kept than shown,
// because terminal sequences are taken out before it is shown.
func (s *stderr) keep(p []byte) {
	const kept = 2 * tailShown
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tail = append(s.tail, p...)
	if len(s.tail) > 2*kept {
		s.tail = append(s.tail[:0], s.tail[len(s.tail)-kept:]...)
		s.cut = true
	}
}

// text is the end of stderr as a text to show.
func (s *stderr) text() string {
	s.mu.Lock()
	tail, cut := string(s.tail), s.cut
	s.mu.Unlock()
	return lastLines(readable(tail), cut)
}

// lastLines is the end of text, at most tailShown bytes: from the start of a line
// where one starts there, else from a rune border. cut says that text itself
// begins in the middle.
func lastLines(text string, cut bool) string {
	if len(text) > tailShown {
		// One byte more, to see whether the border is that of a line.
		text, cut = text[len(text)-tailShown-1:], true
	}
	if !cut || text == "" {
		return text
	}
	if _, lines, found := strings.Cut(text, "\n"); found {
		return lines
	}
	text = text[1:]
	for text != "" && !utf8.RuneStart(text[0]) {
		text = text[1:]
	}
	return text
}

// escapes are the terminal sequences programs use for colours and cursors.
var escapes = regexp.MustCompile("\x1b(\\[[0-?]*[ -/]*[@-~]|\\][^\x07\x1b]*(\x07|\x1b\\\\)|[@-Z\\\\^_])")

// readable is text for people and models: valid UTF-8, without terminal sequences
// and control characters, without blank ends.
func readable(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	text = escapes.ReplaceAllString(text, "")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\r':
			return '\n' // progress that overwrites its line
		case r < 0x20 || r >= 0x7f && r < 0xa0:
			return -1
		}
		return r
	}, text)
	return strings.TrimSpace(text)
}

// close takes what lies in the pipe and ends the draining, also where a process
// left behind holds the pipe.
func (s *stderr) close() {
	if !s.interrupt(true) {
		_ = s.file.Close()
	}
	<-s.eof
}
