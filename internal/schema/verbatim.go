package schema

import "encoding/json"

// Verbatim shows the schema as the server sent it, references, unions and
// unknown types included. Only type object and properties are added at the
// root where they are missing, and what lies beyond generous bounds of depth
// and count is left out, which a note says.
var Verbatim = register(rules{name: "verbatim", verbatim: true})

func verbatim(raw json.RawMessage) Shown {
	src := readSource(raw)
	s := Shown{}
	if o, ok := src.value.(*object); ok {
		s.Parameters = plain(o).(map[string]any)
	} else {
		s.Parameters = map[string]any{}
	}
	if src.cut {
		s.Notes = append(s.Notes, noteCut)
	}
	if !src.ok {
		s.Notes = append(s.Notes, noteUnreadable)
	}
	s.Parameters["type"] = "object"
	if _, ok := s.Parameters["properties"].(map[string]any); !ok {
		s.Parameters["properties"] = map[string]any{}
	}
	return s
}
