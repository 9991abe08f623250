package wire

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestJ3_WhatAServerIsTold(t *testing.T) {
	t.Parallel()
	secret := errors.New("password")
	for name, c := range map[string]struct {
		asks   *Asks
		method string
		code   int
	}{
		"ping":          {nil, "ping", 0},
		"no handler":    {nil, "roots/list", mcp.METHOD_NOT_FOUND},
		"a refusal":     {answering(&Refusal{Code: -1, Text: "no", Err: secret}), "roots/list", -1},
		"another error": {answering(secret), "roots/list", mcp.INTERNAL_ERROR},
		"a panic":       {&Asks{Answer: func(context.Context, string, json.RawMessage) (json.RawMessage, error) { panic(secret) }}, "roots/list", mcp.INTERNAL_ERROR},
		"what it asked": {answering(nil), "roots/list", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLink(Stdio, &questioner{}, nil)
			l.asked.asks = c.asks
			r, err := l.answer(t.Context(), t.Context(), transport.JSONRPCRequest{ID: mcp.NewRequestId("x"), Method: c.method})
			require.NoError(t, err)
			assert.Equal(t, "x", r.ID.Value())
			if c.code == 0 {
				require.Nil(t, r.Error)
				assert.Equal(t, `{}`, string(r.Result))
				return
			}
			require.NotNil(t, r.Error)
			assert.Equal(t, c.code, r.Error.Code)
			assert.NotContains(t, r.Error.Message, "password")
		})
	}
}

func answering(err error) *Asks {
	return &Asks{Answer: func(context.Context, string, json.RawMessage) (json.RawMessage, error) {
		if err != nil {
			return nil, err
		}
		return json.RawMessage(`{}`), nil
	}}
}

type markKey struct{}

func TestJ3_WhoseQuestionItIs(t *testing.T) {
	t.Parallel()
	a := &asked{asks: &Asks{}}
	mark := func(ctx context.Context) any { return ctx.Value(markKey{}) }
	life := context.WithValue(t.Context(), markKey{}, "life")
	assert.Equal(t, "life", mark(a.owner(t.Context(), life, "")), "nothing is under way")

	one, endOne := a.under(context.WithValue(t.Context(), markKey{}, "one"), mcp.NewRequestId(1))
	only := a.owner(t.Context(), life, "")
	assert.Equal(t, "one", mark(only), "it is the only one")
	two, endTwo := a.under(context.WithValue(t.Context(), markKey{}, "two"), mcp.NewRequestId(2))
	assert.Equal(t, "life", mark(a.owner(t.Context(), life, "")), "it may be either")
	assert.Equal(t, "two", mark(a.owner(two, life, "")), "it came on the stream of this one")
	assert.Equal(t, "one", mark(a.owner(one, life, "")))
	endOne()
	assert.ErrorIs(t, only.Err(), context.Canceled, "the question ends with its request")
	endTwo()
	assert.Equal(t, "life", mark(a.owner(t.Context(), life, "")))
}

func TestJ3_AQuestionThatNamesItsTask(t *testing.T) {
	t.Parallel()
	mark := func(ctx context.Context) any { return ctx.Value(markKey{}) }
	related := func(text string) string {
		return taskOf(json.RawMessage(`{"message":"?","_meta":{"io.modelcontextprotocol/related-task":` + text + `}}`))
	}
	assert.Equal(t, "T/1", related(`{"taskId":"T/1"}`))
	for _, odd := range []string{`"T/1"`, `{"taskId":1}`, `null`, `[]`} {
		assert.Empty(t, related(odd))
	}
	assert.Empty(t, taskOf(json.RawMessage(`["io.modelcontextprotocol/related-task"]`)))

	a := &asked{asks: &Asks{}}
	life := context.WithValue(t.Context(), markKey{}, "life")
	call, leave := context.WithCancel(context.WithValue(t.Context(), markKey{}, "task"))
	a.underTask(call, "T/1")
	a.underTask(context.WithValue(t.Context(), markKey{}, "a later poll"), "T/1")
	other, end := a.under(context.WithValue(t.Context(), markKey{}, "other"), mcp.NewRequestId(1))
	defer end()
	assert.Equal(t, "task", mark(a.owner(other, life, "T/1")), "wherever it comes")
	assert.Equal(t, "other", mark(a.owner(other, life, "T/2")))
	leave()
	a.underTask(context.WithValue(t.Context(), markKey{}, "again"), "T/1")
	assert.Equal(t, "again", mark(a.owner(other, life, "T/1")))
}

func TestJ3_AServerMayCancelItsQuestion(t *testing.T) {
	t.Parallel()
	for _, id := range []any{"q", int64(7)} {
		begun := make(chan struct{})
		l := newLink(Stdio, &questioner{}, nil)
		l.asked.asks = &Asks{Answer: func(ctx context.Context, _ string, _ json.RawMessage) (json.RawMessage, error) {
			close(begun)
			<-ctx.Done()
			return nil, ctx.Err()
		}}
		answered := make(chan *transport.JSONRPCResponse)
		go func() {
			r, _ := l.answer(t.Context(), t.Context(), transport.JSONRPCRequest{ID: mcp.NewRequestId(id), Method: "roots/list"})
			answered <- r
		}()
		<-begun
		var n mcp.JSONRPCNotification
		n.Params.AdditionalFields = map[string]any{"requestId": "another"}
		l.asked.cancel(n)
		if number, ok := id.(int64); ok {
			id = float64(number) // as it is decoded
		}
		n.Params.AdditionalFields["requestId"] = id
		l.asked.cancel(n)
		assert.Equal(t, mcp.INTERNAL_ERROR, (<-answered).Error.Code)
	}
}

func TestJ3_AServerThatAsksTooMuchIsRefused(t *testing.T) {
	t.Parallel()
	l := newLink(Stdio, &questioner{}, nil)
	begun, done := make(chan struct{}), make(chan struct{})
	l.asked.asks = &Asks{Answer: func(context.Context, string, json.RawMessage) (json.RawMessage, error) {
		begun <- struct{}{}
		<-done
		return json.RawMessage(`{}`), nil
	}}
	ask := func(n int) *transport.JSONRPCResponse {
		r, _ := l.answer(t.Context(), t.Context(), transport.JSONRPCRequest{ID: mcp.NewRequestId(int64(n)), Method: "roots/list"})
		return r
	}
	var asking sync.WaitGroup
	for n := range maxAsked {
		asking.Go(func() { assert.Nil(t, ask(n).Error) })
		<-begun
	}
	assert.Contains(t, ask(maxAsked).Error.Message, "too many")
	close(done)
	asking.Wait()
	go func() { <-begun }()
	assert.Nil(t, ask(maxAsked).Error, "there is room again")
}
