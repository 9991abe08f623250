package streamable

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcptoolset/mcptoolset/internal/httpx"
	"github.com/mcptoolset/mcptoolset/internal/sse"
)

// Transport is the connection to one server. It may be used concurrently.
type Transport struct {
	*transport.StreamableHTTP

	message *http.Request // every message begins as its copy
	client  *http.Client
	direct  *httpx.Transport       // what client sends through
	version atomic.Pointer[string] // nil before it is negotiated
	life    context.Context        // ends with Close
	end     context.CancelFunc
}

var (
	_ transport.BidirectionalInterface = (*Transport)(nil)
	_ transport.HTTPConnection         = (*Transport)(nil)
)

// New returns a Transport to the server at a URL, not started. client must send
// through an [httpx.Transport]; it is also what mcp-go's transport sends with,
// which options are for.
func New(at string, client *http.Client, options ...transport.StreamableHTTPCOption) (*Transport, error) {
	direct, ok := client.Transport.(*httpx.Transport)
	if !ok {
		return nil, fmt.Errorf("streamable: the client sends through a %T", client.Transport)
	}
	message, err := http.NewRequest(http.MethodPost, at, nil)
	if err != nil {
		return nil, err
	}
	inner, err := transport.NewStreamableHTTP(at, append(options, transport.WithHTTPBasicClient(client))...)
	if err != nil {
		return nil, err
	}
	t := &Transport{StreamableHTTP: inner, message: message, client: client, direct: direct}
	t.life, t.end = context.WithCancel(context.Background())
	return t, nil
}

// SetProtocolVersion implements transport.HTTPConnection.
func (t *Transport) SetProtocolVersion(version string) {
	t.version.Store(&version)
	t.StreamableHTTP.SetProtocolVersion(version)
}

// Close implements transport.Interface. It ends what is under way.
func (t *Transport) Close() error {
	t.end()
	return t.StreamableHTTP.Close()
}

