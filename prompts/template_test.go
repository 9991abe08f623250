package prompts_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/agents"
	"github.com/tmc/langchaingo/chains"
	"github.com/tmc/langchaingo/llms"
	lcprompts "github.com/tmc/langchaingo/prompts"

	"github.com/mcptoolset/mcptoolset/agent"
	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/prompts"
	"github.com/mcptoolset/mcptoolset/toolset"
)

func newTemplate(t *testing.T, ts *toolset.Toolset, name string) *prompts.Template {
	t.Helper()
	p, err := prompts.New(t.Context(), ts, name)
	require.NoError(t, err)
	return p
}

func TestH6_ATemplateIsAPromptOfTheServer(t *testing.T) {
	t.Parallel()
	for _, kind := range mcptest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			review := newTemplate(t, open(t, configOf(mcptest.Start(t, kind, mcptest.Setup("prompts")))), "review")
			assert.Equal(t, []string{"code", "language"}, review.GetInputVariables(), "what it requires, in the server's order")
			assert.Equal(t, "Reviews code.", review.Prompt().Description)
			assert.Equal(t, []toolset.PromptArgument{{Name: "code", Required: true}, {Name: "tone"}, {Name: "language", Required: true}}, review.Prompt().Arguments)

			values := map[string]any{"code": hostile, "language": "Go", "input": "a chain's own"}
			const want = "code=" + hostile + "\nlanguage=Go"
			value, err := review.FormatPrompt(values)
			require.NoError(t, err)
			assert.Equal(t, want, value.String())
			assert.Equal(t, []llms.ChatMessage{llms.HumanChatMessage{Content: want}}, value.Messages())
			messages, err := review.FormatMessages(values)
			require.NoError(t, err)
			assert.Equal(t, value.Messages(), messages)
			said, err := review.Format(values)
			require.NoError(t, err)
			assert.Equal(t, want, said)

			values["tone"] = "kind"
			said, err = review.Format(values)
			require.NoError(t, err)
			assert.Equal(t, "code="+hostile+"\nlanguage=Go\ntone=kind", said, "an argument that may be missing is sent if it is there")
		})
	}
}

type word string

type shout struct{ loud string }

func (s shout) MarshalJSON() ([]byte, error) { return json.Marshal(map[string]string{"loud": s.loud}) }

func TestH6_ValuesBecomeText(t *testing.T) {
	t.Parallel()
	p := newTemplate(t, inProcess(t, func(s *server.MCPServer) {
		s.AddPrompt(mcp.NewPrompt("p", mcp.WithArgument("x")), echo)
	}), "p")
	var none *shout
	for want, value := range map[string]any{
		"x=":                     "",
		"x= a ":                  " a ",
		"x=named":                word("named"),
		"x=bytes":                []byte("bytes"),
		"x=9007199254740993":     9007199254740993,
		"x=1.50":                 json.Number("1.50"),
		"x=true":                 true,
		`x=["<a>&",1]`:           []any{"<a>&", 1},
		`x={"a":{"b":null}}`:     map[string]any{"a": map[string]any{"b": nil}},
		`x={"a": 9007199254.10}`: json.RawMessage(`{"a": 9007199254.10}`),
		`x={"loud":"hey"}`:       shout{"hey"},
		"x=2026-01-02T03:04:05Z": time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		"":                       none, // null is no value
	} {
		said, err := p.Format(map[string]any{"x": value})
		require.NoError(t, err)
		if raw, ok := value.(json.RawMessage); ok { // JSON packs it
			want = "x=" + string(compact(t, raw))
		}
		assert.Equal(t, want, said)
	}
	_, err := p.Format(map[string]any{"x": make(chan int)})
	require.ErrorContains(t, err, `argument "x" cannot be written as text`)
	assert.NotErrorIs(t, err, toolset.ErrPromptArguments)
}

func compact(t *testing.T, raw json.RawMessage) []byte {
	t.Helper()
	packed, err := json.Marshal(raw)
	require.NoError(t, err)
	return packed
}

