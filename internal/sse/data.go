package sse

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/mcptoolset/mcptoolset/internal/decode/rawjson"
)

// mark begins a text that stands for an error's data. Servers have no reason to
// write it; what one gains who does is data of its own choice, as ever.
const mark = "\x00data:"

// quoteData returns a message with its error's data as a text, or the message
// itself where there is nothing to lose.
func quoteData(text []byte, m message) []byte {
	if m.failure.Kind != rawjson.Object {
		return text
	}
	var data rawjson.Value
	end := m.failureEnd - len(m.failure.Raw)
	r := rawjson.NewReader(m.failure.Raw)
	r.Object(func(key []byte) {
		if string(key) == "data" {
			data = r.Value()
			end = m.failureEnd - len(m.failure.Raw) + r.Offset()
		}
	})
	switch data.Kind {
	case rawjson.Number, rawjson.Object, rawjson.List:
	default:
		return text
	}
	quoted, err := json.Marshal(mark + string(data.Raw))
	if err != nil {
		return text
	}
	return bytes.Join([][]byte{text[:end-len(data.Raw)], quoted, text[end:]}, nil)
}

// Data is the data of an error that mcp-go has decoded, as the server wrote it
// where it went through here.
func Data(decoded any) any {
	text, ok := decoded.(string)
	if !ok {
		return decoded
	}
	raw, marked := strings.CutPrefix(text, mark)
	if !marked || !json.Valid([]byte(raw)) {
		return decoded
	}
	return json.RawMessage(raw)
}
