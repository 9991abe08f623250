package integration

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// Children that print, read and die as they should not, as an agent sees it.

// plainTools are the definitions of plain tools.
func plainTools(names ...string) []json.RawMessage {
	var all []json.RawMessage
	for _, name := range names {
		all = append(all, json.RawMessage(`{"name":"`+name+`","inputSchema":{"type":"object"}}`))
	}
	return all
}

func TestE5_AnAnswerOfAChildThatCannotBeUsedIsSaidAtOnce(t *testing.T) {
	t.Parallel()
	answers := map[string]struct{ raw, says string }{
		"nan":     {`{"jsonrpc":"2.0","id":$id,"result":{"x":NaN}}`, "cannot be used"},
		"deep":    {`{"jsonrpc":"2.0","id":$id,"result":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`, "nested too deeply"},
		"neither": {`{"jsonrpc":"2.0","id":$id}`, "neither a result nor an error"},
		"code":    {`{"jsonrpc":"2.0","id":$id,"error":{"code":"E_LIMIT","message":"too many cities"}}`, `too many cities (code "E_LIMIT")`},
		"digits":  {`{"jsonrpc":"2.0","id":$id,"error":{"code":-32000,"message":"no","data":{"id":7960607143101464577}}}`, "7960607143101464577"},
		"batch":   {`[{"jsonrpc":"2.0","id":$id,"error":{"code":-32000,"message":"in a batch"}}]`, "in a batch"},
	}
	script := mcptest.Script{Tools: plainTools("fine")}
	for name, a := range answers {
		script.Tools = append(script.Tools, plainTools(name)...)
		script.Rules = append(script.Rules, mcptest.Rule{Tool: name, Raw: a.raw + "\n"})
	}
	c := mcptest.Run(t, script)
	ts := open(t, child(c).CallTimeout(toolsetPatience))
	for name, a := range answers {
		text := call(t, ts, name, "{}")
		assert.True(t, strings.HasPrefix(text, "Error:"), text)
		assert.Contains(t, text, a.says, name)
		assert.Equal(t, 1, c.Received.Count(mcptest.CallOf(name)), name)
	}
	assert.Contains(t, call(t, ts, "fine", "{}"), "fine got {}")
	assert.Equal(t, 1, c.Started.Count())
}

// toolsetPatience is a limit that no call here may reach.
const toolsetPatience = time.Minute

func TestO72_AnswersOfAChildHoweverTheyArePrinted(t *testing.T) {
	t.Parallel()
	const result = `{"content":[{"type":"text","text":"Paris"}]}`
	forms := map[string]string{
		"text_id": `{"jsonrpc":"2.0","id":"$id","result":` + result + `}`,
		"float":   `{"jsonrpc":"2.0","id":$id.0,"result":` + result + `}`,
		"pretty":  "{\n  \"jsonrpc\": \"2.0\",\n  \"id\": $id,\n  \"result\": {\n    \"content\": [\n      " + `{"type":"text","text":"Paris"}` + "\n    ]\n  }\n}",
		"batch":   `[{"jsonrpc":"2.0","id":$id,"result":` + result + `}]`,
		"noise":   "working...\n\n[INFO] done\r\n> " + `{"jsonrpc":"2.0","id":$id,"result":` + result + `}`,
		"glued":   `{"jsonrpc":"2.0","method":"notifications/x"}{"jsonrpc":"2.0","id":$id,"result":` + result + `}`,
		"mark":    "\uFEFF" + `{"jsonrpc":"2.0","id":$id,"result":` + result + "}\r",
	}
	script := mcptest.Script{Stdout: "\uFEFFServer v1 listening on stdio\n{ready}\n"}
	for name, raw := range forms {
		script.Tools = append(script.Tools, plainTools(name)...)
		script.Rules = append(script.Rules, mcptest.Rule{Tool: name, Raw: raw + "\n"})
	}
	ts := open(t, child(mcptest.Run(t, script)).CallTimeout(toolsetPatience))
	for name := range forms {
		assert.Equal(t, "Paris", call(t, ts, name, "{}"), name)
	}
}

func TestF8_TheModelLearnsWhetherAChildTookTheCall(t *testing.T) {
	t.Parallel()
	c := mcptest.Run(t, mcptest.Script{Tools: plainTools("stop", "book"), Rules: []mcptest.Rule{{Tool: "stop", Deaf: true}}})
	ts := open(t, child(c).CallTimeout(200*time.Millisecond))
	require.Contains(t, call(t, ts, "stop", "{}"), "stop got")

	// The limit may pass before the pipe was given anything. Once it took some of
	// what it cannot hold, it takes nothing else.
	torn := `{"text":"` + strings.Repeat("x", 1<<20) + `"}`
	eventually(t, "the pipe took some of it", func() bool {
		text := call(t, ts, "book", torn)
		assert.Contains(t, text, "call limit of 200ms")
		return strings.Contains(text, "Whether the tool ran is unknown.")
	})

	_, err := ts.CallTool(t.Context(), "book", nil)
	var failed *toolset.Error
	require.ErrorAs(t, err, &failed)
	assert.True(t, failed.Repeatable(), "not a byte of it was written: %v", failed)
	text := call(t, ts, "book", "{}")
	assert.Contains(t, text, "call limit of 200ms")
	assert.NotContains(t, text, "unknown")

	process, err := os.FindProcess(c.Started.All()[0])
	require.NoError(t, err)
	require.NoError(t, process.Kill())
	eventually(t, "the next child books", func() bool { return strings.Contains(call(t, ts, "book", "{}"), "book got {}") })
	assert.Equal(t, 2, c.Started.Count())
}
