package stdio

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcptoolset/mcptoolset/internal/decode/rawjson"
	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// message implements receiver.
func (t *Transport) message(m *message, keep func([]byte) json.RawMessage) {
	switch {
	case m.answers():
		if !t.answer(m, keep) {
			t.stray("an answer that no request waits for", m.shown())
		}
	case m.named() && m.identified():
		t.asked(m)
	case m.named():
		t.notify(m)
	default:
		if !t.answer(m, keep) {
			t.stray("no JSON-RPC message", m.shown())
		}
	}
}

// answer implements receiver.
func (t *Transport) answer(m *message, keep func([]byte) json.RawMessage) bool {
	id, ok := numberOf(m.id)
	if !ok {
		if id, ok = t.accused(m); !ok {
			return false
		}
	}
	w := t.pending.take(id)
	if w == nil {
		return false
	}
	var o outcome
	o.response, o.err = answer(m, keep)
	w.outcome <- o
	return true
}

// accused is the request that an error without an id can only be about: the
// server could not read what it was sent (JSON-RPC 2.0, section 5), and only
// one request waits.
func (t *Transport) accused(m *message) (int64, bool) {
	if m.identified() || m.failure.Kind != rawjson.Object {
		return 0, false
	}
	switch details(m.failure).Code {
	case mcp.PARSE_ERROR, mcp.INVALID_REQUEST:
		return t.pending.only()
	}
	return 0, false
}

// broken implements receiver.
func (t *Transport) broken(id int64, cause error) bool {
	w := t.pending.take(id)
	if w == nil {
		return false
	}
	w.outcome <- outcome{err: &wire.AnswerError{Err: cause}}
	return true
}

// headLength is how much of a stray line is told.
const headLength = 200

// stray implements receiver.
func (t *Transport) stray(why string, text []byte) {
	t.strays.Add(1)
	if t.o.OnStray != nil {
		t.o.OnStray(why, strings.ToValidUTF8(string(text[:min(len(text), headLength)]), "\uFFFD"))
	}
}

// shown is what is told of a message that belongs to nobody. Its content may be
// large, and somebody else's.
func (m *message) shown() []byte {
	return bytes.Join([][]byte{[]byte("id"), m.id.Raw, m.method.Raw}, []byte(" "))
}

func (t *Transport) notify(m *message) {
	t.mu.Lock()
	handler := t.onNotice
	t.mu.Unlock()
	if handler == nil {
		return
	}
	n := mcp.JSONRPCNotification{JSONRPC: mcp.JSONRPC_VERSION}
	n.Method = m.method.Text()
	if m.params.Kind == rawjson.Object {
		// A notification whose params cannot be read is one all the same.
		_ = json.Unmarshal(m.params.Raw, &n.Params)
	}
	handler(n)
}
