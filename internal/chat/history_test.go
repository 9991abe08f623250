package chat

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/llms"
)

func msg(role llms.ChatMessageType, parts ...llms.ContentPart) llms.MessageContent {
	return llms.MessageContent{Role: role, Parts: parts}
}

func ai(parts ...llms.ContentPart) llms.MessageContent {
	return msg(llms.ChatMessageTypeAI, parts...)
}

func tool(parts ...llms.ContentPart) llms.MessageContent {
	return msg(llms.ChatMessageTypeTool, parts...)
}

func human(text string) llms.MessageContent {
	return llms.TextParts(llms.ChatMessageTypeHuman, text)
}

func call(id, name, arguments string) llms.ToolCall {
	return llms.ToolCall{ID: id, Type: "function", FunctionCall: &llms.FunctionCall{Name: name, Arguments: arguments}}
}

func resp(id, name, content string) llms.ToolCallResponse {
	return llms.ToolCallResponse{ToolCallID: id, Name: name, Content: content}
}

func text(s string) llms.TextContent { return llms.TextContent{Text: s} }

func TestHistoryOneCallOneResponse(t *testing.T) {
	t.Parallel()
	image := llms.BinaryContent{MIMEType: "image/png", Data: []byte{1, 2}}
	a, b := call("1", "a", `{"x":1}`), call("2", "b", `{}`)
	untyped := llms.ToolCall{ID: "1", FunctionCall: &llms.FunctionCall{Name: "a", Arguments: `{"x":1}`}}
	tests := []struct {
		name     string
		in, want []llms.MessageContent
	}{
		{
			"nothing", nil, []llms.MessageContent{},
		},
		{
			"without calls",
			[]llms.MessageContent{llms.TextParts(llms.ChatMessageTypeSystem, "s", "t"), human("h"), ai(text("a"))},
			[]llms.MessageContent{llms.TextParts(llms.ChatMessageTypeSystem, "s", "t"), human("h"), ai(text("a"))},
		},
		{
			"parallel calls, one message of responses",
			[]llms.MessageContent{human("h"), ai(text("I look."), a, b), tool(resp("1", "", "ra"), resp("2", "", "rb"))},
			[]llms.MessageContent{human("h"), ai(text("I look.")), ai(a), tool(resp("1", "a", "ra")), ai(b), tool(resp("2", "b", "rb"))},
		},
		{
			"responses in another order and apart",
			[]llms.MessageContent{ai(a, b), tool(resp("2", "", "rb")), human("between"), tool(resp("1", "", "ra"))},
			[]llms.MessageContent{ai(a), tool(resp("1", "a", "ra")), ai(b), tool(resp("2", "b", "rb")), human("between")},
		},
		{
			"texts around the calls become one before them",
			[]llms.MessageContent{ai(text("one."), a, text("two."), b), tool(resp("1", "", "ra")), tool(resp("2", "", "rb"))},
			[]llms.MessageContent{ai(text("one.\ntwo.")), ai(a), tool(resp("1", "a", "ra")), ai(b), tool(resp("2", "b", "rb"))},
		},
		{
			"blank text beside a call goes",
			[]llms.MessageContent{ai(text(" \n"), a), tool(resp("1", "", "ra"))},
			[]llms.MessageContent{ai(a), tool(resp("1", "a", "ra"))},
		},
		{
			"type is filled in",
			[]llms.MessageContent{ai(untyped), tool(resp("1", "", "ra"))},
			[]llms.MessageContent{ai(a), tool(resp("1", "a", "ra"))},
		},
		{
			"the response takes its call's name",
			[]llms.MessageContent{ai(a), tool(resp("1", "other", "ra"))},
			[]llms.MessageContent{ai(a), tool(resp("1", "a", "ra"))},
		},
		{
			"a call without a response",
			[]llms.MessageContent{ai(a, b), tool(resp("2", "", "rb")), human("h")},
			[]llms.MessageContent{ai(a), tool(resp("1", "a", noResult)), ai(b), tool(resp("2", "b", "rb")), human("h")},
		},
		{
			"a response without a call",
			[]llms.MessageContent{human("h"), tool(resp("1", "a", "ra")), human("i")},
			[]llms.MessageContent{human("h"), ai(call("1", "a", "{}")), tool(resp("1", "a", "ra")), human("i")},
		},
		{
			"a response without a call and without a name",
			[]llms.MessageContent{tool(resp("1", "", "ra"))},
			[]llms.MessageContent{ai(call("1", namelessTool, "{}")), tool(resp("1", namelessTool, "ra"))},
		},
		{
			"a call without a function takes the response's name",
			[]llms.MessageContent{ai(llms.ToolCall{ID: "1"}), tool(resp("1", "a", "ra"))},
			[]llms.MessageContent{ai(call("1", "a", "{}")), tool(resp("1", "a", "ra"))},
		},
		{
			"a name that no provider takes",
			[]llms.MessageContent{ai(call("1", "functions.a b/ö", "{}")), tool(resp("1", "functions.a b/ö", "ra")), ai(call("2", "2fa", "{}")), tool(resp("2", "", "rb"))},
			[]llms.MessageContent{ai(call("1", "functions_a_b__", "{}")), tool(resp("1", "functions_a_b__", "ra")), ai(call("2", "_2fa", "{}")), tool(resp("2", "_2fa", "rb"))},
		},
		{
			"a name that is too long",
			[]llms.MessageContent{ai(call("1", strings.Repeat("a", 70), "{}")), tool(resp("1", "", "ra"))},
			[]llms.MessageContent{ai(call("1", strings.Repeat("a", 64), "{}")), tool(resp("1", strings.Repeat("a", 64), "ra"))},
		},
		{
			"two responses to one call",
			[]llms.MessageContent{ai(a), tool(resp("1", "", "one")), tool(resp("1", "", "two"))},
			[]llms.MessageContent{ai(a), tool(resp("1", "a", "one\ntwo"))},
		},
		{
			"a blank response",
			[]llms.MessageContent{ai(a), tool(resp("1", "", " "))},
			[]llms.MessageContent{ai(a), tool(resp("1", "a", noOutput))},
		},
		{
			"function messages",
			[]llms.MessageContent{ai(a), msg(llms.ChatMessageTypeFunction, resp("", "a", "ra"))},
			[]llms.MessageContent{ai(a), tool(resp("1", "a", "ra"))},
		},
		{
			"a tool message of text",
			[]llms.MessageContent{ai(a), tool(text("r"), text("a"))},
			[]llms.MessageContent{ai(a), tool(resp("1", "a", "r\na"))},
		},
		{
			"text and an image beside a response",
			[]llms.MessageContent{ai(a), tool(resp("1", "", "ra"), image, text("caption"))},
			[]llms.MessageContent{ai(a), tool(resp("1", "a", "ra\ncaption"), image)},
		},
		{
			"an image alone in a tool message stays",
			[]llms.MessageContent{ai(a), tool(resp("1", "", "ra")), tool(image)},
			[]llms.MessageContent{ai(a), tool(resp("1", "a", "ra")), tool(image)},
		},
		{
			"a response in a human message",
			[]llms.MessageContent{ai(a), msg(llms.ChatMessageTypeHuman, resp("1", "", "ra"), text("and?"))},
			[]llms.MessageContent{ai(a), tool(resp("1", "a", "ra")), human("and?")},
		},
		{
			"call and response in one message",
			[]llms.MessageContent{ai(a, resp("1", "", "ra"))},
			[]llms.MessageContent{ai(a), tool(resp("1", "a", "ra"))},
		},
		{
			"response and next call in one message",
			[]llms.MessageContent{ai(a), ai(resp("1", "", "ra"), text("next"), b), tool(resp("2", "", "rb"))},
			[]llms.MessageContent{ai(a), tool(resp("1", "a", "ra")), ai(text("next")), ai(b), tool(resp("2", "b", "rb"))},
		},
		{
			"pointers and caching hints",
			[]llms.MessageContent{ai(&a), tool(llms.WithCacheControl(resp("1", "", "ra"), nil))},
			[]llms.MessageContent{ai(a), tool(resp("1", "a", "ra"))},
		},
		{
			"a caching hint around text stays",
			[]llms.MessageContent{msg(llms.ChatMessageTypeHuman, llms.WithCacheControl(text("h"), &llms.CacheControl{Type: "ephemeral"}))},
			[]llms.MessageContent{msg(llms.ChatMessageTypeHuman, llms.WithCacheControl(text("h"), &llms.CacheControl{Type: "ephemeral"}))},
		},
		{
			"parts and messages without a value",
			[]llms.MessageContent{ai(), ai(nil, (*llms.ToolCall)(nil), llms.CachedContent{}, (*llms.CachedContent)(nil)), tool(), human("h")},
			[]llms.MessageContent{human("h")},
		},
		{
			"a response with a wrong id is found by name",
			[]llms.MessageContent{ai(a, b), tool(resp("zz", "b", "rb")), tool(resp("1", "", "ra"))},
			[]llms.MessageContent{ai(a), tool(resp("1", "a", "ra")), ai(b), tool(resp("2", "b", "rb"))},
		},
		{
			"a response without id leaves the call to the one with its id",
			[]llms.MessageContent{ai(a, b), tool(resp("", "", "rb")), tool(resp("1", "", "ra"))},
			[]llms.MessageContent{ai(a), tool(resp("1", "a", "ra")), ai(b), tool(resp("2", "b", "rb"))},
		},
		{
			"a late response still reaches its call",
			[]llms.MessageContent{ai(a), human("h"), ai(b), tool(resp("2", "", "rb")), tool(resp("1", "", "ra"))},
			[]llms.MessageContent{ai(a), tool(resp("1", "a", "ra")), human("h"), ai(b), tool(resp("2", "b", "rb"))},
		},
		{
			"a response without id comes before the next call of its message",
			[]llms.MessageContent{ai(call("1", "a", "{}")), ai(resp("", "", "ra"), call("2", "b", "{}")), tool(resp("2", "", "rb"))},
			[]llms.MessageContent{ai(call("1", "a", "{}")), tool(resp("1", "a", "ra")), ai(b), tool(resp("2", "b", "rb"))},
		},
		{
			"blank text of its own stays",
			[]llms.MessageContent{ai(text("")), human("h")},
			[]llms.MessageContent{ai(text("")), human("h")},
		},
		{
			"a response with another tool's name is not this call's",
			[]llms.MessageContent{ai(a), tool(resp("", "c", "rc"), resp("1", "", "ra"))},
			[]llms.MessageContent{ai(a), tool(resp("1", "a", "ra")), ai(call(invent(1, 0, "c", ""), "c", "{}")), tool(resp(invent(1, 0, "c", ""), "c", "rc"))},
		},
		{
			"nor where the call is open",
			[]llms.MessageContent{ai(a), tool(resp("", "c", "rc"))},
			[]llms.MessageContent{ai(a), tool(resp("1", "a", noResult)), ai(call(invent(1, 0, "c", ""), "c", "{}")), tool(resp(invent(1, 0, "c", ""), "c", "rc"))},
		},
		{
			"a response with another id is not this call's",
			[]llms.MessageContent{ai(a), tool(resp("9", "", "r9"))},
			[]llms.MessageContent{ai(a), tool(resp("1", "a", noResult)), ai(call("9", namelessTool, "{}")), tool(resp("9", namelessTool, "r9"))},
		},
		{
			"unless the call has none",
			[]llms.MessageContent{ai(call("", "a", "{}")), tool(resp("9", "", "r9"))},
			[]llms.MessageContent{ai(call(invent(0, 0, "a", "{}"), "a", "{}")), tool(resp(invent(0, 0, "a", "{}"), "a", "r9"))},
		},
		{
			"arguments become an object",
			[]llms.MessageContent{ai(call("1", "a", "2+2")), tool(resp("1", "", "4"))},
			[]llms.MessageContent{ai(call("1", "a", `{"__arg1":"2+2"}`)), tool(resp("1", "a", "4"))},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := History(tt.in, Form{})
			assert.Equal(t, tt.want, got)
			assert.Equal(t, got, History(got, Form{}), "once more changes nothing")
		})
	}
}

