// Command mrkl asks one question of an agent that works by text alone (MRKL),
// for models without function calling. The server is reached over HTTP.
//
//	MCP_URL=https://host/mcp MCP_TOKEN=… OPENAI_API_KEY=… go run ./examples/mrkl "What is the weather in Oslo?"
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/tmc/langchaingo/agents"
	"github.com/tmc/langchaingo/chains"
	"github.com/tmc/langchaingo/llms/openai"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/filter"
	"github.com/mcptoolset/mcptoolset/toolset"
)

func main() {
	answer, err := ask(context.Background(), os.Getenv("MCP_URL"), os.Getenv("MCP_TOKEN"), strings.Join(os.Args[1:], " "))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer)
}

// readme: mrkl

func ask(ctx context.Context, url, token, question string) (string, error) {
	cfg, err := config.NewStreamableHTTP(url).
		Header("Authorization", "Bearer "+token).
		Filter(filter.Match("get_*", "search_*")). // the server's own names
		Build()
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
	llm, err := openai.New()
	if err != nil {
		return "", err
	}
	// No Bind: a text agent reads the arguments in the tool's description.
	return chains.Run(ctx, agents.NewExecutor(agents.NewOneShotAgent(llm, tools)), question)
}

// readme end
