package prompts_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/llms"
	"pgregory.net/rapid"

	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/prompts"
	"github.com/mcptoolset/mcptoolset/toolset"
)

func text(s string) llms.ContentPart { return llms.TextPart(s) }

func TestH6_PromptsBecomeMessages(t *testing.T) {
	t.Parallel()
	human := func(parts ...llms.ContentPart) llms.MessageContent {
		return llms.MessageContent{Role: llms.ChatMessageTypeHuman, Parts: parts}
	}
	image := llms.BinaryPart("image/png", picture)
	size := fmt.Sprintf("size: %d bytes", len(picture))
	want := []llms.MessageContent{
		human(text(hostile)),
		{Role: llms.ChatMessageTypeAI, Parts: []llms.ContentPart{text("I see.")}},
		human(image),
		human(text("[audio] type: audio/wav; " + size)),
		human(text("[resource link] uri: file:///a.txt; name: a.txt; type: text/plain; description: the first")),
		human(text("[resource] uri: file:///b.txt; type: text/plain\n{b}")),
		human(text("[resource] uri: file:///c.png; type: image/png; binary; "+size), image),
		human(text("[resource] uri: file:///d.zip; type: application/zip; binary; " + size)),
	}
	for _, kind := range mcptest.Kinds {
		for _, era := range []string{"modern", "legacy"} {
			t.Run(fmt.Sprint(kind, " ", era), func(t *testing.T) {
				t.Parallel()
				opts := []mcptest.Option{mcptest.Setup("prompts")}
				if era == "legacy" {
					opts = append(opts, mcptest.Legacy())
				}
				ts := open(t, configOf(mcptest.Start(t, kind, opts...)))
				result, err := ts.GetPrompt(t.Context(), "mixed", nil)
				require.NoError(t, err)
				messages, notes := prompts.Messages(result, toolset.ImageBinary)
				assert.Nil(t, notes)
				assert.Equal(t, want, messages)

				messages, _ = prompts.Messages(result, toolset.ImageDataURL)
				url := "data:image/png;base64," + base64.StdEncoding.EncodeToString(picture)
				assert.Equal(t, human(llms.ImageURLPart(url)), messages[2])

				chat, notes := prompts.ChatMessages(result)
				assert.Nil(t, notes)
				require.Len(t, chat, len(want))
				assert.Equal(t, llms.HumanChatMessage{Content: hostile}, chat[0])
				assert.Equal(t, llms.AIChatMessage{Content: "I see."}, chat[1])
				assert.Equal(t, llms.HumanChatMessage{Content: "[image] type: image/png; " + size}, chat[2])
			})
		}
	}
}

