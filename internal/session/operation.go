package session

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/mcptoolset/mcptoolset/internal/httpx"
	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// Operation is one listing, call or read: all its requests carry the same
// headers. It is used by one goroutine.
type Operation struct {
	pool     *Pool
	headers  http.Header
	identity string
	aside    bool  // it is nobody's use of the session
	used     *live // by its last request
	only     *live // where its reads may go; nil for anywhere
}

// Begin asks the header provider, once, and finds the identity its answer
// belongs to.
func (p *Pool) Begin(ctx context.Context) (*Operation, error) {
	o := &Operation{pool: p}
	if err := o.resolve(ctx); err != nil {
		return nil, err
	}
	return o, nil
}

func (o *Operation) resolve(ctx context.Context) error {
	headers, err := o.pool.resolve(ctx)
	if err != nil {
		return err
	}
	if o.pool.kind == wire.Stdio {
		o.headers = headers
		return nil // a child knows no callers
	}
	identity, err := o.pool.identify(ctx, headers)
	if err != nil {
		return err
	}
	o.headers, o.identity = headers, identity
	return nil
}

// Identity tells whose operation it is, in a form that holds no secret.
func (o *Operation) Identity() string { return o.identity }

// Info connects where needed and returns what the server said of itself.
func (o *Operation) Info(ctx context.Context) (wire.Info, error) {
	if l, _, _ := o.pool.find(o); l != nil {
		defer l.release()
		return l.conn.Info(), nil
	}
	var info wire.Info
	_, err := o.do(ctx, true, func(_ context.Context, c *wire.Conn) (json.RawMessage, error) {
		info = c.Info()
		return nil, nil
	})
	return info, err
}

// Read sends a request without effects.
func (o *Operation) Read(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	return o.repeat(ctx, true, func(ctx context.Context, c *wire.Conn) (json.RawMessage, error) {
		if o.only != nil && o.only.conn != c {
			return nil, wire.ErrReplaced
		}
		return c.Request(ctx, method, params, nil)
	})
}

// Mark stands for one session. The zero Mark stands for any.
type Mark struct{ l *live }

// Used marks the session of the operation's last request.
func (o *Operation) Used() Mark { return Mark{o.used} }

// Now marks the session that the operation's identity has at present.
func (o *Operation) Now() Mark {
	o.pool.mu.Lock()
	defer o.pool.mu.Unlock()
	if e, ok := o.pool.entries.Peek(o.pool.key(o.identity)); ok {
		return Mark{e.live}
	}
	return Mark{}
}

// ReadIn makes the reads that follow those of one session, because they hold a
// cursor of its: where another has taken its place nothing is sent, and the
// error is wire.ErrReplaced.
func (o *Operation) ReadIn(m Mark) { o.only = m.l }

// Call is one run of a tool.
type Call struct {
	Name      string          // the server's name of the tool
	Arguments json.RawMessage // a JSON object
	Schema    json.RawMessage // the tool's input schema as listed
	Safe      bool            // it may run twice
	Task      json.RawMessage // asks for a task: the request's member of that name; nil for a plain call
}

// Call runs a tool. It is sent again only when the server certainly did not
// run it, or when it is safe.
func (o *Operation) Call(ctx context.Context, call Call) (json.RawMessage, error) {
	return o.repeat(ctx, call.Safe, func(ctx context.Context, c *wire.Conn) (json.RawMessage, error) {
		if call.Task != nil {
			return c.CallAsTask(ctx, call.Name, call.Arguments, call.Schema, call.Task)
		}
		return c.Call(ctx, call.Name, call.Arguments, call.Schema)
	})
}

// repeats is how often a request is sent again at most.
const repeats = 2

// repeat sends again, on a new connection where the old one is lost, what got
// no answer and may be sent twice: once, and once more where one outage spoiled
// both, because the second was sent before the loss of the session was known, or
// was not sent at all.
func (o *Operation) repeat(ctx context.Context, safe bool, send func(context.Context, *wire.Conn) (json.RawMessage, error)) (json.RawMessage, error) {
	if o.pool.asks() != nil {
		ctx = wire.WithRound(ctx, new(wire.Round)) // who has answered is not asked again
	}
	for again := 0; ; again++ {
		before := o.used
		raw, err := o.do(ctx, safe, send)
		if err == nil || ctx.Err() != nil || again == repeats || !unanswered(err, safe) {
			return raw, err
		}
		if again > 0 && !unsent(err) && (o.used != before || !isLost(err)) {
			return raw, err
		}
	}
}

