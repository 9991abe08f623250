package oauth_test

import (
	"context"
	"fmt"
	"log"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/oauth"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// A command line asks its user in the browser, once; the next run finds the
// token in the file.
func ExampleNewTransport() {
	const url = "https://desk.example/mcp"
	auth, err := oauth.NewTransport(oauth.Config{
		ServerURL: url,
		AuthorizationCode: &oauth.AuthorizationCode{
			Registration: &oauth.Registration{ClientName: "Travel desk"},
			Prompt:       &oauth.Loopback{},
		},
		Store: oauth.NewFileStore("/tmp/travel-desk/tokens.json"),
	})
	if err != nil {
		log.Fatal(err)
	}
	defer auth.Close()
	cfg, err := config.NewStreamableHTTP(url).HTTPClient(auth.Client()).Build()
	if err != nil {
		log.Fatal(err)
	}
	ts, err := toolset.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	defer ts.Close()
	fmt.Println(auth)
	// Output: oauth.Transport for https://desk.example/mcp
}

// A server sends its user to the page and returns what came back.
func ExamplePrompt() {
	prompt := oauth.Prompt(func(_ context.Context, page string) (string, error) {
		return "https://app.example/callback?code=1&state=2", nil
	})
	fmt.Println(prompt(context.Background(), "https://login.example/authorize"))
	// Output: https://app.example/callback?code=1&state=2 <nil>
}
