package proc

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"sync"
	"time"
)

// limits are how long and how much; tests make them small.
type limits struct {
	stdinBytes int           // what may wait for the child's stdin
	eofGrace   time.Duration // from the end of stdin to SIGTERM
	termGrace  time.Duration // from SIGTERM to SIGKILL
	killGrace  time.Duration // for the system to do it
	exitGrace  time.Duration // for pipes held by others, after the child's exit
	lineGrace  time.Duration // for the owner's stderr callback, at Close
}

var defaultLimits = limits{
	stdinBytes: 64 << 20,
	eofGrace:   2 * time.Second,
	termGrace:  2 * time.Second,
	killGrace:  5 * time.Second, // a busy system takes its time to tear a process down
	exitGrace:  100 * time.Millisecond,
	lineGrace:  500 * time.Millisecond,
}

// Process is a child process. Its methods are safe for concurrent use. Close
// must be called, also after the child has exited by itself.
type Process struct {
	command string
	pid     int
	limits  limits
	group   *group
	in      *stdin
	out     *stdout
	errs    *stderr

	exited chan struct{}    // closed when the child has been reaped
	state  *os.ProcessState // set before exited is closed; nil where the system would not say
	done   chan struct{}    // see Done
	idle   chan struct{}    // closed when the waiting goroutine is gone

	closing  sync.Once
	closeErr error
}

// Start starts a child. It is bound to no context: it runs until it exits by
// itself or is ended by Close.
//
// The error names the command. errors.Is(err, exec.ErrNotFound) tells that there
// is no such command, errors.Is(err, fs.ErrPermission) that it is no executable.
func Start(s Spec) (*Process, error) { return start(s, defaultLimits) }

func start(s Spec, l limits) (*Process, error) {
	p, err := launch(s, l)
	if err != nil {
		return nil, fmt.Errorf("proc: command %q: %w", s.Command, err)
	}
	return p, nil
}

func launch(s Spec, l limits) (*Process, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	env := Environ(s)
	path, err := findCommand(s, env)
	if err != nil {
		return nil, err
	}
	pipes, err := openPipes()
	if err != nil {
		return nil, err
	}
	defer pipes.closeChildEnds()
	cmd := &exec.Cmd{
		Path:   path,
		Args:   append([]string{s.Command}, s.Args...),
		Env:    env,
		Dir:    s.Dir,
		Stdin:  pipes.in.child,
		Stdout: pipes.out.child,
		Stderr: pipes.err.child,
	}
	group, err := startInGroup(cmd)
	if err != nil {
		pipes.closeOwnEnds()
		return nil, err
	}
	p := &Process{
		command: s.Command,
		pid:     cmd.Process.Pid,
		limits:  l,
		group:   group,
		in:      newStdin(pipes.in.own, l.stdinBytes),
		out:     newStdout(pipes.out.own),
		errs:    newStderr(pipes.err.own, s.StderrLine),
		exited:  make(chan struct{}),
		done:    make(chan struct{}),
		idle:    make(chan struct{}),
	}
	go p.wait(cmd)
	return p, nil
}

// wait reaps the child as soon as it exits and then lets go of its pipes, which
// a process it left behind may hold open.
func (p *Process) wait(cmd *exec.Cmd) {
	defer close(p.idle)
	// The error repeats the state, or says that somebody else reaped the child.
	_ = cmd.Wait()
	p.state = cmd.ProcessState
	p.group.reaped()
	p.in.abort(ErrExited)
	close(p.exited)
	p.letGo()
}

// letGo ends the waiting for pipes that a process left behind holds open.
func (p *Process) letGo() {
	over := make(chan struct{})
	grace := time.AfterFunc(p.limits.exitGrace, func() { close(over) })
	defer grace.Stop()
	select {
	case <-p.errs.eof:
	case <-over:
		p.group.orphan()
		p.errs.catchUp()
	}
	close(p.done)
	select {
	case <-p.out.unwanted:
	case <-over:
	}
	p.group.orphan()
	p.out.orphan()
}

