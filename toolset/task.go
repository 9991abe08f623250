package toolset

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcptoolset/mcptoolset/internal/decode"
	"github.com/mcptoolset/mcptoolset/internal/httpx"
	"github.com/mcptoolset/mcptoolset/internal/session"
	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// WithOptionalTasks has tools run as tasks that the server lets run either way
// (execution.taskSupport "optional"), given by the server's own names; without
// names, all of them. A task is begun by one short request and then asked for,
// so that a connection that cannot be kept open for long does not end it. By
// default only tools that must run as tasks do. Given again it adds to what was
// given before.
//
// It has no effect on other tools, nor since protocol version 2026-07-28: there
// the server decides call by call, and its tasks are followed in any case.
func WithOptionalTasks(names ...string) Option {
	names = slices.Clone(names)
	return func(o *options) {
		o.tasks = append(o.tasks, names...)
		o.allTasks = o.allTasks || len(names) == 0
	}
}

// taskless says why a tool that must run as a task cannot be used with a
// server; empty where it can.
func taskless(info wire.Info) string {
	switch {
	case info.AsksForTasks(), info.GivesTasks():
		return ""
	case info.WouldTask():
		return "left out: it demands to run as a task, whose result this server cannot give in protocol version " + info.ProtocolVersion +
			"; it can in version " + mcp.LATEST_LEGACY_PROTOCOL_VERSION + ", which Config.ProtocolVersion pins"
	}
	return "left out: it demands to run as a task, but the server does not declare that calls can"
}

const (
	taskRequired = "required"
	taskOptional = "optional"
)

// task is how a call asks to be run as a task; nil where it does not.
func (ts *Toolset) task(info wire.Info, t *Tool) json.RawMessage {
	support := t.from.TaskSupport
	optional := support == taskOptional && (ts.o.allTasks || slices.Contains(ts.o.tasks, t.from.Name))
	if !info.AsksForTasks() || support != taskRequired && !optional {
		return nil
	}
	if ts.cfg.CallTimeout <= 0 {
		return json.RawMessage(`{}`)
	}
	limit := max(ts.cfg.CallTimeout, ts.o.extend) + ts.o.answerTime // until when the result may be wanted
	return json.RawMessage(`{"ttl":` + strconv.FormatInt((limit+time.Minute).Milliseconds(), 10) + `}`)
}

// call sends a call, and follows the task that comes of it, where one does.
func (ts *Toolset) call(ctx context.Context, op *session.Operation, t *Tool, call session.Call) (json.RawMessage, error) {
	info, err := op.Info(ctx)
	if err != nil {
		return nil, err
	}
	call.Task = ts.task(info, t)
	if call.Task == nil && !info.GivesTasks() {
		return ts.place(ctx, ctx, op, call)
	}
	ctx, hearing := wire.Lasting(ctx)
	defer func() { hearing.End(ctx) }()
	r := &taskRun{ts: ts, call: call, hearing: hearing, modern: info.Modern(), cancels: info.CancelsTasks()}
	if call.Task == nil {
		raw, err := ts.place(ctx, ctx, op, call)
		if err != nil || !r.begin(raw) {
			return raw, err
		}
	}
	return r.wait(ctx, op)
}

// taskRun is one task from its creation to its end. It runs in a goroutine of
// its own, because the server has to be told of a caller who leaves.
type taskRun struct {
	ts      *Toolset
	op      *session.Operation
	call    session.Call
	hearing *wire.Hearing
	modern  bool // the result comes with the state
	cancels bool // the server takes tasks/cancel

	task    decode.Task // the last known state
	expires time.Time   // when the server may forget it; zero for never
	pause   time.Duration
	misses  int // polls in a row without a state that can be used

	answered map[string]bool // what the task asked for since 2026-07-28, and was given
	unasked  int             // how often in a row it wanted input without asking
}

type taskEnd struct {
	raw json.RawMessage
	err error
	op  *session.Operation
}

// wait lets the task run and waits for its end, that of ctx, or Close.
func (r *taskRun) wait(ctx context.Context, op *session.Operation) (json.RawMessage, error) {
	r.op = op.Fork()
	ended := make(chan taskEnd, 1)
	if !r.ts.tasks.run(func() { r.run(ctx, ended) }) {
		return nil, ErrClosed
	}
	select {
	case end := <-ended:
		op.Adopt(end.op)
		return end.raw, end.err
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-r.ts.life.Done():
		return nil, ErrClosed
	}
}

