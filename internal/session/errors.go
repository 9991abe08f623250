package session

import (
	"errors"
	"fmt"
	"strings"
)

// ErrClosed is returned by every use after Close.
var ErrClosed = errors.New("toolset is closed")

// ErrNoSubscriptions says that a server does not tell of updated resources.
var ErrNoSubscriptions = errors.New("the server does not tell of updated resources")

var (
	errUndeclared = fmt.Errorf("%w: it does not declare subscriptions", ErrNoSubscriptions)
	errNoStream   = fmt.Errorf("%w: it offers no stream for its notices", ErrNoSubscriptions)
	errUnheard    = errors.New("no stream for the server's notices is open now")
	errOver       = errors.New("the subscription is over")
	errNotGranted = fmt.Errorf("%w: it did not grant this one", ErrNoSubscriptions)
)

// ConnectError is a failure before the session was there.
type ConnectError struct{ Err error }

// Error is the cause's text: who shows it names the stage.
func (e *ConnectError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *ConnectError) Unwrap() error { return e.Err }

// ProcessError is a failure of a connection to a child process, with what the
// process has said.
type ProcessError struct {
	Err    error
	Exited bool   // Code and Signal are known
	Code   int    // exit status
	Signal string // the signal that ended it, if one did
	Stderr string // its last words
}

// Error tells how the process ended and its last words.
func (e *ProcessError) Error() string {
	text := e.Err.Error()
	if e.Exited {
		how := fmt.Sprintf("exit code %d", e.Code)
		if e.Signal != "" {
			how = e.Signal
		}
		text = fmt.Sprintf("%s (%s)", text, how)
	}
	if words := strings.TrimSpace(e.Stderr); words != "" {
		text += "; its stderr ends: " + words
	}
	return text
}

// Unwrap returns the cause.
func (e *ProcessError) Unwrap() error { return e.Err }

// HeaderError is a failure of the owner's header provider or identity function.
type HeaderError struct {
	Who string // which of the two
	Err error
}

// Error names the function and the cause.
func (e *HeaderError) Error() string { return fmt.Sprintf("%s: %v", e.Who, e.Err) }

// Unwrap returns the cause.
func (e *HeaderError) Unwrap() error { return e.Err }
