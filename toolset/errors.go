package toolset

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/mcptoolset/mcptoolset/internal/args"
	"github.com/mcptoolset/mcptoolset/internal/httpx"
	"github.com/mcptoolset/mcptoolset/internal/session"
	"github.com/mcptoolset/mcptoolset/internal/wire"
)

var (
	// ErrClosed is returned by every use of a Toolset after Close.
	ErrClosed = session.ErrClosed
	// ErrNoSubscriptions is the cause when the server tells nobody of updated
	// resources, or not of the one asked for.
	ErrNoSubscriptions = session.ErrNoSubscriptions
	// ErrUnknownTool is the cause when the server lists no tool of a name.
	ErrUnknownTool = errors.New("the server lists no such tool")
	// ErrNotOffered is the cause when the filter keeps a tool back.
	ErrNotOffered = errors.New("the tool is not offered here")
	// ErrToolFailed is the cause when a tool's own result says that it failed, or
	// the task it ran as did.
	ErrToolFailed = errors.New("the tool reported a failure")
	// ErrInputRequired is the cause when a tool asks for input that this
	// toolset cannot give.
	ErrInputRequired = errors.New("the tool asks for further input, which this client cannot give")
)

// Stage is how far an operation had come when it failed.
type Stage string

// The stages of an operation.
const (
	// StageHeaders: the owner's header provider or identity function.
	StageHeaders Stage = "headers"
	// StageConnect: starting the process or reaching the server, and the
	// handshake.
	StageConnect Stage = "connect"
	// StageList: listing what the server has, and filtering it.
	StageList Stage = "list"
	// StageArguments: the arguments of a call, before the server was asked.
	StageArguments Stage = "arguments"
	// StageCall: running the tool.
	StageCall Stage = "call"
	// StageSubscribe: subscribing to a resource, or ending that.
	StageSubscribe Stage = "subscribe"
	// StageRead: listing or loading resources for a model.
	StageRead Stage = "read"
)

// Error is a failure of a Toolset. It holds no header value, no credentials
// and no query of a URL. errors.Is and errors.As work through it.
type Error struct {
	// Server is the name the configuration gives the server.
	Server string
	// Stage is what failed.
	Stage Stage
	// Tool is the server's name of the tool, empty where none was called.
	Tool string
	// Elapsed is how long the operation took until it failed.
	Elapsed time.Duration
	// Status is the HTTP status and Body the head of its body (at most 2 KB),
	// where the server refused by HTTP.
	Status int
	Body   string
	// Code is the JSON-RPC error's code, where the server answered with one.
	Code int
	// Exited is set when the server's process is known to have ended, with
	// ExitCode or by Signal. Stderr is what it last wrote there.
	Exited   bool
	ExitCode int
	Signal   string
	Stderr   string
	// Err is the cause.
	Err error
}

// Error names the server, the tool, the stage, the cause and the time.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "MCP server %q", e.Server)
	if e.Tool != "" {
		fmt.Fprintf(&b, ", tool %q", e.Tool)
	}
	fmt.Fprintf(&b, ": %s: %v (after %v)", e.Stage, e.Err, e.Elapsed.Round(time.Millisecond))
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Repeatable reports whether the failed operation certainly had no effect, so
// that it may be tried again: nothing was sent, the server refused it before
// it ran anything, or it was a listing.
func (e *Error) Repeatable() bool {
	switch {
	case isTask(e.Err):
		return false
	case e.Stage != StageCall:
		return true
	case errors.As(e.Err, new(*URLRequiredError)),
		errors.Is(e.Err, ErrUnknownTool), errors.Is(e.Err, ErrNotOffered), errors.Is(e.Err, ErrSwitchedOff):
		return true
	}
	switch e.Status {
	case 301, 302, 303, 307, 308, 401, 403, 404, 429:
		return true
	}
	var refusal *httpx.StatusError
	if errors.As(e.Err, &refusal) && refusal.Busy() {
		return true
	}
	var failed *httpx.RequestError
	return errors.As(e.Err, &failed) && failed.Unsent
}

// fault makes an Error of a cause, with what the cause knows.
func (ts *Toolset) fault(stage Stage, tool string, began time.Time, cause error) *Error {
	e := &Error{Server: ts.cfg.Name, Stage: stage, Tool: tool, Elapsed: time.Since(began), Err: cause}
	var connecting *session.ConnectError
	var providing *session.HeaderError
	var filtering *filterError
	switch {
	case isTask(cause): // it was begun, whatever failed since
	case errors.As(cause, &filtering):
		e.Stage = StageList
	case errors.As(cause, &connecting):
		e.Stage = StageConnect
	case errors.As(cause, &providing):
		e.Stage = StageHeaders
	}
	var refusal *httpx.StatusError
	if errors.As(cause, &refusal) {
		e.Status, e.Body = refusal.Status, refusal.Body
	}
	var answer *wire.RPCError
	if errors.As(cause, &answer) {
		e.Code = answer.Code
	}
	var child *session.ProcessError
	if errors.As(cause, &child) {
		e.Exited, e.ExitCode, e.Signal, e.Stderr = child.Exited, child.Code, child.Signal, child.Stderr
	}
	return e
}

// filterError is a failure of the owner's filter, before anything was sent.
type filterError struct{ err error }

func (e *filterError) Error() string { return e.err.Error() }
func (e *filterError) Unwrap() error { return e.err }

// badArguments reports whether err says what is wrong with a model's
// arguments, and what to tell the model.
func badArguments(err error) (string, bool) {
	var bad *args.Error
	if errors.As(err, &bad) {
		return bad.Text, true
	}
	return "", false
}
