package integration

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// When things are wrong, as an owner sees it: what the error says, and what
// the model is told.

// connectError is the error of a first use.
func connectError(t *testing.T, b *config.Builder, opts ...toolset.Option) *toolset.Error {
	t.Helper()
	var failed *toolset.Error
	require.ErrorAs(t, open(t, b, opts...).Connect(t.Context()), &failed)
	assert.Equal(t, toolset.StageConnect, failed.Stage)
	assert.NotZero(t, failed.Elapsed)
	return failed
}

func TestB10_EveryUseTellsWhyItCannotConnect(t *testing.T) {
	t.Parallel()
	ts := open(t, config.NewStdio("no-such-command-here").Name("desk"))
	uses := map[string]func() error{
		"Connect":    func() error { return ts.Connect(t.Context()) },
		"ServerInfo": func() error { _, err := ts.ServerInfo(t.Context()); return err },
		"Tools":      func() error { _, err := ts.Tools(t.Context()); return err },
		"Tool":       func() error { _, err := ts.Tool(t.Context(), "cities"); return err },
		"CallTool":   func() error { _, err := ts.CallTool(t.Context(), "cities", nil); return err },
	}
	for name, use := range uses {
		var failed *toolset.Error
		require.ErrorAs(t, use(), &failed, name)
		assert.Equal(t, toolset.StageConnect, failed.Stage, name)
		assert.Equal(t, "desk", failed.Server, name)
		assert.ErrorContains(t, failed, "no-such-command-here", name)
	}
	require.NoError(t, ts.Close())
	for name, use := range uses {
		assert.ErrorIs(t, use(), toolset.ErrClosed, name)
	}
}

func TestB10_ACommandThatCannotBeStarted(t *testing.T) {
	t.Parallel()
	plain := filepath.Join(t.TempDir(), "no-program")
	require.NoError(t, os.WriteFile(plain, []byte("#!/bin/sh\n"), 0o600))
	for name, c := range map[string]struct {
		command string
		is      error
	}{
		"not in PATH":    {"no-such-command-here", exec.ErrNotFound},
		"no such file":   {filepath.Join(t.TempDir(), "gone"), exec.ErrNotFound},
		"not executable": {plain, os.ErrPermission},
		"a folder":       {t.TempDir(), syscall.EISDIR},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			failed := connectError(t, config.NewStdio(c.command, "--flag").Name("desk"))
			assert.ErrorIs(t, failed, c.is)
			assert.ErrorContains(t, failed, c.command)
			assert.ErrorContains(t, failed, `MCP server "desk"`)
			assert.True(t, failed.Repeatable())
		})
	}
}

func TestO70_AChildThatExitsAtOnce(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		script mcptest.Script
		code   int
		words  []string
	}{
		"with a reason":        {mcptest.Script{Stderr: "warming up\nmissing API_TOKEN\n", Exit: mcptest.Code(3)}, 3, []string{"exit code 3", "missing API_TOKEN"}},
		"without a word":       {mcptest.Script{Exit: mcptest.Code(1)}, 1, []string{"exit code 1"}},
		"as if all was well":   {mcptest.Script{Stdout: "usage: desk [flags]\n", Exit: mcptest.Code(0)}, 0, []string{"exit code 0"}},
		"with many words":      {mcptest.Script{StderrBytes: 100_000, Stderr: "first\n", Exit: mcptest.Code(2)}, 2, []string{"exit code 2", "eeee"}},
		"at the first message": {mcptest.Script{Rules: []mcptest.Rule{{Stderr: "cannot parse\n", Exit: mcptest.Code(4)}}}, 4, []string{"exit code 4", "cannot parse"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			failed := connectError(t, child(mcptest.Run(t, c.script)))
			assert.True(t, failed.Exited)
			assert.Equal(t, c.code, failed.ExitCode)
			assert.Less(t, len(failed.Stderr), 8<<10, "the last words alone")
			for _, words := range append(c.words, `MCP server "desk"`, "connect") {
				assert.ErrorContains(t, failed, words)
			}
		})
	}
}

// A child that dies of the question for its era is asked the older way.
func TestF10_AChildThatExitsOnTheProbe(t *testing.T) {
	t.Parallel()
	c := mcptest.Run(t, mcptest.Script{
		Tools: []json.RawMessage{json.RawMessage(`{"name":"cities","inputSchema":{"type":"object"}}`)},
		Rules: []mcptest.Rule{{Method: "server/discover", Stderr: "unknown method\n", Exit: mcptest.Code(1)}},
	})
	ts := open(t, child(c))
	assert.Equal(t, []string{"cities"}, toolNames(t, ts))
	assert.Equal(t, "cities got {}", call(t, ts, "cities", "{}"))
	assert.Equal(t, 2, c.Started.Count())
}

