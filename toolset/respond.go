package toolset

import (
	"context"
	"fmt"
	"strings"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/tools"

	"github.com/mcptoolset/mcptoolset/internal/chat"
)

// Execute runs one call of a model with the tool it names and returns the
// response to it. The tool is found by its exact name, else without regard to
// case; of several the last counts, as in LangChainGo's Executor.
//
// The response carries the call's id, even an empty one, and the tool's name.
// Its content is never empty. A call that names no tool, or none of ts, is
// answered with a text that begins with "Error:" and lists the names there
// are but for tools that are switched off, so that the model can try again; the error is nil then.
//
// A Definer gets the arguments as the model wrote them. Any other tool gets
// what LangChainGo's OpenAIFunctionsAgent would give it: the string under
// __arg1, or the arguments verbatim where there is none. Where the JSON around
// it is broken or cut off, the response says so, and the tool is not called.
//
// An error of the tool is returned as it is, with a response whose content
// says the same, for callers who would rather go on. Execute may be called
// concurrently as far as the tools may.
func Execute(ctx context.Context, ts []tools.Tool, call llms.ToolCall) (llms.ToolCallResponse, error) {
	response := llms.ToolCallResponse{ToolCallID: call.ID}
	if call.FunctionCall == nil || call.FunctionCall.Name == "" {
		response.Content = "Error: the call names no tool. " + knownNames(ts)
		return response, nil
	}
	response.Name = call.FunctionCall.Name
	tool := toolNamed(ts, call.FunctionCall.Name)
	if tool == nil {
		response.Content = fmt.Sprintf("Error: there is no tool %s. %s", quotedName(call.FunctionCall.Name), knownNames(ts))
		return response, nil
	}
	response.Name = tool.Name()
	input, err := inputFor(tool, call.FunctionCall.Arguments)
	if err != nil {
		response.Content = errorText(err)
		return response, nil
	}
	output, err := tool.Call(ctx, input)
	if err != nil {
		response.Content = errorText(err)
		return response, err
	}
	response.Content = chat.Observation(output)
	return response, nil
}

// Respond runs all calls of a model's response, one after another and in their
// order, and returns the messages to append to the conversation, in the form
// that LangChainGo's providers take: the text of the response first, where
// there is one, as an AI message; then for each call an AI message with that
// call alone, and a tool message with its response. How a call is run, Execute
// says. Gemini alone wants the text and the first call in one message: the
// option WithModel tells whether it is Gemini. Other options mean nothing here.
//
// A response without calls gives its text alone, or no message at all. So
// fewer than two messages say that the model is done.
//
// To Respond the choices of a response are parts of one answer, as Anthropic
// gives them. Whoever asked for several candidates passes a response with the
// chosen one alone. A call in the legacy field FuncCall counts where a choice
// has no others. Missing ids are invented from the call's place, name and
// arguments, so that the same response gives the same ids. Arguments that are
// no JSON object are made one in the messages; the tool gets them as they were.
//
// When a tool returns an error, or ctx has ended, the calls after that are not
// run. The error is returned with all messages so far, the failed call and its
// response among them, so that the conversation can be kept.
func Respond(ctx context.Context, ts []tools.Tool, response *llms.ContentResponse, opts ...DefinitionOption) ([]llms.MessageContent, error) {
	messages, err := respond(ctx, ts, response)
	if form := newDefinitionOptions(opts).provider.Form; form.TextWithCall {
		messages = chat.History(messages, form)
	}
	return messages, err
}

func respond(ctx context.Context, ts []tools.Tool, response *llms.ContentResponse) ([]llms.MessageContent, error) {
	whole := chat.Response(response, chat.Reading{})
	if whole == nil || len(whole.Choices) == 0 {
		return nil, nil
	}
	choice := whole.Choices[0]
	var messages []llms.MessageContent
	if strings.TrimSpace(choice.Content) != "" {
		messages = append(messages, llms.TextParts(llms.ChatMessageTypeAI, choice.Content))
	}
	for _, call := range choice.ToolCalls {
		if err := ctx.Err(); err != nil {
			return messages, err
		}
		answer, err := Execute(ctx, ts, call)
		messages = append(messages, chat.Exchange(call, answer)...)
		if err != nil {
			return messages, err
		}
	}
	return messages, nil
}

func toolNamed(ts []tools.Tool, name string) tools.Tool {
	var found tools.Tool
	exact := false
	for _, t := range ts {
		switch {
		case isNilTool(t):
		case t.Name() == name:
			found, exact = t, true
		case !exact && strings.EqualFold(t.Name(), name):
			found = t
		}
	}
	return found
}

// inputFor is what a tool's Call is given for the arguments of a call.
func inputFor(t tools.Tool, arguments string) (string, error) {
	if _, ok := t.(Definer); ok {
		return arguments, nil
	}
	return chat.Input(arguments)
}

// maxListed bounds how many names an observation lists.
const maxListed = 100

// knownNames lists the tools that may be called now.
func knownNames(ts []tools.Tool) string {
	ts = on(lastOfEach(ts))
	if len(ts) == 0 {
		return "There are no tools."
	}
	names := make([]string, 0, min(len(ts), maxListed))
	for _, t := range ts[:min(len(ts), maxListed)] {
		names = append(names, t.Name())
	}
	text := "The tools are: " + strings.Join(names, ", ")
	if more := len(ts) - len(names); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text + "."
}

// maxQuoted bounds how much of a model's text an observation repeats.
const maxQuoted = 100

func quotedName(name string) string {
	if runes := []rune(name); len(runes) > maxQuoted {
		name = string(runes[:maxQuoted]) + "…"
	}
	return fmt.Sprintf("%q", name)
}

// errorText says an error as a tool's output does, once.
func errorText(err error) string {
	text := err.Error()
	if strings.HasPrefix(text, "Error:") {
		return text
	}
	return "Error: " + text
}
