package schema

import "encoding/json"

// Verbatim shows the schema as the server sent it, references, unions and
// unknown types included. Only type object and properties are added at the
// root where they are missing, and what lies beyond generous bounds of depth
// and count is left out, which a note says.
var Verbatim = register(rules{name: "verbatim", verbatim: true})

func verbatim(raw json.RawMessage, hidden []string) Shown {
	src := readSource(raw)
	s := Shown{Parameters: map[string]any{}}
	if m, ok := plain(hide(src.value, hidden)).(map[string]any); ok {
		s.Parameters = m
	}
	if src.cut {
		s.Notes = append(s.Notes, noteCut)
	}
	if !src.ok {
		s.Notes = append(s.Notes, noteUnreadable)
	}
	props, ok := s.Parameters["properties"].(map[string]any)
	if !ok {
		props = map[string]any{}
	}
	s.Parameters["type"], s.Parameters["properties"] = "object", props
	return s
}
