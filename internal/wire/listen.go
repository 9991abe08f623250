package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

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
// opening alone.
func (c *Conn) Listen(ctx context.Context, wants Wants) (*Stream, Wants, error) {
	params, err := json.Marshal(mcp.SubscriptionsListenParams{Notifications: mcp.SubscriptionFilter{
		ToolsListChanged: wants.Tools, PromptsListChanged: wants.Prompts,
		ResourcesListChanged: wants.Resources, ResourceSubscriptions: wants.URIs,
	}})
	if err != nil {
		return nil, Wants{}, err
	}
	s := &Stream{conn: c, id: c.link.nextID(), done: make(chan struct{})}
	s.ctx, s.end = context.WithCancel(httpx.WithHeaders(c.life, httpx.Headers(ctx)))
	granted := c.link.grants.await(fmt.Sprint(s.id.Value()))
	if !c.link.strays.run(func() { s.hold(params) }) {
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
