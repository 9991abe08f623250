package toolset_test

import (
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/toolset"
)

const weather = `{"type":"object","properties":{"temp":{"type":"number"},"sky":{"type":"string"}},"required":["temp"]}`

// promising is a toolset whose one tool has an output schema and answers result.
func promising(t *testing.T, schema, result string, opts ...toolset.Option) *toolset.Toolset {
	t.Helper()
	s := newRaw(t, func(r request) string {
		if r.Method == "tools/call" {
			return result
		}
		return lists(`[{"name":"t","inputSchema":{"type":"object"},"outputSchema":` + schema + `}]`)(r)
	})
	return open(t, s.config().MaxOutput(400), opts...)
}

func TestE2_ResultsAreCheckedByTheSchemaTheyPromise(t *testing.T) {
	t.Parallel()
	text := func(s string) string { return `{"type":"text","text":"` + s + `"}` }
	const misfit = "Note: the structured result does not fit the tool's output schema: "
	for title, c := range map[string]struct {
		schema, result, want string
		mismatches           []string
		warning              string
	}{
		"it fits":            {weather, `{"content":[` + text("warm") + `],"structuredContent":{"temp":5}}`, "warm\n\n{\"temp\":5}", nil, ""},
		"it fits, said":      {weather, `{"content":[` + text(`{\"temp\": 5}`) + `],"structuredContent":{"temp":5}}`, `{"temp": 5}`, nil, ""},
		"a wrong type":       {weather, `{"content":[],"structuredContent":{"temp":"5"}}`, "{\"temp\":\"5\"}\n\n" + misfit + `temp: expected number, got string "5"`, []string{`temp: expected number, got string "5"`}, "did not fit"},
		"several":            {weather, `{"content":[],"structuredContent":{"sky":1}}`, "{\"sky\":1}\n\n" + misfit + "sky: expected string, got number 1 (and 1 more)", []string{"sky: expected string, got number 1", "temp: missing, expected number"}, "did not fit"},
		"none":               {weather, `{"content":[` + text("warm") + `]}`, "warm\n\nNote: the structured result that the tool's output schema promises is missing.", []string{"missing"}, "did not fit"},
		"none, of a failure": {weather, `{"isError":true,"content":[` + text("no city") + `]}`, "Error: no city", nil, ""},
		"a failure's own":    {weather, `{"isError":true,"content":[],"structuredContent":{"code":1}}`, `Error: {"code":1}`, nil, ""},
		"a broken schema":    {`{"$ref":"https://example.com/s"}`, `{"content":[],"structuredContent":{"temp":"5"}}`, `{"temp":"5"}`, nil, "output schema cannot be used"},
		"a wrapped text":     {`{"type":"object","properties":{"content":{"type":"string"}},"required":["content"]}`, `{"content":[` + text("a file") + `],"structuredContent":{"content":"a file"}}`, "a file", nil, ""},
	} {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			ts := promising(t, c.schema, c.result)
			found, err := ts.Tool(t.Context(), "t")
			require.NoError(t, err)
			got, err := found.Call(t.Context(), "{}")
			require.NoError(t, err)
			assert.Equal(t, c.want, got)

			result, err := ts.CallTool(t.Context(), "t", nil)
			require.NoError(t, err)
			assert.Equal(t, c.mismatches, result.Mismatches)
			assert.NotContains(t, result.Text(), "Note:", "it is what the server said")

			warnings := ts.Report().Warnings
			if c.warning == "" {
				assert.Empty(t, warnings)
			} else if assert.Len(t, warnings, 1, "once, however often it happens") {
				assert.Equal(t, "t", warnings[0].Tool)
				assert.Contains(t, warnings[0].Reason, c.warning)
			}

			unchecked := promising(t, c.schema, c.result, toolset.WithoutOutputCheck())
			result, err = unchecked.CallTool(t.Context(), "t", nil)
			require.NoError(t, err)
			assert.Empty(t, result.Mismatches)
			assert.Empty(t, unchecked.Report().Warnings)
		})
	}
}

func TestE2_ANoteKeepsToTheBudgetAndHidesNothing(t *testing.T) {
	t.Parallel()
	for title, c := range map[string]struct {
		length int
		noted  bool
	}{"room for both": {300, true}, "room for the text alone": {380, false}, "room for neither": {5000, true}} {
		long := strings.Repeat("é", c.length)
		ts := promising(t, weather, `{"content":[{"type":"text","text":"`+long+`"}]}`)
		found, err := ts.Tool(t.Context(), "t")
		require.NoError(t, err)
		got, err := found.Call(t.Context(), "{}")
		require.NoError(t, err)
		assert.LessOrEqual(t, utf8.RuneCountInString(got), 400, title)
		assert.Equal(t, c.noted, strings.HasSuffix(got, "is missing."), title)
		assert.Equal(t, c.length < 400, strings.HasPrefix(got, long), title)
	}
	value := strings.Repeat("x", 10_000) + `\n`
	ts := promising(t, weather, `{"content":[],"structuredContent":{"temp":1,"`+value+`":1,"sky":7}}`, toolset.WithReadMore())
	result, err := ts.CallTool(t.Context(), "t", nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"sky: expected string, got number 7"}, result.Mismatches)
}

func TestE2_ManyCallsCompileAnOutputSchemaOnce(t *testing.T) {
	t.Parallel()
	ts := promising(t, weather, `{"content":[],"structuredContent":{"temp":"5"}}`)
	found, err := ts.Tool(t.Context(), "t")
	require.NoError(t, err)
	var callers sync.WaitGroup
	for range 20 {
		callers.Go(func() {
			got, err := found.Call(t.Context(), "{}")
			assert.NoError(t, err)
			assert.Contains(t, got, "temp: expected number")
		})
	}
	callers.Wait()
	assert.Len(t, ts.Report().Warnings, 1)
}
