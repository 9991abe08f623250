package providers

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
)

// What all APIs have in common: a script to answer from, and what they were
// sent, in words that none of them uses alone.

// A request is one to a provider's API.
type request struct {
	tools    []definition
	system   string
	parts    []part // of all messages, in order
	streamed bool
}

// A definition is what a provider was told of a tool.
type definition struct {
	name, description string
	parameters        json.RawMessage
}

// A part is one piece of a history. Its kind is what it says.
type part struct {
	kind partKind
	text string // of a user, the model, or an answer to a call
	call call   // a call, or the one that an answer is to
}

type partKind string

const (
	fromUser  partKind = "user"
	fromModel partKind = "model"
	aCall     partKind = "call"
	anAnswer  partKind = "answer"
	anImage   partKind = "image" // text is its type and its bytes
)

// A call is one that a model makes. APIs that know no ids leave it empty.
type call struct{ id, name, arguments string }

// A turn is what a model says at once.
type turn struct {
	text  string
	calls []call
	// malformed says that the model wrote a call that its API could not read:
	// Google's then give an answer without content and say so.
	malformed bool
}

// tape answers an API's requests and keeps them. After its script it repeats
// the answer to the last call, so that a test sees that it got there.
type tape struct {
	script []turn

	mu       sync.Mutex
	requests []request
	refusals []string
}

// take keeps a request and chooses the answer to it. What is refused is not
// answered, as the API would not.
func (t *tape) take(r request, refusal error) (turn, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if refusal != nil {
		t.refusals = append(t.refusals, refusal.Error())
		return turn{}, refusal
	}
	t.requests = append(t.requests, r)
	if step := len(t.requests) - 1; step < len(t.script) {
		return t.script[step], nil
	}
	for i := len(r.parts) - 1; i >= 0; i-- {
		if r.parts[i].kind == anAnswer {
			return turn{text: "It says: " + r.parts[i].text}, nil
		}
	}
	return turn{text: "Nothing was called."}, nil
}

// sent are the requests that were taken.
func (t *tape) sent() []request {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]request(nil), t.requests...)
}

// refused are the reasons why requests were not taken.
func (t *tape) refused() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]string(nil), t.refusals...)
}

// of are the parts of the kinds.
func (r request) of(kinds ...partKind) []part {
	var found []part
	for _, p := range r.parts {
		for _, kind := range kinds {
			if p.kind == kind {
				found = append(found, p)
			}
		}
	}
	return found
}

// imagePart is an image as a part.
func imagePart(mimeType, base64 string) part {
	return part{kind: anImage, text: mimeType + " " + base64}
}

// pieces cuts a text as a stream does.
func pieces(text string, size int) []string {
	var all []string
	for text != "" {
		n := min(size, len(text))
		all, text = append(all, text[:n]), text[n:]
	}
	return all
}

// refuse is an error of an API, of all its reasons; nil where there are none.
func refuse(reasons []string) error {
	if len(reasons) == 0 {
		return nil
	}
	return fmt.Errorf("refused: %s", strings.Join(reasons, "; "))
}
