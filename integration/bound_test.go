package integration

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/toolset"
)

func TestC7_BoundArgumentsOverEveryConnection(t *testing.T) {
	t.Parallel()
	for _, kind := range mcptest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			target := mcptest.Start(t, kind, mcptest.Tools("add"))
			found := toolsOf(t, describe(target), toolset.WithBoundArgumentsFunc("add", []string{"b"}, func(ctx context.Context) (map[string]any, error) {
				return map[string]any{"b": ctx.Value(userKey{})}, nil
			}))
			for b, want := range map[int]string{1: "9007199254740993", 3: "9007199254740995"} {
				got, err := found[0].Call(context.WithValue(t.Context(), userKey{}, b), `{"a":9007199254740992,"b":77}`)
				require.NoError(t, err)
				assert.Equal(t, want, got)
			}
			assert.Contains(t, found[0].Description(), "{a: integer}")
		})
	}
}

func TestC7_AnAgentNeverSeesBoundArguments(t *testing.T) {
	t.Parallel()
	target := mcptest.Start(t, mcptest.InProcess, mcptest.Tools("add"))
	found := toolsOf(t, describe(target), toolset.WithBoundArguments("add", map[string]any{"b": 40}))
	model := mcptest.NewModel(mcptest.Use("add", `{"a":"x"}`), mcptest.Use("add", `{"a":2}`), mcptest.Say("done"))
	assert.Equal(t, "done", runFunctions(t, toolset.Bind(model, found), found))
	seen := observations(model)
	require.Len(t, seen, 2)
	assert.NotContains(t, seen[0], "40")
	assert.Contains(t, seen[0], "a: expected integer")
	assert.Equal(t, "42", seen[1])
}
