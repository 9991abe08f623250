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

func text(uri, text string) decode.ResourceContents {
	return decode.ResourceContents{URI: uri, Text: text, HasText: true}
}

func blob(uri, blob string) decode.ResourceContents {
	return decode.ResourceContents{URI: uri, MIMEType: "x/y", Blob: blob, HasBlob: true}
}

func broken(uri string) decode.ResourceContents {
	return decode.ResourceContents{URI: uri, Fault: "it has neither text nor blob", Raw: []byte(`{"uri":"` + uri + `"}`)}
}

func TestO40_TextIsCutOnACharacter(t *testing.T) {
	t.Parallel()
	for _, c := range []string{"é", "😀", "a"} {
		got := render.Contents([]decode.ResourceContents{text("e://1", strings.Repeat(c, 10))}, 5, 0)
		assert.Equal(t, strings.Repeat(c, 5)+"\n[cut: 5 of 10 characters shown; continue with offset 5]", got)
	}
}

func TestH4_Contents(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		contents      []decode.ResourceContents
		limit, offset int
		want          string
	}{
		"one text":              {[]decode.ResourceContents{text("a:1", "hello\n")}, 0, 0, "hello\n"},
		"exactly the limit":     {[]decode.ResourceContents{text("a:1", "hello")}, 5, 0, "hello"},
		"cut":                   {[]decode.ResourceContents{text("a:1", "hello")}, 4, 0, "hell\n[cut: 4 of 5 characters shown; continue with offset 4]"},
		"the middle":            {[]decode.ResourceContents{text("a:1", "hello")}, 2, 2, "ll\n[cut: characters 3 to 4 of 5 shown; continue with offset 4]"},
		"the end":               {[]decode.ResourceContents{text("a:1", "hello")}, 2, 4, "o\n[characters 5 to 5 of 5 shown: this is the end]"},
		"past the end":          {[]decode.ResourceContents{text("a:1", "hello")}, 2, 5, "[nothing at offset 5: the text has 5 characters]"},
		"far past the end":      {[]decode.ResourceContents{text("a:1", "hello")}, 2, 1<<62 + 1<<61, "[nothing at offset 6917529027641081856: the text has 5 characters]"},
		"before the start":      {[]decode.ResourceContents{text("a:1", "hello")}, 0, -3, "hello"},
		"a huge limit":          {[]decode.ResourceContents{text("a:1", "hello")}, 1<<63 - 1, 1, "ello\n[characters 2 to 5 of 5 shown: this is the end]"},
		"none":                  {nil, 0, 0, render.NoContent},
		"none, with an offset":  {nil, 0, 7, render.NoContent},
		"empty":                 {[]decode.ResourceContents{text("a:1", "")}, 0, 0, render.NoContent},
		"blank":                 {[]decode.ResourceContents{text("a:1", " \n")}, 0, 0, render.NoContent},
		"binary":                {[]decode.ResourceContents{blob("a:1", "AAAA")}, 0, 0, "[resource] uri: a:1; type: x/y; binary; size: 3 bytes"},
		"binary with an offset": {[]decode.ResourceContents{blob("a:1", "AAAA")}, 0, 9, "[resource] uri: a:1; type: x/y; binary; size: 3 bytes"},
		"broken base64":         {[]decode.ResourceContents{blob("a:1", "A")}, 0, 0, "[resource] uri: a:1; type: x/y; binary; broken base64, length 1"},
		"text and binary":       {[]decode.ResourceContents{{URI: "a:1", Text: "t", HasText: true, Blob: "AAAA", HasBlob: true}}, 0, 0, "[resource] uri: a:1; binary; size: 3 bytes\nt"},
		"broken":                {[]decode.ResourceContents{broken("a:1")}, 0, 0, "[resource] uri: a:1; could not be read: it has neither text nor blob\n{\"uri\":\"a:1\"}"},
		"several": {[]decode.ResourceContents{text("a:1", "hello"), blob("a:2", "AA=="), text("a:3", ""), text("a:4", "wörld")}, 0, 0,
			"[resource] uri: a:1\nhello\n\n[resource] uri: a:2; type: x/y; binary; size: 1 byte\n\n[resource] uri: a:3; empty\n\n[resource] uri: a:4\nwörld"},
		"several, cut in the first": {[]decode.ResourceContents{text("a:1", "hello"), blob("a:2", "AA=="), text("a:3", "wörld")}, 3, 0,
			"[resource] uri: a:1\nhel\n[cut: 3 of 10 characters shown; continue with offset 3]"},
		"several, cut between": {[]decode.ResourceContents{text("a:1", "hello"), blob("a:2", "AA=="), text("a:3", "wörld")}, 5, 0,
			"[resource] uri: a:1\nhello\n[cut: 5 of 10 characters shown; continue with offset 5]"},
		"several, from between": {[]decode.ResourceContents{text("a:1", "hello"), blob("a:2", "AA=="), text("a:3", "wörld")}, 2, 5,
			"[resource] uri: a:2; type: x/y; binary; size: 1 byte\n\n[resource] uri: a:3\nwö\n[cut: characters 6 to 7 of 10 shown; continue with offset 7]"},
		"several, cut in the second": {[]decode.ResourceContents{text("a:1", "hello"), text("a:2", "wörld"), blob("a:3", "AA==")}, 10, 7,
			"[resource] uri: a:2; continued\nrld\n\n[resource] uri: a:3; type: x/y; binary; size: 1 byte\n[characters 8 to 10 of 10 shown: this is the end]"},
	} {
		got := render.Contents(c.contents, c.limit, c.offset)
		assert.Equal(t, c.want, got, name)
		requireFit(t, got, 0)
	}
}

