package toolset

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/mcptoolset/mcptoolset/internal/decode"
	"github.com/mcptoolset/mcptoolset/internal/render"
	"github.com/mcptoolset/mcptoolset/internal/session"
)

// Result is what a tool answered, with nothing left out.
type Result struct {
	// IsError is set when the tool says that it failed.
	IsError bool
	// Content are the items of the result, in order.
	Content []Content
	// Structured is the structured result, byte for byte; nil where there is
	// none.
	Structured json.RawMessage
	// Meta is the _meta member as sent; nil where there is none.
	Meta json.RawMessage
	// Faults says what was wrong with the result's form.
	Faults []string
	// Mismatches says what in Structured does not fit the tool's output schema,
	// each fault with its path. It is nil where everything fits, where there is
	// no schema that can be checked, and where the tool failed.
	Mismatches []string
	// Raw is the result as the server sent it.
	Raw json.RawMessage

	decoded decode.Result
}

// Content is one item of a result.
type Content struct {
	// Type is "text", "image", "audio", "resource_link", "resource" or
	// whatever the server sent.
	Type string
	// Text is that of a text item or of an embedded text resource.
	Text string
	// Data is the base64 text of an image, of audio or of an embedded binary
	// resource, as sent.
	Data string
	// MIMEType is the type of Data or of the resource.
	MIMEType string
	// URI, Name, Title and Description are those of a resource or a link.
	URI, Name, Title, Description string
	// Fault says why the item could not be read as its type; empty if it was.
	Fault string
	// Raw is the item as the server sent it.
	Raw json.RawMessage
}

// Bytes decodes Data, also where a server writes base64 in another way than it
// should: in the URL alphabet, without padding, in lines, as a data URL.
func (c Content) Bytes() ([]byte, error) {
	data, err := decode.Binary(c.Data)
	if err != nil {
		return nil, fmt.Errorf("%.100s item: %w", c.Type, err)
	}
	return data, nil
}

// Text is what a model would be told of the result, within the default budget
// of 50,000 characters.
func (r *Result) Text() string { return render.Result(r.decoded, render.Options{}) }

// CallTool runs a tool by the server's own name and returns its result as it
// is, a failure of the tool included: look at IsError. It is for owners, and
// for tests of one's own server. arguments may be nil, a json.RawMessage or
// anything that marshals to a JSON object; they are not checked against the
// tool's schema. Bound arguments ([WithBoundArguments]) are set here too,
// whatever arguments says, so that no path to the server goes around them.
//
// A tool that the filter keeps back, or that is switched off, cannot be called.
// The error is an [*Error], for whatever kept the server from giving a result.
func (ts *Toolset) CallTool(ctx context.Context, name string, arguments any) (*Result, error) {
	result, err := ts.callTool(ctx, name, arguments)
	ts.tally.count(name, err != nil || result.IsError)
	return result, err
}

func (ts *Toolset) callTool(ctx context.Context, name string, arguments any) (*Result, error) {
	began := time.Now()
	if err := ts.open(ctx); err != nil {
		return nil, ts.fault(StageCall, name, began, err)
	}
	fail := func(stage Stage, err error) (*Result, error) {
		return nil, ts.fault(stage, name, began, err)
	}
	if err := ts.switchedOff(name); err != nil {
		return fail(StageCall, err)
	}
	encoded, err := objectOf(arguments)
	if err != nil {
		return fail(StageArguments, err)
	}
	if encoded, err = ts.bind(ctx, name, encoded); err != nil {
		return fail(StageArguments, err)
	}
	stage := StageCall
	var t *Tool
	var raw json.RawMessage
	err = ts.operate(ctx, new(caller), func(ctx context.Context, op *session.Operation) error {
		all, err := ts.listed(ctx, op)
		if err != nil {
			stage = StageList
			return err
		}
		if t = all.find(name); t == nil { // the server may know it all the same
			t = ts.newTool(name, decode.Tool{Name: name})
		}
		raw, err = ts.send(ctx, op, t, encoded)
		return err
	})
	if err != nil {
		return fail(stage, err)
	}
	decoded, err := resultOf(raw)
	if err != nil {
		return fail(StageCall, err)
	}
	result := newResult(decoded)
	for _, f := range t.mismatches(decoded) {
		result.Mismatches = append(result.Mismatches, f.String())
	}
	return result, nil
}

// objectOf encodes arguments as a JSON object.
func objectOf(arguments any) (json.RawMessage, error) {
	if raw, ok := arguments.(json.RawMessage); ok && len(raw) == 0 {
		arguments = nil
	}
	encoded, err := json.Marshal(arguments)
	if err != nil {
		return nil, fmt.Errorf("the arguments cannot be encoded: %w", err)
	}
	switch {
	case string(encoded) == "null":
		return json.RawMessage("{}"), nil
	case encoded[0] != '{':
		return nil, fmt.Errorf("the arguments are a %T, which is no JSON object", arguments)
	}
	return encoded, nil
}

func newResult(from decode.Result) *Result {
	r := &Result{
		IsError: from.IsError, Structured: from.Structured, Meta: from.Meta,
		Faults: from.Faults, Raw: from.Raw, decoded: from,
	}
	for _, c := range from.Content {
		r.Content = append(r.Content, newContent(c))
	}
	return r
}

func newContent(c decode.Content) Content {
	item := Content{
		Type: c.Type, Text: c.Text, Data: c.Data, MIMEType: c.MIMEType, URI: c.URI,
		Name: c.Name, Title: c.Title, Description: c.Description, Fault: c.Fault, Raw: c.Raw,
	}
	if embedded := c.Resource; embedded != nil {
		item.URI, item.MIMEType = embedded.URI, embedded.MIMEType
		item.Text, item.Data = embedded.Text, embedded.Blob
		if item.Fault == "" {
			item.Fault = embedded.Fault
		}
	}
	return item
}
