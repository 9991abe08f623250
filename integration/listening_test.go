package integration

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/tools"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// newsroomOverHTTP is a newsroom over streamable HTTP whose answers to those
// who want to listen are the test's.
func newsroomOverHTTP(t *testing.T, listen http.HandlerFunc, opts ...mcptest.Option) (*mcptest.Endpoint, *config.Builder) {
	t.Helper()
	web := mcptest.New(t, append(opts, mcptest.Tools(), mcptest.Setup("newsroom"))...).StreamableHTTP(t)
	if listen != nil {
		web.Always(mcptest.Method("subscriptions/listen"), listen)
		web.Always(mcptest.HTTP(http.MethodGet), listen)
	}
	return web, describe(&mcptest.Target{Kind: mcptest.StreamableHTTP, Web: web})
}

func ignore(context.Context, string) {}

// TestB5_WhoIsRefusedAStreamGoesOnWithout has servers refuse to be listened to
// in every way, in both eras.
func TestB5_WhoIsRefusedAStreamGoesOnWithout(t *testing.T) {
	t.Parallel()
	ways := map[string]http.HandlerFunc{
		"400": mcptest.Status(400, "no"), "401": mcptest.Status(401, "who?"), "403": mcptest.Status(403, "not you"),
		"404": mcptest.Status(404, "where?"), "405": mcptest.Status(405, "how?"), "406": mcptest.Status(406, "what?"),
		"500": mcptest.Status(500, "oh"), "503": mcptest.Status(503, "later", "Retry-After", "1"), "cut": mcptest.Cut,
		"a page":         mcptest.Status(200, "<html>", "Content-Type", "text/html"),
		"an empty":       mcptest.Status(200, "", "Content-Type", "text/event-stream"),
		"a redirect":     mcptest.Status(307, "", "Location", "http://127.0.0.1:1/"),
		"nothing at all": mcptest.Status(204, ""),
	}
	for era, opts := range map[string][]mcptest.Option{"older": {mcptest.Legacy()}, "2026-07-28": nil} {
		for name, way := range ways {
			t.Run(era+" "+name, func(t *testing.T) {
				t.Parallel()
				web, b := newsroomOverHTTP(t, way, opts...)
				ts := open(t, b, toolset.WithListening())
				wantsToListen := func(r mcptest.Received) bool {
					return r.Method == "subscriptions/listen" || mcptest.HTTP(http.MethodGet)(r)
				}
				_, err := ts.Tools(t.Context())
				require.NoError(t, err)
				web.Received.Wait(t, wantsToListen)
				for range 200 {
					tell(t, ts, "amend", "news://1")
				}
				assert.False(t, name != "an empty" && ts.Listening(t.Context()))
				assert.LessOrEqual(t, web.Received.Count(wantsToListen), 12, "it is asked for with pauses")
			})
		}
	}
}

// TestH6_WhoIsRefusedTheStreamIsToldAtOnce is about servers before 2026-07-28:
// they take subscriptions by a request and tell of updates by a stream.
func TestH6_WhoIsRefusedTheStreamIsToldAtOnce(t *testing.T) {
	t.Parallel()
	for status, words := range map[int]string{400: "400", 401: "401", 403: "403", 404: "offers no stream", 405: "offers no stream", 410: "410", 500: "500"} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			t.Parallel()
			_, b := newsroomOverHTTP(t, mcptest.Status(status, "no"), mcptest.Legacy())
			ts := open(t, b)
			_, err := ts.Subscribe(t.Context(), "news://1", ignore)
			require.ErrorIs(t, err, toolset.ErrNoSubscriptions)
			assert.ErrorContains(t, err, words)
		})
	}
}

