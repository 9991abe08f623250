package decode

import (
	"encoding/json"
	"fmt"

	"github.com/mcptoolset/mcptoolset/internal/decode/rawjson"
)

// ResourceContents is what a resource holds, or one part of it.
type ResourceContents struct {
	URI, Name, Title, MIMEType string // "" where missing or of a wrong type
	// Text is the text where HasText. A text that was sent as JSON of another
	// kind is that JSON, and Fault says so.
	Text    string
	HasText bool
	// Blob is base64 as sent where HasBlob; see [Binary].
	Blob    string
	HasBlob bool
	// Meta is the member _meta; nil where absent or null.
	Meta json.RawMessage
	// Raw is the contents exactly as sent, a slice of the answer.
	Raw json.RawMessage
	// Fault says why the contents could not be read as a server should send
	// them; empty if nothing is wrong.
	Fault string
}

// ReadOf reads the answer to resources/read. Broken contents carry a Fault and
// never take the others with them; missing contents are none. It is an error
// if the answer is not JSON, or neither an object nor null.
func ReadOf(raw json.RawMessage) ([]ResourceContents, error) {
	var all []ResourceContents
	r := rawjson.NewReader(raw)
	switch kind := r.Peek(); kind {
	case rawjson.Object:
		r.Object(func(key []byte) {
			if string(key) == "contents" {
				all = readResources(r)
			}
		})
	case rawjson.Null:
		r.Value()
	default:
		r.Value()
		if r.End() == nil {
			return nil, fmt.Errorf("resource: the answer is %s, not an object", kind)
		}
	}
	if err := r.End(); err != nil {
		return nil, fmt.Errorf("resource: not JSON: %w", err)
	}
	return all, nil
}

// readResources consumes the value of contents: a list, or what a sloppy server
// sends instead of a list of one.
func readResources(r *rawjson.Reader) (all []ResourceContents) {
	switch r.Peek() {
	case rawjson.Null:
		return nil
	case rawjson.List:
		n := 0
		r.List(func(int) {
			if n++; n <= maxContents {
				all = append(all, readResource(r))
			}
		})
		if n > maxContents {
			all = append(all, ResourceContents{Fault: fmt.Sprintf("%d of %d contents were read", maxContents, n)})
		}
		return all
	default:
		return []ResourceContents{readResource(r)}
	}
}

// readResource consumes one resource's contents. A bare string is its text.
func readResource(r *rawjson.Reader) ResourceContents {
	var c ResourceContents
	if kind := r.Peek(); kind != rawjson.Object {
		v := r.Value()
		c.Raw, c.Text, c.HasText = v.Raw, v.Text(), kind == rawjson.String
		c.Fault = fmt.Sprintf("it is %s, not an object", kind)
		return c
	}
	var text, blob rawjson.Value
	c.Raw = r.Object(func(key []byte) {
		switch string(key) {
		case "uri":
			c.URI = r.Value().Text()
		case "name":
			c.Name = r.Value().Text()
		case "title":
			c.Title = r.Value().Text()
		case "mimeType":
			c.MIMEType = r.Value().Text()
		case "text":
			text = r.Value()
		case "blob":
			blob = r.Value()
		case "_meta":
			c.Meta = present(r.Value())
		}
	})
	c.settle(text, blob)
	return c
}

// settle takes over text and blob, and judges them.
func (c *ResourceContents) settle(text, blob rawjson.Value) {
	c.Text, c.HasText = textOf(text)
	c.Blob, c.HasBlob = blob.Text(), blob.Kind == rawjson.String
	switch {
	case c.HasText && text.Kind != rawjson.String:
		c.Fault = wants("text", text.Kind, rawjson.String)
	case !c.HasBlob && blob.Kind != rawjson.Invalid && blob.Kind != rawjson.Null:
		c.Fault = wants("blob", blob.Kind, rawjson.String)
	case !c.HasText && !c.HasBlob:
		c.Fault = "it has neither text nor blob"
	}
}

// textOf returns the string that stands where a text is expected, or the JSON
// that stands there instead; a null is nothing.
func textOf(v rawjson.Value) (text string, ok bool) {
	switch v.Kind {
	case rawjson.Invalid, rawjson.Null:
		return "", false
	case rawjson.String:
		return v.Text(), true
	default:
		return string(v.Raw), true
	}
}
