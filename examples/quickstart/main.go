// Command quickstart shows a LangChainGo agent at work with the tools of an
// MCP server: the tools it finds, each call with its arguments, each
// observation and the answer.
//
//	go run ./examples/quickstart
//	go run ./examples/quickstart -question "…" -- npx -y @modelcontextprotocol/server-everything
//	go run ./examples/quickstart -question "…" -url https://host/mcp
//
// Without a server it starts one of its own, as a child process. Without
// OPENAI_API_KEY the model is a stand-in that needs no network; with it, the
// model is OpenAI's (OPENAI_BASE_URL and MODEL choose another).
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/tmc/langchaingo/agents"
	"github.com/tmc/langchaingo/chains"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// asServer is the argument that makes this program the demo's MCP server.
const asServer = "serve-demo"

const defaultQuestion = "What is 1234.5 times 8, and how warm are 20 degrees celsius in fahrenheit?"

func main() {
	if len(os.Args) == 2 && os.Args[1] == asServer {
		if err := serve(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	switch err := run(ctx, os.Args[1:], os.Stdout); {
	case err == nil, errors.Is(err, flag.ErrHelp):
	case ctx.Err() != nil:
		fmt.Println("\nstopped")
	default:
		fmt.Fprintln(os.Stderr, "quickstart:", err)
		os.Exit(1)
	}
}

// run asks one question and prints the conversation.
func run(ctx context.Context, arguments []string, out io.Writer) (err error) {
	flags := flag.NewFlagSet("quickstart", flag.ContinueOnError)
	question := flags.String("question", defaultQuestion, "what to ask the agent")
	address := flags.String("url", "", "an MCP server's URL (streamable HTTP), in place of a command after --")
	if err := flags.Parse(arguments); err != nil {
		return err
	}
	cfg, err := configure(*address, flags.Args())
	if err != nil {
		return err
	}
	model, name, err := chooseModel()
	if err != nil {
		return err
	}
	conversation := &printer{out: out}
	ts, err := toolset.New(cfg, toolset.WithCallbacksHandler(conversation))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ts.Close()) }()

	info, err := ts.ServerInfo(ctx)
	if err != nil {
		return err
	}
	tools, err := ts.Tools(ctx)
	if err != nil {
		return err
	}
	conversation.begin(info, tools, ts.Report(), name, *question)

	agent := agents.NewOpenAIFunctionsAgent(toolset.Bind(model, tools), tools)
	answer, err := chains.Run(ctx, agents.NewExecutor(agent), *question)
	if err != nil {
		return err
	}
	conversation.answer(answer)
	return nil
}

// configure describes the server asked for: a URL, a command, or
// this program run again.
func configure(address string, command []string) (config.Config, error) {
	switch {
	case address != "" && len(command) > 0:
		return config.Config{}, errors.New("give -url or a command, not both")
	case address != "":
		return config.NewStreamableHTTP(address).Build()
	case len(command) > 0:
		return config.NewStdio(command[0], command[1:]...).Build()
	}
	self, err := os.Executable()
	if err != nil {
		return config.Config{}, err
	}
	return config.NewStdio(self, asServer).Name("demo").Build()
}
