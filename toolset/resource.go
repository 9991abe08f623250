package toolset

import (
	"context"
	"encoding/json"
	"errors"

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
		MaxPages: ts.cfg.MaxPages, MaxItems: ts.cfg.MaxItems, Confirm: ts.o.confirm,
	})
	tools := make([]*Tool, len(own))
	for i, r := range own {
		t := ts.newTool(r.Name, decode.Tool{Name: r.Name, Description: r.Description, InputSchema: r.Schema})
		t.own, t.judges = true, true
		t.perform = func(ctx context.Context, who *caller, arguments json.RawMessage) (text string, err error) {
			err = ts.operate(ctx, who, func(ctx context.Context, op *session.Operation) error {
				ctx, done := wire.Limit(ctx, "call", ts.cfg.CallTimeout)
				defer done()
				text, err = r.Run(ctx, resourceServer{op}, arguments)
				return wire.Cause(ctx, err)
			})
			return text, err
		}
		tools[i] = t
	}
	return tools
}

// resourceServer is one operation as package resources sees it.
type resourceServer struct{ op *session.Operation }

var _ resources.Server = resourceServer{}

// Page implements resources.Server.
func (s resourceServer) Page(ctx context.Context, method, cursor string) (json.RawMessage, error) {
	if cursor == "" {
		return s.op.Read(ctx, method, nil)
	}
	return s.read(ctx, method, map[string]string{"cursor": cursor})
}

// Read implements resources.Server.
func (s resourceServer) Read(ctx context.Context, uri string) (json.RawMessage, error) {
	return s.read(ctx, string(mcp.MethodResourcesRead), map[string]string{"uri": uri})
}

func (s resourceServer) read(ctx context.Context, method string, params map[string]string) (json.RawMessage, error) {
	encoded, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	return s.op.Read(ctx, method, encoded)
}

// Rejected implements resources.Server.
func (s resourceServer) Rejected(err error) bool {
	var answer *wire.RPCError
	return errors.As(err, &answer)
}
