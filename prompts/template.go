package prompts

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/prompts"

	"github.com/mcptoolset/mcptoolset/toolset"
)

// ErrNoPrompt is the cause when the server lists no prompt of a name.
var ErrNoPrompt = errors.New("the server lists no such prompt")

// Template is a server's prompt in the place of a LangChainGo template. It
// never changes and may be used concurrently.
//
// Each use asks the server: what a template of LangChainGo does in memory takes
// a round trip here, within the toolset's limits. The methods of LangChainGo's
// interfaces have no context; they use that of [Template.WithContext].
type Template struct {
	set    *toolset.Toolset
	prompt toolset.Prompt
	fixed  map[string]any
	ctx    context.Context // of the methods that have none
}

var (
	_ prompts.Formatter        = (*Template)(nil)
	_ prompts.FormatPrompter   = (*Template)(nil)
	_ prompts.MessageFormatter = (*Template)(nil)
)

// New makes a template of the prompt that the server knows by this name. It
// asks the server, with ctx, for the list of its prompts, which says what the
// arguments are; ctx is not used after that. The error wraps ErrNoPrompt if
// there is no such prompt, and is else that of Toolset.Prompts. The toolset
// stays the caller's to close.
func New(ctx context.Context, ts *toolset.Toolset, name string) (*Template, error) {
	if ts == nil {
		return nil, errors.New("prompts: there is no toolset to ask")
	}
	all, err := ts.Prompts(ctx)
	if err != nil {
		return nil, fmt.Errorf("prompts: %w", err)
	}
	for _, p := range all {
		if p.Name == name {
			return &Template{set: ts, prompt: p, ctx: context.Background()}, nil
		}
	}
	return nil, fmt.Errorf("prompts: %w: %q, but %s", ErrNoPrompt, name, namesOf(all))
}

// maxNamed bounds how many names an error tells.
const maxNamed = 20

func namesOf(all []toolset.Prompt) string {
	if len(all) == 0 {
		return "none at all"
	}
	var names []string
	for _, p := range all[:min(len(all), maxNamed)] {
		names = append(names, fmt.Sprintf("%.100q", p.Name))
	}
	if n := len(all) - maxNamed; n > 0 {
		names = append(names, fmt.Sprintf("%d more", n))
	}
	return strings.Join(names, ", ")
}

// WithContext returns a template whose Format, FormatPrompt and FormatMessages
// use ctx: for cancellation, and for header providers and identities that look
// into it. Make one for each request. By default they use
// context.Background(), in which no user is found. A nil ctx means the default.
func (t *Template) WithContext(ctx context.Context) *Template {
	if ctx == nil {
		ctx = context.Background()
	}
	next := *t
	next.ctx = ctx
	return &next
}

// With returns a template that has these values already, besides those it had:
// arguments of them are no input variables any more. What is given on use goes
// before them. The map is copied.
func (t *Template) With(values map[string]any) *Template {
	next := *t
	next.fixed = make(map[string]any, len(t.fixed)+len(values))
	maps.Copy(next.fixed, t.fixed)
	maps.Copy(next.fixed, values)
	return &next
}

// Prompt is the prompt as the server describes it, with all its arguments.
func (t *Template) Prompt() toolset.Prompt {
	p := t.prompt
	p.Arguments = slices.Clone(p.Arguments)
	return p
}

// GetInputVariables returns the arguments that the prompt requires and With has
// not set, in the server's order. An argument that may be missing is no input
// variable, since a chain demands every one; it is sent where the values hold
// it. See Prompt for all.
func (t *Template) GetInputVariables() []string {
	variables := []string{}
	for _, a := range t.prompt.Arguments {
		_, set := t.fixed[a.Name]
		if a.Required && !set && !slices.Contains(variables, a.Name) {
			variables = append(variables, a.Name)
		}
	}
	return variables
}

// Get asks the server for the prompt with these values. Strings and bytes are
// sent as they are, any other value as JSON text; what JSON writes as a string,
// such as a time, goes without its quotes, and nil and null are no value. Values
// that no argument is named after are not sent, since chains pass on more than a
// prompt wants.
//
// The error says which value cannot be written, or is that of Toolset.GetPrompt,
// which names the arguments that are missing (toolset.ErrPromptArguments).
func (t *Template) Get(ctx context.Context, values map[string]any) (Value, error) {
	arguments, err := t.arguments(values)
	if err != nil {
		return Value{}, fmt.Errorf("prompts: prompt %q: %w", t.prompt.Name, err)
	}
	result, err := t.set.GetPrompt(ctx, t.prompt.Name, arguments)
	if err != nil {
		return Value{}, fmt.Errorf("prompts: %w", err)
	}
	return Value{Result: result}, nil
}

// FormatPrompt implements LangChainGo's prompts.FormatPrompter: Get, with the
// context of WithContext. The value is a [Value].
func (t *Template) FormatPrompt(values map[string]any) (llms.PromptValue, error) {
	value, err := t.Get(t.ctx, values)
	if err != nil {
		return nil, err
	}
	return value, nil
}

// FormatMessages implements LangChainGo's prompts.MessageFormatter: FormatPrompt,
// and the messages of its value. Agents that ask for extra messages do so for
// each request to the model, and so is the server asked.
func (t *Template) FormatMessages(values map[string]any) ([]llms.ChatMessage, error) {
	value, err := t.Get(t.ctx, values)
	if err != nil {
		return nil, err
	}
	return value.Messages(), nil
}

// Format implements LangChainGo's prompts.Formatter: FormatPrompt, and the text
// of its value.
func (t *Template) Format(values map[string]any) (string, error) {
	value, err := t.Get(t.ctx, values)
	if err != nil {
		return "", err
	}
	return value.String(), nil
}