// TestH6_ARefusedSubscriptionLeavesTheOthers has a server of 2026-07-28 that
// knows one stream a connection refuse another resource.
func TestH6_ARefusedSubscriptionLeavesTheOthers(t *testing.T) {
	t.Parallel()
	acknowledge := `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":$id},"notifications":{"resourceSubscriptions":["news://1"]}}}`
	updated := `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"news://1"}}`
	for name, second := range map[string]mcptest.Rule{
		"by an error":              {Error: json.RawMessage(`{"code":-32602,"message":"no such resource"}`)},
		"by granting it to nobody": {Before: []string{acknowledge}, Silent: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			second.Method, second.Nth = "subscriptions/listen", 2
			c := mcptest.Run(t, mcptest.Script{Rules: []mcptest.Rule{
				{Method: "server/discover", Result: json.RawMessage(`{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"resources":{"subscribe":true},"tools":{}},"serverInfo":{"name":"n","version":"1"},"ttlMs":0,"cacheScope":"private"}`)},
				second,
				{Method: "subscriptions/listen", Before: []string{acknowledge, updated}, Silent: true},
				{Method: "notifications/cancelled", Silent: true},
			}})
			ts := open(t, child(c))
			var updates mcptest.Journal[string]
			_, err := ts.Subscribe(t.Context(), "news://1", func(_ context.Context, uri string) { updates.Add(uri) })
			require.NoError(t, err)
			updates.Wait(t)
			n := updates.Count()
			_, err = ts.Subscribe(t.Context(), "news://2", ignore)
			require.Error(t, err)
			updates.WaitN(t, n+1) // by a stream that began after the refusal
		})
	}
}

// TestE9_SecretsAreNotLoggedInAnyForm has servers log what they were sent, as
// text and within structures, where JSON writes characters in other ways.
func TestE9_SecretsAreNotLoggedInAnyForm(t *testing.T) {
	t.Parallel()
	const secret = `p&ss<word>"\ö`
	newsrooms(t, func(t *testing.T, d *mcptest.Target) {
		var out lines
		b := describe(d)
		opts := []toolset.Option{toolset.WithServerLogger(slog.New(slog.NewJSONHandler(&out, nil)))}
		if d.Kind == mcptest.Stdio {
			b = b.Env("API_KEY", secret)
		} else {
			opts = append(opts, toolset.WithHeaderProvider(func(context.Context) (http.Header, error) {
				return http.Header{"X-Api-Key": {secret}}, nil
			}))
		}
		ts := open(t, b, opts...)
		for what, data := range map[string]any{
			"text":    "key " + secret,
			"member":  map[string]any{"key": secret, "n": 1},
			"message": map[string]any{"message": "it is " + secret, "deep": []any{map[string]any{"k": []any{secret}}}},
			"name":    map[string]any{secret: true},
		} {
			encoded, err := json.Marshal(map[string]any{"level": "error", "logger": what + " " + secret, "data": data})
			require.NoError(t, err)
			eventually(t, what+" is logged", func() bool {
				tell(t, ts, "say", string(encoded))
				return strings.Contains(out.String(), what)
			})
		}
		for line := range strings.Lines(out.String()) {
			var members map[string]any
			require.NoError(t, json.Unmarshal([]byte(line), &members))
			for name, value := range members {
				said := fmt.Sprint(value)
				assert.NotContains(t, said, secret, name)
				assert.NotContains(t, said, "ss<word", name)
				assert.NotContains(t, said, `ss\u003cword`, name)
			}
		}
	})
}

// TestE9_NobodysSecretsAreLogged has a server of 2026-07-28 log the token of one
// user while another one uses the same session.
func TestE9_NobodysSecretsAreLogged(t *testing.T) {
	t.Parallel()
	_, b := newsroomOverHTTP(t, nil)
	var out lines
	type user struct{}
	ts := open(t, b, toolset.WithServerLogger(slog.New(slog.NewTextHandler(&out, nil))),
		toolset.WithHeaderProvider(func(ctx context.Context) (http.Header, error) {
			return http.Header{"Authorization": {"Bearer token-of-" + ctx.Value(user{}).(string)}}, nil
		}))
	as := func(name string) context.Context { return context.WithValue(t.Context(), user{}, name) }
	for _, name := range []string{"alice", "bob"} {
		require.NoError(t, ts.Connect(as(name)))
	}
	eventually(t, "it is logged", func() bool {
		_, err := ts.CallTool(as("bob"), "say", map[string]any{"what": `{"level":"error","data":"seen token-of-alice"}`})
		require.NoError(t, err)
		return strings.Contains(out.String(), "seen")
	})
	assert.NotContains(t, out.String(), "token-of-alice")
}

