package streamable_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/internal/sse"
)

// TestE2_ABatchIsReadMessageByMessage sends the answer to a request in a batch,
// with the answer to another, notices and a question, whose order is kept.
func TestE2_ABatchIsReadMessageByMessage(t *testing.T) {
	t.Parallel()
	note := func(n int) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/message","params":{"n":%d}}`, n)
	}
	ours := `{"jsonrpc":"2.0","id":7,"result":` + result + `}`
	other := `{"jsonrpc":"2.0","id":8,"result":{}}`
	question := `{"jsonrpc":"2.0","id":1,"method":"roots/list"}`
	batch := "[" + strings.Join([]string{other, note(1), ours, question, note(2)}, ",") + "]"
	for name, c := range map[string]struct {
		method, media, body string
		notices             []any
		asked               bool
	}{
		"json":             {"tools/call", "application/json", batch, []any{1.0, 2.0}, true},
		"an event":         {"tools/call", "text/event-stream", "data: " + batch + "\n\n", []any{1.0, 2.0}, true},
		"behind a notice":  {"tools/call", "text/event-stream", "data: " + note(0) + "\n\ndata: " + batch + "\n\n", []any{0.0, 1.0, 2.0}, true},
		"alone in a batch": {"tools/call", "application/json; charset=utf-8", " [ " + ours + " ] ", nil, false},
		"two batches":      {"tools/call", "text/event-stream", "data: [" + note(1) + "," + note(2) + "]\n\ndata: [" + ours + "]\n\n", []any{1.0, 2.0}, false},
		"of initialize":    {"initialize", "application/json", "[" + note(1) + "," + ours + "]", []any{1.0}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			answered := make(chan string, 9)
			conn, _ := connect(t, "2025-03-26", func(w http.ResponseWriter, r received) {
				if !strings.Contains(r.body, `"method"`) {
					answered <- r.body
					w.WriteHeader(http.StatusAccepted)
					return
				}
				w.Header().Set("Content-Type", c.media)
				_, _ = io.WriteString(w, c.body)
			})
			var notices []any
			conn.SetNotificationHandler(func(n mcp.JSONRPCNotification) { notices = append(notices, n.Params.AdditionalFields["n"]) })
			conn.SetRequestHandler(func(_ context.Context, r transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
				return &transport.JSONRPCResponse{JSONRPC: "2.0", ID: r.ID, Result: json.RawMessage(`{"roots":[]}`)}, nil
			})
			request := ask(7, `{}`)
			request.Method = c.method
			response, err := conn.SendRequest(t.Context(), request)
			require.NoError(t, err)
			assert.Equal(t, result, string(response.Result))
			assert.Equal(t, c.notices, notices)
			if c.asked {
				assert.JSONEq(t, `{"jsonrpc":"2.0","id":1,"result":{"roots":[]}}`, <-answered)
			}
		})
	}
}

// TestO16_AnErrorsDataKeepsItsDigits sends an error by the ways that are read here
// and by those that mcp-go reads.
func TestO16_AnErrorsDataKeepsItsDigits(t *testing.T) {
	t.Parallel()
	const data = `{"n":9007199254740993,"f":1.10,"s":"<ü>"}`
	failure := `{"jsonrpc":"2.0","id":7,"error":{"code":-32000,"message":"no","data":` + data + `}}`
	for name, c := range map[string]struct {
		status      int
		media, body string
	}{
		"plain":             {200, "application/json", failure},
		"a text as id":      {200, "application/json", strings.Replace(failure, `"id":7`, `"id":"7"`, 1)},
		"event":             {200, "text/event-stream", "data: " + failure + "\n\n"},
		"behind a notice":   {200, "text/event-stream", "data: {\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n\ndata: " + failure + "\n\n"},
		"over two lines":    {200, "text/event-stream", "data: " + strings.Replace(failure, `,"id"`, ",\ndata: \"id\"", 1) + "\n\n"},
		"in a batch":        {200, "application/json", "[" + failure + "]"},
		"with a status 400": {400, "application/json", failure},
		"with a status 422": {422, "application/problem+json", failure},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn, all := connect(t, newer, func(w http.ResponseWriter, _ received) {
				w.Header().Set("Content-Type", c.media)
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.body)
			})
			response, err := conn.SendRequest(t.Context(), ask(7, `{}`))
			require.NoError(t, err)
			require.NotNil(t, response.Error)
			assert.Equal(t, -32000, response.Error.Code)
			assert.Equal(t, "no", response.Error.Message)
			raw, ok := sse.Data(response.Error.Data).(json.RawMessage)
			require.True(t, ok, "%#v", response.Error.Data)
			assert.Equal(t, data, string(raw))
			assert.Len(t, *all, 1)
		})
	}
}
