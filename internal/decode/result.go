package decode

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcptoolset/mcptoolset/internal/decode/rawjson"
)

// maxContents bounds how many items of one result are read: an item of two
// bytes takes hundreds once decoded.
const maxContents = 10_000

// Result is the answer to a tool call. Every json.RawMessage is a slice of the
// answer: exact, and not to be written to.
type Result struct {
	// Raw is the answer exactly as sent.
	Raw json.RawMessage
	// Content are the items in the server's order. What a server sent in place
	// of a list of items is one item.
	Content []Content
	// Structured is structuredContent, or the toolResult of old servers unless
	// that is a string; nil where absent or null.
	Structured json.RawMessage
	// IsError tells that the tool failed. "true" and a number other than zero
	// count as true.
	IsError bool
	// Meta is the member _meta; nil where absent or null.
	Meta json.RawMessage
	// ResultType is "" on old protocols; "input_required" asks for more input.
	ResultType string
	// Faults are what was wrong with the result as a whole. Faults of an item
	// stand with the item.
	Faults []string
}

// ResultOf reads the answer to a tool call. It is an error if raw is not JSON;
// anything else is a Result, with Faults where it is not what it should be.
// Nothing is lost: an answer in which nothing is known becomes one item that
// holds it.
func ResultOf(raw json.RawMessage) (Result, error) {
	r := rawjson.NewReader(raw)
	var res resultReader
	switch kind := r.Peek(); kind {
	case rawjson.Object:
		res.Raw = r.Object(func(key []byte) { res.readMember(string(key), r) })
		res.settle()
	default:
		start := r.Peek()
		res.readContents(r, "the result", start)
		res.Raw = raw
	}
	if err := r.End(); err != nil {
		return Result{}, fmt.Errorf("result: not JSON: %w", err)
	}
	return res.Result, nil
}

type resultReader struct {
	Result
	other      bool // members that are not known, or could not be read
	toolResult rawjson.Value
}

func (res *resultReader) readMember(key string, r *rawjson.Reader) {
	switch key {
	case "content":
		res.Content = nil
		res.readContents(r, "content", r.Peek())
	case "structuredContent":
		res.Structured = present(r.Value())
	case "toolResult":
		res.toolResult = r.Value()
	case "isError":
		res.readIsError(r.Value())
	case "_meta":
		res.Meta = present(r.Value())
	case "resultType":
		res.ResultType = r.Value().Text()
	default:
		res.other = true
	}
}

// readContents consumes the items, or what stands in place of them.
func (res *resultReader) readContents(r *rawjson.Reader, what string, kind rawjson.Kind) {
	switch kind {
	case rawjson.List:
		r.List(func(i int) {
			if i < maxContents {
				res.Content = append(res.Content, readContent(r))
			}
		})
	case rawjson.Null:
		r.Value()
		res.fault("%s is null", what)
	default:
		res.Content = append(res.Content, readContent(r))
		res.fault("%s is %s, not a list", what, kind)
	}
}

func (res *resultReader) readIsError(v rawjson.Value) {
	switch v.Kind {
	case rawjson.Bool:
		res.IsError = v.True()
	case rawjson.Null:
		res.IsError = false
	case rawjson.String:
		res.IsError = strings.EqualFold(strings.TrimSpace(v.Text()), "true")
		res.fault("isError is a string, not a boolean")
	case rawjson.Number:
		n, err := wholeNumber(v, 1)
		res.IsError = err != nil || n != 0
		res.fault("isError is a number, not a boolean")
	default:
		res.other = true
		res.fault("isError is %s, not a boolean", v.Kind)
	}
}

// settle finds a place for what old and odd servers send instead of content.
func (res *resultReader) settle() {
	switch old := res.toolResult; {
	case old.Kind == rawjson.String:
		res.Content = append(res.Content, Content{Type: TypeText, Text: old.Text(), Raw: old.Raw})
	case res.Structured == nil && old.Kind != rawjson.Invalid:
		res.Structured = present(old)
	}
	if len(res.Content) == 0 && res.Structured == nil && res.other {
		res.Content = []Content{{Raw: res.Raw, Fault: "the result has no content"}}
	}
}

func (res *resultReader) fault(format string, args ...any) {
	res.Faults = append(res.Faults, fmt.Sprintf(format, args...))
}
