package decode

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcptoolset/mcptoolset/internal/decode/rawjson"
)

// TaskStatus is how far a task has come.
type TaskStatus string

// The statuses there are (MCP 2025-11-25, basic/utilities/tasks, and the
// extension io.modelcontextprotocol/tasks). A server may send others.
const (
	TaskWorking       TaskStatus = "working"
	TaskInputRequired TaskStatus = "input_required"
	TaskCompleted     TaskStatus = "completed"
	TaskFailed        TaskStatus = "failed"
	TaskCancelled     TaskStatus = "cancelled"
)

// Task is the state of a call that runs as a task.
type Task struct {
	// ID names the task in requests; empty where the answer holds none.
	ID string
	// Status is in lower case; empty where the answer holds none.
	Status TaskStatus
	// Message is the server's words on the status; often empty.
	Message string
	// TTLMs is for how many milliseconds after its creation the server keeps the
	// task; nil where that is not limited, or not said.
	TTLMs *int64
	// PollMs is how many milliseconds the server wants between two polls; nil
	// where it does not say.
	PollMs *int64
	// Result and Error are those of the call where the state holds them, as it
	// does since 2026-07-28; nil else. They may be JSON of any kind.
	Result, Error json.RawMessage
	// Inputs are the requests that the task waits to have answered, by their
	// names, where the state holds them, as it does since 2026-07-28; nil else.
	// They may be JSON of any kind.
	Inputs json.RawMessage
}

// TaskOf reads the state of a task: the answer to tools/call, where it stands
// under "task" or, since 2026-07-28, in the answer itself, and the answer to
// tasks/get. It is an error if raw is not JSON or not an object. What is of a
// wrong type counts as missing. An answer that is no task has no ID.
func TaskOf(raw json.RawMessage) (Task, error) {
	r := rawjson.NewReader(raw)
	if kind := r.Peek(); kind != rawjson.Object {
		r.Value()
		if err := r.End(); err != nil {
			return Task{}, fmt.Errorf("task: not JSON: %w", err)
		}
		return Task{}, fmt.Errorf("task: it is %s, not an object", kind)
	}
	var outer, inner Task
	nested := false
	r.Object(func(key []byte) {
		if string(key) == "task" && r.Peek() == rawjson.Object {
			nested, inner = true, Task{}
			r.Object(func(key []byte) { inner.readMember(string(key), r) })
			return
		}
		outer.readMember(string(key), r)
	})
	if err := r.End(); err != nil {
		return Task{}, fmt.Errorf("task: not JSON: %w", err)
	}
	if nested && inner.ID != "" {
		return inner, nil
	}
	return outer, nil
}

func (t *Task) readMember(key string, r *rawjson.Reader) {
	v := r.Value()
	switch key {
	case "taskId":
		t.ID = v.Text()
	case "status":
		t.Status = TaskStatus(strings.ToLower(strings.TrimSpace(v.Text())))
	case "statusMessage":
		t.Message = v.Text()
	case "ttl", "ttlMs":
		t.TTLMs = milliseconds(v)
	case "pollInterval", "pollIntervalMs":
		t.PollMs = milliseconds(v)
	case "result":
		t.Result = present(v)
	case "error":
		t.Error = present(v)
	case "inputRequests":
		t.Inputs = present(v)
	}
}

// milliseconds reads a time that is more than none.
func milliseconds(v rawjson.Value) *int64 {
	ms, ok := count(v)
	if !ok || ms == 0 {
		return nil
	}
	ms = min(ms, maxTTLMs)
	return &ms
}
