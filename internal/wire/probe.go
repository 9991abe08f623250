package wire

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// The era of a server is found by asking server/discover. A server of the
// older era may ignore the question, so it is followed by a ping as a fence:
// who answers the ping and not the question does not know the question.
const (
	// fenceAfter is how long a question waits alone.
	fenceAfter = 200 * time.Millisecond
	// fenceGrace is how long the answer may come behind that of the ping.
	fenceGrace = 250 * time.Millisecond
	// silence bounds the wait for a server that answers neither. It may be
	// one that is slow to start, so the question stays open: when it is
	// answered during initialize, the newer era is taken after all.
	silence = 10 * time.Second
)

var (
	errUnanswered = errors.New("server/discover was not answered")
	errNoVersions = errors.New("server/discover was answered without supported versions")
	errOlder      = errors.New("server/discover was answered with versions of the older era alone")
	// errModern ends an initialize during which the probe was answered.
	errModern = errors.New("server/discover was answered late")
)

// probe is the state of the era probe of one link. The handshake that uses it
// runs in one goroutine.
type probe struct {
	asked bool
	open  <-chan answer              // a question that was given up waiting for
	late  *transport.JSONRPCResponse // its answer
}

// discover asks server/discover, fenced by a ping.
func (l *link) discover(ctx context.Context, req transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	if late := l.probe.late; late != nil {
		l.probe.late = nil
		return late, nil
	}
	l.probe.asked = true
	answered, again := l.askAside(ctx, req), true
	fence := l.fence(ctx, req)
	patience := time.NewTimer(silence)
	defer patience.Stop()
	for {
		select {
		case a := <-answered:
			if again && contradicts(a, req.Params) {
				again = false
				answered = l.askAside(ctx, req)
				continue
			}
			return supported(a)
		case <-fence:
			fence = nil
			patience.Reset(fenceGrace)
		case <-patience.C:
			l.probe.open = answered
			return nil, errUnanswered
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-l.gone:
			return nil, l.cause
		}
	}
}

// pingHeader is the probe's headers for a ping, which has another method to
// mirror.
func pingHeader(probe http.Header) http.Header {
	header := probe.Clone()
	if header.Get(methodHeader) != "" {
		header.Set(methodHeader, string(mcp.MethodPing))
	}
	return header
}

// methodHeader mirrors a request's method since 2026-07-28.
const methodHeader = "Mcp-Method"

// fence pings the server after a while and tells when it answered, be it with
// an error. The ping says of us what the probe says: a server of the newer era
// may judge it by that.
func (l *link) fence(ctx context.Context, probe transport.JSONRPCRequest) <-chan struct{} {
	answered := make(chan struct{})
	l.strays.run(func() {
		wait := time.NewTimer(fenceAfter)
		defer wait.Stop()
		select {
		case <-wait.C:
		case <-ctx.Done():
			return
		case <-l.gone:
			return
		}
		ping := transport.JSONRPCRequest{
			JSONRPC: mcp.JSONRPC_VERSION, ID: l.nextID(), Method: string(mcp.MethodPing),
			Params: metaAlone(probe.Params), Header: pingHeader(probe.Header),
		}
		if _, err := l.exchange(ctx, ping); err == nil || refused(err) || spoiled(err) {
			close(answered)
		}
	})
	return answered
}

// metaAlone is the _meta of params, in params of its own; nil where there is none.
func metaAlone(params any) any {
	var p struct {
		Meta json.RawMessage `json:"_meta"`
	}
	raw, err := json.Marshal(params)
	if err != nil || json.Unmarshal(raw, &p) != nil || p.Meta == nil {
		return nil
	}
	return map[string]json.RawMessage{"_meta": p.Meta}
}

// initialize runs the older handshake, unless the probe is answered meanwhile.
func (l *link) initialize(ctx context.Context, req transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	if l.probe.open == nil {
		return l.exchange(ctx, req)
	}
	ctx, leave := context.WithCancel(ctx)
	defer leave()
	answered := l.askAside(ctx, req)
	for {
		select {
		case a := <-answered:
			return a.response, a.err
		case a := <-l.probe.open:
			l.probe.open = nil
			if response, err := supported(a); err == nil && response.Error == nil {
				l.probe.late = response
				return nil, errModern
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-l.gone:
			return nil, l.cause
		}
	}
}

// contradicts reports whether a server refuses the version that it was asked
// with and names it among those it supports. The question is then worth asking
// once more (MCP 2026-07-28, basic/versioning); mcp-go asks again only with
// another version.
func contradicts(a answer, params any) bool {
	if a.err != nil || a.response.Error == nil {
		return false
	}
	var unsupported mcp.UnsupportedProtocolVersionError
	var asked struct {
		Meta struct {
			Version string `json:"io.modelcontextprotocol/protocolVersion"`
		} `json:"_meta"`
	}
	raw, err := json.Marshal(params)
	return err == nil && json.Unmarshal(raw, &asked) == nil &&
		errors.As(a.response.Error.AsError(), &unsupported) && slices.Contains(unsupported.Supported, asked.Meta.Version)
}

// supported refuses an answer to server/discover that names no version, since
// there are servers that answer anything with an empty object, and one that
// names none of the newer era that we speak: such a server knows the question
// and wants initialize all the same, as those of the Go SDK that keep sessions
// do. mcp-go would take both for servers of the newer era.
func supported(a answer) (*transport.JSONRPCResponse, error) {
	if a.err != nil || a.response.Error != nil {
		return a.response, a.err
	}
	var result struct {
		Versions []string `json:"supportedVersions"`
	}
	if json.Unmarshal(a.response.Result, &result) != nil || len(result.Versions) == 0 {
		return nil, errNoVersions
	}
	if !slices.ContainsFunc(result.Versions, newer) {
		return nil, errOlder
	}
	return a.response, nil
}

func newer(version string) bool {
	return mcp.IsModernProtocol(version) && mcp.IsValidProtocolVersion(version)
}
