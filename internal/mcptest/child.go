package mcptest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// childEnv names the file that says what a process that was started as a child
// is. A process without it is a test run.
const childEnv = "MCPTEST_CHILD"

// Child is a server as a child process: how to start it, and what the processes
// so started report. It may be started any number of times.
type Child struct {
	Command string
	Args    []string
	Env     map[string]string // has to be set for the process

	Started       *Journal[int]      // the process id of each start
	Received      *Journal[Received] // every message, before it is answered
	Calls         *Journal[Call]     // of a real server: calls of tools, see Server
	Ends          *Journal[End]
	EOF           *Journal[int] // processes whose stdin has ended
	Grandchildren *Journal[int] // process ids of what a Script started

	control *control
}

// childSpec is what the file of childEnv holds.
type childSpec struct {
	Control string  `json:"control"` // address to report to
	Server  *spec   `json:"server,omitempty"`
	Script  *Script `json:"script,omitempty"`
}

// Command is a real server, built of the same options as New, as a child process.
// The package's TestMain has to call Main.
func Command(t testing.TB, opts ...Option) *Child {
	t.Helper()
	server := specOf(opts)
	if _, err := newServer(server); err != nil { // what cannot be built fails here, not in the child
		t.Fatal(err)
	}
	return newChild(t, childSpec{Server: &server})
}

// Run is a raw server as a child process that follows a script. The package's
// TestMain has to call Main.
func Run(t testing.TB, script Script) *Child {
	t.Helper()
	return newChild(t, childSpec{Script: &script})
}

func newChild(t testing.TB, spec childSpec) *Child {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := &Child{
		Command:       self,
		Started:       new(Journal[int]),
		Received:      new(Journal[Received]),
		Calls:         new(Journal[Call]),
		Ends:          new(Journal[End]),
		EOF:           new(Journal[int]),
		Grandchildren: new(Journal[int]),
	}
	c.control, err = listen(c.note)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.control.close)
	spec.Control = c.control.address()
	c.Env = map[string]string{
		childEnv:     writeSpec(t, spec),
		"GORACE":     "atexit_sleep_ms=0", // by default the race detector delays each exit by a second
		"GOCOVERDIR": t.TempDir(),         // under -cover a child would complain on stderr
	}
	return c
}

// writeSpec uses a file: a script may be longer than a variable can be.
func writeSpec(t testing.TB, spec childSpec) string {
	t.Helper()
	text, err := json.Marshal(spec)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "child.json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Environ is Env as NAME=value, for os/exec.
func (c *Child) Environ() []string {
	var entries []string
	for name, value := range c.Env {
		entries = append(entries, name+"="+value)
	}
	return entries
}

// Release lets go what a script holds under this name, now and later. For a real
// server the name is empty: it lets go slow and stubborn.
func (c *Child) Release(name string) { c.control.release(name) }

// note keeps what a process reports.
func (c *Child) note(r report) {
	switch r.Kind {
	case reportStarted:
		c.Started.Add(r.PID)
	case reportReceived:
		c.Received.Add(Received{Message: ParseMessage(r.Raw), PID: r.PID})
	case reportCall:
		c.Calls.Add(*r.Call)
	case reportEnd:
		c.Ends.Add(*r.End)
	case reportEOF:
		c.EOF.Add(r.PID)
	case reportGrandchild:
		c.Grandchildren.Add(r.PID)
	}
}
