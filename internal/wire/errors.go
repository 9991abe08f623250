package wire

import (
	"context"
	"encoding/json"
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

// maxMessage bounds the message, in characters: it is the server's to choose.
const maxMessage = 20_000

func rpcError(d *mcp.JSONRPCErrorDetails) *RPCError {
	if message := []rune(d.Message); len(message) > maxMessage {
		d.Message = fmt.Sprintf("%s… (%d characters more)", string(message[:maxMessage]), len(message)-maxMessage)
	}
	return &RPCError{Code: d.Code, Message: d.Message, Data: d.Data, known: d.AsError()}
}

// maxData bounds how much of an error's data is shown, in bytes.
const maxData = 2 << 10

// Error is the server's message, its code and what it added.
func (e *RPCError) Error() string {
	message := e.Message
	if message == "" {
		message = "the server gave no message"
	}
	text := fmt.Sprintf("%s (JSON-RPC error %d)", message, e.Code)
	data, err := json.Marshal(e.Data)
	switch {
	case e.Data == nil || err != nil:
		return text
	case len(data) > maxData:
		return fmt.Sprintf("%s; %d bytes of data left out", text, len(data))
	}
	return text + "; data: " + string(data)
}

// Unwrap returns mcp-go's error for the code, so that its sentinels, such as
// mcp.ErrMethodNotFound, are found.
func (e *RPCError) Unwrap() error { return e.known }

// Redact changes every text of the error. It is for who made the request, before
// the error is shown to anybody.
func (e *RPCError) Redact(redact func(string) string) {
	e.Message = redact(e.Message)
	e.Data = redactValue(e.Data, redact)
	e.known = (&mcp.JSONRPCErrorDetails{Code: e.Code, Message: e.Message, Data: e.Data}).AsError()
}

// redactValue is a decoded JSON value with its texts changed.
func redactValue(v any, redact func(string) string) any {
	switch v := v.(type) {
	case string:
		return redact(v)
	case []any:
		for i := range v {
			v[i] = redactValue(v[i], redact)
		}
	case map[string]any:
		clean := make(map[string]any, len(v))
		for name, member := range v {
			clean[redact(name)] = redactValue(member, redact)
		}
		return clean
	}
	return v
}

// AnswerError is an answer that could not be used: a body that is no JSON-RPC
// message, a stream that ends before the answer.
type AnswerError struct{ Err error }

// Error names what is wrong with the answer.
func (e *AnswerError) Error() string {
	return fmt.Sprintf("the server's answer cannot be used: %v", e.Err)
}

// Unwrap returns the cause.
func (e *AnswerError) Unwrap() error { return e.Err }

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
