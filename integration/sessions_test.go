package integration

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
	"github.com/mcptoolset/mcptoolset/toolset"
)

// Sessions as servers see them: who has one, how long it lives, and what ends
// it.

// olderDesk is a desk over streamable HTTP that knows sessions.
func olderDesk(t *testing.T) *mcptest.Target {
	t.Helper()
	return mcptest.Start(t, mcptest.StreamableHTTP, mcptest.Legacy(), mcptest.Tools("slow", "counter", "whoami"), mcptest.Setup("desk"))
}

// handshakes are the initialize requests there were.
func handshakes(e *mcptest.Endpoint) []mcptest.Received {
	return e.Received.All(mcptest.Method("initialize"))
}

func TestO49_AForgottenSessionIsReplacedOnce(t *testing.T) {
	t.Parallel()
	d := olderDesk(t)
	ts := open(t, describe(d))
	assert.Equal(t, "1", call(t, ts, "counter", "{}"))
	d.Web.Forget()
	for want := 1; want <= 3; want++ {
		assert.Equal(t, fmt.Sprint(want), call(t, ts, "counter", "{}"), "in a new session")
	}
	all := handshakes(d.Web)
	require.Len(t, all, 2)
	assert.Empty(t, all[1].Session, "the old id is not used to get a new one")
}

func TestO49_AForgottenSessionIsReplacedOnceForAll(t *testing.T) {
	t.Parallel()
	d := olderDesk(t)
	ts := open(t, describe(d))
	cities := named(t, ts, "cities")
	d.Web.Forget()
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			text, err := cities.Call(t.Context(), "{}")
			assert.NoError(t, err)
			assert.Equal(t, "Paris, Berlin", text)
		})
	}
	all.Wait()
	assert.Len(t, handshakes(d.Web), 2)
}

// Servers that say 400 to a session they do not know may mean something else
// by it, so the call is not sent again; the next use has a new session.
func TestO50_ASessionRefusedWith400(t *testing.T) {
	t.Parallel()
	d := olderDesk(t)
	ts := open(t, describe(d))
	assert.Equal(t, "1", call(t, ts, "counter", "{}"))
	d.Web.Once(mcptest.CallOf("counter"), mcptest.Status(400, "Bad Request: no valid session ID"))
	text := call(t, ts, "counter", "{}")
	assert.True(t, strings.HasPrefix(text, "Error:"), text)
	assert.Contains(t, text, "no valid session ID")
	assert.Equal(t, "1", call(t, ts, "counter", "{}"))
	assert.Len(t, handshakes(d.Web), 2)
}

func TestO51_ALostStreamIsOpenedAgain(t *testing.T) {
	t.Parallel()
	d := desk(t, mcptest.SSE)
	ts := open(t, describe(d))
	assert.Equal(t, "Paris, Berlin", call(t, ts, "cities", "{}"))
	d.Web.Drop()
	d.Web.Left.Wait(t, mcptest.HTTP(http.MethodGet))
	eventually(t, "the next use has a new stream", func() bool {
		return call(t, ts, "cities", "{}") == "Paris, Berlin" && d.Web.Received.Count(mcptest.HTTP(http.MethodGet)) == 2
	})
}

func TestO52_OneRefusalDoesNotSpoilTheSession(t *testing.T) {
	t.Parallel()
	overWebDesks(t, func(t *testing.T, d *mcptest.Target, b *config.Builder) {
		ts := open(t, b)
		require.NoError(t, ts.Connect(t.Context()))
		before := len(handshakes(d.Web))
		d.Web.Once(mcptest.CallOf("cities"), mcptest.Status(503, "busy"))
		assert.Contains(t, call(t, ts, "cities", "{}"), "busy")
		assert.Equal(t, "Paris, Berlin", call(t, ts, "cities", "{}"))

		d.Web.Once(mcptest.CallOf("cities"), mcptest.Hang)
		sent := d.Web.Received.Count(mcptest.CallOf("cities"))
		cities := named(t, ts, "cities")
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			_, err := cities.Call(ctx, "{}")
			ended <- err
		}()
		d.Web.Received.WaitN(t, sent+1, mcptest.CallOf("cities"))
		cancel()
		assert.ErrorIs(t, <-ended, context.Canceled)
		assert.Equal(t, "Paris, Berlin", call(t, ts, "cities", "{}"))
		assert.Len(t, handshakes(d.Web), before, "the same session")
	})
}

