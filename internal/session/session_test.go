package session_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/internal/session"
	"github.com/mcptoolset/mcptoolset/internal/wire"
)

func TestMain(m *testing.M) { mcptest.Main(m) }

type userKey struct{}

func as(t *testing.T, user string) context.Context {
	return context.WithValue(t.Context(), userKey{}, user)
}

func provide(ctx context.Context) (http.Header, error) {
	user, _ := ctx.Value(userKey{}).(string)
	return http.Header{"X-User": {user}}, nil
}

func newPool(t *testing.T, b *config.Builder, change ...func(*session.Options)) *session.Pool {
	t.Helper()
	cfg, err := b.Build()
	require.NoError(t, err)
	o := session.Options{
		Config: cfg.WithDefaults(), ClientInfo: mcp.Implementation{Name: "test", Version: "1"},
		Logger: slog.New(slog.DiscardHandler), OnNotification: func(session.Notice) {}, OnGone: func(string) {},
	}
	for _, f := range change {
		f(&o)
	}
	p := session.New(o)
	t.Cleanup(func() { assert.NoError(t, p.Close()) })
	return p
}

func withProvider(o *session.Options) { o.Provider = provide }

func child(c *mcptest.Child) *config.Builder {
	return config.NewStdio(c.Command, c.Args...).Envs(c.Env).Env("GORACE", "atexit_sleep_ms=0")
}

func call(ctx context.Context, p *session.Pool, tool string) (string, error) {
	op, err := p.Begin(ctx)
	if err != nil {
		return "", err
	}
	raw, err := op.Call(ctx, session.Call{Name: tool, Arguments: json.RawMessage(`{}`)})
	return string(raw), err
}

func TestF2_EachIdentityHasItsSession(t *testing.T) {
	t.Parallel()
	web := mcptest.New(t, mcptest.Legacy()).StreamableHTTP(t)
	p := newPool(t, config.NewStreamableHTTP(web.URL), withProvider)
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			_, err := call(as(t, []string{"alice", "bob"}[i%2]), p, "counter")
			assert.NoError(t, err)
		})
	}
	all.Wait()
	assert.Equal(t, 2, web.Received.Count(mcptest.Method("initialize")))
	sessions := map[string]string{}
	for _, r := range web.Received.All(mcptest.Method("tools/call")) {
		user := r.Header.Get("X-User")
		if sessions[user] == "" {
			sessions[user] = r.Session
		}
		assert.Equal(t, sessions[user], r.Session, "a session is one user's")
	}
	assert.NotEqual(t, sessions["alice"], sessions["bob"])
}

func TestF2_ANamedIdentityKeepsItsSessionWithANewToken(t *testing.T) {
	t.Parallel()
	web := mcptest.New(t, mcptest.Legacy()).StreamableHTTP(t)
	var token atomic.Int32
	p := newPool(t, config.NewStreamableHTTP(web.URL), func(o *session.Options) {
		o.Provider = func(context.Context) (http.Header, error) {
			return http.Header{"Authorization": {fmt.Sprint("Bearer token-", token.Add(1))}}, nil
		}
		o.Identity = func(ctx context.Context, _ http.Header) string { return "alice" }
	})
	for range 3 {
		_, err := call(t.Context(), p, "counter")
		require.NoError(t, err)
	}
	assert.Equal(t, 1, web.Received.Count(mcptest.Method("initialize")))
	calls := web.Received.All(mcptest.Method("tools/call"))
	assert.Equal(t, "Bearer token-3", calls[2].Header.Get("Authorization"))

	require.NoError(t, p.Close())
	bye := web.Received.Wait(t, mcptest.HTTP("DELETE"))
	assert.Equal(t, "Bearer token-3", bye.Header.Get("Authorization"), "the identity's last headers")
}

func TestF2_TracingHeadersDoNotSplitSessions(t *testing.T) {
	t.Parallel()
	web := mcptest.New(t, mcptest.Legacy()).StreamableHTTP(t)
	var n atomic.Int32
	p := newPool(t, config.NewStreamableHTTP(web.URL), func(o *session.Options) {
		o.Shared = []string{"x-attempt"}
		o.Provider = func(context.Context) (http.Header, error) {
			fresh := []string{fmt.Sprint(n.Add(1))}
			return http.Header{"traceparent": fresh, "X-Request-ID": fresh, "X-Attempt": fresh}, nil
		}
	})
	for range 5 {
		_, err := call(t.Context(), p, "counter")
		require.NoError(t, err)
	}
	assert.Equal(t, 1, web.Received.Count(mcptest.Method("initialize")))
}

