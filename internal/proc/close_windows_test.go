package proc

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"golang.org/x/sys/windows"
)

// assertGone asserts that the process with this id has ended.
func assertGone(t *testing.T, pid int) {
	t.Helper()
	process, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(pid))
	if err != nil {
		return
	}
	defer windows.CloseHandle(process)
	event, err := windows.WaitForSingleObject(process, 0)
	assert.NoError(t, err)
	assert.Equal(t, uint32(windows.WAIT_OBJECT_0), event, "process %d is left", pid)
}
