package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcptoolset/mcptoolset/internal/httpx"
)

// Wants are the notices a connection listens for.
type Wants struct {
	Tools, Prompts, Resources bool     // changes of these lists
	URIs                      []string // updates of these resources
}

// Empty reports whether nothing is wanted.
func (w Wants) Empty() bool { return !w.Tools && !w.Prompts && !w.Resources && len(w.URIs) == 0 }

// Covers reports whether all that other wants is wanted.
func (w Wants) Covers(other Wants) bool {
	has := func(have, want bool) bool { return have || !want }
	return has(w.Tools, other.Tools) && has(w.Prompts, other.Prompts) && has(w.Resources, other.Resources) &&
		!slices.ContainsFunc(other.URIs, func(uri string) bool { return !slices.Contains(w.URIs, uri) })
}

// Without is what is wanted of w beyond other.
func (w Wants) Without(other Wants) Wants {
	return Wants{
		Tools: w.Tools && !other.Tools, Prompts: w.Prompts && !other.Prompts, Resources: w.Resources && !other.Resources,
		URIs: slices.DeleteFunc(slices.Clone(w.URIs), func(uri string) bool { return slices.Contains(other.URIs, uri) }),
	}
}

// And is what is wanted by either.
func (w Wants) And(other Wants) Wants {
	return Wants{
		Tools: w.Tools || other.Tools, Prompts: w.Prompts || other.Prompts, Resources: w.Resources || other.Resources,
		URIs: append(slices.Clone(w.URIs), other.Without(w).URIs...),
	}
}

// String names what is wanted, as a list of changes.
func (w Wants) String() string {
	var words []string
	for _, list := range []struct {
		wanted bool
		name   string
	}{{w.Tools, "tools"}, {w.Prompts, "prompts"}, {w.Resources, "resources"}} {
		if list.wanted {
			words = append(words, "changes of the list of "+list.name)
		}
	}
	for i, uri := range w.URIs {
		if i == maxNamed {
			words = append(words, fmt.Sprintf("updates of %d more resources", len(w.URIs)-i))
			break
		}
		words = append(words, fmt.Sprintf("updates of %q", uri))
	}
	return strings.Join(words, ", ")
}

// maxNamed bounds the resources that a text names.
const maxNamed = 10

// Stream is a subscriptions/listen request that the server holds open (MCP
// 2026-07-28, basic/utilities/subscriptions). What it delivers goes to
// Options.OnNotification.
type Stream struct {
	conn *Conn
	id   mcp.RequestId
	ctx  context.Context
	end  context.CancelFunc
	done chan struct{}
	err  error
}

// Listen opens a stream on a connection that speaks 2026-07-28 or newer, and
// returns it with what the server granted when it acknowledges. ctx bounds the
// opening alone, and its headers are the stream's. Over streamable HTTP there may
// be several at a time, and what comes by one is a Notice for whose, whatever the
// server says of it; elsewhere, where all share a channel, notices are nobody's.
func (c *Conn) Listen(ctx context.Context, whose string, wants Wants) (*Stream, Wants, error) {
	params, err := json.Marshal(mcp.SubscriptionsListenParams{Notifications: mcp.SubscriptionFilter{
		ToolsListChanged: wants.Tools, PromptsListChanged: wants.Prompts,
		ResourcesListChanged: wants.Resources, ResourceSubscriptions: wants.URIs,
	}})
	if err != nil {
		return nil, Wants{}, err
	}
	s := &Stream{conn: c, id: c.link.nextID(), done: make(chan struct{})}
	s.ctx, s.end = context.WithCancel(httpx.WithHeaders(c.life, httpx.Headers(ctx)))
	granted, err := s.prepare(whose)
	if err != nil {
		s.end()
		return nil, Wants{}, err
	}
	if !c.link.strays.run(func() { s.hold(params) }) {
		s.end()
		return nil, Wants{}, ErrClosed
	}
	select {
	case grant := <-granted:
		return s, grant, nil
	case <-s.done:
		return nil, Wants{}, s.err
	case <-ctx.Done():
		s.Close()
		return nil, Wants{}, ctx.Err()
	}
}

