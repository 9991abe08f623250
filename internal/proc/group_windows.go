package proc

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// group is the job object the child and all its descendants belong to. The
// system ends them when the job's last handle is closed, so that nothing
// survives this program either.
type group struct {
	job windows.Handle
}

// startInGroup starts cmd inside a job. The child is created suspended, so that
// it cannot start another process before it belongs to the job.
func startInGroup(cmd *exec.Cmd) (*group, error) {
	job, err := newJob()
	if err != nil {
		return nil, err
	}
	g := &group{job: job}
	cmd.SysProcAttr = &syscall.SysProcAttr{
		HideWindow:    true,
		CreationFlags: windows.CREATE_SUSPENDED | windows.CREATE_NO_WINDOW | windows.CREATE_NEW_PROCESS_GROUP,
	}
	if err := cmd.Start(); err != nil {
		g.release()
		return nil, err
	}
	if err := g.adopt(uint32(cmd.Process.Pid)); err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		g.release()
		return nil, err
	}
	return g, nil
}

func newJob() (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, fmt.Errorf("create a job: %w", err)
	}
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{
			LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
		},
	}
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err != nil {
		_ = windows.CloseHandle(job)
		return 0, fmt.Errorf("set up a job: %w", err)
	}
	return job, nil
}

// adopt puts the suspended process into the job and lets it run.
func (g *group) adopt(pid uint32) error {
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, pid)
	if err != nil {
		return fmt.Errorf("open the child: %w", err)
	}
	defer windows.CloseHandle(process)
	if err := windows.AssignProcessToJobObject(g.job, process); err != nil {
		return fmt.Errorf("put the child into a job: %w", err)
	}
	return resume(pid)
}

// resume lets the threads of a process run that was created suspended: it has
// just one, whose handle package syscall does not keep.
func resume(pid uint32) error {
	snapshot, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPTHREAD, 0)
	if err != nil {
		return fmt.Errorf("list threads: %w", err)
	}
	defer windows.CloseHandle(snapshot)
	entry := windows.ThreadEntry32{Size: uint32(unsafe.Sizeof(windows.ThreadEntry32{}))}
	resumed := 0
	for err = windows.Thread32First(snapshot, &entry); err == nil; err = windows.Thread32Next(snapshot, &entry) {
		if entry.OwnerProcessID != pid {
			continue
		}
		if err := resumeThread(entry.ThreadID); err != nil {
			return fmt.Errorf("resume the child: %w", err)
		}
		resumed++
	}
	if resumed == 0 {
		return errors.New("resume the child: it has no thread")
	}
	return nil
}

func resumeThread(id uint32) error {
	thread, err := windows.OpenThread(windows.THREAD_SUSPEND_RESUME, false, id)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(thread)
	_, err = windows.ResumeThread(thread)
	return err
}

// accounting is JOBOBJECT_BASIC_ACCOUNTING_INFORMATION.
type accounting struct {
	totalUserTime, totalKernelTime           int64
	thisPeriodUserTime, thisPeriodKernelTime int64
	totalPageFaultCount, totalProcesses      uint32
	activeProcesses, totalTerminated         uint32
}

// alive reports whether a process of the job is running.
func (g *group) alive() bool {
	var info accounting
	err := windows.QueryInformationJobObject(g.job, windows.JobObjectBasicAccountingInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)), nil)
	return err == nil && info.activeProcesses > 0
}

func (g *group) reaped() {}

// orphan is told that the grace after the child's exit is over. Pipes have no
// deadlines here: whoever still holds them is ended, so that reads end.
func (g *group) orphan() { g.kill() }

// terminate reports that a job cannot be asked to end.
func (g *group) terminate() bool { return false }

func (g *group) kill() { _ = windows.TerminateJobObject(g.job, 1) }

func (g *group) release() { _ = windows.CloseHandle(g.job) }

// signalName is empty: Windows has no signals.
func signalName(*os.ProcessState) string { return "" }

// readNow reads up to the end of the pipe, which the end of the job brings.
func readNow(file *os.File, p []byte) int {
	n, err := file.Read(p)
	if err != nil {
		return 0
	}
	return n
}

// writeNow writes nothing: here a pipe cannot be asked how much room it has.
func writeNow(*os.File, []byte) int { return 0 }
