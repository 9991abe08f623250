package providers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
)

// What the APIs refuse in the definition of a tool, as far as public reports
// tell. One fault makes a provider refuse the whole request.

// schemaRules are those of one API.
type schemaRules struct {
	name     *regexp.Regexp // of a tool
	key      *regexp.Regexp // of a property; nil is any
	maxTools int            // 0 is any number
	depth    int            // levels of objects and arrays; 0 is any
	// keywords are all that may be in a schema; nil is any.
	keywords []string
	// typed asks for a type on each property, as the API spells it.
	typed bool
	// full asks for properties on objects below the root.
	full bool
	// listed asks for properties, empty or not, on all objects.
	listed bool
}

var plainName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// check gives the reasons to refuse the definitions.
func (r schemaRules) check(definitions []definition) []string {
	var reasons []string
	seen := map[string]bool{}
	if r.maxTools > 0 && len(definitions) > r.maxTools {
		reasons = append(reasons, fmt.Sprintf("%d tools", len(definitions)))
	}
	for _, d := range definitions {
		if !r.name.MatchString(d.name) {
			reasons = append(reasons, fmt.Sprintf("the name of the tool %q", d.name))
		}
		if seen[d.name] {
			reasons = append(reasons, fmt.Sprintf("two tools called %q", d.name))
		}
		seen[d.name] = true
		reasons = append(reasons, r.checkRoot(d)...)
	}
	return reasons
}

func (r schemaRules) checkRoot(d definition) []string {
	var root map[string]any
	dec := json.NewDecoder(bytes.NewReader(d.parameters))
	dec.UseNumber()
	if err := dec.Decode(&root); err != nil {
		return []string{fmt.Sprintf("%s: parameters %s: %v", d.name, d.parameters, err)}
	}
	var reasons []string
	if kindOf(root) != "object" {
		reasons = append(reasons, fmt.Sprintf("%s: a root of type %v", d.name, root["type"]))
	}
	for _, keyword := range []string{"anyOf", "oneOf", "allOf", "not", "enum", "$schema"} {
		if _, found := root[keyword]; found {
			reasons = append(reasons, fmt.Sprintf("%s: %s at the root", d.name, keyword))
		}
	}
	r.walk(root, d.name, 1, func(reason string) { reasons = append(reasons, reason) })
	return reasons
}

// kindOf is a schema's type in lower case; "" where it has not got just one.
func kindOf(schema map[string]any) string {
	kind, _ := schema["type"].(string)
	return string(bytes.ToLower([]byte(kind)))
}

func (r schemaRules) walk(schema map[string]any, path string, level int, fault func(string)) {
	for _, keyword := range slices.Sorted(maps.Keys(schema)) {
		if keyword == "$ref" || r.keywords != nil && !slices.Contains(r.keywords, keyword) {
			fault(path + ": the keyword " + keyword)
		}
	}
	properties, _ := schema["properties"].(map[string]any)
	kind := kindOf(schema)
	switch {
	case kind == "object" && level > 1 && r.full && len(properties) == 0:
		fault(path + ": properties should be non-empty")
	case kind == "object" && r.listed && properties == nil:
		fault(path + ": an object without properties")
	case kind == "array" && schema["items"] == nil:
		fault(path + ": items: missing field")
	}
	if r.depth > 0 && level > r.depth && (kind == "object" || kind == "array") {
		fault(fmt.Sprintf("%s: more than %d levels", path, r.depth))
	}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		at := path + "." + name
		if r.key != nil && !r.key.MatchString(name) {
			fault(at + ": the name of a property")
		}
		below, ok := properties[name].(map[string]any)
		if !ok {
			fault(fmt.Sprintf("%s: the schema %v", at, properties[name]))
			continue
		}
		if r.typed && kindOf(below) == "" {
			fault(at + ": no type")
		}
		r.walk(below, at, level+1, fault)
	}
	required, _ := schema["required"].([]any)
	for _, name := range required {
		if _, found := properties[fmt.Sprint(name)]; !found {
			fault(fmt.Sprintf("%s: %v is required and no property", path, name))
		}
	}
	if items, ok := schema["items"].(map[string]any); ok {
		r.walk(items, path+"[]", level+1, fault)
	}
	alternatives, _ := schema["anyOf"].([]any)
	for _, alternative := range alternatives {
		if below, ok := alternative.(map[string]any); ok {
			r.walk(below, path+"|", level, fault)
		}
	}
}
