package toolset

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcptoolset/mcptoolset/internal/decode"
	"github.com/mcptoolset/mcptoolset/internal/session"
)

// StagePrompt: getting a prompt or completions.
const StagePrompt Stage = "prompt"

// Prompt is one prompt as the server lists it (MCP, server/prompts).
type Prompt struct {
	// Name is what it is got by.
	Name string
	// Title is a name for people; it and the description are empty where the
	// server sent none.
	Title, Description string
	// Arguments are those it takes, in the server's order.
	Arguments []PromptArgument
	// Meta is the _meta member, Raw the whole item, as sent; Meta is nil where
	// there is none.
	Meta, Raw json.RawMessage

	// partial is set where the server's list of arguments could not be read
	// whole: there may be others.
	partial bool
}

// PromptArgument is one argument a prompt takes. Its value is a text.
type PromptArgument struct {
	Name, Title, Description string
	// Required arguments must be given.
	Required bool
}

// PromptMessage is one message of a prompt.
type PromptMessage struct {
	// Role is "user", "assistant" or whatever the server sent.
	Role string
	// Content is what it says.
	Content Content
}

// PromptResult is a prompt with its arguments filled in.
type PromptResult struct {
	// Description is the server's; empty where it sent none.
	Description string
	// Messages are those of the prompt, in order. A message that could not be
	// read has a Fault in its Content and never hides the others.
	Messages []PromptMessage
	// Meta is the _meta member as sent; nil where there is none.
	Meta json.RawMessage
	// Faults says what was wrong with the answer's form.
	Faults []string
	// Raw is the answer as the server sent it.
	Raw json.RawMessage
}

var promptLists = listKind[Prompt]{
	method: mcp.MethodPromptsList, key: "prompts", noun: "prompt",
	declared: func(c mcp.ServerCapabilities) bool { return c.Prompts != nil },
	read: func(raw json.RawMessage) (Prompt, string, []string, error) {
		from, err := decode.PromptOf(raw)
		p := Prompt{
			Name: from.Name, Title: from.Title, Description: from.Description,
			Meta: from.Meta, Raw: from.Raw, partial: len(from.Faults) > 0,
		}
		for _, a := range from.Arguments {
			p.Arguments = append(p.Arguments, PromptArgument(a))
		}
		return p, p.Name, from.Faults, err
	},
}

// Prompts is [Toolset.Resources] for the server's prompts.
func (ts *Toolset) Prompts(ctx context.Context) ([]Prompt, error) {
	shared, err := listOf(ctx, ts, promptLists)
	all := slices.Clone(shared)
	for i := range all {
		p := &all[i]
		p.Meta, p.Raw, p.Arguments = slices.Clone(p.Meta), slices.Clone(p.Raw), slices.Clone(p.Arguments)
	}
	return all, err
}

// ErrPromptArguments is the cause when arguments do not fit the list of those a
// prompt takes.
var ErrPromptArguments = errors.New("the arguments do not fit the prompt")

// GetPrompt gets a prompt by the server's name of it, with its arguments filled
// in by the server, within the call limit. Arguments are checked first against
// what the server's list says of the prompt: those that are missing and those
// that it does not take are an error that names them and wraps
// [ErrPromptArguments]. A prompt that is not listed is asked for as it is: the
// server decides. Nil arguments are none.
//
// The error is an [*Error]. It wraps [ErrInputRequired] where the server asks
// for input first (MCP 2026-07-28).
func (ts *Toolset) GetPrompt(ctx context.Context, name string, arguments map[string]string) (*PromptResult, error) {
	began := time.Now()
	result, err := ts.getPrompt(ctx, name, maps.Clone(arguments))
	if err != nil {
		return nil, ts.fault(StagePrompt, "", began, fmt.Errorf("prompt %q: %w", name, err))
	}
	return result, nil
}

func (ts *Toolset) getPrompt(ctx context.Context, name string, arguments map[string]string) (*PromptResult, error) {
	op, err := ts.begin(ctx)
	if err != nil {
		return nil, err
	}
	if err := ts.checkPrompt(ctx, op, name, arguments); err != nil {
		return nil, err
	}
	params := map[string]any{"name": name}
	if len(arguments) > 0 {
		params["arguments"] = arguments
	}
	raw, err := ts.request(ctx, op, mcp.MethodPromptsGet, params)
	if err != nil {
		return nil, err
	}
	if err := answered(raw, "prompt"); err != nil {
		return nil, err
	}
	from, err := decode.PromptResultOf(raw)
	if err != nil {
		return nil, err
	}
	return newPromptResult(from), nil
}

// checkPrompt checks arguments against what the server lists of a prompt. A
// server that refuses to list its prompts, or makes a mess of it, may give them
// all the same.
func (ts *Toolset) checkPrompt(ctx context.Context, op *session.Operation, name string, arguments map[string]string) error {
	all, err := listedBy(ctx, ts, op, promptLists)
	var unreachable *session.ConnectError
	var providing *session.HeaderError
	switch {
	case err == nil:
	case ctx.Err() != nil, errors.Is(err, ErrClosed), errors.As(err, &unreachable), errors.As(err, &providing):
		return err
	default:
		return nil
	}
	i := slices.IndexFunc(all.items, func(p Prompt) bool { return p.Name == name })
	if i < 0 {
		return nil
	}
	return all.items[i].check(arguments)
}

// check tells which arguments are missing and which the prompt does not take.
func (p *Prompt) check(arguments map[string]string) error {
	var missing, takes []string
	unknown := maps.Clone(arguments)
	for _, a := range p.Arguments {
		delete(unknown, a.Name)
		takes = append(takes, a.Name)
		if _, given := arguments[a.Name]; a.Required && !given {
			missing = append(missing, a.Name)
		}
	}
	var faults []string
	if len(missing) > 0 {
		faults = append(faults, "it needs "+named(missing))
	}
	if len(unknown) > 0 && !p.partial {
		fault := "it does not take " + named(slices.Sorted(maps.Keys(unknown)))
		if len(takes) == 0 {
			fault += ": it takes no arguments"
		} else {
			fault += ": it takes " + named(takes)
		}
		faults = append(faults, fault)
	}
	if len(faults) == 0 {
		return nil
	}
	return fmt.Errorf("%w: %s", ErrPromptArguments, strings.Join(faults, "; "))
}

// maxNamed bounds how many of a server's things an error or a warning names,
// maxNameShown how much is shown of a name, in characters.
const (
	maxNamed     = 20
	maxNameShown = 200
)

// named names what a server may have named at any length and in any number.
func named(names []string) string {
	var all []string
	for _, name := range names[:min(len(names), maxNamed)] {
		all = append(all, strconv.Quote(bounded(name, maxNameShown)))
	}
	if n := len(names) - maxNamed; n > 0 {
		all = append(all, fmt.Sprintf("%d more", n))
	}
	return strings.Join(all, ", ")
}

func newPromptResult(from decode.PromptResult) *PromptResult {
	p := &PromptResult{Description: from.Description, Meta: from.Meta, Faults: from.Faults, Raw: from.Raw}
	for _, m := range from.Messages {
		p.Messages = append(p.Messages, PromptMessage{Role: m.Role, Content: newContent(m.Content)})
	}
	return p
}
