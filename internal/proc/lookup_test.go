package proc

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// program puts a copy of the test binary's name into dir as an executable.
func program(t *testing.T, dir, name string, mode os.FileMode) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	path := filepath.Join(dir, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\necho here\n"), mode))
	return path
}

func TestCommandIsFoundInTheChildsPath(t *testing.T) {
	t.Parallel()
	one, two := t.TempDir(), t.TempDir()
	tool := program(t, two, "proc-test-tool", 0o755)
	path := func(dirs ...string) Spec {
		list := ""
		for _, d := range dirs {
			list += d + string(filepath.ListSeparator)
		}
		return Spec{Command: "proc-test-tool", Env: map[string]string{"PATH": list}}
	}

	got, err := findCommand(path(one, two), Environ(path(one, two)))
	require.NoError(t, err)
	assert.Equal(t, tool, got)

	_, err = findCommand(path(one), Environ(path(one)))
	assert.ErrorIs(t, err, exec.ErrNotFound)

	_, err = findCommand(path("", ".", "relative"), Environ(path("", ".", "relative")))
	assert.ErrorIs(t, err, exec.ErrNotFound, "relative entries are skipped")

	s := Spec{Command: "sh", Env: map[string]string{"PATH": ""}}
	_, err = findCommand(s, Environ(s))
	assert.ErrorIs(t, err, exec.ErrNotFound, "a PATH that was emptied on purpose stays empty")
}

func TestCommandWithoutPermission(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no permission to execute")
	}
	one, two := t.TempDir(), t.TempDir()
	program(t, one, "proc-test-tool", 0o644)
	s := Spec{Command: "proc-test-tool", Env: map[string]string{"PATH": one}}
	_, err := findCommand(s, Environ(s))
	assert.ErrorIs(t, err, fs.ErrPermission)

	good := program(t, two, "proc-test-tool", 0o755)
	s.Env["PATH"] = one + ":" + two
	got, err := findCommand(s, Environ(s))
	require.NoError(t, err)
	assert.Equal(t, good, got)

	_, err = Start(Spec{Command: filepath.Join(one, "proc-test-tool")})
	assert.ErrorIs(t, err, fs.ErrPermission)
	_, err = Start(Spec{Command: one})
	assert.Error(t, err, "a directory is no command")
}

func TestRelativeCommandIsTakenFromDir(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tool := program(t, dir, "bin/tool", 0o755)
	for _, command := range []string{"./bin/tool", "bin/tool"} {
		s := Spec{Command: command, Dir: dir}
		got, err := findCommand(s, Environ(s))
		require.NoError(t, err)
		assert.Equal(t, tool, got)
	}
	_, err := findCommand(Spec{Command: "./bin/tool"}, nil)
	assert.ErrorIs(t, err, exec.ErrNotFound)
}

func TestDirIsWhereTheChildStarts(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	s := childSpec(t, "dir")
	s.Dir = dir
	p := startSpec(t, patient(), s)
	assert.Equal(t, dir, readLine(t, p.Stdout()))
}
