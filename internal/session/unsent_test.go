package session_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/internal/httpx"
	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/internal/session"
	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// How often a tool ran when a child did not take its call, or died of it. The
// children count.

func callWith(ctx context.Context, p *session.Pool, tool, arguments string) error {
	op, err := p.Begin(ctx)
	if err != nil {
		return err
	}
	_, err = op.Call(ctx, session.Call{Name: tool, Arguments: json.RawMessage(arguments)})
	return err
}

// within is a call with a limit of the owner's.
func within(t *testing.T, p *session.Pool, limit time.Duration, tool, arguments string) error {
	t.Helper()
	ctx, done := wire.Limit(t.Context(), "call", limit)
	defer done()
	return wire.Cause(ctx, callWith(ctx, p, tool, arguments))
}

func kill(t *testing.T, pid int) {
	t.Helper()
	process, err := os.FindProcess(pid)
	require.NoError(t, err)
	require.NoError(t, process.Kill())
}

// unsent reports what a caller is told of the delivery.
func unsent(err error) bool {
	var failed *httpx.RequestError
	return errors.As(err, &failed) && failed.Unsent
}

func TestF8_WhatAChildNeverTookIsSentToTheNext(t *testing.T) {
	t.Parallel()
	c := mcptest.Run(t, mcptest.Script{Rules: []mcptest.Rule{{Tool: "stop", Deaf: true}}})
	p := newPool(t, child(c))
	_, err := call(t.Context(), p, "stop")
	require.NoError(t, err)

	var limit *wire.LimitError
	// A limit may pass before the pipe was given anything. Once it took some of
	// what it cannot hold, it takes nothing else.
	torn := `{"text":"` + strings.Repeat("x", 1<<18) + `"}`
	enough := 50 * time.Millisecond
	require.Eventually(t, func() bool {
		enough *= 2
		err := within(t, p, enough, "torn", torn)
		return errors.As(err, &limit) && !unsent(err)
	}, mcptest.Patience, time.Millisecond, "the pipe took some of it")
	err = within(t, p, enough, "behind", `{}`)
	require.ErrorAs(t, err, &limit)
	assert.True(t, unsent(err), "the pipe took none of it")

	ended := make(chan error, 1)
	go func() { ended <- callWith(t.Context(), p, "waiting", `{}`) }()
	kill(t, c.Started.All()[0])
	require.NoError(t, <-ended)
	assert.Equal(t, 2, c.Started.Count())
	assert.Equal(t, 1, c.Received.Count(mcptest.CallOf("waiting")))
	assert.Zero(t, c.Received.Count(mcptest.CallOf("torn")), "it is not sent again")
	assert.Zero(t, c.Received.Count(mcptest.CallOf("behind")), "nor what its caller gave up")
	assert.Zero(t, c.Received.Count(mcptest.Method("notifications/cancelled")), "nor a notice about it")
}

func TestF8_WhatAChildTookIsNotSentAgain(t *testing.T) {
	t.Parallel()
	c := mcptest.Run(t, mcptest.Script{Rules: []mcptest.Rule{{Tool: "die", Exit: mcptest.Code(1)}, {Tool: "hang", Silent: true}}})
	p := newPool(t, child(c))
	_, err := call(t.Context(), p, "die")
	var ended *session.ProcessError
	require.ErrorAs(t, err, &ended)
	assert.False(t, unsent(err))
	assert.Equal(t, 1, c.Received.Count(mcptest.CallOf("die")))

	hanging := make(chan error, 1)
	go func() { _, err := call(t.Context(), p, "hang"); hanging <- err }()
	c.Received.Wait(t, mcptest.CallOf("hang"))
	kill(t, c.Started.All()[1])
	err = <-hanging
	require.ErrorAs(t, err, &ended)
	assert.False(t, unsent(err))
	assert.Equal(t, 1, c.Received.Count(mcptest.CallOf("hang")))
}

// A child that is killed while it is called has either taken the call, which
// then is not sent again, or it has not, and the next one runs it.
func TestF8_NothingRunsTwiceWhenAChildIsKilled(t *testing.T) {
	t.Parallel()
	c := mcptest.Run(t, mcptest.Script{})
	p := newPool(t, child(c))
	ran := 0
	const rounds = 20
	for range rounds {
		_, err := call(t.Context(), p, "before")
		require.NoError(t, err)
		started := c.Started.All()
		kill(t, started[len(started)-1])
		if _, err = call(t.Context(), p, "count"); err == nil {
			ran++
			continue
		}
		var ended *session.ProcessError
		require.ErrorAs(t, err, &ended)
		assert.False(t, unsent(err), "then it would have been sent again")
	}
	got := c.Received.Count(mcptest.CallOf("count"))
	assert.GreaterOrEqual(t, got, ran)
	assert.LessOrEqual(t, got, rounds)
}

func TestAnAnswerThatCannotBeUsedEndsItsCallAtOnce(t *testing.T) {
	t.Parallel()
	c := mcptest.Run(t, mcptest.Script{Rules: []mcptest.Rule{
		{Tool: "nan", Raw: `{"jsonrpc":"2.0","id":$id,"result":{"content":[],"structuredContent":{"x":NaN}}}` + "\n"},
		{Tool: "deep", Raw: `{"jsonrpc":"2.0","id":$id,"result":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + "}\n"},
		{Tool: "empty", Raw: `{"jsonrpc":"2.0","id":$id}` + "\n"},
	}})
	p := newPool(t, child(c))
	for _, tool := range []string{"nan", "deep", "empty"} {
		_, err := call(t.Context(), p, tool)
		var answer *wire.AnswerError
		require.ErrorAs(t, err, &answer, tool)
		assert.False(t, unsent(err))
		assert.Equal(t, 1, c.Received.Count(mcptest.CallOf(tool)))
	}
	assert.Equal(t, 1, c.Started.Count(), "the session lives on")
}

func TestAChildThatFloodsALineIsEnded(t *testing.T) {
	t.Parallel()
	c := mcptest.Run(t, mcptest.Script{Rules: []mcptest.Rule{{Tool: "flood", Raw: strings.Repeat("x", 2<<20)}}})
	p := newPool(t, child(c), func(o *session.Options) { o.MaxMessage = 1 << 20 })
	_, err := call(t.Context(), p, "flood")
	require.ErrorContains(t, err, "larger than 1 MiB")
	_, err = call(t.Context(), p, "t")
	require.NoError(t, err)
	assert.Equal(t, 2, c.Started.Count())
}
