// Command oauth asks one question of an agent with the tools of a server that
// wants its user to sign in.
//
//	OPENAI_API_KEY=… go run ./examples/oauth https://host/mcp "What is on my list?"
//
// The first run opens the browser. Later ones find the token in a file and
// renew it when it is time; -forget removes it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/tmc/langchaingo/agents"
	"github.com/tmc/langchaingo/chains"
	"github.com/tmc/langchaingo/llms/openai"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/oauth"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// signIn returns what authorizes requests to the server at url, with a token at
// hand. It waits for the user as long as ctx lets it.
func signIn(ctx context.Context, url, tokens string, open opener) (*oauth.Transport, error) {
	auth, err := oauth.NewTransport(oauth.Config{
		ServerURL: url,
		AuthorizationCode: &oauth.AuthorizationCode{
			Registration: &oauth.Registration{ClientName: "mcptoolset example"},
			Prompt:       &oauth.Loopback{Open: open},
		},
		Store: oauth.NewFileStore(tokens), // the tokens are not encrypted there
	})
	if err != nil {
		return nil, err
	}
	if err := auth.Authorize(ctx); err != nil {
		auth.Close()
		return nil, err
	}
	return auth, nil
}

// ask has an agent answer the question.
func ask(ctx context.Context, auth *oauth.Transport, url, question string) (string, error) {
	cfg, err := config.NewStreamableHTTP(url).HTTPClient(auth.Client()).Build()
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
	agent := agents.NewOpenAIFunctionsAgent(toolset.Bind(llm, tools), tools)
	return chains.Run(ctx, agents.NewExecutor(agent), question)
}

// opener shows the user the page to sign in on.
type opener = func(ctx context.Context, page string) error

// show prints the page, which is of use where there is no browser, and opens
// it. The user should look at its host: the server chose it.
func show(out io.Writer) opener {
	return func(ctx context.Context, page string) error {
		fmt.Fprintf(out, "Sign in on this page:\n\n  %s\n\n", page)
		if err := oauth.OpenBrowser(ctx, page); err != nil {
			fmt.Fprintln(out, "The browser could not be opened:", err)
		}
		return nil
	}
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	answer, err := run(ctx, os.Args[1:], show(os.Stderr))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer)
}

func run(ctx context.Context, args []string, open opener) (string, error) {
	flags := flag.NewFlagSet("oauth", flag.ContinueOnError)
	tokens := flags.String("tokens", "", "the `file` with the tokens (default: in the user's configuration directory)")
	forget := flags.Bool("forget", false, "forget the tokens of all servers first")
	if err := flags.Parse(args); err != nil {
		return "", err
	}
	if flags.NArg() != 2 {
		return "", errors.New("give the URL of an MCP server, and a question")
	}
	if *tokens == "" {
		dir, err := os.UserConfigDir()
		if err != nil {
			return "", err
		}
		*tokens = filepath.Join(dir, "mcptoolset-example", "tokens.json")
	}
	if *forget {
		if err := os.Remove(*tokens); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	auth, err := signIn(ctx, flags.Arg(0), *tokens, open)
	var failed *oauth.Error
	if errors.As(err, &failed) && failed.Code == "access_denied" {
		return "", errors.New("you did not let this program in; run it again to be asked anew")
	}
	if err != nil {
		return "", err
	}
	defer auth.Close()
	return ask(ctx, auth, flags.Arg(0), flags.Arg(1))
}
