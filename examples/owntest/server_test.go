package owntest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// readme: owntest

func TestDivide(t *testing.T) {
	cfg, err := config.NewInProcess(newServer()).Build()
	require.NoError(t, err)
	ts, err := toolset.New(cfg)
	require.NoError(t, err)
	defer ts.Close()

	result, err := ts.CallTool(t.Context(), "divide", map[string]any{"a": 7, "b": 2})
	require.NoError(t, err)
	assert.Equal(t, "3.5", result.Text())

	result, err = ts.CallTool(t.Context(), "divide", map[string]any{"a": 7, "b": 0})
	require.NoError(t, err) // the call went well; the tool did not
	assert.True(t, result.IsError)
	assert.Equal(t, "cannot divide by zero", result.Content[0].Text)
}

// readme end

// A model's arguments are read and checked on the way, which CallTool leaves
// out.
func TestDivideAsAModelCallsIt(t *testing.T) {
	cfg, err := config.NewInProcess(newServer()).Build()
	require.NoError(t, err)
	ts, err := toolset.New(cfg)
	require.NoError(t, err)
	defer ts.Close()
	divide, err := ts.Tool(t.Context(), "divide")
	require.NoError(t, err)

	for input, observation := range map[string]string{
		`{"a":7,"b":2}`:                       "3.5",
		"```json\n{\"a\":\"7\",\"b\":2}\n```": "3.5",
		`{"a":7,"b":0}`:                       "Error: cannot divide by zero",
	} {
		text, err := divide.Call(t.Context(), input)
		require.NoError(t, err)
		assert.Equal(t, observation, text, input)
	}
	text, err := divide.Call(t.Context(), `{"a":7}`)
	require.NoError(t, err)
	assert.Contains(t, text, "{a: number, b: number}", "it says how to call the tool")
}
