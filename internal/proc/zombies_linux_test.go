package proc

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func TestGroupOfZombiesIsNotAlive(t *testing.T) {
	t.Parallel()
	s := childSpec(t, "exit", "0", "", "")
	cmd := exec.Command(s.Command, s.Args...)
	cmd.Env = Environ(s)
	g, err := startInGroup(cmd)
	require.NoError(t, err)
	// Waits for the exit, but leaves the zombie.
	require.NoError(t, unix.Waitid(unix.P_PID, g.id, nil, unix.WEXITED|unix.WNOWAIT, nil))
	require.NoError(t, syscall.Kill(-g.id, 0), "to the system the group exists")
	assert.True(t, onlyZombies(g.id))

	reapOrphans(g.id)
	assert.ErrorIs(t, syscall.Kill(-g.id, 0), syscall.ESRCH)
	assert.False(t, onlyZombies(g.id), "no members at all")
	assert.False(t, g.alive())
	_ = cmd.Wait() // lets go of the handle; somebody else has reaped the child
}

func TestChildThatSomebodyElseReaped(t *testing.T) {
	t.Parallel()
	p := startChild(t, patient(), "echo")
	_ = p.Stdin().Close()
	// This races with the process's own wait; either may win.
	_, _ = syscall.Wait4(p.PID(), nil, 0, nil)
	<-p.Done()
	_, _, exited := p.Exit()
	assert.True(t, exited)
	assert.Error(t, p.Err())
}

func TestProgramNameThatLooksLikeAState(t *testing.T) {
	t.Parallel()
	s := childSpec(t, "deaf")
	path := filepath.Join(t.TempDir(), "a) Z 1 (b) X")
	require.NoError(t, os.Symlink(s.Command, path))
	s.Command = path
	p := startSpec(t, quick(), s)
	require.Equal(t, "ready", readLine(t, p.Stdout()))

	state, pgrp, ok := processState(strconv.Itoa(p.PID()))
	require.True(t, ok)
	assert.Equal(t, p.PID(), pgrp)
	assert.NotEqual(t, byte('Z'), state)
	assert.False(t, onlyZombies(p.PID()))
	assert.True(t, p.group.alive())

	_, _, ok = processState("0")
	assert.False(t, ok)
}