// TestE9_BrokenLogMessages are those that no server should send.
func TestE9_BrokenLogMessages(t *testing.T) {
	t.Parallel()
	broken := []string{
		`{}`, `{"level":5,"data":"five"}`, `{"level":null,"data":null}`, `{"level":"LOUD","data":"loud"}`,
		`{"level":"Error","data":""}`, `{"data":{"message":7}}`, `{"logger":{"a":1},"data":"who"}`, `[]`, `"text"`, `7`, `null`,
		`{"level":"error","data":"` + strings.Repeat("x", 1<<20) + `"}`, `{"level":"error","data":"\ud800"}`,
		`{"level":"error","data":` + strings.Repeat(`[`, 2000) + strings.Repeat(`]`, 2000) + `}`,
	}
	before := []string{`{"jsonrpc":"2.0","method":"notifications/message"}`}
	for _, params := range broken {
		before = append(before, `{"jsonrpc":"2.0","method":"notifications/message","params":`+params+`}`)
		before = append(before, `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":`+params+`}`)
	}
	before = append(before, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":"the last one"}}`)
	var events [][]byte
	for _, line := range before {
		events = append(events, []byte(line))
	}
	for name, b := range map[string]*config.Builder{
		"stdio": child(mcptest.Run(t, mcptest.Script{Rules: []mcptest.Rule{{Method: "tools/call", Before: before}}})),
		"http": config.NewStreamableHTTP(mcptest.Raw(t, func(w http.ResponseWriter, r *http.Request, m mcptest.Message) {
			if m.Method == "tools/call" {
				mcptest.Stream(w, r, true, append(events, mcptest.Result(m, mcptest.Text("done")))...)
				return
			}
			mcptest.Default(w, r, m)
		}).URL),
		"sse": config.NewSSE(mcptest.RawSSE(t, mcptest.SSEScript{Message: func(s *mcptest.SSEStream, m mcptest.Message) {
			if m.Method == "tools/call" {
				for _, e := range events {
					s.Send(e)
				}
			}
			s.Answer(m)
		}}).URL),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out lines
			ts := open(t, b, toolset.WithServerLogger(slog.New(slog.NewTextHandler(&out, nil))))
			result, err := ts.CallTool(t.Context(), "any", nil)
			require.NoError(t, err)
			assert.NotEmpty(t, result.Text())
			eventually(t, "what came last is logged", func() bool { return strings.Contains(out.String(), "the last one") })
			for line := range strings.Lines(out.String()) {
				assert.Less(t, len(line), 20_000)
			}
			assert.Contains(t, out.String(), `level=INFO msg=loud`)
			assert.Contains(t, out.String(), `level=INFO msg=five`)
		})
	}
}

// TestE9_HandlersMayMisbehave: they are slow, panic and use the toolset, and calls
// go on meanwhile.
func TestE9_HandlersMayMisbehave(t *testing.T) {
	t.Parallel()
	newsrooms(t, func(t *testing.T, d *mcptest.Target) {
		var told mcptest.Journal[int]
		goOn := make(chan struct{})
		var ts *toolset.Toolset
		ts = open(t, describe(d), toolset.WithToolsChangedHandler(func(ctx context.Context, all []tools.Tool, _ error) {
			told.Add(len(all))
			if told.Count() > 1 {
				panic("too much")
			}
			if _, err := ts.Tools(ctx); err != nil {
				panic(err)
			}
			select {
			case <-goOn:
			case <-ctx.Done():
			}
		}))
		hears(t, ts)
		tell(t, ts, "hire", "zoe")
		told.Wait(t)
		for i := range 50 {
			tell(t, ts, "hire", fmt.Sprintf("n%d", i))
		}
		isListed := func(name string) func() bool {
			return func() bool { _, err := ts.Tool(t.Context(), name); return err == nil }
		}
		eventually(t, "the handler holds up nobody", isListed("n49"))
		close(goOn)
		told.WaitN(t, 2)
		tell(t, ts, "hire", "after")
		eventually(t, "a panic is not the end", isListed("after"))
	})
}

// TestB5_ManyWhoListen has 1,000 users listen: what they leave behind is found
// by TestMain.
func TestB5_ManyWhoListen(t *testing.T) {
	t.Parallel()
	for era, opts := range map[string][]mcptest.Option{"older": {mcptest.Legacy()}, "2026-07-28": nil} {
		t.Run(era, func(t *testing.T) {
			t.Parallel()
			_, b := newsroomOverHTTP(t, nil, opts...)
			type user struct{}
			ts := open(t, b, toolset.WithListening(), toolset.WithHeaderProvider(func(ctx context.Context) (http.Header, error) {
				return http.Header{"X-User": {fmt.Sprint(ctx.Value(user{}))}}, nil
			}))
			for i := range 1000 {
				require.NoError(t, ts.Connect(context.WithValue(t.Context(), user{}, i)))
			}
			require.NoError(t, ts.Close())
		})
	}
}
