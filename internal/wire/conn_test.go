package wire_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/internal/wire"
)

var us = mcp.Implementation{Name: "us", Version: "1"}

func dial(t *testing.T, p *peer, change ...func(*wire.Options)) (*wire.Conn, bool, error) {
	t.Helper()
	o := wire.Options{Transport: p.transport, Kind: wire.Stdio, ClientInfo: us}
	for _, f := range change {
		f(&o)
	}
	c, probed, err := wire.Dial(t.Context(), o)
	if err == nil {
		t.Cleanup(func() { assert.NoError(t, c.Close()) })
	}
	return c, probed, err
}

func TestBothErasAreSpoken(t *testing.T) {
	t.Parallel()
	for name, behave := range map[string]func(*peer, message){"2026-07-28": modern, "2025-11-25": legacy} {
		p := newPeer(t, behave)
		c, probed, err := dial(t, p)
		require.NoError(t, err)
		assert.True(t, probed)
		assert.Equal(t, name, c.Info().ProtocolVersion)
		assert.Equal(t, name == "2026-07-28", c.Info().Modern())

		raw, err := c.Request(t.Context(), "echo", json.RawMessage(`{"n":9007199254740993}`), nil)
		require.NoError(t, err)
		var echoed struct {
			N    json.Number    `json:"n"`
			Meta map[string]any `json:"_meta"`
		}
		require.NoError(t, json.Unmarshal(raw, &echoed))
		assert.Equal(t, json.Number("9007199254740993"), echoed.N)
		if c.Info().Modern() {
			assert.Equal(t, "2026-07-28", echoed.Meta[mcp.MetaKeyProtocolVersion])
			assert.Contains(t, echoed.Meta, mcp.MetaKeyClientInfo)
			assert.Contains(t, echoed.Meta, mcp.MetaKeyClientCapabilities)
		} else {
			assert.Nil(t, echoed.Meta)
		}
	}
}

func TestF10_AServerThatIgnoresTheProbeIsKnownByItsPing(t *testing.T) {
	t.Parallel()
	p := newPeer(t, func(p *peer, m message) {
		if m.Method != "server/discover" {
			legacy(p, m)
		}
	})
	c, probed, err := dial(t, p)
	require.NoError(t, err)
	assert.True(t, probed)
	assert.False(t, c.Info().Modern())
}

func TestF10_AnEmptyAnswerToTheProbeIsRefused(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{`{}`, `{"supportedVersions":[]}`, `{"supportedVersions":"2026-07-28"}`, `[]`, `null`, `"x"`} {
		p := newPeer(t, func(p *peer, m message) {
			if m.Method == "server/discover" {
				p.result(m, answer)
			} else {
				legacy(p, m)
			}
		})
		c, _, err := dial(t, p)
		require.NoError(t, err, answer)
		assert.Equal(t, "2025-11-25", c.Info().ProtocolVersion, answer)
	}
}

// A server may know the question and speak none of the newer era.
func TestF10_AnAnswerToTheProbeWithOlderVersionsAloneMeansInitialize(t *testing.T) {
	t.Parallel()
	for _, versions := range []string{`["2025-11-25","2025-06-18"]`, `["2024-11-05"]`, `["2031-01-01","2025-11-25"]`} {
		p := newPeer(t, func(p *peer, m message) {
			if m.Method == "server/discover" {
				p.result(m, `{"supportedVersions":`+versions+`,"capabilities":{"tools":{}}}`)
			} else {
				legacy(p, m)
			}
		})
		c, _, err := dial(t, p)
		require.NoError(t, err, versions)
		assert.Equal(t, "2025-11-25", c.Info().ProtocolVersion, versions)
	}
}

