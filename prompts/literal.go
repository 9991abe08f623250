package prompts

import (
	"fmt"
	"strings"

	"github.com/tmc/langchaingo/prompts"

	"github.com/mcptoolset/mcptoolset/internal/render"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// opening is how a template of each format says what would begin something in
// it. Only a brace does. Each one is written so, for one that stands alone may
// get a second one from the template around the text.
var opening = map[prompts.TemplateFormat]*strings.Replacer{
	"":                               strings.NewReplacer(),
	prompts.TemplateFormatGoTemplate: strings.NewReplacer("{", `{{"{"}}`),
	prompts.TemplateFormatJinja2:     strings.NewReplacer("{", `{{ "{" }}`),
	prompts.TemplateFormatFString:    strings.NewReplacer("{", "{{", "}", "}}"),
}

// Literal writes text so that a template of this format says exactly text,
// wherever in the template it is put. The empty format is no template: text
// stays as it is. A format that LangChainGo does not have is an error that wraps
// LangChainGo's prompts.ErrInvalidTemplateFormat.
//
// A text that is the value of a template's variable needs none of this.
func Literal(text string, format prompts.TemplateFormat) (string, error) {
	replacer, ok := opening[format]
	if !ok {
		return "", fmt.Errorf("prompts: %w: %q", prompts.ErrInvalidTemplateFormat, format)
	}
	return replacer.Replace(text), nil
}

// Instructions quotes what a server says on the use of its tools, written as
// Literal does for a template of this format: for agents.WithPromptPrefix and
// agents.NewOpenAIOption().WithSystemMessage, whose templates are Go's, or with
// the empty format for a plain message. It is "" where the server says nothing.
// The error is that of Literal.
//
// A line names the server, and each line of its words is marked as a quotation,
// so that none can pass for the owner's; what is not to be printed is left out.
// At most 8,192 characters of the words are kept. agent.WithInstructions quotes
// in the same way and needs no format.
func Instructions(info toolset.ServerInfo, format prompts.TemplateFormat) (string, error) {
	return Literal(render.Instructions(info.Name, info.Instructions), format)
}