// unanswered reports whether a request got no answer, or none that can be used,
// and may be sent again: nothing of it was sent, or it is safe.
func unanswered(err error, safe bool) bool {
	var connecting *ConnectError
	if errors.As(err, &connecting) {
		return false
	}
	var failed *httpx.RequestError
	var answer *wire.AnswerError
	return unsent(err) || safe && (errors.As(err, &failed) || isLost(err) || errors.As(err, &answer))
}

// unsent reports whether provably nothing of a request was sent.
func unsent(err error) bool {
	var failed *httpx.RequestError
	return errors.As(err, &failed) && failed.Unsent
}

// isLost reports whether an operation ended with its connection.
func isLost(err error) bool {
	var ended *ProcessError
	return errors.Is(err, wire.ErrLost) || errors.As(err, &ended)
}

// do runs send on the identity's session. Each way to mend a refusal is tried
// once: headers asked for again, a new session, the wait the server asks for.
func (o *Operation) do(ctx context.Context, safe bool, send func(context.Context, *wire.Conn) (json.RawMessage, error)) (json.RawMessage, error) {
	var tried struct{ renew, replace, wait bool }
	for {
		raw, l, err := o.once(ctx, send)
		if err == nil {
			return raw, nil
		}
		if l != nil && !tried.replace {
			d := doubtOf(l.conn, err)
			if d != noDoubt {
				o.pool.discard(l)
			}
			if d == outdated || d == doubtful && safe {
				tried.replace = true
				continue
			}
		}
		var refusal *httpx.StatusError
		if !errors.As(err, &refusal) {
			return raw, err
		}
		if refusal.SessionGone() && l != nil {
			o.pool.discard(l)
		}
		who := o.identity
		switch {
		case gone(refusal, safe) && !tried.replace:
			tried.replace = true
		case isDenied(refusal) && !tried.renew && o.renewed(ctx):
			tried.renew = true
			if o.identity != who { // it will not come again
				o.pool.denied(who)
			}
		case !tried.wait && waited(ctx, refusal):
			tried.wait = true
		default:
			if isDenied(refusal) {
				o.pool.denied(who)
			}
			return raw, err
		}
	}
}

func (o *Operation) once(ctx context.Context, send func(context.Context, *wire.Conn) (json.RawMessage, error)) (json.RawMessage, *live, error) {
	l, err := o.pool.acquire(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	defer l.release()
	l.use(o.headers)
	o.used = l
	raw, err := send(o.Context(ctx), l.conn)
	if errors.Is(err, wire.ErrClosed) {
		err = ErrClosed
	}
	return raw, l, l.withoutSecrets(o.headers, err)
}

// gone reports whether a refusal says that the session is gone, so that the
// request goes to a new one. Where it may mean something else, that is tried only
// with what is safe.
func gone(e *httpx.StatusError, safe bool) bool {
	return e.SessionGone() && (safe || e.Status == http.StatusNotFound)
}

func isDenied(e *httpx.StatusError) bool {
	return e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden
}

// renewed asks the provider again after a refusal and reports whether its
// answer is another one.
func (o *Operation) renewed(ctx context.Context) bool {
	if o.pool.o.Provider == nil {
		return false
	}
	before := o.headers
	if err := o.resolve(ctx); err != nil {
		o.pool.note("header provider failed after a refusal", err)
		return false
	}
	return !maps.EqualFunc(before, o.headers, slices.Equal)
}

// longestWait is how long a busy server is waited for where ctx has no end.
const longestWait = time.Minute

// waited waits for as long as a busy server asks, where that fits into ctx.
func waited(ctx context.Context, e *httpx.StatusError) bool {
	if !e.Busy() {
		return false
	}
	pause, ok := retryAfter(e.Header.Get("Retry-After"))
	deadline, limited := ctx.Deadline()
	left := longestWait
	if limited {
		left = time.Until(deadline)
	}
	if !ok || pause >= left {
		return false
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// retryAfter reads the header's two forms (RFC 9110, section 10.2.3).
func retryAfter(value string) (time.Duration, bool) {
	if value == "" {
		return 0, false
	}
	if seconds, err := strconv.Atoi(value); err == nil {
		return time.Duration(seconds) * time.Second, seconds >= 0
	}
	at, err := http.ParseTime(value)
	return max(0, time.Until(at)), err == nil
}