// expiring is a context whose deadline passes when the test says so.
type expiring struct {
	context.Context
	passed chan struct{}
}

func newExpiring(parent context.Context) expiring { return expiring{parent, make(chan struct{})} }

func (e expiring) pass() { close(e.passed) }

func (e expiring) Deadline() (time.Time, bool) { return time.Now().Add(time.Hour), true }

func (e expiring) Done() <-chan struct{} { return e.passed }

func (e expiring) Err() error {
	select {
	case <-e.passed:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

// heard is a logger that tells when something is logged with a text in one of
// its values.
func heard(text string) (*slog.Logger, <-chan struct{}) {
	l := &listener{text: text, heard: make(chan struct{})}
	return slog.New(slog.NewTextHandler(l, &slog.HandlerOptions{Level: slog.LevelDebug})), l.heard
}

type listener struct {
	text  string
	once  sync.Once
	heard chan struct{}
}

func (l *listener) Write(line []byte) (int, error) {
	if strings.Contains(string(line), l.text) {
		l.once.Do(func() { close(l.heard) })
	}
	return len(line), nil
}

func TestO89_AChildThatPrintsItsUsageAndNeverAnswers(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]mcptest.Script{
		"reads":            {Stderr: "usage: desk --stdio\n", Rules: []mcptest.Rule{{Silent: true}}},
		"does not read":    {Stderr: "usage: desk --stdio\n", Deaf: true},
		"prints on stdout": {Stderr: "usage: desk --stdio\n", Stdout: "Welcome to desk!\n> ", Deaf: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			logger, printed := heard("usage: desk")
			ts := open(t, child(mcptest.Run(t, script)), toolset.WithLogger(logger))
			ctx := newExpiring(t.Context())
			go func() {
				<-printed
				ctx.pass()
			}()
			err := ts.Connect(ctx)
			require.ErrorIs(t, err, context.DeadlineExceeded)
			var failed *toolset.Error
			require.ErrorAs(t, err, &failed)
			assert.Equal(t, toolset.StageConnect, failed.Stage)
			assert.Contains(t, failed.Stderr, "usage: desk --stdio")
			assert.False(t, failed.Exited)
			assert.NotZero(t, failed.Elapsed)
			assert.ErrorContains(t, err, "usage: desk --stdio")
			assert.ErrorContains(t, err, "after ")
		})
	}
}

func TestE7_TheConnectLimitIsNamed(t *testing.T) {
	t.Parallel()
	web := mcptest.Raw(t, func(w http.ResponseWriter, r *http.Request, _ mcptest.Message) { mcptest.Hang(w, r) })
	for name, b := range map[string]*config.Builder{
		"stdio":           child(mcptest.Run(t, mcptest.Script{Deaf: true})),
		"sse":             config.NewSSE(web.URL).Name("desk"),
		"streamable http": config.NewStreamableHTTP(web.URL).Name("desk"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			failed := connectError(t, b.ConnectTimeout(100*time.Millisecond))
			assert.ErrorContains(t, failed, "connect limit of 100ms")
			assert.NotErrorIs(t, failed, context.DeadlineExceeded, "the caller's context has not ended")
		})
	}
}

// webKinds are the ways to reach a server at a URL.
var webKinds = map[string]func(url string) *config.Builder{
	"sse":             config.NewSSE,
	"streamable http": config.NewStreamableHTTP,
}

// overWeb runs a test for each of them.
func overWeb(t *testing.T, test func(t *testing.T, describe func(string) *config.Builder)) {
	for name, describe := range webKinds {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			t.Parallel()
			test(t, func(url string) *config.Builder { return describe(url).Name("desk") })
		})
	}
}

func TestO87_AServerThatIsNotThere(t *testing.T) {
	t.Parallel()
	overWeb(t, func(t *testing.T, describe func(string) *config.Builder) {
		closed, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		at := closed.Addr().String()
		require.NoError(t, closed.Close())

		failed := connectError(t, describe("http://ada:pass-phrase@"+at+"/mcp?token=query-secret"))
		assert.ErrorIs(t, failed, syscall.ECONNREFUSED)
		for _, words := range []string{`MCP server "desk"`, "connect", "http://" + at + "/mcp", "refused"} {
			assert.ErrorContains(t, failed, words)
		}
		for _, secret := range []string{"ada", "pass-phrase", "token", "query-secret"} {
			assert.NotContains(t, failed.Error(), secret)
		}
		assert.True(t, failed.Repeatable())
		assert.Zero(t, failed.Status)
	})
}

