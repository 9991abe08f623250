// Package proc runs a child process that the caller owns: from its start until
// nothing of it is left.
//
// A [Process] belongs to no context. It lives until it exits by itself or until
// [Process.Close] ends it, together with everything it started.
//
//   - It starts with a small environment instead of the parent's whole one, so
//     that no secret reaches it by accident ([Environ]).
//   - Writing to its stdin never blocks the caller: frames are copied, queued and
//     written by a goroutine of the process ([Process.WriteFrame]). A [Frame] tells
//     whether it provably never reached the child.
//   - Reading its stdout ends when the child itself has exited, even while a
//     process it left behind still holds the pipe ([Process.Stdout]).
//   - Its stderr is always drained, so that a child that logs much never stalls,
//     and its last lines are kept for error texts ([Process.Stderr]).
//   - It has a process group of its own (a job object on Windows), so that Close
//     also ends what wrappers such as npx, uv or "sh -c" leave behind.
//
// On Unix a process that left the group by setsid, as daemons do, outlives
// Close. Reaching it would take more than a library may do: to become the reaper
// of orphans (PR_SET_CHILD_SUBREAPER) holds for the whole program, whose other
// children's orphans it would collect as zombies; and to look through all
// processes for a session or a mark in their environment would also end what a
// server started to stay, such as a browser or a build daemon. Windows' job
// objects let nobody leave.
//
// No text made here (errors, String, log values) holds the value of an
// environment variable or an argument.
package proc
