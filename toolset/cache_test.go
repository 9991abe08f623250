package toolset_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/toolset"
)

// use is one way to ask a server for what may be cached.
type use struct {
	method, answer string // the answer lacks its hints, which come in place of %s
	ask            func(ctx context.Context, ts *toolset.Toolset) error
}

var uses = map[string]use{
	"tools": {"tools/list", `{"tools":[{"name":"a"}]%s}`, func(ctx context.Context, ts *toolset.Toolset) error {
		_, err := ts.Tools(ctx)
		return err
	}},
	"resources": {"resources/list", `{"resources":[{"uri":"a:1","name":"A"}]%s}`, func(ctx context.Context, ts *toolset.Toolset) error {
		_, err := ts.Resources(ctx)
		return err
	}},
	"templates": {"resources/templates/list", `{"resourceTemplates":[{"uriTemplate":"a:{b}"}]%s}`, func(ctx context.Context, ts *toolset.Toolset) error {
		_, err := ts.ResourceTemplates(ctx)
		return err
	}},
	"prompts": {"prompts/list", `{"prompts":[{"name":"p"}]%s}`, func(ctx context.Context, ts *toolset.Toolset) error {
		_, err := ts.Prompts(ctx)
		return err
	}},
	"a page for a model": {"resources/list", `{"resources":[{"uri":"a:1","name":"A"}]%s}`, func(ctx context.Context, ts *toolset.Toolset) error {
		return callOwn(ctx, ts, "list_mcp_resources", `{}`)
	}},
	"a search for a model": {"resources/list", `{"resources":[{"uri":"a:1","name":"A"}]%s}`, func(ctx context.Context, ts *toolset.Toolset) error {
		return callOwn(ctx, ts, "load_mcp_resource", `{"name":"A"}`)
	}},
	"a read": {"resources/read", `{"contents":[{"uri":"a:1","text":"x"}]%s}`, func(ctx context.Context, ts *toolset.Toolset) error {
		_, err := ts.ReadResource(ctx, "a:1")
		return err
	}},
	"a read for a model": {"resources/read", `{"contents":[{"uri":"a:1","text":"x"}]%s}`, func(ctx context.Context, ts *toolset.Toolset) error {
		return callOwn(ctx, ts, "load_mcp_resource", `{"uri":"a:1"}`)
	}},
}

// callOwn calls one of the toolset's own tools.
func callOwn(ctx context.Context, ts *toolset.Toolset, name, input string) error {
	all, err := ts.Tools(ctx)
	if err != nil {
		return err
	}
	for _, t := range all {
		if t.Name() == name {
			text, err := t.Call(ctx, input)
			if err == nil && strings.HasPrefix(text, "Error:") {
				return fmt.Errorf("%s", text)
			}
			return err
		}
	}
	return fmt.Errorf("there is no %s", name)
}

// hinting is a server whose answers to the methods of uses have these hints.
func hinting(hints func() string) func(request) string {
	return func(r request) string {
		for _, u := range uses {
			if u.method == r.Method {
				return fmt.Sprintf(u.answer, hints())
			}
		}
		if r.Method == "initialize" {
			return helloAll
		}
		return ""
	}
}

func TestB5_TheServerSaysForHowLongOfEveryKind(t *testing.T) {
	t.Parallel()
	for name, u := range uses {
		for hints, kept := range map[string]bool{
			`,"ttlMs":60000,"cacheScope":"private"`: true,
			`,"ttlMs":60000`:                        true,
			`,"ttlMs":0`:                            false,
			`,"ttlMs":-5`:                           false,
			``:                                      u.method != "resources/read",
			`,"ttlMs":"60000"`:                      u.method != "resources/read",
		} {
			t.Run(name+hints, func(t *testing.T) {
				t.Parallel()
				s := newRaw(t, hinting(func() string { return hints }))
				ts := open(t, s.config().Resources(true))
				for range 3 {
					require.NoError(t, u.ask(t.Context(), ts))
				}
				asked := 3
				if kept {
					asked = 1
				}
				assert.Len(t, s.of(u.method), asked)
				ts.Refresh()
				require.NoError(t, u.ask(t.Context(), ts))
				assert.Len(t, s.of(u.method), asked+1, "Refresh drops what is kept")
			})
		}
	}
}

