package toolset

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/mcptoolset/mcptoolset/internal/httpx"
	"github.com/mcptoolset/mcptoolset/internal/session"
	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// WithStaleOnError has an answer that is no longer fresh used where the server
// cannot be reached, up to most after it came. The Report says so as long as it
// is so. By default a server that cannot be reached is an error.
//
// It is for lists of tools, resources, templates and prompts, whole or by the
// page, also those a server wants to be asked for each time, and for reads that
// the server allowed to be kept (MCP 2026-07-28, server/utilities/caching). Not
// to be reached are servers that cannot be connected to, whose connection is
// lost, that do not answer within the owner's limits, and those that answer by
// HTTP with 500 and above. What a server answers, a refusal above all, counts as
// it is; after 401 or 403 to anything the caller asks for, and 401 to their stream
// of notices, nothing that was the caller's alone is used any more until it was
// asked for anew, and never what a server has announced to be changed, nor what
// [Toolset.Refresh] dropped. Calls of tools are never answered so.
func WithStaleOnError(most time.Duration) Option {
	return func(o *options) {
		if most <= 0 {
			o.fault("WithStaleOnError: %v is not positive", most)
		}
		o.stale = most
	}
}

// serves reports whether an answer may be used in need.
func (c *answerCache) serves(a *answer) bool {
	return a.spare && time.Since(a.at) < c.stale
}

// old returns the answer to be used in need; nil where there is none.
func (c *answerCache) old(q question) *answer {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, slot := range []question{q, q.ofAnyone()} {
		if a := c.shelf(q).get(slot); a != nil && c.serves(a) {
			c.stats.Stale++
			return a
		}
	}
	return nil
}

// instead gives what there is in place of an answer that could not be had.
func (ts *Toolset) instead(ctx context.Context, q question, err error) (*answer, error) {
	var refusal *httpx.StatusError
	var answered *wire.RPCError
	switch {
	case errors.As(err, &refusal) && (refusal.Status == http.StatusUnauthorized || refusal.Status == http.StatusForbidden):
		ts.cache.revoke(q.identity)
	case errors.As(err, &answered):
		ts.cache.contradict(q)
	case ctx.Err() == nil && unreachable(err):
		if old := ts.cache.old(q); old != nil {
			ts.found(inNeed(q), []Warning{{Reason: fmt.Sprintf("an answer to %s from before is used, because the server cannot be reached: %v", q.method, err)}})
			return old, nil
		}
	}
	return nil, err
}

// inNeed is what the Report knows old answers by.
func inNeed(q question) string { return "old " + string(q.method) }

// unreachable reports whether an error is that of a server which gave no
// answer at all.
func unreachable(err error) bool {
	var refusal *httpx.StatusError
	var providing *session.HeaderError
	var connecting *session.ConnectError
	var unanswered *httpx.RequestError
	var ended *session.ProcessError
	var cutOff *wire.AnswerError
	var limit *wire.LimitError
	switch {
	case errors.As(err, &refusal):
		return refusal.Status >= http.StatusInternalServerError
	case errors.As(err, &providing), errors.Is(err, ErrClosed):
		return false
	}
	return errors.As(err, &connecting) || errors.As(err, &unanswered) || errors.As(err, &ended) || errors.As(err, &cutOff) ||
		errors.As(err, &limit) || errors.Is(err, wire.ErrLost)
}
