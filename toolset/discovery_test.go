package toolset_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/filter"
	"github.com/mcptoolset/mcptoolset/toolset"
)

func TestA7_NewDoesNoIO(t *testing.T) {
	t.Parallel()
	s := newRaw(t, lists(`[]`))
	ts := open(t, s.config())
	assert.Empty(t, s.of("initialize"))
	require.NoError(t, ts.Connect(t.Context()))
	assert.Len(t, s.of("initialize"), 1)
	assert.Empty(t, s.of("tools/list"))
}

func TestB2_ABadToolNeverTakesTheGoodOnes(t *testing.T) {
	t.Parallel()
	s := newRaw(t, lists(`[
		{"name":"first","inputSchema":{"type":"object"}},
		{"name":"truthy","inputSchema":true},
		{"name":"","inputSchema":{"type":"object"}},
		{"name":7}, "text", null,
		{"name":"listed-root","inputSchema":{"type":["object","null"]}},
		{"name":"task","inputSchema":{"type":"object"},"execution":{"taskSupport":"required"}},
		{"name":"first","description":"again","inputSchema":{"type":"object"}},
		{"name":"odd","description":5,"annotations":{"readOnlyHint":"yes"},"_meta":"x","inputSchema":{"type":"object"}}]`))
	ts := open(t, s.config())
	assert.Equal(t, []string{"first", "listed-root", "odd"}, names(t, ts))

	var warnings []string
	for _, w := range ts.Report().Warnings {
		warnings = append(warnings, w.String())
	}
	all := strings.Join(warnings, "\n")
	assert.Len(t, warnings, 7)
	for _, part := range []string{"truthy", "item 2", "item 3", "item 4", "item 5", "task", "lists the name again"} {
		assert.Contains(t, all, part)
	}
	assert.Equal(t, 3, ts.Report().Offered)
}

func TestB3_ConcurrentFirstUsesConnectAndListOnce(t *testing.T) {
	t.Parallel()
	s := newRaw(t, lists(`[{"name":"a","inputSchema":{"type":"object"}}]`))
	ts := open(t, s.config())
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			found, err := ts.Tools(t.Context())
			assert.NoError(t, err)
			assert.Len(t, found, 1)
		})
	}
	all.Wait()
	assert.Len(t, s.of("initialize"), 1)
	assert.Len(t, s.of("tools/list"), 1)
}

func TestB3_ACallerWhoLeavesDoesNotTakeTheOthers(t *testing.T) {
	t.Parallel()
	asked, release := make(chan struct{}), make(chan struct{})
	s := newRaw(t, func(r request) string {
		if r.Method == "tools/list" {
			asked <- struct{}{}
			<-release
			return `{"tools":[{"name":"a"}]}`
		}
		return ""
	})
	ts := open(t, s.config())
	ctx, cancel := context.WithCancel(t.Context())
	left, stayed := make(chan error, 1), make(chan error, 1)
	go func() { _, err := ts.Tools(ctx); left <- err }()
	<-asked
	go func() { _, err := ts.Tools(t.Context()); stayed <- err }()
	cancel()
	require.ErrorIs(t, <-left, context.Canceled)
	close(release)
	assert.NoError(t, <-stayed)
	assert.Len(t, s.of("tools/list"), 1)
}

func TestB3_AFailureIsNotKept(t *testing.T) {
	t.Parallel()
	fail := true
	s := newRaw(t, func(r request) string {
		if r.Method == "tools/list" && fail {
			fail = false
			return `!{"code":-32603,"message":"not yet"}`
		}
		return lists(`[{"name":"a"}]`)(r)
	})
	ts := open(t, s.config())
	_, err := ts.Tools(t.Context())
	require.ErrorContains(t, err, "not yet")
	assert.Equal(t, []string{"a"}, names(t, ts))
}

func TestB4_NoToolsAreNoError(t *testing.T) {
	t.Parallel()
	t.Run("not declared", func(t *testing.T) {
		t.Parallel()
		s := newRaw(t, func(r request) string {
			if r.Method == "initialize" {
				return `{"protocolVersion":"2025-11-25","capabilities":{"resources":{}},"serverInfo":{"name":"raw","version":"1"}}`
			}
			return ""
		})
		ts := open(t, s.config())
		assert.Empty(t, names(t, ts))
		assert.Empty(t, s.of("tools/list"))
		assert.Len(t, ts.Report().Warnings, 1)
	})
	t.Run("O39 not known", func(t *testing.T) {
		t.Parallel()
		ts := open(t, newRaw(t, func(request) string { return "" }).config())
		assert.Empty(t, names(t, ts))
		assert.Len(t, ts.Report().Warnings, 1)
	})
}

