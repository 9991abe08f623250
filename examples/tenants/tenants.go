// Command tenants is a web server with many users, each of whom an agent serves
// through one MCP server with the user's own token.
//
//	MCP_URL=https://host/mcp USERS=users.json OPENAI_API_KEY=… go run ./examples/tenants
//	curl -H "Authorization: Bearer key-of-alice" -d "What is on my list?" localhost:8080
//
// USERS names a file that says who signs in with which key:
//
//	{"key-of-alice": {"id": "alice", "token": "her token for the MCP server"}}
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"

	"github.com/tmc/langchaingo/agents"
	"github.com/tmc/langchaingo/chains"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/openai"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// readme: tenants

// user is who a request comes from. Its token may be renewed, its id stays.
type user struct{ id, token string }

type userKey struct{}

func newToolset(url string) (*toolset.Toolset, error) {
	cfg, err := config.NewStreamableHTTP(url).Build()
	if err != nil {
		return nil, err
	}
	return toolset.New(cfg, toolset.WithHeaderProvider(headers), toolset.WithIdentity(identity))
}

// headers is asked once for each listing and each call, with its context.
func headers(ctx context.Context) (http.Header, error) {
	u, ok := ctx.Value(userKey{}).(user)
	if !ok {
		return nil, errors.New("no user in the context")
	}
	return http.Header{"Authorization": {"Bearer " + u.token}}, nil
}

// identity keeps a user's session when the token is renewed.
func identity(ctx context.Context, _ http.Header) string {
	u, _ := ctx.Value(userKey{}).(user)
	return u.id
}

func (s *service) ask(ctx context.Context, u user, question string) (string, error) {
	ctx = context.WithValue(ctx, userKey{}, u)
	tools, err := s.toolset.Tools(ctx) // one toolset for all users
	if err != nil {
		return "", err
	}
	agent := agents.NewOpenAIFunctionsAgent(toolset.Bind(s.model, tools), tools)
	return chains.Run(ctx, agents.NewExecutor(agent), question)
}

// readme end

// service answers the questions of users.
type service struct {
	toolset *toolset.Toolset
	model   llms.Model
	// signIn tells who a key belongs to.
	signIn func(key string) (user, bool)
}

// ServeHTTP takes a question as the body of a request and answers it.
func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	key, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	u, ok := s.signIn(key)
	if !ok {
		http.Error(w, "sign in first", http.StatusUnauthorized)
		return
	}
	question, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 64<<10))
	if err != nil {
		http.Error(w, "the question cannot be read", http.StatusBadRequest)
		return
	}
	answer, err := s.ask(r.Context(), u, string(question))
	if err != nil {
		log.Printf("a question of %s: %v", u.id, err) // holds no token
		http.Error(w, "no answer", http.StatusBadGateway)
		return
	}
	fmt.Fprintln(w, answer)
}

func main() {
	if err := run(os.Getenv("MCP_URL"), os.Getenv("USERS")); err != nil {
		log.Fatal(err)
	}
}

func run(url, file string) error {
	users, err := readUsers(file)
	if err != nil {
		return err
	}
	ts, err := newToolset(url)
	if err != nil {
		return err
	}
	defer ts.Close()
	model, err := openai.New()
	if err != nil {
		return err
	}
	return http.ListenAndServe("localhost:8080", &service{toolset: ts, model: model, signIn: users})
}

// readUsers makes a directory of a file.
func readUsers(file string) (func(key string) (user, bool), error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var known map[string]struct{ ID, Token string }
	if err := json.Unmarshal(text, &known); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return func(key string) (user, bool) {
		u, ok := known[key]
		return user{u.ID, u.Token}, ok
	}, nil
}