func TestHistoryTextWithCall(t *testing.T) {
	t.Parallel()
	a, b := call("1", "a", `{}`), call("2", "b", `{}`)
	in := []llms.MessageContent{human("h"), ai(text("I look."), a, b), tool(resp("1", "", "ra"), resp("2", "", "rb")), ai(text("So."))}
	together := []llms.MessageContent{
		human("h"), ai(text("I look."), a), tool(resp("1", "a", "ra")), ai(b), tool(resp("2", "b", "rb")), ai(text("So.")),
	}
	assert.Equal(t, together, History(in, Form{TextWithCall: true}))
	apart := History(in, Form{})
	assert.Equal(t, together, History(apart, Form{TextWithCall: true}), "also where another form was made before")
	assert.Equal(t, apart, History(together, Form{}))
}

func TestHistoryInventsIDs(t *testing.T) {
	t.Parallel()
	same := call("", "a", `{"x":1}`)
	// As the agent writes it when it merges identical calls of two turns.
	in := []llms.MessageContent{
		human("h"), ai(same, same), tool(resp("", "", "first")), tool(resp("", "", "second")),
		ai(call("7", "a", "{}")), tool(resp("7", "", "third")),
		ai(call("7", "a", "{}")), tool(resp("7", "", "fourth")),
	}
	got := History(in, Form{})
	seen := map[string]bool{}
	for i, want := range []string{"first", "second", "third", "fourth"} {
		made, _ := got[1+2*i].Parts[0].(llms.ToolCall)
		answered, _ := got[2+2*i].Parts[0].(llms.ToolCallResponse)
		assert.Equal(t, want, answered.Content)
		assert.Equal(t, made.ID, answered.ToolCallID)
		assert.Regexp(t, `^([a-z0-9]{9}|7)$`, made.ID)
		assert.False(t, seen[made.ID], "ids are unique")
		seen[made.ID] = true
	}
	assert.Contains(t, seen, "7", "an id that is there is kept")

	longer := History(append(in[:len(in):len(in)], human("more")), Form{})
	assert.Equal(t, got, longer[:len(got)], "a longer history has the same ids")
}

func TestExchangeCompletesBothSides(t *testing.T) {
	t.Parallel()
	got := Exchange(llms.ToolCall{ID: "1", FunctionCall: &llms.FunctionCall{Name: "a", Arguments: "x"}}, resp("", "", ""))
	want := []llms.MessageContent{ai(call("1", "a", `{"__arg1":"x"}`)), tool(resp("1", "a", noOutput))}
	require.Equal(t, want, got)
}
