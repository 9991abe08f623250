package agent

import (
	"context"
	"slices"

	"github.com/tmc/langchaingo/callbacks"
	"github.com/tmc/langchaingo/chains"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/prompts"

	"github.com/mcptoolset/mcptoolset/toolset"
)

// An Option changes what New makes. A nil Option changes nothing.
type Option func(*options)

type options struct {
	systemMessage string
	instructions  []string
	extra         []prompts.MessageFormatter
	history       func(ctx context.Context) ([]llms.ChatMessage, error)
	historyKeys   []string
	outputKey     string
	handler       callbacks.Handler
	call          []llms.CallOption
	bind          []toolset.BindOption
}

func newOptions(opts []Option) options {
	o := options{outputKey: "output", historyKeys: []string{"history", "chat_history"}}
	for _, opt := range opts {
		if opt != nil {
			opt(&o)
		}
	}
	return o
}

// WithSystemMessage sets the text that begins each request. It is sent as it
// is: unlike that of LangChainGo's agents it is no template. By default there
// is none.
func WithSystemMessage(text string) Option {
	return func(o *options) { o.systemMessage = text }
}

// WithExtraMessages adds messages between the system message and the question,
// made anew for each request from LangChainGo's prompt templates, with the
// run's inputs as variables. Their variables become input keys of the agent. It
// may be given several times; nil formatters are left out. By default there are
// none.
//
// Only what the owner wrote belongs into a template. Texts of servers and
// users belong into its variables.
func WithExtraMessages(formatters ...prompts.MessageFormatter) Option {
	return func(o *options) {
		for _, formatter := range formatters {
			if formatter != nil {
				o.extra = append(o.extra, formatter)
			}
		}
	}
}

// WithHistory has the agent ask said, once for each request and with the run's
// ctx, for the messages before the question. They are sent as what they are,
// calls and observations among them, in place of the text of WithHistoryKeys.
// The method Messages of any schema.ChatMessageHistory is such a function:
//
//	said := memory.NewChatMessageHistory()
//	assistant := agent.New(llm, tools, agent.WithHistory(said.Messages))
//	executor := agents.NewExecutor(assistant,
//		agents.WithMemory(memory.NewConversationBuffer(memory.WithChatHistory(said))))
//
// Where conversations run side by side, said finds the right one by ctx. An
// error of it ends the run. By default, and for nil, there is none.
func WithHistory(said func(ctx context.Context) ([]llms.ChatMessage, error)) Option {
	return func(o *options) { o.history = said }
}

// WithHistoryKeys sets the inputs under which an Executor's memory gives what
// was said before, as one text. It is sent in a message of its own before the
// question, unless it is blank or an extra message has such a variable. No keys
// send none. By default they are "history", as LangChainGo's memories have it,
// and "chat_history", so that an Executor with a memory needs no option.
func WithHistoryKeys(keys ...string) Option {
	keys = slices.Clone(keys)
	return func(o *options) { o.historyKeys = keys }
}

// WithOutputKey sets the key of the answer among an Executor's outputs. By
// default, and for an empty key, it is "output".
func WithOutputKey(key string) Option {
	return func(o *options) {
		if key != "" {
			o.outputKey = key
		}
	}
}

// WithCallbacksHandler has the handler told of the pieces of the model's answers
// (HandleStreamingFunc), and so has the provider send them piece by piece. A
// streaming function or a handler among the options of a run, or a streaming
// function of WithCallOptions, goes before it. Of actions, tools and the end an
// Executor, the tools and the model tell the handlers they have themselves. By
// default, and for nil, there is none.
func WithCallbacksHandler(handler callbacks.Handler) Option {
	return func(o *options) { o.handler = handler }
}

// WithCallOptions adds options to each request, such as llms.WithTemperature.
// Those of a run (chains.WithTemperature and the like) go before them. Tools
// among them are not sent: an agent offers those that New was given. Nil options
// are left out. It may be given several times. By default there are none.
func WithCallOptions(call ...llms.CallOption) Option {
	return func(o *options) {
		for _, option := range call {
			if option != nil {
				o.call = append(o.call, option)
			}
		}
	}
}

// WithBindOptions says how the tools are shown, in the words of toolset.Bind:
// toolset.WithProfile, WithToolLimit, WithWarning and the others. It may be
// given several times. By default the profile is that of the model's provider.
func WithBindOptions(bind ...toolset.BindOption) Option {
	return func(o *options) { o.bind = append(o.bind, bind...) }
}

// callOptions are those of one request.
func (o *options) callOptions(run []chains.ChainCallOption) []llms.CallOption {
	ofRun := chains.GetLLMCallOptions(run...)
	return append(slices.Concat(o.call, ofRun),
		// Those of a run set it in any case, to nil as well.
		llms.WithStreamingFunc(o.streamingFunc(ofRun)),
		llms.WithTools(nil),
		llms.WithFunctions(nil),
	)
}

// streamingFunc is the one that goes before the others.
func (o *options) streamingFunc(ofRun []llms.CallOption) func(ctx context.Context, chunk []byte) error {
	for _, given := range [][]llms.CallOption{ofRun, o.call} {
		var asked llms.CallOptions
		for _, option := range given {
			option(&asked)
		}
		if asked.StreamingFunc != nil {
			return asked.StreamingFunc
		}
	}
	if o.handler == nil {
		return nil
	}
	return func(ctx context.Context, chunk []byte) error {
		o.handler.HandleStreamingFunc(ctx, chunk)
		return nil
	}
}