func TestB5_ScopesOfEveryKind(t *testing.T) {
	t.Parallel()
	for name, u := range uses {
		for hints, shared := range map[string]bool{
			`,"ttlMs":60000,"cacheScope":"public"`:  true,
			`,"ttlMs":60000,"cacheScope":"private"`: false,
			`,"ttlMs":60000,"cacheScope":"Public"`:  false,
			`,"ttlMs":60000`:                        false,
		} {
			t.Run(name+hints, func(t *testing.T) {
				t.Parallel()
				s := newRaw(t, hinting(func() string { return hints }))
				ts := open(t, s.config().Resources(true), toolset.WithHeaderProvider(fromContext))
				for _, user := range []string{"alice", "bob", "alice", "bob"} {
					require.NoError(t, u.ask(as(t, user), ts))
				}
				asked := 2
				if shared {
					asked = 1
				}
				assert.Len(t, s.of(u.method), asked)
			})
		}
	}
}

func TestB5_AListIsPublicWhereAllItsPagesAre(t *testing.T) {
	t.Parallel()
	for second, asked := range map[string]int{`"public"`: 1, `"private"`: 2, `null`: 2} {
		s := newRaw(t, func(r request) string {
			switch {
			case r.Method != "tools/list":
				return ""
			case strings.Contains(string(r.Params), "p2"):
				return `{"tools":[],"ttlMs":60000,"cacheScope":` + second + `}`
			}
			return `{"tools":[],"nextCursor":"p2","ttlMs":60000,"cacheScope":"public"}`
		})
		ts := open(t, s.config(), toolset.WithHeaderProvider(fromContext))
		for _, user := range []string{"alice", "bob"} {
			_, err := ts.Tools(as(t, user))
			require.NoError(t, err)
		}
		assert.Len(t, s.of("tools/list"), 2*asked, second)
	}
}

func TestB5_PagesAndReadsAreKeptByTheirParameters(t *testing.T) {
	t.Parallel()
	s := newRaw(t, func(r request) string {
		switch r.Method {
		case "resources/read":
			return fmt.Sprintf(`{"ttlMs":60000,"contents":[{"uri":"x","text":%q}]}`, r.Params)
		case "resources/list":
			return fmt.Sprintf(`{"resources":[{"uri":"a:%s"}],"nextCursor":"p2","ttlMs":60000}`, strings.ReplaceAll(string(r.Params), `"`, ""))
		}
		return declaring(nil)(r)
	})
	ts := open(t, s.config().Resources(true))
	for range 2 {
		for _, uri := range []string{"a:1", "a:2"} {
			all, err := ts.ReadResource(t.Context(), uri)
			require.NoError(t, err)
			assert.Contains(t, all[0].Text, uri)
			all[0].Raw[0] = '!' // it is the caller's
		}
	}
	assert.Len(t, s.of("resources/read"), 2)
	for _, input := range []string{`{}`, `{"cursor":"p2"}`, `{}`, `{"cursor":"p2"}`} {
		require.NoError(t, callOwn(t.Context(), ts, "list_mcp_resources", input))
	}
	assert.Len(t, s.of("resources/list"), 2)
	require.NoError(t, callOwn(t.Context(), ts, "load_mcp_resource", `{"uri":"a:1"}`))
	assert.Len(t, s.of("resources/read"), 2, "models and owners share what is read")
}

func TestB5_ACursorThatIsOfNoUseDropsThePages(t *testing.T) {
	t.Parallel()
	var expired atomic.Bool
	s := newRaw(t, func(r request) string {
		switch {
		case r.Method != "resources/list":
			return declaring(nil)(r)
		case len(r.Params) == 0:
			return `{"resources":[],"nextCursor":"p2","ttlMs":60000}`
		case expired.Load():
			return `!{"code":-32602,"message":"the cursor has expired"}`
		}
		return `{"resources":[],"ttlMs":0}`
	})
	ts := open(t, s.config().Resources(true))
	require.NoError(t, callOwn(t.Context(), ts, "list_mcp_resources", `{}`))
	require.NoError(t, callOwn(t.Context(), ts, "list_mcp_resources", `{"cursor":"p2"}`))
	expired.Store(true)
	require.ErrorContains(t, callOwn(t.Context(), ts, "list_mcp_resources", `{"cursor":"p2"}`), "expired")
	require.NoError(t, callOwn(t.Context(), ts, "list_mcp_resources", `{}`))
	assert.Len(t, s.of("resources/list"), 4, "the first page was asked for again")
}

