// Command loop is a tool loop written by hand, for those who want to see each
// turn: Definitions tells the model which tools there are, Respond runs what it
// calls.
//
//	OPENAI_API_KEY=… go run ./examples/loop npx -y @modelcontextprotocol/server-everything
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/openai"
	"github.com/tmc/langchaingo/tools"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// readme: loop

func converse(ctx context.Context, llm llms.Model, ts []tools.Tool, question string) (string, error) {
	definitions := toolset.Definitions(ts, toolset.WithModel(llm))
	messages := []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeHuman, question)}
	for range maxTurns {
		response, err := llm.GenerateContent(ctx, messages, llms.WithTools(definitions))
		if err != nil {
			return "", err
		}
		more, err := toolset.Respond(ctx, ts, response, toolset.WithModel(llm)) // runs the calls
		if err != nil {
			return "", err
		}
		if len(more) < 2 { // there were none: the model is done
			return text(more), nil
		}
		messages = append(messages, more...)
	}
	return "", errors.New("the model does not come to an end")
}

// readme end

const maxTurns = 10

func text(messages []llms.MessageContent) string {
	for _, message := range messages {
		for _, part := range message.Parts {
			if said, ok := part.(llms.TextContent); ok {
				return said.Text
			}
		}
	}
	return ""
}

func main() {
	if len(os.Args) < 2 {
		log.Fatal("name the command of an MCP server")
	}
	if err := run(context.Background(), os.Args[1], os.Args[2:]...); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, command string, args ...string) error {
	cfg, err := config.NewStdio(command, args...).Build()
	if err != nil {
		return err
	}
	ts, err := toolset.New(cfg)
	if err != nil {
		return err
	}
	defer ts.Close()
	found, err := ts.Tools(ctx)
	if err != nil {
		return err
	}
	llm, err := openai.New()
	if err != nil {
		return err
	}
	answer, err := converse(ctx, llm, found, "What is 2 plus 3, and what is 4 plus 5?")
	if err != nil {
		return err
	}
	fmt.Println(answer)
	return nil
}