func TestF10_ALateAnswerToTheProbeStillCounts(t *testing.T) {
	t.Parallel()
	var question message
	p := newPeer(t, func(p *peer, m message) {
		switch m.Method {
		case "server/discover":
			question = m
		case "ping":
			p.fail(m, "-32601", "unknown")
		case "initialize":
			p.result(question, modernAnswer)
		default:
			modern(p, m)
		}
	})
	c, _, err := dial(t, p)
	require.NoError(t, err)
	assert.True(t, c.Info().Modern())
	_, err = c.Request(t.Context(), "echo", nil, nil)
	assert.NoError(t, err)
}

func TestF10_TheOwnerCanPinTheVersion(t *testing.T) {
	t.Parallel()
	pin := func(version string) func(*wire.Options) {
		return func(o *wire.Options) { o.Version = version }
	}
	_, probed, err := dial(t, newPeer(t, legacy), pin("2025-11-25"))
	require.NoError(t, err)
	assert.False(t, probed, "a version from before the probe needs none")

	_, _, err = dial(t, newPeer(t, legacy), pin("2024-11-05"))
	assert.ErrorContains(t, err, "2025-11-25, not the pinned 2024-11-05")
	_, _, err = dial(t, newPeer(t, legacy), pin("2026-07-28"))
	assert.ErrorContains(t, err, "not the pinned 2026-07-28")
}

func TestDialFailsWithTheReasonAndLeavesNothing(t *testing.T) {
	t.Parallel()
	p := newPeer(t, func(p *peer, m message) { p.fail(m, "-32000", "licence expired") })
	_, probed, err := dial(t, p)
	var answer *wire.RPCError
	require.ErrorAs(t, err, &answer)
	assert.Equal(t, -32000, answer.Code)
	assert.ErrorContains(t, err, "licence expired")
	assert.True(t, probed)
}

func TestDialEndsWithItsContext(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{}, 8)
	p := newPeer(t, func(*peer, message) { asked <- struct{}{} })
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-asked; cancel() }()
	_, _, err := wire.Dial(ctx, wire.Options{Transport: p.transport, Kind: wire.Stdio, ClientInfo: us})
	assert.ErrorIs(t, err, context.Canceled)
}

func TestO53_TheSessionOutlivesTheContextOfDial(t *testing.T) {
	t.Parallel()
	p := newPeer(t, legacy)
	ctx, cancel := context.WithCancel(t.Context())
	c, _, err := wire.Dial(ctx, wire.Options{Transport: p.transport, Kind: wire.Stdio, ClientInfo: us})
	require.NoError(t, err)
	defer c.Close()
	cancel()
	_, err = c.Request(t.Context(), "echo", nil, nil)
	assert.NoError(t, err)
}

func TestO60_ACancelledRequestIsToldToTheServerAndLeavesTheOthers(t *testing.T) {
	t.Parallel()
	for name, era := range map[string]func(*peer, message){"modern": modern, "legacy": legacy} {
		p := newPeer(t, era)
		c, _, err := dial(t, p)
		require.NoError(t, err)

		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			_, err := c.Request(ctx, "hang", json.RawMessage(`{}`), nil)
			ended <- err
		}()
		hanging := p.await("hang")
		cancel()
		require.ErrorIs(t, <-ended, context.Canceled, name)
		var notice struct {
			RequestID json.RawMessage `json:"requestId"`
		}
		require.NoError(t, json.Unmarshal(p.await("notifications/cancelled").Params, &notice))
		assert.JSONEq(t, string(hanging.ID), string(notice.RequestID), name)
		_, err = c.Request(t.Context(), "echo", nil, nil)
		assert.NoError(t, err, name)
	}
}

func TestO66_ALostConnectionEndsWhatIsInFlightAtOnce(t *testing.T) {
	t.Parallel()
	p := newPeer(t, func(p *peer, m message) {
		if m.Method == "hang" {
			p.hangUp()
			return
		}
		legacy(p, m)
	})
	why := errors.New("exit code 3")
	over := make(chan struct{})
	c, _, err := dial(t, p, func(o *wire.Options) {
		o.Ended = func(ctx context.Context) error {
			select {
			case <-over:
				return why
			case <-ctx.Done():
				return nil
			}
		}
	})
	require.NoError(t, err)
	go func() { p.await("hang"); close(over) }()
	_, err = c.Request(t.Context(), "hang", nil, nil)
	assert.ErrorIs(t, err, why, "the cause that is known, not the transport's")
	<-c.Gone()
	_, err = c.Request(t.Context(), "echo", nil, nil)
	assert.ErrorIs(t, err, why)
}

