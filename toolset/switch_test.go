package toolset_test

import (
	"context"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/tools"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/filter"
	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/toolset"
)

const twoTools = `[
	{"name":"read.file","title":"Read","description":"Reads","inputSchema":{"type":"object"}},
	{"name":"delete","inputSchema":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}}]`

func TestJ1_SwitchedOffToolsAreHiddenAndRefused(t *testing.T) {
	t.Parallel()
	s := newRaw(t, lists(twoTools))
	ts := open(t, s.config())
	before := listOf(t, t.Context(), ts)
	require.Len(t, before, 2)
	old := named(t, before, "delete")

	ts.SwitchOff("delete")
	assert.Equal(t, []string{"delete"}, ts.SwitchedOff())
	assert.Equal(t, []string{"read_file"}, names(t, ts))

	text, err := old.Call(t.Context(), `{"path":"/"}`)
	require.NoError(t, err)
	assert.Regexp(t, `^Error: .*tool "delete".*switched off`, text)
	assert.NotContains(t, text, "unknown", "it is known that it did not run")
	text, err = old.Call(t.Context(), `not even JSON`)
	require.NoError(t, err)
	assert.Contains(t, text, "switched off", "arguments do not matter any more")

	_, err = ts.CallTool(t.Context(), "delete", nil)
	var failed *toolset.Error
	require.ErrorAs(t, err, &failed)
	require.ErrorIs(t, err, toolset.ErrSwitchedOff)
	assert.True(t, failed.Repeatable())
	_, err = ts.Tool(t.Context(), "delete")
	require.ErrorIs(t, err, toolset.ErrSwitchedOff)
	assert.Empty(t, s.of("tools/call"))

	ts.SwitchOn("delete", "never heard of")
	assert.Empty(t, ts.SwitchedOff())
	assert.Equal(t, []string{"read_file", "delete"}, names(t, ts))
	text, err = old.Call(t.Context(), `{"path":"/"}`)
	require.NoError(t, err)
	assert.Equal(t, "ok", text)
	assert.Len(t, s.of("tools/call"), 1)
}

func TestJ1_SwitchesTakeTheServersOwnNames(t *testing.T) {
	t.Parallel()
	ts := open(t, newRaw(t, lists(twoTools)).config().Prefix("my_"))
	ts.SwitchOff("my_delete", "read_file") // names of models
	assert.Len(t, listOf(t, t.Context(), ts), 2)
	warned := ts.Report().Warnings
	require.Len(t, warned, 2)
	assert.Contains(t, warned[0].String(), `tool "my_delete": it is switched off, but the server does not list it`)

	ts.SwitchOff("read.file")
	ts.SwitchOn("my_delete", "read_file")
	assert.Equal(t, []string{"my_delete"}, names(t, ts))
	assert.Empty(t, ts.Report().Warnings)
}

func TestJ1_SwitchingDoesNoIO(t *testing.T) {
	t.Parallel()
	s := newRaw(t, lists(twoTools))
	ts := open(t, s.config())
	ts.SwitchOff("delete", "delete")
	_, err := ts.CallTool(t.Context(), "delete", nil)
	require.ErrorIs(t, err, toolset.ErrSwitchedOff)
	assert.Empty(t, s.of("initialize"), "a refusal needs no server")
	assert.Equal(t, []string{"read_file"}, names(t, ts), "it holds for lists to come")
	require.NoError(t, ts.Close())
	ts.SwitchOn("delete") // after Close: without effect, and without harm
	_, err = ts.CallTool(t.Context(), "delete", nil)
	require.ErrorIs(t, err, toolset.ErrClosed)
}

// A tool that is not listed may be one the server knows all the same.
func TestB8_NeitherFilteredNorSwitchedOffToolsCanBeCalledByAnyWay(t *testing.T) {
	t.Parallel()
	s := newRaw(t, lists(twoTools))
	ts := open(t, s.config().Filter(filter.Allow("delete")))
	old := named(t, listOf(t, t.Context(), ts), "delete")
	ts.SwitchOff("delete", "hidden")
	for _, name := range []string{"delete", "hidden"} {
		_, err := ts.CallTool(t.Context(), name, nil)
		require.ErrorIs(t, err, toolset.ErrSwitchedOff, name)
	}
	ts.SwitchOn("read.file")
	_, err := ts.CallTool(t.Context(), "read.file", nil)
	require.ErrorIs(t, err, toolset.ErrNotOffered, "switching on overrides no filter")

	call := llms.ToolCall{ID: "1", FunctionCall: &llms.FunctionCall{Name: "delete", Arguments: `{"path":"/"}`}}
	answer, err := toolset.Execute(t.Context(), []tools.Tool{old}, call)
	require.NoError(t, err)
	assert.Contains(t, answer.Content, "switched off")
	messages, err := toolset.Respond(t.Context(), []tools.Tool{old}, &llms.ContentResponse{Choices: []*llms.ContentChoice{{ToolCalls: []llms.ToolCall{call}}}})
	require.NoError(t, err)
	require.Len(t, messages, 2)
	assert.Contains(t, messages[1].Parts[0].(llms.ToolCallResponse).Content, "switched off")
	assert.Empty(t, s.of("tools/call"))
}

