package integration

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// Secrets of a configuration. No six characters of them in a row may be found
// in anything that the library says. They are no words and hold no digits that
// a port or a time could have.
const (
	secretHeader   = "hqXwzKvJpYbG"
	secretKey      = "WzVbQmTrLkHs"
	secretProvided = "pGfDsNxCvBmL"
	secretUser     = "uTzRqWkJhVxP"
	secretPassword = "ySdFgHzKwQbN"
	secretQuery    = "kLpMnBvCxZqD"
	secretEnv      = "eRtYvGbHnJmK"
)

var secrets = []string{secretHeader, secretKey, secretProvided, secretUser, secretPassword, secretQuery, secretEnv}

// overheard collects all that the library said to anybody.
type overheard struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *overheard) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

// value notes a value as programs print it.
func (o *overheard) value(v any) {
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		fmt.Fprintf(o, verb+"\n", v)
	}
	slog.New(slog.NewTextHandler(o, nil)).Info("printed", "value", v)
	slog.New(slog.NewJSONHandler(o, nil)).Info("printed", "value", v)
}

// failure notes an error and all that it wraps.
func (o *overheard) failure(err error) {
	if err == nil {
		return
	}
	o.value(err)
	if v := reflect.ValueOf(err); v.Kind() == reflect.Pointer && v.Elem().Kind() == reflect.Struct {
		fmt.Fprintf(o, "%+v %#v\n", v.Elem(), v.Elem()) // what a pointer's own methods hide
	}
	o.failure(errors.Unwrap(err))
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		for _, err := range several.Unwrap() {
			o.failure(err)
		}
	}
}

// check looks for every piece of the secrets.
func (o *overheard) check(t *testing.T) {
	t.Helper()
	o.mu.Lock()
	defer o.mu.Unlock()
	text := o.text.String()
	require.NotEmpty(t, text)
	for _, secret := range secrets {
		for i := range len(secret) - 5 {
			if at := strings.Index(text, secret[i:i+6]); at >= 0 {
				assert.Fail(t, "a secret was said", "%s in %q", secret, text[max(0, at-200):min(len(text), at+200)])
				break
			}
		}
	}
}

// use does with a toolset what an owner does, and notes all of it.
func (o *overheard) use(t *testing.T, b *config.Builder) {
	t.Helper()
	cfg, err := b.Build()
	require.NoError(t, err)
	o.value(cfg)
	o.value(*b)
	for _, part := range []any{cfg.Stdio, cfg.SSE, cfg.StreamableHTTP} {
		o.value(part)
	}
	logger := slog.New(slog.NewTextHandler(o, &slog.HandlerOptions{Level: slog.LevelDebug}))
	ts, err := toolset.New(cfg, toolset.WithLogger(logger), toolset.WithServerLogger(logger), toolset.WithListening(),
		toolset.WithHeaderProvider(func(context.Context) (http.Header, error) {
			return http.Header{"X-User-Token": {secretProvided}}, nil
		}))
	require.NoError(t, err)
	o.value(ts)
	connected := ts.Connect(t.Context())
	o.failure(connected)
	if connected == nil { // a server that is gone is not asked again and again
		o.ask(t, ts)
	}
	found, err := ts.Tools(t.Context())
	o.failure(err)
	o.value(ts.Report())
	for _, tool := range found {
		if slices.Contains(newsroomTools, tool.Name()) { // they need arguments
			continue
		}
		if tool.Name() == "slow" || tool.Name() == "whoami" || tool.Name() == "environ" { // the last two are to tell
			continue
		}
		text, err := tool.Call(t.Context(), "{}")
		o.value(text)
		o.failure(err)
		_, err = ts.CallTool(t.Context(), tool.Name(), nil)
		o.failure(err)
	}
	o.failure(ts.Close())
	_, err = ts.Tools(t.Context())
	o.failure(err)
	o.value(ts)
}