func TestH4_ManyContentsAreBounded(t *testing.T) {
	t.Parallel()
	var texts, blobs []decode.ResourceContents
	for i := range 250 {
		texts = append(texts, text(fmt.Sprint("t:", i), "ab"))
		blobs = append(blobs, blob(fmt.Sprint("b:", i), "AAAA"))
	}
	out := render.Contents(texts, 0, 0)
	assert.Equal(t, 100, strings.Count(out, "[resource]"))
	assert.Contains(t, out, "[cut: 200 of 500 characters shown; continue with offset 200]")
	out = render.Contents(texts, 0, 450)
	assert.True(t, strings.HasPrefix(out, "[resource] uri: t:225\nab"), out)
	out = render.Contents(blobs, 0, 0)
	assert.Equal(t, 100, strings.Count(out, "[resource]"))
	assert.Contains(t, out, "[contents without text that are not shown: 150]")
}

func TestH4_WhatIsSaidBesideTheTextIsBounded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("u", 100_000)
	var all []decode.ResourceContents
	for range 300 {
		all = append(all, text(long, "ab"), blob(long, "AAAA"), decode.ResourceContents{URI: "n:x", Fault: "it has neither text nor blob", Raw: []byte(`{"x":"` + long + `"}`)})
	}
	assert.Less(t, len(render.Contents(all, 0, 0)), 120_000)
	out := render.Contents(all[2:3], 1000, 0)
	requireFit(t, out, 1000)
	assert.Contains(t, out, "[cut: ")
}

var (
	goOn        = regexp.MustCompile(`continue with offset (\d+)\]$`)
	withoutText = regexp.MustCompile(`^\[resource\] uri: [bne]:x`)
)

// TestH4_ReadingOnShowsEverythingOnce follows the markers to the end.
func TestH4_ReadingOnShowsEverythingOnce(t *testing.T) {
	t.Parallel()
	part := rapid.OneOf(
		rapid.Map(rapid.StringMatching(`[aé😀]{1,40}`), func(s string) decode.ResourceContents { return text("t:x", s) }),
		rapid.Just(blob("b:x", "AAAA")), rapid.Just(broken("n:x")), rapid.Just(text("e:x", "")))
	rapid.Check(t, func(t *rapid.T) {
		contents := rapid.SliceOfN(part, 0, 12).Draw(t, "contents")
		limit := rapid.IntRange(1, 60).Draw(t, "limit")
		var want, got strings.Builder
		others, wantOthers := 0, 0
		for _, c := range contents {
			want.WriteString(c.Text)
			if c.Text == "" && len(contents) > 1 {
				wantOthers++
			}
		}
		for offset := 0; ; {
			out := render.Contents(contents, limit, offset)
			require.True(t, utf8.ValidString(out))
			shown := 0
			for line := range strings.Lines(out) {
				line = strings.TrimSuffix(line, "\n")
				switch {
				case strings.Trim(line, "aé😀") == "":
					got.WriteString(line)
					shown += utf8.RuneCountInString(line)
				case withoutText.MatchString(line):
					others++
				}
			}
			require.LessOrEqual(t, shown, limit)
			on := goOn.FindStringSubmatch(out)
			if on == nil {
				break
			}
			next, err := strconv.Atoi(on[1])
			require.NoError(t, err)
			require.Equal(t, offset+shown, next)
			require.Positive(t, shown)
			offset = next
		}
		require.Equal(t, want.String(), got.String())
		if len(contents) > 1 {
			require.Equal(t, wantOthers, others)
		}
	})
}

func TestH4_AnyContentsRender(t *testing.T) {
	t.Parallel()
	anyText := rapid.OneOf(rapid.String(), rapid.Custom(func(t *rapid.T) string { return string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) }))
	rapid.Check(t, func(t *rapid.T) {
		contents := rapid.SliceOfN(resources(anyText), 0, 5).Draw(t, "contents")
		out := render.Contents(contents, rapid.IntRange(-1, 50).Draw(t, "limit"), rapid.IntRange(-1, 100).Draw(t, "offset"))
		requireFit(t, out, 1<<30)
	})
}
