package toolset

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcptoolset/mcptoolset/internal/decode"
	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// methodTasksUpdate gives a task what it asks for (extension
// io.modelcontextprotocol/tasks).
const methodTasksUpdate mcp.MCPMethod = "tasks/update"

const (
	// maxTaskInputs bounds what one task is given, over its life.
	maxTaskInputs = 320
	// maxUnasked bounds how often in a row a task may want input without asking
	// for any that it was not given: what it was given takes a while to count.
	maxUnasked = 20
)

// give gives a task the input that it waits for, as far as there are handlers.
// A result is that of the call. Where there is neither that nor an error, the
// task is to be asked again how far it has come.
func (r *taskRun) give(ctx context.Context) (json.RawMessage, error) {
	asks := r.op.Asks()
	switch {
	case asks == nil:
		return nil, fmt.Errorf("%w; the task it ran as was given up", ErrInputRequired)
	case r.modern:
		return nil, r.update(ctx, asks)
	}
	return r.attend(ctx)
}

// attend waits for the result, since only meanwhile a server of before
// 2026-07-28 may ask (MCP 2025-11-25, basic/utilities/tasks, "Input Required
// Status"). A server that does not wait, but answers with an error, is asked
// for the state again.
func (r *taskRun) attend(ctx context.Context) (json.RawMessage, error) {
	raw, err := r.op.Task(quiet(ctx), string(mcp.MethodTasksResult), r.task.ID, nil)
	switch {
	case err == nil:
		r.task.Status = decode.TaskCompleted // there is nothing to cancel
		return raw, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, ErrClosed):
		return nil, err
	}
	if r.unasked++; r.unasked >= maxMisses {
		return nil, r.lost(err)
	}
	return nil, nil
}

// update answers what the state asks for, each question once: it may stand
// there for a while after it was answered.
func (r *taskRun) update(ctx context.Context, asks *wire.Asks) error {
	input, err := asks.Inputs(r.op.Context(ctx), r.task.Inputs, r.answered)
	switch {
	case err != nil && ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return fmt.Errorf("%w; the task it ran as was given up", err)
	case len(input) == 0:
		if r.unasked++; r.unasked >= maxUnasked {
			return &wire.InputError{Err: errors.New("its task waits for input without asking for it; it was given up")}
		}
		return nil
	}
	r.unasked = 0
	if r.answered == nil {
		r.answered = map[string]bool{}
	}
	for name := range input {
		r.answered[name] = true
	}
	if len(r.answered) > maxTaskInputs {
		return &wire.InputError{Err: errors.New("its task asks without end; it was given up")}
	}
	r.misses = 0
	_, err = r.ask(ctx, methodTasksUpdate, input)
	return err
}