func TestB5_AQuestionIsNotKept(t *testing.T) {
	t.Parallel()
	s := newRaw(t, declaring(map[string]string{"resources/read": `{"resultType":"input_required","ttlMs":60000}`}))
	ts := open(t, s.config())
	for range 2 {
		_, err := ts.ReadResource(t.Context(), "a:1")
		require.ErrorIs(t, err, toolset.ErrInputRequired)
	}
	assert.Len(t, s.of("resources/read"), 2)
}

func TestB5_WhatDependsOnInputIsNotKept(t *testing.T) {
	t.Parallel()
	s := newRaw(t, func(r request) string {
		switch {
		case r.Method == "server/discover":
			return `{"supportedVersions":["2026-07-28"],"capabilities":{"resources":{}},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"m","version":"1"}}}`
		case r.Method != "resources/read":
			return ""
		case strings.Contains(string(r.Params), "inputResponses"):
			return `{"resultType":"complete","contents":[{"uri":"a:1","text":"x"}],"ttlMs":60000,"cacheScope":"public"}`
		}
		return `{"resultType":"input_required","inputRequests":{"r":{"method":"roots/list"}},"requestState":"s"}`
	})
	ts := open(t, s.config(), toolset.WithRoots(toolset.Root{URI: "file:///a"}))
	for range 2 {
		parts, err := ts.ReadResource(t.Context(), "a:1")
		require.NoError(t, err)
		assert.Equal(t, "x", parts[0].Text)
	}
	assert.Len(t, s.of("resources/read"), 4)
	assert.Zero(t, ts.CacheStats().Entries)
}

func TestB5_AnUnknownToolPutsTheListInDoubt(t *testing.T) {
	t.Parallel()
	answer := `!{"code":-32602,"message":"Unknown tool"}`
	s := newRaw(t, func(r request) string {
		if r.Method == "tools/call" {
			return answer
		}
		return lists(`[{"name":"a"}]`)(r)
	})
	ts := open(t, s.config())
	found, err := ts.Tool(t.Context(), "a")
	require.NoError(t, err)
	_, err = found.Call(t.Context(), "{}")
	require.NoError(t, err)
	names(t, ts)
	assert.Len(t, s.of("tools/list"), 2)

	answer = `!{"code":-32603,"message":"on fire"}`
	_, err = found.Call(t.Context(), "{}")
	require.NoError(t, err)
	names(t, ts)
	assert.Len(t, s.of("tools/list"), 2, "that says nothing of the list")
}

func TestB5_CacheStats(t *testing.T) {
	t.Parallel()
	s := newRaw(t, hinting(func() string { return `,"ttlMs":60000` }))
	ts := open(t, s.config())
	assert.Zero(t, ts.CacheStats())
	for range 3 {
		require.NoError(t, uses["prompts"].ask(t.Context(), ts))
		require.NoError(t, uses["a read"].ask(t.Context(), ts))
	}
	assert.Equal(t, toolset.CacheStats{Hits: 4, Misses: 2, Entries: 2}, ts.CacheStats())
	ts.Refresh()
	assert.Equal(t, toolset.CacheStats{Hits: 4, Misses: 2, Invalidations: 2}, ts.CacheStats())
}

func TestB5_OldAnswersWhereTheServerCannotBeReached(t *testing.T) {
	t.Parallel()
	for name, u := range uses {
		for title, hints := range map[string]string{"no longer fresh": `,"ttlMs":1`, "asked for each time": `,"ttlMs":0`} {
			t.Run(name+" "+title, func(t *testing.T) {
				t.Parallel()
				var d down
				s := newRaw(t, hinting(func() string { return hints }))
				d.wrap(s)
				allowed := open(t, s.config().Resources(true), toolset.WithStaleOnError(time.Hour))
				strict := open(t, s.config().Resources(true))
				for _, ts := range []*toolset.Toolset{allowed, strict} {
					require.NoError(t, u.ask(t.Context(), ts))
				}
				for _, status := range []int32{503, cut} {
					d.status.Store(status)
					if (u.method == "resources/read" || name == "a search for a model") && title == "asked for each time" {
						require.Error(t, u.ask(t.Context(), allowed), "what was read was not to be kept")
						continue
					}
					waitUntilStale(t)
					require.NoError(t, u.ask(t.Context(), allowed))
					assert.Contains(t, strings.Join(reasons(allowed), "\n"), "an answer to "+u.method+" from before is used, because the server cannot be reached")
					require.Error(t, u.ask(t.Context(), strict), "by default it is an error")
				}
				d.status.Store(0)
				require.NoError(t, u.ask(t.Context(), allowed))
				assert.NotContains(t, strings.Join(reasons(allowed), "\n"), "an answer to "+u.method, "the server is back")
			})
		}
	}
}

