package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"
)

// Since 2026-07-28 a server that needs something in the middle of a request
// answers with a result that says so, and is sent the request again with what
// it needs (MCP 2026-07-28, basic/utilities/mrtr).

const (
	// maxRounds bounds how often one request is sent.
	maxRounds = 10
	// maxQuestions bounds what is asked in one round.
	maxQuestions = 32
	// maxLater bounds how often in a row a server may put us off.
	maxLater = 3
)

// laterPause is how long a request waits that the server wants again later.
var laterPause = time.Second

// InputError is why a server does not get the input that it asks for.
type InputError struct {
	Method string // what it asks for; empty where it asks for too much
	Err    error
}

// Error names what was asked for and why it is not given.
func (e *InputError) Error() string {
	if e.Method == "" {
		return fmt.Sprintf("the server asks for input: %v", e.Err)
	}
	return fmt.Sprintf("the server asks for input (%s): %v", e.Method, e.Err)
}

// Unwrap returns the cause.
func (e *InputError) Unwrap() error { return e.Err }

var (
	errEndless  = errors.New("it does not come to an end")
	errTooMany  = errors.New("it asks too much at a time")
	errPutOff   = errors.New("it puts the request off again and again")
	errNotInput = errors.New("what it asks for cannot be read")
)

// inputRequired marks a result that asks for input.
const inputRequired = "input_required"

// question is a result that asks for input.
type question struct {
	ResultType string          `json:"resultType"`
	Requests   json.RawMessage `json:"inputRequests"`
	State      json.RawMessage `json:"requestState"`
}

// questionOf reads a result that asks for input, where it is one that we may
// answer.
func (c *Conn) questionOf(raw json.RawMessage) (q question, ok bool) {
	if c.link.asked.asks == nil || !c.info.Modern() || !bytes.Contains(raw, []byte(inputRequired)) {
		return q, false
	}
	return q, json.Unmarshal(raw, &q) == nil && q.ResultType == inputRequired
}

type roundsKey struct{}

// WithRounds has asked set where a request made with the context is sent again
// with input: its result depends on that, and is not to be kept (MCP
// 2026-07-28, server/utilities/caching).
func WithRounds(ctx context.Context, asked *bool) context.Context {
	return context.WithValue(ctx, roundsKey{}, asked)
}

// Round remembers the input that was answered for one request and did not reach
// the server, so that nobody is asked twice. It is used by one goroutine.
type Round struct {
	conn   *Conn // that asked; nil where nothing is on its way
	params json.RawMessage
}

type roundKey struct{}

// WithRound has a request made with the context go on where the one before, made
// over the same Conn with the same r, was refused: with the input that was
// answered already.
func WithRound(ctx context.Context, r *Round) context.Context {
	return context.WithValue(ctx, roundKey{}, r)
}

// roundOf is that of ctx, or one for a single request.
func roundOf(ctx context.Context) *Round {
	if r, ok := ctx.Value(roundKey{}).(*Round); ok {
		return r
	}
	return &Round{}
}

// complete sends a request again with the input that its result asks for,
// until there is a result that asks for none. ctx bounds it all.
func (c *Conn) complete(ctx context.Context, method string, params json.RawMessage, header http.Header, raw json.RawMessage) (json.RawMessage, error) {
	later, round := 0, roundOf(ctx)
	for range maxRounds - 1 {
		if round.conn != c {
			q, asks := c.questionOf(raw)
			if !asks {
				return raw, nil
			}
			answers, err := c.answers(ctx, q)
			switch {
			case err != nil:
				return nil, err
			case answers != nil:
				later = 0
			default:
				if later++; later > maxLater {
					return nil, &InputError{Err: errPutOff}
				}
				if err := pause(ctx, laterPause*time.Duration(later)); err != nil {
					return nil, err
				}
			}
			*round = Round{c, withInput(params, answers, q.State)}
		}
		if asked, ok := ctx.Value(roundsKey{}).(*bool); ok {
			*asked = true
		}
		var err error
		raw, err = c.request(ctx, c.link.nextID(), method, round.params, header)
		if err != nil {
			return nil, err
		}
		*round = Round{}
	}
	if _, asks := c.questionOf(raw); asks {
		return nil, &InputError{Err: errEndless}
	}
	return raw, nil
}

// answers answers the requests in a result. It is nil where there are none: the
// server wants the request again later.
func (c *Conn) answers(ctx context.Context, q question) (json.RawMessage, error) {
	results, err := c.link.asked.asks.Inputs(ctx, q.Requests, nil)
	if err != nil || len(results) == 0 {
		return nil, err
	}
	return json.Marshal(results)
}

// Inputs answers the requests of a JSON object one after the other, in the
// order of their names, but for those that are answered already. An error is
// that of ctx, or an *InputError.
func (a *Asks) Inputs(ctx context.Context, raw json.RawMessage, answered map[string]bool) (map[string]json.RawMessage, error) {
	var requests map[string]struct {
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
	}
	switch {
	case len(raw) > 0 && json.Unmarshal(raw, &requests) != nil:
		return nil, &InputError{Err: errNotInput}
	case len(requests) > maxQuestions:
		return nil, &InputError{Err: errTooMany}
	}
	results := make(map[string]json.RawMessage, len(requests))
	for _, name := range slices.Sorted(maps.Keys(requests)) {
		if answered[name] {
			continue
		}
		r := requests[name]
		result, err := a.answer(ctx, r.Method, r.Params)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			return nil, &InputError{Method: r.Method, Err: err}
		}
		results[name] = result
	}
	return results, nil
}

// withInput adds to params what answers a result that asks for input. The
// state goes back as it came.
func withInput(params, answers, state json.RawMessage) json.RawMessage {
	out := bytes.TrimSuffix(bytes.Clone(params), []byte(`}`))
	if len(out) == 0 {
		out = []byte(`{`)
	}
	add := func(member string, value json.RawMessage) {
		if value == nil {
			return
		}
		if len(out) > len(`{`) {
			out = append(out, ',')
		}
		out = append(out, member...)
		out = append(out, value...)
	}
	add(`"inputResponses":`, answers)
	add(`"requestState":`, state)
	return append(out, '}')
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
