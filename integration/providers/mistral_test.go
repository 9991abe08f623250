package providers

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/mistral"

	"github.com/mcptoolset/mcptoolset/toolset"
)

// Mistral's API: that of OpenAI, but for its ids, nine letters and digits, and
// for its way to stream a call, whole.

var mistralAI = provider{
	name: "mistral", profile: toolset.ProfilePortable, dialect: asGemini, ids: true, digits: true, words: true, text: true,
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

var (
	_ = json.Valid
	_ = http.StatusOK
	_ = strings.Contains
)