// Of a broken prompt all is told that is there, and what is broken is noted.
func TestH6_BrokenPrompts(t *testing.T) {
	t.Parallel()
	type said struct{ role, text string }
	for name, c := range map[string]struct {
		messages string // of the answer
		want     []said
		notes    []string // a part of each
	}{
		"a role of the system": {`[{"role":"system","content":{"type":"text","text":"obey"}},{"role":"user","content":{"type":"text","text":"hi"}}]`,
			[]said{{"human", "obey"}, {"human", "hi"}}, []string{`message 1: the role "system" is not known`}},
		"no role": {`[{"content":{"type":"text","text":"hi"}}]`,
			[]said{{"human", "hi"}}, []string{`message 1: the role "" is not known`}},
		"a role that is none": {`[{"role":7,"content":{"type":"text","text":"hi"}}]`,
			[]said{{"human", "hi"}}, []string{`message 1: the role`}},
		"no content": {`[{"role":"user"},{"role":"user","content":{"type":"text","text":"hi"}}]`,
			[]said{{"human", "hi"}}, []string{"message 1: it holds nothing to show and is left out"}},
		"null": {`[{"role":"user","content":null},{"role":"assistant","content":{"type":"text","text":"hi"}}]`,
			[]said{{"ai", "hi"}}, []string{"message 1: it holds nothing to show and is left out"}},
		"an empty text": {`[{"role":"user","content":{"type":"text","text":" \n"}}]`,
			nil, []string{"message 1: it holds nothing to show and is left out"}},
		"a bare text": {`[{"role":"user","content":"hi"}]`,
			[]said{{"human", "hi"}}, nil},
		"an unknown type": {`[{"role":"user","content":{"type":"smell","data":"roses"}}]`,
			[]said{{"human", "[smell item] could not be read: its type is not known\n{\"type\":\"smell\",\"data\":\"roses\"}"}}, []string{"message 1: its content could not be read"}},
		"a text without text": {`[{"role":"user","content":{"type":"text"}}]`,
			nil, []string{"message 1: it holds nothing to show and is left out"}},
		"a text that is a number": {`[{"role":"user","content":{"type":"text","text":9007199254740993}}]`,
			[]said{{"human", "9007199254740993"}}, []string{"message 1: it is not quite as it should be: text is a number, not a string"}},
		"a text without a type": {`[{"role":"user","content":{"text":"hi"}}]`,
			[]said{{"human", "hi"}}, []string{"message 1: it is not quite as it should be"}},
		"content of nothing known": {`[{"role":"user","content":{"a":1}},7,{"role":"user","content":[]}]`,
			nil, []string{"message 1: it holds nothing", "message 2: it holds nothing", "message 3: it holds nothing"}},
		"several contents": {`[{"role":"assistant","content":[{"type":"text","text":"one"},{"type":"text","text":"two"}]}]`,
			[]said{{"ai", "one"}, {"ai", "two"}}, nil},
		"a picture without data": {`[{"role":"user","content":{"type":"image","mimeType":"image/png"}}]`,
			[]said{{"human", "[image item] could not be read: it has no data\n{\"type\":\"image\",\"mimeType\":\"image/png\"}"}}, []string{"message 1: its content could not be read: it has no data"}},
		"a resource without contents": {`[{"role":"user","content":{"type":"resource","resource":{"uri":"a:1"}}}]`,
			[]said{{"human", "[resource] uri: a:1; could not be read: it has neither text nor blob\n{\"type\":\"resource\",\"resource\":{\"uri\":\"a:1\"}}"}}, []string{"message 1: its content could not be read: it has neither text nor blob"}},
		"one message in place of a list": {`{"role":"user","content":{"type":"text","text":"hi"}}`,
			[]said{{"human", "hi"}}, []string{"messages is an object, not a list"}},
		"no messages": {`null`, nil, []string{"messages is null"}},
		"a picture in broken base64": {`[{"role":"user","content":{"type":"image","mimeType":"image/png","data":"%%%"}}]`,
			[]said{{"human", "[image] type: image/png; broken base64, length 3"}}, []string{"message 1: its picture is not sent"}},
		"a picture that is a text": {`[{"role":"user","content":{"type":"image","mimeType":"text/plain","data":"aGk="}}]`,
			[]said{{"human", "[image] type: text/plain; size: 2 bytes"}}, []string{"message 1: its picture is not sent"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			result, err := raw(t, `{"messages":`+c.messages+`}`).GetPrompt(t.Context(), "p", nil)
			require.NoError(t, err)
			messages, notes := prompts.Messages(result, toolset.ImageBinary)
			var got []said
			for _, m := range messages {
				require.Len(t, m.Parts, 1)
				got = append(got, said{string(m.Role), fmt.Sprint(m.Parts[0])})
			}
			assert.Equal(t, c.want, got)
			require.Len(t, notes, len(c.notes), "%v", notes)
			for i := range notes {
				assert.Contains(t, notes[i], c.notes[i])
			}
		})
	}
}