func TestF2_ThePoolIsBounded(t *testing.T) {
	t.Parallel()
	web := mcptest.Raw(t, func(w http.ResponseWriter, r *http.Request, m mcptest.Message) {
		if m.Method == "initialize" {
			w.Header().Set("Mcp-Session-Id", "of "+r.Header.Get("X-User"))
		}
		mcptest.Default(w, r, m)
	})
	p := newPool(t, config.NewStreamableHTTP(web.URL).ProtocolVersion("2025-11-25"), withProvider)
	const most, more = 1000, 20
	for i := range most + more {
		_, err := call(as(t, fmt.Sprint("user ", i)), p, "x")
		require.NoError(t, err)
	}
	var oldest, closed []string
	for i, r := range web.Received.WaitN(t, more, mcptest.HTTP("DELETE")) {
		oldest, closed = append(oldest, fmt.Sprint("of user ", i)), append(closed, r.Session)
	}
	assert.ElementsMatch(t, oldest, closed, "the least recently used go first")
}

func TestF3_OneConnectionServesAllOnTheModernProtocol(t *testing.T) {
	t.Parallel()
	web := mcptest.New(t).StreamableHTTP(t)
	p := newPool(t, config.NewStreamableHTTP(web.URL), withProvider)
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			_, err := call(as(t, fmt.Sprint("user ", i%4)), p, "echo")
			assert.NoError(t, err)
		})
	}
	all.Wait()
	assert.Equal(t, 1, web.Received.Count(mcptest.Method("server/discover")))
	assert.Zero(t, web.Received.Count(mcptest.Method("initialize")))
	users := map[string]int{}
	for _, r := range web.Received.All(mcptest.Method("tools/call")) {
		users[r.Header.Get("X-User")]++
	}
	assert.Equal(t, map[string]int{"user 0": 10, "user 1": 10, "user 2": 10, "user 3": 10}, users)
}

func TestF7_ADeadSessionIsReplacedOnceForAll(t *testing.T) {
	t.Parallel()
	web := mcptest.New(t, mcptest.Legacy()).StreamableHTTP(t)
	p := newPool(t, config.NewStreamableHTTP(web.URL))
	_, err := call(t.Context(), p, "echo")
	require.NoError(t, err)
	web.Forget()
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			_, err := call(t.Context(), p, "echo")
			assert.NoError(t, err)
		})
	}
	all.Wait()
	inits := web.Received.All(mcptest.Method("initialize"))
	assert.Len(t, inits, 2)
	assert.Empty(t, inits[1].Session, "a new session begins without the old id")
}

func TestF7_AnExitedChildIsReplaced(t *testing.T) {
	t.Parallel()
	c := mcptest.Run(t, mcptest.Script{Rules: []mcptest.Rule{{Tool: "die", Stderr: "out of memory", Exit: mcptest.Code(7)}}})
	p := newPool(t, child(c))
	_, err := call(t.Context(), p, "t")
	require.NoError(t, err)

	_, err = call(t.Context(), p, "die")
	var ended *session.ProcessError
	require.ErrorAs(t, err, &ended)
	assert.True(t, ended.Exited)
	assert.Equal(t, 7, ended.Code)
	assert.Contains(t, ended.Stderr, "out of memory")

	_, err = call(t.Context(), p, "t")
	require.NoError(t, err)
	assert.Equal(t, 2, c.Started.Count())
	assert.Equal(t, 1, c.Received.Count(mcptest.CallOf("die")), "what may have run is not sent again")
}

func TestF10_AServerThatDiesOnTheProbeIsConnectedAfresh(t *testing.T) {
	t.Parallel()
	c := mcptest.Run(t, mcptest.Script{Rules: []mcptest.Rule{
		{Method: "server/discover", Exit: mcptest.Code(1)},
		{Tool: "die", Exit: mcptest.Code(1)},
	}})
	p := newPool(t, child(c))
	_, err := call(t.Context(), p, "t")
	require.NoError(t, err)
	assert.Equal(t, 2, c.Started.Count())

	_, err = call(t.Context(), p, "die")
	require.Error(t, err)
	_, err = call(t.Context(), p, "t")
	require.NoError(t, err)
	assert.Equal(t, 3, c.Started.Count(), "the answer is remembered")
	assert.Equal(t, 1, c.Received.Count(mcptest.Method("server/discover")))
}

