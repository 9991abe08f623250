package toolset

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/tools"

	"github.com/mcptoolset/mcptoolset/internal/chat"
)

// ErrNoModel is returned by a bound model that was given none.
var ErrNoModel = errors.New("no model bound")

// WithOfferAll has a bound model offer all its tools with each request that
// names none, for loops that do not want to pass definitions. By default such
// a request is sent without tools, because chains and text agents may use the
// same model. It changes nothing about Definitions.
func WithOfferAll() BindOption {
	return func(o *definitionOptions) { o.offerAll = true }
}

// Bind returns the model with the tools' real schemas bound to it:
//
//	agent := agents.NewOpenAIFunctionsAgent(toolset.Bind(llm, tools), tools)
//
// LangChainGo's OpenAIFunctionsAgent shows a model every tool with one string
// argument, __arg1, and writes histories and reads responses in ways that some
// providers refuse. The bound model sets both right on the way, so the agent
// works unmodified, over any provider that takes tools. Without Bind the agent
// works too, with __arg1 in place of the schemas.
//
// Tools named in a request, by llms.WithFunctions and llms.WithTools alike,
// are sent as tools, each name once. Those that are a Definer among ts get
// their own definition, whatever the request says of them. Parameters of all
// others are sent as given, as plain JSON values. A request that names no tools
// has none added (see WithOfferAll). The deprecated
// llms.WithFunctionCallBehavior becomes the tool choice, unless one is given.
// The history is brought into the form every provider takes: one call in each
// AI message, followed by its response, with ids, names, and JSON objects as
// arguments.
//
// In a response, choices that are parts of one answer are merged, and calls
// get ids where they have none. Where the request showed a Definer with the
// agent's __arg1, arguments that the agent would take apart wrongly are
// wrapped, so that Call gets exactly what the model wrote.
//
// The profile is that of the model's provider, found as WithModel says, unless
// WithProfile gives one. Call, streaming functions and SupportsReasoning are
// passed on to the model. LangChainGo's bedrock package drops calls from a
// stream: there a request with tools is sent without streaming, and the text
// handed to the streaming function at the end.
//
// Put Bind outside of llms/cache.Cacher, so that the cache sees the real
// definitions. A bound model may be bound again with other tools: each layer
// defines its own. Messages, options and responses are never changed, only
// copied. A bound model may be used concurrently as far as model may. It has a
// method Unwrap() llms.Model. A nil model gives ErrNoModel on use. Tools that
// are switched off at the time of a request ([Toolset.SwitchOff]) are not sent,
// and a tool choice that names one of them is taken out: the model is free then.
//
// What Bind cannot mend: LangChainGo's mistral package does not send the id of
// a call with its response, so a conversation with tools cannot be finished
// there. Its anthropic, bedrock and google packages decode arguments with
// float64, so integers beyond 2^53 reach the tool rounded unless the model
// writes them as text. See docs/providers.md.
func Bind(model llms.Model, ts []tools.Tool, opts ...BindOption) llms.Model {
	o := newDefinitionOptions(append([]BindOption{WithModel(model)}, opts...))
	o.check(ts)
	b := &boundModel{model: model, options: o, tools: lastOfEach(ts), definers: map[string]Definer{}}
	for _, t := range b.tools {
		if definer, ok := t.(Definer); ok {
			b.definers[t.Name()] = definer
		}
	}
	return b
}

// boundModel is what Bind returns. It is never written to after that, but for
// one flag.
type boundModel struct {
	model    llms.Model
	options  definitionOptions
	tools    []tools.Tool
	definers map[string]Definer
	crowded  atomic.Bool // a request with too many tools was reported
}

var _ llms.ReasoningModel = (*boundModel)(nil)

// GenerateContent implements llms.Model.
func (b *boundModel) GenerateContent(ctx context.Context, messages []llms.MessageContent, options ...llms.CallOption) (*llms.ContentResponse, error) {
	if b.model == nil {
		return nil, ErrNoModel
	}
	r := b.request(options, b.options.offerAll)
	history := chat.History(messages, b.options.provider.Form)
	response, err := b.model.GenerateContent(ctx, history, r.options...)
	if err != nil {
		return response, err
	}
	response = chat.Response(response, chat.Reading{
		Alternatives: b.options.provider.Alternatives(r.asked),
		IDs:          chat.NewIDs(history),
		Bridged:      func(name string) bool { return r.bridged[strings.ToUpper(name)] },
	})
	return response, r.stream(ctx, response)
}

