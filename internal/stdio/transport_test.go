package stdio_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/internal/bound"
	"github.com/mcptoolset/mcptoolset/internal/stdio"
	"github.com/mcptoolset/mcptoolset/internal/wire"
)

func TestRequestsGoOutAsTheyAre(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	for _, c := range []struct {
		params any
		sent   string
	}{
		{nil, ""},
		{json.RawMessage(nil), ""},
		{json.RawMessage(`{"n":9007199254740993,"x":"<é>&","f":1.50}`), `{"n":9007199254740993,"x":"<é>&","f":1.50}`},
		{json.RawMessage("{\r\n \"a\": [\n 1 ] }"), `{"a":[1]}`},
		{json.RawMessage("\uFEFF{}"), `{}`},
		{map[string]any{"a": 1}, `{"a":1}`},
		{struct {
			Cursor mcp.Cursor `json:"cursor"`
		}{"x"}, `{"cursor":"x"}`},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan reply, 1)
		go func() {
			response, err := r.SendRequest(ctx, ask(firstID, "a/\"b\"", c.params))
			ended <- reply{response, err}
		}()
		line := r.written()
		assert.Equal(t, c.sent, member(t, line, "params"), line)
		assert.Equal(t, `"a/\"b\""`, member(t, line, "method"))
		assert.Equal(t, fmt.Sprint(firstID), member(t, line, "id"))
		assert.Equal(t, `"2.0"`, member(t, line, "jsonrpc"))
		assert.NotContains(t, line, "\n")
		cancel()
		assert.ErrorIs(t, r.await(ended).err, context.Canceled)
	}
	for _, bad := range []any{json.RawMessage(`{"a":`), json.RawMessage(`{} {}`), func() {}} {
		_, err := r.SendRequest(t.Context(), ask(firstID, "x/y", bad))
		assert.Error(t, err)
	}
	_, err := r.SendRequest(t.Context(), transport.JSONRPCRequest{ID: mcp.NewRequestId("text")})
	assert.ErrorContains(t, err, "int64")
	assert.Empty(t, r.in.frames)

	n := mcp.JSONRPCNotification{JSONRPC: mcp.JSONRPC_VERSION}
	n.Method = "notifications/cancelled"
	n.Params.AdditionalFields = map[string]any{"requestId": firstID}
	require.NoError(t, r.SendNotification(t.Context(), n))
	assert.JSONEq(t, fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, firstID), r.written())
}

func TestOneIdIsUnderWayOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	first := r.ask(t.Context(), firstID, "x/y", nil)
	_, err := r.SendRequest(t.Context(), ask(firstID, "x/y", nil))
	require.ErrorContains(t, err, "under way")
	r.prints(fmt.Sprintf(`{"id":%d,"result":{}}`+"\n", firstID))
	assert.NoError(t, r.await(first).err)
}

func TestE10_ManyCallersAtOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	const many = 500
	var all sync.WaitGroup
	for i := range many {
		all.Go(func() {
			want := fmt.Sprintf(`{"n":%d}`, i)
			response, err := r.SendRequest(t.Context(), ask(firstID+int64(i), "x/y", json.RawMessage(want)))
			if assert.NoError(t, err) {
				assert.Equal(t, want, string(response.Result))
			}
		})
	}
	var answers []string
	for range many {
		line := r.written()
		answers = append(answers, fmt.Sprintf(`{"id":%s,"result":%s}`, member(t, line, "id"), member(t, line, "params")))
	}
	for i := range many / 2 { // the other way round, and some in batches
		answers[i], answers[many-1-i] = answers[many-1-i], answers[i]
	}
	r.prints("[" + strings.Join(answers[:100], ",") + "]\n" + strings.Join(answers[100:200], "") + "\n" + strings.Join(answers[200:], "\n") + "\n")
	all.Wait()
	assert.Zero(t, r.Strays())
}

func TestE8_WhoGivesUpLeavesTheOthersAlone(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	leaving := r.ask(ctx, firstID, "x/y", nil)
	staying := r.ask(t.Context(), firstID+1, "x/y", nil)
	cancel()
	err := r.await(leaving).err
	require.ErrorIs(t, err, context.Canceled)
	var unsent *wire.UnsentError
	assert.False(t, errors.As(err, &unsent), "it was written")
	r.prints(fmt.Sprintf(`{"id":%d,"result":{}}`+"\n"+`{"id":%d,"result":{}}`+"\n", firstID, firstID+1))
	require.NoError(t, r.await(staying).err)
	assert.Len(t, told(r), 1, "the late answer")

	_, err = r.SendRequest(ctx, ask(firstID+2, "x/y", nil))
	require.ErrorIs(t, err, context.Canceled)
	assert.ErrorAs(t, err, &unsent)
}

