package providers

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"cloud.google.com/go/ai/generativelanguage/apiv1beta/generativelanguagepb"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/googleai"
	"google.golang.org/api/option"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/mcptoolset/mcptoolset/toolset"
)

// The Gemini API, over HTTP.
type geminiAPI struct{ *tape }

var google = provider{
	name: "googleai", profile: toolset.ProfileGemini, dialect: asGemini, image: toolset.ImageBinary, chat: true,
	start: func(t *testing.T, tp *tape) llms.Model {
		t.Helper()
		web := httptest.NewServer(geminiAPI{tp})
		t.Cleanup(web.Close)
		// The package has no option for the address, but its options are public.
		loopback := func(o *googleai.Options) { o.ClientOptions = append(o.ClientOptions, option.WithEndpoint(web.URL)) }
		model, err := googleai.New(t.Context(), googleai.WithAPIKey("key"), loopback, googleai.WithDefaultModel("gemini-2.5-flash"))
		require.NoError(t, err)
		t.Cleanup(func() { _ = model.Close() })
		return model
	},
}

func (g geminiAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	asked := new(generativelanguagepb.GenerateContentRequest)
	if err == nil {
		err = protojson.Unmarshal(body, asked)
	}
	method, known := strings.CutPrefix(r.URL.Path, "/v1beta/models/gemini-2.5-flash:")
	if err != nil || !known {
		http.Error(w, fmt.Sprint(r.URL.Path, err), http.StatusNotFound)
		return
	}
	streamed := method == "streamGenerateContent"
	answer, err := g.take(readContents(asked, streamed))
	w.Header().Set("Content-Type", "application/json")
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		writeJSON(w, object{"error": object{"code": 400, "message": err.Error(), "status": "INVALID_ARGUMENT"}})
		return
	}
	chunks := answer.candidates(streamed)
	if !streamed {
		_, _ = w.Write(chunks[0])
		return
	}
	writeJSON(w, chunks)
}