// ask uses what a toolset has for the owner besides tools.
func (o *overheard) ask(t *testing.T, ts *toolset.Toolset) {
	t.Helper()
	_, err := ts.Resources(t.Context())
	o.failure(err)
	_, err = ts.ReadResource(t.Context(), "news://1")
	o.failure(err)
	_, err = ts.Prompts(t.Context())
	o.failure(err)
	_, err = ts.GetPrompt(t.Context(), "who", nil)
	o.failure(err)
	_, err = ts.CompletePrompt(t.Context(), "who", "name", "z", nil)
	o.failure(err)
	s, err := ts.Subscribe(t.Context(), "news://1", func(_ context.Context, uri string) { o.value(uri) })
	o.failure(err)
	if err == nil {
		o.value(s)
		o.failure(s.Close(t.Context()))
	}
	o.failure(ts.SetServerLogLevel(t.Context(), slog.LevelDebug))
	status, err := ts.Status(t.Context())
	o.value(status)
	o.failure(err)
	_, err = ts.Catalogue(t.Context())
	o.failure(err)
}

// eavesdrop collects, until the test ends, what goes to the standard logger and
// the standard streams as well. A test that uses it must be serial.
func eavesdrop(t *testing.T) *overheard {
	t.Helper()
	o := &overheard{}
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(o, &slog.HandlerOptions{Level: slog.LevelDebug})))
	file, err := os.Create(filepath.Join(t.TempDir(), "streams"))
	require.NoError(t, err)
	stdout, stderr := os.Stdout, os.Stderr
	os.Stdout, os.Stderr = file, file
	t.Cleanup(func() {
		slog.SetDefault(before)
		os.Stdout, os.Stderr = stdout, stderr
		_, err := file.Seek(0, io.SeekStart)
		require.NoError(t, err)
		_, err = io.Copy(o, file)
		require.NoError(t, err)
		require.NoError(t, file.Close())
		o.check(t)
	})
	return o
}

// withSecrets adds to a description all that is secret of it.
func withSecrets(t *testing.T, describe func(string) *config.Builder, at string) *config.Builder {
	t.Helper()
	u, err := url.Parse(at)
	require.NoError(t, err)
	u.User = url.UserPassword(secretUser, secretPassword)
	u.RawQuery = "token=" + secretQuery
	return describe(u.String()).Header("X-Api-Key", secretKey).Header("X-Other", "Bearer "+secretHeader)
}

// listening fails what a client asks to be told of changes.
func listening(answer http.HandlerFunc) func(*mcptest.Endpoint) {
	return func(e *mcptest.Endpoint) {
		for _, method := range []string{"subscriptions/listen", "resources/subscribe", "resources/unsubscribe", "logging/setLevel"} {
			e.Always(mcptest.Method(method), answer)
		}
		e.Always(mcptest.HTTP(http.MethodGet), answer)
	}
}

// echoes answers with what it was sent, as some servers do in their errors.
func echoes(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("WWW-Authenticate", `Bearer realm="desk"`)
		w.WriteHeader(status)
		user, password, _ := r.BasicAuth()
		fmt.Fprintf(w, "refused %s for %s:%s with %v", r.URL, user, password, r.Header)
	}
}

// echoesError does so in a JSON-RPC error, with a status.
func echoesError(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(object{"jsonrpc": "2.0", "id": idOf(r), "error": object{
			"code":    -32001,
			"message": fmt.Sprintf("refused %s for %s:%s with %v", r.URL, user, password, r.Header),
			"data":    object{"headers": r.Header, "url": r.URL.String(), "user": []string{user, password}},
		}})
	}
}

func idOf(r *http.Request) json.RawMessage {
	var m struct{ ID json.RawMessage }
	if json.NewDecoder(r.Body).Decode(&m) != nil || m.ID == nil {
		return json.RawMessage("null")
	}
	return m.ID
}