// SendRequest implements transport.Interface. Errors are those of mcp-go's
// transport.
func (t *Transport) SendRequest(ctx context.Context, request transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	body, id, ok := encode(request)
	if !ok {
		return t.StreamableHTTP.SendRequest(ctx, request)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(t.life, cancel)()
	resp, err := t.post(ctx, t.negotiated(), body, request.Header)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	defer cancel() // first: over HTTP/2 Close may wait for what does not come
	// From the answer to initialize mcp-go takes the session.
	if request.Method != string(mcp.MethodInitialize) {
		if response, ok := answer(resp, cancel); ok {
			return response, nil
		}
	}
	prepare(resp, id)
	return t.StreamableHTTP.SendRequest(httpx.WithResponse(ctx, resp), asLater(request))
}

// asLater is request as mcp-go is to see it. For an answer to server/discover it
// would begin to listen for notices, and it could not know yet by what session,
// or whether at all: the answer may well lead to initialize.
func asLater(request transport.JSONRPCRequest) transport.JSONRPCRequest {
	if request.Method == string(mcp.MethodServerDiscover) {
		request.Method = string(mcp.MethodPing)
	}
	return request
}

// negotiated is the version for the headers of messages; empty before there is
// one.
func (t *Transport) negotiated() string {
	if version := t.version.Load(); version != nil {
		return *version
	}
	return ""
}

// post sends a message with the headers of the transport (MCP,
// basic/transports, "Sending Messages to the Server").
func (t *Transport) post(ctx context.Context, version string, body []byte, header http.Header) (*http.Response, error) {
	req := t.message.WithContext(ctx)
	req.ContentLength = int64(len(body))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	req.Body, _ = req.GetBody()
	req.Header = make(http.Header, len(header)+8)
	maps.Copy(req.Header, header)
	req.Header["Content-Type"] = jsonOnly
	req.Header["Accept"] = jsonOrEvents
	if version != "" {
		req.Header["Mcp-Protocol-Version"] = []string{version}
	}
	if !mcp.IsModernProtocol(version) {
		if session := t.GetSessionId(); session != "" {
			req.Header["Mcp-Session-Id"] = []string{session}
		}
	}
	return t.do(req)
}

// do does what client would, for less: it only has to follow redirects and to
// keep cookies where there are any.
func (t *Transport) do(req *http.Request) (*http.Response, error) {
	if t.client.Jar != nil {
		return t.client.Do(req)
	}
	resp, err := t.direct.Send(req)
	if err != nil {
		return nil, &url.Error{Op: "Post", URL: req.URL.String(), Err: err}
	}
	if resp.Header.Get("Location") == "" {
		return resp, nil
	}
	return t.client.Do(req.WithContext(httpx.WithResponse(req.Context(), resp)))
}

// The media types of answers.
const (
	plainAnswer = "application/json"
	events      = "text/event-stream"
)

// Header values that are always the same. They are never written to.
var (
	jsonOnly     = []string{plainAnswer}
	jsonOrEvents = []string{plainAnswer + ", " + events}
)

// answer reads the answer to a request and reports whether it is one. Otherwise
// resp is left as if nothing had been read.
func answer(resp *http.Response, cancel context.CancelFunc) (*transport.JSONRPCResponse, bool) {
	if resp.StatusCode != http.StatusOK {
		return nil, false
	}
	body := resp.Body
	var text, seen []byte
	var err error
	media := mediaType(resp)
	switch media {
	case plainAnswer:
		seen, err = readWhole(resp)
		text = seen
	case events:
		s := stream{body: body}
		text, err = s.first()
		seen = s.seen
	}
	if response, ok := decode(text); ok {
		if media == events {
			settle(body, cancel)
		}
		return response, true
	}
	resp.Body = &resumed{Reader: io.MultiReader(bytes.NewReader(seen), rest(body, err)), Closer: body}
	return nil, false
}

// settled is how long a stream may take to end behind its answer.
const settled = 5 * time.Millisecond

// settle reads the end of a stream that has nothing more to say, so that its
// connection can be used again. One that stays open is cut.
func settle(body io.Reader, cancel context.CancelFunc) {
	defer time.AfterFunc(settled, cancel).Stop()
	_, _ = io.CopyN(io.Discard, body, readAhead)
}

// prepare makes an answer fit for mcp-go: messages that come in a batch, as MCP
// 2025-03-26 allows, come one by one, and an error's data keeps its digits.
func prepare(resp *http.Response, id int64) {
	body := resp.Body
	switch media := mediaType(resp); {
	case media == events:
		resp.Body = &resumed{Reader: sse.NewAnswer(body, id), Closer: body}
	case media == plainAnswer, resp.StatusCode == http.StatusBadRequest: // an error, which is read whatever its type
		text, err := readWhole(resp)
		text, stream := sse.Answer(text, id)
		if stream {
			resp.Header.Set("Content-Type", events)
		}
		resp.Body = &resumed{Reader: io.MultiReader(bytes.NewReader(text), rest(body, err)), Closer: body}
	}
}

// resumed is a body of which a part was read already.
type resumed struct {
	io.Reader
	io.Closer
}

// rest is what follows what was read of a body: more of it, or the error that
// ended the reading.
func rest(body io.Reader, err error) io.Reader {
	if err == nil || errors.Is(err, io.EOF) {
		return body
	}
	return failing{err}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func mediaType(resp *http.Response) string {
	media := resp.Header.Get("Content-Type")
	if media == plainAnswer || media == events {
		return media
	}
	media, _, _ = mime.ParseMediaType(media) // what cannot be read is for mcp-go to refuse
	return media
}

// maxAhead is how much room is made for a body before it has come: no more than
// a server may claim for nothing.
const maxAhead = 1 << 20

// readWhole reads a body to its end. The error is nil at its ordinary end.
func readWhole(resp *http.Response) ([]byte, error) {
	var body bytes.Buffer
	body.Grow(int(min(max(resp.ContentLength, 0), maxAhead)) + bytes.MinRead)
	_, err := body.ReadFrom(resp.Body)
	return body.Bytes(), err
}
