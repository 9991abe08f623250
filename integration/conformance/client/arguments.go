package main

import (
	"encoding/json"
	"strings"
)

// shape is as much of a JSON Schema as simple arguments need.
type shape struct {
	Type       any               `json:"type"`
	Const      json.RawMessage   `json:"const"`
	Enum       []json.RawMessage `json:"enum"`
	Default    json.RawMessage   `json:"default"`
	Ref        string            `json:"$ref"`
	Required   []string          `json:"required"`
	Properties map[string]shape  `json:"properties"`
	Defs       map[string]shape  `json:"$defs"`
}

// deepest bounds how far an example follows a schema that holds itself.
const deepest = 8

// arguments are simple ones for a tool's input schema: an example of each
// property that it requires. What the schema asks for beyond that is the
// server's to refuse.
func arguments(schema json.RawMessage) string {
	var root shape
	_ = json.Unmarshal(schema, &root) // a schema that cannot be read gets no arguments
	root.Type = "object"
	text, err := json.Marshal(example(root, root.Defs, deepest))
	if err != nil {
		return "{}"
	}
	return string(text)
}

func example(s shape, defs map[string]shape, depth int) any {
	if name, local := strings.CutPrefix(s.Ref, "#/$defs/"); local && depth > 0 {
		return example(defs[name], defs, depth-1)
	}
	switch {
	case s.Const != nil:
		return s.Const
	case len(s.Enum) > 0:
		return s.Enum[0]
	case s.Default != nil:
		return s.Default
	}
	kind, _ := s.Type.(string)
	switch kind {
	case "object":
		object := map[string]any{}
		for _, name := range s.Required {
			if depth > 0 {
				object[name] = example(s.Properties[name], defs, depth-1)
			}
		}
		return object
	case "array":
		return []any{}
	case "integer", "number":
		return 5
	case "boolean":
		return true
	case "null":
		return nil
	}
	return "example"
}