func TestO53_TheFirstCallersDeadlineDoesNotEndTheSession(t *testing.T) {
	t.Parallel()
	desks(t, func(t *testing.T, d *mcptest.Target) {
		ts := open(t, describe(d))
		first := newExpiring(t.Context())
		found, err := ts.Tools(first)
		require.NoError(t, err)
		first.pass()
		cities := pick(found, "cities")
		_, err = cities.Call(first, "{}")
		require.ErrorIs(t, err, context.DeadlineExceeded)
		for range 20 { // the end of a context takes its time to be noticed
			text, err := cities.Call(t.Context(), "{}")
			require.NoError(t, err)
			require.Equal(t, "Paris, Berlin", text)
		}
		if d.Child != nil {
			assert.Equal(t, 1, d.Child.Started.Count())
		}
		if d.Kind == mcptest.SSE {
			assert.Equal(t, 1, d.Web.Received.Count(mcptest.HTTP(http.MethodGet)))
		}
	})
}

func TestO55_ASessionKeepsItsStateOverCalls(t *testing.T) {
	t.Parallel()
	for _, k := range mcptest.Kinds {
		t.Run(strings.ReplaceAll(string(k), " ", "_"), func(t *testing.T) {
			t.Parallel()
			d := mcptest.Start(t, k, mcptest.Legacy(), mcptest.Tools("counter"))
			ts := open(t, describe(d))
			for want := 1; want <= 3; want++ {
				assert.Equal(t, fmt.Sprint(want), call(t, ts, "counter", "{}"))
				ts.Refresh() // lists come and go, the session stays
			}
			if d.Web != nil {
				assert.Len(t, handshakes(d.Web), 1)
			}
		})
	}
}

func TestO59_AFailingCallLeavesItsSiblingAlone(t *testing.T) {
	t.Parallel()
	desks(t, func(t *testing.T, d *mcptest.Target) {
		ts := open(t, describe(d))
		slow, cities := named(t, ts, "slow"), named(t, ts, "cities")
		type outcome struct {
			text string
			err  error
		}
		start := func(ctx context.Context) <-chan outcome {
			ended := make(chan outcome, 1)
			go func() {
				text, err := slow.Call(ctx, "{}")
				ended <- outcome{text, err}
			}()
			return ended
		}
		sibling := start(t.Context())
		ctx, cancel := context.WithCancel(t.Context())
		leaving := start(ctx)
		d.Calls.WaitN(t, 2, mcptest.Tool("slow"))
		cancel()
		assert.ErrorIs(t, (<-leaving).err, context.Canceled)
		assert.Contains(t, call(t, ts, "weather", `{"city":"Atlantis"}`), "Error:")
		if d.Web != nil {
			d.Web.Once(mcptest.CallOf("cities"), mcptest.Status(500, "oops"))
			text, err := cities.Call(t.Context(), "{}")
			assert.NoError(t, err)
			assert.Contains(t, text, "oops")
		}
		d.Release()
		assert.Equal(t, outcome{text: "released"}, <-sibling)
	})
}

