package decode

import (
	"encoding/json"

	"github.com/mcptoolset/mcptoolset/internal/decode/rawjson"
)

// ResourceTemplate is one resource template as a server lists it. Strings are
// "" where missing or of a wrong type.
type ResourceTemplate struct {
	URITemplate, Name, Title, Description, MIMEType string
	// Meta is the member _meta; nil where absent or null.
	Meta json.RawMessage
	// Raw is the item exactly as sent, a slice of the answer.
	Raw json.RawMessage
}

// TemplateOf reads one item of a list of resource templates. The error says why
// the template cannot be used: it is not an object, or has no URI template,
// whose form is not judged here. The ResourceTemplate returned with an error
// holds what could be read. Whatever else is of a wrong type never makes a
// template unusable.
func TemplateOf(raw json.RawMessage) (ResourceTemplate, error) {
	var t ResourceTemplate
	var uri rawjson.Value
	all, err := readListed(raw, "resource template", func(key string, r *rawjson.Reader) {
		switch key {
		case "uriTemplate":
			uri = r.Value()
		case "name":
			t.Name = r.Value().Text()
		case "title":
			t.Title = r.Value().Text()
		case "description":
			t.Description = r.Value().Text()
		case "mimeType":
			t.MIMEType = r.Value().Text()
		case "_meta":
			t.Meta = present(r.Value())
		}
	})
	t.Raw, t.URITemplate = all, uri.Text()
	if err != nil {
		return t, err
	}
	return t, checkID("resource template", "uriTemplate", uri)
}
