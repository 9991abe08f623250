package mcptest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// process is a child under the test's hands.
type process struct {
	t      *testing.T
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout *bufio.Reader
	stderr *strings.Builder
}

func startChild(t *testing.T, c *Child) *process {
	t.Helper()
	p := &process{t: t, cmd: exec.Command(c.Command, c.Args...), stderr: new(strings.Builder)}
	p.cmd.Env = c.Environ()
	p.cmd.Stderr = p.stderr
	var err error
	p.stdin, err = p.cmd.StdinPipe()
	require.NoError(t, err)
	stdout, err := p.cmd.StdoutPipe()
	require.NoError(t, err)
	p.stdout = bufio.NewReader(stdout)
	require.NoError(t, p.cmd.Start())
	t.Cleanup(func() { _ = p.cmd.Process.Kill(); _ = p.cmd.Wait() })
	assert.Equal(t, p.cmd.Process.Pid, c.Started.Wait(t))
	return p
}

func (p *process) send(line string) {
	p.t.Helper()
	_, err := io.WriteString(p.stdin, line+"\n")
	require.NoError(p.t, err)
}

func (p *process) line() string {
	p.t.Helper()
	line, err := p.stdout.ReadString('\n')
	require.NoError(p.t, err)
	return strings.TrimSuffix(line, "\n")
}

// exit waits for the end and returns the code.
func (p *process) exit() int {
	p.t.Helper()
	_, err := io.Copy(io.Discard, p.stdout)
	require.NoError(p.t, err)
	_ = p.cmd.Wait()
	return p.cmd.ProcessState.ExitCode()
}

func TestScriptByDefaultIsAPlainServer(t *testing.T) {
	t.Parallel()
	child := Run(t, Script{Tools: []json.RawMessage{json.RawMessage(`{"name":"t","inputSchema":{"type":"object"}}`)}})
	target := &Target{Kind: Stdio, Child: child}
	c, info := connect(t, link(t, target))
	assert.Equal(t, "raw", info.ServerInfo.Name)
	list, err := c.ListTools(t.Context(), mcp.ListToolsRequest{})
	require.NoError(t, err)
	assert.Len(t, list.Tools, 1)
	assert.Equal(t, `t got {"a":1}`, text(t, call(t, c, "t", map[string]any{"a": 1})))
	child.Received.Wait(t, CallOf("t"))
	require.NoError(t, c.Close())
	child.EOF.Wait(t)
}

func TestScriptRules(t *testing.T) {
	t.Parallel()
	child := Run(t, Script{Rules: []Rule{
		{Method: "tools/call", Tool: "a", Nth: 2, Error: json.RawMessage(`{"code":-1,"message":"second"}`)},
		{Method: "tools/call", Tool: "a", Before: []string{`{"for":$id}`}, Result: Text("any")},
		{Method: "silent", Silent: true},
		{Method: "raw", Raw: "$id is no JSON\n"},
		{Method: "late", Hold: "later", Result: Text("late")},
		{Method: "die", Stderr: "last words", Exit: Code(3)},
	}})
	p := startChild(t, child)
	ask := func(id, method, params string) {
		p.send(`{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":` + params + `}`)
	}

	ask(`"x"`, "tools/call", `{"name":"a"}`)
	assert.Equal(t, `{"for":"x"}`, p.line())
	assert.JSONEq(t, `{"jsonrpc":"2.0","id":"x","result":{"content":[{"type":"text","text":"any"}]}}`, p.line())
	ask("2", "tools/call", `{"name":"a"}`)
	assert.JSONEq(t, `{"jsonrpc":"2.0","id":2,"error":{"code":-1,"message":"second"}}`, p.line())
	ask("3", "late", `{}`)
	ask("4", "silent", `{}`)
	ask("5", "raw", `{}`)
	assert.Equal(t, "5 is no JSON", p.line(), "what is held or silent holds up nothing")
	child.Release("later")
	assert.Contains(t, p.line(), `"id":3`)
	p.send("no JSON at all")
	child.Received.Wait(t, func(r Received) bool { return string(r.Raw) == "no JSON at all" })
	ask("6", "unknown", `{}`)
	assert.Contains(t, p.line(), "-32601")
	ask("7", "die", `{}`)
	assert.Equal(t, 3, p.exit())
	assert.Equal(t, "last words", p.stderr.String())
}

func TestNthCountsWhatNoEarlierRuleTook(t *testing.T) {
	t.Parallel()
	says := func(text string) json.RawMessage { return json.RawMessage(`{"says":"` + text + `"}`) }
	p := startChild(t, Run(t, Script{Rules: []Rule{
		{Method: "a", Nth: 2, Result: says("the second")},
		{Method: "a", Nth: 2, Result: says("the second of the others")},
		{Method: "a", Result: says("any")},
	}}))
	for i, want := range []string{"any", "the second", "the second of the others", "any"} {
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"a"}`, i))
		assert.Contains(t, p.line(), `"`+want+`"`, i)
	}
}

func TestScriptStart(t *testing.T) {
	t.Parallel()
	p := startChild(t, Run(t, Script{Stdout: "\ufeffno line ending", Stderr: "missing API_TOKEN\n", StderrBytes: 1000, Exit: Code(7)}))
	out, err := io.ReadAll(p.stdout)
	require.NoError(t, err)
	assert.Equal(t, "\ufeffno line ending", string(out))
	assert.Equal(t, 7, p.exit())
	assert.True(t, strings.HasPrefix(p.stderr.String(), "missing API_TOKEN\neee"))
	assert.Equal(t, 18+1000, p.stderr.Len())
}

func TestChildMayBeStartedAgain(t *testing.T) {
	t.Parallel()
	child := Command(t, Legacy(), Tools("slow", "environ"))
	for n := range 3 {
		c, _ := connect(t, link(t, &Target{Kind: Stdio, Child: child}))
		assert.Contains(t, text(t, call(t, c, "environ", nil)), childEnv)
		require.NoError(t, c.Close())
		assert.Len(t, child.EOF.WaitN(t, n+1), n+1)
	}
	pids := child.Started.WaitN(t, 3)
	assert.NotEqual(t, pids[0], pids[1])
	assert.Equal(t, pids[2], child.Calls.WaitN(t, 3)[2].PID)

	child.Release("")
	c, _ := connect(t, link(t, &Target{Kind: Stdio, Child: child}))
	assert.Equal(t, "released", text(t, call(t, c, "slow", nil)), "what was released is so for later processes")
}
