package decode

import (
	"encoding/json"
	"fmt"

	"github.com/mcptoolset/mcptoolset/internal/decode/rawjson"
)

// The content types of the protocol.
const (
	TypeText         = "text"
	TypeImage        = "image"
	TypeAudio        = "audio"
	TypeResourceLink = "resource_link"
	TypeResource     = "resource"
)

// Content is one item of a call's result. Strings are "" where missing or of a
// wrong type.
type Content struct {
	Type string // as sent, known or not; "" where missing
	// Text is a text item's text. A text that was sent as JSON of another kind
	// is that JSON, and Fault says so.
	Text string
	// Data is base64 as sent; see [Binary].
	Data                                    string
	MIMEType, URI, Name, Title, Description string
	Size                                    *int64 // in bytes, as the server says; nil where it does not
	// Resource is an embedded resource.
	Resource *ResourceContents
	// Raw is the item exactly as sent, a slice of the answer.
	Raw json.RawMessage
	// Fault says why the item could not be read as its type; empty if nothing
	// is wrong. An unknown type is a fault.
	Fault string
}

// readContent consumes one item of a result.
func readContent(r *rawjson.Reader) Content {
	var c Content
	switch kind := r.Peek(); kind {
	case rawjson.Object:
	case rawjson.String:
		v := r.Value()
		return Content{Type: TypeText, Text: v.Text(), Raw: v.Raw}
	default:
		return Content{Raw: r.Value().Raw, Fault: fmt.Sprintf("it is %s, not an object", kind)}
	}
	var m contentMembers
	c.Raw = r.Object(func(key []byte) { m.read(&c, string(key), r) })
	c.Fault = m.fault(&c)
	if c.Type == TypeResource && m.resource == rawjson.Invalid && (c.URI != "" || m.text == rawjson.String) {
		// The resource's members stand in the item itself.
		res := readResource(rawjson.NewReader(c.Raw))
		c.Resource = &res
	}
	return c
}

// contentMembers remembers of an item's members what its type decides about.
type contentMembers struct {
	typ, text, data, resource rawjson.Kind
}

func (m *contentMembers) read(c *Content, key string, r *rawjson.Reader) {
	switch key {
	case "type":
		v := r.Value()
		m.typ, c.Type = v.Kind, v.Text()
	case "text":
		v := r.Value()
		m.text = v.Kind
		c.Text, _ = textOf(v)
	case "data":
		v := r.Value()
		m.data, c.Data = v.Kind, v.Text()
	case "mimeType":
		c.MIMEType = r.Value().Text()
	case "uri":
		c.URI = r.Value().Text()
	case "name":
		c.Name = r.Value().Text()
	case "title":
		c.Title = r.Value().Text()
	case "description":
		c.Description = r.Value().Text()
	case "size":
		c.Size = nil
		if n, ok := count(r.Value()); ok {
			c.Size = &n
		}
	case "resource":
		c.Resource = nil
		if m.resource = r.Peek(); m.resource == rawjson.Object {
			res := readResource(r)
			c.Resource = &res
		}
	}
}

// fault judges the item by its type.
func (m *contentMembers) fault(c *Content) string {
	switch c.Type {
	case TypeText:
		return wants("text", m.text, rawjson.String)
	case TypeImage, TypeAudio:
		return wants("data", m.data, rawjson.String)
	case TypeResourceLink:
		if c.URI == "" {
			return "it has no uri"
		}
		return ""
	case TypeResource:
		if c.Resource != nil {
			return c.Resource.Fault
		}
		return wants("resource", m.resource, rawjson.Object)
	case "":
		if m.typ == rawjson.String {
			return "its type is empty"
		}
		return wants("type", m.typ, rawjson.String)
	default:
		return "its type is not known"
	}
}

// wants says what is wrong with a member of kind got that must be of kind want.
func wants(member string, got, want rawjson.Kind) string {
	switch got {
	case want:
		return ""
	case rawjson.Invalid, rawjson.Null:
		return "it has no " + member
	default:
		return fmt.Sprintf("%s is %s, not %s", member, got, want)
	}
}
