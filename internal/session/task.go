package session

import (
	"context"
	"encoding/json"

	"github.com/mcptoolset/mcptoolset/internal/httpx"
	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// Task sends a request about a task, such as tasks/get, with the input that
// tasks/update gives. It may be sent twice: it begins nothing, and input that is
// there already changes nothing.
func (o *Operation) Task(ctx context.Context, method, id string, input map[string]json.RawMessage) (json.RawMessage, error) {
	return o.repeat(ctx, true, func(ctx context.Context, c *wire.Conn) (json.RawMessage, error) {
		return c.Task(ctx, method, id, input)
	})
}

// Asks is what the server may ask of us; nil for nothing.
func (o *Operation) Asks() *wire.Asks { return o.pool.asks() }

// Fork returns an operation with the same headers that another goroutine may
// go on with.
func (o *Operation) Fork() *Operation {
	return &Operation{pool: o.pool, headers: o.headers, identity: o.identity}
}

// Adopt takes over the headers that a fork has come to.
func (o *Operation) Adopt(fork *Operation) { o.headers, o.identity = fork.headers, fork.identity }

// Clean takes the operation's own secrets out of words of the server.
func (o *Operation) Clean(text string) string {
	return httpx.Redact(text, httpx.HeaderSecrets(o.headers))
}
