package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcptoolset/mcptoolset/internal/httpx"
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
	Data    json.RawMessage // as it was sent where the transport keeps that; nil for none
	Status  int             // of the HTTP refusal that it was the body of; 0 for none

	known error
}

// maxMessage bounds the message, in characters: it is the server's to choose.
const maxMessage = 20_000

func rpcError(d *mcp.JSONRPCErrorDetails) *RPCError {
	if message := []rune(d.Message); len(message) > maxMessage {
		d.Message = fmt.Sprintf("%s… (%d characters more)", string(message[:maxMessage]), len(message)-maxMessage)
	}
	return &RPCError{Code: d.Code, Message: d.Message, Data: rawData(d.Data), known: d.AsError()}
}

// rawData is an error's data as JSON: what the server wrote, but for one in this
// process, which gives a value of Go's.
func rawData(data any) json.RawMessage {
	raw, ok := data.(json.RawMessage)
	if ok || data == nil {
		return raw
	}
	raw, err := json.Marshal(data)
	if err != nil {
		return nil
	}
	return raw
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
	switch {
	case e.Data == nil:
		return text
	case len(e.Data) > maxData:
		return fmt.Sprintf("%s; %d bytes of data left out", text, len(e.Data))
	}
	return text + "; data: " + string(e.Data)
}

// Unwrap returns mcp-go's error for the code, so that its sentinels, such as
// mcp.ErrMethodNotFound, are found.
func (e *RPCError) Unwrap() error { return e.known }

// Redact changes every text of the error. It is for who made the request, before
// the error is shown to anybody.
func (e *RPCError) Redact(redact func(string) string) {
	e.Message = redact(e.Message)
	details := mcp.JSONRPCErrorDetails{Code: e.Code, Message: e.Message}
	if e.Data = redactData(e.Data, redact); e.Data != nil {
		details.Data = e.Data
	}
	e.known = details.AsError()
}

// redactData changes the texts in JSON and nothing else; where there is nothing
// to change it stays as it is, byte by byte.
func redactData(data json.RawMessage, redact func(string) string) json.RawMessage {
	if data == nil {
		return nil
	}
	var value any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if d.Decode(&value) != nil {
		return nil // it cannot be told what is in it
	}
	changed := false
	value = redactValue(value, func(text string) string {
		clean := redact(text)
		changed = changed || clean != text
		return clean
	})
	if !changed {
		return data
	}
	return rawData(value)
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

// ErrNeither is what cannot be used about an answer without content.
var ErrNeither = errors.New("it holds neither a result nor an error")

// UnsentError is a request of which provably not a byte was written, so that it
// may be sent again. It is found as an *httpx.RequestError too: whoever asks
// whether a request was sent asks one question, whatever the kind of connection.
type UnsentError struct{ Err error }

// Error names the cause.
func (e *UnsentError) Error() string { return fmt.Sprintf("the request was not sent: %v", e.Err) }

// Unwrap returns the cause.
func (e *UnsentError) Unwrap() error { return e.Err }

// As implements what errors.As looks for.
func (e *UnsentError) As(target any) bool {
	found, ok := target.(**httpx.RequestError)
	if ok {
		*found = &httpx.RequestError{Unsent: true, Err: e.Err}
	}
	return ok
}

// PanicError is a panic of code that is not ours, caught before it could end
// the program: an in-process handler's or a notification handler's.
type PanicError struct{ Value any }

// Error names the panic's value.
func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// errQuit is a call that never comes back: its goroutine has ended below it, as
// it does where a test's FailNow is called in a handler.
var errQuit = &PanicError{Value: errors.New("runtime.Goexit was called")}

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
	if err == nil {
		return nil
	}
	var limit *LimitError
	if ctx.Err() == nil || !errors.As(context.Cause(ctx), &limit) ||
		!errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) {
		return err
	}
	var unsent *UnsentError
	if errors.As(err, &unsent) {
		return &UnsentError{limit}
	}
	return limit
}
