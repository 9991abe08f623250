package decode

import (
	"encoding/json"
	"fmt"
	"slices"
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
	var res resultReader
	r := rawjson.NewReader(raw)
	if r.Peek() == rawjson.Object {
		res.Raw = r.Object(func(key []byte) { res.readMember(string(key), r) })
		res.settle()
	} else {
		res.Raw = res.readContent(r, "the result")
	}
	if err := r.End(); err != nil {
		return Result{}, fmt.Errorf("result: not JSON: %w", err)
	}
	return res.Result, nil
}

// resultReader gathers a result member by member.
type resultReader struct {
	Result
	toolResult rawjson.Value
	other      bool // a member is not known or could not be read
	seen       seen
}

// seen remembers which of the members that decide what is shown have occurred.
type seen struct{ content, structured, isError bool }

func (res *resultReader) readMember(key string, r *rawjson.Reader) {
	switch key {
	case "content":
		res.once(&res.seen.content, key)
		res.readContent(r, key)
	case "structuredContent":
		res.once(&res.seen.structured, key)
		res.Structured = present(r.Value())
	case "isError":
		res.once(&res.seen.isError, key)
		res.readIsError(r.Value())
	case "toolResult":
		res.toolResult = r.Value()
	case "_meta":
		res.Meta = present(r.Value())
	case "resultType":
		res.ResultType = r.Value().Text()
	default:
		res.other = true
	}
}

// once reports a repeated member. Of several the last counts, as it does for
// nearly every reader of JSON.
func (res *resultReader) once(seen *bool, key string) {
	if *seen {
		res.fault("%s is there more than once; the last one counts", key)
	}
	*seen = true
}

// readContent consumes the items, or what stands in place of their list, and
// returns the bytes.
func (res *resultReader) readContent(r *rawjson.Reader, what string) (raw []byte) {
	res.Content = nil
	kind := r.Peek()
	switch kind {
	case rawjson.List:
		raw = res.readItems(r)
	case rawjson.Null:
		raw = r.Value().Raw
	default:
		c := readContent(r)
		raw, res.Content = c.Raw, []Content{c}
	}
	if what != "content" || kind != rawjson.List {
		res.fault("%s is %s", what, kind)
	}
	return raw
}

func (res *resultReader) readItems(r *rawjson.Reader) []byte {
	n := 0
	raw := r.List(func(int) {
		if n++; n <= maxContents {
			res.Content = append(res.Content, readContent(r))
		}
	})
	if n > maxContents {
		res.Content = append(res.Content, Content{Fault: fmt.Sprintf("%d of %d items were read", maxContents, n)})
	}
	return raw
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
		res.IsError = !isZero(v)
		res.fault("isError is a number, not a boolean")
	default:
		res.other = true
		res.fault("isError is %s, not a boolean", v.Kind)
	}
}

// settle finds a place for what old and odd servers send instead of content.
func (res *resultReader) settle() {
	old := res.toolResult
	switch {
	case old.Kind == rawjson.String && !res.says(old.Text()):
		res.Content = append(res.Content, Content{Type: TypeText, Text: old.Text(), Raw: old.Raw})
	case old.Kind != rawjson.String && old.Kind != rawjson.Invalid && res.Structured == nil:
		res.Structured = present(old)
	}
	if !res.seen.content && res.ResultType != "input_required" {
		res.fault("content is missing")
	}
	if len(res.Content) == 0 && res.Structured == nil && res.other {
		res.Content = []Content{{Raw: res.Raw, Fault: res.without()}}
	}
}

// without says what an answer in which nothing is known seems to be.
func (res *resultReader) without() string {
	if res.ResultType == "" {
		return "it is a result without content"
	}
	return fmt.Sprintf("it is a result of the type %q", clip(res.ResultType, 60))
}

// says reports whether an item is exactly this text.
func (res *resultReader) says(text string) bool {
	return slices.ContainsFunc(res.Content, func(c Content) bool { return c.Type == TypeText && c.Text == text })
}

func (res *resultReader) fault(format string, args ...any) {
	res.Faults = append(res.Faults, fmt.Sprintf(format, args...))
}
