package prompts_test

import (
	"context"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/tmc/langchaingo/chains"
	"github.com/tmc/langchaingo/llms"
	lcprompts "github.com/tmc/langchaingo/prompts"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/prompts"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// newDesk is a toolset over a server with one prompt, which takes a text and,
// if one likes, a language.
func newDesk() (*toolset.Toolset, error) {
	s := server.NewMCPServer("desk", "1.0.0", server.WithInstructions("Names are written {{like this}}."))
	s.AddPrompt(mcp.NewPrompt("translate", mcp.WithArgument("text", mcp.RequiredArgument()), mcp.WithArgument("language")),
		func(_ context.Context, r mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			language := r.Params.Arguments["language"]
			if language == "" {
				language = "English"
			}
			return mcp.NewGetPromptResult("", []mcp.PromptMessage{
				mcp.NewPromptMessage(mcp.RoleUser, mcp.NewTextContent("Translate into "+language+": "+r.Params.Arguments["text"])),
			}), nil
		})
	cfg, err := config.NewInProcess(s).Build()
	if err != nil {
		return nil, err
	}
	return toolset.New(cfg)
}

// A prompt of the server in a chain.
func Example() {
	ctx := context.Background()
	ts, err := newDesk()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer ts.Close()
	translate, err := prompts.New(ctx, ts, "translate")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(translate.GetInputVariables())

	// A model that has learned its lines; a real one is made by openai.New.
	llm := mcptest.NewModel(mcptest.Say("Guten Tag"))
	chain := chains.NewLLMChain(llm, translate.With(map[string]any{"language": "German"}).WithContext(ctx))
	answer, err := chains.Run(ctx, chain, "Good day")
	fmt.Println(answer, err)
	fmt.Println(llm.Asked.All()[0].Messages[0].Parts[0])
	// Output:
	// [text]
	// Guten Tag <nil>
	// Translate into German: Good day
}

// A prompt of the server as messages for a model, pictures and all.
func ExampleMessages() {
	ctx := context.Background()
	ts, err := newDesk()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer ts.Close()
	result, err := ts.GetPrompt(ctx, "translate", map[string]string{"text": "{{.bonjour}}"})
	if err != nil {
		fmt.Println(err)
		return
	}
	messages, notes := prompts.Messages(result, toolset.ImageBinary)
	for _, note := range notes {
		fmt.Println("note:", note)
	}
	llm := mcptest.NewModel(mcptest.Say("Good day"))
	response, err := llm.GenerateContent(ctx, messages)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: %s\n", messages[0].Role, messages[0].Parts[0])
	fmt.Println(response.Choices[0].Content)
	// Output:
	// human: Translate into English: {{.bonjour}}
	// Good day
}

// What a server says on its use, inside a template of LangChainGo.
func ExampleInstructions() {
	ctx := context.Background()
	ts, err := newDesk()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer ts.Close()
	info, err := ts.ServerInfo(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	words, err := prompts.Instructions(info, lcprompts.TemplateFormatGoTemplate)
	if err != nil {
		fmt.Println(err)
		return
	}
	system := lcprompts.NewSystemMessagePromptTemplate("Today is {{.day}}.\n\n"+words, []string{"day"})
	messages, err := system.FormatMessages(map[string]any{"day": "Monday"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(messages[0].(llms.SystemChatMessage).Content)
	// Output:
	// Today is Monday.
	//
	// The server "desk" says on the use of its tools, in its own words:
	// > Names are written {{like this}}.
}
