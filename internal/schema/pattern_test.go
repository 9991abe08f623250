package schema_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/mcptoolset/mcptoolset/internal/schema"
)

// patternShown is a pattern as OpenAI and the servers that speak its language
// are shown it; "" if it is said in words.
func patternShown(pattern string) string {
	raw := mustJSON(map[string]any{"properties": map[string]any{"s": map[string]any{"type": "string", "pattern": pattern}}})
	field := schema.Parameters(json.RawMessage(raw), schema.OpenAI).Parameters["properties"].(map[string]any)["s"].(map[string]any)
	shown, _ := field["pattern"].(string)
	return shown
}

func TestC6_PatternsForGrammars(t *testing.T) {
	t.Parallel()
	for pattern, want := range map[string]string{
		`^[a-z]+$`:                            `^[a-z]+$`,
		`^\d{4}-\d{2}-\d{2}$`:                 `^[0-9]{4}-[0-9]{2}-[0-9]{2}$`,
		`^[\w.-]+$`:                           `^[A-Za-z0-9_.-]+$`,
		`^[\w\-\.]+@\w+\.\w+$`:                `^[A-Za-z0-9_.-]+@[A-Za-z0-9_]+\.[A-Za-z0-9_]+$`,
		`^https?:\/\/[^\/]+$`:                 `^https?://[^/]+$`,
		`^(?:a|b)\+\(c\)$`:                    `^(?:a|b)\+\(c\)$`,
		`^[^\]\[]\\$`:                         `^[^\]\[]\\$`,
		`^\-\n\t$`:                            `^-\n\t$`,
		`^größe\d$`:                           `^größe[0-9]$`,
		`a`:                                   "",
		`^a`:                                  "",
		`^a\$`:                                "", // ends with a dollar sign, not with the text
		`^\S+$`:                               "",
		`^\s*$`:                               "",
		`^\ba\b$`:                             "",
		`^\p{L}+$`:                            "",
		`^(?!x).*$`:                           "",
		`^(?i)a$`:                             "",
		`^(?<n>a)$`:                           "",
		`^(a)\1$`:                             "",
		`^a+?$`:                               "",
		`^[[:alpha:]]$`:                       "",
		`^[\D]$`:                              "",
		`^[\w-z]$`:                            "",
		`^[+\--9]$`:                           "",
		`^[\^a]$`:                             "",
		`^[]$`:                                "",
		`^\u0041$`:                            "",
		"^" + strings.Repeat("a", 600) + "$":  "",
		"^" + strings.Repeat(`\w`, 240) + "$": "", // too long when it is spelled out
	} {
		assert.Equal(t, want, patternShown(pattern), pattern)
	}
}

// What is shown matches what the server's pattern matches, and holds nothing
// that the writers of grammars refuse.
func TestC6_PatternsMeanTheSame(t *testing.T) {
	t.Parallel()
	pieces := rapid.SampledFrom([]string{"a", "b", "-", "_", "9", ".", "/", `\d`, `\w`, `\.`, `\-`, `\/`, `\\`, `\[`, `\]`, `\^`, `\$`, "[", "[^", "]", "(", "(?:", ")", "|", "+", "*", "?", "{2}", `\n`, `\s`, "é"})
	texts := rapid.StringOfN(rapid.RuneFrom([]rune("ab-_9./\\[]^$\néZ")), 0, 6, -1)
	escape := regexp.MustCompile(`\\(.)`)
	shown := 0
	rapid.Check(t, func(t *rapid.T) {
		pattern := "^" + strings.Join(rapid.SliceOfN(pieces, 1, 7).Draw(t, "pattern"), "") + "$"
		server, err := regexp.Compile(pattern)
		got := patternShown(pattern)
		if got == "" {
			return
		}
		if err != nil {
			t.Fatalf("%s became %s", pattern, got)
		}
		shown++
		model := regexp.MustCompile(got)
		for _, text := range rapid.SliceOfN(texts, 20, 20).Draw(t, "texts") {
			if server.MatchString(text) != model.MatchString(text) {
				t.Fatalf("%s became %s, and %q tells them apart", pattern, got, text)
			}
		}
		for _, e := range escape.FindAllStringSubmatch(got, -1) {
			if !strings.Contains(`^$.[]()|{}*+?\nrt`, e[1]) {
				t.Fatalf("%s became %s", pattern, got)
			}
		}
		if again := patternShown(got); again != got {
			t.Fatalf("%s became %s and then %s", pattern, got, again)
		}
	})
	assert.NotZero(t, shown)
}
