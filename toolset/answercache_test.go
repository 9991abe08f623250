package toolset

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func always(a answer) func(context.Context) (*answer, error) {
	return func(context.Context) (*answer, error) {
		a.at = time.Now()
		return &a, nil
	}
}

// put keeps an answer as if it had just come.
func put(c *answerCache, q question, a answer) {
	a.at = time.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.keep(q, &a)
}

func reading(uri, identity string) question {
	return oneAnswer(mcp.MethodResourcesRead, uri, identity)
}

func TestB5_AnswersAreFreshForTheirTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newCache(0)
		defer c.close()
		q := wholeList(mcp.MethodToolsList, "i")
		put(c, q, answer{value: "a", fresh: time.Second, spare: true})
		time.Sleep(time.Second - 1)
		assert.Equal(t, "a", c.fresh(q).value)
		time.Sleep(time.Nanosecond)
		assert.Nil(t, c.fresh(q), "fresh while now < received + ttl")
		assert.Zero(t, c.lists.answers.Len(), "what is of no use is dropped")

		put(c, q, answer{value: "b", fresh: untilChanged})
		time.Sleep(1000 * time.Hour)
		assert.Equal(t, "b", c.fresh(q).value)
		put(c, q, answer{value: "c", spare: true})
		assert.Nil(t, c.fresh(q), "0 is not again")
		assert.Zero(t, c.lists.answers.Len())
	})
}

func TestB5_PublicAnswersAreSharedAndPrivateOnesNever(t *testing.T) {
	t.Parallel()
	c := newCache(0)
	defer c.close()
	of := func(who string) question { return wholeList(mcp.MethodToolsList, who) }
	put(c, of("alice"), answer{value: "private", fresh: time.Hour})
	assert.Nil(t, c.fresh(of("bob")))
	assert.Nil(t, c.fresh(of("")), "nobody is not everybody")
	put(c, of("bob"), answer{value: "public", public: true, fresh: time.Hour})
	assert.Equal(t, "public", c.fresh(of("carol")).value)
	assert.Equal(t, "private", c.fresh(of("alice")).value, "one's own goes first")
	put(c, of("carol"), answer{value: "private again", fresh: time.Hour})
	assert.Nil(t, c.fresh(of("bob")), "the server shares it no longer")

	other := of("alice")
	other.whole = false
	assert.Nil(t, c.fresh(other), "the first page is not the whole")
	assert.Nil(t, c.fresh(wholeList(mcp.MethodPromptsList, "alice")))
}