// run is the life of a task. One that has not ended when it is left is
// cancelled.
func (r *taskRun) run(ctx context.Context, ended chan<- taskEnd) {
	lasting, done := outlasting(ctx, farewell)
	defer done() // no sooner: a server in the same process runs the task under it
	raw, err := r.create(lasting, ctx)
	if r.task.ID != "" {
		raw, err = r.follow(ctx)
	}
	if ctx.Err() != nil {
		raw, err = nil, ctx.Err()
	}
	ended <- taskEnd{raw, err, r.op.Fork()}
	if r.task.ID != "" && !over(r.task.Status) && r.cancels {
		lasting, done := context.WithTimeout(context.WithoutCancel(ctx), farewell)
		defer done()
		_, _ = r.op.Task(quiet(lasting), string(mcp.MethodTasksCancel), r.task.ID, nil) // nobody waits
	}
}

// farewell is how long after the caller has left a task that was just asked for
// may take to tell its id, and its cancellation to be sent.
const farewell = 5 * time.Second

// outlasting is ctx with an end that comes later.
func outlasting(ctx context.Context, by time.Duration) (context.Context, context.CancelFunc) {
	lasting, done := context.WithCancel(context.WithoutCancel(ctx))
	context.AfterFunc(ctx, func() {
		timer := time.NewTimer(by)
		defer timer.Stop()
		select {
		case <-timer.C:
			done()
		case <-lasting.Done():
		}
	})
	return lasting, done
}

// quiet is ctx for requests whose progress is of no interest.
func quiet(ctx context.Context) context.Context { return wire.WithProgress(ctx, nil) }

// create asks for the task, unless it is there. A server that answers with the
// result instead is as good.
func (r *taskRun) create(ctx, asking context.Context) (json.RawMessage, error) {
	if r.task.ID != "" {
		return nil, nil
	}
	raw, err := r.ts.place(ctx, asking, r.op, r.call)
	if err == nil {
		r.begin(raw)
	}
	return raw, err
}

// begin takes note of a task that an answer holds, and reports whether it does.
func (r *taskRun) begin(raw json.RawMessage) bool {
	task, err := decode.TaskOf(raw)
	if err != nil || task.ID == "" {
		return false
	}
	r.note(task)
	return true
}

// note makes a state the last known one. Its words are progress, if they are
// new.
func (r *taskRun) note(task decode.Task) {
	if task.ID == "" {
		task.ID = r.task.ID
	}
	if task.Message != "" && task.Message != r.task.Message {
		r.hearing.Tell(r.op.Clean(task.Message))
	}
	if task.TTLMs != nil && (r.task.TTLMs == nil || *task.TTLMs != *r.task.TTLMs) {
		r.expires = time.Now().Add(time.Duration(*task.TTLMs) * time.Millisecond)
	}
	r.task = task
}

// over reports whether a status is a last one.
func over(s decode.TaskStatus) bool {
	return s == decode.TaskCompleted || s == decode.TaskFailed || s == decode.TaskCancelled
}

// maxMisses bounds the polls in a row that tell nothing: no answer, one that is
// no task, a status that does not exist.
const maxMisses = 5

// follow polls until the task has ended, and returns what the call would have
// answered.
func (r *taskRun) follow(ctx context.Context) (json.RawMessage, error) {
	for {
		switch r.task.Status {
		case decode.TaskCompleted:
			return r.result(ctx)
		case decode.TaskFailed:
			return r.failure(ctx)
		case decode.TaskCancelled:
			return nil, r.failed("was cancelled by the server", nil)
		case decode.TaskInputRequired:
			if raw, err := r.give(ctx); raw != nil || err != nil {
				return raw, err
			}
		}
		if err := r.poll(ctx); err != nil {
			return nil, err
		}
	}
}

// poll waits as long as the server wants and asks for the state. The error is
// one after which the task cannot be followed any longer.
func (r *taskRun) poll(ctx context.Context) error {
	if err := rest(ctx, r.interval()); err != nil {
		return err
	}
	raw, err := r.ask(ctx, mcp.MethodTasksGet, nil)
	if err != nil {
		return err
	}
	task, err := decode.TaskOf(raw)
	if err == nil {
		r.note(task)
	}
	if err == nil && (over(task.Status) || task.Status == decode.TaskWorking || task.Status == decode.TaskInputRequired) {
		r.misses = 0
		if task.Status != decode.TaskInputRequired {
			r.unasked = 0
		}
		return nil
	}
	if r.misses++; r.misses < maxMisses {
		return nil
	}
	if err == nil {
		err = fmt.Errorf("the server gives %q as its status", bounded(string(task.Status), 60))
	}
	return r.lost(err)
}

