package httpx

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/mark3labs/mcp-go/client/transport"
)

// StatusError is a server's refusal of a request.
type StatusError struct {
	// Method is the request's HTTP method.
	Method string
	// Status is the HTTP status: 400 or above, or that of a redirect that is
	// not followed.
	Status int
	// Body is the head of the answer's body as valid text, without the
	// secrets of the request should the server have repeated them; of a redirect
	// where it leads and what to do.
	Body string
	// Header holds WWW-Authenticate and Retry-After where the server sent them.
	Header http.Header
	// InSession is set when the request carried a session id.
	InSession bool
	// Err is what the owner's RoundTripper did about the refusal in vain; nil
	// elsewhere.
	Err error
}

// Unwrap returns Err.
func (e *StatusError) Unwrap() error { return e.Err }

// Error names the status and the head of the body.
func (e *StatusError) Error() string {
	text := fmt.Sprintf("HTTP %d", e.Status)
	if name := http.StatusText(e.Status); name != "" {
		text += " " + name
	}
	if body := strings.TrimSpace(e.Body); body != "" {
		text += ": " + body
	}
	return text
}

// Is matches mcp-go's sentinels, so that callers who know them need no others.
func (e *StatusError) Is(target error) bool {
	switch target {
	case transport.ErrAuthorizationRequired, transport.ErrUnauthorized:
		return e.Status == http.StatusUnauthorized
	case transport.ErrSessionTerminated:
		return e.SessionGone()
	}
	return false
}

// SessionGone reports whether the server no longer knows the session the
// request was sent in: 404, or 400 or 410 to a request with a session id,
// since servers answer all of them (MCP 2025-11-25, basic/transports, "Session
// Management").
func (e *StatusError) SessionGone() bool {
	return e.InSession && (e.Status == http.StatusNotFound || e.Status == http.StatusBadRequest || e.Status == http.StatusGone)
}

// Busy reports whether the server says that it took no notice of the request
// and when to come again: 429 or 503 with Retry-After.
func (e *StatusError) Busy() bool {
	return (e.Status == http.StatusTooManyRequests || e.Status == http.StatusServiceUnavailable) && e.Header.Get("Retry-After") != ""
}

// RequestError is a request that got no answer.
type RequestError struct {
	Method string
	URL    string // scheme, host and path
	Unsent bool   // nothing of it was written
	Err    error
}

// Error names the method, the URL without its secrets and the cause.
func (e *RequestError) Error() string {
	return fmt.Sprintf("%s %s: %v", e.Method, e.URL, e.Err)
}

// Unwrap returns the cause.
func (e *RequestError) Unwrap() error { return e.Err }

// Clean returns err without the URL that net/http puts in its errors, which
// may hold secrets in its user and query, and without the wrapping mcp-go
// adds: a StatusError or a RequestError where there is one in err, else err
// itself and false. e is what was recorded of the request, nil where nothing
// was.
func Clean(err error, e *Exchange) (error, bool) {
	var status *StatusError
	if errors.As(err, &status) {
		return status, true
	}
	var failed *url.Error
	if !errors.As(err, &failed) {
		return err, false
	}
	return &RequestError{
		Method: strings.ToUpper(failed.Op), URL: Place(failed.URL), Err: failed.Err,
		Unsent: e != nil && !e.connected.Load(),
	}, true
}

// Place is the part of a URL that may be shown: scheme, host and path.
func Place(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return "(unreadable URL)"
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}
