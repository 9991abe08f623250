package render_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mcptoolset/mcptoolset/internal/render"
)

func TestE6_Cut(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("é", 200)
	for _, c := range []struct {
		budget   int
		keepTail bool
		want     string
	}{
		{200, false, text},
		{1000, true, text},
		{0, false, text},
		{-5, false, text},
		{199, false, strings.Repeat("é", 164) + "\n[cut: 164 of 200 characters shown]"},
		{199, true, strings.Repeat("é", 91) + "\n[cut: the first 91 and the last 45 of 200 characters shown]\n" + strings.Repeat("é", 45)},
		{40, false, strings.Repeat("é", 30) + "…[170 cut]"},
		{40, true, strings.Repeat("é", 20) + "…[171 cut]…" + strings.Repeat("é", 9)},
		{10, false, strings.Repeat("é", 9) + "…"},
		{3, true, "éé…"},
		{2, false, "é…"},
		{1, false, "…"},
		{1, true, "…"},
	} {
		got, cut := render.Cut(text, c.budget, c.keepTail)
		assert.Equal(t, c.want, got, "%d %v", c.budget, c.keepTail)
		assert.Equal(t, c.want != text, cut)
		requireFit(t, got, c.budget)
	}
	got, cut := render.Cut("", 10, true)
	assert.Empty(t, got)
	assert.False(t, cut)
	got, _ = render.Cut("a\x00\xff", 10, true)
	assert.Equal(t, "a␀\uFFFD", got)
}

// TestE6_CutKeepsHeadAndTailExactly holds that what is shown is the text's own
// beginning and end, and that the marker counts it right.
func TestE6_CutKeepsHeadAndTailExactly(t *testing.T) {
	t.Parallel()
	texts := rapid.StringOf(rapid.SampledFrom([]rune("aé😀 ")))
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Repeat(texts.Draw(t, "text"), rapid.IntRange(1, 50).Draw(t, "times"))
		budget := rapid.IntRange(1, 400).Draw(t, "budget")
		total := utf8.RuneCountInString(text)
		out, cut := render.Cut(text, budget, true)
		require.Equal(t, total > budget, cut)
		if !cut {
			require.Equal(t, text, out)
			return
		}
		requireFit(t, out, budget)
		var head, tail int
		if i := strings.Index(out, "\n["); i >= 0 {
			_, err := fmt.Sscanf(out[i+1:], "[cut: the first %d and the last %d of", &head, &tail)
			require.NoError(t, err)
			before, after := out[:i], out[strings.LastIndex(out, "]\n")+2:]
			require.True(t, strings.HasPrefix(text, before) && strings.HasSuffix(text, after))
			require.Equal(t, []int{head, tail}, []int{utf8.RuneCountInString(before), utf8.RuneCountInString(after)})
			require.Contains(t, out, fmt.Sprintf("of %d characters", total))
		}
	})
}

// TestE6_CutOfBytesThatAreNoText holds that head and tail count broken bytes
// alike from either end.
func TestE6_CutOfBytesThatAreNoText(t *testing.T) {
	t.Parallel()
	pieces := rapid.SampledFrom([]string{"a", "\xff", "\xe4\xb8", "\xe4", "\xb8", "\xf0\x9f", "😀", "\xc0\x80", "\xed\xa0\x80", "\x00"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(pieces, 0, 300).Draw(t, "pieces"), "")
		budget := rapid.IntRange(1, 300).Draw(t, "budget")
		keepTail := rapid.Bool().Draw(t, "keepTail")
		out, cut := render.Cut(text, budget, keepTail)
		require.Equal(t, utf8.RuneCountInString(text) > budget, cut)
		if text != "" {
			requireFit(t, out, budget)
		}
	})
}

func TestE5_Error(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"boom": "Error: boom", "Error: boom": "Error: boom", "Error:boom": "Error: boom", "": "Error: (no message)", " \n": "Error: (no message)", "a\x00\xff": "Error: a␀\uFFFD",
	} {
		assert.Equal(t, want, render.Error(text, 0))
	}
	out := render.Error(strings.Repeat("a", 1000)+"the cause", 300)
	requireFit(t, out, 300)
	assert.Regexp(t, `^Error: a+\n\[cut: the first \d+ and the last \d+ of 1016 characters shown\]\na+the cause$`, out)
	for budget := 1; budget < 100; budget++ {
		requireFit(t, render.Error(strings.Repeat("é", 200), budget), budget)
	}
}

func FuzzCut(f *testing.F) {
	f.Add("abc", 2, true)
	f.Add("é\xff\x00😀", 3, false)
	f.Add(strings.Repeat("\xe4\xb8", 100), 90, true)
	f.Fuzz(func(t *testing.T, text string, budget int, keepTail bool) {
		out, cut := render.Cut(text, budget, keepTail)
		if text == "" {
			require.Empty(t, out)
			return
		}
		requireFit(t, out, budget)
		if !cut {
			require.Equal(t, utf8.RuneCountInString(text), utf8.RuneCountInString(out))
		}
		requireFit(t, render.Error(text, budget), budget)
	})
}
