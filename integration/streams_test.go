package integration

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/tools"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/headers"
	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// counters is a server of 2026-07-28 which answers each user on a stream of their
// own. Who asks is what the header X-User says, and with which token X-Token.
type counters struct {
	web   *mcptest.Endpoint
	asked mcptest.Journal[wish]   // to listen
	left  mcptest.Journal[string] // users whose streams are over
	lists mcptest.Journal[string] // users who asked for the tools

	mu     sync.Mutex
	open   map[string]map[chan string]struct{}
	grant  func(user string, asked mcp.SubscriptionFilter) mcp.SubscriptionFilter
	refuse func(user string) int // a status, or 0
}

type wish struct {
	user, token string
	uris        []string
	tools       bool
}

func by(user string) func(wish) bool { return func(w wish) bool { return w.user == user } }
func of(user string) func(string) bool {
	return func(u string) bool { return u == user }
}

func newCounters(t *testing.T) *counters {
	d := &counters{open: map[string]map[chan string]struct{}{}}
	d.web = mcptest.Raw(t, func(w http.ResponseWriter, r *http.Request, m mcptest.Message) {
		user := r.Header.Get("X-User")
		switch m.Method {
		case "server/discover":
			mcptest.Reply(w, m, json.RawMessage(`{"resultType":"complete","supportedVersions":["2026-07-28"],
				"capabilities":{"tools":{"listChanged":true},"resources":{"subscribe":true}},"serverInfo":{"name":"counters","version":"1"},"ttlMs":0,"cacheScope":"private"}`))
		case "tools/list":
			d.lists.Add(user)
			mcptest.Reply(w, m, json.RawMessage(fmt.Sprintf(`{"resultType":"complete","tools":[{"name":"of-%s","inputSchema":{"type":"object"}}]}`, user)))
		case "tools/call":
			mcptest.Reply(w, m, mcptest.Text("done"))
		case "subscriptions/listen":
			d.listen(w, r, m)
		default:
			mcptest.Default(w, r, m)
		}
	})
	return d
}

