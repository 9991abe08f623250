//go:build !unix

package servers

import "os/exec"

// ownGroup does nothing: there are no process groups here.
func ownGroup(*exec.Cmd) {}

// killGroup ends the command. It may have ended already.
func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
