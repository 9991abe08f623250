package providers

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/llms"
	native "github.com/tmc/langchaingo/llms/ollama"

	"github.com/mcptoolset/mcptoolset/agent"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// What LangChainGo's packages cannot do, measured: docs/providers.md says so,
// and a version of LangChainGo that can fails a test here.

// bigNumber is an errand whose number a model writes as one, in any dialect.
var bigNumber = same("ledger", `{"account":9007199254740993}`)

// digitsOf looks at what the server gets for it, in all ways.
func (p provider) digitsOf(t *testing.T) {
	want := bigNumber.want
	if !p.digits {
		want = `{"account":9007199254740992}`
	}
	for way, drive := range ways {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			r := p.begin(t, []leg{{errands: []errand{bigNumber}}})
			_, err := drive(r, t, false)
			require.NoError(t, err)
			calls := r.Calls.All()
			require.Len(t, calls, 1)
			assert.Equal(t, want, string(calls[0].Arguments))
		})
	}
}

func TestD2_OpenAI_KeepsAllDigits(t *testing.T)        { t.Parallel(); openAI.digitsOf(t) }
func TestD2_Ollama_KeepsAllDigits(t *testing.T)        { t.Parallel(); ollama.digitsOf(t) }
func TestD2_Anthropic_RoundsLargeNumbers(t *testing.T) { t.Parallel(); claude.digitsOf(t) }
func TestD2_Bedrock_RoundsLargeNumbers(t *testing.T)   { t.Parallel(); bedrockAWS.digitsOf(t) }
func TestD2_Googleai_RoundsLargeNumbers(t *testing.T)  { t.Parallel(); google.digitsOf(t) }
func TestD2_Vertex_RoundsLargeNumbers(t *testing.T)    { t.Parallel(); vertexAI.digitsOf(t) }

func TestO10_Bedrock_AStreamHasNoCalls(t *testing.T) {
	t.Parallel()
	r := bedrockAWS.begin(t, journeys["keys and digits"])
	_, err := r.loop(t, true)
	require.NoError(t, err)
	assert.Equal(t, "I look at both.", r.heard.text.String())
	assert.True(t, r.sent()[0].streamed)
	assert.Len(t, r.sent(), 1)
	assert.Zero(t, r.Calls.Count(), "the calls are lost, and the text before them is taken for the answer")
}

func TestO10_Bedrock_BindStreamsWhereThereAreNoTools(t *testing.T) {
	t.Parallel()
	r := bedrockAWS.begin(t, nil)
	r.script = []turn{{text: "A text that comes in pieces."}}
	var chunks int
	count := func(ctx context.Context, chunk []byte) error {
		chunks++
		return r.heard.take(ctx, chunk)
	}
	messages := []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeHuman, question)}
	bound := toolset.Bind(r.model, r.tools)
	_, err := bound.GenerateContent(t.Context(), messages, llms.WithStreamingFunc(count))
	require.NoError(t, err)
	assert.Equal(t, "A text that comes in pieces.", r.heard.text.String())
	assert.Greater(t, chunks, 1)
	assert.True(t, r.sent()[0].streamed)
}

// Gemini refuses a call right after another message of the model.
func TestO10_Google_RespondHasToKnowTheModel(t *testing.T) {
	t.Parallel()
	for _, p := range []provider{google, vertexAI} {
		r := p.begin(t, journeys["keys and digits"])
		messages := []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeHuman, question)}
		response, err := r.model.GenerateContent(t.Context(), messages)
		require.NoError(t, err)
		more, err := toolset.Respond(t.Context(), r.tools, response)
		require.NoError(t, err)
		_, err = r.model.GenerateContent(t.Context(), append(messages, more...))
		require.ErrorContains(t, err, "function call turn comes immediately after")
		assert.Len(t, r.refused(), 1)
	}
}

func TestE5_Anthropic_ArgumentsCutOffInAStreamEndTheRun(t *testing.T) {
	t.Parallel()
	r := claude.begin(t, nil)
	r.script = []turn{{calls: []call{{"call00001", "odd", `{"__arg1":"x","inp`}}}}
	_, err := r.agent(t, true)
	require.ErrorContains(t, err, "unexpected end of JSON input")
}

func TestE5_Bedrock_ArgumentsThatAreNoObject(t *testing.T) {
	t.Parallel()
	for way, drive := range ways {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			r := bedrockAWS.begin(t, []leg{{errands: []errand{either}}})
			r.script = append([]turn{{calls: []call{{"call00009", "search", `"a text"`}}}}, r.script...)
			_, err := drive(r, t, false)
			require.NoError(t, err)
			require.Empty(t, r.refused())
			assert.Contains(t, r.sent()[1].of(anAnswer)[0].text, "Error: ")
		})
	}
}

// An answer without any content, which models give after a tool they need not
// speak of, is an error of these packages.
func TestE5_AnthropicAndBedrock_AnEmptyAnswerEndsTheRun(t *testing.T) {
	t.Parallel()
	for _, p := range []provider{claude, bedrockAWS} {
		r := p.begin(t, []leg{{errands: []errand{now}}})
		r.script = append(r.script, turn{})
		_, err := r.agent(t, false)
		require.Error(t, err)
		assert.Equal(t, 1, r.Calls.Count(), "the tool has run")
	}
}

func TestO10_NativeOllama_SendsNoTools(t *testing.T) {
	t.Parallel()
	var asked object
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = json.NewDecoder(r.Body).Decode(&asked)
		writeJSON(w, object{"message": object{"role": "assistant", "content": "Hello."}, "done": true})
	}))
	t.Cleanup(web.Close)
	model, err := native.New(native.WithServerURL(web.URL), native.WithModel("qwen3:8b"))
	require.NoError(t, err)
	o := newOffice(t)
	var warnings []toolset.Warning
	bound := toolset.Bind(model, o.tools, toolset.WithOfferAll(), toolset.WithWarning(func(w toolset.Warning) { warnings = append(warnings, w) }))
	_, err = bound.GenerateContent(t.Context(), []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeHuman, question)})
	require.NoError(t, err)
	assert.NotContains(t, asked, "tools")
	assert.Contains(t, fmt.Sprint(warnings), "does not send tools")
}

// Where Google's API could not read a call, LangChainGo gives an answer without
// text, and no error: its agent takes it for the final one, ours does not.
func TestE5_Google_ACallThatTheAPICouldNotRead(t *testing.T) {
	t.Parallel()
	for _, p := range []provider{google, vertexAI} {
		for _, streaming := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, streaming %t", p.name, streaming), func(t *testing.T) {
				t.Parallel()
				r := p.begin(t, nil)
				r.script = []turn{{malformed: true}, {malformed: true}}
				answer, err := r.agent(t, streaming)
				require.NoError(t, err)
				assert.Empty(t, answer)
				_, err = r.assistant(t, streaming)
				assert.ErrorIs(t, err, agent.ErrNoAnswer)
			})
		}
	}
}
