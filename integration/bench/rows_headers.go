package main

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"

	"github.com/mcptoolset/mcptoolset/toolset"
)

// headersCost is what headers per call may cost, as a ratio.
const headersCost = 1.05

// identitiesInTurn is a header provider of so many users who call in turn, with
// a tracing id that is new each time.
func identitiesInTurn(n int) toolset.Option {
	var calls atomic.Int64
	return toolset.WithHeaderProvider(func(context.Context) (http.Header, error) {
		call := calls.Add(1)
		return http.Header{
			"Authorization": {fmt.Sprintf("Bearer token-of-user-%d", call%int64(n))},
			"Traceparent":   {fmt.Sprintf("00-%032x-%016x-01", call, call)},
		}, nil
	})
}

const identities = 8

// without is a contender like ours whose calls carry no headers.
const without = "without"

// headersRow compares calls of eight identities in turn with calls that have no
// headers, and counts what the server is asked.
func headersRow(name, version string) func(*lab) ([]figure, error) {
	return func(l *lab) ([]figure, error) {
		w, err := l.web()
		if err != nil {
			return nil, err
		}
		cs, err := rivals(
			func() (contender, error) {
				return oursCalls(l.ctx, oursHTTP(w.url(0), version), toolEcho, echoArguments, identitiesInTurn(identities))
			},
			func() (contender, error) {
				c, err := oursCalls(l.ctx, oursHTTP(w.url(0), version), toolEcho, echoArguments)
				c.name = without
				return c, err
			},
		)
		if err != nil {
			return nil, err
		}
		defer cs.close()
		for range 2 * identities { // each has its session then
			if err := cs[0].call(l.ctx); err != nil {
				return nil, err
			}
		}
		asked, err := l.asked(w, cs[0])
		if err != nil {
			return nil, err
		}
		m, err := l.takeTurns(cs)
		if err != nil {
			return nil, err
		}
		cost := figure{name: name + "/without", value: m.ratio(ours, without), bound: headersCost, note: m.note(ours, without)}
		requests := figure{name: name + "-requests", value: asked.requests, bound: 1, note: "a call"}
		handshakes := figure{name: name + "-handshakes", value: asked.handshakes, note: "a call"}
		return []figure{cost, requests, handshakes}, nil
	}
}

// perCall is what a server is asked for one call.
type perCall struct{ requests, handshakes float64 }

func (l *lab) asked(w *web, c contender) (perCall, error) {
	before, err := w.counts()
	if err != nil {
		return perCall{}, err
	}
	const calls = 10 * identities
	for range calls {
		if err := c.call(l.ctx); err != nil {
			return perCall{}, err
		}
	}
	after, err := w.counts()
	return perCall{
		float64(after.Requests-before.Requests) / calls,
		float64(after.Handshakes-before.Handshakes) / calls,
	}, err
}
