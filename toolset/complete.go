package toolset

import (
	"context"
	"fmt"
	"maps"
	"math"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcptoolset/mcptoolset/internal/decode"
)

// Completion is what a server proposes for a value (MCP,
// server/utilities/completion).
type Completion struct {
	// Values are the proposals, the best first.
	Values []string
	// Total is how many there are; nil where the server does not say.
	Total *int
	// HasMore tells that there are more than Values.
	HasMore bool
}

// CompletePrompt asks the server for values of one argument of a prompt that
// begin with, or otherwise fit, value, within the call limit. known are the
// arguments that have their values already; nil is none. The error is an
// [*Error]; a server that does not complete is one.
func (ts *Toolset) CompletePrompt(ctx context.Context, prompt, argument, value string, known map[string]string) (Completion, error) {
	return ts.complete(ctx, fmt.Sprintf("prompt %q", prompt),
		map[string]string{"type": "ref/prompt", "name": prompt}, argument, value, known)
}

// CompleteTemplate is [Toolset.CompletePrompt] for a variable of a resource
// template, which is given as the server lists it.
func (ts *Toolset) CompleteTemplate(ctx context.Context, uriTemplate, argument, value string, known map[string]string) (Completion, error) {
	return ts.complete(ctx, fmt.Sprintf("resource template %q", uriTemplate),
		map[string]string{"type": "ref/resource", "uri": uriTemplate}, argument, value, known)
}

func (ts *Toolset) complete(ctx context.Context, what string, ref map[string]string, argument, value string, known map[string]string) (Completion, error) {
	began := time.Now()
	params := map[string]any{"ref": ref, "argument": map[string]string{"name": argument, "value": value}}
	if len(known) > 0 {
		params["context"] = map[string]any{"arguments": maps.Clone(known)}
	}
	c, err := ts.askCompletion(ctx, params)
	if err != nil {
		return Completion{}, ts.fault(StagePrompt, "", began, fmt.Errorf("completing %q of %s: %w", argument, what, err))
	}
	return c, nil
}

func (ts *Toolset) askCompletion(ctx context.Context, params map[string]any) (Completion, error) {
	op, err := ts.begin(ctx)
	if err != nil {
		return Completion{}, err
	}
	if _, err := op.Info(ctx); err != nil { // outside the call limit
		return Completion{}, err
	}
	raw, err := ts.request(ctx, op, mcp.MethodCompletionComplete, params)
	if err != nil {
		return Completion{}, err
	}
	from, err := decode.CompletionOf(raw)
	if err != nil {
		return Completion{}, err
	}
	c := Completion{Values: from.Values, HasMore: from.HasMore}
	if from.Total != nil {
		total := int(min(*from.Total, math.MaxInt))
		c.Total = &total
	}
	return c, nil
}