func TestO87_ACertificateThatIsNotTrusted(t *testing.T) {
	t.Parallel()
	overWeb(t, func(t *testing.T, describe func(string) *config.Builder) {
		web := httptest.NewUnstartedServer(http.NotFoundHandler())
		web.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
		web.StartTLS()
		t.Cleanup(web.Close)
		failed := connectError(t, describe(web.URL+"/mcp"))
		var unknown x509.UnknownAuthorityError
		assert.ErrorAs(t, failed, &unknown)
		assert.ErrorContains(t, failed, "certificate")
	})
}

// refusals are answers by which servers refuse a request.
var refusals = map[string]struct {
	status int
	body   string
	want   string // of the body, in the error
}{
	"401":                     {401, `{"error":"invalid_token"}`, "invalid_token"},
	"403 with a message":      {403, `{"message":"key revoked"}`, "key revoked"},
	"403 in words":            {403, "quota", "quota"},
	"404":                     {404, "404 page not found", "page not found"},
	"500 without a body":      {500, "", ""},
	"500 as a page":           {500, "<html><body>Oops</body></html>", "Oops"},
	"502 that is not UTF-8":   {502, "bad\xff gateway", " gateway"},
	"400 as some other JSON":  {400, `{"error":"x","detail":"not here"}`, "not here"},
	"403 with very much text": {403, strings.Repeat("much ", 10_000), "much much"},
}

// checkRefusal looks at an error that a refusal led to.
func checkRefusal(t *testing.T, failed *toolset.Error, stage toolset.Stage, status int, want string) {
	t.Helper()
	assert.Equal(t, stage, failed.Stage)
	assert.Equal(t, status, failed.Status)
	assert.Contains(t, failed.Body, want)
	assert.LessOrEqual(t, len(failed.Body), 2<<10+len("…"))
	for _, words := range []string{`MCP server "desk"`, string(stage), fmt.Sprint("HTTP ", status), want} {
		assert.ErrorContains(t, failed, words)
	}
	assert.True(t, strings.ToValidUTF8(failed.Error(), "") == failed.Error(), "it is UTF-8")
	assert.Equal(t, status == http.StatusUnauthorized, is401(failed))
}

func is401(err error) bool {
	for _, target := range []error{transport.ErrAuthorizationRequired, transport.ErrUnauthorized} {
		if !errors.Is(err, target) {
			return false
		}
	}
	return true
}

func TestO88_ARefusalAtConnect(t *testing.T) {
	t.Parallel()
	overWeb(t, func(t *testing.T, describe func(string) *config.Builder) {
		for name, r := range refusals {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				web := mcptest.Raw(t, func(w http.ResponseWriter, q *http.Request, _ mcptest.Message) {
					mcptest.Status(r.status, r.body, "WWW-Authenticate", `Bearer realm="desk"`)(w, q)
				})
				checkRefusal(t, connectError(t, describe(web.URL)), toolset.StageConnect, r.status, r.want)
			})
		}
	})
}

func TestO87_ARefusalAtTheListing(t *testing.T) {
	t.Parallel()
	overWebDesks(t, func(t *testing.T, d *mcptest.Target, b *config.Builder) {
		ts := open(t, b)
		require.NoError(t, ts.Connect(t.Context()))
		for name, r := range refusals {
			t.Run(name, func(t *testing.T) {
				end := d.Web.Always(mcptest.Method("tools/list"), mcptest.Status(r.status, r.body))
				defer end()
				_, err := ts.Tools(t.Context())
				var failed *toolset.Error
				require.ErrorAs(t, err, &failed)
				checkRefusal(t, failed, toolset.StageList, r.status, r.want)
				assert.True(t, failed.Repeatable())
			})
		}
		assert.Contains(t, toolNames(t, ts), "cities", "a failure is not kept")
	})
}

func TestO90_ARefusalOfACall(t *testing.T) {
	t.Parallel()
	overWebDesks(t, func(t *testing.T, d *mcptest.Target, b *config.Builder) {
		ts := open(t, b)
		for name, r := range refusals {
			t.Run(name, func(t *testing.T) {
				end := d.Web.Always(mcptest.CallOf("cities"), mcptest.Status(r.status, r.body))
				defer end()
				text := call(t, ts, "cities", "{}")
				assert.True(t, strings.HasPrefix(text, "Error:"), text)
				assert.Contains(t, text, fmt.Sprint("HTTP ", r.status))
				assert.Contains(t, text, r.want)
				assert.Equal(t, r.status >= 500, strings.Contains(text, "unknown"), "whether it ran: %s", text)

				_, err := ts.CallTool(t.Context(), "cities", nil)
				var failed *toolset.Error
				require.ErrorAs(t, err, &failed)
				checkRefusal(t, failed, toolset.StageCall, r.status, r.want)
				assert.Equal(t, "cities", failed.Tool)
			})
		}
		assert.Equal(t, "Paris, Berlin", call(t, ts, "cities", "{}"))
	})
}

