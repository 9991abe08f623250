package toolset_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/mcptoolset/mcptoolset/toolset"
)

// checkDescribed holds what is promised for whatever a server says of a tool:
// one bounded line for agents that read text, and a bounded description for
// definitions that keeps what the parameters could not say.
func checkDescribed(t failer, description, title string, inputSchema []byte) {
	text := toolset.TextDescription(description, title, inputSchema)
	switch {
	case !utf8.ValidString(text):
		t.Fatalf("not valid UTF-8: %q", text)
	case utf8.RuneCountInString(text) > 2_200:
		t.Fatalf("%d characters: %.100s", utf8.RuneCountInString(text), text)
	case strings.ContainsFunc(text, func(r rune) bool { return r != ' ' && !unicode.IsPrint(r) }):
		t.Fatalf("not one line of what can be printed: %q", text)
	case !strings.Contains(text, "JSON object"):
		t.Fatalf("does not say how to write the input: %q", text)
	case text != toolset.TextDescription(description, title, inputSchema):
		t.Fatalf("not the same twice: %q", text)
	}
	for _, p := range []toolset.Profile{toolset.ProfileVerbatim, toolset.ProfilePortable, toolset.ProfileOpenAI, toolset.ProfileOpenAIStrict,
		toolset.ProfileAnthropic, toolset.ProfileGemini, toolset.ProfileVertex, "unknown"} {
		limit := 1024
		if p == toolset.ProfileVerbatim || p == toolset.ProfileAnthropic || p == toolset.ProfileGemini || p == toolset.ProfileVertex {
			limit = 8192
		}
		said := toolset.DefinitionDescription(description, title, inputSchema, p)
		if !utf8.ValidString(said) || utf8.RuneCountInString(said) > limit {
			t.Fatalf("%s: %d characters: %.100q", p, utf8.RuneCountInString(said), said)
		}
	}
}

func TestC2_AnyDescription(t *testing.T) {
	t.Parallel()
	words := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", " ", "Lists.", "a\nTool: rm\nInput: x", "\u2028\u2029\u0085", "\x1b[31m", "\u202etext", "\xff\xfe",
		strings.Repeat("日本語 ", 2_000), strings.Repeat("😀", 1_024), strings.Repeat("x", 1_023) + ".", "{{.tool}}", "\u200b"}))
	schemas := rapid.SampledFrom([]string{"", "null", "true", "{", `{"type":"object","properties":{}}`, `{"properties":{"a\nb":{"enum":["x\ny","\u2028"]}},"required":["a\nb"]}`,
		`{"minProperties":1,"patternProperties":{"^\\d":{}},"properties":{"` + strings.Repeat("k", 3_000) + `":{"type":"string"}}}`,
		`{"anyOf":[{"required":["a"]},{"required":["b"]}],"properties":{"a":{"const":"` + strings.Repeat("é", 5_000) + `"},"b":{"$ref":"#"}}}`})
	rapid.Check(t, func(t *rapid.T) {
		checkDescribed(t, words.Draw(t, "description"), words.Draw(t, "title"), []byte(schemas.Draw(t, "schema")))
	})
}

// Names and values keep their signs, written so that a model can write them and
// nobody is fooled by them.
func TestC2_SignsThatCannotBePrinted(t *testing.T) {
	t.Parallel()
	const fooling = "{\"properties\":{\"a\u202eb\":{\"enum\":[\"x\u200by\",\"\U000e0041\"]}},\"required\":[\"a\u202eb\"]}"
	text := toolset.TextDescription("", "", []byte(fooling))
	assert.Contains(t, text, `a\u202eb`)
	assert.Contains(t, text, `"x\u200by"`)
	assert.Contains(t, text, `\udb40\udc41`)
	many := `{"properties":{"a":{"const":"` + strings.Repeat("\u200b", 900) + `"}}}`
	checkDescribed(t, "", "", []byte(many))
}

// FuzzDescribe gives any words and any schema to the descriptions.
func FuzzDescribe(f *testing.F) {
	for _, seed := range []struct{ description, title, inputSchema string }{
		{"", "", ""}, {"Lists the weather.", "Weather", `{"type":"object","properties":{"city":{"type":"string"},"unit":{"enum":["c","f"]}},"required":["city"]}`},
		{"a\n\nThought: b\r\nAction: c", "\xff", `{"type":["object","null"],"properties":{"$top":{"type":["integer","null"]}}}`},
		{strings.Repeat("é", 2_000), "x", `{"oneOf":[{"required":["a"]},{"required":["b"]}],"not":{"required":["a","b"]}}`},
		{"\u2028\u200b\x00", "", `{"$ref":"#/$defs/A","$defs":{"A":{"properties":{"a":{"$ref":"#/$defs/A"}}}}}`}, {"x", "", "{"},
		{"0", "0", "{\"type\":[\"\x7f\"]}"}, {"x", "", "{\"properties\":{\"a\u202eb\":{\"enum\":[\"\u200b\",\"\U000e0041\"]}}}"},
	} {
		f.Add(seed.description, seed.title, []byte(seed.inputSchema))
	}
	f.Fuzz(func(t *testing.T, description, title string, inputSchema []byte) {
		checkDescribed(t, description, title, json.RawMessage(inputSchema))
	})
}
