package stdio

import (
	"bytes"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/mcptoolset/mcptoolset/internal/sse"
)

// maxTries bounds how often one line is searched for a message behind what is
// none.
const maxTries = 16

// patience is how long the lines of one message may take to come. Programs that
// print a message over several lines do it at a stroke; what takes longer is torn.
const patience = 10 * time.Second

// reader takes messages out of lines.
type reader struct {
	to    receiver
	limit int // bytes of a message over several lines

	mu   sync.Mutex
	held *held // a message that has begun on earlier lines
}

// receiver is who the messages are for.
type receiver interface {
	// message takes a message that stands at its place.
	message(m *message, keep func([]byte) json.RawMessage)
	// answer takes an answer found behind something else, and reports whether a
	// request waits for it.
	answer(m *message, keep func([]byte) json.RawMessage) bool
	// broken tells that the answer to a request cannot be read, and reports
	// whether it waits for one.
	broken(id int64, cause error) bool
	// stray is told what is no message for anybody.
	stray(why string, text []byte)
}

// held is a message that is printed over several lines.
type held struct {
	text  []byte
	nest  nesting
	bound *time.Timer
}

// line takes the next line; own tells that its bytes may be kept.
func (r *reader) line(line []byte, own bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	text := trim(line)
	if len(text) == 0 || r.held != nil && r.goesOn(line, text) {
		return
	}
	r.read(text, own, true)
}

// end takes the end of the stream.
func (r *reader) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.held != nil {
		r.giveUp(errTorn)
	}
}

var (
	errTorn  = errors.New("it is torn")
	errLarge = errors.New("it is too large")
)

// goesOn adds a line to the message that is held. It reports false when the
// line is a whole message by itself, so that the one held can only be torn.
func (r *reader) goesOn(line, text []byte) bool {
	h := r.held
	if line[0] == '{' {
		if m, _, _, err := scan(text); err == nil && (m.answers() || m.named()) {
			r.giveUp(errTorn)
			return false
		}
	}
	if len(h.text)+len(text) > r.limit {
		r.giveUp(errLarge)
		return true
	}
	h.text = append(append(h.text, '\n'), text...)
	h.nest.feed(text)
	switch {
	case h.nest.inString:
		r.giveUp(errTorn)
	case h.nest.depth <= 0:
		r.read(r.release(), true, false)
	}
	return true
}

// giveUp ends the waiting for the rest of the message that is held.
func (r *reader) giveUp(cause error) { r.lose(r.release(), cause, true) }

// hold keeps a message that goes on in the next lines.
func (r *reader) hold(text []byte) {
	h := &held{text: bytes.Clone(text)}
	h.nest.feed(text)
	h.bound = time.AfterFunc(patience, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.held == h {
			r.giveUp(errTorn)
		}
	})
	r.held = h
}

// release returns what was held.
func (r *reader) release() []byte {
	h := r.held
	h.bound.Stop()
	r.held = nil
	return h.text
}

// opens reports whether a message that ends too early may go on in the next
// lines: programs that print JSON over several lines break them behind these.
func opens(text []byte) bool {
	switch text[len(text)-1] {
	case '{', '[', ',':
		return true
	}
	return false
}

// read takes the messages out of a text, one behind the other. What ends too
// early may go on in the next lines where first says so.
func (r *reader) read(text []byte, own, first bool) {
	keep := keeper(text, own)
	rest, short := r.clean(text, keep)
	switch {
	case len(rest) == 0:
	case short && first && opens(rest):
		r.hold(rest)
	default:
		r.search(rest, keep)
	}
}

// clean takes messages until there are no more, and returns the rest, which is
// none. short tells that it only lacks its end.
func (r *reader) clean(text []byte, keep func([]byte) json.RawMessage) (rest []byte, short bool) {
	for len(text) > 0 {
		var length int
		var err error
		switch text[0] {
		case '{':
			var m message
			if m, length, short, err = scan(text); err == nil {
				r.to.message(&m, keep)
			}
		case '[':
			var items [][]byte
			if items, length, short, err = sse.Items(text); err == nil {
				r.batch(items, keep)
			}
		default:
			return text, false
		}
		if err != nil {
			return text, short
		}
		text = trim(text[length:])
	}
	return nil, false
}

func (r *reader) batch(items [][]byte, keep func([]byte) json.RawMessage) {
	for _, item := range items {
		m, _, _, err := scan(item)
		if err != nil { // JSON, but no object
			r.to.stray("an item of a batch is no message", item)
			continue
		}
		r.to.message(&m, keep)
	}
}

// search looks through a text that does not begin with a message. Only answers
// that are waited for are taken out of it: it may be a log of what was sent.
func (r *reader) search(text []byte, keep func([]byte) json.RawMessage) {
	found := false
	rest := text
	for range maxTries {
		m, length, _, err := scan(rest)
		switch {
		case err != nil:
			length = 1
			found = r.lose(rest, err, false) || found
		case m.answers():
			found = r.to.answer(&m, keep) || found
		}
		next := candidate(rest[length:])
		if next < 0 {
			break
		}
		rest = rest[length+next:]
	}
	if !found {
		r.to.stray("no JSON-RPC message", text)
	}
}

// candidate is where the next object may begin, or -1.
func candidate(text []byte) int {
	for from := 0; ; {
		at := bytes.IndexByte(text[from:], '{')
		if at < 0 {
			return -1
		}
		from += at
		if inside := bytes.TrimLeft(text[from+1:], " \t\r\n"); len(inside) > 0 && inside[0] == '"' {
			return from
		}
		from++
	}
}

// lose tells the request whose answer text would be that it cannot be read.
func (r *reader) lose(text []byte, cause error, tell bool) bool {
	id, ok := idIn(text)
	lost := ok && r.to.broken(id, cause)
	if tell && !lost {
		r.to.stray("a torn message", text)
	}
	return lost
}

// keeper makes bytes of a line outlive it: by keeping the line where it is the
// reader's own and hardly larger, else by a copy.
func keeper(line []byte, own bool) func([]byte) json.RawMessage {
	return func(raw []byte) json.RawMessage {
		if own && 2*len(raw) > len(line) {
			return raw
		}
		return bytes.Clone(raw)
	}
}
