package agent

import (
	"context"
	"errors"
	"slices"

	"github.com/tmc/langchaingo/agents"
	"github.com/tmc/langchaingo/chains"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/schema"
	"github.com/tmc/langchaingo/tools"

	"github.com/mcptoolset/mcptoolset/toolset"
)

// questionKey is the input that holds the question, as with all of
// LangChainGo's agents.
const questionKey = "input"

// ErrNoQuestion is returned by Plan when the input "input" is missing.
var ErrNoQuestion = errors.New(`agent: there is no input "input"`)

// Agent decides by a model's tool calls what an Executor does next. It
// implements agents.Agent of LangChainGo. It is made by New, does not change,
// and may be used by many runs at a time, as far as model, tools and what the
// options were given may.
type Agent struct {
	model   llms.Model
	tools   []tools.Tool
	options options
}

var _ agents.Agent = (*Agent)(nil)

// New returns an agent that calls these tools with this model. It does no I/O.
//
// A tool that is a toolset.Definer, as all tools of a Toolset are, shows the
// model its own schema, and its Call gets the arguments as the model wrote
// them. Any other tool is shown with one string argument, and its Call gets
// that string.
//
// Nil tools are left out. Of tools whose names are equal, or differ only in
// case, only the last is offered, as an Executor calls no other; a warning says
// so (see toolset.WithWarning). A nil model gives toolset.ErrNoModel on use.
func New(model llms.Model, ts []tools.Tool, opts ...Option) *Agent {
	o := newOptions(opts)
	offered := callable(ts)
	// Bind will not see those that are not offered, nor warn of them.
	toolset.Definitions(namesakes(ts), o.bind...)
	bind := append(slices.Clip(o.bind), toolset.WithOfferAll())
	return &Agent{model: toolset.Bind(model, offered, bind...), tools: offered, options: o}
}

// Plan implements agents.Agent: it asks the model once, and returns an action
// for each call of its answer, or what it said where there is no call.
//
// The error is the model's own, ctx's, ErrNoQuestion, that of a history or
// message formatter, or ErrNoAnswer.
func (a *Agent) Plan(
	ctx context.Context,
	steps []schema.AgentStep,
	inputs map[string]string,
	options ...chains.ChainCallOption,
) ([]schema.AgentAction, *schema.AgentFinish, error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	messages, err := a.options.conversation(ctx, steps, inputs)
	if err != nil {
		return nil, nil, err
	}
	response, err := a.model.GenerateContent(ctx, messages, a.options.callOptions(options)...)
	if err != nil {
		return nil, nil, err
	}
	choice, err := answerOf(response)
	if err != nil {
		return nil, nil, err
	}
	if len(choice.ToolCalls) > 0 {
		return actionsOf(choice), nil, nil
	}
	return nil, &schema.AgentFinish{
		ReturnValues: map[string]any{a.options.outputKey: choice.Content},
		Log:          choice.Content,
	}, nil
}

// GetInputKeys implements agents.Agent: "input", and the variables of the
// messages of WithExtraMessages.
func (a *Agent) GetInputKeys() []string {
	keys := []string{questionKey}
	for _, key := range a.options.variables() {
		if !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// GetOutputKeys implements agents.Agent: the key of WithOutputKey.
func (a *Agent) GetOutputKeys() []string { return []string{a.options.outputKey} }

// GetTools implements agents.Agent. The tools are those that are offered; one
// that is no toolset.Definer is wrapped, so that its Call takes the arguments
// as the model writes them.
func (a *Agent) GetTools() []tools.Tool { return slices.Clone(a.tools) }
