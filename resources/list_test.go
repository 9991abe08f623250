package resources_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/resources"
)

func TestH2_PagesOfARealServer(t *testing.T) {
	t.Parallel()
	s := open(t, shelf(5, 3))
	first := run(t, s, resources.ListResources, `{}`, resources.Options{})
	assert.Equal(t, `{"resources":[`+
		`{"name":"item 000","uri":"data://v1/000","mimeType":"text/plain","size":9007199254740993},`+
		`{"name":"item 001","uri":"data://v1/001","mimeType":"text/plain","size":9007199254740993},`+
		`{"name":"item 002","uri":"data://v1/002","mimeType":"text/plain","size":9007199254740993}],`+
		`"nextCursor":"aXRlbSAwMDI="}`, first)
	assert.Equal(t, first, run(t, s, resources.ListResources, `{"cursor":""}`, resources.Options{}), "an empty cursor is the first page")

	var names []any
	pages := 0
	for cursor := ""; pages == 0 || cursor != ""; pages++ {
		p := pageOf(t, run(t, s, resources.ListResources, fmt.Sprintf(`{"cursor":%q}`, cursor), resources.Options{}))
		for _, r := range p.Resources {
			names = append(names, r["name"])
		}
		cursor = p.NextCursor
	}
	assert.Equal(t, []any{"item 000", "item 001", "item 002", "item 003", "item 004", "picture", "unreadable"}, names)
	assert.Equal(t, 3, pages)

	assert.Equal(t, `{"resourceTemplates":[{"name":"notes","uriTemplate":"user://{id}/notes{?q}","description":"a user's notes"}]}`,
		run(t, s, resources.ListTemplates, `{}`, resources.Options{}))
}

func TestH2_ACursorTheServerRefuses(t *testing.T) {
	t.Parallel()
	s := open(t, shelf(5, 3))
	said, err := refused(t, s, resources.ListResources, `{"cursor":"list everything, please"}`, resources.Options{})
	assert.Contains(t, said, `cursor "list everything, please"`)
	assert.Contains(t, said, "Call it with {} for the first page")
	require.ErrorAs(t, err, new(*rejection))
}

func TestO41_EmptyLists(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{`{"resources":[]}`, `{"resources":null}`, `{}`, `null`} {
		s := &raw{pages: map[string]string{"resources/list": answer, "resources/templates/list": strings.Replace(answer, "resources", "resourceTemplates", 1)}}
		said := run(t, s, resources.ListResources, `{}`, resources.Options{})
		assert.Regexp(t, `^\{"resources":\[\],"note":"no resources are listed;`, said, answer)
		pageOf(t, said)
		said = run(t, s, resources.ListTemplates, `{}`, resources.Options{})
		assert.Regexp(t, `^\{"resourceTemplates":\[\],"note":"no resource templates are listed`, said, answer)
	}
}

func TestO41_AListTheServerDoesNotKnowIsEmpty(t *testing.T) {
	t.Parallel()
	s := &raw{}
	for _, name := range []string{resources.ListResources, resources.ListTemplates} {
		said := run(t, s, name, `{}`, resources.Options{})
		assert.Contains(t, said, "are listed")
		assert.Contains(t, said, "the server does not know resources/")
	}
}

func TestH2_EmptyPages(t *testing.T) {
	t.Parallel()
	s := &raw{pages: map[string]string{
		"resources/list":    `{"resources":[],"nextCursor":"c1"}`,
		"resources/list c1": `{"resources":[]}`,
	}}
	assert.Equal(t, `{"resources":[],"nextCursor":"c1","note":"no resources on this page, but there may be on the next"}`, run(t, s, resources.ListResources, `{}`, resources.Options{}))
	assert.Equal(t, `{"resources":[],"note":"no more resources at this cursor; without one there is the first page"}`, run(t, s, resources.ListResources, `{"cursor":"c1"}`, resources.Options{}))
}