func (d *counters) listen(w http.ResponseWriter, r *http.Request, m mcptest.Message) {
	user := r.Header.Get("X-User")
	var params mcp.SubscriptionsListenParams
	if err := json.Unmarshal(m.Params, &params); err != nil {
		panic(err)
	}
	d.asked.Add(wish{user, r.Header.Get("X-Token"), params.Notifications.ResourceSubscriptions, params.Notifications.ToolsListChanged})
	d.mu.Lock()
	granted := params.Notifications
	if d.grant != nil {
		granted = d.grant(user, granted)
	}
	if d.refuse != nil && d.refuse(user) != 0 {
		w.WriteHeader(d.refuse(user))
		d.mu.Unlock()
		return
	}
	notices := make(chan string, 64)
	if d.open[user] == nil {
		d.open[user] = map[chan string]struct{}{}
	}
	d.open[user][notices] = struct{}{}
	d.mu.Unlock()
	defer func() {
		d.mu.Lock()
		delete(d.open[user], notices)
		d.mu.Unlock()
		d.left.Add(user)
	}()
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(format string, args ...any) {
		fmt.Fprintf(w, "data: "+format+"\n\n", args...)
		w.(http.Flusher).Flush()
	}
	encoded, err := json.Marshal(granted)
	if err != nil {
		panic(err)
	}
	send(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":%s}}`, encoded)
	for {
		select {
		case what := <-notices:
			switch what {
			case "":
				return
			case "tools":
				send(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
			default:
				send(`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":%q}}`, what)
			}
		case <-r.Context().Done():
			return
		}
	}
}

// tell sends to all streams of a user: the URI of what was updated, "tools", or
// nothing to end them.
func (d *counters) tell(user, what string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for notices := range d.open[user] {
		notices <- what
	}
}

// streams counts the open ones of all users.
func (d *counters) streams() (n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, open := range d.open {
		n += len(open)
	}
	return n
}

// dressed are the options by which users come with headers of their own.
func dressed(opts ...toolset.Option) []toolset.Option {
	return append(opts, toolset.WithHeaderProvider(headers.FromContext))
}

func (d *counters) toolset(t *testing.T, opts ...toolset.Option) *toolset.Toolset {
	return open(t, config.NewStreamableHTTP(d.web.URL), opts...)
}

// as is a context of a user's.
func as(t *testing.T, user string, more ...string) context.Context {
	h := http.Header{"X-User": {user}}
	if len(more) > 0 {
		h.Set("X-Token", more[0])
	}
	return headers.NewContext(t.Context(), h)
}

// whose tells for whom a handler runs.
func whose(ctx context.Context) string {
	return toolset.HeadersFromContext(ctx).Get("X-User")
}

func TestH6_EachUserHasAStreamOfTheirOwn(t *testing.T) {
	t.Parallel()
	d := newCounters(t)
	ts := d.toolset(t, dressed()...)
	type news struct{ subscriber, told, uri string }
	var told mcptest.Journal[news]
	subscribe := func(user, uri string) *toolset.Subscription {
		s, err := ts.Subscribe(as(t, user), uri, func(ctx context.Context, uri string) { told.Add(news{user, whose(ctx), uri}) })
		require.NoError(t, err)
		return s
	}
	alices, bobs := subscribe("alice", "post://all"), subscribe("bob", "post://all")
	mine := subscribe("bob", "post://bob")
	assert.Equal(t, []string{"post://all"}, d.asked.Wait(t, by("alice")).uris)
	assert.Equal(t, []string{"post://all", "post://bob"}, d.asked.WaitN(t, 2, by("bob"))[1].uris, "and nobody else's")

	d.tell("alice", "post://all")
	assert.Equal(t, news{"alice", "alice", "post://all"}, told.Wait(t))
	d.tell("bob", "post://bob")
	assert.Equal(t, news{"bob", "bob", "post://bob"}, told.WaitN(t, 2)[1])
	d.tell("alice", "post://bob") // not what she asked for
	d.tell("alice", "post://all")
	assert.Equal(t, news{"alice", "alice", "post://all"}, told.WaitN(t, 3)[2])

	require.NoError(t, alices.Close(t.Context()))
	d.left.Wait(t, of("alice"))
	assert.False(t, ts.Listening(as(t, "alice")))
	assert.True(t, ts.Listening(as(t, "bob")))
	require.NoError(t, bobs.Close(t.Context()))
	assert.Equal(t, []string{"post://bob"}, d.asked.WaitN(t, 3, by("bob"))[2].uris)
	require.NoError(t, mine.Close(t.Context()))
	eventually(t, "all streams are over", func() bool { return d.streams() == 0 })
	assert.Equal(t, 1, d.asked.Count(by("alice")), "she was not asked for again")

	subscribe("alice", "post://again")
	d.tell("alice", "post://again")
	assert.Equal(t, news{"alice", "alice", "post://again"}, told.WaitN(t, 4)[3])
}

func TestB5_AChangeIsOfTheListOfWhomItIsToldTo(t *testing.T) {
	t.Parallel()
	d := newCounters(t)
	type change struct{ whose, tool string }
	var told mcptest.Journal[change]
	ts := d.toolset(t, dressed(toolset.WithToolsChangedHandler(func(ctx context.Context, all []tools.Tool, err error) {
		if err == nil && len(all) == 1 {
			told.Add(change{whose(ctx), all[0].Name()})
		}
	}))...)
	for _, user := range []string{"alice", "bob"} {
		require.NoError(t, ts.Connect(as(t, user)))
		eventually(t, "the stream is open", func() bool { return ts.Listening(as(t, user)) })
		_, err := ts.Tools(as(t, user))
		require.NoError(t, err)
	}
	d.tell("alice", "tools")
	assert.Equal(t, change{"alice", "of-alice"}, told.Wait(t))
	_, err := ts.Tools(as(t, "bob"))
	require.NoError(t, err)
	assert.Equal(t, 1, d.lists.Count(of("bob")), "his list is as good as before")
	assert.Equal(t, 2, d.lists.Count(of("alice")))
	d.tell("bob", "tools")
	assert.Equal(t, change{"bob", "of-bob"}, told.WaitN(t, 2)[1])
}

func TestF1_OneStreamServesAllWhoAreTheSame(t *testing.T) {
	t.Parallel()
	d := newCounters(t)
	ts := d.toolset(t, toolset.WithListening())
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			_, err := ts.Tools(t.Context())
			assert.NoError(t, err)
			_, err = ts.Subscribe(t.Context(), fmt.Sprint("post://", i%3), ignore)
			assert.NoError(t, err)
		})
	}
	all.Wait()
	eventually(t, "one stream is left", func() bool { return d.streams() == 1 })
	assert.LessOrEqual(t, d.asked.Count(), 1+3, "one more for each resource at most")
}