func TestO84_SecretsAreNeverSaid(t *testing.T) {
	servers := map[string]func(t *testing.T) *mcptest.Target{
		"sse": func(t *testing.T) *mcptest.Target { return desk(t, mcptest.SSE) },
		"streamable http": func(t *testing.T) *mcptest.Target {
			return mcptest.Start(t, mcptest.StreamableHTTP, mcptest.Tools("slow", "fail"), mcptest.Setup("desk"), mcptest.Setup("newsroom"))
		},
		"older streamable http": func(t *testing.T) *mcptest.Target {
			return mcptest.Start(t, mcptest.StreamableHTTP, mcptest.Legacy(), mcptest.Tools("slow", "fail"), mcptest.Setup("desk"), mcptest.Setup("newsroom"))
		},
	}
	faults := map[string]func(*mcptest.Endpoint){
		"well":                    func(*mcptest.Endpoint) {},
		"401 at connect":          func(e *mcptest.Endpoint) { e.Always(mcptest.Any[mcptest.Received], echoes(401)) },
		"500 at connect":          func(e *mcptest.Endpoint) { e.Always(mcptest.Any[mcptest.Received], echoes(500)) },
		"403 at the listing":      func(e *mcptest.Endpoint) { e.Always(mcptest.Method("tools/list"), echoes(403)) },
		"401 of calls":            func(e *mcptest.Endpoint) { e.Always(mcptest.Method("tools/call"), echoes(401)) },
		"500 of calls":            func(e *mcptest.Endpoint) { e.Always(mcptest.Method("tools/call"), echoes(500)) },
		"400 of calls":            func(e *mcptest.Endpoint) { e.Always(mcptest.Method("tools/call"), echoes(400)) },
		"cut calls":               func(e *mcptest.Endpoint) { e.Always(mcptest.Method("tools/call"), mcptest.Cut) },
		"cut at connect":          func(e *mcptest.Endpoint) { e.Always(mcptest.Any[mcptest.Received], mcptest.Cut) },
		"500 at the end":          func(e *mcptest.Endpoint) { e.Always(mcptest.HTTP(http.MethodDelete), echoes(500)) },
		"no JSON":                 func(e *mcptest.Endpoint) { e.Always(mcptest.Method("tools/call"), echoes(200)) },
		"an error at connect":     func(e *mcptest.Endpoint) { e.Always(mcptest.Any[mcptest.Received], echoesError(200)) },
		"an error of calls":       func(e *mcptest.Endpoint) { e.Always(mcptest.Method("tools/call"), echoesError(200)) },
		"an error with 400":       func(e *mcptest.Endpoint) { e.Always(mcptest.Method("tools/call"), echoesError(400)) },
		"an error of the listing": func(e *mcptest.Endpoint) { e.Always(mcptest.Method("tools/list"), echoesError(200)) },
		"401 of listening":        listening(echoes(401)),
		"500 of listening":        listening(echoes(500)),
		"an error of listening":   listening(echoesError(200)),
		"cut listening":           listening(mcptest.Cut),
		"a redirect": func(e *mcptest.Endpoint) {
			e.Always(mcptest.Any[mcptest.Received], func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, "http://localhost:1/elsewhere?"+r.URL.RawQuery, http.StatusTemporaryRedirect)
			})
		},
		"a redirect that drops the message": func(e *mcptest.Endpoint) {
			e.Always(mcptest.Any[mcptest.Received], func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, "http://localhost:1/elsewhere?"+r.URL.RawQuery, http.StatusSeeOther)
			})
		},
	}
	onlyAtOnce := map[string]bool{"no JSON": true, "an error at connect": true, "an error of calls": true, "an error with 400": true, "an error of the listing": true,
		"401 of listening": true, "500 of listening": true, "an error of listening": true, "cut listening": true}
	for server, start := range servers {
		for fault, cause := range faults {
			if server == "sse" && onlyAtOnce[fault] {
				continue // there an answer does not come with its request
			}
			t.Run(server+" "+fault, func(t *testing.T) {
				o := eavesdrop(t)
				d := start(t)
				cause(d.Web)
				describe := webKinds[string(d.Kind)]
				o.use(t, withSecrets(t, describe, d.Web.URL))
				sent := d.Web.Received.All()
				require.NotEmpty(t, sent)
				assert.Equal(t, secretKey, sent[0].Header.Get("X-Api-Key"), "the secrets were in use")
				assert.Equal(t, secretProvided, sent[0].Header.Get("X-User-Token"))
				assert.Equal(t, "token="+secretQuery, sent[0].Query)
			})
		}
	}
}

