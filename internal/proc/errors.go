package proc

import (
	"errors"
	"fmt"
	"strings"
)

var (
	// ErrClosed is returned by writes after Close, or after stdin was closed.
	ErrClosed = errors.New("proc: closed")
	// ErrExited is returned by writes after the child has exited or has closed
	// its end of stdin.
	ErrExited = errors.New("proc: the child no longer reads its stdin")
	// ErrStdinFull is returned by writes while too much waits for a child that
	// does not read. The frame is not queued.
	ErrStdinFull = errors.New("proc: the child does not read its stdin and the queue is full")
	// ErrNotEnded is returned by Close when something of the process group was
	// still running after it had been killed, such as a program of another user.
	ErrNotEnded = errors.New("proc: still running after it was killed")
)

// ExitError says how a child ended.
type ExitError struct {
	Command string
	Code    int    // -1 where a signal ended it or the code is not known
	Signal  string // such as "SIGKILL"; empty for an ordinary exit
	Stderr  string // its last lines, see Process.Stderr
}

// Error names the command, how it ended and its last words.
func (e *ExitError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "command %q %s", e.Command, ending(e.Code, e.Signal))
	if e.Stderr != "" {
		fmt.Fprintf(&b, ", stderr: %s", e.Stderr)
	}
	return b.String()
}

func ending(code int, signal string) string {
	switch {
	case signal != "":
		return "was ended by " + signal
	case code < 0:
		return "ended, its exit code is not known"
	default:
		return fmt.Sprintf("exited with code %d", code)
	}
}
