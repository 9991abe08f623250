package agent

import (
	"reflect"

	"github.com/tmc/langchaingo/llms"
)

// contents are messages of LangChainGo's memories and prompts as a model takes
// them. Those that say nothing are left out: some providers refuse them.
func contents(messages []llms.ChatMessage) []llms.MessageContent {
	var all []llms.MessageContent
	for _, message := range messages {
		if message = direct(message); message == nil {
			continue
		}
		if parts := partsOf(message); len(parts) > 0 {
			all = append(all, llms.MessageContent{Role: message.GetType(), Parts: parts})
		}
	}
	return all
}

// direct follows a pointer to a message; nil is no message.
func direct(message llms.ChatMessage) llms.ChatMessage {
	v := reflect.ValueOf(message)
	if v.Kind() != reflect.Pointer {
		return message
	}
	if v.IsNil() {
		return nil
	}
	if inner, ok := v.Elem().Interface().(llms.ChatMessage); ok {
		return inner
	}
	return message
}

func partsOf(message llms.ChatMessage) []llms.ContentPart {
	switch m := message.(type) {
	case llms.ToolChatMessage:
		return []llms.ContentPart{llms.ToolCallResponse{ToolCallID: m.ID, Content: m.Content}}
	case llms.FunctionChatMessage:
		return []llms.ContentPart{llms.ToolCallResponse{Name: m.Name, Content: m.Content}}
	case llms.AIChatMessage:
		return assistantParts(m)
	}
	return textParts(message.GetContent())
}

// assistantParts are the text and the calls of a message of the model. The
// older field counts where there are no others.
func assistantParts(m llms.AIChatMessage) []llms.ContentPart {
	parts := textParts(m.Content)
	for _, call := range m.ToolCalls {
		parts = append(parts, call)
	}
	if len(m.ToolCalls) == 0 && m.FunctionCall != nil {
		parts = append(parts, llms.ToolCall{Type: "function", FunctionCall: m.FunctionCall})
	}
	return parts
}

func textParts(text string) []llms.ContentPart {
	if isBlank(text) {
		return nil
	}
	return []llms.ContentPart{llms.TextContent{Text: text}}
}
