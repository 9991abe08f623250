package toolset

import (
	"context"
	"encoding/json"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcptoolset/mcptoolset/internal/session"
	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// recall gives the answer to a question that is kept, or else has the server
// asked. Connecting comes first, with the caller's own context, so that who
// gives up on it is told why. ask gets an operation of its own, since who waits
// for it may leave.
func (ts *Toolset) recall(ctx context.Context, op *session.Operation, q question, ask func(context.Context, *session.Operation, wire.Info) (*answer, error)) (*answer, error) {
	if known := ts.cache.fresh(q); known != nil {
		return known, nil
	}
	if _, err := op.Info(ctx); err != nil {
		return ts.instead(ctx, q, err)
	}
	own := *op
	a, err := ts.cache.get(ctx, q, func(ctx context.Context) (*answer, error) {
		info, err := own.Info(ctx)
		if err != nil {
			return nil, err
		}
		a, err := ask(ctx, &own, info)
		if err == nil && own.Identity() != q.identity { // a refusal had it change
			a.fresh, a.spare = 0, false
		}
		return a, err
	})
	if err != nil {
		return ts.instead(ctx, q, err)
	}
	ts.found(inNeed(q), nil)
	return a, nil
}

// recallRaw is recall for one request, within the call limit.
func (ts *Toolset) recallRaw(ctx context.Context, op *session.Operation, method mcp.MCPMethod, member, about string) (json.RawMessage, error) {
	var params json.RawMessage
	if about != "" {
		encoded, err := json.Marshal(map[string]string{member: about})
		if err != nil {
			return nil, err
		}
		params = encoded
	}
	a, err := ts.recall(ctx, op, oneAnswer(method, about, op.Identity()), func(ctx context.Context, op *session.Operation, info wire.Info) (*answer, error) {
		ctx, done := wire.Limit(ctx, "call", ts.cfg.CallTimeout)
		defer done()
		fresh := guess(method, op)
		asked := false
		raw, err := ts.read(wire.WithRounds(ctx, &asked), op, method, params)
		switch {
		case err != nil:
			return nil, wire.Cause(ctx, err)
		case asked: // it depends on what was answered
			return &answer{value: raw, at: time.Now()}, nil
		case method == mcp.MethodResourcesRead:
			return readAnswer(raw), nil
		}
		return pageAnswer(raw, fresh), nil
	})
	if err != nil {
		return nil, err
	}
	return a.value.(json.RawMessage), nil
}

// remembered is recallRaw without a session: down is why there is none.
func (ts *Toolset) remembered(ctx context.Context, op *session.Operation, method mcp.MCPMethod, about string, down error) (json.RawMessage, error) {
	q := oneAnswer(method, about, op.Identity())
	a := ts.cache.fresh(q)
	if a == nil {
		var err error
		if a, err = ts.instead(ctx, q, down); err != nil {
			return nil, err
		}
	}
	return a.value.(json.RawMessage), nil
}
