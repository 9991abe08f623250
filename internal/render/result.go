package render

import (
	"encoding/json"
	"strings"

	"github.com/mcptoolset/mcptoolset/internal/decode"
	"github.com/mcptoolset/mcptoolset/internal/decode/rawjson"
)

// NoOutput is the observation of a call that returned nothing to show.
const NoOutput = "(no output)"

// Options say how a result is rendered. The zero value is ready to use.
type Options struct {
	// Budget is how many characters the whole observation may have, the marker
	// of a cut included. Zero or less is [DefaultBudget].
	Budget int
}

// Result renders the result of a call. One text item is exactly that text;
// several items are kept apart by a blank line; nothing is [NoOutput], and
// white space alone is nothing. The structured result follows as it was sent,
// unless a text item is the same JSON. Images, audio, links and resources are
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
	f := frame{budget: o.Budget}
	if r.IsError {
		f = errorFrame(o.Budget)
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

// says reports whether one of the text items is the JSON that structured is.
func says(content []decode.Content, structured json.RawMessage) bool {
	// A server that means to say the same does so early. Looking at everything
	// would let a hostile one take up time.
	const maxCompared = 16
	kind := rawjson.NewReader(structured).Peek()
	compared := 0
	for _, c := range content {
		if c.Type != decode.TypeText || !mayBe(c.Text, kind, len(structured)) {
			continue
		}
		if rawjson.Same([]byte(c.Text), structured) {
			return true
		}
		if compared++; compared == maxCompared {
			return false
		}
	}
	return false
}

// mayBe tells cheaply most texts that cannot be JSON of this kind and size: by
// the first character, and because escapes and white space make one writing
// only so many times as long as another.
func mayBe(text string, kind rawjson.Kind, size int) bool {
	const stretch = 16
	text = strings.TrimLeft(text, " \t\r\n\uFEFF")
	if text == "" || size > stretch*len(text) {
		return false
	}
	return rawjson.NewReader([]byte(text[:1])).Peek() == kind
}
