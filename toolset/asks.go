package toolset

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// asks is what the server may ask of the owner, as far as there are handlers;
// nil for nothing.
func (ts *Toolset) asks() *wire.Asks {
	var c mcp.ClientCapabilities
	if ts.o.elicit != nil {
		c.Elicitation = ts.o.modes.capability()
	}
	if ts.o.sample != nil {
		c.Sampling = &mcp.SamplingCapability{}
	}
	if ts.roots != nil {
		c.Roots = &struct {
			ListChanged bool `json:"listChanged,omitempty"`
		}{ListChanged: true}
	}
	if c.Elicitation == nil && c.Sampling == nil && c.Roots == nil {
		return nil
	}
	return &wire.Asks{Capabilities: c, Answer: ts.answerServer}
}

// answerServer answers a request of the server.
func (ts *Toolset) answerServer(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	var result any
	var err error
	switch {
	case method == string(mcp.MethodElicitationCreate) && ts.o.elicit != nil:
		result, err = ts.answerElicitation(ctx, params)
	case method == string(mcp.MethodSamplingCreateMessage) && ts.o.sample != nil:
		result, err = ts.answerSampling(ctx, params)
	case method == string(mcp.MethodListRoots) && ts.roots != nil:
		result = ts.roots.answer()
	default:
		err = &wire.Refusal{Code: mcp.METHOD_NOT_FOUND, Text: "this client does not answer " + method}
	}
	if err != nil {
		ts.log.Warn("a request of the server was not answered", "method", method, "error", err)
		return nil, err
	}
	return json.Marshal(result)
}

// WithAnswerTime lets a person take longer over an answer than a server may
// take over a call. While a handler of [WithElicitation] or [WithSampling]
// works, the limit of the call that the question belongs to stands still, for
// at most limit over all questions of one call; a handler has what is left of
// that. Where nothing is left, and for questions that belong to no call, it is
// as it would be without this option, but that the latter have limit.
//
// The context of the caller still ends it all, and a server may have a limit
// of its own for an answer. By default handlers share the limit of their call.
// A limit that is not positive is a fault of New.
func WithAnswerTime(limit time.Duration) Option {
	return func(o *options) {
		if limit <= 0 {
			o.fault("WithAnswerTime: %v is not positive", limit)
		}
		o.answerTime = limit
	}
}

// consult asks a handler of the owner's within its time. A handler that
// ignores the end of its context is left behind.
func consult[Q, A any](ctx context.Context, ts *Toolset, what string, handler func(context.Context, Q) (A, error), question Q) (A, error) {
	limit, over := ts.answerTime(ctx)
	defer over()
	answer, err := wire.Ask(ctx, ts.life, what, limit, func(ctx context.Context) (A, error) {
		return handler(ctx, question)
	})
	if err != nil {
		return answer, fmt.Errorf("%s handler: %w", what, err)
	}
	return answer, nil
}

// answerTime is how long a handler may take, and stops the clock of its call
// until over is called.
func (ts *Toolset) answerTime(ctx context.Context) (limit time.Duration, over func()) {
	own := ts.o.answerTime
	if own == 0 {
		return ts.cfg.CallTimeout, func() {}
	}
	clock := wire.ClockOf(ctx)
	if clock == nil {
		return own, func() {}
	}
	left, over := clock.Stop()
	if left <= 0 {
		return ts.cfg.CallTimeout, over
	}
	return left, over
}

// unreadable refuses a request of which err says what is wrong.
func unreadable(err error) error {
	return &wire.Refusal{Code: mcp.INVALID_PARAMS, Text: "the request cannot be used", Err: err}
}

// unanswered reports whether a call failed because the server did not get the
// input that it asked for.
func unanswered(err error) bool {
	var input *wire.InputError
	return errors.As(err, &input)
}
