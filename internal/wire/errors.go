package wire

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

var (
	// ErrClosed is returned by every use of a connection after Close.
	ErrClosed = errors.New("connection closed")
	// ErrLost is the cause of every use of a connection that the other side
	// ended, unless a better one is known.
	ErrLost = errors.New("connection lost")
)

// RPCError is the JSON-RPC error a server answered with.
type RPCError struct {
	Code    int
	Message string
	Data    any

	known error
}

func rpcError(d *mcp.JSONRPCErrorDetails) *RPCError {
	return &RPCError{Code: d.Code, Message: d.Message, Data: d.Data, known: d.AsError()}
}

// Error is the server's message and its code.
func (e *RPCError) Error() string {
	message := e.Message
	if message == "" {
		message = "the server gave no message"
	}
	return fmt.Sprintf("%s (JSON-RPC error %d)", message, e.Code)
}

// Unwrap returns mcp-go's error for the code, so that its sentinels, such as
// mcp.ErrMethodNotFound, are found.
func (e *RPCError) Unwrap() error { return e.known }

// PanicError is a panic of code that is not ours, caught before it could end
// the program: an in-process handler's or a notification handler's.
type PanicError struct{ Value any }

// Error names the panic's value.
func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// LimitError is the end of a limit the owner set, as opposed to the end of
// the caller's context.
type LimitError struct {
	Name  string // what was limited: connect, list, call
	Limit time.Duration
}

// Error names the limit and its length.
func (e *LimitError) Error() string {
	return fmt.Sprintf("the %s limit of %v was reached", e.Name, e.Limit)
}

// Limit returns ctx bounded by the owner's limit; zero or less means that
// there is none. [Cause] tells the two apart.
func Limit(ctx context.Context, name string, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, limit, &LimitError{Name: name, Limit: limit})
}

// Cause returns the *LimitError that ended ctx where err came of that, else
// err.
func Cause(ctx context.Context, err error) error {
	var limit *LimitError
	if ctx.Err() != nil && errors.As(context.Cause(ctx), &limit) &&
		(errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)) {
		return limit
	}
	return err
}