// overWebDesks runs a test over a desk behind a URL, in both eras where the
// kind knows both.
func overWebDesks(t *testing.T, test func(t *testing.T, d *mcptest.Target, b *config.Builder)) {
	for name, c := range map[string]struct {
		kind mcptest.Kind
		opts []mcptest.Option
	}{
		"sse":                   {mcptest.SSE, []mcptest.Option{mcptest.Legacy()}},
		"streamable http":       {mcptest.StreamableHTTP, nil},
		"older streamable http": {mcptest.StreamableHTTP, []mcptest.Option{mcptest.Legacy()}},
	} {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			t.Parallel()
			d := mcptest.Start(t, c.kind, append(c.opts, mcptest.Tools("slow", "counter", "whoami"), mcptest.Setup("desk"))...)
			test(t, d, describe(d))
		})
	}
}

func TestE5_ABusyServerIsWaitedForOnce(t *testing.T) {
	t.Parallel()
	past := time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat)
	overWebDesks(t, func(t *testing.T, d *mcptest.Target, b *config.Builder) {
		ts := open(t, b)
		cities := named(t, ts, "cities")
		calls := func() int { return d.Web.Received.Count(mcptest.CallOf("cities")) }
		for name, c := range map[string]struct {
			status     int
			retryAfter string
		}{
			"429 for no time":       {429, "0"},
			"429 until an hour ago": {429, past},
			"503 for no time":       {503, "0"},
		} {
			before := calls()
			d.Web.Once(mcptest.CallOf("cities"), mcptest.Status(c.status, "busy", "Retry-After", c.retryAfter))
			text, err := cities.Call(t.Context(), "{}")
			require.NoError(t, err, name)
			assert.Equal(t, "Paris, Berlin", text, name)
			assert.Equal(t, before+2, calls(), name)
		}
		for name, c := range map[string]struct {
			retryAfter string
			requests   int
		}{
			"longer than the call may take": {"3600", 1},
			"no number":                     {"soon", 1},
			"negative":                      {"-1", 1},
			"not said":                      {"", 1},
			"again and again":               {"0", 2},
		} {
			before := calls()
			end := d.Web.Always(mcptest.CallOf("cities"), mcptest.Status(429, "quota", "Retry-After", c.retryAfter))
			text, err := cities.Call(t.Context(), "{}")
			end()
			require.NoError(t, err, name)
			assert.True(t, strings.HasPrefix(text, "Error:"), text)
			assert.Contains(t, text, "429", name)
			assert.Contains(t, text, "quota", name)
			assert.Equal(t, before+c.requests, calls(), name)
		}
	})
}

func TestO86_ARedirectToAnotherHostIsNotFollowed(t *testing.T) {
	t.Parallel()
	overWebDesks(t, func(t *testing.T, d *mcptest.Target, b *config.Builder) {
		elsewhere, err := url.Parse(d.Web.URL)
		require.NoError(t, err)
		elsewhere.Host = "localhost:" + elsewhere.Port() // another host than 127.0.0.1
		named := elsewhere.String()
		elsewhere.RawQuery = "state=redirect-secret"
		redirects := func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere.String(), http.StatusTemporaryRedirect)
		}
		front := mcptest.Raw(t, func(w http.ResponseWriter, r *http.Request, _ mcptest.Message) { redirects(w, r) })
		failed := connectError(t, b.URL(front.URL).Header("X-Api-Key", "key-secret"))
		assert.Equal(t, http.StatusTemporaryRedirect, failed.Status)
		for _, part := range []string{front.URL, named, "configure that URL"} {
			assert.ErrorContains(t, failed, part)
		}
		assert.NotContains(t, failed.Error(), "-secret")
		assert.Empty(t, d.Web.Received.All())
	})
}

