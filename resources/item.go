package resources

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// catalogue is one of the lists a server has.
type catalogue struct {
	method, key string // of the protocol
	id          string // the member by which an item is known
	tool        string // the tool that shows it
	noun        string
}

var (
	resourceList = catalogue{method: "resources/list", key: "resources", id: "uri", tool: ListResources, noun: "resource"}
	templateList = catalogue{method: "resources/templates/list", key: "resourceTemplates", id: "uriTemplate", tool: ListTemplates, noun: "resource template"}
)

// How much is shown of an item, in characters. A URI is of no use in part.
const (
	maxURI         = 4_000
	maxName        = 500
	maxDescription = 1_000
	maxNumber      = 40
)

// item is one resource or template of a list, as it is shown.
type item struct {
	Name        string          `json:"name,omitempty"`
	URI         string          `json:"uri,omitempty"`
	URITemplate string          `json:"uriTemplate,omitempty"`
	Title       string          `json:"title,omitempty"`
	Description string          `json:"description,omitempty"`
	MIMEType    string          `json:"mimeType,omitempty"`
	Size        json.RawMessage `json:"size,omitempty"`
	// Fault says what is wrong with an item, and Sent is what could not be
	// read otherwise.
	Fault string `json:"fault,omitempty"`
	Sent  string `json:"sent,omitempty"`
}

// itemOf reads an item of a list. A member of a wrong type is a fault.
func (c catalogue) itemOf(raw json.RawMessage) item {
	if kind := kindOf(raw); kind != "an object" {
		return item{Fault: fmt.Sprintf("it is %s, not an object", kind), Sent: string(raw)}
	}
	members := decoded[map[string]json.RawMessage](raw)
	var i item
	var faults []string
	read := func(key string) string {
		value := members[key]
		switch kindOf(value) {
		case "null":
			if key == c.id {
				faults = append(faults, "it has no "+key)
			}
		case "a string":
			return decoded[string](value)
		default:
			faults = append(faults, fmt.Sprintf("%s is %s, not a string: %s", key, kindOf(value), clip(string(value), maxEcho)))
		}
		return ""
	}
	i.Name, i.URI, i.URITemplate, i.Title = read("name"), read("uri"), read("uriTemplate"), read("title")
	i.Description, i.MIMEType = read("description"), read("mimeType")
	switch size := members["size"]; {
	case kindOf(size) == "a number" && len(size) <= maxNumber:
		i.Size = size
	case kindOf(size) != "null":
		faults = append(faults, "size is not a number of bytes: "+clip(string(size), maxNumber))
	}
	i.Fault = strings.Join(faults, "; ")
	return i
}

// idOf is what the item is loaded by; "" where it cannot be.
func (c catalogue) idOf(i item) string {
	if c.id == templateList.id {
		return i.URITemplate
	}
	return i.URI
}

// shown cuts what is too long to be shown, everything to at most most
// characters.
func (i item) shown(most int) item {
	limit := min(most, maxURI)
	for _, uri := range []string{i.URI, i.URITemplate} {
		if n := runes(uri); n > limit {
			i.Fault = strings.TrimPrefix(fmt.Sprintf("%s; its URI of %d characters is too long to be shown", i.Fault, n), "; ")
		}
	}
	i.URI, i.URITemplate = clip(i.URI, limit), clip(i.URITemplate, limit)
	i.Name, i.Title = clip(i.Name, min(most, maxName)), clip(i.Title, min(most, maxName))
	i.MIMEType = clip(i.MIMEType, min(most, maxName))
	i.Description = clip(i.Description, min(most, maxDescription))
	i.Fault, i.Sent = clip(i.Fault, min(most, maxDescription)), clip(i.Sent, min(most, maxEcho))
	return i
}

// json writes the item.
func (i item) json() string { return encode(i) }

// encode writes a value as compact JSON. Control characters are escaped, all of
// them, so that a name or a cursor comes back as it was; nothing else is that
// need not be.
func encode(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // no value of this package fails
	return escapeControls(strings.TrimSuffix(b.String(), "\n"))
}

// escapeControls escapes the control characters that JSON does not demand to
// be escaped.
func escapeControls(s string) string {
	var b strings.Builder
	done := 0
	for at, r := range s {
		if r >= 0x7f && r <= 0x9f {
			b.WriteString(s[done:at])
			fmt.Fprintf(&b, `\u%04x`, r)
			done = at + len(string(r))
		}
	}
	if done == 0 {
		return s
	}
	b.WriteString(s[done:])
	return b.String()
}
