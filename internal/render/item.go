package render

import "github.com/mcptoolset/mcptoolset/internal/decode"

// content adds one item of a result.
func (d *document) content(c *decode.Content) {
	switch {
	case c.Type == decode.TypeResource && c.Resource != nil:
		d.resource(c.Resource)
	case c.Fault != "":
		d.broken(c)
	case c.Type == decode.TypeText:
		if !blank(c.Text) {
			d.paragraph(piece{text: c.Text})
		}
	case c.Type == decode.TypeImage, c.Type == decode.TypeAudio:
		l := label(c.Type)
		l.field("type", c.MIMEType)
		l.binary(c.Data)
		l.uri(c.URI)
		l.field("name", c.Name)
		d.paragraph(piece{text: l.String()})
	case c.Type == decode.TypeResourceLink:
		d.link(c)
	}
}

// link describes a resource that can be read with its URI.
func (d *document) link(c *decode.Content) {
	l := label("resource link")
	l.uri(c.URI)
	l.field("name", c.Name)
	l.field("title", c.Title)
	l.field("type", c.MIMEType)
	if c.Size != nil {
		l.add("size", bytesOf(*c.Size))
	}
	l.add("description", oneLine(c.Description, 0))
	d.paragraph(piece{text: l.String()})
}

// resource adds a resource: its description, and below it its text.
func (d *document) resource(c *decode.ResourceContents) {
	l := resourceLabel(c)
	switch {
	case c.HasText && !blank(c.Text):
		d.paragraph(piece{text: l.String() + "\n"}, piece{text: c.Text})
	case c.Fault != "":
		d.paragraph(piece{text: l.String() + holding(c.Raw, c.MIMEType)})
	default:
		d.paragraph(piece{text: l.String()})
	}
}

// resourceLabel describes a resource in one line.
func resourceLabel(c *decode.ResourceContents) *labelLine {
	l := label("resource")
	l.uri(c.URI)
	l.field("name", c.Name)
	l.field("title", c.Title)
	l.field("type", c.MIMEType)
	if c.HasBlob {
		l.say("binary")
		l.binary(c.Blob)
	}
	if c.HasText && blank(c.Text) {
		l.say("empty")
	}
	l.fault(c.Fault, c.Raw)
	return l
}

// broken names an item that could not be read and shows what it holds.
func (d *document) broken(c *decode.Content) {
	name := "item"
	if c.Type != "" {
		name = oneLine(c.Type, maxField) + " item"
	}
	l := label(name)
	l.fault(c.Fault, c.Raw)
	d.paragraph(piece{text: l.String() + holding(c.Raw, c.MIMEType)})
}

// holding shows what something that could not be read holds, below its label.
func holding(raw []byte, mimeType string) string {
	if len(raw) == 0 {
		return ""
	}
	return "\n" + abridge(raw, mimeType != "")
}
