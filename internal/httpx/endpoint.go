package httpx

import (
	"bytes"
	"fmt"
	"io"
	"net/url"
	"strings"
)

// EndpointError is an SSE server that does not name an address on itself for
// the messages to it. Nothing was sent to another.
type EndpointError struct {
	Server string // the configured one: scheme, host and path
	Why    string
}

// Error names the server, what it did and the way out.
func (e *EndpointError) Error() string { return fmt.Sprintf("%s %s", e.Server, e.Why) }

// endpoint is the error for messages that should go to another server.
func (t *Transport) endpoint(to *url.URL) error {
	return &EndpointError{t.place(), fmt.Sprintf("wants its messages sent to another server, %s. "+
		"Nothing was sent there: configure the URL of its stream on that server if it is the right one", Place(to.String()))}
}

// maxEndpoint bounds a line that may name the address, in bytes.
const maxEndpoint = 64 << 10

// welcome is the beginning of an SSE server's stream, up to the event that
// names the address for messages. mcp-go passes over an address that it does not
// like, and over the end of the stream before there is one, and waits on.
type welcome struct {
	io.ReadCloser
	t     *Transport
	named bool

	line        []byte // the one that has begun
	event, data string
}

// Read implements io.Reader. What holds an address that cannot be used is not
// passed on.
func (w *welcome) Read(p []byte) (int, error) {
	n, err := w.ReadCloser.Read(p)
	if w.named {
		return n, err
	}
	if bad := w.look(p[:n]); bad != nil {
		return 0, bad
	}
	if err == io.EOF && !w.named {
		return 0, &EndpointError{w.t.place(), "ended its stream before it named the address for messages: is it an SSE server?"}
	}
	return n, err
}

// look takes what was read, line by line.
func (w *welcome) look(read []byte) error {
	for !w.named {
		head, rest, whole := bytes.Cut(read, []byte{'\n'})
		w.line = append(w.line, head[:min(len(head), maxEndpoint-len(w.line))]...)
		if !whole {
			return nil
		}
		if err := w.field(string(bytes.TrimRight(w.line, "\r"))); err != nil {
			return err
		}
		w.line, read = w.line[:0], rest
	}
	w.line = nil
	return nil
}

// field takes one line as mcp-go does.
func (w *welcome) field(line string) error {
	if line == "" {
		event, address := w.event, w.data
		if address == "" {
			return nil
		}
		w.event, w.data = "", ""
		if event == "endpoint" {
			return w.judge(address)
		}
		return nil
	}
	if event, ok := strings.CutPrefix(line, "event:"); ok {
		w.event = strings.TrimSpace(event)
	} else if data, ok := strings.CutPrefix(line, "data:"); ok {
		w.data = strings.TrimPrefix(data, " ") // an address has one line
	}
	return nil
}

// judge says what is wrong with an address.
func (w *welcome) judge(address string) error {
	to, err := w.t.origin.Parse(address)
	switch {
	case err != nil:
		return &EndpointError{w.t.place(), "names an address for messages that cannot be read"}
	case !w.t.atHome(to):
		return w.t.endpoint(to)
	}
	w.named = true
	return nil
}
