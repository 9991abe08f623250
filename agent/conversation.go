package agent

import (
	"context"
	"fmt"
	"slices"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/schema"
)

// conversation is what the model is sent: the system message, the owner's own
// messages, what was said before, the question, and the steps since.
func (o *options) conversation(ctx context.Context, steps []schema.AgentStep, inputs map[string]string) ([]llms.MessageContent, error) {
	question, ok := inputs[questionKey]
	if !ok {
		return nil, ErrNoQuestion
	}
	var messages []llms.MessageContent
	if system := o.system(); system != "" {
		messages = append(messages, llms.TextParts(llms.ChatMessageTypeSystem, system))
	}
	extra, err := o.extraMessages(inputs)
	if err != nil {
		return nil, err
	}
	before, err := o.before(ctx, inputs)
	if err != nil {
		return nil, err
	}
	messages = slices.Concat(messages, extra, before)
	messages = append(messages, llms.TextParts(llms.ChatMessageTypeHuman, question))
	return append(messages, stepMessages(steps)...), nil
}

// extraMessages are those of WithExtraMessages, filled with the inputs.
func (o *options) extraMessages(inputs map[string]string) ([]llms.MessageContent, error) {
	values := make(map[string]any, len(inputs))
	for key, input := range inputs {
		values[key] = input
	}
	var messages []llms.MessageContent
	for _, formatter := range o.extra {
		formatted, err := formatter.FormatMessages(values)
		if err != nil {
			return nil, fmt.Errorf("agent: extra message: %w", err)
		}
		messages = append(messages, contents(formatted)...)
	}
	return messages, nil
}

// variables are the inputs that the extra messages ask for.
func (o *options) variables() []string {
	var names []string
	for _, formatter := range o.extra {
		names = append(names, formatter.GetInputVariables()...)
	}
	return names
}

// before is what was said before the question.
func (o *options) before(ctx context.Context, inputs map[string]string) ([]llms.MessageContent, error) {
	if o.history != nil {
		said, err := o.history(ctx)
		if err != nil {
			return nil, fmt.Errorf("agent: history: %w", err)
		}
		return contents(said), nil
	}
	asked := o.variables()
	var messages []llms.MessageContent
	for _, key := range o.historyKeys {
		text := inputs[key]
		if isBlank(text) || slices.Contains(asked, key) {
			continue
		}
		// It is no system message: others than the owner had their say in it.
		messages = append(messages, llms.TextParts(llms.ChatMessageTypeHuman, "The conversation so far:\n\n"+text))
	}
	return messages, nil
}

// stepMessages are the calls and observations of a run, from nothing but its
// steps. Each is written down as it was; toolset.Bind brings them into the form
// that the provider takes.
func stepMessages(steps []schema.AgentStep) []llms.MessageContent {
	var messages []llms.MessageContent
	for _, step := range steps {
		action := step.Action
		if action.Tool == "" { // the Executor's own, after an answer it could not use
			if !isBlank(step.Observation) {
				messages = append(messages, llms.TextParts(llms.ChatMessageTypeHuman, step.Observation))
			}
			continue
		}
		call := llms.MessageContent{Role: llms.ChatMessageTypeAI}
		if !isBlank(action.Log) {
			call.Parts = append(call.Parts, llms.TextContent{Text: action.Log})
		}
		call.Parts = append(call.Parts, llms.ToolCall{
			ID:           action.ToolID,
			Type:         "function",
			FunctionCall: &llms.FunctionCall{Name: action.Tool, Arguments: action.ToolInput},
		})
		response := llms.ToolCallResponse{ToolCallID: action.ToolID, Name: action.Tool, Content: step.Observation}
		messages = append(messages, call, llms.MessageContent{
			Role:  llms.ChatMessageTypeTool,
			Parts: []llms.ContentPart{response},
		})
	}
	return messages
}
