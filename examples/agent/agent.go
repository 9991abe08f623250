// Command agent holds a conversation: each line of its input is a question,
// which an agent answers with the tools of an MCP server.
//
//	MCP_URL=https://host/mcp go run ./examples/agent
package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/tmc/langchaingo/agents"
	"github.com/tmc/langchaingo/chains"
	"github.com/tmc/langchaingo/llms/openai"
	"github.com/tmc/langchaingo/memory"

	"github.com/mcptoolset/mcptoolset/agent"
	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/toolset"
)

func main() {
	if err := converse(context.Background(), os.Getenv("MCP_URL"), os.Stdin, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func converse(ctx context.Context, url string, in io.Reader, out io.Writer) error {
	cfg, err := config.NewStreamableHTTP(url).Build()
	if err != nil {
		return err
	}
	ts, err := toolset.New(cfg)
	if err != nil {
		return err
	}
	defer ts.Close()

	executor, err := newExecutor(ctx, ts)
	if err != nil {
		return err
	}
	questions := bufio.NewScanner(in)
	for questions.Scan() {
		answer, err := chains.Run(ctx, executor, questions.Text())
		if err != nil {
			return err
		}
		fmt.Fprintln(out, answer)
	}
	return questions.Err()
}

// readme: agent

// newExecutor makes LangChainGo's Executor with an agent that knows what was
// said before.
func newExecutor(ctx context.Context, ts *toolset.Toolset) (*agents.Executor, error) {
	tools, err := ts.Tools(ctx)
	if err != nil {
		return nil, err
	}
	info, err := ts.ServerInfo(ctx)
	if err != nil {
		return nil, err
	}
	llm, err := openai.New() // reads OPENAI_API_KEY
	if err != nil {
		return nil, err
	}
	history := memory.NewChatMessageHistory()
	assistant := agent.New(llm, tools,
		agent.WithSystemMessage("You work at a travel desk. Be brief."),
		agent.WithInstructions(info), // the server's own words, quoted
		agent.WithHistory(history.Messages))
	return agents.NewExecutor(assistant,
		agents.WithMemory(memory.NewConversationBuffer(memory.WithChatHistory(history)))), nil
}

// readme end