func TestO86_ACallIsNotTakenToAnotherHost(t *testing.T) {
	t.Parallel()
	other := mcptest.Raw(t, func(w http.ResponseWriter, r *http.Request, m mcptest.Message) { mcptest.Default(w, r, m) })
	overWebDesks(t, func(t *testing.T, d *mcptest.Target, b *config.Builder) {
		ts := open(t, b)
		cities := named(t, ts, "cities")
		d.Web.Always(mcptest.Method("tools/call"), func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, strings.Replace(other.URL, "127.0.0.1", "localhost", 1), http.StatusPermanentRedirect)
		})
		text, err := cities.Call(t.Context(), "{}")
		require.NoError(t, err)
		assert.Contains(t, text, "another server")
		assert.NotContains(t, text, "unknown", "it certainly did not run")
		assert.Equal(t, 1, d.Web.Received.Count(mcptest.Method("tools/call")))
		assert.Empty(t, other.Received.All())
	})
}

func TestO86_ARedirectThatDropsTheMessageTellsTheWayOut(t *testing.T) {
	t.Parallel()
	moved := mcptest.Raw(t, func(w http.ResponseWriter, r *http.Request, _ mcptest.Message) {
		http.Redirect(w, r, "http://elsewhere.test/new?token=redirect-secret", http.StatusFound)
	})
	failed := connectError(t, config.NewStreamableHTTP(moved.URL).Name("desk"))
	assert.ErrorContains(t, failed, "http://elsewhere.test/new")
	assert.NotContains(t, failed.Error(), "redirect-secret")
}

func TestO61_AChildThatDoesNotReadHoldsUpNobody(t *testing.T) {
	t.Parallel()
	c := mcptest.Run(t, mcptest.Script{
		Tools: []json.RawMessage{json.RawMessage(`{"name":"echo","inputSchema":{"type":"object"}}`)},
		Rules: []mcptest.Rule{{Method: "tools/call", Silent: true, Deaf: true}},
	})
	ts := open(t, child(c))
	echo := named(t, ts, "echo")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := echo.Call(ctx, "{}")
		ended <- err
	}()
	c.Received.Wait(t, mcptest.CallOf("echo")) // from now on it does not read
	var all sync.WaitGroup
	for i, size := range []int{3 << 20, 10, 3 << 20, 10} {
		all.Go(func() {
			ctx, done := context.WithTimeout(t.Context(), 200*time.Millisecond)
			defer done()
			_, err := echo.Call(ctx, `{"text":"`+strings.Repeat("x", size)+`"}`)
			assert.ErrorIs(t, err, context.DeadlineExceeded, "caller %d", i)
		})
	}
	all.Wait()
	cancel()
	assert.ErrorIs(t, <-ended, context.Canceled)
	assert.Equal(t, 1, c.Started.Count())
}

// A serial test, since it changes the environment.
func TestF11_AChildsEnvironment(t *testing.T) {
	t.Setenv("DESK_SECRET", "of the parent")
	t.Setenv("DESK_DOUBLE", "of the parent")
	c := mcptest.Command(t, mcptest.Tools("environ"))
	environ := func(b *config.Builder) map[string]string {
		var variables map[string]string
		text := call(t, open(t, b), "environ", "{}")
		require.NoError(t, json.Unmarshal([]byte(text), &variables), text)
		return variables
	}

	own := environ(child(c).Env("DESK_OWN", "of the config").Env("DESK_DOUBLE", "of the config"))
	assert.Equal(t, os.Getenv("PATH"), own["PATH"])
	assert.Equal(t, "of the config", own["DESK_OWN"])
	assert.Equal(t, "of the config", own["DESK_DOUBLE"])
	assert.NotContains(t, own, "DESK_SECRET")

	path := environ(child(c).Env("PATH", "/nowhere"))
	assert.Equal(t, "/nowhere", path["PATH"], "the config wins")

	all := environ(child(c).InheritEnv(true).Env("DESK_DOUBLE", "of the config"))
	assert.Equal(t, "of the parent", all["DESK_SECRET"])
	assert.Equal(t, "of the config", all["DESK_DOUBLE"])
}

func TestF10_TheFencesPingSaysWhatItIs(t *testing.T) {
	t.Parallel()
	pinged := make(chan mcptest.Received, 1)
	web := mcptest.New(t, mcptest.Tools("echo")).StreamableHTTP(t)
	web.Once(mcptest.Method("server/discover"), func(_ http.ResponseWriter, r *http.Request) {
		pinged <- web.Received.Wait(t, mcptest.Method("ping")) // the answer is late
		panic(http.ErrAbortHandler)
	})
	ts := open(t, config.NewStreamableHTTP(web.URL))
	require.NoError(t, ts.Connect(t.Context()))
	ping := <-pinged
	assert.Equal(t, "ping", ping.Header.Get("Mcp-Method"))
	assert.Equal(t, "2026-07-28", ping.Header.Get("Mcp-Protocol-Version"))
}
