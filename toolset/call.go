package toolset

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/mcptoolset/mcptoolset/filter"
	"github.com/mcptoolset/mcptoolset/internal/decode"
	"github.com/mcptoolset/mcptoolset/internal/httpx"
	"github.com/mcptoolset/mcptoolset/internal/render"
	"github.com/mcptoolset/mcptoolset/internal/session"
	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// Call runs the tool with the arguments a model wrote: a JSON object, or any
// of the forms models give it. The text it returns is for the model.
//
// Whatever an agent can live with is such a text, beginning with "Error:", and
// a nil error; see the package's documentation. The error is not nil when ctx
// has ended (errors.Is finds context.Canceled or context.DeadlineExceeded),
// after Close ([ErrClosed]), when the header provider fails or arguments that
// the owner binds cannot be set, and where [WithErrorHook] says so. It is then an [*Error].
func (t *Tool) Call(ctx context.Context, input string) (string, error) {
	ctx = context.WithValue(ctx, callKey{}, CallInfo{Server: t.set.cfg.Name, Tool: t.from.Name, Name: t.name})
	told := t.set.callbacks()
	told.start(ctx, input)
	text, failed := t.answer(ctx, input)
	t.set.tally.count(t.from.Name, failed != nil)
	if failed == nil {
		told.end(ctx, text)
		return text, nil
	}
	told.fail(ctx, failed)
	return t.set.decide(ctx, failed, text)
}

// answer is the observation of a call and, where it failed, why.
func (t *Tool) answer(ctx context.Context, input string) (string, *Error) {
	began := time.Now()
	stage := StageCall
	if t.own {
		stage = StageRead
	}
	if err := t.set.open(ctx); err != nil {
		return "", t.set.fault(stage, t.from.Name, began, err)
	}
	var who caller
	if err := t.set.switchedOff(t.from.Name); err != nil { // before arguments are judged and the server is reached
		failed := t.set.fault(stage, t.from.Name, began, err)
		return t.set.observation(ctx, &who, failed), failed
	}
	arguments, err := t.arguments(ctx, input)
	if err != nil {
		failed := t.set.fault(StageArguments, t.from.Name, began, err)
		return t.set.observation(ctx, &who, failed), failed
	}
	text, err := t.perform(ctx, &who, arguments)
	if err == nil {
		return text, nil
	}
	failed := t.set.fault(stage, t.from.Name, began, err)
	if text == "" {
		text = t.set.observation(ctx, &who, failed)
	}
	return text, failed
}

// arguments are those of the model and the owner's together.
func (t *Tool) arguments(ctx context.Context, input string) (json.RawMessage, error) {
	b := t.binding()
	late, err := t.set.late(ctx, b)
	if err != nil {
		return nil, err
	}
	arguments, err := t.args().ParseBound(input, late)
	return arguments, b.blame(err)
}

// callServer has the server run the tool.
func (t *Tool) callServer(ctx context.Context, who *caller, arguments json.RawMessage) (string, error) {
	raw, err := t.set.run(ctx, who, t, arguments)
	if err != nil {
		return "", err
	}
	result, err := resultOf(raw)
	if err != nil {
		return "", err
	}
	o := t.set.rendering(who)
	o.Note = noteOn(t.mismatches(result))
	text := render.Result(result, o)
	if result.IsError {
		return text, ErrToolFailed
	}
	return text, nil
}

// inputRequired marks a result that is a question (MCP 2026-07-28,
// server/tools, "Input required").
const inputRequired = "input_required"

// resultOf reads a result that is an answer.
func resultOf(raw json.RawMessage) (decode.Result, error) {
	result, err := decode.ResultOf(raw)
	if err == nil && result.ResultType == inputRequired {
		err = ErrInputRequired
	}
	return result, err
}

// run sends a call of one of the server's tools.
func (ts *Toolset) run(ctx context.Context, who *caller, t *Tool, arguments json.RawMessage) (raw json.RawMessage, err error) {
	err = ts.operate(ctx, who, func(ctx context.Context, op *session.Operation) error {
		raw, err = ts.send(ctx, op, t, arguments)
		return err
	})
	return raw, err
}

// send is the one place where a tool of the server is called: the filter has
// its say with the context of the call, and the call its limit.
func (ts *Toolset) send(ctx context.Context, op *session.Operation, t *Tool, arguments json.RawMessage) (json.RawMessage, error) {
	ctx, done := ts.limit(ctx, t.from.Name)
	defer done()
	if err := ts.permit(ctx, t); err != nil {
		return nil, err
	}
	raw, err := ts.call(ctx, op, t, session.Call{
		Name: t.from.Name, Arguments: arguments, Schema: t.from.InputSchema, Safe: ts.safe(t),
	})
	return raw, ts.unknown(op, t, wire.Cause(ctx, err))
}

// unknown adds to an error that the server answered with that it does not list
// the tool (any longer), where a list of it is at hand.
func (ts *Toolset) unknown(op *session.Operation, t *Tool, err error) error {
	if err == nil {
		return nil
	}
	var answer *wire.RPCError
	if !errors.As(err, &answer) {
		return err
	}
	known := ts.known(op.Identity())
	ts.doubt(op.Identity(), answer)
	if known == nil || known.find(t.from.Name) != nil {
		return err
	}
	return fmt.Errorf("%w (any longer): %w", ErrUnknownTool, err)
}

