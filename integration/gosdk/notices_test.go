package gosdk

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/tools"

	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// news keeps what a handler of changes is told.
func news[T any](j *mcptest.Journal[T]) func(context.Context, []T, error) {
	return func(_ context.Context, all []T, err error) {
		if err != nil {
			return // the session is being replaced
		}
		for _, one := range all {
			j.Add(one)
		}
	}
}

// hears waits until notices of changes reach the toolset.
func hears(t *testing.T, ts *toolset.Toolset) {
	t.Helper()
	require.NoError(t, ts.Connect(t.Context()))
	eventually(t, "the stream of notices is open", func() bool { return ts.Listening(t.Context()) })
}

func tell(t *testing.T, ts *toolset.Toolset, tool, what string) {
	t.Helper()
	result, err := ts.CallTool(t.Context(), tool, map[string]any{"what": what})
	require.NoError(t, err)
	require.False(t, result.IsError, result.Text())
}

func TestGoSDK_ChangedListsAreTold(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s site) {
		s.needsStream(t)
		var hired mcptest.Journal[tools.Tool]
		var published mcptest.Journal[toolset.Resource]
		var posed mcptest.Journal[toolset.Prompt]
		ts := open(t, s.config, toolset.WithToolsChangedHandler(news(&hired)),
			toolset.WithResourcesChangedHandler(news(&published)), toolset.WithPromptsChangedHandler(news(&posed)))
		hears(t, ts)
		tell(t, ts, "hire", "zoe")
		hired.Wait(t, func(tool tools.Tool) bool { return tool.Name() == "zoe" })
		assert.Equal(t, "I am zoe", call(t, ts, "zoe", ""))
		tell(t, ts, "publish", "news://1")
		published.Wait(t, func(r toolset.Resource) bool { return r.URI == "news://1" })
		tell(t, ts, "pose", "who")
		posed.Wait(t, func(p toolset.Prompt) bool { return p.Name == "who" })

		tell(t, ts, "dismiss", "zoe")
		eventually(t, "the removed tool is not listed", func() bool {
			_, err := ts.Tool(t.Context(), "zoe")
			return err != nil
		})
	})
}

func TestGoSDK_SubscriptionsOutliveTheServer(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s site) {
		s.needsStream(t)
		var updates mcptest.Journal[string]
		ts := open(t, s.config, toolset.WithListening())
		hears(t, ts)
		sub, err := ts.Subscribe(t.Context(), "note://1", func(_ context.Context, uri string) { updates.Add(uri) })
		require.NoError(t, err)
		tell(t, ts, "amend", "note://2")
		tell(t, ts, "amend", "note://1")
		updates.Wait(t)
		for _, uri := range updates.All() { // more than one where the stream was opened anew
			assert.Equal(t, "note://1", uri, "of this resource alone")
		}
		if s.web != nil {
			s.web.restart()
			updates.WaitN(t, 2) // it may have been updated meanwhile
			eventually(t, "updates of the new server arrive", func() bool {
				result, err := ts.CallTool(t.Context(), "amend", map[string]any{"what": "note://1"})
				return err == nil && !result.IsError && updates.Count() > 2
			})
		}
		require.NoError(t, sub.Close(t.Context()))
	})
}

// lines is a writer whose text a test waits for.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func TestGoSDK_LogMessages(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s site) {
		s.needsStream(t)
		if s.http != nil && s.http.JSONResponse {
			t.Skip("there is no stream to tell it on")
		}
		var out lines
		ts := open(t, s.config, toolset.WithServerLogger(slog.New(slog.NewTextHandler(&out, nil))))
		require.NoError(t, ts.Connect(t.Context()))
		tell(t, ts, "whisper", "too low")
		tell(t, ts, "say", "the paper is out")
		eventually(t, "the message is logged", func() bool {
			return strings.Contains(out.String(), `level=WARN msg="the paper is out" server=gosdk logger=desk`)
		})
		assert.NotContains(t, out.String(), "too low")
	})
}
