package toolset

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/mcptoolset/mcptoolset/filter"
	"github.com/mcptoolset/mcptoolset/internal/decode"
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
// after Close ([ErrClosed]), when the header provider fails, and where
// [WithErrorHook] says so. It is then an [*Error].
func (t *Tool) Call(ctx context.Context, input string) (string, error) {
	ctx = context.WithValue(ctx, callKey{}, CallInfo{Server: t.set.cfg.Name, Tool: t.from.Name, Name: t.name})
	told := t.set.callbacks()
	told.start(ctx, input)
	text, failed := t.answer(ctx, input)
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
	fail := func(stage Stage, cause error) (string, *Error) {
		failed := t.set.fault(stage, t.from.Name, began, cause)
		return t.set.observation(ctx, failed), failed
	}
	arguments, err := t.arguments(input)
	if err != nil {
		return fail(StageArguments, err)
	}
	raw, err := t.set.run(ctx, t, arguments)
	if err != nil {
		return fail(StageCall, err)
	}
	result, err := decode.ResultOf(raw)
	if err != nil {
		return fail(StageCall, err)
	}
	if result.ResultType == "input_required" {
		return fail(StageCall, ErrInputRequired)
	}
	text := render.Result(result, render.Options{Budget: t.set.cfg.MaxOutput})
	if result.IsError {
		return text, t.set.fault(StageCall, t.from.Name, began, ErrToolFailed)
	}
	return text, nil
}

// arguments reads and checks what the model wrote, and maps back the names it
// was shown.
func (t *Tool) arguments(input string) (json.RawMessage, error) {
	arguments, err := t.args().Parse(input)
	if err == nil {
		return arguments, nil
	}
	t.mu.Lock()
	renamed := t.renamed
	t.mu.Unlock()
	for _, shown := range renamed {
		restored, failed := shown.Restore(json.RawMessage(input))
		if failed != nil {
			continue
		}
		if arguments, failed := t.args().Parse(string(restored)); failed == nil {
			return arguments, nil
		}
	}
	return nil, err
}

// run sends a call within the owner's limits. Connecting has a limit of its
// own.
func (ts *Toolset) run(ctx context.Context, t *Tool, arguments json.RawMessage) (json.RawMessage, error) {
	if err := ts.enter(ctx); err != nil {
		return nil, err
	}
	defer ts.leave()
	if err := ts.permit(ctx, t); err != nil {
		return nil, err
	}
	op, err := ts.pool.Begin(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := op.Info(ctx); err != nil {
		return nil, err
	}
	ctx, done := wire.Limit(ctx, "call", ts.cfg.CallTimeout)
	defer done()
	raw, err := op.Call(ctx, t.from.Name, arguments, t.from.InputSchema)
	return raw, wire.Cause(ctx, err)
}

// permit asks the filter again, with the context of the call.
func (ts *Toolset) permit(ctx context.Context, t *Tool) error {
	keep, err := filter.Apply(ctx, ts.cfg.Filter, t.filtered())
	if err == nil && !keep {
		err = ErrNotOffered
	}
	return err
}

// enter waits for a place among the calls that may run at a time.
func (ts *Toolset) enter(ctx context.Context) error {
	if err := ts.open(ctx); err != nil || ts.places == nil {
		return err
	}
	return ts.places.Acquire(ctx, 1)
}

func (ts *Toolset) leave() {
	if ts.places != nil {
		ts.places.Release(1)
	}
}

// observation is what a model is told of a failure; empty for those that are
// Go errors.
func (ts *Toolset) observation(ctx context.Context, failed *Error) string {
	if fatal(ctx, failed) || failed.Stage == StageHeaders {
		return ""
	}
	text, bad := badArguments(failed)
	if !bad {
		text = explain(failed)
	}
	return render.Error(text, ts.cfg.MaxOutput)
}

// explain adds to a failure what the model may conclude from it.
func explain(failed *Error) string {
	text := failed.Error()
	var connecting *session.ConnectError
	var limit *wire.LimitError
	switch {
	case errors.As(failed, &connecting):
		return "the server cannot be reached. " + text
	case errors.As(failed, &limit), failed.Stage == StageCall && outcomeUnknown(failed):
		return text + ". Whether the tool ran is unknown."
	}
	return text
}

// outcomeUnknown reports whether a call may have run although no answer came.
func outcomeUnknown(failed *Error) bool {
	return failed.Status == 0 && failed.Code == 0 && !failed.Repeatable() &&
		!errors.Is(failed, ErrToolFailed) && !errors.Is(failed, ErrInputRequired)
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
			answer, err = "", fmt.Errorf("error hook: %w", &wire.PanicError{Value: p})
		}
	}()
	return ts.o.hook(ctx, failed, text)
}
