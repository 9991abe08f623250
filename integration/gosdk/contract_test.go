package gosdk

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/integration/compatibility/spoken"
	"github.com/mcptoolset/mcptoolset/toolset"
)

func TestGoSDK_ListsOfManyPages(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s site) {
		ts := open(t, s.config.Resources(true))
		found, err := ts.Tools(t.Context())
		require.NoError(t, err)
		var names []string
		for _, tool := range found {
			names = append(names, tool.Name())
		}
		assert.ElementsMatch(t, []string{"echo", "add", "fail", "refuse", "whoami", "hang", "hanging", "count", "steps",
			"hire", "dismiss", "publish", "pose", "amend", "say", "whisper", "elicit", "sample", "roots",
			"list_mcp_resources", "list_mcp_resource_templates", "load_mcp_resource"}, names)
		assert.Empty(t, ts.Report().Warnings)

		info, err := ts.ServerInfo(t.Context())
		require.NoError(t, err)
		assert.Equal(t, "gosdk", info.Name)
		assert.Equal(t, "be kind", info.Instructions)
		assert.Equal(t, s.modern, info.Modern())
		spoken.In(t, info.ProtocolVersion)
	})
}

func TestGoSDK_Calls(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s site) {
		ts := open(t, s.config)
		const arguments = `{"größe":[9007199254740993],"id":7960607143101464576,"text":"<&>"}`
		assert.JSONEq(t, arguments, call(t, ts, "echo", arguments))
		assert.Contains(t, call(t, ts, "echo", arguments), "9007199254740993")

		// The SDK's typed tools round their arguments to 53 bits.
		result, err := ts.CallTool(t.Context(), "add", map[string]any{"a": 9007199254740991, "b": 1})
		require.NoError(t, err)
		assert.Equal(t, `{"sum":9007199254740992,"terms":[9007199254740991,1]}`, string(result.Structured))
		assert.Empty(t, result.Mismatches)
		assert.Contains(t, call(t, ts, "add", `{"a":"2","b":3}`), `"sum":5`)
	})
}

func TestGoSDK_Failures(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s site) {
		ts := open(t, s.config)
		assert.Equal(t, "Error: no such city", call(t, ts, "fail", ""))
		said := call(t, ts, "refuse", "")
		assert.Contains(t, said, "Error:")
		assert.Contains(t, said, "out of order")
		assert.Contains(t, call(t, ts, "add", `{"a":1}`), "b: missing", "arguments are checked first")

		result, err := ts.CallTool(t.Context(), "add", map[string]any{"a": "x"})
		require.NoError(t, err)
		assert.True(t, result.IsError, "the server checks them too")
		_, err = ts.CallTool(t.Context(), "nope", nil)
		var failed *toolset.Error
		require.ErrorAs(t, err, &failed)
		assert.NotZero(t, failed.Code)
	})
}

func TestGoSDK_CancellationReachesTheServer(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s site) {
		ts := open(t, s.config)
		hang, err := ts.Tool(t.Context(), "hang")
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		ended := make(chan error, 1)
		go func() {
			_, err := hang.Call(ctx, "{}")
			ended <- err
		}()
		eventually(t, "the call has begun", func() bool { return call(t, ts, "hanging", "") == "1" })
		cancel()
		require.ErrorIs(t, <-ended, context.Canceled)
		if !s.cancels() {
			return
		}
		eventually(t, "the server knows", s.saw)
		assert.Equal(t, "1", call(t, ts, "hanging", ""), "the session lives on")
	})
}

func TestGoSDK_TheCallLimitIsNamed(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s site) {
		ts := open(t, s.config.CallTimeout(50*time.Millisecond))
		assert.Contains(t, call(t, ts, "hang", ""), "call limit of 50ms")
		if !s.cancels() {
			return
		}
		eventually(t, "the server knows", s.saw)
	})
}

func TestGoSDK_ProgressComesInOrderBeforeTheResult(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s site) {
		var mu sync.Mutex
		var heard []string
		ts := open(t, s.config, toolset.WithProgressHandler(func(_ context.Context, p toolset.Progress) {
			mu.Lock()
			defer mu.Unlock()
			heard = append(heard, fmt.Sprint(p.Tool, p.Progress, p.Total, p.Message))
		}))
		var all []string
		for i := 1; i <= 20; i++ {
			all = append(all, fmt.Sprint("steps", float64(i), 20.0, "step ", i))
		}
		for range 3 {
			assert.Equal(t, "done", call(t, ts, "steps", ""))
			mu.Lock()
			if s.http != nil && s.http.JSONResponse {
				assert.Empty(t, heard, "one JSON answer has no room for it")
			} else {
				assert.Equal(t, all, heard)
			}
			heard = nil
			mu.Unlock()
		}
	})
}

func TestGoSDK_HeadersOfTheCaller(t *testing.T) {
	t.Parallel()
	type userKey struct{}
	each(t, func(t *testing.T, s site) {
		if s.http == nil {
			t.Skip("a child process has no headers, and the SDK shows its tools none over SSE")
		}
		ts := open(t, s.config, toolset.WithHeaderProvider(func(ctx context.Context) (http.Header, error) {
			user, _ := ctx.Value(userKey{}).(string)
			return http.Header{"X-User": {user}}, nil
		}))
		var all sync.WaitGroup
		for i := range 10 {
			all.Go(func() {
				user := fmt.Sprint("user", i%2)
				result, err := ts.CallTool(context.WithValue(t.Context(), userKey{}, user), "whoami", nil)
				if assert.NoError(t, err) {
					assert.Equal(t, "user "+user, result.Text())
				}
			})
		}
		all.Wait()
	})
}

func TestGoSDK_ResourcesAndPrompts(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s site) {
		ts := open(t, s.config)
		resources, err := ts.Resources(t.Context())
		require.NoError(t, err)
		assert.Len(t, resources, 6)
		templates, err := ts.ResourceTemplates(t.Context())
		require.NoError(t, err)
		require.Len(t, templates, 1)
		assert.Equal(t, "page://{n}", templates[0].URITemplate)

		for uri, want := range map[string]string{"note://3": "text of note://3", "page://7": "text of page://7"} {
			contents, err := ts.ReadResource(t.Context(), uri)
			require.NoError(t, err)
			require.Len(t, contents, 1)
			assert.Equal(t, want, contents[0].Text)
		}
		contents, err := ts.ReadResource(t.Context(), "blob://0")
		require.NoError(t, err)
		require.Len(t, contents, 1)
		assert.Equal(t, []byte{0, 1, 2}, contents[0].Blob)
		var failed *toolset.Error
		_, err = ts.ReadResource(t.Context(), "page://none")
		require.ErrorAs(t, err, &failed)
		assert.NotZero(t, failed.Code)

		prompts, err := ts.Prompts(t.Context())
		require.NoError(t, err)
		require.Len(t, prompts, 1)
		greeting, err := ts.GetPrompt(t.Context(), "greet", map[string]string{"who": "Ada"})
		require.NoError(t, err)
		require.Len(t, greeting.Messages, 1)
		assert.Equal(t, "Greet Ada.", greeting.Messages[0].Content.Text)
		_, err = ts.GetPrompt(t.Context(), "greet", nil)
		assert.ErrorIs(t, err, toolset.ErrPromptArguments)
	})
}
