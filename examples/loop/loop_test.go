package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/openai"
	"github.com/tmc/langchaingo/tools"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/examples/internal/openaitest"
	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/toolset"
)

func TestMain(m *testing.M) { mcptest.Main(m) }

// serverTools are those of a real server in a child process.
func serverTools(t *testing.T) []tools.Tool {
	t.Helper()
	child := mcptest.Command(t, mcptest.Tools("add", "fail"))
	cfg, err := config.NewStdio(child.Command, child.Args...).Envs(child.Env).Build()
	require.NoError(t, err)
	ts, err := toolset.New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, ts.Close()) })
	found, err := ts.Tools(t.Context())
	require.NoError(t, err)
	return found
}

func TestTheLoopGoesOnUntilTheModelIsDone(t *testing.T) {
	api := openaitest.Serve(t,
		openaitest.Call("add", `{"a":2,"b":3}`),
		openaitest.Call("add", `{"a":9007199254740993,"b":1}`),
		openaitest.Call("fail", `{"message":"no such city"}`),
		openaitest.Say(func(r openaitest.Request) string {
			var observed []string
			for _, message := range r.Messages {
				if message.Role == "tool" {
					observed = append(observed, message.Text())
				}
			}
			return strings.Join(observed, "; ")
		}),
	)
	llm, err := openai.New()
	require.NoError(t, err)
	answer, err := converse(t.Context(), llm, serverTools(t), "What is 2 plus 3?")
	require.NoError(t, err)
	assert.Equal(t, "5; 9007199254740994; Error: no such city", answer)
	require.Len(t, api.Requests(), 4)
	assert.Len(t, api.Requests()[0].Tools, 2)
}

func TestSeveralCallsOfOneTurnAreAllAnswered(t *testing.T) {
	t.Parallel()
	both := mcptest.Turn{Calls: []llms.ToolCall{
		{FunctionCall: &llms.FunctionCall{Name: "add", Arguments: `{"a":2,"b":3}`}},
		{FunctionCall: &llms.FunctionCall{Name: "add", Arguments: `{"a":4,"b":5}`}},
	}}
	model := mcptest.NewModel(both, mcptest.Say("5 and 9"))
	answer, err := converse(t.Context(), model, serverTools(t), "What is 2 plus 3, and 4 plus 5?")
	require.NoError(t, err)
	assert.Equal(t, "5 and 9", answer)

	var observed []string
	for _, message := range model.Asked.All()[1].Messages {
		if response, ok := message.Parts[0].(llms.ToolCallResponse); ok {
			observed = append(observed, response.Content)
		}
	}
	assert.Equal(t, []string{"5", "9"}, observed)
}

func TestAModelThatCallsForEverIsStopped(t *testing.T) {
	t.Parallel()
	turns := make([]mcptest.Turn, maxTurns+1)
	for i := range turns {
		turns[i] = mcptest.Use("add", `{"a":2,"b":3}`)
	}
	model := mcptest.NewModel(turns...)
	_, err := converse(t.Context(), model, serverTools(t), "What is 2 plus 3?")
	assert.ErrorContains(t, err, "does not come to an end")
	assert.Equal(t, 1, model.Rest())
}

func TestTheWholeProgramRuns(t *testing.T) {
	openaitest.Serve(t, openaitest.Say(func(openaitest.Request) string { return "5 and 9" }))
	child := mcptest.Command(t, mcptest.Tools("add"))
	// A child gets a minimal environment, so env sets what this one needs.
	env, err := exec.LookPath("env")
	if err != nil {
		t.Skip("there is no command env here")
	}
	var command []string
	for name, value := range child.Env {
		command = append(command, name+"="+value)
	}
	command = append(append(command, child.Command), child.Args...)
	require.NoError(t, run(t.Context(), env, command...))
}
