package httpx

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mcptoolset/mcptoolset/internal/bound"
	"github.com/mcptoolset/mcptoolset/internal/sse"
)

const (
	// maxRefusal is how much of a refusal's body is read.
	maxRefusal = 64 << 10
	// maxBody is how much of it an error shows, in bytes.
	maxBody = 2 << 10
)

// judge returns resp as mcp-go should see it, or a refusal as an error.
func (t *Transport) judge(req *http.Request, resp *http.Response) (*http.Response, error) {
	if resp.StatusCode == http.StatusNoContent && req.Method == http.MethodPost {
		// mcp-go's SSE transport takes 200 and 202 only.
		resp.StatusCode = http.StatusAccepted
		return resp, nil
	}
	if !t.judged(req) || resp.StatusCode < 400 && readable(resp) {
		resp.Body = t.bounded(req, resp)
		if t.sse && req.Method == http.MethodGet {
			resp.Body = &welcome{ReadCloser: resp.Body, t: t}
		}
		return resp, nil
	}
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxRefusal)) // what there is, is shown
	resp.Body.Close()
	if t.answers(req, resp.StatusCode, body) {
		refused(req.Context(), resp.StatusCode)
		// mcp-go reads an error object from any refusal but 401 and 404.
		resp.StatusCode = http.StatusBadRequest
		resp.Body = io.NopCloser(bytes.NewReader(body))
		return resp, nil
	}
	return nil, &StatusError{
		Method:    req.Method,
		Status:    resp.StatusCode,
		Body:      t.head(req, body),
		Header:    keep(resp.Header, "WWW-Authenticate", "Retry-After"),
		InSession: t.inSession(req),
	}
}

// refusal is err as a StatusError where the owner's RoundTripper says that the
// server refused the request and that nothing could be done about it, such as
// an authorization that failed. err itself elsewhere.
func (t *Transport) refusal(req *http.Request, err error) error {
	var said interface {
		error
		Refusal() (status int, header http.Header)
	}
	if !errors.As(err, &said) {
		return err
	}
	status, header := said.Refusal()
	if status < 400 {
		return err
	}
	return &StatusError{
		Method:    req.Method,
		Status:    status,
		Body:      t.head(req, []byte(said.Error())),
		Header:    keep(header, "WWW-Authenticate", "Retry-After"),
		InSession: t.inSession(req),
		Err:       said,
	}
}

// ErrTooLarge ends a stream with a message that is larger than any real one.
var ErrTooLarge = bound.ErrTooLarge

// bounded is the body of an answer, which ends at a message that is too large. A
// stream that was asked for goes straight to mcp-go, so it is made fit for that
// here; the answer to a message is its reader's business.
func (t *Transport) bounded(req *http.Request, resp *http.Response) io.ReadCloser {
	framing := bound.Whole
	if media, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type")); err == nil && media == "text/event-stream" {
		framing = bound.Events
	}
	var body io.Reader = bound.NewReader(resp.Body, framing, t.limit)
	if framing == bound.Events && req.Method == http.MethodGet {
		body = sse.NewReader(body)
	}
	return struct {
		io.Reader
		io.Closer
	}{body, resp.Body}
}

// readable reports whether a redirect leads to an address that can be read.
// net/http would put one that cannot into its error as it is, secrets included.
func readable(resp *http.Response) bool {
	_, err := resp.Location()
	return err == nil || errors.Is(err, http.ErrNoLocation)
}

// judged reports whether a refusal of req is ours to explain. mcp-go's
// streamable transport needs the plain answer to the GET that asks for a
// listening stream (405 says that there is none) and ignores that of the
// closing DELETE.
func (t *Transport) judged(req *http.Request) bool {
	return req.Method == http.MethodPost || t.sse
}

// inSession reports whether req belongs to a session of the server. Over SSE
// every message does: the address it is posted to names the session.
func (t *Transport) inSession(req *http.Request) bool {
	return req.Header.Get("Mcp-Session-Id") != "" || t.sse && req.Method == http.MethodPost
}

// answers reports whether a refusal's body is a JSON-RPC error that answers
// the request. Within a session an error without an id is about the session. One
// whose id is no number answers nothing that was asked: the Python SDK refuses
// sessions and versions so, as "server-error".
// Over SSE answers come by the stream.
func (t *Transport) answers(req *http.Request, status int, body []byte) bool {
	if t.sse || status == http.StatusUnauthorized || status == http.StatusForbidden {
		return false
	}
	var message struct {
		ID    json.RawMessage `json:"id"`
		Error *struct {
			Code *int `json:"code"`
		} `json:"error"`
	}
	if json.Unmarshal(body, &message) != nil || message.Error == nil || message.Error.Code == nil {
		return false
	}
	if len(message.ID) == 0 || string(message.ID) == "null" {
		return !t.inSession(req) && status != http.StatusNotFound
	}
	_, err := strconv.ParseInt(strings.Trim(string(message.ID), `"`), 10, 64)
	return err == nil
}

// head is the part of a body an error shows.
func (t *Transport) head(req *http.Request, body []byte) string {
	text := Redact(strings.ToValidUTF8(string(body), "\uFFFD"), t.secrets(req))
	if len(text) <= maxBody {
		return text
	}
	cut := maxBody
	for !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "…"
}

// secrets are the values sent with req that a server might repeat.
func (t *Transport) secrets(req *http.Request) []string {
	return append(HeaderSecrets(req.Header), t.OriginSecrets()...)
}

func keep(h http.Header, names ...string) http.Header {
	kept := http.Header{}
	for _, name := range names {
		if values := h.Values(name); len(values) > 0 {
			kept[http.CanonicalHeaderKey(name)] = values
		}
	}
	return kept
}
