package proc

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
)

// Spec says what to start. Start copies what it needs: later changes by the
// caller have no effect.
type Spec struct {
	// Command is a name, looked up in the PATH of the child (Env decides it
	// where it sets PATH, else the parent's is used; relative entries are
	// skipped), or a path. A relative path is taken from Dir.
	Command string
	Args    []string

	// Env holds variables that are set for the child and win over inherited
	// ones. An empty value is a value: the variable is set to nothing.
	Env map[string]string

	// Inherit hands the parent's whole environment to the child. By default
	// only the variables named at Environ are handed on.
	Inherit bool

	// Dir is the directory the child starts in. A relative one is taken from
	// the parent's. By default, the parent's.
	Dir string

	// StderrLine, where set, is called with each line the child writes to
	// stderr: without its line ending, valid UTF-8, cut at 8 KB. Calls come one
	// after another from a goroutine of the process. A slow callback blocks
	// nothing: lines beyond a queue of 256 are left out, and a line in brackets
	// says how many. A panic is swallowed. Close waits for a callback at work
	// only for a moment.
	StderrLine func(line string)
}

// check refuses what no system could start, before anything is opened.
func (s Spec) check() error {
	var faults []error
	if s.Command == "" {
		faults = append(faults, errors.New("no command is given"))
	}
	if strings.Contains(s.Command, "\x00") {
		faults = append(faults, errors.New("the command contains a NUL byte"))
	}
	for i, arg := range s.Args {
		if strings.Contains(arg, "\x00") {
			faults = append(faults, fmt.Errorf("argument %d contains a NUL byte", i))
		}
	}
	for _, name := range s.envNames() {
		switch {
		case name == "" || strings.ContainsAny(name, "=\x00"):
			faults = append(faults, fmt.Errorf("%q is no name of an environment variable", name))
		case strings.Contains(s.Env[name], "\x00"):
			faults = append(faults, fmt.Errorf("the environment variable %s contains a NUL byte", name))
		}
	}
	if err := checkDir(s.Dir); err != nil {
		faults = append(faults, err)
	}
	return errors.Join(faults...)
}

func checkDir(dir string) error {
	if dir == "" {
		return nil
	}
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("directory to start in: %w", err)
	}
	if !info.IsDir() {
		return fmt.Errorf("directory to start in: %s is not a directory", dir)
	}
	return nil
}

func (s Spec) envNames() []string {
	names := make([]string, 0, len(s.Env))
	for name := range s.Env {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// String names the command, how many arguments it has and which variables are
// set. Arguments and values are left out: they may be secrets.
func (s Spec) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "command %q", s.Command)
	if len(s.Args) > 0 {
		fmt.Fprintf(&b, " with %d arguments", len(s.Args))
	}
	if s.Dir != "" {
		fmt.Fprintf(&b, " in %s", s.Dir)
	}
	if names := s.envNames(); len(names) > 0 {
		fmt.Fprintf(&b, " (env %s)", strings.Join(names, ", "))
	}
	return b.String()
}

// Format writes String for every verb, so that %+v and %#v show no secret.
func (s Spec) Format(f fmt.State, _ rune) { fmt.Fprint(f, s.String()) }

// LogValue is String, for slog.
func (s Spec) LogValue() slog.Value { return slog.StringValue(s.String()) }
