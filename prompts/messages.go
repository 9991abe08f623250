package prompts

import (
	"fmt"
	"slices"

	"github.com/tmc/langchaingo/llms"

	"github.com/mcptoolset/mcptoolset/internal/decode"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// Messages makes messages for Model.GenerateContent of what a prompt said, in
// its order: the user's are llms.ChatMessageTypeHuman, the assistant's
// llms.ChatMessageTypeAI. Texts are the server's, whatever braces they hold;
// only control characters become their pictures, as in the results of tools.
// Pictures are parts in this form. Audio, links and embedded resources are
// described in words as in the results of tools, with the texts of resources;
// a picture that is an embedded resource is both. Nothing is cut.
//
// The notes say what was not as the protocol has it: a role it does not know is
// taken for the user's, content that cannot be read is described with what it
// holds, and a message that holds nothing to show is left out; result.Faults
// stand before them. They are nil where there is nothing to say. A nil result
// has no messages.
func Messages(result *toolset.PromptResult, form toolset.ImageForm) (messages []llms.MessageContent, notes []string) {
	all, notes := messagesOf(result)
	for _, m := range all {
		message := llms.MessageContent{Role: m.role}
		picture := m.picture(form)
		if picture == nil || m.Type == decode.TypeResource {
			message.Parts = append(message.Parts, llms.TextPart(m.words()))
		}
		if picture != nil {
			message.Parts = append(message.Parts, picture)
		}
		messages = append(messages, message)
	}
	return messages, notes
}

// ChatMessages is Messages for what takes text alone: pictures are described in
// words too.
func ChatMessages(result *toolset.PromptResult) (messages []llms.ChatMessage, notes []string) {
	all, notes := messagesOf(result)
	for _, m := range all {
		messages = append(messages, m.chat())
	}
	return messages, notes
}

// message is one that holds something.
type message struct {
	role llms.ChatMessageType
	content
}

func (m message) chat() llms.ChatMessage {
	if m.role == llms.ChatMessageTypeAI {
		return llms.AIChatMessage{Content: m.words()}
	}
	return llms.HumanChatMessage{Content: m.words()}
}

// messagesOf are the messages that hold something, and what is to be said of
// them and of the others.
func messagesOf(result *toolset.PromptResult) (all []message, notes []string) {
	if result == nil {
		return nil, nil
	}
	notes = slices.Clone(result.Faults)
	for i, from := range result.Messages {
		note := func(format string, args ...any) {
			notes = append(notes, fmt.Sprintf("message %d: ", i+1)+fmt.Sprintf(format, args...))
		}
		m := message{content: content{from.Content}}
		if m.isEmpty() {
			note("it holds nothing to show and is left out")
			continue
		}
		var known bool
		if m.role, known = roleOf(from.Role); !known {
			note("the role %.100q is not known; it is taken for the user's", from.Role)
		}
		// What is wrong with a message without a role is that.
		if fault := m.fault(); fault != "" && (from.Role != "" || !m.usable()) {
			note("%s", fault)
		}
		all = append(all, m)
	}
	return all, notes
}

// roleOf is LangChainGo's role. A stranger never speaks as the system.
func roleOf(role string) (is llms.ChatMessageType, known bool) {
	switch role {
	case "user":
		return llms.ChatMessageTypeHuman, true
	case "assistant":
		return llms.ChatMessageTypeAI, true
	}
	return llms.ChatMessageTypeHuman, false
}
