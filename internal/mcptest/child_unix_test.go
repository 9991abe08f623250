//go:build unix

package mcptest

import (
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestScriptThatWillNotEnd(t *testing.T) {
	t.Parallel()
	child := Run(t, Script{IgnoreEOF: true, IgnoreTerm: true, Grandchild: true})
	p := startChild(t, child)
	grandchild := child.Grandchildren.Wait(t)
	t.Cleanup(func() { _ = syscall.Kill(grandchild, syscall.SIGKILL) })
	require.NoError(t, p.stdin.Close())
	child.EOF.Wait(t)
	require.NoError(t, p.cmd.Process.Signal(syscall.SIGTERM))
	assert.NoError(t, syscall.Kill(p.cmd.Process.Pid, 0))
	assert.NoError(t, syscall.Kill(grandchild, 0))
	require.NoError(t, syscall.Kill(grandchild, syscall.SIGKILL)) // it holds the pipes
	require.NoError(t, p.cmd.Process.Kill())
}

func TestDeafScript(t *testing.T) {
	t.Parallel()
	child := Run(t, Script{Rules: []Rule{{Method: "stop", Raw: "stopped\n", Deaf: true}}})
	p := startChild(t, child)
	p.send(`{"jsonrpc":"2.0","id":1,"method":"stop"}`)
	assert.Equal(t, "stopped", p.line())
	p.send(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	require.NoError(t, p.stdin.Close())
	assert.Equal(t, 1, child.Received.Count(), "nothing more is read")
	assert.Zero(t, child.EOF.Count())

	deaf := startChild(t, Run(t, Script{Deaf: true}))
	require.NoError(t, deaf.stdin.Close())
}
