package providers

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/agents"
	"github.com/tmc/langchaingo/chains"
	"github.com/tmc/langchaingo/llms"

	"github.com/mcptoolset/mcptoolset/agent"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// The conversations that all providers are put through.

// A provider is one of LangChainGo's packages and the API it is made for.
type provider struct {
	name    string
	start   func(t *testing.T, tp *tape) llms.Model
	profile toolset.Profile
	dialect dialect
	image   toolset.ImageForm
	ids     bool // its API has ids for calls
	digits  bool // the package keeps all digits of a number in arguments
	words   bool // its API gives arguments as a text, whatever that says
	late    bool // the package loses the calls of a stream, so that Bind asks for none
	// unfinished says that the package cannot answer calls.
	unfinished bool
	chat       bool // the package asks for a stream whether the caller does or not
}

// A dialect is how a model writes arguments for what it was shown.
type dialect int

const (
	asSent      dialect = iota // the server's own keys
	asAnthropic                // keys renamed, large numbers as text
	asGemini                   // deep values as JSON text too
	asVertex                   // all objects and arrays as JSON text
)

// An errand is a call: the server's tool, the arguments in each dialect, and
// what the server has to get.
type errand struct {
	tool    string
	written [4]string
	want    string
}

var (
	search = errand{"search", [4]string{
		`{"$top":5,"filter[name]":"a<b&c","where":{"op":"eq","value":null}}`,
		`{"_top":5,"filter_name_":"a<b&c","where":{"op":"eq","value":null}}`,
		`{"_top":5,"filter_name_":"a<b&c","where":{"op":"eq","value":null}}`,
		`{"_top":5,"filter_name_":"a<b&c","where":"{\"op\":\"eq\",\"value\":null}"}`,
	}, `{"$top":5,"filter[name]":"a<b&c","where":{"op":"eq","value":null}}`}
	ledger = errand{"ledger", [4]string{
		`{"account":9007199254740993,"entries":[{"id":18446744073709551617,"amount":0.10}]}`,
		`{"account":"9007199254740993","entries":[{"id":"18446744073709551617","amount":"0.10"}]}`,
		`{"account":"9007199254740993","entries":[{"id":"18446744073709551617","amount":"0.10"}]}`,
		`{"account":"9007199254740993","entries":"[{\"id\":18446744073709551617,\"amount\":0.10}]"}`,
	}, `{"account":9007199254740993,"entries":[{"id":18446744073709551617,"amount":0.10}]}`}
	plan = errand{planName, [4]string{
		`{"plan":{"stages":[{"jobs":[{"step":{"on":true,"$id":7}}]}]}}`,
		`{"plan":{"stages":[{"jobs":[{"step":{"on":true,"_id":7}}]}]}}`,
		`{"plan":{"stages":[{"jobs":"[{\"step\":{\"on\":true,\"$id\":7}}]"}]}}`,
		`{"plan":"{\"stages\":[{\"jobs\":[{\"step\":{\"on\":true,\"$id\":7}}]}]}"}`,
	}, `{"plan":{"stages":[{"jobs":[{"step":{"on":true,"$id":7}}]}]}}`}
	odd    = same("odd", `{"__arg1":"x","input":"{\"__arg1\":1}"}`)
	now    = same("now", `{}`)
	either = same("either", `{"name":"n"}`)
)

// same is an errand that is written alike in all dialects.
func same(tool, arguments string) errand {
	return errand{tool, [4]string{arguments, arguments, arguments, arguments}, arguments}
}

// A leg is one turn of the model in a journey.
type leg struct {
	text    string
	errands []errand
}

// journeys are two calls at once, then one more; the answer follows.
var journeys = map[string][]leg{
	"keys and digits":            {{"I look at both.", []errand{search, ledger}}, {"", []errand{plan}}},
	"odd, none, and twice alike": {{"Let me see.", []errand{odd, now}}, {"", []errand{now}}, {"And again.", []errand{now, either}}},
}

const question = "What is to be done?"

// A run is one conversation over a provider.
type run struct {
	provider
	*office
	*tape
	model llms.Model
	legs  []leg
	heard heard
}

// begin sets the stage for a journey.
func (p provider) begin(t *testing.T, legs []leg) *run {
	t.Helper()
	r := &run{provider: p, office: newOffice(t), tape: new(tape), legs: legs}
	n := 0
	for _, l := range legs {
		says := turn{text: l.text}
		for _, e := range l.errands {
			c := call{name: r.shown(t, e.tool), arguments: e.written[p.dialect]}
			if n++; p.ids {
				c.id = fmt.Sprintf("call%05d", n)
			}
			says.calls = append(says.calls, c)
		}
		r.script = append(r.script, says)
	}
	r.model = p.start(t, r.tape)
	return r
}

// heard collects what a streaming function is given.
type heard struct {
	mu   sync.Mutex
	text strings.Builder
}

func (h *heard) take(_ context.Context, chunk []byte) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.text.Write(chunk)
	return nil
}

// agent runs LangChainGo's own agent, as it is, over the bound model.
func (r *run) agent(t *testing.T, streaming bool) (string, error) {
	t.Helper()
	var opts []chains.ChainCallOption
	if streaming {
		opts = append(opts, chains.WithStreamingFunc(r.heard.take))
	}
	theirs := agents.NewOpenAIFunctionsAgent(toolset.Bind(r.model, r.tools), r.tools, agents.NewOpenAIOption().WithSystemMessage("Be brief."))
	return chains.Run(t.Context(), agents.NewExecutor(theirs), question, opts...)
}