func TestH6_MissingArgumentsAreNamed(t *testing.T) {
	t.Parallel()
	var asked int
	ts := inProcess(t, func(s *server.MCPServer) {
		s.AddPrompt(mcp.NewPrompt("p", mcp.WithArgument("a", mcp.RequiredArgument()), mcp.WithArgument("b"), mcp.WithArgument("c", mcp.RequiredArgument())),
			func(ctx context.Context, r mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
				asked++
				return echo(ctx, r)
			})
	})
	p := newTemplate(t, ts, "p")
	for _, values := range []map[string]any{nil, {"b": "x"}, {"a": nil, "c": (*int)(nil)}} {
		value, err := p.FormatPrompt(values)
		require.ErrorIs(t, err, toolset.ErrPromptArguments)
		assert.ErrorContains(t, err, `it needs "a", "c"`)
		assert.Nil(t, value)
		_, err = p.FormatMessages(values)
		require.ErrorIs(t, err, toolset.ErrPromptArguments)
	}
	assert.Zero(t, asked, "the server was not asked")
	said, err := p.Format(map[string]any{"a": "", "c": 0})
	require.NoError(t, err)
	assert.Equal(t, "a=\nc=0", said, "what is there is not judged")
}

func TestH6_ValuesSetBeforehand(t *testing.T) {
	t.Parallel()
	review := newTemplate(t, inProcess(t, shelf), "review")
	fixed := map[string]any{"language": "Go"}
	ours := review.With(fixed).With(map[string]any{"tone": "kind"})
	fixed["language"] = "C"
	assert.Equal(t, []string{"code"}, ours.GetInputVariables())
	assert.Equal(t, []string{"code", "language"}, review.GetInputVariables(), "a template never changes")
	said, err := ours.Format(map[string]any{"code": "x", "tone": "stern"})
	require.NoError(t, err)
	assert.Equal(t, "code=x\nlanguage=Go\ntone=stern", said, "what is given on use goes before")
}

func TestH6_APromptThatIsNotThere(t *testing.T) {
	t.Parallel()
	_, err := prompts.New(t.Context(), inProcess(t, shelf), "nothing")
	require.ErrorIs(t, err, prompts.ErrNoPrompt)
	assert.ErrorContains(t, err, `"nothing"`)
	assert.ErrorContains(t, err, `"review"`, "those that are there are named")

	_, err = prompts.New(t.Context(), inProcess(t, func(s *server.MCPServer) {
		for i := range 100 {
			s.AddPrompt(mcp.NewPrompt(fmt.Sprintf("p%03d", i)), echo)
		}
	}), "nothing")
	assert.ErrorContains(t, err, "80 more")

	_, err = prompts.New(t.Context(), open(t, config.NewInProcess(server.NewMCPServer("bare", "1"))), "nothing")
	require.ErrorIs(t, err, prompts.ErrNoPrompt)
	_, err = prompts.New(t.Context(), nil, "p")
	assert.ErrorContains(t, err, "no toolset")

	closed := inProcess(t, shelf)
	p := newTemplate(t, closed, "review")
	require.NoError(t, closed.Close())
	_, err = p.Format(map[string]any{"code": "x", "language": "Go"})
	require.ErrorIs(t, err, toolset.ErrClosed)
	_, err = prompts.New(t.Context(), closed, "review")
	require.ErrorIs(t, err, toolset.ErrClosed)
}

type userKey struct{}

// The server says whom it was asked for.
func TestH6_TheContextOfATemplate(t *testing.T) {
	t.Parallel()
	s := mcptest.New(t)
	s.AddPrompt(mcp.NewPrompt("whoami"), func(_ context.Context, r mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return mcp.NewGetPromptResult("", []mcp.PromptMessage{mcp.NewPromptMessage(mcp.RoleUser, mcp.NewTextContent("user "+r.Header.Get("X-User")))}), nil
	})
	ts := open(t, config.NewStreamableHTTP(s.StreamableHTTP(t).URL), toolset.WithHeaderProvider(func(ctx context.Context) (http.Header, error) {
		user, ok := ctx.Value(userKey{}).(string)
		if !ok {
			return nil, fmt.Errorf("no user in the context")
		}
		return http.Header{"X-User": {user}}, nil
	}))
	as := func(user string) context.Context { return context.WithValue(t.Context(), userKey{}, user) }
	p, err := prompts.New(as("ada"), ts, "whoami")
	require.NoError(t, err)

	_, err = p.Format(nil)
	require.ErrorContains(t, err, "no user in the context", "that of New is not kept")
	for _, user := range []string{"bob", "eve"} {
		said, err := p.WithContext(as(user)).Format(nil)
		require.NoError(t, err)
		assert.Equal(t, "user "+user, said)
	}
	value, err := p.Get(as("ada"), nil)
	require.NoError(t, err)
	assert.Equal(t, "user ada", value.String())

	over, cancel := context.WithCancel(as("ada"))
	cancel()
	_, err = p.WithContext(over).Format(nil)
	require.ErrorIs(t, err, context.Canceled)
	var none context.Context
	_, err = p.WithContext(over).WithContext(none).Format(nil)
	assert.ErrorContains(t, err, "no user in the context")
}

