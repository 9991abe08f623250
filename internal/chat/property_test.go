package chat

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/llms"
	"pgregory.net/rapid"
)

// A chatPlan is a drawn history. It makes the same history each time, and
// every text, argument and content in it is a word found nowhere else.
type chatPlan struct {
	make                     func() []llms.MessageContent
	calls, contents, written []string
}

var (
	planRoles = []llms.ChatMessageType{
		llms.ChatMessageTypeAI, llms.ChatMessageTypeAI, llms.ChatMessageTypeTool, llms.ChatMessageTypeTool,
		llms.ChatMessageTypeHuman, llms.ChatMessageTypeFunction, llms.ChatMessageTypeSystem, llms.ChatMessageTypeGeneric,
	}
	planIDs       = []string{"", "", "1", "2", "3"}
	planNames     = []string{"", "a", "b", "c.d/ö", "4-e"}
	planArguments = []string{`{"n":%q}`, `%s`, `[%q]`, `{"__arg1":%q}`, `{"n":%q`}
)

func drawPlan(t *rapid.T) *chatPlan {
	p := &chatPlan{}
	word := func(kind string) string {
		return fmt.Sprintf("%s%04d", kind, len(p.calls)+len(p.contents)+len(p.written))
	}
	drawPart := func(t *rapid.T) func() llms.ContentPart {
		id := rapid.SampledFrom(planIDs).Draw(t, "id")
		name := rapid.SampledFrom(planNames).Draw(t, "name")
		cached := rapid.IntRange(0, 5).Draw(t, "cached") == 0
		hint := func(part llms.ContentPart) llms.ContentPart {
			if cached {
				return llms.WithCacheControl(part, &llms.CacheControl{Type: "ephemeral"})
			}
			return part
		}
		switch rapid.IntRange(0, 8).Draw(t, "part") {
		case 0, 1, 2:
			w := word("call")
			p.calls = append(p.calls, w)
			arguments := fmt.Sprintf(rapid.SampledFrom(planArguments).Draw(t, "arguments"), w)
			return func() llms.ContentPart {
				return hint(llms.ToolCall{ID: id, FunctionCall: &llms.FunctionCall{Name: name, Arguments: arguments}})
			}
		case 3, 4, 5:
			w := word("content")
			p.contents = append(p.contents, w)
			return func() llms.ContentPart {
				return hint(llms.ToolCallResponse{ToolCallID: id, Name: name, Content: w})
			}
		case 6:
			return func() llms.ContentPart { return llms.BinaryContent{MIMEType: "image/png", Data: []byte(id)} }
		case 7:
			return func() llms.ContentPart { return nil }
		default:
			w := word("text")
			p.written = append(p.written, w)
			return func() llms.ContentPart { return hint(llms.TextContent{Text: w}) }
		}
	}
	type plannedMessage struct {
		role  llms.ChatMessageType
		parts []func() llms.ContentPart
	}
	var planned []plannedMessage
	for range rapid.IntRange(0, 8).Draw(t, "messages") {
		m := plannedMessage{role: rapid.SampledFrom(planRoles).Draw(t, "role")}
		for range rapid.IntRange(0, 4).Draw(t, "parts") {
			m.parts = append(m.parts, drawPart(t))
		}
		planned = append(planned, m)
	}
	p.make = func() []llms.MessageContent {
		messages := make([]llms.MessageContent, 0, len(planned))
		for _, m := range planned {
			message := llms.MessageContent{Role: m.role}
			for _, part := range m.parts {
				message.Parts = append(message.Parts, part())
			}
			messages = append(messages, message)
		}
		return messages
	}
	return p
}

func TestHistoryProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		plan := drawPlan(t)
		form := Form{TextWithCall: rapid.Bool().Draw(t, "text with call")}
		given := plan.make()
		got := History(given, form)

		require.Equal(t, plan.make(), given, "what it is given is not changed")
		require.Equal(t, got, History(got, form), "once more changes nothing")
		requireForm(t, got, form)
		requireNothingLost(t, got, plan)
	})
}