// ask sends a request about the task, again and again where no answer comes.
func (r *taskRun) ask(ctx context.Context, method mcp.MCPMethod, input map[string]json.RawMessage) (json.RawMessage, error) {
	for {
		raw, err := r.op.Task(quiet(ctx), string(method), r.task.ID, input)
		switch {
		case err == nil:
			return raw, nil
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, ErrClosed), method == mcp.MethodTasksResult && isAnswer(err):
			return nil, err
		}
		if r.misses++; r.misses >= maxMisses || !passing(err) {
			return nil, r.lost(err)
		}
		if err := rest(ctx, r.interval()); err != nil {
			return nil, err
		}
	}
}

// isAnswer reports whether an error is what the call came to, in place of a
// result, rather than the server's not knowing the task.
func isAnswer(err error) bool {
	var answer *wire.RPCError
	return errors.As(err, &answer) && answer.Code != mcp.INVALID_PARAMS
}

// passing reports whether a failure may be gone the next time: the server was
// not reached, failed, or is busy.
func passing(err error) bool {
	var answer *wire.RPCError
	if errors.As(err, &answer) {
		return answer.Code == mcp.INTERNAL_ERROR
	}
	var refusal *httpx.StatusError
	if errors.As(err, &refusal) {
		return refusal.Status >= http.StatusInternalServerError || refusal.Busy() || refusal.Status == http.StatusRequestTimeout
	}
	return true
}

// rest waits for a while, or for the end of ctx.
func rest(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// How long the pause between two polls is: as the server wants it, within
// bounds; else it grows.
const (
	shortestPause = 100 * time.Millisecond
	longestPause  = time.Minute
	longestOurs   = 5 * time.Second
)

// interval is the pause before the next poll. A task that the server may forget
// meanwhile is asked for before.
func (r *taskRun) interval() time.Duration {
	r.pause = min(max(shortestPause, r.pause*3/2), longestOurs)
	pause := r.pause
	if wanted := r.task.PollMs; wanted != nil {
		pause = time.Duration(min(*wanted, math.MaxInt64/int64(time.Millisecond))) * time.Millisecond
		pause = min(max(shortestPause, pause), longestPause)
	}
	if left := time.Until(r.expires); left > 0 && pause > left/2 {
		pause = max(shortestPause, left/2)
	}
	return pause
}

// result is that of a task that has completed.
func (r *taskRun) result(ctx context.Context) (json.RawMessage, error) {
	switch {
	case r.task.Result != nil:
		return r.task.Result, nil
	case r.modern:
		return nil, r.lost(&wire.AnswerError{Err: errors.New("the task has completed, but its state holds no result")})
	}
	r.misses = 0
	return r.ask(ctx, mcp.MethodTasksResult, nil)
}

// failure is what a task came to that has failed: a result that says so, or an
// error.
func (r *taskRun) failure(ctx context.Context) (json.RawMessage, error) {
	switch {
	case r.task.Result != nil:
		return r.task.Result, nil
	case r.task.Error != nil:
		cause := wire.ErrorOf(r.task.Error)
		cause.Redact(r.op.Clean)
		return nil, r.failed("failed", cause)
	case r.modern:
		return nil, r.failed("failed", nil)
	}
	r.misses = 0
	raw, err := r.ask(ctx, mcp.MethodTasksResult, nil)
	var answer *wire.RPCError
	switch {
	case errors.As(err, &answer):
		return nil, r.failed("failed", answer)
	case err != nil && ctx.Err() == nil && !errors.Is(err, ErrClosed):
		return nil, r.failed("failed", err)
	}
	return raw, err
}

// failed is the error of a task that came to nothing, with the server's words.
func (r *taskRun) failed(how string, cause error) error {
	text := "the task it ran as " + how
	if r.task.Message != "" {
		text += ": " + bounded(r.op.Clean(r.task.Message), maxTaskMessage)
	}
	if cause == nil {
		return fmt.Errorf("%w: %s", ErrToolFailed, text)
	}
	return fmt.Errorf("%w: %s: %w", ErrToolFailed, text, cause)
}

// maxTaskMessage bounds the words on a task in an error, in characters.
const maxTaskMessage = 2_000

// lost is the error of a task that cannot be followed any longer.
func (r *taskRun) lost(err error) error {
	if left := time.Until(r.expires); !r.expires.IsZero() && left < 0 {
		err = fmt.Errorf("the server kept it for %v only: %w", time.Duration(*r.task.TTLMs)*time.Millisecond, err)
	}
	return &taskError{err}
}

// taskError is a task that was begun and then lost sight of. What became of it
// is not known, whatever the cause says of its own request.
type taskError struct{ err error }

func (e *taskError) Error() string {
	return "the call runs as a task, which cannot be followed any longer: " + e.err.Error()
}

func (e *taskError) Unwrap() error { return e.err }

// isTask reports whether a failure is that of a task that was begun.
func isTask(err error) bool {
	var task *taskError
	return errors.As(err, &task)
}