func TestO85_SecretsOfAServerThatIsNotThere(t *testing.T) {
	for kind, describe := range webKinds {
		t.Run(kind, func(t *testing.T) {
			eavesdrop(t).use(t, withSecrets(t, describe, "http://127.0.0.1:1/mcp"))
		})
	}
}

func TestO84_SecretsOfAChildsEnvironment(t *testing.T) {
	for name, b := range map[string]func(t *testing.T) *config.Builder{
		"well":       func(t *testing.T) *config.Builder { return describe(desk(t, mcptest.Stdio)) },
		"no command": func(*testing.T) *config.Builder { return config.NewStdio("no-such-command-here") },
		"exits at once": func(t *testing.T) *config.Builder {
			return child(mcptest.Run(t, mcptest.Script{Stderr: "API_TOKEN is not valid: " + secretEnv + "\n", Exit: mcptest.Code(3)}))
		},
		"exits in a call": func(t *testing.T) *config.Builder {
			return child(mcptest.Run(t, mcptest.Script{
				Tools: []json.RawMessage{json.RawMessage(`{"name":"fatal","inputSchema":{"type":"object"}}`)},
				Rules: []mcptest.Rule{{Method: "tools/call", Stderr: "token " + secretEnv + " has expired\n", Exit: mcptest.Code(4)}},
			}))
		},
	} {
		t.Run(name, func(t *testing.T) {
			eavesdrop(t).use(t, b(t).Env("API_TOKEN", secretEnv))
		})
	}
}

func TestO85_SecretsThatAreRefused(t *testing.T) {
	o := eavesdrop(t)
	for _, b := range []*config.Builder{
		config.NewSSE("http://desk.test/sse").Header("X-Api-Key", secretKey+"\n"+secretHeader),
		config.NewStreamableHTTP("http://desk.test/mcp").Header("X-Api-Key", secretKey+"\r\n"),
		config.NewStreamableHTTP("ftp://" + secretUser + ":" + secretPassword + "@desk.test/?token=" + secretQuery),
		config.NewStreamableHTTP("http://" + secretUser + ":" + secretPassword + "@:bad/?token=" + secretQuery),
		config.NewStreamableHTTP("://" + secretUser + ":" + secretPassword + "@desk.test/?token=" + secretQuery),
		config.NewStdio("desk").Env("API_TOKEN", secretEnv+"\x00"),
		config.NewStdio("").Env("API_TOKEN", secretEnv),
	} {
		cfg, err := b.Build()
		require.Error(t, err)
		o.failure(err)
		o.value(cfg)
		o.value(*b)
		_, err = toolset.New(cfg)
		o.failure(err)
	}

	// What only a call can refuse must not reach the model either.
	d := desk(t, mcptest.StreamableHTTP)
	var bad http.Header
	ts := open(t, describe(d), toolset.WithHeaderProvider(func(context.Context) (http.Header, error) { return bad, nil }))
	cities := named(t, ts, "cities")
	bad = http.Header{"X-User-Token": {secretProvided + "\n" + secretKey}}
	text, err := cities.Call(t.Context(), "{}")
	require.Error(t, err, "a header provider that fails is the owner's business")
	assert.Empty(t, text)
	o.failure(err)
}