func TestO46_HeadersGoOnEveryRequest(t *testing.T) {
	t.Parallel()
	overWebDesks(t, func(t *testing.T, d *mcptest.Target, b *config.Builder) {
		ts := open(t, b.Header("authorization", "Bearer t").Header("x-api-key", "k"))
		assert.Equal(t, "Paris, Berlin", call(t, ts, "cities", "{}"))
		require.NoError(t, ts.Close())
		verbs := map[string]bool{}
		for _, r := range d.Web.Received.All() {
			verbs[r.HTTP] = true
			assert.Equal(t, "Bearer t", r.Header.Get("Authorization"), "%s %s", r.HTTP, r.Method)
			assert.Equal(t, "k", r.Header.Get("X-Api-Key"), "%s %s", r.HTTP, r.Method)
		}
		switch {
		case d.Kind == mcptest.SSE:
			assert.True(t, verbs[http.MethodGet])
		case len(handshakes(d.Web)) > 0:
			assert.True(t, verbs[http.MethodDelete], "the session was ended")
		}
	})
}

func TestO54_AServerThatDoesNotEndSessions(t *testing.T) {
	t.Parallel()
	for _, status := range []int{401, 404, 405, 500} {
		d := olderDesk(t)
		ts := open(t, describe(d))
		require.NoError(t, ts.Connect(t.Context()))
		d.Web.Always(mcptest.HTTP(http.MethodDelete), mcptest.Status(status, "no"))
		assert.NoError(t, ts.Close(), status)
		assert.Equal(t, 1, d.Web.Received.Count(mcptest.HTTP(http.MethodDelete)))
	}
}

func TestO42_AFreshRequestIdIsNoNewCaller(t *testing.T) {
	t.Parallel()
	overWebDesks(t, func(t *testing.T, d *mcptest.Target, b *config.Builder) {
		var asked atomic.Int64
		ts := open(t, b, toolset.WithSharedHeaders("x-nonce"), toolset.WithHeaderProvider(func(context.Context) (http.Header, error) {
			n := fmt.Sprint(asked.Add(1))
			return http.Header{"x-request-id": {n}, "Traceparent": {n}, "X-Nonce": {n}, "X-User": {"ada"}}, nil
		}))
		cities := named(t, ts, "cities")
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				for range 25 {
					text, err := cities.Call(t.Context(), "{}")
					assert.NoError(t, err)
					assert.Equal(t, "Paris, Berlin", text)
				}
			})
		}
		all.Wait()
		assert.LessOrEqual(t, len(handshakes(d.Web)), 1)
		assert.LessOrEqual(t, d.Web.Received.Count(mcptest.HTTP(http.MethodGet)), 1)
		seen := map[string]bool{}
		for _, r := range d.Web.Received.All(mcptest.CallOf("cities")) {
			seen[r.Header.Get("X-Request-Id")] = true
		}
		assert.Len(t, seen, 100, "each call had its own")
	})
}

// token is a token that the server no longer takes once it was revoked.
type token struct {
	now     atomic.Pointer[string]
	revoked sync.Map
	asked   atomic.Int32
}

func (k *token) renew(value string) { k.now.Store(&value) }

func (k *token) provide(context.Context) (http.Header, error) {
	k.asked.Add(1)
	return http.Header{"Authorization": {"Bearer " + *k.now.Load()}}, nil
}

// guard refuses revoked tokens.
func (k *token) guard(e *mcptest.Endpoint, status int) {
	e.Always(func(r mcptest.Received) bool {
		_, revoked := k.revoked.Load(r.Header.Get("Authorization"))
		return revoked && r.HTTP == http.MethodPost
	}, mcptest.Status(status, "token expired"))
}

func (k *token) revoke(value string) { k.revoked.Store("Bearer "+value, true) }

