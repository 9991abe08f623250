package toolset

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcptoolset/mcptoolset/internal/decode"
	"github.com/mcptoolset/mcptoolset/internal/session"
	"github.com/mcptoolset/mcptoolset/internal/wire"
	"github.com/mcptoolset/mcptoolset/resources"
)

// resourceTools are the toolset's own tools, which list and load the server's
// resources, on the path of every call.
func (ts *Toolset) resourceTools() []*Tool {
	if !ts.cfg.Resources {
		return nil
	}
	own := resources.Tools(resources.Options{
		MaxLength: ts.cfg.MaxResourceLength, MaxOutput: ts.cfg.MaxOutput,
		MaxPages: ts.cfg.MaxPages, MaxItems: ts.cfg.MaxItems, Confirm: ts.confirmer(),
	})
	tools := make([]*Tool, len(own))
	for i, r := range own {
		t := ts.newTool(r.Name, decode.Tool{Name: r.Name, Description: r.Description, InputSchema: r.Schema})
		t.own, t.judges = true, true
		t.perform = func(ctx context.Context, who *caller, arguments json.RawMessage) (text string, err error) {
			err = ts.reads(ctx, who, func(ctx context.Context, s resources.Server) error {
				ctx, done := wire.Limit(ctx, "call", ts.cfg.CallTimeout)
				defer done()
				text, err = r.Run(ctx, s, arguments)
				return wire.Cause(ctx, err)
			})
			return text, err
		}
		tools[i] = t
	}
	return tools
}

// confirmer asks the owner's, and waits no longer than for the end of ctx, which
// is that of the call limit too, or for Close.
func (ts *Toolset) confirmer() func(context.Context, string) error {
	confirm := ts.o.confirm
	if confirm == nil {
		return nil
	}
	return func(ctx context.Context, uri string) error {
		no, err := within(ctx, ts, "resource confirmer", func(ctx context.Context) (error, error) {
			return confirm(ctx, uri), nil
		})
		if err != nil {
			return fmt.Errorf("%w: resource confirmer: %w", resources.ErrUnconfirmed, err)
		}
		return no
	}
}

// reads runs one operation that only reads, like operate. It goes on without a
// session where old answers may be used in need.
func (ts *Toolset) reads(ctx context.Context, who *caller, run func(context.Context, resources.Server) error) error {
	if ts.o.stale == 0 {
		return ts.operate(ctx, who, func(ctx context.Context, op *session.Operation) error {
			return run(ctx, newResourceServer(ts, op, nil))
		})
	}
	ctx, leave, err := ts.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	op, err := ts.pool.Begin(ctx)
	if err != nil {
		return err
	}
	ts.recognise(ctx, who, op)
	_, down := op.Info(ctx)
	defer who.follow(op)
	return run(ctx, newResourceServer(ts, op, down))
}

// resourceServer is one operation as package resources sees it.
type resourceServer struct {
	set  *Toolset
	op   *session.Operation
	down error // why there is no session; nil where there is

	mu    *sync.Mutex
	began map[string]session.Mark // by a method, the session in which its list was begun
}

func newResourceServer(ts *Toolset, op *session.Operation, down error) resourceServer {
	return resourceServer{set: ts, op: op, down: down, mu: new(sync.Mutex), began: map[string]session.Mark{}}
}

var _ resources.Server = resourceServer{}

// Page implements resources.Server. The error of a page that is not the first
// drops what is kept of the others: the cursors may be of no use any more (MCP
// 2026-07-28, server/utilities/caching, "Interaction with Pagination"). A cursor
// of a page that was asked for before is not sent to another session.
func (s resourceServer) Page(ctx context.Context, method, cursor string) (json.RawMessage, error) {
	op := *s.op
	s.mu.Lock()
	if cursor != "" {
		op.ReadIn(s.began[method])
	}
	s.mu.Unlock()
	raw, err := s.recall(ctx, &op, mcp.MCPMethod(method), "cursor", cursor)
	switch {
	case cursor == "":
		s.mu.Lock()
		s.began[method] = op.Now()
		s.mu.Unlock()
	case errors.Is(err, wire.ErrReplaced):
		return nil, fmt.Errorf("%w: %w", resources.ErrReplaced, err)
	case err != nil && s.Rejected(err):
		s.set.cache.forgetPages(mcp.MCPMethod(method), s.op.Identity())
	}
	return raw, err
}

// Read implements resources.Server.
func (s resourceServer) Read(ctx context.Context, uri string) (json.RawMessage, error) {
	return s.recall(ctx, s.op, mcp.MethodResourcesRead, "uri", uri)
}

func (s resourceServer) recall(ctx context.Context, op *session.Operation, method mcp.MCPMethod, member, about string) (json.RawMessage, error) {
	if s.down != nil {
		return s.set.remembered(ctx, op, method, about, s.down)
	}
	return s.set.recallRaw(ctx, op, method, member, about)
}

// Rejected implements resources.Server. A refusal until the user has opened a
// page is not about the request: the model is told what to do, as of a call.
func (s resourceServer) Rejected(err error) bool {
	var answer *wire.RPCError
	var required *URLRequiredError
	return errors.As(err, &answer) && !errors.As(err, &required)
}