// TestF1_AStreamIsOpenedAgainWithTheLatestHeaders has a user come with a new
// token, the server end the streams, and the connections be lost.
func TestF1_AStreamIsOpenedAgainWithTheLatestHeaders(t *testing.T) {
	t.Parallel()
	d := newCounters(t)
	var told mcptest.Journal[string]
	ts := d.toolset(t, dressed(toolset.WithIdentity(func(_ context.Context, h http.Header) string { return h.Get("X-User") }))...)
	for _, user := range []string{"alice", "bob"} {
		_, err := ts.Subscribe(as(t, user, "old-"+user), "post://1", func(ctx context.Context, _ string) { told.Add(whose(ctx)) })
		require.NoError(t, err)
	}
	_, err := ts.CallTool(as(t, "alice", "new-alice"), "any", nil)
	require.NoError(t, err)
	for _, user := range []string{"alice", "bob"} {
		d.tell(user, "")
	}
	assert.Equal(t, "new-alice", d.asked.WaitN(t, 2, by("alice"))[1].token)
	assert.Equal(t, "old-bob", d.asked.WaitN(t, 2, by("bob"))[1].token)
	told.Wait(t, of("alice")) // it may have been updated meanwhile
	told.Wait(t, of("bob"))

	_, err = ts.CallTool(as(t, "carol", "c"), "any", nil) // she is the last to use the session
	require.NoError(t, err)
	d.web.Drop()
	assert.Equal(t, "new-alice", d.asked.WaitN(t, 3, by("alice"))[2].token)
	assert.Equal(t, "old-bob", d.asked.WaitN(t, 3, by("bob"))[2].token)
	told.WaitN(t, 2, of("alice"))
	told.WaitN(t, 2, of("bob"))
	assert.Zero(t, d.asked.Count(by("carol")), "she wants to hear nothing")
	eventually(t, "the lost streams are over", func() bool { return d.streams() == 2 })
}

// TestF2_NothingIsMixedBetweenUsers has many users subscribe, end it and come
// again, while the server tells and ends streams.
func TestF2_NothingIsMixedBetweenUsers(t *testing.T) {
	t.Parallel()
	d := newCounters(t)
	ts := d.toolset(t, dressed(toolset.WithListening())...)
	var told mcptest.Journal[string]
	var all sync.WaitGroup
	for i := range 20 {
		user := fmt.Sprint("u", i)
		uri := "post://" + user
		handler := func(ctx context.Context, updated string) {
			assert.Equal(t, user, whose(ctx))
			assert.Equal(t, uri, updated)
			told.Add(user)
		}
		all.Go(func() {
			for range 5 {
				s, err := ts.Subscribe(as(t, user), uri, handler)
				if !assert.NoError(t, err) {
					return
				}
				n := told.Count(of(user))
				d.tell(user, uri)
				told.WaitN(t, n+1, of(user))
				d.tell(user, "")
				listed, err := ts.Tools(as(t, user))
				if assert.NoError(t, err) {
					assert.Equal(t, "of-"+user, listed[0].Name())
				}
				assert.NoError(t, s.Close(t.Context()))
			}
		})
	}
	all.Wait()
	for _, w := range d.asked.All() {
		for _, uri := range w.uris {
			assert.True(t, strings.HasSuffix(uri, "//"+w.user), "%v", w)
		}
	}
	require.NoError(t, ts.Close())
	eventually(t, "all streams are over", func() bool { return d.streams() == 0 })
}

func TestF2_TheStreamsAreBounded(t *testing.T) {
	t.Parallel()
	d := newCounters(t)
	ts := d.toolset(t, dressed(toolset.WithListening())...)
	const users, most = 1010, 1000
	for i := range users {
		require.NoError(t, ts.Connect(as(t, fmt.Sprint("u", i))))
	}
	eventually(t, "all have asked", func() bool { return d.asked.Count(by(fmt.Sprint("u", users-1))) == 1 })
	eventually(t, "no more are open than there may be", func() bool { return d.streams() <= most })
	assert.False(t, ts.Listening(as(t, "somebody else")))
}