func TestO74_EveryPageIsFetched(t *testing.T) {
	t.Parallel()
	s := newRaw(t, func(r request) string {
		switch {
		case r.Method != "tools/list":
			return ""
		case strings.Contains(string(r.Params), "p2"):
			return `{"tools":[{"name":"b"}]}`
		}
		return `{"tools":[{"name":"a"}],"nextCursor":"p2"}`
	})
	assert.Equal(t, []string{"a", "b"}, names(t, open(t, s.config())))
}

func TestB1_EndlessListsEnd(t *testing.T) {
	t.Parallel()
	for name, cursor := range map[string]func(int) string{
		"O75 a repeated cursor": func(int) string { return "same" },
		"O76 ever new cursors":  func(n int) string { return fmt.Sprint("c", n) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := 0
			s := newRaw(t, func(r request) string {
				if r.Method != "tools/list" {
					return ""
				}
				n++
				return fmt.Sprintf(`{"tools":[{"name":"t%d"}],"nextCursor":%q}`, n, cursor(n))
			})
			ts := open(t, s.config().MaxPages(10))
			assert.Contains(t, names(t, ts), "t1")
			assert.LessOrEqual(t, len(s.of("tools/list")), 10)
			assert.Contains(t, ts.Report().Warnings[0].Reason, "not complete")
		})
	}
}

// A list that has no end costs many requests, and is the same the next time.
func TestB5_AListThatEndsAtALimitIsKeptLikeAnyOther(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		next  func(n int) string
		asked int // in all
	}{
		"too many pages":        {func(n int) string { return fmt.Sprintf(`"c%d"`, n) }, 10},
		"a repeated cursor":     {func(int) string { return `"same"` }, 2},
		"a cursor that is none": {func(int) string { return `[1]` }, 1},
		"a page that fails":     {func(n int) string { return []string{`"p2"`, ``}[(n-1)%2] }, 8},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := 0
			s := newRaw(t, func(r request) string {
				if r.Method != "tools/list" {
					return ""
				}
				n++
				if c.next(n) == "" {
					return `!{"code":-32603,"message":"lost"}`
				}
				return fmt.Sprintf(`{"tools":[{"name":"t%d"}],"nextCursor":%s}`, n, c.next(n))
			})
			ts := open(t, s.config().MaxPages(10))
			for range 4 {
				_, err := ts.Tools(t.Context())
				require.NoError(t, err)
			}
			assert.Len(t, s.of("tools/list"), c.asked)
			require.Len(t, ts.Report().Warnings, 1)
			assert.Contains(t, ts.Report().Warnings[0].Reason, "the list of tools is not complete: ")
		})
	}
}

func TestB1_ALaterPageThatFailsKeepsTheEarlier(t *testing.T) {
	t.Parallel()
	s := newRaw(t, func(r request) string {
		switch {
		case r.Method != "tools/list":
			return ""
		case len(r.Params) > 2:
			return `!{"code":-32603,"message":"page lost"}`
		}
		return `{"tools":[{"name":"a"}],"nextCursor":"p2"}`
	})
	ts := open(t, s.config())
	assert.Equal(t, []string{"a"}, names(t, ts))
	assert.Contains(t, ts.Report().Warnings[0].Reason, "page lost")
	names(t, ts)
	assert.Len(t, s.of("tools/list"), 4, "an incomplete list is not kept")
}

func TestB5_TheServerSaysForHowLong(t *testing.T) {
	t.Parallel()
	for ttl, asked := range map[string]int{`,"ttlMs":0`: 3, `,"ttlMs":60000`: 1, ``: 1} {
		s := newRaw(t, func(r request) string {
			if r.Method == "tools/list" {
				return `{"tools":[{"name":"a"}]` + ttl + `}`
			}
			return ""
		})
		ts := open(t, s.config())
		for range 3 {
			names(t, ts)
		}
		assert.Len(t, s.of("tools/list"), asked, ttl)
		ts.Refresh()
		names(t, ts)
		assert.Len(t, s.of("tools/list"), asked+1, "Refresh drops what is kept")
	}
}

func TestB5_ListsAreKeptByIdentity(t *testing.T) {
	t.Parallel()
	s := newRaw(t, nil)
	s.answer = func(r request) string {
		if r.Method == "tools/list" {
			return `{"tools":[{"name":"of_` + r.headers.Get("X-User") + `"}]}`
		}
		return ""
	}
	ts := open(t, s.config(), toolset.WithHeaderProvider(fromContext))
	for range 2 {
		for _, user := range []string{"alice", "bob"} {
			found, err := ts.Tools(as(t, user))
			require.NoError(t, err)
			assert.Equal(t, "of_"+user, found[0].Name())
		}
	}
	assert.Len(t, s.of("tools/list"), 2)
	for _, r := range s.of("tools/list") {
		assert.Equal(t, "session of "+r.headers.Get("X-User"), r.headers.Get("Mcp-Session-Id"), "no session under another's headers")
	}
}