func TestH6_AValueOfSeveralMessages(t *testing.T) {
	t.Parallel()
	value, err := newTemplate(t, inProcess(t, shelf), "mixed").Get(t.Context(), nil)
	require.NoError(t, err)
	assert.Contains(t, value.String(), "Human: "+hostile+"\nAI: I see.\nHuman: [image] type: image/png")
	messages, notes := prompts.Messages(value.Result, toolset.ImageBinary)
	assert.Nil(t, notes)
	assert.Equal(t, llms.BinaryPart("image/png", picture), messages[2].Parts[0], "the picture is to be had")

	one := prompts.Value{Result: &toolset.PromptResult{Messages: []toolset.PromptMessage{{Role: "assistant", Content: toolset.Content{Type: "text", Text: "so"}}}}}
	assert.Equal(t, "AI: so", one.String())
}

func TestH6_ATemplateInAChain(t *testing.T) {
	t.Parallel()
	review := newTemplate(t, inProcess(t, shelf), "review").With(map[string]any{"language": "Go"})
	model := mcptest.NewModel(mcptest.Say("looks good"))
	answer, err := chains.Run(t.Context(), chains.NewLLMChain(model, review.WithContext(t.Context())), hostile)
	require.NoError(t, err)
	assert.Equal(t, "looks good", answer)
	assert.Equal(t, text("code="+hostile+"\nlanguage=Go"), model.Asked.All()[0].Messages[0].Parts[0])
}

func TestH6_ATemplateInAnAgent(t *testing.T) {
	t.Parallel()
	review := newTemplate(t, inProcess(t, shelf), "review").With(map[string]any{"code": "x"})
	model := mcptest.NewModel(mcptest.Say("done"))
	assistant := agent.New(model, nil, agent.WithExtraMessages(review))
	assert.Contains(t, assistant.GetInputKeys(), "language")
	outputs, err := chains.Call(t.Context(), agents.NewExecutor(assistant), map[string]any{"input": "go on", "language": "{{.x}}"})
	require.NoError(t, err)
	assert.Equal(t, "done", outputs["output"])
	assert.Equal(t, text("code=x\nlanguage={{.x}}"), model.Asked.All()[0].Messages[0].Parts[0])
}

// LangChainGo's own formatter of several formatters has no ear for errors.
func TestH6_ATemplateAmongLangChainGosTemplates(t *testing.T) {
	t.Parallel()
	review := newTemplate(t, inProcess(t, shelf), "review")
	all := lcprompts.NewChatPromptTemplate([]lcprompts.MessageFormatter{
		lcprompts.NewSystemMessagePromptTemplate("You know {{.language}}.", []string{"language"}), review,
	})
	messages, err := all.FormatMessages(map[string]any{"code": hostile, "language": "Go"})
	require.NoError(t, err)
	assert.Equal(t, []llms.ChatMessage{
		llms.SystemChatMessage{Content: "You know Go."},
		llms.HumanChatMessage{Content: "code=" + hostile + "\nlanguage=Go"},
	}, messages)
}

func TestH6_OneTemplateForManyAtOnce(t *testing.T) {
	t.Parallel()
	review := newTemplate(t, inProcess(t, shelf), "review")
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			said, err := review.With(map[string]any{"language": i}).WithContext(t.Context()).Format(map[string]any{"code": "x"})
			assert.NoError(t, err)
			assert.Equal(t, fmt.Sprint("code=x\nlanguage=", i), said)
		})
	}
	all.Wait()
}