// TestH6_AStreamThatGrantsLessIsSeen has the server end a stream and grant less
// by the next.
func TestH6_AStreamThatGrantsLessIsSeen(t *testing.T) {
	t.Parallel()
	d := newCounters(t)
	ts := d.toolset(t, dressed(toolset.WithListening())...)
	s, err := ts.Subscribe(as(t, "alice"), "post://1", ignore)
	require.NoError(t, err)
	require.NoError(t, s.Err())
	require.True(t, ts.Listening(as(t, "alice")))
	assert.Empty(t, ts.Report().Warnings)

	grants := func(some func(string, mcp.SubscriptionFilter) mcp.SubscriptionFilter) {
		d.mu.Lock()
		d.grant = some
		d.mu.Unlock()
		d.tell("alice", "")
	}
	grants(func(_ string, asked mcp.SubscriptionFilter) mcp.SubscriptionFilter {
		return mcp.SubscriptionFilter{ToolsListChanged: asked.ToolsListChanged}
	})
	eventually(t, "it is told", func() bool { return errors.Is(s.Err(), toolset.ErrNoSubscriptions) })
	assert.False(t, ts.Listening(as(t, "alice")))
	require.Len(t, ts.Report().Warnings, 1)
	assert.Contains(t, ts.Report().Warnings[0].Reason, `updates of "post://1"`)

	grants(nil)
	eventually(t, "it is granted again", func() bool { return s.Err() == nil })
	assert.True(t, ts.Listening(as(t, "alice")))
	assert.Empty(t, ts.Report().Warnings)
	require.NoError(t, s.Close(t.Context()))
	assert.Error(t, s.Err())
	require.NoError(t, ts.Close())
	assert.ErrorIs(t, s.Err(), toolset.ErrClosed)
}

// TestA8_WhoIsRefusedIsServedNothingOld has the server refuse one user's call
// and then not answer any more.
func TestA8_WhoIsRefusedIsServedNothingOld(t *testing.T) {
	t.Parallel()
	for _, status := range []int{401, 403} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			t.Parallel()
			d := newCounters(t)
			ts := d.toolset(t, dressed(toolset.WithStaleOnError(time.Hour))...)
			for _, user := range []string{"alice", "bob"} {
				_, err := ts.Tools(as(t, user))
				require.NoError(t, err)
			}
			d.web.Once(mcptest.Method("tools/call"), mcptest.Status(status, "no"))
			_, err := ts.CallTool(as(t, "alice"), "any", nil)
			require.Error(t, err)
			d.web.Always(mcptest.Any[mcptest.Received], mcptest.Status(500, "down"))
			_, err = ts.Tools(as(t, "alice"))
			require.ErrorContains(t, err, "500", "her list is not used any more")
			_, err = ts.Tools(as(t, "bob"))
			require.NoError(t, err)
		})
	}
}

// TestE9_ALevelThatIsSetWhileASessionIsOpenedHolds has the owner ask for another
// level before the server has answered the handshake.
func TestE9_ALevelThatIsSetWhileASessionIsOpenedHolds(t *testing.T) {
	t.Parallel()
	d := newCounters(t)
	began, goOn := make(chan struct{}), make(chan struct{})
	d.web.Once(mcptest.Method("server/discover"), func(w http.ResponseWriter, r *http.Request) {
		close(began)
		<-goOn
		w.Header().Set("Content-Type", "application/json")
		body, err := io.ReadAll(r.Body)
		assert.NoError(t, err)
		mcptest.Reply(w, mcptest.ParseMessage(body), json.RawMessage(`{"resultType":"complete","supportedVersions":["2026-07-28"],
			"capabilities":{"tools":{},"logging":{}},"serverInfo":{"name":"n","version":"1"},"ttlMs":0,"cacheScope":"private"}`))
	})
	ts := d.toolset(t, toolset.WithServerLogger(slog.New(slog.DiscardHandler)))
	connected := make(chan error)
	go func() { connected <- ts.Connect(t.Context()) }()
	<-began
	require.NoError(t, ts.SetServerLogLevel(t.Context(), slog.LevelDebug))
	close(goOn)
	require.NoError(t, <-connected)
	_, err := ts.CallTool(t.Context(), "any", nil)
	require.NoError(t, err)
	called := d.web.Received.Wait(t, mcptest.Method("tools/call"))
	assert.Contains(t, string(called.Raw), `"io.modelcontextprotocol/logLevel":"debug"`)
}
