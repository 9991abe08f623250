package config

import (
	"maps"
	"slices"
	"strings"
)

// Stdio starts the server as a child process and speaks to it over its
// standard input and output.
type Stdio struct {
	// Command is the program: a name to be found in PATH, or a path. It is no
	// command line: arguments go into Args, and a bare name followed by
	// arguments is refused. A program whose name holds white space is given by
	// its path.
	Command string

	// Args are the arguments, handed over as they are: no shell is involved.
	Args []string

	// Env are environment variables of the child. They come on top of the few
	// it gets anyway (PATH, HOME, the locale and the like) and win over them.
	Env map[string]string

	// InheritEnv hands the whole environment of this process to the child,
	// secrets included. By default it gets only what a program needs to run.
	InheritEnv bool

	// Dir is the child's working directory. By default it is the one of this
	// process.
	Dir string
}

func (s Stdio) clone() *Stdio {
	s.Args = slices.Clone(s.Args)
	s.Env = maps.Clone(s.Env)
	return &s
}

func (s Stdio) check(f *faults) {
	s.checkCommand(f)
	for i, arg := range s.Args {
		if hasNUL(arg) {
			f.add(indexed("Stdio.Args", i), "holds a NUL byte", "remove it")
		}
	}
	s.checkEnv(f)
	if hasNUL(s.Dir) {
		f.add("Stdio.Dir", "holds a NUL byte", "remove it")
	}
	f.unexpanded("Stdio.Dir", s.Dir)
}

func (s Stdio) checkCommand(f *faults) {
	const field = "Stdio.Command"
	if strings.TrimSpace(s.Command) == "" {
		f.add(field, "is empty", `name the program to start, such as "npx"`)
		return
	}
	if f.unexpanded(field, s.Command) {
		return
	}
	if hasNUL(s.Command) {
		f.add(field, "holds a NUL byte", "remove it")
	}
	switch {
	case strings.TrimSpace(s.Command) != s.Command:
		f.add(field, "starts or ends with white space", "trim it")
	case s.program() != s.Command && !hasSeparator(firstWord(s.Command)):
		f.add(field, "holds arguments", "put each of them into Args; a program whose name holds white space is given by its path")
	}
}

func (s Stdio) checkEnv(f *faults) {
	for _, name := range slices.Sorted(maps.Keys(s.Env)) {
		if problem := envNameProblem(name); problem != "" {
			// A name that is none may be a secret in the wrong place.
			f.add("Stdio.Env", problem, "use a plain variable name")
			continue
		}
		if hasNUL(s.Env[name]) {
			f.add(keyed("Stdio.Env", name), "the value holds a NUL byte", "remove it")
		}
	}
}

// envNameProblem tells what makes name no name of an environment variable,
// without showing it.
func envNameProblem(name string) string {
	switch {
	case strings.TrimSpace(name) == "":
		return "a variable name is empty"
	case strings.Contains(name, "="):
		return `a variable name holds "="`
	case strings.ContainsFunc(name, isControl):
		return "a variable name holds a control character"
	}
	return ""
}

// program is the part of Command that may be shown: arguments that were put
// there by mistake are left out. White space in a path may belong to it, but
// not with a hyphen after it.
func (s Stdio) program() string {
	word := firstWord(s.Command)
	if !hasSeparator(word) {
		return word
	}
	path, _, _ := strings.Cut(s.Command, " -")
	return path
}

// serverName is the command's base name. Both separators count everywhere: a
// config may be written on one system for another.
func (s Stdio) serverName() string {
	base := strings.TrimRight(s.program(), `/\`)
	base = base[strings.LastIndexAny(base, `/\`)+1:]
	for _, ext := range []string{".exe", ".cmd", ".bat"} {
		if len(base) > len(ext) && strings.EqualFold(base[len(base)-len(ext):], ext) {
			return base[:len(base)-len(ext)]
		}
	}
	return base
}

func firstWord(s string) string {
	for word := range strings.FieldsSeq(s) {
		return word
	}
	return ""
}

func hasSeparator(s string) bool { return strings.ContainsAny(s, `/\`) }

func hasNUL(s string) bool { return strings.ContainsRune(s, 0) }
