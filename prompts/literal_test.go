package prompts_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	lcprompts "github.com/tmc/langchaingo/prompts"
	"pgregory.net/rapid"

	"github.com/mcptoolset/mcptoolset/prompts"
	"github.com/mcptoolset/mcptoolset/toolset"
)

var formats = map[lcprompts.TemplateFormat]string{ // what a variable looks like in each
	lcprompts.TemplateFormatGoTemplate: "{{.x}}",
	lcprompts.TemplateFormatJinja2:     "{{ x }}",
	lcprompts.TemplateFormatFString:    "{x}",
}

func TestLiteralIsWhatTheTemplateSays(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "plain", "{", "}", "{{", "}}", "{{{", "{}", "{{}}", "{{.x}}", "{{ x }}", "{x}", "{{{{x}}}}", `{"a":{"b":[1]}}`,
		"{% for a in b %}", "{%- raw -%}", "{% endraw %}", "{# comment #}", "{#", "#}", "%}", "{{/* c */}}", "{{- 1 -}}", "{{`", "# line", "## line",
		"line\n", "\n", "\n\n", " a \n", "a\r\n{", "größe {", "\\{", `"{"`, "<b>&amp;'", "{{ '{{' }}", "%(x)s", "$x ${x}",
	} {
		for format, variable := range formats {
			literal, err := prompts.Literal(text, format)
			require.NoError(t, err)
			for _, c := range []struct{ template, want string }{
				{literal, text},
				{literal + "|", text + "|"},
				{variable + literal + variable, "v" + text + "v"},
				{"a" + literal + "b", "a" + text + "b"},
			} {
				said, err := lcprompts.RenderTemplate(c.template, format, map[string]any{"x": "v"})
				require.NoError(t, err, "%s: %q", format, c.template)
				assert.Equal(t, c.want, said, "%s: %q", format, c.template)
			}
		}
	}
}

func TestLiteralOfAnyText(t *testing.T) {
	t.Parallel()
	piece := rapid.SampledFrom([]string{"{", "}", "{{", "}}", "{%", "%}", "{#", "#}", "-", " ", "\n", "x", ".x", "raw", "endraw", `"`, "`", "'", "ö", "\\", "/*", "*/", "|"})
	rapid.Check(t, func(t *rapid.T) {
		text := ""
		for _, p := range rapid.SliceOfN(piece, 0, 12).Draw(t, "text") {
			text += p
		}
		for format, variable := range formats {
			literal, err := prompts.Literal(text, format)
			require.NoError(t, err)
			said, err := lcprompts.RenderTemplate("<"+literal+variable+literal+">", format, map[string]any{"x": "v"})
			require.NoError(t, err, "%s: %q", format, literal)
			require.Equal(t, "<"+text+"v"+text+">", said, "%s", format)
		}
	})
}

func TestLiteralOfNoTemplate(t *testing.T) {
	t.Parallel()
	said, err := prompts.Literal("{{.x}} {% y %}", "")
	require.NoError(t, err)
	assert.Equal(t, "{{.x}} {% y %}", said)
	_, err = prompts.Literal("a", "mustache")
	require.ErrorIs(t, err, lcprompts.ErrInvalidTemplateFormat)
	_, err = prompts.Instructions(toolset.ServerInfo{}, "mustache")
	require.ErrorIs(t, err, lcprompts.ErrInvalidTemplateFormat)
}
