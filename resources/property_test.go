package resources_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mcptoolset/mcptoolset/resources"
)

// scalars are JSON values of all kinds, likely and unlikely ones.
func scalars() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{`null`, `true`, `7`, `-1`, `1.5e300`, `12345678901234567890123`, `[]`, `{}`, `[["x"]]`, `{"a":{"b":1}}`, `"\ud800"`, `"c1"`, `"passed=1;page=c1"`}),
		rapid.Map(rapid.String(), quote),
		rapid.Map(rapid.StringMatching(`[aé😀"\n]{0,900}`), quote),
	)
}

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// object is a JSON object with some of the members.
func object(t *rapid.T, value *rapid.Generator[string], names ...string) string {
	var members []string
	for _, name := range names {
		if rapid.Bool().Draw(t, "with "+name) {
			members = append(members, quote(name)+":"+value.Draw(t, name))
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}

func listed(t *rapid.T) string {
	item := rapid.OneOf(scalars(), rapid.Custom(func(t *rapid.T) string {
		return object(t, scalars(), "name", "uri", "uriTemplate", "title", "description", "mimeType", "size", "_meta")
	}))
	items := "[" + strings.Join(rapid.SliceOfN(item, 0, 6).Draw(t, "items"), ",") + "]"
	if rapid.IntRange(0, 9).Draw(t, "broken") == 0 {
		items = scalars().Draw(t, "in place of items")
	}
	return `{"resources":` + items + `,"resourceTemplates":` + items + `,"nextCursor":` + scalars().Draw(t, "nextCursor") + `}`
}

// anyServer answers with anything.
func anyServer(t *rapid.T) *raw {
	s := &raw{pages: map[string]string{}, reads: map[string]string{}}
	for _, key := range []string{"resources/list", "resources/list c1", "resources/templates/list", "resources/templates/list c1"} {
		if rapid.IntRange(0, 5).Draw(t, "known") > 0 {
			s.pages[key] = listed(t)
		}
	}
	contents := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
		return object(t, scalars(), "uri", "text", "blob", "mimeType")
	}), 0, 4).Draw(t, "contents")
	s.reads["a:1"] = rapid.SampledFrom([]string{`{"contents":[` + strings.Join(contents, ",") + `]}`, `null`, `[]`, `"x"`, `{`, `{"other":1}`}).Draw(t, "read")
	return s
}

// TestH4_WhateverTheServerSays is text within the budget, the same each time.
func TestH4_WhateverTheServerSays(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := anyServer(t)
		name := rapid.SampledFrom(resources.Names()).Draw(t, "tool")
		arguments := object(t, rapid.OneOf(scalars(), rapid.Just(`"a:1"`)), "uri", "name", "cursor", "offset", "variables")
		if rapid.Bool().Draw(t, "a plain read") {
			arguments = `{"uri":"a:1"}`
		}
		o := resources.Options{
			MaxLength: rapid.IntRange(-1, 300).Draw(t, "MaxLength"),
			MaxOutput: rapid.SampledFrom([]int{0, 1, 5, 50, 300, 2_000}).Draw(t, "MaxOutput"),
		}
		said, err := tool(t, name, o).Run(context.Background(), s, json.RawMessage(arguments))
		again, _ := tool(t, name, o).Run(context.Background(), s, json.RawMessage(arguments))
		require.Equal(t, said, again)
		require.NotEmpty(t, said)
		require.True(t, utf8.ValidString(said))
		require.LessOrEqual(t, utf8.RuneCountInString(said), positive(o.MaxOutput, resources.DefaultMaxOutput))
		if err != nil {
			require.True(t, o.MaxOutput > 0 && o.MaxOutput < 10 || strings.HasPrefix(said, "Error: "), said)
		} else if name != resources.LoadResource && (o.MaxOutput == 0 || o.MaxOutput >= 2_000) {
			require.True(t, json.Valid([]byte(said)), said)
		}
	})
}

// TestH2_FollowingCursorsEnds at an end, or in a circle the server made of its
// own cursors, and shows each item of the first page once.
func TestH2_FollowingCursorsEnds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 40).Draw(t, "items")
		var items []string
		for range n {
			items = append(items, object(t, scalars(), "name", "uri", "description"))
		}
		s := &raw{pages: map[string]string{"resources/list": `{"resources":[` + strings.Join(items, ",") + `]}`}}
		list := tool(t, resources.ListResources, resources.Options{MaxOutput: rapid.IntRange(1_200, 5_000).Draw(t, "MaxOutput")})
		shown, cursor := 0, ""
		for calls := 0; calls == 0 || cursor != ""; calls++ {
			require.LessOrEqual(t, calls, n)
			said, err := list.Run(context.Background(), s, json.RawMessage(`{"cursor":`+quote(cursor)+`}`))
			require.NoError(t, err)
			p := pageOf(t, said)
			shown, cursor = shown+len(p.Resources), p.NextCursor
		}
		require.Equal(t, n, shown)
	})
}
