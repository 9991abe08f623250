package sse

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// readAll reads a stream at a stroke and byte by byte, which must be the same.
func readAll(t *testing.T, stream string, open func(io.Reader) *Reader) string {
	t.Helper()
	whole, err := io.ReadAll(open(strings.NewReader(stream)))
	require.NoError(t, err)
	pieces, err := io.ReadAll(iotest.OneByteReader(open(iotest.OneByteReader(strings.NewReader(stream)))))
	require.NoError(t, err)
	assert.Equal(t, string(whole), string(pieces))
	return string(whole)
}

func answerTo7(from io.Reader) *Reader { return NewAnswer(from, 7) }

const (
	notice = `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}`
	ask    = `{"jsonrpc":"2.0","id":1,"method":"roots/list"}`
	ours   = `{"jsonrpc":"2.0","id":7,"result":{"n":9007199254740993}}`
	other  = `{"jsonrpc":"2.0","id":8,"result":{}}`
)

func event(data string) string { return "data: " + data + "\n\n" }

func TestEventsWithoutABatchPassAsTheyAre(t *testing.T) {
	t.Parallel()
	for name, stream := range map[string]string{
		"nothing":            "",
		"comments":           ": hello\n\n: again\r\n\r\n",
		"messages":           event(notice) + "id: 1\r\nevent: message\r\ndata:" + ours + "\r\n\r\n" + event(other),
		"several lines":      "data: {\"jsonrpc\":\"2.0\",\ndata: \"id\":7,\"result\":{}}\n\n",
		"without its end":    "data: " + ours,
		"text of a list":     event("[what]") + event("[") + event("[1") + event(`[{}] {}`),
		"an endpoint":        "event: endpoint\ndata: /messages?s=[1]\n\n",
		"an error in a text": event(`{"jsonrpc":"2.0","id":7,"result":{"text":"\"error\" \"data\""}}`),
		"an error, no data":  event(`{"jsonrpc":"2.0","id":7,"error":{"code":-1,"message":"m"}}`),
		"an error's text":    event(`{"jsonrpc":"2.0","id":7,"error":{"code":-1,"message":"m","data":"9007199254740993"}}`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, stream, readAll(t, stream, NewReader))
			assert.Equal(t, stream, readAll(t, stream, answerTo7))
		})
	}
}

func TestMessagesOfABatchAreEventsOfTheirOwn(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ stream, all, answer string }{
		"in order":     {event("[" + notice + "," + ask + "," + ours + "]"), event(notice) + event(ask) + event(ours), event(notice) + event(ask) + event(ours)},
		"answer first": {event("[" + ours + "," + notice + "," + ask + "]"), event(ours) + event(notice) + event(ask), event(notice) + event(ask) + event(ours)},
		"of others":    {event("[" + other + "," + ours + "," + ours + "]"), event(other) + event(ours) + event(ours), event(ours)},
		"not messages": {event("[1,null,[" + ours + "]," + ours + "]"), event(ours), event(ours)},
		"with fields": {"id: 4\nevent: message\nretry: 5\ndata: [" + notice + "," + ours + "]\n\n",
			"event: message\n" + event(notice) + "event: message\nid: 4\nretry: 5\n" + event(ours),
			"event: message\n" + event(notice) + "event: message\nid: 4\nretry: 5\n" + event(ours)},
		"over lines": {"data: [\ndata: " + notice + ",\r\ndata:" + ours + "\ndata: ]\n\n", event(notice) + event(ours), event(notice) + event(ours)},
		"none":       {"id: 9\ndata: []\n\n" + event(notice), "id: 9\n\n" + event(notice), "id: 9\n\n" + event(notice)},
		"at the end": {event(notice) + "data: [" + ours + "]", event(notice) + event(ours), event(notice) + event(ours)},
		"id as text": {event(`[{"id":"7","result":{}}]`), event(`{"id":"7","result":{}}`), event(`{"id":"7","result":{}}`)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, c.all, readAll(t, c.stream, NewReader))
			assert.Equal(t, c.answer, readAll(t, c.stream, answerTo7))
		})
	}
}

func TestABatchIsBounded(t *testing.T) {
	t.Parallel()
	full := "[" + strings.Repeat("{},", maxItems-1) + ours + "]"
	items, length, short, err := Items([]byte(full + "rest"))
	require.NoError(t, err)
	assert.Len(t, items, maxItems)
	assert.Equal(t, len(full), length)
	assert.False(t, short)

	_, _, _, err = Items([]byte("[{}," + full[1:]))
	require.ErrorIs(t, err, ErrTooMany)
	large := event("[{}," + full[1:])
	assert.Equal(t, large, readAll(t, large, NewReader), "it is not read")

	_, _, short, err = Items([]byte("[{},"))
	require.Error(t, err)
	assert.True(t, short)
}

func TestWhatEndsTheStreamIsTold(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	r := NewReader(io.MultiReader(strings.NewReader(event(notice)), iotest.ErrReader(broken)))
	got, err := io.ReadAll(r)
	require.ErrorIs(t, err, broken)
	assert.Equal(t, event(notice), string(got))
}

// mcp-go decodes an error's data. It must come out of that as it went in.
func TestO16_AnErrorsDataKeepsItsDigits(t *testing.T) {
	t.Parallel()
	for _, data := range []string{
		"9007199254740993", "[1.10,12345678901234567890]", `{"a":{"n":9007199254740993},"b":"<&> ü"}`, "{ \"x\" : 1e400 }",
	} {
		failure := `{"id":7,"error":{"data":` + data + `,"code":-1,"message":"m"},"jsonrpc":"2.0"}`
		asBody, stream := Answer([]byte(failure), 7)
		assert.False(t, stream)
		asEvent := readAll(t, event(failure), NewReader)
		inBatch := readAll(t, event("["+failure+"]"), answerTo7)
		for _, passed := range []string{string(asBody), strings.TrimPrefix(asEvent, "data:"), strings.TrimPrefix(inBatch, "data:")} {
			assert.Equal(t, data, string(dataOf(t, passed)))
		}
	}
}

// dataOf decodes an answer as mcp-go does.
func dataOf(t *testing.T, answer string) json.RawMessage {
	t.Helper()
	var decoded struct{ Error struct{ Data any } }
	require.NoError(t, json.Unmarshal([]byte(answer), &decoded), answer)
	raw, ok := Data(decoded.Error.Data).(json.RawMessage)
	require.True(t, ok, "%#v", decoded.Error.Data)
	return raw
}

func TestDataThatIsNotOursIsLeftAlone(t *testing.T) {
	t.Parallel()
	for _, data := range []any{nil, "text", 1.5, mark + "no JSON", mark, map[string]any{"a": true}} {
		assert.Equal(t, data, Data(data))
	}
}

func FuzzReader(f *testing.F) {
	for _, seed := range []string{event("[" + notice + "," + ours + "]"), event(notice), "id: 1\r\n\r\n", "data: [\n", event(`{"error":{"data":[1]}}`)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, stream string) {
		for _, open := range []func(io.Reader) *Reader{NewReader, answerTo7} {
			got := readAll(t, stream, open)
			if !strings.Contains(stream, "[") && !strings.Contains(stream, `"error"`) {
				assert.Equal(t, stream, got)
			}
		}
		_, _ = Answer([]byte(stream), 7)
	})
}
