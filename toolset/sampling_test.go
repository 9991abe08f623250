package toolset_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/toolset"
)

// A server that brings tools to a completion, which it was not told it may, is
// told so in words, and the owner is not asked.
func TestJ3_ACompletionWithToolsIsRefusedInWords(t *testing.T) {
	t.Parallel()
	const (
		hello  = `{"role":"user","content":{"type":"text","text":"hello"}}`
		use    = `{"type":"tool_use","id":"1","name":"t","input":{}}`
		result = `{"type":"tool_result","toolUseId":"1","content":[]}`
	)
	for title, params := range map[string]string{
		"tools":                     `{"maxTokens":9,"messages":[` + hello + `],"tools":[{"name":"t","inputSchema":{"type":"object"}}]}`,
		"an empty list of tools":    `{"maxTokens":9,"messages":[` + hello + `],"tools":[]}`,
		"a choice":                  `{"maxTokens":9,"messages":[` + hello + `],"toolChoice":{"mode":"none"}}`,
		"a use":                     `{"maxTokens":9,"messages":[{"role":"assistant","content":` + use + `}]}`,
		"a result":                  `{"maxTokens":9,"messages":[{"role":"user","content":` + result + `}]}`,
		"a use in a list":           `{"maxTokens":9,"messages":[` + hello + `,{"role":"assistant","content":[{"type":"text","text":"I look"},` + use + `]}]}`,
		"tools, and broken besides": `{"messages":[],"tools":[{"name":"t"}]}`,
	} {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			s := newRaw(t, lists(`[{"name":"t","inputSchema":{"type":"object"}}]`))
			i := &interview{method: "tools/call", questions: []string{`"method":"sampling/createMessage","params":` + params}, result: foundIt}
			i.by(s)
			ts := open(t, s.config(), toolset.WithSampling(func(context.Context, toolset.Sampling) (toolset.SamplingAnswer, error) {
				t.Error("the owner is asked")
				return toolset.SamplingAnswer{}, nil
			}))
			assert.Contains(t, observed(t, ts), "found it", "the call goes on")
			told, _ := i.heard()
			require.Len(t, told, 1)
			assert.Contains(t, told[0], `"code":-32602`)
			assert.Contains(t, told[0], "this client does not declare sampling.tools: a request for a completion must be without tools, toolChoice, tool_use and tool_result")
		})
	}
}
