package wire

import (
	"context"
	"encoding/json"
	"strconv"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
)

// Progress is one notice of how far a request has come (MCP,
// basic/utilities/progress).
type Progress struct {
	Progress float64 // grows from notice to notice
	Total    float64 // 0 where the server does not know it
	Message  string
}

type progressKey struct{}

// WithProgress returns a context whose requests ask the server for their
// progress. handler is told of it in order, one notice at a time, off the read
// loop: it may be slow and may use the connection. A request does not return
// before it was told of all that came, unless its context ends.
func WithProgress(ctx context.Context, handler func(Progress)) context.Context {
	return context.WithValue(ctx, progressKey{}, handler)
}

func progressHandler(ctx context.Context) func(Progress) {
	handler, _ := ctx.Value(progressKey{}).(func(Progress))
	return handler
}

// watchers are the requests that wait for progress, by their tokens. Each has a
// queue of its own: in one for all, a handler that makes a request would wait
// for itself.
type watchers struct {
	mu      sync.Mutex
	byToken map[string]*queue
}

// watch has handler told of the notices with this token.
func (w *watchers) watch(token string, handler func(Progress), strays *strays) *queue {
	q := &queue{strays: strays}
	q.handle(func(n Notice) { handler(progressOf(n)) })
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.byToken == nil {
		w.byToken = map[string]*queue{}
	}
	w.byToken[token] = q
	return q
}

func (w *watchers) forget(token string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.byToken, token)
}

// take queues a notice of progress for whom it concerns. Progress of a request
// that is over concerns nobody.
func (w *watchers) take(n Notice) {
	w.mu.Lock()
	q := w.byToken[tokenOf(n)]
	w.mu.Unlock()
	if q != nil {
		q.push(n)
	}
}

func tokenOf(n Notice) string {
	return numeral(n.Params.AdditionalFields["progressToken"])
}

// numeral is the text of a number of ours that comes back from a server. It is
// found as well when it comes back as text, and as what a server in the same
// process makes of it.
func numeral(v any) string {
	switch v := v.(type) {
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case json.Number:
		return v.String()
	case int64:
		return strconv.FormatInt(v, 10)
	case string:
		return v
	case mcp.RequestId:
		return numeral(v.Value())
	}
	return ""
}

func progressOf(n Notice) Progress {
	fields := n.Params.AdditionalFields
	p := Progress{Progress: number(fields["progress"]), Total: number(fields["total"])}
	p.Message, _ = fields["message"].(string)
	return p
}

// number reads one as it is decoded, or as a server in the same process set it.
func number(v any) float64 {
	raw, err := json.Marshal(v)
	if err != nil {
		return 0
	}
	f, _ := strconv.ParseFloat(string(raw), 64) // 0 for what is no number
	return f
}
