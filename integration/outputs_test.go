package integration

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// onward is the end of a marker that says how to read on.
var onward = regexp.MustCompile(`continue with (\S+), handle "(\w+)", offset ([0-9]+)\]`)

func TestE6_ReadingOnOverEveryConnection(t *testing.T) {
	t.Parallel()
	for _, kind := range mcptest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			target := mcptest.Start(t, kind, mcptest.Tools("big"))
			found := toolsOf(t, describe(target).MaxOutput(300), toolset.WithReadMore())
			big, more := found[0], found[1]
			out, err := big.Call(t.Context(), `{"n":1000,"text":"é"}`)
			require.NoError(t, err)
			read := strings.Count(out, "é")
			for m := onward.FindStringSubmatch(out); m != nil; m = onward.FindStringSubmatch(out) {
				assert.Equal(t, m[1], more.Name())
				assert.Equal(t, m[3], fmt.Sprint(read))
				out, err = more.Call(t.Context(), fmt.Sprintf(`{"handle":%q,"offset":%s}`, m[2], m[3]))
				require.NoError(t, err)
				assert.LessOrEqual(t, utf8.RuneCountInString(out), 300)
				read += strings.Count(out, "é")
			}
			assert.Equal(t, 1000, read)
		})
	}
}

func TestE6_AnAgentReadsOn(t *testing.T) {
	t.Parallel()
	srv := mcptest.New(t, mcptest.Tools("big"))
	found := toolsOf(t, config.NewInProcess(srv.MCPServer).MaxOutput(300), toolset.WithReadMore())
	first, err := found[0].Call(t.Context(), `{"n":400}`)
	require.NoError(t, err)
	m := onward.FindStringSubmatch(first)
	require.NotNil(t, m)
	model := mcptest.NewModel(
		mcptest.Use("big", `{"n":400}`),
		mcptest.Use(m[1], fmt.Sprintf(`{"handle":%q,"offset":%s}`, m[2], m[3])),
		mcptest.Say("done"),
	)
	assert.Equal(t, "done", runFunctions(t, toolset.Bind(model, found), found))
	seen := observations(model)
	require.Len(t, seen, 2)
	assert.Contains(t, seen[0], "continue with read_more_output")
	assert.Contains(t, seen[1], "this is the end]")
}

func TestE6_CallersOfAChildProcess(t *testing.T) {
	t.Parallel()
	ts := open(t, child(mcptest.Command(t, mcptest.Tools("big"))).MaxOutput(300), toolset.WithReadMore(),
		toolset.WithIdentity(func(ctx context.Context, _ http.Header) string {
			user, _ := ctx.Value(userKey{}).(string)
			return user
		}))
	as := func(user string) context.Context { return context.WithValue(t.Context(), userKey{}, user) }
	found, err := ts.Tools(as("alice"))
	require.NoError(t, err)
	out, err := found[0].Call(as("alice"), `{"n":1000}`)
	require.NoError(t, err)
	m := onward.FindStringSubmatch(out)
	require.NotNil(t, m)
	arguments := fmt.Sprintf(`{"handle":%q,"offset":%s}`, m[2], m[3])
	out, err = found[1].Call(as("bob"), arguments)
	require.NoError(t, err)
	assert.Contains(t, out, "Error: unknown handle")
	out, err = found[1].Call(as("alice"), arguments)
	require.NoError(t, err)
	assert.Contains(t, out, "xxx")
}

// promising is a real server with a tool of an output schema and one that
// answers a file.
func promising() *server.MCPServer {
	s := server.NewMCPServer("promising", "1")
	s.AddTool(mcp.NewTool("weather", mcp.WithRawOutputSchema(json.RawMessage(`{"type":"object","properties":{"temp":{"type":"number"}},"required":["temp"]}`))),
		func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultStructured(map[string]any{"temp": r.GetArguments()["temp"]}, "see below"), nil
		})
	s.AddTool(mcp.NewTool("read", mcp.WithRawOutputSchema(json.RawMessage(`{"type":"object","properties":{"content":{"type":"string"}},"required":["content"]}`))),
		func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultStructured(map[string]any{"content": "a\nfile\n"}, "a\nfile\n"), nil
		})
	return s
}

func TestE2_ARealServerThatBreaksItsPromise(t *testing.T) {
	t.Parallel()
	ts := open(t, config.NewInProcess(promising()))
	for arguments, want := range map[string]string{
		`{"temp":21.5}`: "see below\n\n{\"temp\":21.5}",
		`{"temp":"21"}`: "see below\n\n{\"temp\":\"21\"}\n\nNote: the structured result does not fit the tool's output schema: temp: expected number, got string \"21\"",
	} {
		got, err := named(t, ts, "weather").Call(t.Context(), arguments)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	got, err := named(t, ts, "read").Call(t.Context(), "{}")
	require.NoError(t, err)
	assert.Equal(t, "a\nfile\n", got, "a wrapped text is shown once")
	assert.Len(t, ts.Report().Warnings, 1)
}
