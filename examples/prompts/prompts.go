// Command prompts has a model answer a prompt of an MCP server.
//
//	OPENAI_API_KEY=… go run ./examples/prompts -set city=Paris args-prompt npx -y @modelcontextprotocol/server-everything
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/openai"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/prompts"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// answer sends what the server's prompt says to a model, pictures included.
func answer(ctx context.Context, llm llms.Model, ts *toolset.Toolset, name string, values map[string]any) (string, error) {
	prompt, err := prompts.New(ctx, ts, name)
	if err != nil {
		return "", err
	}
	value, err := prompt.Get(ctx, values) // says which arguments are missing
	if err != nil {
		return "", err
	}
	messages, notes := prompts.Messages(value.Result, toolset.ImageDataURL) // the form OpenAI takes
	for _, note := range notes {
		log.Print(note)
	}
	response, err := llm.GenerateContent(ctx, messages)
	if err != nil {
		return "", err
	}
	if len(response.Choices) == 0 {
		return "", errors.New("the model has no answer")
	}
	return response.Choices[0].Content, nil
}

func main() {
	said, err := run(context.Background(), os.Args[1:])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(said)
}

func run(ctx context.Context, args []string) (string, error) {
	flags := flag.NewFlagSet("prompts", flag.ContinueOnError)
	values := map[string]any{}
	flags.Func("set", "an argument of the prompt, as `name=value`", func(s string) error {
		name, value, found := strings.Cut(s, "=")
		if !found {
			return errors.New("it has to be name=value")
		}
		values[name] = value
		return nil
	})
	if err := flags.Parse(args); err != nil {
		return "", err
	}
	if flags.NArg() < 2 {
		return "", errors.New("name a prompt, and the command of an MCP server")
	}
	cfg, err := config.NewStdio(flags.Arg(1), flags.Args()[2:]...).Build()
	if err != nil {
		return "", err
	}
	ts, err := toolset.New(cfg)
	if err != nil {
		return "", err
	}
	defer ts.Close()
	llm, err := openai.New()
	if err != nil {
		return "", err
	}
	return answer(ctx, llm, ts, flags.Arg(0), values)
}
