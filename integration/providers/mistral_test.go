package providers

import (
	"fmt"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/mistral"

	"github.com/mcptoolset/mcptoolset/toolset"
)

// Mistral's API: that of OpenAI, but for its ids, nine letters and digits, and
// for its way to stream a call, whole.

var mistralAI = provider{
	name: "mistral", profile: toolset.ProfilePortable, dialect: asGemini, ids: true, digits: true, words: true, unfinished: true,
	start: func(t *testing.T, tp *tape) llms.Model {
		t.Helper()
		web := httptest.NewServer(&completions{tape: tp, whole: true})
		t.Cleanup(web.Close)
		model, err := mistral.New(mistral.WithAPIKey("key"), mistral.WithEndpoint(web.URL), mistral.WithModel("mistral-large-latest"),
			mistral.WithMaxRetries(1), mistral.WithTimeout(10*time.Second))
		require.NoError(t, err)
		return model
	},
}

// The SDK has no field for the id of the call that an answer is to, so the API
// refuses the second request of every conversation with tools. What comes
// before that works: llms/openai, pointed at Mistral's API, does it all.
func TestO10_Mistral_AConversationWithToolsCannotBeFinished(t *testing.T) {
	t.Parallel()
	for way, drive := range ways {
		for _, streaming := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, streaming %t", way, streaming), func(t *testing.T) {
				t.Parallel()
				r := mistralAI.begin(t, []leg{{"I look at both.", []errand{search, bigNumber}}})
				_, err := drive(r, t, streaming)
				require.Error(t, err)
				require.Len(t, r.refused(), 1)
				assert.Contains(t, r.refused()[0], `an answer to no call before it: ""`)
				calls := r.Calls.All()
				require.Len(t, calls, 2)
				assert.Equal(t, exact(t, search.want), exact(t, string(calls[0].Arguments)))
				assert.Equal(t, bigNumber.want, string(calls[1].Arguments))
			})
		}
	}
}

func TestC6_Mistral_SchemasOnTheWire(t *testing.T) {
	t.Parallel()
	mistralAI.shows(t, map[string]string{"odd": oddSchema, "now": `{"type":"object","properties":{}}`})
}
