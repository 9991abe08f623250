package toolset_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/toolset"
)

// However many profiles definitions were asked for in, and in whatever order,
// what a model wrote as JSON text is parsed once and names find their way back.
func TestC6_ArgumentsOfSeveralProfiles(t *testing.T) {
	t.Parallel()
	profiles := []toolset.Profile{toolset.ProfileVertex, toolset.ProfileOpenAI, toolset.ProfileGemini, toolset.ProfilePortable, toolset.ProfileAnthropic, "unknown"}
	for first := range profiles {
		s := newRaw(t, lists(`[{"name":"t","inputSchema":{"type":"object","properties":{"any":{},"$top":{"type":"integer"},"o":{"type":"object","properties":{"@x":{"type":"string"}}}}}}]`))
		found, err := open(t, s.config()).Tools(t.Context())
		require.NoError(t, err)
		for i := range profiles {
			found[0].(*toolset.Tool).Definition(profiles[(first+i)%len(profiles)])
		}
		for text, want := range map[string]string{
			`{"any":"\"5\"","_top":1,"o":{"_x":"5"}}`:   `{"any":"5","$top":1,"o":{"@x":"5"}}`,
			`{"any":"5","$top":1,"o":"{\"@x\":\"5\"}"}`: `{"any":5,"$top":1,"o":{"@x":"5"}}`,
		} {
			_, err := found[0].Call(t.Context(), text)
			require.NoError(t, err)
			calls := s.of("tools/call")
			var sent struct{ Arguments json.RawMessage }
			require.NoError(t, json.Unmarshal(calls[len(calls)-1].Params, &sent))
			assert.JSONEq(t, want, string(sent.Arguments), text)
		}
	}
}