// assistant runs the library's own agent over the model as it is.
func (r *run) assistant(t *testing.T, streaming bool) (string, error) {
	t.Helper()
	var opts []chains.ChainCallOption
	if streaming {
		opts = append(opts, chains.WithStreamingFunc(r.heard.take))
	}
	assistant := agent.New(r.model, r.tools, agent.WithSystemMessage("Be brief."))
	return chains.Run(t.Context(), agents.NewExecutor(assistant), question, opts...)
}

// loop is a hand-written one, over the model as it is.
func (r *run) loop(t *testing.T, streaming bool) (string, error) {
	t.Helper()
	return r.turns(t, r.model, streaming, llms.WithTools(toolset.Definitions(r.tools, toolset.WithModel(r.model))))
}

// boundLoop is a hand-written one over the bound model.
func (r *run) boundLoop(t *testing.T, streaming bool) (string, error) {
	t.Helper()
	return r.turns(t, toolset.Bind(r.model, r.tools, toolset.WithOfferAll()), streaming)
}

const maxTurns = 8

func (r *run) turns(t *testing.T, model llms.Model, streaming bool, opts ...llms.CallOption) (string, error) {
	t.Helper()
	if streaming {
		opts = append(opts, llms.WithStreamingFunc(r.heard.take))
	}
	messages := []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeSystem, "Be brief."), llms.TextParts(llms.ChatMessageTypeHuman, question)}
	for range maxTurns {
		response, err := model.GenerateContent(t.Context(), messages, opts...)
		if err != nil {
			return "", err
		}
		more, err := toolset.Respond(t.Context(), r.tools, response, toolset.WithModel(model))
		if err != nil {
			return "", err
		}
		if len(more) == 1 {
			return fmt.Sprint(more[0].Parts[0]), nil
		}
		messages = append(messages, more...)
	}
	return "", fmt.Errorf("no end after %d turns", maxTurns)
}

// Ways to drive a conversation that differ in what they keep and say.
const (
	theirAgent = "LangChainGo's agent"
	ownAgent   = "own agent"
)

// ways are those to drive a conversation.
var ways = map[string]func(r *run, t *testing.T, streaming bool) (string, error){
	theirAgent: (*run).agent, ownAgent: (*run).assistant, "loop": (*run).loop, "bound loop": (*run).boundLoop,
}

// conversations puts a provider through all journeys in all ways.
func (p provider) conversations(t *testing.T) {
	for way, drive := range ways {
		for name, legs := range journeys {
			for _, streaming := range []bool{false, true} {
				if way == "loop" && p.late && streaming {
					continue // see TestO10_Bedrock_AStreamHasNoCalls
				}
				t.Run(fmt.Sprintf("%s, streaming %t, %s", way, streaming, name), func(t *testing.T) {
					t.Parallel()
					r := p.begin(t, legs)
					answer, err := drive(r, t, streaming)
					require.Empty(t, r.refused())
					require.NoError(t, err)
					r.check(t, answer, streaming, way != theirAgent)
				})
			}
		}
	}
}

// check looks at both wires after the conversation. withText tells whether the
// text beside calls has to be in the history: LangChainGo's agent drops it.
func (r *run) check(t *testing.T, answer string, streaming, withText bool) {
	t.Helper()
	got := r.checkServer(t)
	requests := r.sent()
	require.Len(t, requests, len(r.legs)+1)
	for _, request := range requests {
		assert.Equal(t, r.chat || streaming && !r.late, request.streamed)
		assert.Equal(t, "Be brief.", request.system)
		require.Len(t, request.tools, len(r.tools))
	}
	r.checkHistory(t, requests[len(requests)-1].parts, got, withText)
	final := "It says: " + got[len(got)-1]
	assert.Equal(t, final, answer)
	if streaming {
		assert.Contains(t, r.heard.text.String(), final)
		assert.Contains(t, r.heard.text.String(), r.legs[0].text)
	}
}

// checkServer looks at what reached the MCP server and gives what it answered.
func (r *run) checkServer(t *testing.T) []string {
	t.Helper()
	var errands []errand
	for _, l := range r.legs {
		errands = append(errands, l.errands...)
	}
	calls := r.Calls.All()
	require.Len(t, calls, len(errands))
	var answers []string
	for i, e := range errands {
		assert.Equal(t, e.tool, calls[i].Tool, "the server's own name")
		assert.Equal(t, exact(t, e.want), exact(t, string(calls[i].Arguments)))
		answers = append(answers, e.tool+" got "+string(calls[i].Arguments))
	}
	return answers
}

// checkHistory looks at the parts of the last request: each call alone, with
// its answer right after it.
func (r *run) checkHistory(t *testing.T, parts []part, answers []string, withText bool) {
	t.Helper()
	want := []part{{kind: fromUser, text: question}}
	n := 0
	for i, l := range r.legs {
		if l.text != "" && withText {
			want = append(want, part{kind: fromModel, text: l.text})
		}
		for j := range l.errands {
			c := r.script[i].calls[j]
			want = append(want, part{kind: aCall, call: c}, part{kind: anAnswer, call: c, text: answers[n]})
			n++
		}
	}
	require.Len(t, parts, len(want), "%+v", parts)
	for i, p := range parts {
		assert.JSONEq(t, orEmpty(want[i].call.arguments), orEmpty(p.call.arguments))
		want[i].call.arguments, p.call.arguments = "", ""
		assert.Equal(t, want[i], p, "part %d", i)
	}
}

func orEmpty(arguments string) string {
	if arguments == "" {
		return "{}"
	}
	return arguments
}

// exact decodes JSON such that all digits count, and the order of keys does
// not.
func exact(t *testing.T, text string) any {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader([]byte(text)))
	dec.UseNumber()
	var v any
	require.NoError(t, dec.Decode(&v), "%s", text)
	return v
}