type userKey struct{}

func as(t *testing.T, user string) context.Context {
	return context.WithValue(t.Context(), userKey{}, user)
}

func fromContext(ctx context.Context) (http.Header, error) {
	user, ok := ctx.Value(userKey{}).(string)
	if !ok {
		return nil, errors.New("nobody is signed in")
	}
	return http.Header{"X-User": {user}}, nil
}

func TestB7_Filters(t *testing.T) {
	t.Parallel()
	abc := lists(`[{"name":"a","annotations":{"readOnlyHint":true}},{"name":"b"},{"name":"c"}]`)
	for name, c := range map[string]struct {
		filter filter.Filter
		want   []string
	}{
		"O94 none keeps all":      {nil, []string{"p_a", "p_b", "p_c"}},
		"O94 allow":               {filter.Allow("a"), []string{"p_a"}},
		"O94 allow without names": {filter.Allow(), []string{}},
		"known and unknown":       {filter.Allow("c", "nope"), []string{"p_c"}},
		"deny":                    {filter.Deny("a"), []string{"p_b", "p_c"}},
		"O94 a nil predicate":     {filter.Predicate(nil), []string{"p_a", "p_b", "p_c"}},
		"read-only by hint":       {filter.ReadOnly(), []string{"p_a"}},
		"combined":                {filter.And(filter.Not(filter.Allow("a")), filter.Match("*")), []string{"p_b", "p_c"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, c.want, names(t, open(t, newRaw(t, abc).config().Prefix("p_").Filter(c.filter))))
		})
	}
	for _, name := range []string{"nope", "p_a"} {
		ts := open(t, newRaw(t, abc).config().Prefix("p_").Filter(filter.Allow(name)))
		_, err := ts.Tools(t.Context())
		assert.ErrorIs(t, err, filter.ErrNoMatch, "O95 %s", name)
		assert.ErrorContains(t, err, name)
	}
	panicking := filter.Predicate(func(context.Context, filter.Tool) (bool, error) { panic("owner's fault") })
	_, err := open(t, newRaw(t, abc).config().Filter(panicking)).Tools(t.Context())
	assert.ErrorContains(t, err, "owner's fault")
}

func TestB8_AFilteredToolCannotBeCalled(t *testing.T) {
	t.Parallel()
	allowed := true
	s := newRaw(t, lists(`[{"name":"a"}]`))
	ts := open(t, s.config().Filter(filter.Predicate(func(context.Context, filter.Tool) (bool, error) { return allowed, nil })))
	found, err := ts.Tools(t.Context())
	require.NoError(t, err)
	allowed = false
	text, err := found[0].Call(t.Context(), "{}")
	require.NoError(t, err)
	assert.Contains(t, text, "not offered")
	_, err = ts.CallTool(t.Context(), "a", nil)
	assert.ErrorIs(t, err, toolset.ErrNotOffered)
	_, err = ts.Tool(t.Context(), "a")
	assert.ErrorIs(t, err, toolset.ErrNotOffered)
	assert.Empty(t, s.of("tools/call"))
}

func TestB9_ReservedNamesAreSkipped(t *testing.T) {
	t.Parallel()
	s := newRaw(t, lists(`[{"name":"final_answer"},{"name":"Final_Answer"},{"name":"a"}]`))
	ts := open(t, s.config().Reserve("final_answer"))
	assert.NotContains(t, names(t, ts), "final_answer")
	assert.Contains(t, names(t, ts), "a")
	assert.Contains(t, ts.Report().Warnings[0].Reason, "reserved")
}

func TestB11_OneToolByTheServersName(t *testing.T) {
	t.Parallel()
	s := newRaw(t, lists(`[{"name":"read.memory","title":"Read","inputSchema":{"type":"object","x":1},"outputSchema":{"type":"object"},"annotations":{"readOnlyHint":true},"_meta":{"k":9007199254740993},"icons":[]},{"name":"bad","inputSchema":[]}]`))
	ts := open(t, s.config())
	tool, err := ts.Tool(t.Context(), "read.memory")
	require.NoError(t, err)
	assert.Equal(t, "read_memory", tool.Name())
	assert.Equal(t, "read.memory", tool.OriginalName())

	// C3, C4: what the server sent is readable, byte for byte.
	assert.Equal(t, "Read", tool.Title())
	assert.Equal(t, `{"type":"object","x":1}`, string(tool.InputSchema()))
	assert.Equal(t, `{"type":"object"}`, string(tool.OutputSchema()))
	assert.Equal(t, `{"readOnlyHint":true}`, string(tool.Annotations()))
	assert.Equal(t, `{"k":9007199254740993}`, string(tool.Meta()))
	assert.Equal(t, `[]`, string(tool.Icons()))
	assert.Contains(t, string(tool.Raw()), `"title":"Read"`)
	readOnly, destructive, _, _ := tool.Hints()
	assert.True(t, *readOnly)
	assert.Nil(t, destructive)

	_, err = ts.Tool(t.Context(), "read_memory")
	require.ErrorIs(t, err, toolset.ErrUnknownTool)
	assert.ErrorContains(t, err, "read.memory")
	_, err = ts.Tool(t.Context(), "bad")
	require.ErrorIs(t, err, toolset.ErrUnknownTool)
	assert.ErrorContains(t, err, "left out")
}