// waitUntilStale waits until what may be used for a millisecond no longer may.
func waitUntilStale(t *testing.T) {
	t.Helper()
	begin := time.Now()
	require.Eventually(t, func() bool { return time.Since(begin) > 2*time.Millisecond }, time.Minute, time.Millisecond)
}

// down is a server that answers with a status, or cuts the connection.
type down struct{ status atomic.Int32 }

const cut = -1

func (d *down) wrap(s *raw) {
	s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch status := d.status.Load(); status {
		case 0:
			s.ServeHTTP(w, r)
		case cut:
			panic(http.ErrAbortHandler)
		default:
			w.WriteHeader(int(status))
		}
	})
}

func TestB5_NoOldAnswersAgainstTheServersWord(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status int32 // the server's word
		answer string
	}{
		"401":              {status: 401},
		"403":              {status: 403},
		"a JSON-RPC error": {answer: `!{"code":-32603,"message":"no longer"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var d down
			answer := `{"prompts":[{"name":"p"}],"ttlMs":0}`
			s := newRaw(t, func(r request) string {
				if r.Method == "prompts/list" {
					return answer
				}
				return declaring(nil)(r)
			})
			d.wrap(s)
			ts := open(t, s.config(), toolset.WithStaleOnError(time.Hour))
			_, err := ts.Prompts(t.Context())
			require.NoError(t, err)
			d.status.Store(c.status)
			if c.answer != "" {
				answer = c.answer
			}
			_, err = ts.Prompts(t.Context())
			require.Error(t, err)
			d.status.Store(503)
			_, err = ts.Prompts(t.Context())
			require.Error(t, err, "what it said counts from then on")
		})
	}
	t.Run("Refresh", func(t *testing.T) {
		t.Parallel()
		var d down
		s := newRaw(t, hinting(func() string { return "" }))
		d.wrap(s)
		ts := open(t, s.config(), toolset.WithStaleOnError(time.Hour))
		names(t, ts)
		ts.Refresh()
		d.status.Store(503)
		_, err := ts.Tools(t.Context())
		require.Error(t, err)
	})
	t.Run("another identity", func(t *testing.T) {
		t.Parallel()
		var d down
		s := newRaw(t, hinting(func() string { return `,"ttlMs":0,"cacheScope":"private"` }))
		d.wrap(s)
		ts := open(t, s.config(), toolset.WithStaleOnError(time.Hour), toolset.WithHeaderProvider(fromContext))
		_, err := ts.Prompts(as(t, "alice"))
		require.NoError(t, err)
		d.status.Store(503)
		_, err = ts.Prompts(as(t, "bob"))
		require.Error(t, err)
		_, err = ts.Prompts(as(t, "alice"))
		require.NoError(t, err)
	})
}

func TestB5_WithStaleOnErrorRefusesWhatIsNoTime(t *testing.T) {
	t.Parallel()
	cfg, err := newRaw(t, nil).config().Build()
	require.NoError(t, err)
	_, err = toolset.New(cfg, toolset.WithStaleOnError(0))
	require.ErrorContains(t, err, "WithStaleOnError: 0s is not positive")
}

func TestB3_OneListOfEachKindForAllWhoComeFirst(t *testing.T) {
	t.Parallel()
	for name, u := range uses {
		if strings.Contains(name, "model") || name == "a read" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			hold, held := make(chan struct{}), make(chan struct{}, 10)
			s := newRaw(t, func(r request) string {
				if r.Method == u.method {
					held <- struct{}{}
					<-hold
				}
				return hinting(func() string { return `,"ttlMs":0` })(r)
			})
			ts := open(t, s.config())
			require.NoError(t, ts.Connect(t.Context()))
			var all sync.WaitGroup
			ask := func(ctx context.Context) { all.Go(func() { assert.NoError(t, u.ask(ctx, ts)) }) }
			ask(t.Context())
			<-held
			gone, leave := context.WithCancel(t.Context())
			all.Go(func() { assert.ErrorIs(t, u.ask(gone, ts), context.Canceled) })
			for range 3 {
				ask(t.Context())
			}
			require.Eventually(t, func() bool { return ts.CacheStats().Misses == 5 }, time.Minute, time.Millisecond)
			leave()
			close(hold)
			all.Wait()
			assert.Len(t, s.of(u.method), 1)
		})
	}
}
