package decode

import (
	"encoding/json"
	"fmt"

	"github.com/mcptoolset/mcptoolset/internal/decode/rawjson"
)

// PromptResult is the answer to prompts/get.
type PromptResult struct {
	Description string // "" where missing or of a wrong type
	// Messages are those of the prompt, in the server's order.
	Messages []PromptMessage
	// Meta is the member _meta; nil where absent or null.
	Meta json.RawMessage
	// ResultType is "" on old protocols; see [ResultInputRequired].
	ResultType string
	// Raw is the answer exactly as sent.
	Raw json.RawMessage
	// Faults are what was wrong with the answer as a whole. Faults of a message
	// stand with its content.
	Faults []string
}

// PromptMessage is one message of a prompt.
type PromptMessage struct {
	Role    string // as sent; "" where missing or of a wrong type
	Content Content
}

// PromptResultOf reads the answer to prompts/get. A broken message carries a
// fault and never takes the others with it; one with several contents becomes
// several of its role. It is an error if the answer is not JSON, or not an
// object.
func PromptResultOf(raw json.RawMessage) (PromptResult, error) {
	var p PromptResult
	seen := false
	r := rawjson.NewReader(raw)
	if kind := r.Peek(); kind != rawjson.Object {
		r.Value()
		if r.End() == nil {
			return PromptResult{}, fmt.Errorf("prompt: the answer is %s, not an object", kind)
		}
	}
	p.Raw = r.Object(func(key []byte) {
		switch string(key) {
		case "description":
			p.Description = r.Value().Text()
		case "messages":
			seen = true
			p.readMessages(r)
		case "_meta":
			p.Meta = present(r.Value())
		case "resultType":
			p.ResultType = r.Value().Text()
		}
	})
	if err := r.End(); err != nil {
		return PromptResult{}, fmt.Errorf("prompt: not JSON: %w", err)
	}
	if !seen && p.ResultType != ResultInputRequired {
		p.fault("messages is missing")
	}
	return p, nil
}

// readMessages consumes the value of messages: a list, or what a sloppy server
// sends instead of a list of one.
func (p *PromptResult) readMessages(r *rawjson.Reader) {
	p.Messages = nil
	switch kind := r.Peek(); kind {
	case rawjson.List:
		n := 0
		r.List(func(int) {
			if n++; n <= maxContents {
				p.readMessage(r)
			}
		})
		if n > maxContents {
			p.fault("%d of %d messages were read", maxContents, n)
		}
	case rawjson.Null:
		r.Value()
		p.fault("messages is null")
	default:
		p.fault("messages is %s, not a list", kind)
		p.readMessage(r)
	}
}

// readMessage consumes one message. A bare string is a text without a role.
func (p *PromptResult) readMessage(r *rawjson.Reader) {
	if r.Peek() != rawjson.Object {
		p.Messages = append(p.Messages, messageOf("", readContent(r)))
		return
	}
	var role rawjson.Value
	var contents []Content
	raw := r.Object(func(key []byte) {
		switch string(key) {
		case "role":
			role = r.Value()
		case "content":
			contents = readMessageContents(r)
		}
	})
	if len(contents) == 0 {
		contents = []Content{{Raw: raw, Fault: "the message has no content"}}
	}
	for _, c := range contents {
		p.Messages = append(p.Messages, messageOf(role.Text(), c))
	}
}

// readMessageContents consumes the content of a message: one item, or a list of
// them, which some servers send.
func readMessageContents(r *rawjson.Reader) (all []Content) {
	switch r.Peek() {
	case rawjson.Null:
		r.Value()
		return nil
	case rawjson.List:
		n := 0
		r.List(func(int) {
			if n++; n <= maxContents {
				all = append(all, readContent(r))
			}
		})
		if n > maxContents {
			all = append(all, Content{Fault: fmt.Sprintf("%d of %d items were read", maxContents, n)})
		}
		return all
	}
	return []Content{readContent(r)}
}

func messageOf(role string, c Content) PromptMessage {
	if role == "" && c.Fault == "" {
		c.Fault = "the message has no role"
	}
	return PromptMessage{Role: role, Content: c}
}

func (p *PromptResult) fault(format string, args ...any) {
	p.Faults = append(p.Faults, fmt.Sprintf(format, args...))
}
