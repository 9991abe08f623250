package proc

import (
	"bytes"
	"fmt"
	"io/fs"
	"log/slog"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const secret = "tok-123"

func TestMS2_UnknownCommand(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"no-such-command-here", "./no-such-command-here", filepath.Join(t.TempDir(), "nope")} {
		_, err := Start(Spec{Command: command, Args: []string{secret}, Env: map[string]string{"TOKEN": secret}})
		require.ErrorIs(t, err, exec.ErrNotFound)
		assert.Contains(t, err.Error(), fmt.Sprintf("%q", command))
		assert.NotContains(t, err.Error(), secret)
	}
}

func TestSpecsNothingCouldStart(t *testing.T) {
	t.Parallel()
	self := childSpec(t, "echo").Command
	tests := map[string]struct {
		spec Spec
		want string
	}{
		"no command":          {Spec{}, "no command is given"},
		"NUL in command":      {Spec{Command: "a\x00" + secret}, "NUL"},
		"NUL in argument":     {Spec{Command: self, Args: []string{"a", "b\x00" + secret}}, "argument 1 contains a NUL byte"},
		"empty name":          {Spec{Command: self, Env: map[string]string{"": secret}}, `"" is no name`},
		"name with =":         {Spec{Command: self, Env: map[string]string{"A=B": secret}}, `"A=B" is no name`},
		"NUL in value":        {Spec{Command: self, Env: map[string]string{"TOKEN": secret + "\x00"}}, "variable TOKEN contains a NUL byte"},
		"missing directory":   {Spec{Command: self, Dir: "/no/such/dir"}, "/no/such/dir"},
		"directory is a file": {Spec{Command: self, Dir: self}, "not a directory"},
		"all faults at once":  {Spec{Command: self, Dir: "/no/such/dir", Env: map[string]string{"": "x"}}, `"" is no name`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Start(tt.spec)
			require.Error(t, err)
			assert.Contains(t, err.Error(), tt.want)
			if name != "NUL in command" {
				assert.NotContains(t, err.Error(), secret)
			}
		})
	}
	_, err := Start(Spec{Command: self, Dir: "/no/such/dir"})
	assert.ErrorIs(t, err, fs.ErrNotExist)
}

func TestO84_NothingShowsSecrets(t *testing.T) {
	t.Parallel()
	s := childSpec(t, "echo", "--token", secret)
	s.Env["TOKEN"] = secret
	p := startSpec(t, patient(), s)
	var log bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&log, nil))
	logger.Info("x", "spec", s, "process", p)
	text := log.String() + fmt.Sprintf("%v %+v %#v %s %q %d", s, s, s, s, s, s) + fmt.Sprintf("%v %+v %#v %s", p, p, p, p)
	assert.NotContains(t, text, secret)
	assert.Contains(t, text, "TOKEN")
	assert.Contains(t, text, fmt.Sprint(p.PID()))
	assert.Contains(t, text, fmt.Sprintf("%q", p.Command()))
}

func TestStartCopiesWhatItIsGiven(t *testing.T) {
	t.Parallel()
	s := childSpec(t, "exit", "0", "", "")
	s.Args = s.Args[:2:3] // a longer array behind it
	args := s.Args[:3]
	s.Args = args
	p := startSpec(t, patient(), s)
	s.Args[0], s.Env[childEnv] = "9", "deaf"
	<-p.Done()
	code, _, _ := p.Exit()
	assert.Equal(t, 0, code)
}
