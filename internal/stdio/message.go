package stdio

import (
	"strconv"
	"strings"

	"github.com/mcptoolset/mcptoolset/internal/decode/rawjson"
)

// message is a JSON-RPC message by the members at its top. What is absent is of
// kind Invalid; of a repeated member the last counts.
type message struct {
	id, method, params, result, failure rawjson.Value
}

// scan reads the object that text starts with and returns how long it is. short
// tells that an error came of the text's end.
func scan(text []byte) (m message, length int, short bool, err error) {
	r := rawjson.NewReader(text)
	r.Object(func(key []byte) {
		switch string(key) {
		case "id":
			m.id = r.Value()
		case "method":
			m.method = r.Value()
		case "params":
			m.params = r.Value()
		case "result":
			m.result = r.Value()
		case "error":
			m.failure = r.Value()
		}
	})
	return m, r.Offset(), r.Short(), r.Err()
}

// answers reports whether m can only be an answer.
func (m *message) answers() bool {
	return m.result.Kind != rawjson.Invalid || m.failure.Kind != rawjson.Invalid
}

// named reports whether m is a request or a notification.
func (m *message) named() bool { return m.method.Kind == rawjson.String }

// identified reports whether m has an id. One that is null is none.
func (m *message) identified() bool {
	return m.id.Kind != rawjson.Invalid && m.id.Kind != rawjson.Null
}

// numberOf reads an id of ours as it may come back: as the number it is, as
// text, or as a float.
func numberOf(id rawjson.Value) (int64, bool) {
	text := ""
	switch id.Kind {
	case rawjson.Number:
		text = string(id.Raw)
	case rawjson.String:
		text = strings.TrimSpace(id.Text())
	}
	return wholeNumber(text)
}

// wholeNumber reads a number without a fraction, however it is written.
func wholeNumber(text string) (int64, bool) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, true
	}
	if len(text) == 0 || len(text) > 32 {
		return 0, false
	}
	const exact = 1 << 53
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || !(f > -exact && f < exact) || f != float64(int64(f)) {
		return 0, false
	}
	return int64(f), true
}