func TestJ1_BoundModelsDoNotOfferWhatIsSwitchedOff(t *testing.T) {
	t.Parallel()
	ts := open(t, newRaw(t, lists(twoTools)).config())
	all := listOf(t, t.Context(), ts)
	model := answers(slices.Repeat([]*llms.ContentResponse{says("a")}, 20)...)
	bound := toolset.Bind(model, all, toolset.WithOfferAll())
	asked := 0
	ask := func(options ...llms.CallOption) llms.CallOptions {
		t.Helper()
		_, err := bound.GenerateContent(t.Context(), []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeHuman, "go")}, options...)
		require.NoError(t, err)
		asked++
		return model.request(asked - 1).options
	}
	definitions := toolset.Definitions(all)
	assert.Len(t, ask().Tools, 2)

	ts.SwitchOff("delete")
	assert.Equal(t, []string{"read_file"}, toolNamesOf(ask().Tools))
	assert.Equal(t, []string{"read_file"}, toolNamesOf(ask(llms.WithTools(definitions)).Tools))
	assert.Equal(t, []string{"read_file"}, toolNamesOf(toolset.Definitions(all)))

	off := map[string]any{"type": "function", "function": map[string]any{"name": "delete"}}
	on := llms.ToolChoice{Type: "function", Function: &llms.FunctionReference{Name: "read_file"}}
	for title, c := range map[string]struct {
		option llms.CallOption
		want   any
	}{
		"a map":              {llms.WithToolChoice(off), nil},
		"a struct":           {llms.WithToolChoice(llms.ToolChoice{Type: "function", Function: &llms.FunctionReference{Name: "delete"}}), nil},
		"a pointer":          {llms.WithToolChoice(&llms.ToolChoice{Type: "function", Function: &llms.FunctionReference{Name: "delete"}}), nil},
		"Anthropic's form":   {llms.WithToolChoice(map[string]any{"type": "tool", "name": "delete"}), nil},
		"a bare name":        {llms.WithToolChoice("delete"), nil},
		"the deprecated way": {llms.WithFunctionCallBehavior(`{"name":"delete"}`), nil},
		"another tool":       {llms.WithToolChoice(on), on},
		"any tool":           {llms.WithToolChoice("required"), "required"},
		"no value for JSON":  {llms.WithToolChoice(math.Inf(1)), math.Inf(1)},
	} {
		sent := ask(llms.WithTools(definitions), c.option)
		assert.Equal(t, c.want, sent.ToolChoice, title)
		assert.Empty(t, sent.FunctionCallBehavior, title)
	}

	ts.SwitchOff("read.file")
	last := ask(llms.WithTools(definitions), llms.WithToolChoice("required"))
	assert.Empty(t, last.Tools)
	assert.Nil(t, last.ToolChoice, "a choice without tools is refused by providers")
}

func TestJ1_TheNamesAModelIsToldAreThoseItMayCall(t *testing.T) {
	t.Parallel()
	ts := open(t, newRaw(t, lists(twoTools)).config())
	all := listOf(t, t.Context(), ts)
	ts.SwitchOff("delete")
	answer, err := toolset.Execute(t.Context(), all, toolCall("1", "erase", "{}"))
	require.NoError(t, err)
	assert.Equal(t, `Error: there is no tool "erase". The tools are: read_file.`, answer.Content)
	ts.SwitchOff("read.file")
	answer, err = toolset.Execute(t.Context(), all, toolCall("1", "", "{}"))
	require.NoError(t, err)
	assert.Equal(t, "Error: the call names no tool. There are no tools.", answer.Content)
}

func toolNamesOf(ts []llms.Tool) (all []string) {
	for _, t := range ts {
		all = append(all, t.Function.Name)
	}
	return all
}

func TestJ1_TheToolsetsOwnToolsCanBeSwitchedOff(t *testing.T) {
	t.Parallel()
	s := newRaw(t, func(r request) string {
		switch r.Method {
		case "initialize":
			return `{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{}},"serverInfo":{"name":"raw","version":"1"}}`
		case "resources/read":
			return `{"contents":[{"uri":"a://b","text":"secret"}]}`
		}
		return lists(`[]`)(r)
	})
	ts := open(t, s.config().Resources(true))
	load := named(t, listOf(t, t.Context(), ts), "load_mcp_resource")
	ts.SwitchOff("load_mcp_resource")
	assert.Equal(t, []string{"list_mcp_resources", "list_mcp_resource_templates"}, names(t, ts))
	text, err := load.Call(t.Context(), `{"uri":"a://b"}`)
	require.NoError(t, err)
	assert.Contains(t, text, "switched off")
	assert.Empty(t, s.of("resources/read"))
	assert.Empty(t, ts.Report().Warnings)
}

// Every kind of connection has a real server here; the switch is flipped while
// calls run. Those that left run on.
func TestJ1_SwitchingWhileCallsRun(t *testing.T) {
	t.Parallel()
	server := mcptest.New(t, mcptest.Tools("slow", "echo"))
	ts := open(t, config.NewInProcess(server.MCPServer))
	tool := named(t, listOf(t, t.Context(), ts), "slow")
	done := make(chan string, 1)
	go func() {
		text, err := tool.Call(context.WithoutCancel(t.Context()), "")
		assert.NoError(t, err)
		done <- text
	}()
	server.Calls.Wait(t, mcptest.Tool("slow"))
	ts.SwitchOff("slow")
	server.Release()
	assert.Equal(t, "released", <-done)
	text, err := tool.Call(t.Context(), "")
	require.NoError(t, err)
	assert.Contains(t, text, "switched off")
}

func TestJ1_SwitchesAreSafeUnderConcurrency(t *testing.T) {
	t.Parallel()
	ts := open(t, newRaw(t, lists(twoTools)).config())
	tool := named(t, listOf(t, t.Context(), ts), "read_file")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 20 {
				ts.SwitchOff("read.file")
				text, err := tool.Call(t.Context(), "{}")
				assert.NoError(t, err)
				assert.NotEmpty(t, text)
				ts.SwitchOn("read.file")
				_, err = ts.Tools(t.Context())
				assert.NoError(t, err)
				_, err = ts.Status(t.Context())
				assert.NoError(t, err)
			}
		})
	}
	all.Wait()
	assert.Len(t, names(t, ts), 2)
}