func TestCloseEndsWhatIsInFlight(t *testing.T) {
	t.Parallel()
	p := newPeer(t, legacy)
	c, _, err := dial(t, p)
	require.NoError(t, err)
	ended := make(chan error, 1)
	go func() {
		_, err := c.Request(t.Context(), "hang", nil, nil)
		ended <- err
	}()
	p.await("hang")
	require.NoError(t, c.Close())
	require.NoError(t, c.Close(), "it is idempotent")
	assert.ErrorIs(t, <-ended, wire.ErrClosed)
	_, err = c.Request(t.Context(), "echo", nil, nil)
	assert.ErrorIs(t, err, wire.ErrClosed)
}

func TestE10_AnswersFindTheirCallers(t *testing.T) {
	t.Parallel()
	var held []message
	p := newPeer(t, func(p *peer, m message) {
		if m.Method != "hold" {
			legacy(p, m)
			return
		}
		if held = append(held, m); len(held) == 50 {
			for i := range held {
				m := held[len(held)-1-i]
				p.result(m, string(m.Params))
			}
		}
	})
	c, _, err := dial(t, p)
	require.NoError(t, err)
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			params := fmt.Sprintf(`{"n":%d}`, i)
			raw, err := c.Request(t.Context(), "hold", json.RawMessage(params), nil)
			assert.NoError(t, err)
			assert.JSONEq(t, params, string(raw))
		})
	}
	all.Wait()
}

func TestE9_ANotificationHandlerMayUseTheConnectionAndPanic(t *testing.T) {
	t.Parallel()
	p := newPeer(t, func(p *peer, m message) {
		if m.Method == "echo" {
			p.send(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
			p.send(`{"jsonrpc":"2.0","method":"notifications/resources/list_changed"}`)
		}
		legacy(p, m)
	})
	var c *wire.Conn
	ready := make(chan struct{})
	heard := make(chan string, 8)
	c, _, err := dial(t, p, func(o *wire.Options) {
		o.OnNotification = func(n wire.Notice) {
			<-ready
			if n.Method == mcp.MethodNotificationToolsListChanged {
				_, err := c.Request(context.Background(), "ping", nil, nil)
				heard <- fmt.Sprint(n.Method, " ", err)
				panic("the owner's fault")
			}
			heard <- n.Method
		}
	})
	require.NoError(t, err)
	close(ready)
	_, err = c.Request(t.Context(), "echo", nil, nil)
	require.NoError(t, err)
	assert.Equal(t, "notifications/tools/list_changed <nil>", <-heard)
	assert.Equal(t, "notifications/resources/list_changed", <-heard)
}

func TestJSONRPCErrorsKeepCodeAndSentinel(t *testing.T) {
	t.Parallel()
	p := newPeer(t, func(p *peer, m message) {
		if m.Method == "broken" {
			p.fail(m, "-32602", "bad params here")
			return
		}
		legacy(p, m)
	})
	c, _, err := dial(t, p)
	require.NoError(t, err)
	_, err = c.Request(t.Context(), "broken", nil, nil)
	assert.ErrorIs(t, err, mcp.ErrInvalidParams)
	assert.ErrorContains(t, err, "bad params here (JSON-RPC error -32602)")
}

func TestAChildThatHangsUpDuringTheProbe(t *testing.T) {
	t.Parallel()
	p := newPeer(t, func(p *peer, _ message) { p.hangUp() })
	_, probed, err := dial(t, p)
	assert.ErrorIs(t, err, wire.ErrLost)
	assert.True(t, probed)
	assert.NotErrorIs(t, err, transport.ErrTransportClosed, "which says nothing to a user")
}
