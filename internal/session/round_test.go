package session_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/internal/session"
	"github.com/mcptoolset/mcptoolset/internal/wire"
)

func TestJ3_ARefusalInARoundDoesNotHaveAPersonAskedAgain(t *testing.T) {
	t.Parallel()
	for name, refuse := range map[string]http.HandlerFunc{
		"401": mcptest.Status(401, "expired"),
		"403": mcptest.Status(403, "expired"),
		"503": mcptest.Status(503, "busy", "Retry-After", "0"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			var sent []string
			web := mcptest.Raw(t, func(w http.ResponseWriter, r *http.Request, m mcptest.Message) {
				if m.Method == "server/discover" {
					mcptest.Reply(w, m, json.RawMessage(`{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"serverInfo":{"name":"t","version":"1"}}`))
					return
				}
				if m.Method != "tools/call" {
					mcptest.Default(w, r, m)
					return
				}
				mu.Lock()
				defer mu.Unlock()
				round := strings.Count(string(m.Params), `"accept"`)
				if round > 0 {
					round += strings.Count(string(m.Params), `"requestState":"second"`)
				}
				sent = append(sent, fmt.Sprint(round))
				switch {
				case len(sent) == 3:
					refuse(w, r)
				case round == 2:
					mcptest.Reply(w, m, json.RawMessage(`{"resultType":"complete","content":[]}`))
				default:
					state := []string{"first", "second"}[round]
					mcptest.Reply(w, m, json.RawMessage(`{"resultType":"input_required","inputRequests":{"q":{"method":"elicitation/create","params":{"message":"?"}}},"requestState":"`+state+`"}`))
				}
			})
			var asked, token atomic.Int32
			p := newPool(t, config.NewStreamableHTTP(web.URL), func(o *session.Options) {
				o.Provider = func(context.Context) (http.Header, error) {
					return http.Header{"Authorization": {fmt.Sprint("Bearer token-", token.Add(1))}}, nil
				}
				o.Asks = &wire.Asks{Answer: func(context.Context, string, json.RawMessage) (json.RawMessage, error) {
					asked.Add(1)
					return json.RawMessage(`{"action":"accept"}`), nil
				}}
			})
			_, err := call(t.Context(), p, "charge")
			require.NoError(t, err)
			assert.EqualValues(t, 2, asked.Load(), "once for each round")
			assert.Equal(t, []string{"0", "1", "2", "2"}, sent)
		})
	}
}
