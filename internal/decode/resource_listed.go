package decode

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mcptoolset/mcptoolset/internal/decode/rawjson"
)

// Resource is one resource as a server lists it. Strings are "" where missing
// or of a wrong type.
type Resource struct {
	URI, Name, Title, Description, MIMEType string
	Size                                    *int64 // in bytes, as the server says; nil where it does not
	// Meta is the member _meta; nil where absent or null.
	Meta json.RawMessage
	// Raw is the item exactly as sent, a slice of the answer.
	Raw json.RawMessage
}

// ResourceOf reads one item of a list of resources. The error says why the
// resource cannot be used: it is not an object, or has no URI. The Resource
// returned with an error holds what could be read. Whatever else is of a wrong
// type never makes a resource unusable.
func ResourceOf(raw json.RawMessage) (Resource, error) {
	var res Resource
	var uri rawjson.Value
	all, err := readListed(raw, "resource", func(key string, r *rawjson.Reader) {
		switch key {
		case "uri":
			uri = r.Value()
		case "name":
			res.Name = r.Value().Text()
		case "title":
			res.Title = r.Value().Text()
		case "description":
			res.Description = r.Value().Text()
		case "mimeType":
			res.MIMEType = r.Value().Text()
		case "size":
			res.Size = nil
			if n, ok := count(r.Value()); ok {
				res.Size = &n
			}
		case "_meta":
			res.Meta = present(r.Value())
		}
	})
	res.Raw, res.URI = all, uri.Text()
	if err != nil {
		return res, err
	}
	return res, checkID("resource", "uri", uri)
}

// readListed reads an item of a list member by member and returns its bytes.
// The error says why it is no object.
func readListed(raw json.RawMessage, noun string, member func(key string, r *rawjson.Reader)) (json.RawMessage, error) {
	r := rawjson.NewReader(raw)
	if kind := r.Peek(); kind != rawjson.Object {
		v := r.Value()
		if err := r.End(); err != nil {
			return nil, fmt.Errorf("the %s is not JSON: %w", noun, err)
		}
		return v.Raw, fmt.Errorf("the %s is %s, not an object", noun, kind)
	}
	all := r.Object(func(key []byte) { member(string(key), r) })
	if err := r.End(); err != nil {
		return nil, fmt.Errorf("the %s is not JSON: %w", noun, err)
	}
	return all, nil
}

// checkID refuses an item without that by which a server knows it.
func checkID(noun, member string, v rawjson.Value) error {
	switch {
	case v.Kind == rawjson.Invalid || v.Kind == rawjson.Null:
		return fmt.Errorf("the %s has no %s", noun, member)
	case v.Kind != rawjson.String:
		return fmt.Errorf("the %s's %s is %s, not a string", noun, member, v.Kind)
	case v.Text() == "":
		return errors.New("the " + noun + "'s " + member + " is empty")
	}
	return nil
}