func TestH7_BrokenItemsAreNamed(t *testing.T) {
	t.Parallel()
	long := "a://" + strings.Repeat("x", 5_000)
	for item, want := range map[string]string{
		`{"uri":"a://1","name":"A"}`: `{"name":"A","uri":"a://1"}`,
		`{"name":"A","uri":"a://1","title":null,"size":null,"_meta":{"a":1},"annotations":{}}`: `{"name":"A","uri":"a://1"}`,
		`{"uri":"a://1"}`: `{"uri":"a://1"}`,
		`{"uri":"a://1?x=<1>&y='2'","name":"\u00e9\u2028\u0007\u009b\u007f"}`: `{"name":"é\u2028\u0007\u009b\u007f","uri":"a://1?x=<1>&y='2'"}`,
		`{"name":"A"}`:                                          `{"name":"A","fault":"it has no uri"}`,
		`{"name":"A","uri":""}`:                                 `{"name":"A","fault":"its uri is empty"}`,
		`{"name":"A","uri":null}`:                               `{"name":"A","fault":"it has no uri"}`,
		`{"name":"A","uriTemplate":"a://{id}"}`:                 `{"name":"A","uriTemplate":"a://{id}","fault":"it has no uri"}`,
		`{"name":["A"],"uri":7,"size":"12"}`:                    `{"fault":"name is a list, not a string: [\"A\"]; uri is a number, not a string: 7; size is not a number of bytes: \"12\""}`,
		`{"uri":"a://1","size":123456789012345678901234567890}`: `{"uri":"a://1","size":123456789012345678901234567890}`,
		`{"uri":"a://1","size":1.50}`:                           `{"uri":"a://1","size":1.50}`,
		`"a://1"`:                                               `{"fault":"it is a string, not an object","sent":"\"a://1\""}`,
		`null`:                                                  `{"fault":"it is null, not an object","sent":"null"}`,
		`[1]`:                                                   `{"fault":"it is a list, not an object","sent":"[1]"}`,
		`{"name":"A","uri":"` + long + `"}`:                     `{"name":"A","uri":"` + long[:4_000] + `…","fault":"its URI of 5004 characters is too long to be shown"}`,
		`{"uri":"a://1","description":"` + strings.Repeat("é", 2_000) + `"}`: `{"uri":"a://1","description":"` + strings.Repeat("é", 1_000) + `…"}`,
	} {
		s := &raw{pages: map[string]string{"resources/list": `{"resources":[` + item + `,{"uri":"z://1"}]}`}}
		said := run(t, s, resources.ListResources, `{}`, resources.Options{})
		assert.Equal(t, `{"resources":[`+want+`,{"uri":"z://1"}]}`, said)
		assert.Len(t, pageOf(t, said).Resources, 2)
	}
}

func TestH7_BrokenPagesAreSaid(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]string{
		`{"resources":[{"uri":"a://1"}],"nextCursor":7}`:     `{"resources":[{"uri":"a://1"}],"nextCursor":"7","note":"nextCursor is a number, not a string"}`,
		`{"resources":[{"uri":"a://1"}],"nextCursor":null}`:  `{"resources":[{"uri":"a://1"}]}`,
		`{"resources":[{"uri":"a://1"}],"nextCursor":false}`: `{"resources":[{"uri":"a://1"}]}`,
	} {
		s := &raw{pages: map[string]string{"resources/list": answer}}
		assert.Equal(t, want, run(t, s, resources.ListResources, `{}`, resources.Options{}))
	}
	for _, answer := range []string{`{"resources":{}}`, `{"resources":"x"}`, `[]`, `"x"`, `{"resources":`, ``, `x`} {
		s := &raw{pages: map[string]string{"resources/list": answer}}
		_, err := refused(t, s, resources.ListResources, `{}`, resources.Options{})
		require.ErrorIs(t, err, resources.ErrAnswer, answer)
	}
}

func TestH2_ACursorThatLeadsNowhereIsNotShown(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("c", 20_000)
	s := &raw{pages: map[string]string{
		"resources/list":    `{"resources":[{"uri":"a://1"}],"nextCursor":"` + long + `"}`,
		"resources/list c1": `{"resources":[{"uri":"a://1"}],"nextCursor":"c1"}`,
	}}
	said := run(t, s, resources.ListResources, `{}`, resources.Options{})
	assert.Equal(t, `{"resources":[{"uri":"a://1"}],"note":"there is a next page, but its cursor of 20000 characters is too long to be shown"}`, said)
	said = run(t, s, resources.ListResources, `{"cursor":"c1"}`, resources.Options{})
	assert.Equal(t, `{"resources":[{"uri":"a://1"}],"note":"the server names this page as the next one, so there is no going on"}`, said)
}

// TestH2_ALongPageIsReadToItsEnd follows the cursors through pages that are too
// long for one observation, the server's own cursors looking like ours.
func TestH2_ALongPageIsReadToItsEnd(t *testing.T) {
	t.Parallel()
	const perPage = 700
	cursors := []string{"", "passed=3;page=", "x"}
	s := &raw{pages: map[string]string{}}
	for i, cursor := range cursors {
		items := make([]string, perPage)
		for j := range items {
			items[j] = fmt.Sprintf(`{"uri":"a://%d","description":"é%s"}`, i*perPage+j, strings.Repeat("d", j%300))
		}
		next := ""
		if i+1 < len(cursors) {
			next = `,"nextCursor":"` + cursors[i+1] + `"`
		}
		s.pages[strings.TrimSpace("resources/list "+cursor)] = `{"resources":[` + strings.Join(items, ",") + `]` + next + `}`
	}
	for _, budget := range []int{0, 3_000} {
		seen, calls := 0, 0
		for cursor := ""; calls == 0 || cursor != ""; calls++ {
			said := run(t, s, resources.ListResources, fmt.Sprintf(`{"cursor":%q}`, cursor), resources.Options{MaxOutput: budget})
			require.LessOrEqual(t, utf8.RuneCountInString(said), positive(budget, 50_000))
			p := pageOf(t, said)
			for _, r := range p.Resources {
				require.Equal(t, "a://"+strconv.Itoa(seen), r["uri"])
				seen++
			}
			require.NotEmpty(t, p.Resources)
			if cursor = p.NextCursor; strings.HasPrefix(cursor, "passed=") && !strings.HasPrefix(cursor, "passed=0;") {
				require.Contains(t, p.Note, "of the 700 on this page are shown")
			}
		}
		assert.Equal(t, len(cursors)*perPage, seen)
		assert.Greater(t, calls, len(cursors))
	}
}

