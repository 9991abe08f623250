package config

import (
	"maps"
	"net/http"
)

// StreamableHTTP connects to a streamable HTTP endpoint (MCP 2025-03-26 and
// later).
type StreamableHTTP struct {
	// URL is the endpoint, used as given: http or https, a host, no fragment.
	// A user part becomes basic authentication, as net/http has it.
	URL string

	// Headers go with every request. Names count without regard to case;
	// those of [ReservedHeader] are refused. A header provider of the toolset
	// overrides them.
	Headers map[string]string

	// HTTPClient sends the requests. It is used through a copy and never
	// written to. Its Timeout is not used, since it would cut streams: the
	// limits of the Config apply. By default it is a client of the toolset's
	// own.
	HTTPClient *http.Client
}

// SSE connects to a server that speaks the older HTTP+SSE transport of MCP
// 2024-11-05, where a stream of events announces the address to post to.
type SSE struct {
	// URL is the address of the event stream, used as given: http or https, a
	// host, no fragment. A user part becomes basic authentication, as net/http
	// has it.
	URL string

	// Headers go with every request. Names count without regard to case;
	// those of [ReservedHeader] are refused. A header provider of the toolset
	// overrides them.
	Headers map[string]string

	// HTTPClient sends the requests. It is used through a copy and never
	// written to. Its Timeout is not used, since it would cut streams: the
	// limits of the Config apply. By default it is a client of the toolset's
	// own.
	HTTPClient *http.Client
}

// endpoint is what the two HTTP connections have in common: everything.
type endpoint struct {
	URL        string
	Headers    map[string]string
	HTTPClient *http.Client
}

func (e endpoint) clone() endpoint {
	e.Headers = maps.Clone(e.Headers)
	return e
}

// check adds the faults of the connection in the given field of the config.
func (e endpoint) check(f *faults, field string) {
	checkURL(f, field+".URL", e.URL)
	checkHeaders(f, field+".Headers", e.Headers)
	checkFilledIn(f, field+".Headers", e.Headers)
}

func (e endpoint) serverName() string {
	if u, ok := parseURL(e.URL); ok {
		return u.Host
	}
	return ""
}
