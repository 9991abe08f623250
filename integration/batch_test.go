package integration

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// rawAnswers gives servers of one version that answer every call with this text,
// in which $id stands for the request's id, over every kind of connection on
// which a server's own text arrives.
func rawAnswers(version, answer string) map[string]func(*testing.T) *config.Builder {
	tool := []byte(`{"name":"tool","inputSchema":{"type":"object"}}`)
	hello := map[string]any{"protocolVersion": version, "serverInfo": map[string]any{"name": "raw", "version": "1"},
		"capabilities": map[string]any{"tools": map[string]any{}, "logging": map[string]any{}}}
	text := func(m mcptest.Message) []byte { return bytes.ReplaceAll([]byte(answer), []byte("$id"), m.ID) }
	web := func(t *testing.T, call func(http.ResponseWriter, *http.Request, mcptest.Message)) *config.Builder {
		return config.NewStreamableHTTP(mcptest.Raw(t, func(w http.ResponseWriter, r *http.Request, m mcptest.Message) {
			switch m.Method {
			case "initialize":
				mcptest.Reply(w, m, hello)
			case "tools/call":
				call(w, r, m)
			default:
				mcptest.Default(w, r, m, tool)
			}
		}).URL)
	}
	return map[string]func(*testing.T) *config.Builder{
		"http json": func(t *testing.T) *config.Builder {
			return web(t, func(w http.ResponseWriter, _ *http.Request, m mcptest.Message) {
				w.Header().Set("Content-Type", "application/json")
				_, _ = w.Write(text(m))
			})
		},
		"http event": func(t *testing.T) *config.Builder {
			return web(t, func(w http.ResponseWriter, r *http.Request, m mcptest.Message) { mcptest.Stream(w, r, true, text(m)) })
		},
		"http event behind a notice": func(t *testing.T) *config.Builder {
			return web(t, func(w http.ResponseWriter, r *http.Request, m mcptest.Message) {
				mcptest.Stream(w, r, true, []byte(`{"jsonrpc":"2.0","method":"notifications/x"}`), text(m))
			})
		},
		"sse": func(t *testing.T) *config.Builder {
			return config.NewSSE(mcptest.RawSSE(t, mcptest.SSEScript{Message: func(s *mcptest.SSEStream, m mcptest.Message) {
				switch m.Method {
				case "initialize":
					s.Send(mcptest.Result(m, hello))
				case "tools/call":
					s.Send(text(m))
				default:
					s.Answer(m, tool)
				}
			}}).URL)
		},
		"stdio": func(t *testing.T) *config.Builder {
			return child(mcptest.Run(t, mcptest.Script{Tools: []json.RawMessage{tool}, Rules: []mcptest.Rule{{Method: "tools/call", Raw: answer + "\n"}}}))
		},
	}
}

// In 2025-03-26, and in no other version, an answer may come in a batch, with
// notices beside it.
func TestMatrix_AnswersInBatchesOf2025_03_26(t *testing.T) {
	t.Parallel()
	note := func(n int) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":"note %d"}}`, n)
	}
	const other = `{"jsonrpc":"2.0","id":"another","result":{"content":[]}}`
	const ours = `{"jsonrpc":"2.0","id":$id,"result":{"content":[{"type":"text","text":"batched 9007199254740993"}]}}`
	for name, describe := range rawAnswers("2025-03-26", "["+other+","+note(1)+","+ours+","+note(2)+"]") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var logged lines
			ts := open(t, describe(t), toolset.WithServerLogger(slog.New(slog.NewTextHandler(&logged, nil))))
			assert.Equal(t, "batched 9007199254740993", call(t, ts, "tool", "{}"))
			eventually(t, "the notices are delivered, in order", func() bool {
				first, second := bytes.Index([]byte(logged.String()), []byte("note 1")), bytes.Index([]byte(logged.String()), []byte("note 2"))
				return first >= 0 && second > first
			})
		})
	}
}

// What a server adds to an error is for the owner, digit by digit.
func TestO16_TheDataOfAnErrorKeepsItsDigits(t *testing.T) {
	t.Parallel()
	const data = `{"row":9007199254740993,"sum":12345678901234567890.10}`
	for _, version := range []string{"2024-11-05", "2025-11-25"} {
		for name, describe := range rawAnswers(version, `{"jsonrpc":"2.0","id":$id,"error":{"code":-32000,"message":"no","data":`+data+`}}`) {
			t.Run(version+"_"+name, func(t *testing.T) {
				t.Parallel()
				ts := open(t, describe(t))
				_, err := ts.CallTool(t.Context(), "tool", nil)
				assert.ErrorContains(t, err, data)
				assert.Contains(t, call(t, ts, "tool", "{}"), "9007199254740993")
			})
		}
	}
}