// Call implements llms.Model.
func (b *boundModel) Call(ctx context.Context, prompt string, options ...llms.CallOption) (string, error) {
	if b.model == nil {
		return "", ErrNoModel
	}
	// The answer is text alone: tools are only sent where the caller names them.
	return b.model.Call(ctx, prompt, b.request(options, false).options...)
}

// SupportsReasoning implements llms.ReasoningModel. It is false for a model
// that does not.
func (b *boundModel) SupportsReasoning() bool {
	return llms.SupportsReasoningModel(b.model)
}

// Unwrap returns the model that was bound.
func (b *boundModel) Unwrap() llms.Model { return b.model }

// A boundRequest is one request on its way to the model.
type boundRequest struct {
	asked   llms.CallOptions
	options []llms.CallOption
	// bridged holds the Definers that the request showed with __arg1, so that
	// whoever asked will take it off the arguments again. The names are upper
	// case, as the Executor finds tools whatever case the model writes.
	bridged map[string]bool
	// late is the streaming function that gets the text only when the whole
	// answer is there.
	late func(ctx context.Context, chunk []byte) error
}

// request adds to the options what the tools in them need. It only appends:
// llms.WithOptions would overwrite the provider's own defaults.
func (b *boundModel) request(options []llms.CallOption, offerAll bool) boundRequest {
	r := boundRequest{options: withoutNil(options), bridged: map[string]bool{}}
	for _, option := range r.options {
		option(&r.asked)
	}
	sent := b.convert(&r)
	if len(sent) == 0 && offerAll {
		sent = defineAll(on(b.tools), b.options.profile)
	}
	switch {
	case len(sent) > 0:
	case len(r.asked.Tools)+len(r.asked.Functions) > 0:
		return r.without()
	default:
		return r
	}
	b.countTools(len(sent))
	r.options = append(r.options, llms.WithFunctions(nil), llms.WithTools(sent))
	r.choose(b.isOff)
	if b.options.provider.LosesStreamedCalls && r.asked.StreamingFunc != nil {
		r.late = r.asked.StreamingFunc
		r.options = append(r.options, llms.WithStreamingFunc(nil))
	}
	return r
}

func withoutNil(options []llms.CallOption) []llms.CallOption {
	kept := make([]llms.CallOption, 0, len(options)+4)
	for _, option := range options {
		if option != nil {
			kept = append(kept, option)
		}
	}
	return kept
}

// countTools reports the first request that is too large. Where ts alone are
// too many, Bind has said so already.
func (b *boundModel) countTools(n int) {
	o := &b.options
	if o.tooMany(n) && !o.tooMany(len(b.tools)) && !b.crowded.Swap(true) {
		o.warnTooMany(n)
	}
}

// convert returns the tools to send: those of the request's functions, then
// its tools, each name once and with the definition given last.
func (b *boundModel) convert(r *boundRequest) []llms.Tool {
	var sent []llms.Tool
	at := map[string]int{}
	add := func(t llms.Tool) {
		if i, ok := at[t.Function.Name]; ok {
			sent[i] = t
			return
		}
		at[t.Function.Name] = len(sent)
		sent = append(sent, t)
	}
	for i := range r.asked.Functions {
		if b.isOff(r.asked.Functions[i].Name) {
			continue
		}
		add(b.convertTool(llms.Tool{Function: &r.asked.Functions[i]}, r))
	}
	for _, t := range r.asked.Tools {
		if t.Function == nil {
			b.options.warn("", "a tool of type %q without a function was left out of a request", t.Type)
			continue
		}
		if b.isOff(t.Function.Name) {
			continue
		}
		add(b.convertTool(t, r))
	}
	return sent
}

// isOff reports whether a tool of this name was bound and is switched off now.
func (b *boundModel) isOff(name string) bool {
	definer, ok := b.definers[name]
	return ok && isOff(definer)
}