func TestB5_WhatIsForgotten(t *testing.T) {
	t.Parallel()
	page := func(method mcp.MCPMethod) question { return oneAnswer(method, "c2", "i") }
	all := map[string]question{
		"tools": wholeList(mcp.MethodToolsList, "i"), "resources": wholeList(mcp.MethodResourcesList, "i"),
		"templates": wholeList(mcp.MethodResourcesTemplatesList, "i"), "prompts": wholeList(mcp.MethodPromptsList, "i"),
		"page of resources": page(mcp.MethodResourcesList), "page of templates": page(mcp.MethodResourcesTemplatesList),
		"read a:1": reading("a:1", "i"), "read a:1 of j": reading("a:1", "j"), "read a:1/2": reading("a:1/2", "i"), "read a:12": reading("a:12", "i"),
		"public": reading("a:p", "i"), "public until changed": oneAnswer(mcp.MethodPromptsList, "c3", "k"), "tools of j": wholeList(mcp.MethodToolsList, "j"),
	}
	for name, c := range map[string]struct {
		do   func(*answerCache)
		gone []string
	}{
		"a notice of tools": {func(c *answerCache) { c.forget(theTools, "") }, []string{"tools", "tools of j"}},
		"a notice of resources": {func(c *answerCache) { c.forget(theResources, "") },
			[]string{"resources", "templates", "page of resources", "page of templates"}},
		"a notice of prompts":       {func(c *answerCache) { c.forget(thePrompts, "") }, []string{"prompts", "public until changed"}},
		"a notice of anything else": {func(c *answerCache) { c.forget("notifications/message", "") }, nil},
		"an update":                 {func(c *answerCache) { c.forgetURI("a:1", "") }, []string{"read a:1", "read a:1 of j"}},
		"an update of a part":       {func(c *answerCache) { c.forgetURI("a:1/2", "") }, []string{"read a:1", "read a:1 of j", "read a:1/2"}},
		"an update of a fragment":   {func(c *answerCache) { c.forgetURI("a:1#end", "") }, []string{"read a:1", "read a:1 of j"}},
		"an update of a query":      {func(c *answerCache) { c.forgetURI("a:1?page=2", "") }, []string{"read a:1", "read a:1 of j"}},
		"an update of nothing":      {func(c *answerCache) { c.forgetURI("", "") }, nil},
		"the end of a session": {func(c *answerCache) { c.lost("i") },
			[]string{"tools", "resources", "templates", "prompts", "page of resources", "page of templates", "read a:1", "read a:1/2", "read a:12", "public until changed"}},
		"the end of another":        {func(c *answerCache) { c.lost("j") }, []string{"read a:1 of j", "tools of j", "public until changed"}},
		"a refusal":                 {func(c *answerCache) { c.revoke("j") }, []string{"read a:1 of j", "tools of j"}},
		"the end of all":            {func(c *answerCache) { c.lost("") }, []string{"*"}},
		"Refresh":                   {func(c *answerCache) { c.forgetAll() }, []string{"*"}},
		"a cursor of no use":        {func(c *answerCache) { c.forgetPages(mcp.MethodResourcesList, "i") }, []string{"page of resources"}},
		"an answer that is wrong":   {func(c *answerCache) { c.contradict(all["public"]) }, []string{"public"}},
		"one's answer that's wrong": {func(c *answerCache) { c.contradict(all["tools"]) }, []string{"tools"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			kept := newCache(0)
			defer kept.close()
			for name, q := range all {
				a := answer{value: name, fresh: time.Hour}
				switch name {
				case "public":
					a.public = true
				case "public until changed":
					a.public, a.fresh = true, untilChanged
				}
				put(kept, q, a)
			}
			c.do(kept)
			var gone []string
			for name, q := range all {
				if a := kept.peek(q); a == nil || a.value != name {
					gone = append(gone, name)
				}
			}
			if len(c.gone) == 1 && c.gone[0] == "*" {
				assert.Len(t, gone, len(all))
				assert.EqualValues(t, len(all), kept.stats.Invalidations)
				return
			}
			assert.ElementsMatch(t, c.gone, gone)
			assert.EqualValues(t, len(c.gone), kept.stats.Invalidations)
		})
	}
}

func TestB5_WhatIsFetchedMeanwhileIsNotKeptAfterAChange(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newCache(0)
		defer c.close()
		q := wholeList(mcp.MethodToolsList, "i")
		hold := make(chan struct{})
		var first *answer
		var waiting sync.WaitGroup
		waiting.Go(func() {
			first, _ = c.get(t.Context(), q, func(context.Context) (*answer, error) {
				<-hold
				return &answer{value: "old", at: time.Now(), fresh: time.Hour}, nil
			})
		})
		synctest.Wait()
		c.forget(theTools, "")
		second, err := c.get(t.Context(), q, always(answer{value: "new", fresh: time.Hour}))
		require.NoError(t, err)
		assert.Equal(t, "new", second.value, "a fetch from before the change is not joined")
		close(hold)
		waiting.Wait()
		assert.Equal(t, "old", first.value)
		assert.Equal(t, "new", c.fresh(q).value, "nor does it take the place of a newer one")
	})
}

func TestB5_OneReadForAllWhoWaitIfItMayBeKept(t *testing.T) {
	t.Parallel()
	for ttl, asked := range map[time.Duration]int{time.Hour: 1, 0: 3} {
		synctest.Test(t, func(t *testing.T) {
			c := newCache(0)
			defer c.close()
			n := 0
			var mu sync.Mutex
			hold := make(chan struct{})
			var readers sync.WaitGroup
			for range 3 {
				readers.Go(func() {
					_, err := c.get(t.Context(), reading("a:1", "i"), func(context.Context) (*answer, error) {
						mu.Lock()
						n++
						mu.Unlock()
						<-hold
						return &answer{value: "x", at: time.Now(), fresh: ttl}, nil
					})
					assert.NoError(t, err)
				})
			}
			synctest.Wait()
			assert.Equal(t, 1, n)
			close(hold)
			readers.Wait()
			assert.Equal(t, asked, n, "what may not be kept was for one")
		})
	}
}