func TestO45_AnExpiredTokenIsRenewedOnce(t *testing.T) {
	t.Parallel()
	for _, status := range []int{401, 403} {
		for name, opts := range map[string][]toolset.Option{
			"by headers":  nil,
			"by identity": {toolset.WithIdentity(func(context.Context, http.Header) string { return "ada" })},
		} {
			t.Run(fmt.Sprint(status, " ", name), func(t *testing.T) {
				t.Parallel()
				overWebDesks(t, func(t *testing.T, d *mcptest.Target, b *config.Builder) {
					key := &token{}
					key.renew("t1")
					key.guard(d.Web, status)
					ts := open(t, b, append(opts, toolset.WithHeaderProvider(func(ctx context.Context) (http.Header, error) {
						h, err := key.provide(ctx)
						if _, revoked := key.revoked.Load(h.Get("Authorization")); revoked {
							key.renew("t2") // by the time it is asked again
						}
						return h, err
					}))...)
					cities := named(t, ts, "cities")
					refused := func() int {
						return d.Web.Received.Count(func(r mcptest.Received) bool {
							return r.Header.Get("Authorization") == "Bearer t1" && r.Tool() == "cities"
						})
					}
					text, err := cities.Call(t.Context(), "{}")
					require.NoError(t, err)
					require.Equal(t, "Paris, Berlin", text)
					sent, asked := refused(), key.asked.Load()

					key.revoke("t1")
					text, err = cities.Call(t.Context(), "{}")
					require.NoError(t, err)
					assert.Equal(t, "Paris, Berlin", text)
					assert.Equal(t, sent+1, refused())
					assert.Equal(t, asked+2, key.asked.Load(), "once for the call, once after its refusal")
				})
			})
		}
	}
}

func TestO45_ATokenThatStaysRefused(t *testing.T) {
	t.Parallel()
	overWebDesks(t, func(t *testing.T, d *mcptest.Target, b *config.Builder) {
		key := &token{}
		key.renew("t1")
		var n atomic.Int32
		ts := open(t, b, toolset.WithIdentity(func(context.Context, http.Header) string { return "ada" }),
			toolset.WithHeaderProvider(func(ctx context.Context) (http.Header, error) {
				h, err := key.provide(ctx)
				h.Set("X-Attempt", fmt.Sprint(n.Add(1))) // always another answer
				return h, err
			}))
		cities := named(t, ts, "cities")
		key.guard(d.Web, 401)
		key.revoke("t1")
		before := d.Web.Received.Count(mcptest.CallOf("cities"))
		text, err := cities.Call(t.Context(), "{}")
		require.NoError(t, err)
		assert.True(t, strings.HasPrefix(text, "Error:"), text)
		assert.Contains(t, text, "401")
		assert.Contains(t, text, "token expired")
		assert.Equal(t, before+2, d.Web.Received.Count(mcptest.CallOf("cities")), "one repetition at most")
	})
}

func TestO47_TwoUsersAtOnceNeverShareASession(t *testing.T) {
	t.Parallel()
	overWebDesks(t, func(t *testing.T, d *mcptest.Target, b *config.Builder) {
		ts := open(t, b, toolset.WithHeaderProvider(func(ctx context.Context) (http.Header, error) {
			user, _ := ctx.Value(userKey{}).(string)
			return http.Header{"X-User": {user}, "Authorization": {"Bearer of " + user}}, nil
		}))
		var all sync.WaitGroup
		for _, user := range []string{"alice", "bob"} {
			all.Go(func() {
				ctx := context.WithValue(t.Context(), userKey{}, user)
				for range 50 {
					found, err := ts.Tools(ctx)
					if !assert.NoError(t, err) {
						return
					}
					text, err := pick(found, "whoami").Call(ctx, "{}")
					assert.NoError(t, err)
					var who mcptest.Who
					assert.NoError(t, json.Unmarshal([]byte(text), &who), text)
					assert.Equal(t, user, who.Headers["X-User"])
				}
			})
		}
		all.Wait()
		require.NoError(t, ts.Close())

		owners := map[string]string{} // of the server's sessions
		for _, r := range d.Web.Received.All() {
			user := r.Header.Get("X-User")
			assert.Equal(t, "Bearer of "+user, r.Header.Get("Authorization"), "%s %s", r.HTTP, r.Method)
			if r.Session == "" {
				continue
			}
			if owners[r.Session] == "" {
				owners[r.Session] = user
			}
			assert.Equal(t, owners[r.Session], user, "%s %s", r.HTTP, r.Method)
		}
		if len(handshakes(d.Web)) > 0 { // since 2026-07-28 there are no sessions
			assert.Len(t, owners, 2)
		}
	})
}
