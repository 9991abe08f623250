package stdio_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRequestsOfTheServerAreAnswered(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	r.SetRequestHandler(func(_ context.Context, q transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
		params, _ := q.Params.(json.RawMessage)
		switch string(params) {
		case `{"panic":1}`:
			panic("the owner's fault")
		case `{"fail":1}`:
			return nil, errors.New("no user there")
		case `{"refuse":1}`:
			return transport.NewJSONRPCErrorResponse(q.ID, -1, "declined", nil), nil
		case `{"nothing":1}`:
			return nil, nil
		}
		return transport.NewJSONRPCResultResponse(q.ID, params), nil
	})
	for _, c := range []struct{ id, rest, member, says string }{
		{`1`, `"method":"ping"`, "result", `{}`},
		{`"a\"b"`, `"method":"ping","params":{}`, "result", `{}`},
		{`9007199254740993`, `"method":"sampling/createMessage","params":{"n":9007199254740993}`, "result", `{"n":9007199254740993}`},
		{`1.5`, `"method":"elicitation/create","params":{"a":[]}`, "result", `{"a":[]}`},
		{`{"x":1}`, `"method":"roots/list","params":{}`, "result", `{}`},
		{`2`, `"method":"elicitation/create","params":{"panic":1}`, "error", `the owner's fault`},
		{`3`, `"method":"elicitation/create","params":{"fail":1}`, "error", `no user there`},
		{`4`, `"method":"elicitation/create","params":{"refuse":1}`, "error", `"code":-1,"message":"declined"`},
		{`5`, `"method":"elicitation/create","params":{"nothing":1}`, "error", `-32603`},
		{`6`, `"method":"tools/call","params":{}`, "error", `-32601`},
		{`7`, `"method":"no/such"`, "error", `-32601`},
		{fmt.Sprint(firstID), `"method":"tools/call"`, "error", `-32601`},
	} {
		r.prints(`{"jsonrpc":"2.0","id":` + c.id + `,` + c.rest + `}` + "\n")
		line := r.written()
		assert.Equal(t, c.id, member(t, line, "id"), "byte by byte")
		assert.Contains(t, member(t, line, c.member), c.says, line)
	}
	r.SetRequestHandler(nil)
	r.prints(`{"jsonrpc":"2.0","id":8,"method":"roots/list"}` + "\n")
	assert.Contains(t, r.written(), "-32601")
	assert.Zero(t, r.Strays())
}

func TestE9_AHandlerHoldsUpNothing(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	release := make(chan struct{})
	r.SetRequestHandler(func(ctx context.Context, q transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
		select {
		case <-release:
			return transport.NewJSONRPCResultResponse(q.ID, json.RawMessage(`{}`)), nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	})
	const many = 200
	for i := range many {
		r.prints(fmt.Sprintf(`{"id":%d,"method":"sampling/createMessage"}`+"\n", i))
	}
	busy := 0
	for range many - 64 {
		if strings.Contains(r.written(), "too many requests") {
			busy++
		}
	}
	assert.Equal(t, many-64, busy, "they are bounded")
	ended := r.ask(t.Context(), firstID, "x/y", nil)
	r.prints(fmt.Sprintf(`{"id":%d,"result":{}}`+"\n", firstID))
	require.NoError(t, r.await(ended).err)
	close(release)
	for range 64 {
		assert.Contains(t, r.written(), `"result":{}`)
	}
}

func TestCloseEndsTheHandlersContext(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	begun, ended := make(chan struct{}), make(chan error, 1)
	r.SetRequestHandler(func(ctx context.Context, _ transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
		close(begun)
		<-ctx.Done()
		ended <- ctx.Err()
		return nil, ctx.Err()
	})
	r.prints(`{"id":1,"method":"sampling/createMessage"}` + "\n")
	<-begun
	require.NoError(t, r.Close())
	assert.ErrorIs(t, <-ended, context.Canceled)
}

func TestNotificationsComeInOrder(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	heard := make(chan mcp.JSONRPCNotification, 1000)
	r.prints(`{"method":"notifications/before"}` + "\n")
	ended := r.ask(t.Context(), firstID, "x/y", nil)
	r.prints(fmt.Sprintf(`{"id":%d,"result":{}}`+"\n", firstID))
	require.NoError(t, r.await(ended).err)
	r.SetNotificationHandler(func(n mcp.JSONRPCNotification) { heard <- n })
	for i := range 100 {
		r.prints(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":%d,"_meta":{"x":1}}}`+"\n", i))
	}
	for i := range 100 {
		n := <-heard
		assert.Equal(t, "notifications/progress", n.Method)
		assert.EqualValues(t, i, n.Params.AdditionalFields["progress"])
		assert.Contains(t, n.Params.Meta, "x")
	}
	for _, odd := range []string{`[1]`, `"x"`, `null`, `{"a":` + deep(9_990) + `}`} {
		r.prints(`{"method":"notifications/odd","id":null,"params":` + odd + `}` + "\n")
		assert.Equal(t, "notifications/odd", (<-heard).Method, "a change is a change, whatever it says besides")
	}
	assert.Zero(t, r.Strays())
}

func TestMessagesThatNobodyCanTake(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	lines := []string{
		`{}`, `[]`, `{"id":1}`, `{"method":1,"id":1}`, `{"id":{},"result":{}}`, `{"jsonrpc":"2.0"}`, `"text"`, `17`, `null`,
		`{"jsonrpc":"2.0","id":true,"error":{"code":1,"message":"x"}}`, `noise {"method":"notifications/x"}`, `noise {"id":1,"method":"ping"}`,
	}
	for _, line := range lines {
		r.prints(line + "\n")
	}
	ended := r.ask(t.Context(), firstID, "x/y", nil)
	r.prints(fmt.Sprintf(`{"id":%d,"result":{}}`+"\n", firstID))
	require.NoError(t, r.await(ended).err)
	assert.EqualValues(t, len(lines)-1, r.Strays(), "all but the empty batch: %q", told(r))
	assert.Empty(t, r.in.frames, "nothing of it is answered")
}