func TestF10_AServerWhoseInitializeFailsAfterTheProbe(t *testing.T) {
	t.Parallel()
	var probed atomic.Bool
	web := mcptest.Raw(t, func(w http.ResponseWriter, r *http.Request, m mcptest.Message) {
		switch {
		case m.Method == "server/discover":
			probed.Store(true)
			mcptest.Refuse(w, m, -32600, "Server already initialized")
		case m.Method == "initialize" && probed.Swap(false):
			mcptest.Refuse(w, m, -32600, "Server already initialized")
		default:
			mcptest.Default(w, r, m)
		}
	})
	p := newPool(t, config.NewStreamableHTTP(web.URL))
	_, err := call(t.Context(), p, "t")
	assert.NoError(t, err)
}

func TestF10_ARefusalIsNotTriedAgainWithoutTheProbe(t *testing.T) {
	t.Parallel()
	web := mcptest.Raw(t, mcptestStatus(http.StatusForbidden))
	p := newPool(t, config.NewStreamableHTTP(web.URL))
	_, err := call(t.Context(), p, "t")
	require.ErrorContains(t, err, "403")
	assert.Equal(t, 1, web.Received.Count(mcptest.Method("initialize")))
}

func mcptestStatus(code int) func(http.ResponseWriter, *http.Request, mcptest.Message) {
	return func(w http.ResponseWriter, r *http.Request, _ mcptest.Message) { mcptest.Status(code, "no")(w, r) }
}

func TestB3_ACallerWhoLeavesDoesNotEndTheConnecting(t *testing.T) {
	t.Parallel()
	c := mcptest.Run(t, mcptest.Script{Rules: []mcptest.Rule{{Method: "server/discover", Hold: "start", Error: json.RawMessage(`{"code":-32601,"message":"unknown"}`)}}})
	p := newPool(t, child(c))
	ctx, cancel := context.WithCancel(t.Context())
	left, stayed := make(chan error, 1), make(chan error, 1)
	go func() { _, err := call(ctx, p, "t"); left <- err }()
	c.Received.Wait(t, mcptest.Method("server/discover"))
	go func() { _, err := call(t.Context(), p, "t"); stayed <- err }()
	cancel()
	require.ErrorIs(t, <-left, context.Canceled)
	c.Release("start")
	assert.NoError(t, <-stayed)
	assert.Equal(t, 1, c.Started.Count())
}

func TestF9_CloseEndsWhatIsBeingOpened(t *testing.T) {
	t.Parallel()
	c := mcptest.Run(t, mcptest.Script{Rules: []mcptest.Rule{{Silent: true}}})
	p := newPool(t, child(c))
	ended := make(chan error, 1)
	go func() { _, err := call(t.Context(), p, "t"); ended <- err }()
	c.Received.Wait(t, mcptest.Method("server/discover"))
	require.NoError(t, p.Close())
	assert.ErrorIs(t, <-ended, session.ErrClosed)
	_, err := call(t.Context(), p, "t")
	assert.ErrorIs(t, err, session.ErrClosed)
}