func TestB6_AToolThatIsGoneIsAnObservation(t *testing.T) {
	t.Parallel()
	gone := false
	s := newRaw(t, func(r request) string {
		switch {
		case gone && r.Method == "tools/call":
			return `!{"code":-32602,"message":"Unknown tool: a"}`
		case gone:
			return lists(`[{"name":"b"}]`)(r)
		}
		return lists(`[{"name":"a"}]`)(r)
	})
	ts := open(t, s.config())
	old, err := ts.Tool(t.Context(), "a")
	require.NoError(t, err)
	text, err := old.Call(t.Context(), "{}")
	require.NoError(t, err)
	assert.Equal(t, "ok", text)

	gone = true
	ts.Refresh()
	assert.Equal(t, []string{"b"}, names(t, ts))
	text, err = old.Call(t.Context(), "{}")
	require.NoError(t, err)
	assert.Contains(t, text, "Error:")
	assert.Contains(t, text, "Unknown tool: a")
	assert.Contains(t, text, "lists no such tool (any longer)")
}

func TestC4_TheSchemaAsSentIsKeptAndCheckedAgainst(t *testing.T) {
	t.Parallel()
	// No provider's profile can say all of it, and its form is unusual.
	const sent = `{ "type":"object", "properties": {"n":{"type":"integer","multipleOf":3,"maximum":9007199254740993}},
		"required":["n"], "x-own":1.0 }`
	server := newRaw(t, lists(`[{"name":"count","inputSchema":`+sent+`}]`))
	ts := open(t, server.config())
	tool, err := ts.Tool(t.Context(), "count")
	require.NoError(t, err)
	for _, p := range []toolset.Profile{toolset.ProfilePortable, toolset.ProfileGemini, toolset.ProfileOpenAIStrict} {
		tool.Definition(p)
	}
	assert.Equal(t, sent, string(tool.InputSchema()))
	kept := tool.InputSchema()
	kept[0] = 'x'
	assert.Equal(t, sent, string(tool.InputSchema()), "what a caller does to it stays with the caller")

	text, err := tool.Call(t.Context(), `{"n":9007199254740993}`)
	require.NoError(t, err)
	assert.Equal(t, "ok", text)
	for _, wrong := range []string{`{"n":9007199254740994}`, `{"n":4}`, `{}`} {
		text, err := tool.Call(t.Context(), wrong)
		require.NoError(t, err)
		assert.True(t, strings.HasPrefix(text, "Error:"), "%s: %s", wrong, text)
	}
	assert.Len(t, server.of("tools/call"), 1)
}

func TestO23_EqualNamesOfTwoServersAreToldApartByPrefixes(t *testing.T) {
	t.Parallel()
	const search = `[{"name":"search","inputSchema":{"type":"object"}}]`
	one, two := newRaw(t, lists(search)), newRaw(t, lists(search))
	first := open(t, one.config().Prefix("one_"))
	second := open(t, two.config().Prefix("two_"))
	assert.Equal(t, []string{"one_search", "two_search"}, append(names(t, first), names(t, second)...))
	offered, err := second.Tools(t.Context())
	require.NoError(t, err)
	_, err = offered[0].Call(t.Context(), "{}")
	require.NoError(t, err)
	assert.Empty(t, one.of("tools/call"))
	assert.Len(t, two.of("tools/call"), 1)
	assert.Contains(t, string(two.of("tools/call")[0].Params), `"name":"search"`, "the server's own name goes over the wire")
}

func TestO23_ANameThatAServerListsTwiceIsReported(t *testing.T) {
	t.Parallel()
	server := newRaw(t, lists(`[{"name":"a","description":"first","inputSchema":{"type":"object"}},{"name":"a","description":"second","inputSchema":{"type":"object"}}]`))
	ts := open(t, server.config())
	assert.Len(t, names(t, ts), 1)
	require.NotEmpty(t, ts.Report().Warnings)
	assert.Equal(t, "a", ts.Report().Warnings[0].Tool)
}
