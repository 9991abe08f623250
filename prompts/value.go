package prompts

import (
	"github.com/tmc/langchaingo/llms"

	"github.com/mcptoolset/mcptoolset/toolset"
)

// Value is what a prompt said, as LangChainGo's chains take it: as text. The
// pictures are in [Messages] of Result.
type Value struct {
	// Result is what the server answered.
	Result *toolset.PromptResult
}

var _ llms.PromptValue = Value{}

// Messages are those of ChatMessages.
func (v Value) Messages() []llms.ChatMessage {
	messages, _ := ChatMessages(v.Result)
	return messages
}

// String is the text of the only message if it is the user's, and otherwise the
// messages in lines that begin with "Human: " or "AI: ", as LangChainGo's own
// values write them.
func (v Value) String() string {
	messages := v.Messages()
	if len(messages) == 1 && messages[0].GetType() == llms.ChatMessageTypeHuman {
		return messages[0].GetContent()
	}
	// It fails for a kind of message that there is none of.
	text, _ := llms.GetBufferString(messages, "Human", "AI")
	return text
}
