//go:build unix

package proc

import (
	"errors"
	"os"
	"os/exec"
	"strconv"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"
)

// group is the process group that the child leads. Its id is the child's
// process id, which the system gives to nobody else while the group has members.
type group struct {
	id    int
	empty atomic.Bool // nothing is left: the id may belong to others by now
}

// startInGroup starts cmd as the leader of a group of its own.
func startInGroup(cmd *exec.Cmd) (*group, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &group{id: cmd.Process.Pid}, nil
}

// reaped is told that the leader is gone. From here on the group is only
// signalled while it was seen to have other members.
func (g *group) reaped() { g.alive() }

// orphan is told that the grace after the leader's exit is over. What is left
// runs on until Close.
func (g *group) orphan() {}

// alive reports whether a process of the group is running. A zombie whose
// parent does not reap it is not.
func (g *group) alive() bool {
	if g.empty.Load() {
		return false
	}
	reapOrphans(g.id)
	err := syscall.Kill(-g.id, 0)
	if errors.Is(err, syscall.ESRCH) || err == nil && onlyZombies(g.id) {
		g.empty.Store(true)
		return false
	}
	return true
}

// terminate asks the group to end, and reports that it could be asked.
func (g *group) terminate() bool {
	g.signal(syscall.SIGTERM)
	return true
}

func (g *group) kill() { g.signal(syscall.SIGKILL) }

func (g *group) signal(sig syscall.Signal) {
	if !g.empty.Load() {
		_ = syscall.Kill(-g.id, sig)
	}
}

func (g *group) release() {}

// signalName is the name of the signal that ended a process, or "".
func signalName(state *os.ProcessState) string {
	status, ok := state.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		return ""
	}
	if name := unix.SignalName(status.Signal()); name != "" {
		return name
	}
	return "signal " + strconv.Itoa(int(status.Signal()))
}

// readNow reads what lies in a pipe without waiting; 0 means nothing. A read
// through the file itself would obey its deadline before it looks.
func readNow(file *os.File, p []byte) int { return now(file, p, syscall.Read) }

// writeNow writes what a pipe has room for, without waiting, and returns how
// much that is. The file's own Write would wait. It is 0 on an error.
func writeNow(file *os.File, p []byte) int { return now(file, p, syscall.Write) }

// now makes a system call on a pipe, which does not wait, and returns how many
// bytes it moved.
func now(file *os.File, p []byte, call func(fd int, p []byte) (int, error)) int {
	raw, err := file.SyscallConn()
	if err != nil {
		return 0
	}
	n := 0
	_ = raw.Control(func(fd uintptr) {
		for {
			n, err = call(int(fd), p)
			if !errors.Is(err, syscall.EINTR) {
				return
			}
		}
	})
	return max(n, 0)
}