func (b *boundModel) convertTool(t llms.Tool, r *boundRequest) llms.Tool {
	function := *t.Function
	function.Parameters = plainParameters(function.Parameters)
	if definer, ok := b.definers[function.Name]; ok {
		if isBridge(function.Parameters) {
			r.bridged[strings.ToUpper(function.Name)] = true
		}
		function = definitionOf(definer, b.options.profile)
	}
	kind := t.Type
	if kind == "" {
		kind = "function"
	}
	return llms.Tool{Type: kind, Function: &function}
}

// plainParameters returns parameters as the maps, lists and strings that all of
// LangChainGo's packages read. Nothing becomes an object without properties.
// What is no JSON object stays, for the provider to refuse.
func plainParameters(parameters any) any {
	raw, ok := parameters.([]byte)
	if ok && len(raw) == 0 {
		return noParameters()
	}
	if !ok {
		var err error
		if raw, err = json.Marshal(parameters); err != nil {
			return parameters
		}
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber() // all digits
	var object map[string]any
	if err := dec.Decode(&object); err != nil {
		return parameters
	}
	if object == nil {
		return noParameters()
	}
	return object
}

// isBridge tells whether plain parameters are those the agent gives every
// tool. Its title tells them from a tool's own schema with such a property.
func isBridge(parameters any) bool {
	given, err := json.Marshal(parameters)
	if err != nil {
		return false
	}
	bridge, err := json.Marshal(bridgeParameters())
	return err == nil && bytes.Equal(given, bridge)
}

// without takes out what asks for tools, where none of them is left: a choice
// of a tool without tools is refused.
func (r boundRequest) without() boundRequest {
	r.options = append(r.options, llms.WithFunctions(nil), llms.WithTools(nil), llms.WithFunctionCallBehavior(""), llms.WithToolChoice(nil))
	return r
}

// choose turns the deprecated way of choosing a function into a tool choice:
// OpenAI refuses the old field beside tools. A choice of a tool that is off is
// taken out: providers refuse the name of a tool that they are not sent.
func (r *boundRequest) choose(isOff func(name string) bool) {
	behavior := string(r.asked.FunctionCallBehavior)
	if behavior != "" {
		r.options = append(r.options, llms.WithFunctionCallBehavior(""))
	}
	if r.asked.ToolChoice != nil {
		if isOff(chosenName(r.asked.ToolChoice)) {
			r.options = append(r.options, llms.WithToolChoice(nil))
		}
		return
	}
	name := chosenName(behavior)
	switch {
	case behavior == "", isOff(name):
	case name == behavior:
		r.options = append(r.options, llms.WithToolChoice(behavior))
	default:
		// Maps, since bedrock reads no other form.
		choice := map[string]any{"type": "function", "function": map[string]any{"name": name}}
		r.options = append(r.options, llms.WithToolChoice(choice))
	}
}

// chosenName is the tool that a choice names, in whichever form LangChainGo's
// packages take. A text that is no JSON object is its own name: "auto" is no
// tool that anybody binds.
func chosenName(choice any) string {
	raw, err := json.Marshal(choice)
	if err != nil {
		return ""
	}
	text, isText := choice.(string)
	if isText {
		raw = []byte(text)
	}
	var named struct {
		Name     string
		Function struct{ Name string }
	}
	switch {
	case json.Unmarshal(raw, &named) != nil:
	case named.Function.Name != "":
		return named.Function.Name
	case named.Name != "":
		return named.Name
	}
	return text
}

// stream hands the text of a response to a streaming function that was kept
// from the provider.
func (r *boundRequest) stream(ctx context.Context, response *llms.ContentResponse) error {
	if r.late == nil || response == nil {
		return nil
	}
	hasText := func(c *llms.ContentChoice) bool { return c.Content != "" }
	i := slices.IndexFunc(response.Choices, hasText)
	if i < 0 {
		return nil
	}
	if err := r.late(ctx, []byte(response.Choices[i].Content)); err != nil {
		return fmt.Errorf("streaming func returned an error: %w", err)
	}
	return nil
}
