package decode

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestB2_TaskStatesOfBothErasAreRead(t *testing.T) {
	t.Parallel()
	ms := func(n int64) *int64 { return &n }
	for title, c := range map[string]struct {
		raw  string
		want Task
	}{
		"created, 2025-11-25": {`{"task":{"taskId":"a","status":"working","ttl":60000,"pollInterval":500,"statusMessage":"on it"}}`,
			Task{ID: "a", Status: TaskWorking, Message: "on it", TTLMs: ms(60000), PollMs: ms(500)}},
		"created, 2026-07-28": {`{"resultType":"task","taskId":"a","status":"working","ttlMs":null,"pollIntervalMs":5}`,
			Task{ID: "a", Status: TaskWorking, PollMs: ms(5)}},
		"polled": {`{"taskId":"a","status":"Completed","result":{"content":[]}}`,
			Task{ID: "a", Status: TaskCompleted, Result: json.RawMessage(`{"content":[]}`)}},
		"failed":              {`{"taskId":"a","status":"failed","error":{"code":1}}`, Task{ID: "a", Status: TaskFailed, Error: json.RawMessage(`{"code":1}`)}},
		"absurd times":        {`{"taskId":"a","ttl":-1,"pollInterval":1e300}`, Task{ID: "a", PollMs: ms(maxTTLMs)}},
		"no time at all":      {`{"taskId":"a","ttl":0,"pollInterval":0}`, Task{ID: "a"}},
		"wrong types":         {`{"taskId":7,"status":[],"statusMessage":{},"ttl":"x","pollInterval":true,"task":"a"}`, Task{}},
		"a plain result":      {`{"content":[{"type":"text","text":"x"}]}`, Task{}},
		"a member named task": {`{"taskId":"a","task":{"note":1}}`, Task{ID: "a"}},
		"unknown status":      {`{"taskId":"a","status":"queued"}`, Task{ID: "a", Status: "queued"}},
	} {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			got, err := TaskOf(json.RawMessage(c.raw))
			require.NoError(t, err)
			assert.Equal(t, c.want, got)
		})
	}
	for _, raw := range []string{``, `null`, `[]`, `"x"`, `{`, `{"task":{]}`, strings.Repeat(`{"task":`, 20_000)} {
		_, err := TaskOf(json.RawMessage(raw))
		assert.Error(t, err, "%.20s", raw)
	}
}

func FuzzTaskOf(f *testing.F) {
	f.Add([]byte(`{"task":{"taskId":"a","status":"working"}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		task, err := TaskOf(raw)
		if err != nil && task.ID != "" {
			t.Fatal("a task beside an error")
		}
	})
}
