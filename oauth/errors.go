package oauth

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// Error is an authorization that failed. The request that needed it was
// refused by the MCP server and did not run. It holds no token, code, secret
// or verifier.
type Error struct {
	// Step is what failed: "discovery", "registration", "authorization",
	// "token" or "store".
	Step string
	// Code is the error code of the authorization server, such as
	// "access_denied" or "invalid_grant" (RFC 6749, sections 4.1.2.1 and 5.2);
	// empty where it gave none.
	Code string
	// Status is the HTTP status with which the MCP server refused, 401 or 403;
	// 0 where no request was refused.
	Status int
	// Err is the cause.
	Err error

	header http.Header
}

// Error names the step and the cause.
func (e *Error) Error() string {
	text := "authorization failed (" + e.Step + ")"
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Refusal is the status and the header of the refused request, for the
// toolset, which then knows that the request did not run.
func (e *Error) Refusal() (status int, header http.Header) { return e.Status, e.header }

func fail(step string, err error) *Error { return &Error{Step: step, Err: err} }

func failf(step, format string, args ...any) *Error { return fail(step, fmt.Errorf(format, args...)) }

// denied is an error that an authorization server answered with.
func denied(step, code, description string) *Error {
	e := &Error{Step: step, Code: quotable(code)}
	text := "the server answered " + strconv.Quote(e.Code)
	if description = quotable(description); description != "" {
		text += ": " + description
	}
	e.Err = fmt.Errorf("%s", text)
	return e
}

// maxQuoted is how much of a server's words an error shows, in bytes.
const maxQuoted = 300

// quotable is a server's text without what could tear up a log.
func quotable(text string) string {
	if len(text) > maxQuoted {
		text = text[:maxQuoted]
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return ' '
		}
		return r
	}, text)
}
