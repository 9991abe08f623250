package schema

import "encoding/json"

func verbatim(raw json.RawMessage) Shown {
	s := Shown{Parameters: map[string]any{}}
	v, cut, err := parse(raw)
	if m, ok := plain(v).(map[string]any); ok && err == nil {
		s.Parameters = m
	}
	if cut {
		s.Notes = append(s.Notes, "Parts of the schema are left out because it is too large.")
	}
	s.Parameters["type"] = "object"
	if _, ok := s.Parameters["properties"].(map[string]any); !ok {
		s.Parameters["properties"] = map[string]any{}
	}
	return s
}
