package httpx

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// taken keeps what was sent.
type taken struct{ requests []*http.Request }

func (s *taken) RoundTrip(r *http.Request) (*http.Response, error) {
	s.requests = append(s.requests, r)
	return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody, Header: http.Header{}, Request: r}, nil
}

// closes notes that a body was closed.
type closes struct {
	*strings.Reader
	closed bool
}

func (c *closes) Close() error { c.closed = true; return nil }

func TestO86_WhatIsTheSameServer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		home, to string
		same     bool
	}{
		{"https://desk.test/mcp", "https://desk.test/other?x=1", true},
		{"https://desk.test/mcp", "https://DESK.test/mcp", true},
		{"http://desk.test/mcp", "https://desk.test/mcp", true},
		{"http://127.0.0.1:80/mcp", "http://127.0.0.1:80/", true},
		{"https://desk.test/mcp", "http://desk.test/mcp", false},
		{"http://desk.test:8080/mcp", "https://desk.test/mcp", false},
		{"http://desk.test/mcp", "https://desk.test:8443/mcp", false},
		{"http://127.0.0.1:1/mcp", "http://127.0.0.1:2/mcp", false},
		{"http://127.0.0.1:1/mcp", "http://localhost:1/mcp", false},
		{"https://desk.test/mcp", "https://desk.test.evil.test/mcp", false},
		{"https://desk.test/mcp", "https://evil.test/desk.test", false},
		{"https://desk.test/mcp", "https://desk.test@evil.test/mcp", false},
	} {
		home, err := url.Parse(c.home)
		require.NoError(t, err)
		to, err := url.Parse(c.to)
		require.NoError(t, err)
		var sent taken
		body := &closes{Reader: strings.NewReader(`{"secret":"argument"}`)}
		for _, redirect := range []*http.Response{nil, {StatusCode: http.StatusPermanentRedirect}} {
			_, err := New(&sent, home, false, nil).RoundTrip(&http.Request{
				Method: http.MethodPost, URL: to, Header: http.Header{}, Body: body, Response: redirect,
			})
			assert.Equal(t, c.same, err == nil, "%s to %s: %v", c.home, c.to, err)
		}
		assert.Equal(t, c.same, len(sent.requests) > 0, c.to)
		assert.Equal(t, !c.same, body.closed, "a RoundTripper closes the body of what it refuses")
	}
}
