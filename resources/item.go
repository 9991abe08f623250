package resources

import (
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
	if k := kindOf(raw); k != anObject {
		return item{Fault: fmt.Sprintf("it is %s, not an object", k), Sent: string(raw)}
	}
	members := decoded[map[string]json.RawMessage](raw)
	var i item
	var faults []string
	read := func(key string) string {
		value := members[key]
		switch kindOf(value) {
		case null:
			if key == c.id {
				faults = append(faults, "it has no "+key)
			}
		case aString:
			s := decoded[string](value)
			if s == "" && key == c.id {
				faults = append(faults, "its "+key+" is empty")
			}
			return s
		default:
			faults = append(faults, fmt.Sprintf("%s is %s, not a string: %s", key, kindOf(value), clip(string(value), maxEcho)))
		}
		return ""
	}
	i.Name, i.URI, i.URITemplate, i.Title = read("name"), read("uri"), read("uriTemplate"), read("title")
	i.Description, i.MIMEType = read("description"), read("mimeType")
	switch size := members["size"]; {
	case kindOf(size) == aNumber && len(size) <= maxNumber:
		i.Size = size
	case kindOf(size) != null:
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
