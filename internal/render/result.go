package render

import (
	"github.com/mcptoolset/mcptoolset/internal/decode"
)

// NoOutput is the observation of a call that returned nothing to show.
const NoOutput = "(no output)"

// Options say how a result is rendered. The zero value is ready to use.
type Options struct {
	// Budget is how many characters the whole observation may have, the marker
	// of a cut included. Zero or less is [DefaultBudget].
	Budget int
	// Note is a line of the owner's at the end, after a blank one. It is left
	// out where it has no room but that of what the server said, and, beside a
	// text that is cut, where it would take more than a quarter of the budget.
	Note string
	// Keep is called with the whole text where it is cut. It answers with what
	// to read on with, which the marker then says together with the offset to go
	// on from; "" if the text could not be kept. It is not called where the
	// budget is less than 250 characters. By default, and for nil, a marker only
	// says how much is missing. See [Part].
	Keep func(whole string) string
}

// Result renders the result of a call. One text item is exactly that text;
// several items are kept apart by a blank line; nothing is [NoOutput], and
// white space alone is nothing. The structured result follows as it was sent,
// unless the text items say the same. Images, audio, links and resources are
// described, and what cannot be read is named with what it holds.
//
// A failure starts with "Error: ". What is over the budget is cut as [Cut]
// does, keeping the end of a failure. The text is never empty.
func Result(r decode.Result, o Options) string {
	var d document
	for i := range r.Content {
		d.content(&r.Content[i])
	}
	if len(r.Structured) > 0 && !says(r.Content, r.Structured) {
		d.paragraph(piece{json: r.Structured})
	}
	if len(d.pieces) == 0 {
		d.paragraph(piece{text: NoOutput})
	}
	f := o.frame()
	if r.IsError {
		f = o.errorFrame()
		d.pieces = asError(d.pieces)
	}
	out, _ := fit(d.pieces, f)
	return out
}

// document gathers the pieces of an observation.
type document struct {
	pieces []piece
}

// paragraph adds pieces that belong together, a blank line before them.
func (d *document) paragraph(pieces ...piece) {
	if len(d.pieces) > 0 {
		d.pieces = append(d.pieces, piece{text: "\n\n"})
	}
	d.pieces = append(d.pieces, pieces...)
}
