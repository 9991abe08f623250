package rig

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
)

// State gives the state letter of a process, "" when it is gone. It reads
// /proc, so the rig runs on Linux only.
func State(pid int) string {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return ""
	}
	fields := bytes.Fields(b[bytes.LastIndexByte(b, ')')+1:])
	if len(fields) == 0 {
		return ""
	}
	return string(fields[0])
}

// kill ends a process; one that is gone already is no fault.
func kill(pid int) {
	if pid > 0 {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}
