package oauth

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// challenges are WWW-Authenticate headers with what is read in them.
var challenges = map[string]struct {
	lines []string
	want  challenge
}{
	"none":               {nil, challenge{}},
	"alone":              {[]string{"Bearer"}, challenge{}},
	"of MCP":             {[]string{`Bearer resource_metadata="https://d.example/m", scope="a b"`}, challenge{"https://d.example/m", []string{"a", "b"}, ""}},
	"without quotes":     {[]string{`Bearer resource_metadata=https://d.example/m?x=1, error=insufficient_scope, scope=a`}, challenge{"https://d.example/m?x=1", []string{"a"}, "insufficient_scope"}},
	"in any case":        {[]string{`bEARER Scope="a", ERROR="x"`}, challenge{"", []string{"a"}, "x"}},
	"with spaces":        {[]string{"Bearer  scope = \"a\" ,\t error\t=\t\"x\""}, challenge{"", []string{"a"}, "x"}},
	"after another":      {[]string{`Basic realm="a, Bearer scope=b", Bearer scope="c"`}, challenge{"", []string{"c"}, ""}},
	"before another":     {[]string{`Bearer scope="c", Digest realm="x", scope="no"`}, challenge{"", []string{"c"}, ""}},
	"on two lines":       {[]string{`Basic realm="x"`, `Bearer scope="c"`}, challenge{"", []string{"c"}, ""}},
	"after a token68":    {[]string{`Negotiate YWJj+/==, Bearer scope="c"`}, challenge{"", []string{"c"}, ""}},
	"of two Bearers":     {[]string{`Bearer scope="a"`, `Bearer scope="b", error="x"`}, challenge{"", []string{"a"}, ""}},
	"of another scheme":  {[]string{`DPoP resource_metadata="https://d.example/m", scope="no"`}, challenge{"https://d.example/m", nil, ""}},
	"with escapes":       {[]string{`Bearer error="a\"b\\c"`}, challenge{"", nil, `a"b\c`}},
	"that does not end":  {[]string{`Bearer scope="a b`}, challenge{"", []string{"a", "b"}, ""}},
	"that ends escaped":  {[]string{`Bearer scope="a\`}, challenge{"", nil, ""}},
	"with empty members": {[]string{`, ,Bearer scope="a",, error="x",`}, challenge{"", []string{"a"}, "x"}},
	"said twice":         {[]string{`Bearer scope="a", scope="b"`}, challenge{"", []string{"a"}, ""}},
	"without a scheme":   {[]string{`scope="a"`}, challenge{}},
	"of bad scopes":      {[]string{"Bearer scope=\"a\x01 \\\"b c\""}, challenge{"", []string{"c"}, ""}},
	"of scopes twice":    {[]string{`Bearer scope="a b a"`}, challenge{"", []string{"a", "b"}, ""}},
	"of rubbish":         {[]string{`@@@ ;;; "x`}, challenge{}},
	"that is too long":   {[]string{`Bearer scope="` + strings.Repeat("a ", maxChallenge) + `"`}, challenge{}},
}

func TestChallenges(t *testing.T) {
	t.Parallel()
	for name, c := range challenges {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := challengeOf(http.Header{"Www-Authenticate": c.lines})
			assert.Equal(t, c.want.metadata, got.metadata)
			assert.ElementsMatch(t, c.want.scopes, got.scopes)
			assert.Equal(t, c.want.err, got.err)
		})
	}
}

func FuzzChallenge(f *testing.F) {
	for _, c := range challenges {
		f.Add(strings.Join(c.lines, ", "))
	}
	f.Add(`Bearer =,=",=Bearer "`)
	f.Fuzz(func(t *testing.T, line string) {
		c := challengeOf(http.Header{"Www-Authenticate": {line}})
		require.LessOrEqual(t, len(c.scopes), maxScopes)
		for i, scope := range c.scopes {
			require.True(t, isScope(scope), "%q", scope)
			require.Equal(t, i, slices.Index(c.scopes, scope), "said once")
		}
		require.LessOrEqual(t, len(c.metadata)+len(c.err), len(line), "nothing is made up")
		if len(line) < maxChallenge/4 && !strings.ContainsAny(line, "\x00\r\n") {
			// What is read can be written and is read alike.
			again := challengeOf(http.Header{"Www-Authenticate": {written(c)}})
			require.Equal(t, c, again)
		}
	})
}

// written is c as a header.
func written(c challenge) string {
	quote := func(s string) string {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
	}
	return "Bearer resource_metadata=" + quote(c.metadata) + ", error=" + quote(c.err) + ", scope=" + quote(strings.Join(c.scopes, " "))
}
