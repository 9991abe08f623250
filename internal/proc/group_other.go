//go:build !unix && !windows

package proc

import (
	"os"
	"os/exec"
)

// group is the child alone: this system has no groups of processes, or no
// processes at all.
type group struct {
	process *os.Process
	gone    chan struct{}
}

func startInGroup(cmd *exec.Cmd) (*group, error) {
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &group{process: cmd.Process, gone: make(chan struct{})}, nil
}

func (g *group) reaped() { close(g.gone) }
func (g *group) orphan() {}

func (g *group) alive() bool {
	select {
	case <-g.gone:
		return false
	default:
		return true
	}
}

func (g *group) terminate() bool { return false }
func (g *group) kill()           { _ = g.process.Kill() }
func (g *group) release()        {}

func signalName(*os.ProcessState) string { return "" }

func readNow(file *os.File, p []byte) int {
	n, _ := file.Read(p)
	return max(n, 0)
}

// writeNow writes nothing: here a pipe cannot be asked how much room it has.
func writeNow(*os.File, []byte) int { return 0 }
