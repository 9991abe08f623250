package chat

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/tmc/langchaingo/llms"
)

// Reading says how Response is to read a provider's answer. The zero Reading
// takes all choices as parts of one answer and leaves arguments as they are.
type Reading struct {
	// Alternatives says that the choices are candidates to choose from. They
	// are repaired one by one and not merged.
	Alternatives bool
	// IDs are those of the request's history, nil for none. Response adds the
	// ones it invents.
	IDs *IDs
	// Bridged tells for which tools the agent unwraps the Bridge property
	// though their schema has no need of it (see Bridged). Nil is none.
	Bridged func(name string) bool
}

// Response returns a repaired copy of what a provider answered:
//
//   - choices that are nil are left out, and the others merged into one:
//     Anthropic gives each block of its answer as a choice, and readers of the
//     first choice would take the text before a call for the final answer
//   - each call has an id of its own, a type, a name and a function; a call
//     given only in the legacy field FuncCall is among the ToolCalls, and
//     FuncCall is the first of them
//   - pieces of a call's arguments that a stream left behind as calls without
//     id and name are put together again
//
// A nil response is returned as nil.
func Response(response *llms.ContentResponse, r Reading) *llms.ContentResponse {
	if response == nil {
		return nil
	}
	if r.IDs == nil {
		r.IDs = NewIDs(nil)
	}
	choices := make([]*llms.ContentChoice, 0, len(response.Choices))
	for _, choice := range response.Choices {
		if choice != nil {
			choices = append(choices, copyChoice(choice))
		}
	}
	if !r.Alternatives && len(choices) > 1 {
		choices = []*llms.ContentChoice{merge(choices)}
	}
	for _, choice := range choices {
		r.repair(choice)
	}
	return &llms.ContentResponse{Choices: choices}
}

// copyChoice returns a choice whose calls and info can be written to, with
// the legacy call among the others.
func copyChoice(choice *llms.ContentChoice) *llms.ContentChoice {
	c := *choice
	c.GenerationInfo = maps.Clone(choice.GenerationInfo)
	c.ToolCalls = slices.Clone(choice.ToolCalls)
	if len(c.ToolCalls) == 0 && c.FuncCall != nil {
		c.ToolCalls = []llms.ToolCall{{FunctionCall: c.FuncCall}}
	}
	c.FuncCall = nil
	for i, call := range c.ToolCalls {
		c.ToolCalls[i] = copyCall(call)
	}
	return &c
}

// merge makes one choice of the parts of one answer. Of what can be there
// only once the first that says something counts.
func merge(choices []*llms.ContentChoice) *llms.ContentChoice {
	all := choices[0]
	for _, choice := range choices[1:] {
		all.Content = joinText(all.Content, choice.Content)
		all.ReasoningContent = joinText(all.ReasoningContent, choice.ReasoningContent)
		all.ToolCalls = append(all.ToolCalls, choice.ToolCalls...)
		if all.StopReason == "" {
			all.StopReason = choice.StopReason
		}
		all.GenerationInfo = mergeInfo(all.GenerationInfo, choice.GenerationInfo)
	}
	return all
}

func mergeInfo(into, from map[string]any) map[string]any {
	if into == nil {
		return from
	}
	for key, v := range from {
		if old := into[key]; old == nil || old == "" {
			into[key] = v
		}
	}
	return into
}

// repair completes the calls of the choice, which is ours.
func (r Reading) repair(choice *llms.ContentChoice) {
	choice.ToolCalls = joinFragments(choice.ToolCalls)
	for i := range choice.ToolCalls {
		call := &choice.ToolCalls[i]
		function := call.FunctionCall
		if function.Name == "" {
			function.Name = namelessTool
		}
		call.ID = r.IDs.claim(call.ID, function.Name, function.Arguments)
		if r.Bridged != nil && r.Bridged(function.Name) {
			function.Arguments = Bridged(function.Arguments)
		}
	}
	if len(choice.ToolCalls) > 0 {
		first := *choice.ToolCalls[0].FunctionCall
		choice.FuncCall = &first
	}
}

// joinFragments appends the arguments of a call without id and name to the
// call before it, as long as that one's are no complete JSON: LangChainGo's
// reader of OpenAI streams makes a call of each piece when a server repeats
// the call's type in it.
func joinFragments(calls []llms.ToolCall) []llms.ToolCall {
	whole := calls[:0:0]
	for _, call := range calls {
		last := len(whole) - 1
		if last < 0 || call.ID != "" || call.FunctionCall.Name != "" {
			whole = append(whole, call)
			continue
		}
		before := whole[last].FunctionCall
		switch {
		case !json.Valid([]byte(before.Arguments)):
			before.Arguments += call.FunctionCall.Arguments
		case !isBlank(call.FunctionCall.Arguments):
			whole = append(whole, call)
		}
	}
	return whole
}
