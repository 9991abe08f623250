package render

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// DefaultBudget is how many characters an observation has where the owner does
// not say.
const DefaultBudget = 50_000

// Cut shortens text to budget characters, the marker that says how much is
// missing included, and reports whether it had to. The head of the text is
// kept, and with keepTail also its end, the head getting two thirds of the
// room. A budget too small for the marker gets a shorter one, at last a lone
// "…". A budget of zero or less is [DefaultBudget]. What Cut returns is fit for
// a model, as the package says, even if nothing was cut.
func Cut(text string, budget int, keepTail bool) (string, bool) {
	return fit([]piece{{text: text}}, frame{budget: budget, keepTail: keepTail})
}

// frame is what pieces have to fit into.
type frame struct {
	budget   int
	keepTail bool
	lead     int // characters at the start that are kept before anything else
	note     string
	keep     func(whole string) string
}

// frame is the one that options describe.
func (o Options) frame() frame {
	return frame{budget: o.Budget, note: o.Note, keep: o.Keep}
}

// fit puts pieces together within a frame and reports whether it had to cut.
func fit(pieces []piece, f frame) (string, bool) {
	if f.budget <= 0 {
		f.budget = DefaultBudget
	}
	note := ""
	if f.note != "" {
		note = "\n\n" + f.note
	}
	size, total := len(note), 0
	for _, p := range pieces {
		size += p.size()
	}
	if size > f.budget { // else it fits, whatever the characters
		for _, p := range pieces {
			total += p.runes()
		}
	}
	noted := utf8.RuneCountInString(note)
	switch {
	case total <= f.budget && (size <= f.budget || total+noted <= f.budget):
		return clean(join(pieces) + note), false
	case total <= f.budget: // what the server said goes before the note
		return clean(join(pieces)), false
	case noted > f.budget/4:
		note, noted = "", 0
	}
	f.budget -= noted
	return clean(f.cut(pieces, total) + note), true
}

// cut shortens pieces of total characters, which are too many.
func (f frame) cut(pieces []piece, total int) string {
	more := ""
	if f.keep != nil && f.budget >= minKept {
		more = f.keep(clean(join(pieces)))
	}
	mark := f.marker(total, more)
	room := f.budget - max(utf8.RuneCountInString(mark(total, total)), utf8.RuneCountInString(mark(0, 0)))
	head := room
	if f.keepTail {
		head = max(room-room/3, min(f.lead, room))
	}
	tail := room - head
	parts := append(heads(pieces, head), mark(head, tail))
	return strings.Join(append(parts, tails(pieces, tail)...), "")
}

// minKept is the least budget in which a marker says how to read on.
const minKept = 250

// marker returns the wordiest marker the budget has room for, as a function of
// the numbers of characters shown before and after it. It is longest for zeros
// or for totals. What it says of reading on, it says in any case.
func (f frame) marker(total int, more string) func(head, tail int) string {
	long := func(head, tail int) string {
		onward := ""
		if more != "" {
			onward = "; " + continuing(more, head)
		}
		if !f.keepTail {
			return fmt.Sprintf("\n[cut: %d of %d characters shown%s]", head, total, onward)
		}
		return fmt.Sprintf("\n[cut: the first %d and the last %d of %d characters shown%s]\n", head, tail, total, onward)
	}
	short := func(head, tail int) string {
		if !f.keepTail {
			return fmt.Sprintf("…[%d cut]", max(total-head, 0))
		}
		return fmt.Sprintf("…[%d cut]…", max(total-head-tail, 0))
	}
	length := utf8.RuneCountInString(long(total, total))
	if f.budget >= 2*length || more != "" && f.budget > length+f.lead {
		return long
	}
	if f.budget > utf8.RuneCountInString(short(0, 0))+f.lead {
		return short
	}
	return func(int, int) string { return "…" }
}

// heads returns the first n characters of pieces.
func heads(pieces []piece, n int) (parts []string) {
	for _, p := range pieces {
		if n <= 0 {
			break
		}
		s := p.head(n)
		n -= utf8.RuneCountInString(s)
		parts = append(parts, s)
	}
	return parts
}

// tails returns the last n characters of pieces.
func tails(pieces []piece, n int) (parts []string) {
	for _, p := range slices.Backward(pieces) {
		if n <= 0 {
			break
		}
		s := p.tail(n)
		n -= utf8.RuneCountInString(s)
		parts = append(parts, s)
	}
	slices.Reverse(parts)
	return parts
}
