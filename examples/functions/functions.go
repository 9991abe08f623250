// readme: functions

// Command functions asks one question of an agent that calls the tools of an
// MCP server by the model's own function calling.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/tmc/langchaingo/agents"
	"github.com/tmc/langchaingo/chains"
	"github.com/tmc/langchaingo/llms/openai"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/toolset"
)

func main() {
	answer, err := ask(context.Background(), "What is 2 plus 3?")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer)
}

func ask(ctx context.Context, question string) (string, error) {
	cfg, err := config.NewStdio("npx", "-y", "@modelcontextprotocol/server-everything").Build()
	if err != nil {
		return "", err
	}
	ts, err := toolset.New(cfg)
	if err != nil {
		return "", err
	}
	defer ts.Close()

	tools, err := ts.Tools(ctx)
	if err != nil {
		return "", err
	}
	llm, err := openai.New() // reads OPENAI_API_KEY
	if err != nil {
		return "", err
	}
	agent := agents.NewOpenAIFunctionsAgent(toolset.Bind(llm, tools), tools)
	return chains.Run(ctx, agents.NewExecutor(agent), question)
}

// readme end
