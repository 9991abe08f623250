package wire

import (
	"context"
	"errors"
	"net/http"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcptoolset/mcptoolset/internal/httpx"
)

// flights are the requests under way on a connection whose end tells the
// server nothing of them: over SSE, and over streamable HTTP before 2026-07-28.
type flights struct {
	mu   sync.Mutex
	byID map[mcp.RequestId]http.Header
}

// begin notes a request with the headers it was sent with.
func (f *flights) begin(ctx context.Context, id mcp.RequestId) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.byID == nil {
		f.byID = map[mcp.RequestId]http.Header{}
	}
	f.byID[id] = httpx.Headers(ctx)
}

func (f *flights) end(id mcp.RequestId) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.byID, id)
}

// all takes the requests under way out.
func (f *flights) all() map[mcp.RequestId]http.Header {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := f.byID
	f.byID = nil
	return all
}

// forgetful reports whether the server goes on with requests when the
// connection ends.
func (c *Conn) forgetful() bool {
	return c.link.kind == SSE || c.link.kind == StreamableHTTP && !c.info.Modern()
}

// withdraw ends what is under way and tells the server that nobody waits for it
// any more, all at once and within farewell.
func (c *Conn) withdraw() {
	under := c.flights.all()
	c.link.fail(ErrClosed)
	if !errors.Is(c.link.cause, ErrClosed) {
		return // it was lost: there is nobody to tell
	}
	ctx, done := context.WithTimeout(context.Background(), farewell)
	defer done()
	var told sync.WaitGroup
	for id, headers := range under {
		told.Go(func() {
			notice := cancelNotice(id, "the client is closing")
			_ = c.link.inner.SendNotification(httpx.WithHeaders(ctx, headers), notice) // best effort: nobody waits
		})
	}
	told.Wait()
}

func cancelNotice(id mcp.RequestId, reason string) mcp.JSONRPCNotification {
	notice := mcp.JSONRPCNotification{JSONRPC: mcp.JSONRPC_VERSION}
	notice.Method = string(mcp.MethodNotificationCancelled)
	notice.Params.AdditionalFields = map[string]any{"requestId": id, "reason": reason}
	return notice
}
