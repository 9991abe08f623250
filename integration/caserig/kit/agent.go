package kit

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/tmc/langchaingo/agents"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/tools"
)

// agent runs LangChainGo's own function-calling agent with a scripted model.
func (d *driver) agent(ctx context.Context, set Set, o op, a *answer) error {
	ts, err := d.agentTools(ctx, set)
	if err != nil {
		return err
	}
	script := &scripted{script: o.Script}
	var m llms.Model = script
	if b, ok := set.(Binder); ok {
		m = b.Bind(script, ts)
	}
	ex := agents.NewExecutor(agents.NewOpenAIFunctionsAgent(m, ts), agents.WithMaxIterations(10))
	out, err := ex.Call(ctx, map[string]any{"input": "go"})
	a.Observations = script.observations
	a.Text, _ = out["output"].(string)
	return err
}

func (d *driver) agentTools(ctx context.Context, set Set) ([]tools.Tool, error) {
	d.mu.Lock()
	ts := d.last
	d.mu.Unlock()
	if ts != nil {
		return ts, nil
	}
	return d.list(ctx, set)
}

// scripted is a model that answers from a script and keeps the observations
// that it was sent last.
type scripted struct {
	script       []reply
	turn         int
	observations []string
}

func (m *scripted) GenerateContent(_ context.Context, msgs []llms.MessageContent, opts ...llms.CallOption) (*llms.ContentResponse, error) {
	m.observations = observations(msgs)
	if m.turn >= len(m.script) {
		return &llms.ContentResponse{Choices: []*llms.ContentChoice{{Content: "script ended"}}}, nil
	}
	r := m.script[m.turn]
	m.turn++
	wrap := wrapped(opts)
	choice := &llms.ContentChoice{Content: r.Text}
	for i, c := range r.Calls {
		args := c.Input
		if wrap[c.Name] {
			b, err := json.Marshal(map[string]string{"__arg1": c.Input})
			if err != nil {
				return nil, err
			}
			args = string(b)
		}
		choice.ToolCalls = append(choice.ToolCalls, llms.ToolCall{
			ID: fmt.Sprintf("call_%d_%d", m.turn, i), Type: "function",
			FunctionCall: &llms.FunctionCall{Name: c.Name, Arguments: args},
		})
	}
	if len(choice.ToolCalls) > 0 {
		choice.FuncCall = choice.ToolCalls[0].FunctionCall
	}
	return &llms.ContentResponse{Choices: []*llms.ContentChoice{choice}}, nil
}

func (m *scripted) Call(ctx context.Context, prompt string, opts ...llms.CallOption) (string, error) {
	return llms.GenerateFromSinglePrompt(ctx, m, prompt, opts...)
}

// observations are the results of calls in a conversation.
func observations(msgs []llms.MessageContent) []string {
	var out []string
	for _, msg := range msgs {
		for _, p := range msg.Parts {
			switch x := p.(type) {
			case llms.ToolCallResponse:
				out = append(out, x.Content)
			case llms.TextContent:
				if msg.Role == llms.ChatMessageTypeFunction {
					out = append(out, x.Text)
				}
			}
		}
	}
	return out
}

// wrapped names the functions that were declared with LangChainGo's stand-in
// schema: a model puts their input into its only property.
func wrapped(opts []llms.CallOption) map[string]bool {
	var co llms.CallOptions
	for _, f := range opts {
		f(&co)
	}
	out := map[string]bool{}
	for _, f := range co.Functions {
		out[f.Name] = standIn(f.Parameters)
	}
	for _, t := range co.Tools {
		if t.Function != nil {
			out[t.Function.Name] = standIn(t.Function.Parameters)
		}
	}
	return out
}

func standIn(params any) bool {
	var schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	b, err := json.Marshal(params)
	if err != nil || json.Unmarshal(b, &schema) != nil {
		return false
	}
	_, is := schema.Properties["__arg1"]
	return is && len(schema.Properties) == 1
}
