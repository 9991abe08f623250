package chat

import (
	"github.com/tmc/langchaingo/llms"
)

const (
	// namelessTool stands for the tool of a call or response that names none:
	// providers refuse an empty name.
	namelessTool = "unknown_tool"
	// noResult is the response to a call the history has none for: providers
	// refuse a call that is not answered.
	noResult = "(no result of this call was recorded)"
	// noOutput stands for an empty response, which some model APIs refuse.
	noOutput = "(no output)"
)

// Form is what providers differ in where no form suits them all. The zero
// Form suits most.
type Form struct {
	// TextWithCall puts the text an AI message has beside its calls into the
	// message of the first call, not into one before it. Gemini refuses a
	// call right after another turn of the model; others lose one of the two.
	TextWithCall bool
}

// History returns messages in the form every provider takes:
//
//   - each call is alone in an AI message of its own, and the next message is
//     its response, alone in a tool message; an AI message's text comes first,
//     as one part
//   - a response is found by its id wherever it stands, then by its tool's
//     name and by its place; one without a call gets a call without arguments,
//     a call without a response one that says so
//   - ids are there and unique (see IDs), types and names are filled in, what
//     a name may not hold is replaced, a response carries its call's name,
//     arguments are an object (see Object), a blank response says that there
//     was no output
//
// All else stays what and where it was: other messages, images beside a
// response. Parts that are nil and messages without parts are left out.
// History of its own result is the same again.
func History(messages []llms.MessageContent, form Form) []llms.MessageContent {
	var p pairing
	for _, message := range messages {
		p.read(message)
	}
	p.endTurn()
	return p.write(form)
}

// Exchange returns the two messages of one call and its response in the form
// of History.
func Exchange(call llms.ToolCall, response llms.ToolCallResponse) []llms.MessageContent {
	e := exchange{call: copyCall(call), answer: &answer{response: response}}
	e.fill()
	return []llms.MessageContent{e.callMessage(), e.responseMessage()}
}

// Observation returns content, or a sentence in its place where it is blank.
func Observation(content string) string {
	if isBlank(content) {
		return noOutput
	}
	return content
}

// An exchange is one call and the answer to it.
type exchange struct {
	call   llms.ToolCall
	answer *answer // nil while it is open
}

// An answer is one response and what its message carries beside it.
type answer struct {
	response llms.ToolCallResponse
	beside   []llms.ContentPart
}

// fill makes both sides complete and agree.
func (e *exchange) fill() {
	if e.answer == nil {
		e.answer = &answer{response: llms.ToolCallResponse{Content: noResult}}
	}
	function, response := e.call.FunctionCall, &e.answer.response
	if function.Name == "" {
		function.Name = response.Name
	}
	function.Name = acceptable(function.Name)
	function.Arguments = Object(function.Arguments)
	response.ToolCallID = e.call.ID
	response.Name = function.Name
	response.Content = Observation(response.Content)
}

func (e *exchange) callMessage(before ...llms.ContentPart) llms.MessageContent {
	parts := append(before[:len(before):len(before)], e.call)
	return llms.MessageContent{Role: llms.ChatMessageTypeAI, Parts: parts}
}

func (e *exchange) responseMessage() llms.MessageContent {
	parts := append([]llms.ContentPart{e.answer.response}, e.answer.beside...)
	return llms.MessageContent{Role: llms.ChatMessageTypeTool, Parts: parts}
}

// copyCall returns a call whose function is its own and never nil, and whose
// type is set.
func copyCall(call llms.ToolCall) llms.ToolCall {
	function := llms.FunctionCall{}
	if call.FunctionCall != nil {
		function = *call.FunctionCall
	}
	call.FunctionCall = &function
	if call.Type == "" {
		call.Type = "function"
	}
	return call
}
