package main

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/tmc/langchaingo/llms"
)

// standIn is a model that needs no network. It reads the definitions it is
// given, takes for each part of the question the tool whose words fit best,
// fills the arguments from the part, and answers with what it observed.
type standIn struct{}

var _ llms.Model = standIn{}

// GenerateContent implements llms.Model.
func (standIn) GenerateContent(_ context.Context, messages []llms.MessageContent, options ...llms.CallOption) (*llms.ContentResponse, error) {
	var given llms.CallOptions
	for _, option := range options {
		option(&given)
	}
	question, observed := read(messages)
	calls := plan(question, given.Tools)
	choice := &llms.ContentChoice{}
	switch done := len(observed); {
	case len(calls) == 0:
		choice.Content = "None of the tools fits the question."
	case done < len(calls):
		choice.ToolCalls = []llms.ToolCall{calls[done]}
		choice.ToolCalls[0].ID = fmt.Sprintf("call_%d", done+1)
	default:
		choice.Content = "The tools say: " + strings.Join(observed, "; ")
	}
	return &llms.ContentResponse{Choices: []*llms.ContentChoice{choice}}, nil
}

// Call implements llms.Model.
func (m standIn) Call(ctx context.Context, prompt string, options ...llms.CallOption) (string, error) {
	return llms.GenerateFromSinglePrompt(ctx, m, prompt, options...)
}

// read finds the question and what was observed since.
func read(messages []llms.MessageContent) (question string, observed []string) {
	for _, message := range messages {
		for _, part := range message.Parts {
			switch part := part.(type) {
			case llms.TextContent:
				if message.Role == llms.ChatMessageTypeHuman {
					question, observed = part.Text, nil
				}
			case llms.ToolCallResponse:
				observed = append(observed, part.Content)
			}
		}
	}
	return question, observed
}

var (
	// part ends where a sentence or a list of questions goes on. Text in
	// quotes and decimal points are not torn.
	part    = regexp.MustCompile(`"[^"]*"|[?!;]|[.,](?:\s|$)|\band\b`)
	quoted  = regexp.MustCompile(`"([^"]*)"`)
	number  = regexp.MustCompile(`-?\d+(?:\.\d+)?`)
	word    = regexp.MustCompile(`\pL+`)
	opening = regexp.MustCompile(`(?i)^\W*(?:please\s+)?\pL+\s+`)
)

// plan is one call for each part of the question that a tool fits.
func plan(question string, tools []llms.Tool) []llms.ToolCall {
	var calls []llms.ToolCall
	for _, clause := range clauses(question) {
		var best *llms.FunctionCall
		score := 0
		for _, tool := range tools {
			if tool.Function == nil {
				continue
			}
			if fit := fits(clause, *tool.Function); fit > score {
				if arguments, ok := fill(clause, tool.Function.Parameters); ok {
					best, score = &llms.FunctionCall{Name: tool.Function.Name, Arguments: arguments}, fit
				}
			}
		}
		if best != nil {
			calls = append(calls, llms.ToolCall{Type: "function", FunctionCall: best})
		}
	}
	return calls
}

func clauses(question string) []string {
	var all []string
	from := 0
	for _, at := range part.FindAllStringIndex(question, -1) {
		if question[at[0]] == '"' {
			continue
		}
		all = append(all, question[from:at[0]])
		from = at[1]
	}
	return append(all, question[from:])
}

// fits counts the words a clause shares with a tool. Those of its name count
// most.
func fits(clause string, tool llms.FunctionDefinition) int {
	parameters, _ := json.Marshal(tool.Parameters) // a map of plain values
	score := 0
	for heard := range wordsOf(quoted.ReplaceAllString(clause, "")) {
		for text, weight := range map[string]int{tool.Name: 4, string(parameters): 2, tool.Description: 1} {
			if wordsOf(strings.ReplaceAll(text, "_", " "))[heard] {
				score += weight
			}
		}
	}
	return score
}

// dull words say nothing about a tool.
var dull = map[string]bool{
	"a": true, "an": true, "the": true, "is": true, "are": true, "what": true, "how": true, "many": true, "much": true,
	"in": true, "of": true, "to": true, "with": true, "for": true, "and": true, "or": true, "it": true, "type": true,
	"string": true, "number": true, "object": true, "property": true, "required": true, "description": true, "tool": true,
}

func wordsOf(text string) map[string]bool {
	found := map[string]bool{}
	for _, w := range word.FindAllString(strings.ToLower(text), -1) {
		if w = strings.TrimSuffix(w, "s"); !dull[w] && len(w) > 1 {
			found[w] = true
		}
	}
	return found
}

// schema is what the stand-in understands of a tool's parameters.
type schema struct {
	Properties map[string]struct {
		Type any      `json:"type"`
		Enum []string `json:"enum"`
	} `json:"properties"`
	Required []string `json:"required"`
}

// fill takes the required arguments from a clause, in the order of both.
func fill(clause string, parameters any) (string, bool) {
	encoded, err := json.Marshal(parameters)
	var s schema
	if err != nil || json.Unmarshal(encoded, &s) != nil {
		return "", false
	}
	numbers := number.FindAllString(quoted.ReplaceAllString(clause, ""), -1)
	arguments := map[string]any{}
	rest := clause
	for _, name := range s.Required {
		property := s.Properties[name]
		switch {
		case property.Enum != nil:
			value, at := first(rest, property.Enum)
			if at < 0 {
				return "", false
			}
			arguments[name] = value
			rest = rest[at+len(value):]
		case property.Type == "number", property.Type == "integer":
			if len(numbers) == 0 {
				return "", false
			}
			arguments[name] = json.Number(numbers[0])
			numbers = numbers[1:]
		case property.Type == "string":
			arguments[name] = textOf(clause)
		default:
			return "", false
		}
	}
	out, err := json.Marshal(arguments)
	return string(out), err == nil
}

// first is the allowed value that comes first in a text.
func first(text string, allowed []string) (string, int) {
	value, at := "", -1
	for _, candidate := range allowed {
		if i := strings.Index(strings.ToLower(text), strings.ToLower(candidate)); i >= 0 && (at < 0 || i < at) {
			value, at = candidate, i
		}
	}
	return value, at
}

// textOf is the text in quotes, or else the clause without its first word.
func textOf(clause string) string {
	if found := quoted.FindStringSubmatch(clause); found != nil {
		return found[1]
	}
	return strings.TrimSpace(opening.ReplaceAllString(clause, ""))
}
