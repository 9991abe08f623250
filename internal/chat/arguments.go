package chat

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
)

// Bridge is the one property of the schema with which LangChainGo's
// OpenAIFunctionsAgent replaces that of every tool. The agent hands the
// string under it to the tool, and the arguments verbatim where there is none.
const Bridge = "__arg1"

// Object returns arguments as the text of a JSON object, which every provider
// wants in a history. An object is returned as it is, byte for byte. Nothing
// (blank text, null) becomes "{}". Any other text is wrapped as Wrap does.
//
// An object that encoding/json cannot decode, such as one with a number
// beyond float64, is wrapped too: providers decode arguments before they send
// them and refuse the request where that fails.
func Object(arguments string) string {
	if isNothing(arguments) {
		return "{}"
	}
	if _, ok := object(arguments); ok {
		return arguments
	}
	return Wrap(arguments)
}

// Bridged returns arguments such that the agent's unwrapping of the Bridge
// property yields exactly what the model wrote: objects without that property
// stay as they are, nothing becomes "{}", all else is wrapped. Without it the
// agent takes the string under a property that is really called so and loses
// the others beside it.
func Bridged(arguments string) string {
	if isNothing(arguments) {
		return "{}"
	}
	if members, ok := object(arguments); ok {
		if _, real := members[Bridge]; !real {
			return arguments
		}
	}
	return Wrap(arguments)
}

// Unwrapped returns what the agent hands to a tool for these arguments: the
// string under the Bridge property, or the arguments verbatim.
func Unwrapped(arguments string) string {
	members, _ := object(arguments)
	if text, ok := members[Bridge].(string); ok {
		return text
	}
	return arguments
}

// ErrBroken is that of arguments from which it cannot be told what a tool was to
// get. Its text is for the model.
var ErrBroken = errors.New("the JSON of the arguments is broken or cut off: write the whole object again, as {\"" + Bridge + "\": \"the input\"}")

// Input returns what a tool that takes one string is given for arguments: as
// Unwrapped does, but for an object that has the Bridge property and is no JSON,
// which is ErrBroken. A model that came to its limit of tokens leaves such
// arguments behind.
func Input(arguments string) (string, error) {
	trimmed := strings.TrimSpace(arguments)
	if strings.HasPrefix(trimmed, "{") && strings.Contains(trimmed, `"`+Bridge+`"`) && !json.Valid([]byte(trimmed)) {
		return "", ErrBroken
	}
	return Unwrapped(arguments), nil
}

// Wrap returns an object with raw as the string under the Bridge property.
// Bytes that are no UTF-8 become U+FFFD, as in all JSON.
func Wrap(raw string) string {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	// A map of strings always encodes.
	_ = enc.Encode(map[string]string{Bridge: raw})
	return strings.TrimSuffix(out.String(), "\n")
}

// isNothing tells whether arguments say "no arguments".
func isNothing(arguments string) bool {
	trimmed := strings.TrimSpace(arguments)
	return trimmed == "" || trimmed == "null"
}

// object decodes arguments as the providers and the agent do.
func object(arguments string) (map[string]any, bool) {
	var members map[string]any
	if err := json.Unmarshal([]byte(arguments), &members); err != nil || members == nil {
		return nil, false
	}
	return members, true
}