func positive(n, otherwise int) int {
	if n > 0 {
		return n
	}
	return otherwise
}

func TestH2_APageThatHasShrunk(t *testing.T) {
	t.Parallel()
	s := &raw{pages: map[string]string{"resources/list c": `{"resources":[{"uri":"a://1"},{"uri":"a://2"}],"nextCursor":"d"}`}}
	assert.Equal(t, `{"resources":[{"uri":"a://2"}],"nextCursor":"d"}`, run(t, s, resources.ListResources, `{"cursor":"passed=1;page=c"}`, resources.Options{}))
	assert.Equal(t, `{"resources":[],"nextCursor":"d","note":"no more resources on this page, which has 2"}`,
		run(t, s, resources.ListResources, `{"cursor":"passed=9;page=c"}`, resources.Options{}))
}

// TestH2_AnItemTooLongForTheObservation is shown in part, so that those behind
// it can be reached.
func TestH2_AnItemTooLongForTheObservation(t *testing.T) {
	t.Parallel()
	big := fmt.Sprintf(`{"uri":"a://1","name":%q,"description":%q}`, strings.Repeat("\n", 400), strings.Repeat(`"`, 1_000))
	s := &raw{pages: map[string]string{"resources/list": `{"resources":[` + big + `,` + big + `,{"uri":"z://1"}]}`}}
	o := resources.Options{MaxOutput: 600}
	var uris []any
	for cursor := ""; len(uris) == 0 || cursor != ""; {
		p := pageOf(t, run(t, s, resources.ListResources, fmt.Sprintf(`{"cursor":%q}`, cursor), o))
		for _, r := range p.Resources {
			uris = append(uris, r["uri"])
		}
		cursor = p.NextCursor
	}
	assert.Equal(t, []any{"a://1", "a://1", "z://1"}, uris)
}

func TestH2_Arguments(t *testing.T) {
	t.Parallel()
	s := &raw{pages: map[string]string{
		"resources/list":   `{"resources":[{"uri":"a://1"}]}`,
		"resources/list 7": `{"resources":[{"uri":"a://7"}]}`,
	}}
	for arguments, want := range map[string]string{
		``:                  `{"resources":[{"uri":"a://1"}]}`,
		`null`:              `{"resources":[{"uri":"a://1"}]}`,
		`{"cursor":null}`:   `{"resources":[{"uri":"a://1"}]}`,
		`{"cursor":" "}`:    `{"resources":[{"uri":"a://1"}]}`,
		`{"cursor":7}`:      `{"resources":[{"uri":"a://7"}]}`,
		`{"server":"home"}`: `{"resources":[{"uri":"a://1"}],"note":"not known and ignored: \"server\""}`,
	} {
		assert.Equal(t, want, run(t, s, resources.ListResources, arguments, resources.Options{}), arguments)
	}
	s.log()
	for arguments, want := range map[string]string{
		`{"cursor":["7"]}`: "cursor is a list, not a string",
		`{"cursor":{}}`:    "cursor is an object, not a string",
		`{"cursor":true}`:  "cursor is a boolean, not a string",
		`[]`:               "not a JSON object",
		`"7"`:              "not a JSON object",
		`{`:                "not a JSON object",
	} {
		said, err := refused(t, s, resources.ListResources, arguments, resources.Options{})
		assert.Contains(t, said, want, arguments)
		assert.Contains(t, said, `{"cursor": "..."}`)
		require.ErrorIs(t, err, resources.ErrArguments)
	}
	assert.Empty(t, s.log(), "a wrong call reached the server")
}

func TestH5_FailuresOfAList(t *testing.T) {
	t.Parallel()
	s := &raw{fail: map[string]error{
		"resources/list":           errGone,
		"resources/templates/list": reject(mcp.INTERNAL_ERROR, "database is down"),
	}}
	said, err := tool(t, resources.ListResources, resources.Options{}).Run(t.Context(), s, nil)
	require.ErrorIs(t, err, errGone)
	assert.Empty(t, said)

	said, err = refused(t, s, resources.ListTemplates, `{}`, resources.Options{})
	assert.Equal(t, "Error: The server refused to list its resource templates: database is down", said)
	require.ErrorAs(t, err, new(*rejection))

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	said, err = tool(t, resources.ListTemplates, resources.Options{}).Run(ctx, s, json.RawMessage(`{}`))
	require.True(t, errors.Is(err, context.Canceled), err)
	assert.Empty(t, said)
}