// prepare gives the stream a transport of its own, where there is such, and
// returns where the acknowledgement arrives.
func (s *Stream) prepare(whose string) (<-chan Wants, error) {
	link := s.conn.link
	trunk, ok := link.inner.(interface {
		Branch() (transport.Interface, error)
	})
	if !ok {
		return link.grants.await(fmt.Sprint(s.id.Value())), nil
	}
	over, err := trunk.Branch()
	if err != nil {
		return nil, err
	}
	granted := make(chan Wants, 1)
	over.SetNotificationHandler(func(n mcp.JSONRPCNotification) {
		if n.Method != string(mcp.MethodNotificationSubscriptionsAcknowledged) {
			link.receive(Notice{n, whose})
			return
		}
		select {
		case granted <- grantOf(n):
		default: // it was said already
		}
	})
	s.ctx = context.WithValue(s.ctx, overKey{}, over)
	return granted, nil
}

type overKey struct{}

// over is what a request goes over: a stream's own transport, or that of all.
func (l *link) over(ctx context.Context, req transport.JSONRPCRequest) transport.Interface {
	if req.Method != string(mcp.MethodSubscriptionsListen) {
		return l.inner
	}
	if own, ok := ctx.Value(overKey{}).(transport.Interface); ok {
		return own
	}
	return l.inner
}

var errStreamEnded = errors.New("the server ended the stream of notices")

// hold keeps the request until it is answered, which is the stream's end.
func (s *Stream) hold(params json.RawMessage) {
	defer close(s.done)
	defer s.end()
	defer s.conn.link.grants.forget(fmt.Sprint(s.id.Value()))
	_, s.err = s.conn.request(s.ctx, s.id, string(mcp.MethodSubscriptionsListen), params, nil)
	if s.err == nil {
		s.err = errStreamEnded
	}
}

// Done is closed when the stream is over.
func (s *Stream) Done() <-chan struct{} { return s.done }

// Err tells, after Done, why the stream is over.
func (s *Stream) Err() error { return s.err }

// farewell is how long a server may take to be told of an end. A listen request
// that it has not answered until then might end another stream in its place,
// where a server keeps one for each connection.
const farewell = time.Second

// Close ends the stream. It waits until the server knows, within a bound.
func (s *Stream) Close() {
	if s.conn.link.kind != StreamableHTTP {
		s.conn.cancel(s.ctx, s.id, "no longer listening")
		bound := time.NewTimer(farewell)
		defer bound.Stop()
		select {
		case <-s.done:
		case <-bound.C:
		}
	}
	s.end()
	<-s.done
}

// grants are the listen requests that wait for their acknowledgement.
type grants struct {
	mu   sync.Mutex
	byID map[string]chan Wants
}

func (g *grants) await(id string) <-chan Wants {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.byID == nil {
		g.byID = map[string]chan Wants{}
	}
	granted := make(chan Wants, 1)
	g.byID[id] = granted
	return granted
}

func (g *grants) forget(id string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.byID, id)
}

// take gives an acknowledgement to the request it is for. One that names no
// request is for the only one that waits.
func (g *grants) take(n mcp.JSONRPCNotification) {
	g.mu.Lock()
	defer g.mu.Unlock()
	id := numeral(n.Params.Meta[mcp.MetaKeySubscriptionID])
	for waiting, granted := range g.byID {
		if waiting == id || id == "" && len(g.byID) == 1 {
			delete(g.byID, waiting)
			granted <- grantOf(n)
		}
	}
}

// grantOf reads what a server acknowledges.
func grantOf(n mcp.JSONRPCNotification) Wants {
	var filter mcp.SubscriptionFilter
	raw, err := json.Marshal(n.Params.AdditionalFields["notifications"])
	if err != nil || json.Unmarshal(raw, &filter) != nil {
		return Wants{} // it grants nothing that can be read
	}
	return Wants{
		Tools: filter.ToolsListChanged, Prompts: filter.PromptsListChanged,
		Resources: filter.ResourcesListChanged, URIs: filter.ResourceSubscriptions,
	}
}
