package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcptoolset/mcptoolset/internal/httpx"
)

// Request sends one request and returns the raw result. params is a JSON
// object without _meta, or nil. header holds what this request's HTTP headers
// say besides those of ctx; other kinds ignore it.
//
// When ctx ends first, its error is returned at once and the server is told
// to stop. A JSON-RPC error is an *RPCError, a refusal by HTTP an
// *httpx.StatusError, an answer that cannot be used an *AnswerError, the end of
// the connection its cause. Where provably nothing was sent, the error is an
// *UnsentError, or over HTTP an *httpx.RequestError that says so.
func (c *Conn) Request(ctx context.Context, method string, params json.RawMessage, header http.Header) (json.RawMessage, error) {
	if r, ok := ctx.Value(roundKey{}).(*Round); ok && r.conn == c {
		return c.complete(ctx, method, params, header, nil)
	}
	raw, err := c.request(ctx, c.link.nextID(), method, params, header)
	if err != nil {
		return nil, err
	}
	return c.complete(ctx, method, params, header, raw)
}

func (c *Conn) request(ctx context.Context, id mcp.RequestId, method string, params json.RawMessage, header http.Header) (json.RawMessage, error) {
	if err := ctx.Err(); err != nil {
		return nil, &UnsentError{err}
	}
	ctx, over := c.link.asked.under(ctx, id)
	defer over()
	meta, told := c.metaOf(ctx, id)
	defer told()
	params = withMeta(params, meta)
	request := transport.JSONRPCRequest{
		JSONRPC: mcp.JSONRPC_VERSION,
		ID:      id,
		Method:  method,
		Header:  c.standardHeaders(method, params, header),
	}
	if params != nil {
		request.Params = params
	}
	select {
	case <-c.link.gone:
		return nil, &UnsentError{c.link.cause}
	default:
	}
	if c.forgetful() {
		c.flights.begin(ctx, id)
		defer c.flights.end(id)
	}
	sent, tracked := new(httpx.Exchange), ctx
	if c.link.kind.web() {
		tracked = httpx.WithExchange(ctx, sent)
	}
	response, err := c.link.exchange(tracked, request)
	if err != nil {
		return nil, c.ended(ctx, request.ID, err, sent)
	}
	if response.Error != nil {
		answer := rpcError(response.Error)
		answer.Status = sent.Refused()
		return nil, answer
	}
	return response.Result, nil
}

// ended is the error of a request that got no answer.
func (c *Conn) ended(ctx context.Context, id mcp.RequestId, err error, sent *httpx.Exchange) error {
	if ctx.Err() == nil {
		return c.explain(err, sent)
	}
	var unsent *UnsentError
	if errors.As(err, &unsent) {
		return &UnsentError{ctx.Err()} // there is nothing to stop
	}
	if !isAugmented(ctx) && (c.link.kind != StreamableHTTP || !c.info.Modern()) {
		c.cancel(ctx, id, context.Cause(ctx).Error())
	}
	return ctx.Err()
}

// metaOf is the _meta of a request. told waits until the owner was told of its
// progress.
func (c *Conn) metaOf(ctx context.Context, id mcp.RequestId) (meta json.RawMessage, told func()) {
	handler := progressHandler(ctx)
	if handler == nil {
		return c.meta(), func() {}
	}
	token := fmt.Sprint(id.Value())
	hearing := hearingOf(ctx)
	if hearing != nil {
		handler = hearing.recording(handler)
	}
	notices := c.link.watchers.watch(token, handler, c.link.strays)
	if hearing != nil {
		hearing.take(notices, func() { c.link.watchers.forget(token) })
		return withToken(c.meta(), token), func() {}
	}
	return withToken(c.meta(), token), func() {
		notices.rest(ctx)
		c.link.watchers.forget(token)
	}
}

// withToken adds a progress token to the members of _meta.
func withToken(meta json.RawMessage, token string) json.RawMessage {
	if len(meta) > len(`{}`) {
		return json.RawMessage(`{"progressToken":` + token + `,` + string(meta[1:]))
	}
	return json.RawMessage(`{"progressToken":` + token + `}`)
}

