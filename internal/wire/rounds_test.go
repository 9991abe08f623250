package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// questioner is a transport whose server answers the n-th request as a function
// of its params says.
type questioner struct {
	transport.Interface
	answer func(n int, params string) string
	sent   []string
	ids    []string
}

func (q *questioner) SendRequest(_ context.Context, r transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	raw, err := json.Marshal(r.Params)
	if err != nil {
		return nil, err
	}
	q.sent = append(q.sent, string(raw))
	q.ids = append(q.ids, fmt.Sprint(r.ID.Value()))
	return transport.NewJSONRPCResultResponse(r.ID, json.RawMessage(q.answer(len(q.sent), string(raw)))), nil
}

// asking is a connection of the newer era to q.
func asking(q *questioner, answer func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error)) *Conn {
	c := &Conn{link: newLink(Stdio, q, nil), info: Info{ProtocolVersion: mcp.LATEST_PROTOCOL_VERSION}, life: context.Background()}
	c.link.life = c.life
	if answer != nil {
		c.link.asked.asks = &Asks{Answer: answer}
	}
	return c
}

const asksOne = `{"resultType":"input_required","inputRequests":{"q":{"method":"elicitation/create","params":{"message":"?"}}},"requestState":"a\u0020b"}`

func yes(context.Context, string, json.RawMessage) (json.RawMessage, error) {
	return json.RawMessage(`{"action":"accept"}`), nil
}

func TestJ3_ARoundAnswersAndReturnsTheStateAsItCame(t *testing.T) {
	t.Parallel()
	q := &questioner{answer: func(n int, _ string) string {
		if n == 1 {
			return asksOne
		}
		return `{"content":[]}`
	}}
	raw, err := asking(q, yes).Call(t.Context(), "t", json.RawMessage(`{"a":9007199254740993}`), nil)
	require.NoError(t, err)
	assert.Equal(t, `{"content":[]}`, string(raw))
	require.Len(t, q.sent, 2)
	assert.NotContains(t, q.sent[0], "requestState")
	assert.Contains(t, q.sent[1], `"arguments":{"a":9007199254740993}`)
	assert.Contains(t, q.sent[1], `"inputResponses":{"q":{"action":"accept"}}`)
	assert.Contains(t, q.sent[1], `"requestState":"a\u0020b"`)
	assert.NotEqual(t, q.ids[0], q.ids[1])
}

func TestJ3_StateIsOnlySentWhereThereWasOne(t *testing.T) {
	t.Parallel()
	q := &questioner{answer: func(n int, _ string) string {
		if n == 1 {
			return strings.Replace(asksOne, `,"requestState":"a\u0020b"`, "", 1)
		}
		return `{}`
	}}
	_, err := asking(q, yes).Request(t.Context(), "prompts/get", nil, nil)
	require.NoError(t, err)
	assert.JSONEq(t, `{"inputResponses":{"q":{"action":"accept"}}}`, q.sent[1])
}

func TestJ3_RoundsAreBounded(t *testing.T) {
	t.Parallel()
	many := make([]string, maxQuestions+1)
	for i := range many {
		many[i] = fmt.Sprintf(`"%d":{"method":"roots/list"}`, i)
	}
	for name, c := range map[string]struct {
		result string
		sent   int
		want   error
	}{
		"without end":       {asksOne, maxRounds, errEndless},
		"too much at once":  {`{"resultType":"input_required","inputRequests":{` + strings.Join(many, ",") + `}}`, 1, errTooMany},
		"not to be read":    {`{"resultType":"input_required","inputRequests":[1]}`, 1, errNotInput},
		"later, ever again": {`{"resultType":"input_required","requestState":"s"}`, maxLater + 1, errPutOff},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { // the pauses pass at once
				q := &questioner{answer: func(int, string) string { return c.result }}
				_, err := asking(q, yes).Call(t.Context(), "t", json.RawMessage(`{}`), nil)
				require.ErrorIs(t, err, c.want)
				var input *InputError
				assert.ErrorAs(t, err, &input)
				assert.Len(t, q.sent, c.sent)
			})
		})
	}
}

func TestJ3_WhatIsNotAnswered(t *testing.T) {
	t.Parallel()
	q := &questioner{answer: func(int, string) string { return asksOne }}
	raw, err := asking(q, nil).Call(t.Context(), "t", json.RawMessage(`{}`), nil)
	require.NoError(t, err)
	assert.Equal(t, asksOne, string(raw), "without handlers it is the caller's to read")

	denied := errors.New("denied")
	_, err = asking(q, func(context.Context, string, json.RawMessage) (json.RawMessage, error) { return nil, denied }).
		Call(t.Context(), "t", json.RawMessage(`{}`), nil)
	assert.ErrorIs(t, err, denied)

	_, err = asking(q, func(context.Context, string, json.RawMessage) (json.RawMessage, error) { panic("fault") }).
		Call(t.Context(), "t", json.RawMessage(`{}`), nil)
	var fault *PanicError
	assert.ErrorAs(t, err, &fault)

	ctx, cancel := context.WithCancel(t.Context())
	_, err = asking(q, func(context.Context, string, json.RawMessage) (json.RawMessage, error) {
		cancel()
		return nil, errors.New("left")
	}).Call(ctx, "t", json.RawMessage(`{}`), nil)
	assert.ErrorIs(t, err, context.Canceled)
}

func TestJ3_ATextThatOnlyLooksLikeAQuestion(t *testing.T) {
	t.Parallel()
	const result = `{"content":[{"type":"text","text":"input_required"}]}`
	q := &questioner{answer: func(int, string) string { return result }}
	raw, err := asking(q, yes).Call(t.Context(), "t", json.RawMessage(`{}`), nil)
	require.NoError(t, err)
	assert.Equal(t, result, string(raw))
	assert.Len(t, q.sent, 1)
}

func TestAServerThatRefusesAVersionItSupportsIsAskedAgain(t *testing.T) {
	t.Parallel()
	params := map[string]any{"_meta": map[string]any{mcp.MetaKeyProtocolVersion: "2026-07-28"}}
	refuses := func(code int, supported ...string) answer {
		return answer{response: transport.NewJSONRPCErrorResponse(mcp.NewRequestId(1), code, "no",
			mcp.UnsupportedProtocolVersionData{Supported: supported})}
	}
	assert.True(t, contradicts(refuses(mcp.UNSUPPORTED_PROTOCOL_VERSION, "2025-11-25", "2026-07-28"), params))
	assert.False(t, contradicts(refuses(mcp.UNSUPPORTED_PROTOCOL_VERSION, "2025-11-25"), params))
	assert.False(t, contradicts(refuses(mcp.UNSUPPORTED_PROTOCOL_VERSION), params))
	assert.False(t, contradicts(refuses(mcp.METHOD_NOT_FOUND, "2026-07-28"), params))
	assert.False(t, contradicts(answer{err: ErrLost}, params))
}
