package prompts_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/agents"
	"github.com/tmc/langchaingo/chains"
	"github.com/tmc/langchaingo/llms"
	lcprompts "github.com/tmc/langchaingo/prompts"

	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/prompts"
	"github.com/mcptoolset/mcptoolset/toolset"
)

func TestInstructionsAreAQuotationInEveryTemplate(t *testing.T) {
	t.Parallel()
	info := toolset.ServerInfo{Name: "{{.desk}}", Instructions: "Use {{.tool}}.\r\n{% raw %}{id}\u2028" + `{"a":{}}`}
	const want = "The server \"{{.desk}}\" says on the use of its tools, in its own words:\n> Use {{.tool}}.\n> {% raw %}{id}\n> {\"a\":{}}"
	plain, err := prompts.Instructions(info, "")
	require.NoError(t, err)
	assert.Equal(t, want, plain)
	for format := range formats {
		template, err := prompts.Instructions(info, format)
		require.NoError(t, err)
		said, err := lcprompts.RenderTemplate(template, format, nil)
		require.NoError(t, err, "%s", format)
		assert.Equal(t, want, said, "%s", format)

		nothing, err := prompts.Instructions(toolset.ServerInfo{Name: "desk"}, format)
		require.NoError(t, err)
		assert.Empty(t, nothing)

		long, err := prompts.Instructions(toolset.ServerInfo{Instructions: strings.Repeat("{", 100_000)}, format)
		require.NoError(t, err)
		said, err = lcprompts.RenderTemplate(long, format, nil)
		require.NoError(t, err)
		assert.Less(t, utf8.RuneCountInString(said), 8300)
	}
}

// LangChainGo's own agents take the system message for a template.
func TestInstructionsInLangChainGosAgent(t *testing.T) {
	t.Parallel()
	info := toolset.ServerInfo{Name: "desk", Instructions: "Write {{city}} in braces."}
	words, err := prompts.Instructions(info, lcprompts.TemplateFormatGoTemplate)
	require.NoError(t, err)
	model := mcptest.NewModel(mcptest.Say("yes"))
	a := agents.NewOpenAIFunctionsAgent(model, nil, agents.NewOpenAIOption().WithSystemMessage("Be brief.\n\n"+words))
	_, err = chains.Run(t.Context(), agents.NewExecutor(a), "well?")
	require.NoError(t, err)
	system := model.Asked.All()[0].Messages[0]
	assert.Equal(t, llms.ChatMessageTypeSystem, system.Role)
	assert.Contains(t, system.Parts[0].(llms.TextContent).Text, "> Write {{city}} in braces.")
}
