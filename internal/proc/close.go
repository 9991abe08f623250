package proc

import (
	"fmt"
	"time"
)

// Close ends the child and everything in its process group, and returns when
// nothing is left: no process, no goroutine, no open file.
//
// It ends the child's stdin and gives it 2 seconds to exit by itself; a child
// that exits sooner is not waited for longer. What then still runs of the group
// gets SIGTERM, and after 2 more seconds SIGKILL, which the system is given 5
// seconds to carry out. Windows knows no SIGTERM: there the job is ended after the
// first 2 seconds. The stream of Stdout ends at once.
//
// A child that had to be ended is no error; only what cannot be ended is, as
// ErrNotEnded. Close may be called repeatedly and concurrently: every call waits
// for the end and returns the same. A process that left the group on purpose
// (setsid) is not reached, except on Windows.
func (p *Process) Close() error {
	p.closing.Do(func() { p.closeErr = p.shutdown() })
	return p.closeErr
}

func (p *Process) shutdown() error {
	_ = p.in.Close()
	p.out.abandon()
	gone := p.exitedWithin(p.limits.eofGrace) && !p.group.alive()
	if !gone && p.group.terminate() {
		gone = p.goneWithin(p.limits.termGrace)
	}
	if !gone {
		p.group.kill()
		gone = p.goneWithin(p.limits.killGrace)
	}
	p.release()
	if !gone {
		return fmt.Errorf("%w: command %q (pid %d)", ErrNotEnded, p.command, p.pid)
	}
	return nil
}

func (p *Process) exitedWithin(limit time.Duration) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-p.exited:
		return true
	case <-timer.C:
		return false
	}
}

// goneWithin waits for the child and then for the rest of its group. Systems
// have no event for the end of a group, so it looks again and again.
func (p *Process) goneWithin(limit time.Duration) bool {
	deadline := time.Now().Add(limit)
	if !p.exitedWithin(limit) {
		return false
	}
	for pause := time.Millisecond; p.group.alive(); pause = min(2*pause, 50*time.Millisecond) {
		if time.Now().After(deadline) {
			return false
		}
		time.Sleep(pause)
	}
	return true
}

// release closes the pipes and waits for the goroutines.
func (p *Process) release() {
	p.in.abort(ErrClosed)
	<-p.in.finished
	if p.exitedWithin(0) {
		<-p.idle // so that the child's last words are in Stderr
	}
	p.out.close()
	p.errs.close()
	p.errs.lines.wait(p.limits.lineGrace)
	p.group.release()
}
