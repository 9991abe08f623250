package providers

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

// What Google's two APIs for Gemini have in common: the same messages, one as
// JSON over HTTP, one as protocol buffers over gRPC.

var geminiRules = schemaRules{
	name:  regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$`),
	key:   regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`),
	depth: 4, typed: true, full: true,
	keywords: []string{"type", "description", "nullable", "enum", "items", "properties", "required"},
}

type contentsRequest struct {
	SystemInstruction content
	Contents          []content
	Tools             []struct {
		FunctionDeclarations []struct {
			Name, Description string
			Parameters        json.RawMessage
		}
	}
}

type content struct {
	Role  string
	Parts []contentPart
}

type contentPart struct {
	Text         *string
	FunctionCall *struct {
		Name string
		Args json.RawMessage
	}
	FunctionResponse *struct {
		Name     string
		Response struct{ Response string }
	}
	InlineData *struct{ MimeType, Data string }
}

// readContents makes a request of one to these APIs, with the reasons to refuse
// it.
func readContents(asked proto.Message, streamed bool) (request, error) {
	raw, err := protojson.Marshal(asked)
	if err != nil {
		return request{}, err
	}
	var parsed contentsRequest
	if err := json.Unmarshal(raw, &parsed); err != nil {
		return request{}, err
	}
	read := request{streamed: streamed}
	for _, p := range parsed.SystemInstruction.Parts {
		read.system += *p.Text
	}
	var reasons []string
	if len(parsed.Tools) > 1 {
		reasons = append(reasons, "several lists of functions")
	}
	for _, tool := range parsed.Tools {
		for _, f := range tool.FunctionDeclarations {
			read.tools = append(read.tools, definition{f.Name, f.Description, f.Parameters})
		}
	}
	reasons = append(reasons, geminiRules.check(read.tools)...)
	var open []call
	for i, c := range parsed.Contents {
		fault := func(format string, args ...any) {
			reasons = append(reasons, fmt.Sprintf("contents[%d]: ", i)+fmt.Sprintf(format, args...))
		}
		calls := c.calls()
		if len(calls) > 0 && (i == 0 || parsed.Contents[i-1].Role != "user") {
			fault("please ensure that function call turn comes immediately after a user turn or after a function response turn")
		}
		var answered int
		for _, p := range c.Parts {
			read.parts = append(read.parts, p.part(c.Role, open, &answered, fault))
		}
		if answered != len(open) {
			fault("the number of function response parts has to be that of the function call parts of the turn before")
		}
		open = calls
	}
	if last := len(parsed.Contents) - 1; last < 0 || parsed.Contents[last].Role != "user" {
		reasons = append(reasons, "the last turn is not the user's")
	}
	return read, refuse(reasons)
}

func (c content) calls() []call {
	var all []call
	for _, p := range c.Parts {
		if p.FunctionCall != nil {
			all = append(all, p.call())
		}
	}
	return all
}

func (p contentPart) call() call {
	args := string(p.FunctionCall.Args)
	if args == "" {
		args = "{}"
	}
	return call{name: p.FunctionCall.Name, arguments: args}
}

// part reads one part. open are the calls that have to be answered, in order.
func (p contentPart) part(role string, open []call, answered *int, fault func(string, ...any)) part {
	switch {
	case p.FunctionCall != nil:
		if role != "model" || !geminiRules.name.MatchString(p.FunctionCall.Name) {
			fault("the call %+v of %s", *p.FunctionCall, role)
		}
		return part{kind: aCall, call: p.call()}
	case p.FunctionResponse != nil:
		var to call
		if *answered < len(open) {
			to = open[*answered]
		}
		*answered++
		if to.name != p.FunctionResponse.Name || role != "user" {
			fault("a function response of %q to %q", p.FunctionResponse.Name, to.name)
		}
		return part{kind: anAnswer, call: to, text: p.FunctionResponse.Response.Response}
	case p.InlineData != nil:
		return imagePart(p.InlineData.MimeType, p.InlineData.Data)
	case p.Text == nil || strings.TrimSpace(*p.Text) == "":
		fault("a part that is empty")
		return part{}
	case role == "model":
		return part{kind: fromModel, text: *p.Text}
	default:
		return part{kind: fromUser, text: *p.Text}
	}
}

// candidates are the answer as JSON: at once, or as a stream has it, with each
// part in a piece of its own.
func (t turn) candidates(streamed bool) []json.RawMessage {
	var parts []object
	text := []string{t.text}
	if streamed {
		text = pieces(t.text, 7)
	}
	for _, piece := range text {
		if piece != "" {
			parts = append(parts, object{"text": piece})
		}
	}
	for _, c := range t.calls {
		parts = append(parts, object{"functionCall": object{"name": c.name, "args": json.RawMessage(c.arguments)}})
	}
	if t.malformed {
		return []json.RawMessage{json.RawMessage(`{"candidates":[{"index":0,"finishReason":"MALFORMED_FUNCTION_CALL"}],"usageMetadata":{"promptTokenCount":1}}`)}
	}
	var all []json.RawMessage
	answer := func(parts []object) {
		raw, _ := json.Marshal(object{
			"candidates":    []object{{"index": 0, "content": object{"role": "model", "parts": parts}, "finishReason": "STOP"}},
			"usageMetadata": object{"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
		})
		all = append(all, raw)
	}
	if !streamed {
		answer(parts)
		return all
	}
	for _, p := range parts {
		answer([]object{p})
	}
	return all
}