func TestO66_TheEndOfTheOutputEndsWhatWaits(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	ended := r.ask(t.Context(), firstID, "x/y", nil)
	require.NoError(t, r.out.Close())
	err := r.await(ended).err
	require.ErrorIs(t, err, transport.ErrTransportClosed)
	var unsent *wire.UnsentError
	assert.False(t, errors.As(err, &unsent))
	<-r.Done()
	require.NoError(t, r.Err())
	_, err = r.SendRequest(t.Context(), ask(firstID, "x/y", nil))
	require.ErrorIs(t, err, transport.ErrTransportClosed)
	assert.ErrorAs(t, err, &unsent)
	assert.ErrorIs(t, r.SendNotification(t.Context(), mcp.JSONRPCNotification{}), transport.ErrTransportClosed)
}

func TestF8_TheEndOfWritingTellsWhetherARequestWasSent(t *testing.T) {
	t.Parallel()
	in := newSink()
	in.frame = halfway{in.done}
	r := newRig(t, in)
	ended := r.ask(t.Context(), firstID, "x/y", nil)
	require.NoError(t, r.out.Close())
	<-r.Done()
	require.NoError(t, in.Close()) // as the child's death does, a moment later
	err := r.await(ended).err
	require.ErrorIs(t, err, transport.ErrTransportClosed)
	var unsent *wire.UnsentError
	assert.ErrorAs(t, err, &unsent)
}

func TestCloseEndsWhatWaits(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	ended := r.ask(t.Context(), firstID, "x/y", nil)
	require.NoError(t, r.Close())
	require.NoError(t, r.Close())
	assert.ErrorIs(t, r.await(ended).err, transport.ErrTransportClosed)
	_, err := r.SendRequest(t.Context(), ask(firstID, "x/y", nil))
	assert.ErrorIs(t, err, transport.ErrTransportClosed)
	assert.Empty(t, r.GetSessionId())
}

func TestATransportThatWasNeverStarted(t *testing.T) {
	t.Parallel()
	never := stdio.New(iotest.ErrReader(errors.New("it must not be read")), newSink(), stdio.Options{})
	assert.NoError(t, never.Err())
	require.NoError(t, never.Close())
	<-never.Done()
	require.NoError(t, never.Start(t.Context()))
	_, err := never.SendRequest(t.Context(), ask(firstID, "x/y", nil))
	assert.ErrorIs(t, err, transport.ErrTransportClosed)
}

func TestALineWithoutEndEndsTheStream(t *testing.T) {
	t.Parallel()
	stdout, out := io.Pipe()
	const limit = 1 << 20
	flooded := stdio.New(stdout, newSink(), stdio.Options{MaxMessage: limit})
	require.NoError(t, flooded.Start(t.Context()))
	fed := make(chan struct{})
	go func() {
		defer close(fed)
		for {
			if _, err := out.Write(bytes.Repeat([]byte("x"), 64<<10)); err != nil {
				return
			}
		}
	}()
	_, err := flooded.SendRequest(t.Context(), ask(firstID, "x/y", nil))
	require.ErrorIs(t, err, transport.ErrTransportClosed)
	<-flooded.Done()
	require.ErrorIs(t, flooded.Err(), bound.ErrTooLarge)
	require.ErrorContains(t, flooded.Err(), "larger than 1 MiB")
	require.NoError(t, stdout.Close())
	<-fed
	require.NoError(t, flooded.Close())
}

func TestAReadThatFailsEndsTheStream(t *testing.T) {
	t.Parallel()
	broken := stdio.New(io.MultiReader(strings.NewReader("noise\n"), iotest.ErrReader(os.ErrPermission)), newSink(), stdio.Options{})
	require.NoError(t, broken.Start(t.Context()))
	<-broken.Done()
	assert.ErrorIs(t, broken.Err(), os.ErrPermission)
	require.NoError(t, broken.Close())
}
