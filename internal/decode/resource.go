package decode

import (
	"encoding/json"
	"fmt"

	"github.com/mcptoolset/mcptoolset/internal/decode/rawjson"
)

// ResourceContents is what a resource holds, or one part of it.
type ResourceContents struct {
	URI, MIMEType string // "" where missing or of a wrong type
	// Text is the text where HasText. A text that was sent as JSON of another
	// kind is that JSON, and Fault says so.
	Text    string
	HasText bool
	// Blob is base64 as sent where HasBlob; see [Binary].
	Blob    string
	HasBlob bool
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
				all = readContents(r)
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

// readContents consumes the value of contents: a list, or what a sloppy server
// sends instead of a list of one.
func readContents(r *rawjson.Reader) (all []ResourceContents) {
	switch r.Peek() {
	case rawjson.Null:
		return nil
	case rawjson.List:
		r.List(func(int) { all = append(all, readResource(r)) })
		return all
	default:
		return []ResourceContents{readResource(r)}
	}
}

// readResource consumes one resource's contents.
func readResource(r *rawjson.Reader) ResourceContents {
	var c ResourceContents
	if kind := r.Peek(); kind != rawjson.Object {
		v := r.Value()
		c.Raw, c.Text, c.HasText = v.Raw, v.Text(), kind == rawjson.String
		c.Fault = fmt.Sprintf("it is %s, not an object", kind)
		return c
	}
	c.Raw = r.Object(func(key []byte) { c.readMember(string(key), r) })
	if c.Fault == "" && !c.HasText && !c.HasBlob {
		c.Fault = "it has neither text nor blob"
	}
	return c
}

func (c *ResourceContents) readMember(key string, r *rawjson.Reader) {
	switch key {
	case "uri":
		c.URI = r.Value().Text()
	case "mimeType":
		c.MIMEType = r.Value().Text()
	case "text":
		c.Text, c.HasText = "", false
		v := r.Value()
		switch v.Kind {
		case rawjson.String:
			c.Text, c.HasText = v.Text(), true
		case rawjson.Null, rawjson.Invalid:
		default:
			c.Text, c.HasText = string(v.Raw), true
			c.Fault = fmt.Sprintf("text is %s, not a string", v.Kind)
		}
	case "blob":
		c.Blob, c.HasBlob = "", false
		v := r.Value()
		switch v.Kind {
		case rawjson.String:
			c.Blob, c.HasBlob = v.Text(), true
		case rawjson.Null, rawjson.Invalid:
		default:
			c.Fault = fmt.Sprintf("blob is %s, not a string", v.Kind)
		}
	}
}
