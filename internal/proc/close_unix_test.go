//go:build unix

package proc

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// assertGone asserts that no process has this id; a zombie of somebody else's
// does not count.
func assertGone(t *testing.T, pid int) {
	t.Helper()
	err := syscall.Kill(pid, 0)
	if err == nil && runtime.GOOS == "linux" {
		stat, readErr := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if readErr != nil || bytes.Contains(stat, []byte(") Z ")) {
			return
		}
	}
	assert.ErrorIs(t, err, syscall.ESRCH, "process %d is left", pid)
}

func TestO71_ChildThatHasToBeEnded(t *testing.T) {
	t.Parallel()
	for behaviour, want := range map[string]string{"deaf": "SIGTERM", "stubborn": "SIGKILL"} {
		t.Run(behaviour, func(t *testing.T) {
			t.Parallel()
			l := quick()
			if want == "SIGTERM" {
				l.termGrace = time.Hour
			}
			p := startChild(t, l, behaviour)
			require.Equal(t, "ready", readLine(t, p.Stdout()))
			require.NoError(t, p.Close())
			code, signal, exited := p.Exit()
			assert.True(t, exited)
			assert.Equal(t, -1, code)
			assert.Equal(t, want, signal)
			assert.ErrorContains(t, p.Err(), "was ended by "+want)
			assert.ErrorIs(t, syscall.Kill(p.PID(), 0), syscall.ESRCH, "not even a zombie")
		})
	}
}

func TestMS13_GrandchildrenEndWithTheGroup(t *testing.T) {
	t.Parallel()
	for _, behaviour := range []string{"parent", "wrapper", "holder"} {
		t.Run(behaviour, func(t *testing.T) {
			t.Parallel()
			p := startChild(t, quick(), behaviour, "stubborn")
			if behaviour == "holder" {
				require.Equal(t, "ready", readLine(t, p.Stdout()))
			}
			pid := readPID(t, p.Stdout())
			if behaviour != "parent" {
				<-p.Done() // it dies first
			}
			require.NoError(t, syscall.Kill(pid, 0), "the grandchild lives")
			require.NoError(t, p.Close())
			assertGone(t, pid)
			assertGone(t, p.PID())
		})
	}
}

func TestMS13_ShellThatStartsAServer(t *testing.T) {
	t.Parallel()
	s := childSpec(t, "deaf")
	s.Command, s.Args = "sh", []string{"-c", `"$0" & echo $!; wait`, s.Command}
	p := startSpec(t, quick(), s)
	pid := readPID(t, p.Stdout())
	require.Equal(t, "ready", readLine(t, p.Stdout()))
	require.NoError(t, p.Close())
	assertGone(t, pid)
}

func TestExitedChildIsReapedAtOnce(t *testing.T) {
	t.Parallel()
	p := startChild(t, patient(), "exit", "0", "", "")
	<-p.Done()
	assert.ErrorIs(t, syscall.Kill(p.PID(), 0), syscall.ESRCH)
	assert.False(t, p.group.alive())
	assert.True(t, p.group.empty.Load(), "an id that is free is never signalled again")
}

func TestSignalFromOutside(t *testing.T) {
	t.Parallel()
	p := startChild(t, patient(), "deaf")
	require.Equal(t, "ready", readLine(t, p.Stdout()))
	require.NoError(t, syscall.Kill(p.PID(), syscall.SIGKILL))
	<-p.Done()
	code, signal, _ := p.Exit()
	assert.Equal(t, -1, code)
	assert.Equal(t, "SIGKILL", signal)
}

func TestChildHasAGroupOfItsOwn(t *testing.T) {
	t.Parallel()
	p := startChild(t, patient(), "echo")
	pgid, err := syscall.Getpgid(p.PID())
	require.NoError(t, err)
	assert.Equal(t, p.PID(), pgid)
}

func TestO63_NoDescriptorIsLeft(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("counts /proc/self/fd")
	}
	open := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		require.NoError(t, err)
		return len(entries)
	}
	use := func(behaviour string, args ...string) {
		p, err := start(childSpec(t, behaviour, args...), quick())
		require.NoError(t, err)
		_, _ = p.WriteFrame([]byte("x\n"))
		require.NoError(t, p.Close())
	}
	use("echo") // what the runtime opens once
	before := open()
	use("echo")
	use("stubborn")
	use("exit", "1", "x", "y")
	use("wrapper", "stubborn")
	_, err := Start(Spec{Command: "no-such-command-here"})
	require.Error(t, err)
	notProgram := filepath.Join(t.TempDir(), "text")
	require.NoError(t, os.WriteFile(notProgram, []byte("\x00\x01"), 0o755))
	_, err = Start(Spec{Command: notProgram})
	require.Error(t, err)
	assert.True(t, errors.Is(err, syscall.ENOEXEC), "%v", err)
	assert.Equal(t, before, open())
}

func TestF9_WhatCannotBeEndedIsAnError(t *testing.T) {
	t.Parallel()
	l := quick()
	l.killGrace = time.Millisecond
	p, err := start(childSpec(t, "stubborn"), l)
	require.NoError(t, err)
	require.Equal(t, "ready", readLine(t, p.Stdout()))
	p.group.empty.Store(true) // no signal is sent, as if none were allowed

	err = p.Close()
	require.ErrorIs(t, err, ErrNotEnded)
	assert.ErrorContains(t, err, p.Command())
	require.ErrorIs(t, p.Close(), ErrNotEnded, "every call returns the same")

	p.group.empty.Store(false)
	p.group.kill()
	<-p.idle
	assertGone(t, p.PID())
}

func TestChildThatClosesItsStdinLivesOn(t *testing.T) {
	t.Parallel()
	p := startChild(t, quick(), "closestdin")
	require.Equal(t, "ready", readLine(t, p.Stdout()))
	f, err := p.WriteFrame([]byte("x"))
	require.NoError(t, err)
	<-p.in.finished
	assert.True(t, f.Withdraw())
	_, err = p.WriteFrame([]byte("y"))
	assert.ErrorIs(t, err, ErrExited)
	assert.NoError(t, p.Err(), "it is still running")
}
