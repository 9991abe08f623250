package agent

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tmc/langchaingo/agents"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/schema"
)

// ErrNoAnswer is returned by Plan when the model answered with neither text nor
// a call: it spent all its tokens on thinking, say, or a filter kept its answer
// back. The text of the error tells the provider's reason to stop.
//
// It is an agents.ErrUnableToParseOutput too, so an Executor with a
// ParserErrorHandler tells the model and goes on. Without one the run ends.
var ErrNoAnswer = errors.New("the model answered with neither text nor a tool call")

// answerOf returns the choice that the answer is, completed by toolset.Bind. Of
// several candidates it is the first that says anything.
func answerOf(response *llms.ContentResponse) (*llms.ContentChoice, error) {
	reason := ""
	if response != nil {
		for _, choice := range response.Choices {
			if len(choice.ToolCalls) > 0 || !isBlank(choice.Content) {
				return choice, nil
			}
			if reason == "" {
				reason = choice.StopReason
			}
		}
	}
	if reason == "" {
		return nil, fmt.Errorf("%w: %w", agents.ErrUnableToParseOutput, ErrNoAnswer)
	}
	return nil, fmt.Errorf("%w: %w (it stopped with %.100q)", agents.ErrUnableToParseOutput, ErrNoAnswer, reason)
}

// actionsOf are the calls of an answer. The text beside them goes with the
// first, where stepMessages finds it again.
func actionsOf(choice *llms.ContentChoice) []schema.AgentAction {
	actions := make([]schema.AgentAction, len(choice.ToolCalls))
	for i, call := range choice.ToolCalls {
		actions[i] = schema.AgentAction{
			Tool:      call.FunctionCall.Name,
			ToolInput: call.FunctionCall.Arguments,
			ToolID:    call.ID,
		}
	}
	actions[0].Log = choice.Content
	return actions
}

func isBlank(text string) bool { return strings.TrimSpace(text) == "" }
