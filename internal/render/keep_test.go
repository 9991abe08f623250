package render_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mcptoolset/mcptoolset/internal/decode"
	"github.com/mcptoolset/mcptoolset/internal/render"
)

const more = `read_on, handle "h1"`

// kept returns options that keep a text in *whole.
func kept(budget int, whole *string) render.Options {
	return render.Options{Budget: budget, Keep: func(text string) string {
		*whole = text
		return more
	}}
}

func texts(items ...string) decode.Result {
	var r decode.Result
	for _, s := range items {
		r.Content = append(r.Content, decode.Content{Type: decode.TypeText, Text: s})
	}
	return r
}

func TestE6_AMarkerNamesWhatToReadOnWith(t *testing.T) {
	t.Parallel()
	var whole string
	long := strings.Repeat("0123456789", 100)
	got := render.Result(texts(long), kept(300, &whole))
	assert.Equal(t, long[:214]+"\n"+`[cut: 214 of 1000 characters shown; continue with read_on, handle "h1", offset 214]`, got)
	assert.Equal(t, long, whole)

	failed := texts(long)
	failed.IsError = true
	got = render.Result(failed, kept(300, &whole))
	assert.Contains(t, got, "\n"+`[cut: the first 124 and the last 61 of 1007 characters shown; continue with read_on, handle "h1", offset 124]`+"\n")
	assert.Equal(t, "Error: "+long, whole)
	assert.Equal(t, got, render.Failure(long, kept(300, &whole)))

	whole = ""
	assert.Equal(t, long, render.Result(texts(long), kept(1000, &whole)))
	assert.NotContains(t, render.Result(texts(long), kept(249, &whole)), "read_on")
	assert.Empty(t, whole, "what is not cut, and what has no room for the marker, is not kept")
	got = render.Result(texts(long), render.Options{Budget: 300, Keep: func(string) string { return "" }})
	assert.Equal(t, render.Result(texts(long), render.Options{Budget: 300}), got, "it could not be kept")
}

func TestE6_PartOfAText(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("é", 300)
	for name, c := range map[string]struct {
		offset, budget int
		want           string
	}{
		"all":               {0, 300, text},
		"the start":         {0, 100, strings.Repeat("é", 17) + "\n" + `[cut: 17 of 300 characters shown; continue with read_on, handle "h1", offset 17]`},
		"the middle":        {100, 150, strings.Repeat("é", 60) + "\n" + `[cut: characters 101 to 160 of 300 shown; continue with read_on, handle "h1", offset 160]`},
		"the end":           {290, 100, strings.Repeat("é", 10) + "\n[characters 291 to 300 of 300 shown: this is the end]"},
		"behind the end":    {300, 100, "[nothing at offset 300: the text has 300 characters]"},
		"before the start":  {-5, 400, text},
		"no room for words": {290, 5, "éééé…"},
	} {
		assert.Equal(t, c.want, render.Part(text, c.offset, c.budget, more), name)
	}
	assert.Equal(t, "␛", render.Part("\x1b", 0, 0, more))
	assert.Empty(t, render.Part("", 0, 0, more))
}

// onward is how a marker says from where to go on.
var onward = regexp.MustCompile(`continue with read_on, handle "h1", offset ([0-9]+)\]`)

func TestE6_ReadingOnGivesTheWholeText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOfN(rapid.StringOfN(rapid.RuneFrom([]rune("aé世\n[\x00\u0085")), 0, 400, -1), 1, 4).Draw(t, "texts")
		budget := rapid.IntRange(250, 500).Draw(t, "budget")
		r := texts(pieces...)
		r.IsError = rapid.Bool().Draw(t, "failed")
		var whole string
		out := render.Result(r, kept(budget, &whole))
		require.LessOrEqual(t, utf8.RuneCountInString(out), budget)
		match := onward.FindStringSubmatch(out)
		require.Equal(t, whole != "", match != nil)
		if match == nil {
			return
		}
		var read strings.Builder
		read.WriteString(string([]rune(out)[:number(match[1])]))
		for match != nil {
			offset := number(match[1])
			require.Equal(t, offset, utf8.RuneCountInString(read.String()))
			out = render.Part(whole, offset, budget, more)
			require.LessOrEqual(t, utf8.RuneCountInString(out), budget)
			read.WriteString(out[:strings.LastIndex(out, "\n[")])
			match = onward.FindStringSubmatch(out)
		}
		require.Equal(t, whole, read.String())
	})
}

func number(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		panic(err)
	}
	return n
}

func TestE2_ANoteStandsAtTheEnd(t *testing.T) {
	t.Parallel()
	const note = "Note: it does not fit."
	long := strings.Repeat("0123456789", 40)
	assert.Equal(t, "ok\n\n"+note, render.Result(texts("ok"), render.Options{Note: note}))
	assert.Equal(t, long+"\n\n"+note, render.Result(texts(long), render.Options{Note: note, Budget: 424}))
	assert.Equal(t, long, render.Result(texts(long), render.Options{Note: note, Budget: 423}), "it takes no room of the server's words")
	accents := strings.Repeat("é", 40)
	assert.Equal(t, accents+"\n\n"+note, render.Result(texts(accents), render.Options{Note: note, Budget: 64}), "characters count, not bytes")

	cut := render.Result(texts(long), render.Options{Note: note, Budget: 300})
	assert.True(t, strings.HasSuffix(cut, " of 400 characters shown]\n\n"+note), cut)
	assert.Equal(t, 300, utf8.RuneCountInString(cut))
	assert.NotContains(t, render.Result(texts(long), render.Options{Note: note, Budget: 60}), "Note")

	var whole string
	o := kept(300, &whole)
	o.Note = note
	assert.Contains(t, render.Result(texts(long), o), more)
	assert.Equal(t, long, whole, "the note is not of the text")
	for budget := 1; budget < 430; budget++ {
		o.Budget = budget
		require.LessOrEqual(t, utf8.RuneCountInString(render.Result(texts(long), o)), budget, fmt.Sprint(budget))
	}
}
