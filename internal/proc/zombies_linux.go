package proc

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strconv"
	"syscall"
)

// reapOrphans reaps the members of a group that became our children when their
// parents died: in a container this program may be the one that inherits orphans.
// It is called when the leader, which is not ours to reap here, is gone.
func reapOrphans(group int) {
	for {
		pid, err := syscall.Wait4(-group, nil, syscall.WNOHANG, nil)
		if err != nil && !errors.Is(err, syscall.EINTR) || err == nil && pid <= 0 {
			return
		}
	}
}

// onlyZombies reports whether all members of a group are dead and merely not
// reaped. Linux still counts them as members.
func onlyZombies(group int) bool {
	pids, err := processIDs()
	if err != nil {
		return false
	}
	members := 0
	for _, pid := range pids {
		state, pgrp, ok := processState(pid)
		if !ok || pgrp != group {
			continue
		}
		if state != 'Z' && state != 'X' {
			return false
		}
		members++
	}
	return members > 0
}

// processIDs lists the processes of the system.
func processIDs() ([]string, error) {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	pids := names[:0]
	for _, name := range names {
		if name[0] >= '1' && name[0] <= '9' {
			pids = append(pids, name)
		}
	}
	return pids, nil
}

// processState reads state and process group from /proc/PID/stat, whose second
// field is the program's name in brackets and may hold anything.
func processState(pid string) (state byte, pgrp int, ok bool) {
	file, err := os.Open("/proc/" + pid + "/stat")
	if err != nil {
		return 0, 0, false
	}
	defer file.Close()
	buf := make([]byte, 512)
	n, err := io.ReadFull(file, buf)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return 0, 0, false
	}
	fields := bytes.Fields(buf[bytes.LastIndexByte(buf[:n], ')')+1 : n])
	if len(fields) < 3 {
		return 0, 0, false
	}
	pgrp, err = strconv.Atoi(string(fields[2]))
	return fields[0][0], pgrp, err == nil
}