var providersName = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`)

// requireForm checks what every provider demands of a history with calls.
func requireForm(t *rapid.T, history []llms.MessageContent, form Form) {
	seen := map[string]bool{}
	for i, message := range history {
		require.NotEmpty(t, message.Parts)
		for j, part := range message.Parts {
			require.NotNil(t, part)
			switch part := part.(type) {
			case llms.ToolCall:
				require.Equal(t, llms.ChatMessageTypeAI, message.Role)
				require.Regexp(t, providersName, part.FunctionCall.Name)
				require.Equal(t, len(message.Parts)-1, j, "a call is last, so there is one")
				require.True(t, j == 0 || form.TextWithCall, "and alone, unless text goes with it")
				require.Less(t, i+1, len(history))
				requireAnswered(t, part, history[i+1])
				require.False(t, seen[part.ID], "ids are unique")
				seen[part.ID] = true
			case llms.ToolCallResponse:
				require.Equal(t, llms.ChatMessageTypeTool, message.Role)
				require.Zero(t, j, "a response is first")
				require.Positive(t, i)
				require.True(t, hasCall(history[i-1]), "and follows a call")
			case llms.TextContent:
				require.NotEqual(t, llms.ChatMessageTypeTool, message.Role)
			}
		}
	}
}

func requireAnswered(t *rapid.T, call llms.ToolCall, next llms.MessageContent) {
	require.NotEmpty(t, call.ID)
	require.Equal(t, "function", call.Type)
	require.NotNil(t, call.FunctionCall)
	require.NotEmpty(t, call.FunctionCall.Name)
	var members map[string]any
	require.NoError(t, json.Unmarshal([]byte(call.FunctionCall.Arguments), &members))
	require.NotNil(t, members)
	answer, ok := next.Parts[0].(llms.ToolCallResponse)
	require.True(t, ok, "a call is followed by a response")
	require.Equal(t, call.ID, answer.ToolCallID)
	require.Equal(t, call.FunctionCall.Name, answer.Name)
	require.NotEmpty(t, strings.TrimSpace(answer.Content))
	for _, beside := range next.Parts[1:] {
		_, another := beside.(llms.ToolCallResponse)
		require.False(t, another, "a response is alone")
	}
}

func hasCall(message llms.MessageContent) bool {
	for _, part := range message.Parts {
		if isCall(part) {
			return true
		}
	}
	return false
}

func requireNothingLost(t *rapid.T, history []llms.MessageContent, plan *chatPlan) {
	var arguments, contents, texts strings.Builder
	for _, message := range history {
		for _, part := range message.Parts {
			switch part := value(part).(type) {
			case llms.ToolCall:
				arguments.WriteString(part.FunctionCall.Arguments + "\n")
			case llms.ToolCallResponse:
				contents.WriteString(part.Content + "\n")
			case llms.TextContent:
				texts.WriteString(part.Text + "\n")
			case llms.CachedContent:
				texts.WriteString(fmt.Sprint(part.ContentPart) + "\n")
			}
		}
	}
	for _, w := range plan.calls {
		require.Equal(t, 1, strings.Count(arguments.String(), w), "call %s", w)
	}
	for _, w := range plan.contents {
		require.Equal(t, 1, strings.Count(contents.String(), w), "response %s", w)
	}
	for _, w := range plan.written {
		require.Equal(t, 1, strings.Count(texts.String()+contents.String(), w), "text %s", w)
	}
}

func TestResponseProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var words []string
		response := &llms.ContentResponse{}
		for c := range rapid.IntRange(0, 4).Draw(t, "choices") {
			choice := &llms.ContentChoice{Content: fmt.Sprintf("text%d", c)}
			words = append(words, choice.Content)
			for k := range rapid.IntRange(0, 3).Draw(t, "calls") {
				w := fmt.Sprintf("call%d_%d", c, k)
				words = append(words, w)
				choice.ToolCalls = append(choice.ToolCalls, llms.ToolCall{
					ID: rapid.SampledFrom(planIDs).Draw(t, "id"),
					FunctionCall: &llms.FunctionCall{
						Name:      rapid.SampledFrom(planNames).Draw(t, "name"),
						Arguments: fmt.Sprintf(rapid.SampledFrom(planArguments).Draw(t, "arguments"), w),
					},
				})
			}
			response.Choices = append(response.Choices, choice)
		}
		before, err := json.Marshal(response)
		require.NoError(t, err)
		r := Reading{Alternatives: rapid.Bool().Draw(t, "alternatives")}
		got := Response(response, r)
		after, err := json.Marshal(response)
		require.NoError(t, err)
		require.Equal(t, string(before), string(after), "what it is given is not changed")

		if !r.Alternatives {
			require.LessOrEqual(t, len(got.Choices), 1)
		}
		all, err := json.Marshal(got.Choices)
		require.NoError(t, err)
		for _, w := range words {
			require.Contains(t, string(all), w)
		}
		seen := map[string]bool{}
		for _, choice := range got.Choices {
			for _, c := range choice.ToolCalls {
				require.NotEmpty(t, c.ID)
				require.False(t, seen[c.ID])
				seen[c.ID] = true
				require.NotEmpty(t, c.FunctionCall.Name)
			}
		}
		require.Equal(t, got, Response(got, r), "once more changes nothing")
	})
}
