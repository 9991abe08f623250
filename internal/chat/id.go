package chat

import (
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"strings"

	"github.com/tmc/langchaingo/llms"
)

// idLength is that of an invented id. Nine letters and digits is what the
// strictest provider (Mistral) takes, and all others take it too.
const idLength = 9

// IDs invents ids for calls that have none and keeps all ids of one chat
// apart. It is a value of one request and not for concurrent use.
type IDs struct {
	taken map[string]bool
	calls int
}

// NewIDs returns the ids of a history that went through History: an id
// invented from it is new there and depends on nothing else.
func NewIDs(history []llms.MessageContent) *IDs {
	ids := &IDs{taken: map[string]bool{}}
	for _, message := range history {
		for _, part := range message.Parts {
			if call, ok := value(part).(llms.ToolCall); ok {
				ids.taken[call.ID] = true
				ids.calls++
			}
		}
	}
	return ids
}

// claim returns the call's own id where it has one that no call before it
// has, else a new one. The new one depends on the call's place among the
// calls of the chat, its name and its arguments only, so the same chat always
// gets the same ids: a provider's prompt cache keeps working.
func (ids *IDs) claim(id, name, arguments string) string {
	place := ids.calls
	ids.calls++
	for try := 0; id == "" || ids.taken[id]; try++ {
		id = invent(place, try, name, arguments)
	}
	ids.taken[id] = true
	return id
}

func invent(place, try int, name, arguments string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%d\x00%s\x00%s", place, try, name, arguments))
	text := base32.StdEncoding.EncodeToString(sum[:])
	return strings.ToLower(text[:idLength])
}