// Stdin is the child's stdin. Write copies and queues what it is given as one
// frame and never waits for the child; see WriteFrame for its errors. Close lets
// the queued frames be written, then ends the child's stdin; it does not wait
// either.
func (p *Process) Stdin() io.WriteCloser { return p.in }

// WriteFrame queues a copy of data for the child's stdin and returns at once.
// Frames are written in the order they were queued, one after another.
//
// It fails with ErrClosed after Close, with ErrExited once the child has exited
// or has stopped reading for good, and with ErrStdinFull while 64 MiB wait; a
// single frame may be larger when nothing else waits.
func (p *Process) WriteFrame(data []byte) (*Frame, error) { return p.in.writeFrame(data) }

// StdinDone is closed when nothing more will be written to the child's stdin: it
// was closed, or the child has exited or stopped reading for good. Then it is
// settled of every frame whether any of it was written.
func (p *Process) StdinDone() <-chan struct{} { return p.in.finished }

// Stdout is the child's stdout. It ends with io.EOF when the child has exited
// and what it wrote has been read: a process it left behind, which holds the
// pipe, delays that by a moment only. Close ends it at once.
func (p *Process) Stdout() io.Reader { return p.out }

// Stderr is the end of what the child has written to stderr so far: at most
// 4 KB, whole lines where possible, valid UTF-8, without terminal sequences.
func (p *Process) Stderr() string { return p.errs.text() }

// Done is closed when the child itself has exited and Stderr is complete, or
// shortly after the exit where a process it left behind holds stderr open. What
// it wrote to stdout can still be read.
func (p *Process) Done() <-chan struct{} { return p.done }

// Exit says how the child ended: its exit code, or the name of the signal that
// ended it (such as "SIGKILL") with code -1. While it runs, exited is false.
func (p *Process) Exit() (code int, signal string, exited bool) {
	select {
	case <-p.exited:
	default:
		return -1, "", false
	}
	if p.state == nil {
		return -1, "", true
	}
	return p.state.ExitCode(), signalName(p.state), true
}

// Err is nil while the child runs, then an *ExitError, also for exit code 0.
func (p *Process) Err() error {
	code, signal, exited := p.Exit()
	if !exited {
		return nil
	}
	return &ExitError{Command: p.command, Code: code, Signal: signal, Stderr: p.Stderr()}
}

// Command is the command as it was given.
func (p *Process) Command() string { return p.command }

// PID is the child's process id.
func (p *Process) PID() int { return p.pid }

// String names the command, the process id and how it stands.
func (p *Process) String() string {
	how := "is running"
	if code, signal, exited := p.Exit(); exited {
		how = ending(code, signal)
	}
	return fmt.Sprintf("command %q (pid %d) %s", p.command, p.pid, how)
}

// Format writes String for every verb.
func (p *Process) Format(f fmt.State, _ rune) { fmt.Fprint(f, p.String()) }

// LogValue is String, for slog.
func (p *Process) LogValue() slog.Value { return slog.StringValue(p.String()) }

// pipe is one of the three, with the end of each side.
type pipe struct{ own, child *os.File }

type pipes struct{ in, out, err pipe }

// openPipes makes pipes of our own instead of those of os/exec, whose Wait
// either waits for every process that holds them or closes them too early.
func openPipes() (*pipes, error) {
	var p pipes
	var faults [3]error
	p.in.child, p.in.own, faults[0] = os.Pipe()
	p.out.own, p.out.child, faults[1] = os.Pipe()
	p.err.own, p.err.child, faults[2] = os.Pipe()
	if err := errors.Join(faults[:]...); err != nil {
		p.closeChildEnds()
		p.closeOwnEnds()
		return nil, err
	}
	return &p, nil
}

func (p *pipes) closeChildEnds() { closeAll(p.in.child, p.out.child, p.err.child) }
func (p *pipes) closeOwnEnds()   { closeAll(p.in.own, p.out.own, p.err.own) }

// closeAll closes files; those that were never opened are nil, which os.File takes.
func closeAll(files ...*os.File) {
	for _, f := range files {
		_ = f.Close()
	}
}