// operate runs one operation among those that may run at a time, on a session
// that is there, and tells who it is for. The limits of connecting and of what
// run does are apart.
func (ts *Toolset) operate(ctx context.Context, who *caller, run func(context.Context, *session.Operation) error) error {
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
	if _, err := op.Info(ctx); err != nil {
		return err
	}
	defer who.follow(op)
	return run(ctx, op)
}

// safe reports whether a call may be repeated although it may have run: the
// owner says so, or the server does and the owner trusts it.
func (ts *Toolset) safe(t *Tool) bool {
	hints := t.from.Annotations
	return slices.Contains(ts.o.safe, t.from.Name) || ts.cfg.Trusted && (isTrue(hints.ReadOnly) || isTrue(hints.Idempotent))
}

func isTrue(hint *bool) bool { return hint != nil && *hint }

// permit asks the switches and the filter again, with the context of the call.
func (ts *Toolset) permit(ctx context.Context, t *Tool) error {
	if err := ts.switchedOff(t.from.Name); err != nil {
		return err
	}
	keep, err := ts.judge(ctx, t)
	switch {
	case errors.Is(err, ErrClosed):
		return err
	case err != nil:
		return &filterError{wire.Cause(ctx, err)}
	case !keep:
		return ErrNotOffered
	}
	return nil
}

// judge asks the filter about one tool.
func (ts *Toolset) judge(ctx context.Context, t *Tool) (keep bool, err error) {
	if ts.cfg.Filter == nil {
		return true, nil
	}
	return within(ctx, ts, "filter", func(ctx context.Context) (bool, error) {
		return filter.Apply(ctx, ts.cfg.Filter, t.filtered())
	})
}

type placeKey struct{ ts *Toolset }

// enter waits for a place among the calls that may run at a time, which leave
// gives back. Who calls with the context of a call that runs, as the owner's
// handlers do, shares its place: it would wait for itself.
func (ts *Toolset) enter(ctx context.Context) (inside context.Context, leave func(), err error) {
	if err := ts.open(ctx); err != nil {
		return nil, nil, err
	}
	key := placeKey{ts}
	if ts.places == nil || ctx.Value(key) != nil {
		return ctx, func() {}, nil
	}
	if err := ts.places.Acquire(ctx, 1); err != nil {
		return nil, nil, err
	}
	return context.WithValue(ctx, key, true), func() { ts.places.Release(1) }, nil
}

// observation is what a model is told of a failure; empty for those that are
// Go errors.
func (ts *Toolset) observation(ctx context.Context, who *caller, failed *Error) string {
	var binding *bindingError
	if fatal(ctx, failed) || failed.Stage == StageHeaders || errors.As(failed, &binding) {
		return ""
	}
	text, bad := badArguments(failed)
	if !bad {
		text = explain(failed)
	}
	return render.Failure(text, ts.rendering(who))
}

// explain adds to a failure what the model may conclude from it.
func explain(failed *Error) string {
	text := failed.Error()
	var connecting *session.ConnectError
	var unanswered *httpx.RequestError
	var limit *wire.LimitError
	var required *URLRequiredError
	switch {
	case errors.As(failed, &required):
		return text + required.forTheUser()
	case isTask(failed):
		return text + ". Whether the tool ran is unknown."
	case errors.As(failed, &connecting), errors.As(failed, &unanswered) && unanswered.Unsent:
		return "the server cannot be reached. " + text
	case failed.Stage == StageCall && (errors.As(failed, &limit) || outcomeUnknown(failed)):
		return text + ". Whether the tool ran is unknown."
	}
	return text
}

// outcomeUnknown reports whether a call may have run although no answer came,
// or only that of a server or gateway that failed.
func outcomeUnknown(failed *Error) bool {
	return (failed.Status == 0 || failed.Status >= 500) && failed.Code == 0 && !failed.Repeatable() &&
		!errors.Is(failed, ErrToolFailed) && !errors.Is(failed, ErrInputRequired) && !unanswered(failed)
}

// fatal failures are Go errors whatever the owner's hook says: the run is over.
func fatal(ctx context.Context, failed *Error) bool {
	return errors.Is(failed, ErrClosed) || ctx.Err() != nil && errors.Is(failed, ctx.Err())
}

// decide lets the owner's hook have the last word on a failure.
func (ts *Toolset) decide(ctx context.Context, failed *Error, text string) (string, error) {
	switch {
	case fatal(ctx, failed):
		return "", failed
	case ts.o.hook != nil:
		return ts.askHook(ctx, failed, text)
	case text == "":
		return "", failed
	}
	return text, nil
}

// askHook keeps a panic of the owner's hook from ending the program.
func (ts *Toolset) askHook(ctx context.Context, failed *Error, text string) (answer string, err error) {
	defer func() {
		if p := recover(); p != nil {
			lost := *failed
			lost.Err = fmt.Errorf("error hook: %w; it was to decide on: %w", &wire.PanicError{Value: p}, failed.Err)
			answer, err = "", &lost
		}
	}()
	return ts.o.hook(ctx, failed, text)
}
