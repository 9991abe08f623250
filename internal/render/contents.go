package render

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/mcptoolset/mcptoolset/internal/decode"
)

// NoContent is what stands for a resource that holds nothing.
const NoContent = "(the resource is empty)"

// DefaultLength is how many characters of a resource's text are shown where the
// owner does not say.
const DefaultLength = 10_000

const (
	// maxParts bounds how many of a resource's contents one answer shows with
	// text, and how many without.
	maxParts = 100
	// maxNote bounds the characters of what is said of one of several contents
	// beside its text.
	maxNote = 500
)

// Contents renders the answer to resources/read: limit characters of the text
// of all contents taken together, from the character at offset on. Where that
// is not everything, a marker says how much it is and with which offset to go
// on. The marker, and the lines that label each of several contents, are not
// counted, but bounded. Contents without text are described where they stand.
// A limit of zero or less is [DefaultLength], an offset below zero is zero. The
// text is never empty.
func Contents(contents []decode.ResourceContents, limit, offset int) string {
	w := newWindow(contents, limit, offset)
	if w.offset > 0 && w.offset >= w.total {
		return beyond(w.offset, w.total)
	}
	for i := range contents {
		if !w.part(&contents[i]) {
			break
		}
	}
	return clean(w.finish())
}

// window is the part of a resource's text that is shown.
type window struct {
	offset, end int // of the characters shown
	total       int // characters there are
	limit       int // characters to show at most
	several     bool

	d      document
	pos    int // characters passed
	texts  int // contents shown with text
	others int // contents without text
}

func newWindow(contents []decode.ResourceContents, limit, offset int) *window {
	if limit <= 0 {
		limit = DefaultLength
	}
	w := &window{several: len(contents) > 1, limit: limit, offset: max(offset, 0)}
	for i := range contents {
		w.total += runesOf(&contents[i])
	}
	if w.total == 0 {
		w.offset = 0
	}
	w.end = w.total
	if limit < w.total-w.offset {
		w.end = w.offset + limit
	}
	return w
}

// runesOf returns the length of what is text of a resource's contents. White
// space alone is none.
func runesOf(c *decode.ResourceContents) int {
	if blank(c.Text) {
		return 0
	}
	return utf8.RuneCountInString(c.Text)
}

// part shows what the window has of c, and reports whether to go on.
func (w *window) part(c *decode.ResourceContents) bool {
	start := w.pos
	w.pos += runesOf(c)
	if w.pos == start {
		w.other(c, start)
		return true
	}
	from, to := max(start, w.offset), min(w.pos, w.end)
	if from >= to {
		return true
	}
	if w.texts++; w.texts > maxParts {
		w.end = start
		return false
	}
	text := c.Text[byteIndex(c.Text, from-start):]
	text = text[:byteIndex(text, to-from)]
	if !w.several && !c.HasBlob && c.Fault == "" {
		w.d.paragraph(piece{text: text})
		return true
	}
	l := resourceLabel(c)
	if from > start {
		l.say("continued")
	}
	w.d.paragraph(piece{text: w.note(l.String()) + "\n"}, piece{text: text})
	return true
}

// other describes contents without text, which stand before a character of the
// text or at its end.
func (w *window) other(c *decode.ResourceContents, at int) {
	if at < w.offset || at >= w.end && w.end < w.total {
		return
	}
	if w.others++; w.others > maxParts {
		return
	}
	if !w.several && !c.HasBlob && c.Fault == "" {
		return // nothing at all
	}
	var d document
	d.resource(c)
	w.d.paragraph(piece{text: w.note(join(d.pieces))})
}

// note bounds what is said beside the text. What a single broken content holds
// may take the place of the text.
func (w *window) note(s string) string {
	most := maxNote
	if !w.several {
		most = max(most, w.limit)
	}
	s, _ = Cut(s, most, false)
	return s
}

// finish puts together what was gathered.
func (w *window) finish() string {
	if n := w.others - maxParts; n > 0 {
		w.d.paragraph(piece{text: fmt.Sprintf("[contents without text that are not shown: %d]", n)})
	}
	if len(w.d.pieces) == 0 {
		w.d.paragraph(piece{text: NoContent})
	}
	out := join(w.d.pieces)
	if mark := w.marker(); mark != "" {
		out = strings.Join([]string{out, mark}, "\n")
	}
	return out
}

// marker says what part of the text is shown; "" where that is all of it.
func (w *window) marker() string { return shown(w.offset, w.end, w.total, "") }