func TestB10_WhoGivesUpIsToldWhatTheChildSaid(t *testing.T) {
	t.Parallel()
	c := mcptest.Run(t, mcptest.Script{Stderr: "usage: server --token TOKEN, not tok-123456\n", Rules: []mcptest.Rule{{Silent: true}}})
	heard := make(heardLog, 64)
	p := newPool(t, child(c).Env("API_TOKEN", "tok-123456"), func(o *session.Options) {
		o.Logger = slog.New(slog.NewTextHandler(heard, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for line := range heard {
			if strings.Contains(line, "usage: server") {
				cancel()
				return
			}
		}
	}()
	_, err := call(ctx, p, "t")
	require.ErrorIs(t, err, context.Canceled)
	assert.ErrorContains(t, err, "usage: server")
	assert.NotContains(t, err.Error(), "tok-123456")
}

// heardLog passes on the lines of a log.
type heardLog chan string

func (h heardLog) Write(line []byte) (int, error) {
	h <- string(line)
	return len(line), nil
}

func TestO43_DiscoveryCarriesTheCallersHeaders(t *testing.T) {
	t.Parallel()
	for _, era := range []string{"2026-07-28", "2025-11-25"} {
		web := mcptest.New(t).StreamableHTTP(t)
		web.Always(func(r mcptest.Received) bool { return r.Header.Get("X-User") == "" }, mcptest.Status(401, "who are you?"))
		p := newPool(t, config.NewStreamableHTTP(web.URL).ProtocolVersion(era), withProvider)
		for _, user := range []string{"alice", "bob"} { // O44: each with its own
			op, err := p.Begin(as(t, user))
			require.NoError(t, err)
			_, err = op.Read(as(t, user), "tools/list", nil)
			require.NoError(t, err, era)
			_, err = call(as(t, user), p, "echo")
			require.NoError(t, err, era)
			calls := web.Received.All(mcptest.Method("tools/call"))
			assert.Equal(t, user, calls[len(calls)-1].Header.Get("X-User"))
		}
		_, err := call(t.Context(), p, "echo")
		assert.ErrorContains(t, err, "401", "nobody's call carries nobody's header")
	}
}

func TestO89_TheConnectLimitKeepsWhatTheChildSaid(t *testing.T) {
	t.Parallel()
	c := mcptest.Run(t, mcptest.Script{Stderr: "usage: server --token TOKEN", Rules: []mcptest.Rule{{Silent: true}}})
	p := newPool(t, child(c).ConnectTimeout(8*time.Second))
	_, err := call(t.Context(), p, "t")
	var limit *wire.LimitError
	require.ErrorAs(t, err, &limit)
	assert.ErrorContains(t, err, "connect limit of 8s")
	assert.ErrorContains(t, err, "usage: server")
}

func TestE5_ABusyServerIsWaitedForOnceWhereThatFits(t *testing.T) {
	t.Parallel()
	web := mcptest.New(t, mcptest.Legacy()).StreamableHTTP(t)
	p := newPool(t, config.NewStreamableHTTP(web.URL))
	_, err := call(t.Context(), p, "echo")
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), mcptest.Patience)
	defer cancel()

	web.Once(mcptest.Method("tools/call"), mcptest.Status(429, "slow down", "Retry-After", "0"))
	_, err = call(ctx, p, "echo")
	assert.NoError(t, err)
	assert.Equal(t, 3, web.Received.Count(mcptest.Method("tools/call")))

	web.Once(mcptest.Method("tools/call"), mcptest.Status(503, "slow down", "Retry-After", "3600"))
	_, err = call(ctx, p, "echo")
	assert.ErrorContains(t, err, "503")
	assert.Equal(t, 4, web.Received.Count(mcptest.Method("tools/call")))

	web.Always(mcptest.Method("tools/call"), mcptest.Status(429, "slow down", "Retry-After", "0"))
	_, err = call(ctx, p, "echo")
	assert.ErrorContains(t, err, "429")
	assert.Equal(t, 6, web.Received.Count(mcptest.Method("tools/call")), "once")
}

func TestF5_AnExpiredTokenIsAskedForAgainOnce(t *testing.T) {
	t.Parallel()
	web := mcptest.New(t, mcptest.Legacy()).StreamableHTTP(t)
	token := "t1"
	p := newPool(t, config.NewStreamableHTTP(web.URL), func(o *session.Options) {
		o.Provider = func(context.Context) (http.Header, error) { return http.Header{"Authorization": {token}}, nil }
		o.Identity = func(context.Context, http.Header) string { return "me" }
	})
	_, err := call(t.Context(), p, "echo")
	require.NoError(t, err)
	expired := func(r mcptest.Received) bool {
		return r.Method == "tools/call" && r.Header.Get("Authorization") == "t1"
	}
	web.Always(expired, func(w http.ResponseWriter, r *http.Request) {
		token = "t2"
		mcptest.Status(401, "expired")(w, r)
	})
	_, err = call(t.Context(), p, "echo")
	assert.NoError(t, err)
	assert.Equal(t, 1, web.Received.Count(mcptest.Method("initialize")))

	web.Always(mcptest.Method("tools/call"), mcptest.Status(401, "no"))
	before := web.Received.Count(mcptest.Method("tools/call"))
	_, err = call(t.Context(), p, "echo")
	assert.ErrorContains(t, err, "401")
	assert.Equal(t, before+1, web.Received.Count(mcptest.Method("tools/call")), "the same headers are not tried twice")
}

func TestO42_HeadersThatChangeWithEachCall(t *testing.T) {
	t.Parallel()
	web := mcptest.New(t, mcptest.Legacy()).SSE(t)
	p := newPool(t, config.NewSSE(web.URL), withProvider)
	for _, user := range []string{"alice", "bob", "alice"} {
		_, err := call(as(t, user), p, "counter")
		require.NoError(t, err)
	}
	for _, r := range web.Received.All(mcptest.Method("tools/call")) {
		assert.NotEmpty(t, r.Header.Get("X-User"))
	}
	assert.Equal(t, 2, web.Received.Count(mcptest.HTTP("GET")), "one stream a user")
}
