package integration

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// What server-everything tells without being asked: updates of resources, log
// messages and progress.
func TestH6_E9_NPM_EverythingTells(t *testing.T) {
	t.Parallel()
	for name, describe := range everythingKinds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var logged lines
			var progress mcptest.Journal[toolset.Progress]
			ts := open(t, describe(t), toolset.WithListening(),
				toolset.WithServerLogger(slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug}))),
				toolset.WithProgressHandler(func(_ context.Context, p toolset.Progress) { progress.Add(p) }))
			checkEverythingUpdates(t, ts)
			checkEverythingLogs(t, ts, &logged)
			checkEverythingProgress(t, ts, &progress)
			checkEverythingTemplates(t, ts)
		})
	}
}

func checkEverythingUpdates(t *testing.T, ts *toolset.Toolset) {
	const first, second = "demo://resource/dynamic/text/1", "demo://resource/dynamic/text/2"
	var updates, others mcptest.Journal[string]
	one, err := ts.Subscribe(t.Context(), first, func(_ context.Context, uri string) { updates.Add(uri) })
	require.NoError(t, err)
	two, err := ts.Subscribe(t.Context(), second, func(_ context.Context, uri string) { others.Add(uri) })
	require.NoError(t, err)
	assert.Contains(t, call(t, ts, "toggle-subscriber-updates", "{}"), "Started")
	updates.Wait(t)
	others.Wait(t)
	require.NoError(t, one.Close(t.Context()))
	n, m := updates.Count(), others.Count()
	others.WaitN(t, m+1) // at the server's next round
	assert.Equal(t, n, updates.Count())
	assert.Subset(t, []string{first}, updates.All())
	assert.Contains(t, call(t, ts, "toggle-subscriber-updates", "{}"), "Stopped")
	require.NoError(t, two.Close(t.Context()))
}

func checkEverythingLogs(t *testing.T, ts *toolset.Toolset, logged *lines) {
	assert.Contains(t, call(t, ts, "toggle-simulated-logging", "{}"), "Started")
	eventually(t, "a message of a level of chance", func() bool {
		return strings.Contains(logged.String(), "-level message") || strings.Contains(logged.String(), "level-message")
	})
	eventually(t, "the server tells of subscriptions", func() bool {
		return strings.Contains(logged.String(), "Received Subscribe Resource request for URI: demo://resource/dynamic/text/1")
	})
	assert.Contains(t, logged.String(), "level=INFO")
	require.NoError(t, ts.SetServerLogLevel(t.Context(), slog.LevelError))
	assert.Contains(t, call(t, ts, "toggle-simulated-logging", "{}"), "Stopped")

	const quiet = "demo://resource/dynamic/text/7"
	s, err := ts.Subscribe(t.Context(), quiet, ignore)
	require.NoError(t, err)
	require.NoError(t, s.Close(t.Context()))
	assert.NotContains(t, logged.String(), quiet, "info is below the level that is asked for")
}

func checkEverythingProgress(t *testing.T, ts *toolset.Toolset, progress *mcptest.Journal[toolset.Progress]) {
	said := call(t, ts, "trigger-long-running-operation", `{"duration":0.2,"steps":4}`)
	assert.Contains(t, said, "Steps: 4")
	steps := progress.All()
	require.Len(t, steps, 4, "all before the result")
	for i, p := range steps {
		assert.Equal(t, toolset.Progress{Server: "everything", Tool: "trigger-long-running-operation", Progress: float64(i + 1), Total: 4}, p)
	}
	assert.Contains(t, call(t, ts, "simulate-research-query", `{"topic":"stoats"}`), "stoats", "it runs as a task")
}

func checkEverythingTemplates(t *testing.T, ts *toolset.Toolset) {
	templates, err := ts.ResourceTemplates(t.Context())
	require.NoError(t, err)
	require.NotEmpty(t, templates)
	proposed, err := ts.CompletePrompt(t.Context(), "completable-prompt", "department", "S", nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"Sales", "Support"}, proposed.Values)
	proposed, err = ts.CompletePrompt(t.Context(), "completable-prompt", "name", "", map[string]string{"department": "Sales"})
	require.NoError(t, err)
	assert.NotEmpty(t, proposed.Values)
	_, err = ts.CompleteTemplate(t.Context(), templates[0].URITemplate, "resourceId", "1", nil)
	require.NoError(t, err)
	contents, err := ts.ReadResource(t.Context(), "demo://resource/dynamic/text/1")
	require.NoError(t, err)
	require.Len(t, contents, 1)
	assert.Contains(t, contents[0].Text, "Resource 1")
}
