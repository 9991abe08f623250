package prompts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// arguments are the values for the prompt's arguments, as text. Those that are
// missing are found by the toolset.
func (t *Template) arguments(values map[string]any) (map[string]string, error) {
	arguments := make(map[string]string)
	var faults []error
	for _, a := range t.prompt.Arguments {
		value, set := values[a.Name]
		if !set {
			value = t.fixed[a.Name]
		}
		text, present, err := textOf(value)
		switch {
		case err != nil:
			faults = append(faults, fmt.Errorf("argument %.100q cannot be written as text: %w", a.Name, err))
		case present:
			arguments[a.Name] = text
		}
	}
	return arguments, errors.Join(faults...)
}

// textOf writes a value: a string or bytes as they are, anything else as JSON,
// and of what is a string in JSON, such as a time, that string. What is null in
// JSON is not present.
func textOf(value any) (text string, present bool, err error) {
	if _, own := value.(json.Marshaler); !own && reflect.ValueOf(value).Kind() == reflect.String {
		return reflect.ValueOf(value).String(), true, nil
	}
	if raw, ok := value.([]byte); ok && raw != nil {
		return string(raw), true, nil
	}
	var encoded bytes.Buffer
	e := json.NewEncoder(&encoded)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return "", false, err
	}
	text = strings.TrimSuffix(encoded.String(), "\n")
	if strings.HasPrefix(text, `"`) {
		err := json.Unmarshal(encoded.Bytes(), &text)
		return text, true, err
	}
	return text, text != "null", nil
}
