package httpx

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// atHome reports whether u is on the server that the headers and messages are
// for. The step from http to https on the same host stays at home.
func (t *Transport) atHome(u *url.URL) bool {
	if strings.EqualFold(u.Host, t.origin.Host) && u.Scheme == t.origin.Scheme {
		return true
	}
	return t.origin.Scheme == "http" && u.Scheme == "https" &&
		strings.EqualFold(u.Hostname(), t.origin.Hostname()) && u.Port() == "" && t.origin.Port() == ""
}

// elsewhere refuses a request to another server than the configured one. A 307
// or 308 would take a message there, with a call's arguments, and what the other
// server answers would pass for the configured one's.
func (t *Transport) elsewhere(req *http.Request) error {
	if req.Body != nil {
		_ = req.Body.Close() // as a RoundTripper must, whatever comes of it
	}
	if req.Response == nil {
		return t.endpoint(req.URL)
	}
	return &StatusError{
		Method: req.Method,
		Status: req.Response.StatusCode,
		Body: fmt.Sprintf("%s redirects to another server, %s. Nothing was sent there: configure that URL if it is the right one",
			t.place(), Place(req.URL.String())),
	}
}

// place is the configured server as it may be shown.
func (t *Transport) place() string { return Place(t.origin.String()) }

var errTooManyRedirects = errors.New("stopped after 10 redirects")

// checkRedirect lets the owner's rule decide first. A redirect that would
// turn a message into a GET without a body is an error that tells the way out.
func checkRedirect(owner func(*http.Request, []*http.Request) error) func(*http.Request, []*http.Request) error {
	return func(req *http.Request, via []*http.Request) error {
		if owner != nil {
			if err := owner(req, via); err != nil {
				return err
			}
		} else if len(via) >= 10 {
			return errTooManyRedirects
		}
		if via[0].Method == http.MethodPost && req.Method != http.MethodPost {
			return &StatusError{
				Method: via[0].Method,
				Status: req.Response.StatusCode,
				Body:   fmt.Sprintf("the server redirects to %s with a status that drops the message: configure that URL", Place(req.URL.String())),
			}
		}
		return nil
	}
}