// withMeta adds _meta to a params object.
func withMeta(params, meta json.RawMessage) json.RawMessage {
	if meta == nil {
		return params
	}
	out := make(json.RawMessage, 0, len(params)+len(meta)+len(`{"_meta":}`)+1)
	out = append(out, `{"_meta":`...)
	out = append(out, meta...)
	if len(params) > len(`{}`) {
		out = append(out, ',')
		return append(out, params[1:]...)
	}
	return append(out, '}')
}

// standardHeaders are those that a request over HTTP mirrors from
// its body since 2026-07-28.
func (c *Conn) standardHeaders(method string, params json.RawMessage, header http.Header) http.Header {
	if !c.link.kind.web() || !c.info.Modern() {
		return nil
	}
	if header.Get(mcp.HeaderMethod) != "" {
		return header // complete, see callHeaders
	}
	headers := http.Header{}
	for name, values := range header {
		headers[name] = values
	}
	for name, value := range mcp.StandardHeaders(c.info.ProtocolVersion, mcp.MCPMethod(method), params) {
		headers.Set(name, value)
	}
	return headers
}

// cancelLimit bounds how long a cancel notice may take.
const cancelLimit = 5 * time.Second

// cancel tells the server that nobody waits for the answer to id any more
// (MCP, basic/utilities/cancellation). Over streamable HTTP since 2026-07-28
// the end of the request's stream says it; before, the end of a stream means
// nothing, so the notice is needed there too.
func (c *Conn) cancel(ctx context.Context, id mcp.RequestId, reason string) {
	notice := cancelNotice(id, reason)
	headers := httpx.Headers(ctx)
	c.link.strays.run(func() {
		ctx, done := context.WithTimeout(c.life, cancelLimit)
		defer done()
		_ = c.link.SendNotification(httpx.WithHeaders(ctx, headers), notice) // best effort: nobody waits
	})
}

// goodbye is how long a connection that has just ended may take to tell why:
// a child's exit status and last words come after the end of its output.
const goodbye = time.Second

// explain turns an error of the transport into one worth showing. sent is nil
// for a handshake: there it is of no matter what was sent.
func (c *Conn) explain(err error, sent *httpx.Exchange) error {
	var unsent *UnsentError
	if errors.As(err, &unsent) {
		cause := c.explain(unsent.Err, nil)
		if sent == nil {
			return cause
		}
		return &UnsentError{cause}
	}
	if lost(err) {
		select {
		case <-c.link.gone:
		case <-time.After(goodbye):
			c.link.fail(ErrLost)
		}
	}
	select {
	case <-c.link.gone:
		if !refused(err) {
			return c.link.cause
		}
	default:
	}
	var answer *RPCError
	if errors.As(err, &answer) {
		return answer
	}
	clean, known := httpx.Clean(err, sent)
	if !known && c.link.kind.web() && sent != nil {
		return unusable(innermost(err))
	}
	return clean
}

// unusable is the error for an answer of which err says what is wrong.
func unusable(err error) error {
	if err.Error() == noResponse {
		err = errNoAnswer
	}
	return &AnswerError{Err: err}
}

// noResponse is what mcp-go says when an answer's stream ends without it.
const noResponse = "unexpected nil response"

var errNoAnswer = errors.New("its stream ended without it")

// innermost takes off the layers mcp-go puts around a cause.
func innermost(err error) error {
	for {
		below := errors.Unwrap(err)
		if below == nil {
			return err
		}
		err = below
	}
}

// spoiled reports whether err is an answer that came and cannot be used.
func spoiled(err error) bool {
	var answer *AnswerError
	return errors.As(err, &answer)
}

// refused reports whether err is a server's refusal by HTTP, which says more
// than that the connection is gone.
func refused(err error) bool {
	var status *httpx.StatusError
	return errors.As(err, &status)
}
