package decode

import (
	"encoding/json"
	"fmt"

	"github.com/mcptoolset/mcptoolset/internal/decode/rawjson"
)

// Prompt is one prompt as a server lists it. Strings are "" where missing or of
// a wrong type.
type Prompt struct {
	Name, Title, Description string
	// Arguments are those that could be read, in the server's order.
	Arguments []PromptArgument
	// Meta is the member _meta; nil where absent or null.
	Meta json.RawMessage
	// Raw is the item exactly as sent, a slice of the answer.
	Raw json.RawMessage
	// Faults are what was wrong with the arguments. Where there are any, the
	// prompt may take more arguments than Arguments says.
	Faults []string
}

// PromptArgument is one argument a prompt takes.
type PromptArgument struct {
	Name, Title, Description string
	Required                 bool
}

// PromptOf reads one item of a list of prompts. The error says why the prompt
// cannot be used: it is not an object, or has no name. The Prompt returned with
// an error holds what could be read. Whatever else is of a wrong type never
// makes a prompt unusable.
func PromptOf(raw json.RawMessage) (Prompt, error) {
	var p Prompt
	var name rawjson.Value
	all, err := readListed(raw, "prompt", func(key string, r *rawjson.Reader) {
		switch key {
		case "name":
			name = r.Value()
		case "title":
			p.Title = r.Value().Text()
		case "description":
			p.Description = r.Value().Text()
		case "arguments":
			p.Arguments, p.Faults = readPromptArguments(r)
		case "_meta":
			p.Meta = present(r.Value())
		}
	})
	p.Raw, p.Name = all, name.Text()
	if err != nil {
		return p, err
	}
	return p, checkID("prompt", "name", name)
}

// readPromptArguments consumes the arguments a prompt takes.
func readPromptArguments(r *rawjson.Reader) (all []PromptArgument, faults []string) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	if kind := r.Peek(); kind != rawjson.List {
		r.Value()
		if kind != rawjson.Null {
			fault("arguments is %s, not a list", kind)
		}
		return nil, faults
	}
	n := 0
	r.List(func(i int) {
		if n++; n > maxContents {
			return
		}
		a, err := readPromptArgument(r)
		if err != nil {
			fault("argument %d: %v", i, err)
			return
		}
		all = append(all, a)
	})
	if n > maxContents {
		fault("%d of %d arguments were read", maxContents, n)
	}
	return all, faults
}

func readPromptArgument(r *rawjson.Reader) (PromptArgument, error) {
	var a PromptArgument
	if kind := r.Peek(); kind != rawjson.Object {
		r.Value()
		return a, fmt.Errorf("it is %s, not an object", kind)
	}
	var name rawjson.Value
	r.Object(func(key []byte) {
		switch string(key) {
		case "name":
			name = r.Value()
		case "title":
			a.Title = r.Value().Text()
		case "description":
			a.Description = r.Value().Text()
		case "required":
			a.Required = r.Value().True()
		}
	})
	a.Name = name.Text()
	return a, checkID("argument", "name", name)
}
