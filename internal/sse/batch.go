package sse

import (
	"bytes"
	"errors"
	"strconv"

	"github.com/mcptoolset/mcptoolset/internal/decode/rawjson"
)

// maxItems bounds the messages in one batch. No server has more to say at once;
// its size in bytes is bounded elsewhere.
const maxItems = 10_000

// ErrTooMany is a batch above that bound, which is not read.
var ErrTooMany = errors.New("a batch has too many messages")

// Items cuts the list that text starts with into its items (JSON-RPC 2.0, section
// 6), which are slices of text. length is that of the list; short tells that an
// error came of the text's end.
func Items(text []byte) (items [][]byte, length int, short bool, err error) {
	r := rawjson.NewReader(text)
	r.List(func(at int) {
		if at < maxItems {
			items = append(items, r.Value().Raw)
		} else {
			err = ErrTooMany
		}
	})
	if r.Err() != nil {
		return nil, r.Offset(), r.Short(), r.Err()
	}
	return items, r.Offset(), false, err
}

// IsBatch reports whether a text can only be a batch.
func IsBatch(text []byte) bool {
	text = bytes.TrimLeft(text, " \t\r\n")
	return len(text) > 0 && text[0] == '['
}

// whole are the messages of a text that is a batch and nothing else.
func whole(text []byte) ([][]byte, bool) {
	items, length, _, err := Items(text)
	if err != nil || len(bytes.TrimSpace(text[length:])) > 0 {
		return nil, false
	}
	return items, true
}

// message is what has to be known of one to pass it on.
type message struct {
	id, failure rawjson.Value
	failureEnd  int // where the error ends in the text
	answers     bool
}

func scan(text []byte) (m message, ok bool) {
	r := rawjson.NewReader(text)
	r.Object(func(key []byte) {
		switch string(key) {
		case "id":
			m.id = r.Value()
		case "result":
			r.Value()
			m.answers = true
		case "error":
			m.failure = r.Value()
			m.failureEnd = r.Offset()
			m.answers = true
		}
	})
	return m, r.End() == nil
}

// isFor reports whether an id is that of a request of ours. A server may write a
// number as text.
func isFor(id rawjson.Value, asked int64) bool {
	text := string(id.Raw)
	if id.Kind == rawjson.String {
		text = id.Text()
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n == asked
	}
	f, err := strconv.ParseFloat(text, 64)
	return err == nil && f == float64(asked)
}