func TestH6_PicturesAsServersSendThem(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ data, mimeType, want string }{
		"url alphabet, no padding": {base64.RawURLEncoding.EncodeToString(picture), "image/png", "image/png"},
		"a data URL":               {"data:image/png;base64," + base64.StdEncoding.EncodeToString(picture), "image/png", "image/png"},
		"no type":                  {base64.StdEncoding.EncodeToString(picture), "", "image/png"},
		"a type in capitals":       {base64.StdEncoding.EncodeToString(picture), "IMAGE/WEBP; q=1", "image/webp"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			result := &toolset.PromptResult{Messages: []toolset.PromptMessage{
				{Role: "user", Content: toolset.Content{Type: "image", Data: c.data, MIMEType: c.mimeType}},
			}}
			messages, notes := prompts.Messages(result, toolset.ImageBinary)
			assert.Nil(t, notes)
			assert.Equal(t, []llms.ContentPart{llms.BinaryPart(c.want, picture)}, messages[0].Parts)
			messages, _ = prompts.Messages(result, toolset.ImageDataURL)
			assert.Equal(t, []llms.ContentPart{llms.ImageURLPart("data:" + c.want + ";base64," + base64.StdEncoding.EncodeToString(picture))}, messages[0].Parts)
		})
	}
}

func TestH6_ALongPromptIsNotCut(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("größe {{ ", 100_000)
	messages, _ := prompts.Messages(&toolset.PromptResult{Messages: []toolset.PromptMessage{
		{Role: "user", Content: toolset.Content{Type: "text", Text: long}},
		{Role: "user", Content: toolset.Content{Type: "resource", URI: "a:1", Text: long}},
	}}, toolset.ImageBinary)
	assert.Equal(t, text(long), messages[0].Parts[0])
	assert.Equal(t, text("[resource] uri: a:1\n"+long), messages[1].Parts[0])
}

func TestH6_NoPromptNoMessages(t *testing.T) {
	t.Parallel()
	for _, result := range []*toolset.PromptResult{nil, {}} {
		messages, notes := prompts.Messages(result, toolset.ImageBinary)
		assert.Empty(t, messages)
		assert.Nil(t, notes)
		assert.Empty(t, prompts.Value{Result: result}.Messages())
		assert.Empty(t, prompts.Value{Result: result}.String())
	}
}

// Whatever a server sends, each message that stays has a role a provider takes
// and parts that hold something.
func TestH6_AnyContentBecomesAMessageOrANote(t *testing.T) {
	t.Parallel()
	some := func(values ...string) *rapid.Generator[string] {
		return rapid.OneOf(rapid.SampledFrom(append(values, "")), rapid.String())
	}
	rapid.Check(t, func(t *rapid.T) {
		result := &toolset.PromptResult{}
		for range rapid.IntRange(0, 4).Draw(t, "n") {
			result.Messages = append(result.Messages, toolset.PromptMessage{
				Role: some("user", "assistant", "system").Draw(t, "role"),
				Content: toolset.Content{
					Type: some("text", "image", "audio", "resource", "resource_link").Draw(t, "type"),
					Text: some("{{.x}}", " ").Draw(t, "text"), Data: some("aGk=", "%").Draw(t, "data"),
					MIMEType: some("image/png", "text/plain").Draw(t, "mime"), URI: some("a:1").Draw(t, "uri"),
					Fault: some().Draw(t, "fault"), Raw: json.RawMessage(some("{}", "null", `{"a":1}`).Draw(t, "raw")),
				},
			})
		}
		messages, notes := prompts.Messages(result, toolset.ImageForm(rapid.IntRange(0, 1).Draw(t, "form")))
		chat, again := prompts.ChatMessages(result)
		require.Equal(t, notes, again)
		require.Len(t, chat, len(messages))
		for i, m := range messages {
			require.Equal(t, m.Role, chat[i].GetType())
			require.NotEmpty(t, m.Parts)
			for _, part := range m.Parts {
				if words, ok := part.(llms.TextContent); ok {
					require.NotEmpty(t, strings.TrimSpace(words.Text))
				}
			}
			require.NotEmpty(t, chat[i].GetContent())
		}
		for left := len(result.Messages) - len(messages); left > 0; left-- {
			require.NotEmpty(t, notes)
		}
	})
}
