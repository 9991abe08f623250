package mcptest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/tmc/langchaingo/llms"
)

// ErrScriptEnded is what a Model answers when it was asked more often than its
// script has turns.
var ErrScriptEnded = errors.New("mcptest: the model's script has ended")

// Turn is one answer of a Model.
type Turn struct {
	Text  string
	Calls []llms.ToolCall // see Use

	// Err is answered instead.
	Err error
	// Response is answered instead, as it is.
	Response *llms.ContentResponse
	// Func is asked instead.
	Func func(ctx context.Context, asked Asked) (*llms.ContentResponse, error)
}

// Say is a turn that is only text.
func Say(text string) Turn { return Turn{Text: text} }

// Use is a turn that calls one tool; arguments are as the model writes them.
func Use(name, arguments string) Turn {
	return Turn{Calls: []llms.ToolCall{{FunctionCall: &llms.FunctionCall{Name: name, Arguments: arguments}}}}
}

// Asked is what a Model was asked once.
type Asked struct {
	Messages []llms.MessageContent
	Options  llms.CallOptions
}

// Model is an llms.Model that answers from a script, turn by turn, and keeps what
// it was asked. It is safe for concurrent use.
type Model struct {
	Asked *Journal[Asked]

	mu    sync.Mutex
	turns []Turn
	calls int // to number tool calls
}

var _ llms.Model = (*Model)(nil)

// NewModel makes a model that answers with these turns.
func NewModel(turns ...Turn) *Model {
	return &Model{Asked: new(Journal[Asked]), turns: slices.Clone(turns)}
}

// GenerateContent answers with the next turn. Calls without an id or a type get
// one; where a streaming function is set, it gets the text. A ctx that is done is
// its error, and takes no turn.
func (m *Model) GenerateContent(ctx context.Context, messages []llms.MessageContent, options ...llms.CallOption) (*llms.ContentResponse, error) {
	asked := Asked{Messages: cloneMessages(messages)}
	for _, option := range options {
		option(&asked.Options)
	}
	m.Asked.Add(asked)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	turn, err := m.next()
	switch {
	case err != nil:
		return nil, err
	case turn.Err != nil:
		return nil, turn.Err
	case turn.Func != nil:
		return turn.Func(ctx, asked)
	case turn.Response != nil:
		return turn.Response, nil
	}
	if stream := asked.Options.StreamingFunc; stream != nil && turn.Text != "" {
		if err := stream(ctx, []byte(turn.Text)); err != nil {
			return nil, err
		}
	}
	return m.response(turn), nil
}

func (m *Model) next() (Turn, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.turns) == 0 {
		return Turn{}, ErrScriptEnded
	}
	turn := m.turns[0]
	m.turns = m.turns[1:]
	return turn, nil
}

// response is a turn as providers answer it: one choice, the first call also in
// the older field.
func (m *Model) response(turn Turn) *llms.ContentResponse {
	m.mu.Lock()
	defer m.mu.Unlock()
	choice := &llms.ContentChoice{Content: turn.Text, StopReason: "stop"}
	for _, call := range turn.Calls {
		m.calls++
		if call.ID == "" {
			call.ID = fmt.Sprintf("call-%d", m.calls)
		}
		if call.Type == "" {
			call.Type = "function"
		}
		choice.ToolCalls = append(choice.ToolCalls, call)
	}
	if len(choice.ToolCalls) > 0 {
		choice.StopReason = "tool_calls"
		choice.FuncCall = choice.ToolCalls[0].FunctionCall
	}
	return &llms.ContentResponse{Choices: []*llms.ContentChoice{choice}}
}

// Call answers a prompt with the text of the next turn.
func (m *Model) Call(ctx context.Context, prompt string, options ...llms.CallOption) (string, error) {
	return llms.GenerateFromSinglePrompt(ctx, m, prompt, options...)
}

// Rest is how many turns have not been taken.
func (m *Model) Rest() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.turns)
}

// cloneMessages copies so deep that the caller's later changes are not seen.
func cloneMessages(messages []llms.MessageContent) []llms.MessageContent {
	clone := slices.Clone(messages)
	for i := range clone {
		clone[i].Parts = slices.Clone(clone[i].Parts)
		for j, part := range clone[i].Parts {
			if call, ok := part.(llms.ToolCall); ok && call.FunctionCall != nil {
				function := *call.FunctionCall
				call.FunctionCall = &function
				clone[i].Parts[j] = call
			}
		}
	}
	return clone
}
