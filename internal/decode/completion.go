package decode

import (
	"encoding/json"
	"fmt"

	"github.com/mcptoolset/mcptoolset/internal/decode/rawjson"
)

// Completion is the answer to completion/complete.
type Completion struct {
	// Values are the proposals, in the server's order.
	Values []string
	// Total is how many there are; nil where the server does not say.
	Total *int64
	// HasMore tells that there are more than Values.
	HasMore bool
}

// CompletionOf reads the answer to completion/complete. Of a proposal that is
// an object its member value counts, and of a number its digits; what is
// nothing of that is left out. It is an error if the answer is not JSON, not an
// object, or its values are anything but a list.
func CompletionOf(raw json.RawMessage) (Completion, error) {
	var c Completion
	wrong := ""
	r := rawjson.NewReader(raw)
	if kind := r.Peek(); kind != rawjson.Object {
		r.Value()
		if r.End() == nil {
			return Completion{}, fmt.Errorf("completion: the answer is %s, not an object", kind)
		}
	}
	r.Object(func(key []byte) {
		switch kind := r.Peek(); {
		case string(key) != "completion" || kind == rawjson.Null:
		case kind != rawjson.Object:
			wrong = fmt.Sprintf("completion is %s, not an object", kind)
		default:
			c, wrong = readCompletion(r)
		}
	})
	if err := r.End(); err != nil {
		return Completion{}, fmt.Errorf("completion: not JSON: %w", err)
	}
	if wrong != "" {
		return Completion{}, fmt.Errorf("completion: %s", wrong)
	}
	return c, nil
}

// readCompletion consumes the object. wrong says why it cannot be used.
func readCompletion(r *rawjson.Reader) (c Completion, wrong string) {
	r.Object(func(key []byte) {
		switch string(key) {
		case "values":
			c.Values, wrong = readProposals(r)
		case "total":
			c.Total = nil
			if n, ok := count(r.Value()); ok {
				c.Total = &n
			}
		case "hasMore":
			c.HasMore = r.Value().True()
		}
	})
	return c, wrong
}

func readProposals(r *rawjson.Reader) (all []string, wrong string) {
	switch kind := r.Peek(); kind {
	case rawjson.Null:
		return nil, ""
	case rawjson.List:
	default:
		return nil, fmt.Sprintf("values is %s, not a list", kind)
	}
	r.List(func(int) {
		if text, ok := readProposal(r); ok && len(all) < maxContents {
			all = append(all, text)
		}
	})
	return all, ""
}

// readProposal consumes one proposal.
func readProposal(r *rawjson.Reader) (text string, ok bool) {
	if r.Peek() != rawjson.Object {
		return scalar(r.Value())
	}
	var title string
	r.Object(func(key []byte) {
		switch string(key) {
		case "value":
			text, ok = scalar(r.Value())
		case "title":
			title = r.Value().Text()
		}
	})
	if !ok {
		return title, title != ""
	}
	return text, true
}

// scalar is the text of a string, or the digits of a number.
func scalar(v rawjson.Value) (text string, ok bool) {
	switch v.Kind {
	case rawjson.String:
		return v.Text(), true
	case rawjson.Number:
		return string(v.Raw), true
	}
	return "", false
}