func TestB5_AReadIsGivenUpWithTheLastWhoWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newCache(0)
		defer c.close()
		ended := make(chan error, 1)
		ask := func(ctx context.Context) (*answer, error) {
			<-ctx.Done()
			ended <- ctx.Err()
			return nil, ctx.Err()
		}
		var readers sync.WaitGroup
		leave := make([]context.CancelFunc, 2)
		for i := range leave {
			ctx, cancel := context.WithCancel(t.Context())
			leave[i] = cancel
			readers.Go(func() {
				_, err := c.get(ctx, reading("a:1", "i"), ask)
				assert.ErrorIs(t, err, context.Canceled)
			})
		}
		synctest.Wait()
		leave[0]()
		synctest.Wait()
		assert.Empty(t, ended, "another one waits")
		leave[1]()
		readers.Wait()
		require.ErrorIs(t, <-ended, context.Canceled)
		put(c, reading("a:1", "i"), answer{value: "later", fresh: time.Hour})
		assert.Equal(t, "later", c.fresh(reading("a:1", "i")).value)
	})
}

func TestB5_OldAnswersInNeed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newCache(time.Minute)
		defer c.close()
		list, read := wholeList(mcp.MethodToolsList, "i"), reading("a:1", "i")
		put(c, list, answer{value: "list", spare: true})
		put(c, read, answer{value: "read"})
		assert.Nil(t, c.fresh(list))
		assert.Equal(t, "list", c.old(list).value)
		assert.Nil(t, c.old(read), "not spare")

		put(c, list, answer{value: "list", fresh: time.Hour, spare: true})
		c.lost("i")
		assert.Nil(t, c.fresh(list), "the session is over")
		assert.Equal(t, "list", c.old(list).value, "but in need it is used")
		c.lost("")
		assert.Equal(t, "list", c.old(list).value)
		time.Sleep(time.Minute)
		assert.Nil(t, c.old(list), "it is too old")

		put(c, list, answer{value: "list", spare: true})
		c.forget(theTools, "")
		assert.Nil(t, c.old(list), "the server has said that it is wrong")
	})
}

func TestB5_WhatIsKeptIsBounded(t *testing.T) {
	t.Parallel()
	c := newCache(0)
	defer c.close()
	for i := range maxRaw + 10 {
		put(c, reading(fmt.Sprint(i), "i"), answer{value: i, fresh: time.Hour})
	}
	assert.Equal(t, maxRaw, c.raw.answers.Len())
	assert.Nil(t, c.fresh(reading("9", "i")), "what was used least recently goes first")
	assert.NotNil(t, c.fresh(reading("10", "i")))

	const large = maxRawBytes / 4
	for i := range 10 {
		put(c, reading(fmt.Sprint("large ", i), "i"), answer{value: i, size: large, fresh: time.Hour})
		assert.LessOrEqual(t, c.raw.bytes, maxRawBytes)
	}
	assert.NotNil(t, c.fresh(reading("large 9", "i")))
	put(c, reading("huge", "i"), answer{size: maxRawBytes + 1, fresh: time.Hour})
	assert.Nil(t, c.fresh(reading("huge", "i")))
	put(c, reading("large 9", "i"), answer{size: 1, fresh: time.Hour})
	c.forgetAll()
	assert.Zero(t, c.raw.bytes, "the count is that of what is kept")
}

func TestB5_AFailureIsNotKept(t *testing.T) {
	t.Parallel()
	c := newCache(0)
	q := reading("a:1", "i")
	_, err := c.get(t.Context(), q, func(context.Context) (*answer, error) { return nil, errors.New("no") })
	require.EqualError(t, err, "no")
	put(c, q, answer{value: "yes", fresh: time.Hour})
	assert.Equal(t, CacheStats{Misses: 1}, c.stats)
	c.close()
	_, err = c.get(t.Context(), q, always(answer{}))
	require.ErrorIs(t, err, ErrClosed)
}
