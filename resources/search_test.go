package resources_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/resources"
)

// named is a server that lists resources and templates, whose reads say their
// URI.
func named(resourcesJSON, templatesJSON string, uris ...string) *raw {
	s := &raw{
		pages: map[string]string{
			"resources/list":           `{"resources":[` + resourcesJSON + `]}`,
			"resources/templates/list": `{"resourceTemplates":[` + templatesJSON + `]}`,
		},
		reads: map[string]string{},
	}
	for _, uri := range uris {
		s.reads[uri] = fmt.Sprintf(`{"contents":[{"uri":%q,"text":"read %s"}]}`, uri, uri)
	}
	return s
}

func TestH3_ANameStandsForOneResource(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		server    *raw
		arguments string
		want      string
	}{
		"by name":                  {named(`{"uri":"a://1","name":"A"},{"uri":"a://2","name":"B"}`, ``, "a://1"), `{"name":"A"}`, "read a://1"},
		"name goes before title":   {named(`{"uri":"a://1","name":"A"},{"uri":"a://2","name":"B","title":"A"}`, ``, "a://1"), `{"name":"A"}`, "read a://1"},
		"by title":                 {named(`{"uri":"a://1","name":"x","title":"A"},{"uri":"a://2","name":"B"}`, ``, "a://1"), `{"name":"A"}`, "read a://1"},
		"listed twice":             {named(`{"uri":"a://1","name":"A"},{"uri":"a://1","name":"A"}`, ``, "a://1"), `{"name":"A"}`, "read a://1"},
		"the other one is broken":  {named(`{"name":"A"},7,{"uri":"a://1","name":"A"}`, ``, "a://1"), `{"name":"A"}`, "read a://1"},
		"template":                 {named(`{"uri":"a://1","name":"B"}`, `{"uriTemplate":"t://{x}","name":"A"}`, "t://7"), `{"name":"A","variables":{"x":7}}`, "read t://7"},
		"template by title":        {named(``, `{"uriTemplate":"t://{x}","name":"t","title":"A"}`, "t://7"), `{"name":"A","variables":{"x":7}}`, "read t://7"},
		"variables mean templates": {named(`{"uri":"a://1","name":"A"}`, `{"uriTemplate":"t://{x}","name":"A"}`, "t://7"), `{"name":"A","variables":{"x":7}}`, "read t://7"},
		"nothing to fill in":       {named(``, `{"uriTemplate":"t://x{?q}","name":"A"}`, "t://x"), `{"name":"A"}`, "read t://x"},
	} {
		assert.Equal(t, c.want, run(t, c.server, resources.LoadResource, c.arguments, resources.Options{}), name)
	}
}

func TestH3_ANameOfSeveral(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		server    *raw
		arguments string
		want      string
	}{
		"resources": {
			named(`{"uri":"a://1","name":"A"},{"uri":"a://2","name":"A","description":"d","size":1}`, ``), `{"name":"A"}`,
			`Error: 2 resources have the name "A". Load one of them by its uri, given as uri:` + "\n" + `{"name":"A","uri":"a://1"}` + "\n" + `{"name":"A","uri":"a://2"}`,
		},
		"titles": {
			named(`{"uri":"a://1","name":"x","title":"A"},{"uri":"a://2","name":"y","title":"A"}`, ``), `{"name":"A"}`,
			`Error: 2 resources have the title "A". Load one of them by its uri, given as uri:` + "\n" + `{"name":"x","uri":"a://1","title":"A"}` + "\n" + `{"name":"y","uri":"a://2","title":"A"}`,
		},
		"templates": {
			named(``, `{"uriTemplate":"t://{x}","name":"A"},{"uriTemplate":"u://{x}","name":"A"}`), `{"name":"A","variables":{"x":1}}`,
			`Error: 2 resource templates have the name "A". Load one of them by its uriTemplate, given as uri:` + "\n" + `{"name":"A","uriTemplate":"t://{x}"}` + "\n" + `{"name":"A","uriTemplate":"u://{x}"}`,
		},
	} {
		said, err := refused(t, c.server, resources.LoadResource, c.arguments, resources.Options{})
		assert.Equal(t, c.want, said, name)
		require.ErrorIs(t, err, resources.ErrName)
		assert.NotContains(t, strings.Join(c.server.log(), " "), "://", "a resource was read")
	}
}

func TestH3_ANameOfNone(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		server    *raw
		arguments string
		want      []string
	}{
		"candidates, the likely first": {
			named(`{"uri":"a://1","name":"zebra"},{"uri":"a://2","name":"Readme.md"}`, `{"uriTemplate":"t://{x}","name":"T"}`), `{"name":"readme"}`,
			[]string{
				`Error: There is no resource or resource template with the name "readme". The server's resources are:`,
				`{"name":"Readme.md","uri":"a://2"}`, `{"name":"zebra","uri":"a://1"}`,
				`The server's resource templates are:`, `{"name":"T","uriTemplate":"t://{x}"}`,
			},
		},
		"the case counts": {
			named(`{"uri":"a://1","name":"A"}`, ``), `{"name":"a"}`,
			[]string{
				`Error: There is no resource or resource template with the name "a". The server's resources are:`,
				`{"name":"A","uri":"a://1"}`, `The server lists no resource templates.`,
			},
		},
		"a uri is no name": {
			named(`{"uri":"a://1","name":"A"}`, ``), `{"name":"a://1"}`,
			[]string{
				`Error: There is no resource or resource template with the name "a://1". It looks like a uri, which is given as {"uri": "..."}. The server's resources are:`,
				`{"name":"A","uri":"a://1"}`, `The server lists no resource templates.`,
			},
		},
		"variables mean templates": {
			named(`{"uri":"a://1","name":"A"}`, ``), `{"name":"A","variables":{"x":1}}`,
			[]string{`Error: There is no resource template with the name "A". The server lists no resource templates.`},
		},
		"lists the server does not know": {
			&raw{}, `{"name":"A"}`,
			[]string{
				`Error: There is no resource or resource template with the name "A". The server lists no resources.`,
				`The server lists no resource templates.`,
			},
		},
		"lists the server refuses": {
			&raw{fail: map[string]error{"resources/list": reject(mcp.INTERNAL_ERROR, "no database"), "resources/templates/list": reject(mcp.INTERNAL_ERROR, strings.Repeat("x", 1_000))}}, `{"name":"A"}`,
			[]string{
				`Error: There is no resource or resource template with the name "A". Whether there are resources is not known: page 1 of resources/list failed: no database.`,
				`Whether there are resource templates is not known: page 1 of resources/templates/list failed: ` + strings.Repeat("x", 500) + `….`,
			},
		},
	} {
		said, err := refused(t, c.server, resources.LoadResource, c.arguments, resources.Options{})
		assert.Equal(t, strings.Join(c.want, "\n"), said, name)
		require.ErrorIs(t, err, resources.ErrName)
	}
}

func TestH3_CandidatesAreBounded(t *testing.T) {
	t.Parallel()
	var items []string
	for i := range 60 {
		items = append(items, fmt.Sprintf(`{"uri":"a://%d%s","name":"same","description":"%s"}`, i, strings.Repeat("u", 3_000), strings.Repeat("d", 2_000)))
	}
	s := named(strings.Join(items, ","), strings.ReplaceAll(strings.Join(items, ","), `"uri"`, `"uriTemplate"`))
	for _, name := range []string{"same", "other"} {
		said, _ := refused(t, s, resources.LoadResource, `{"name":"`+name+`"}`, resources.Options{MaxOutput: 200_000})
		assert.Contains(t, said, "and 40 more, see list_mcp_resources")
		said, _ = refused(t, s, resources.LoadResource, `{"name":"`+name+`"}`, resources.Options{MaxOutput: 700})
		assert.LessOrEqual(t, utf8.RuneCountInString(said), 700)
	}
}

// pages is a server with n pages of one resource each, named by its number.
func pages(n int) *raw {
	s := named(``, ``)
	for i := range n {
		key := "resources/list"
		if i > 0 {
			key += fmt.Sprintf(" c%d", i)
		}
		s.pages[key] = fmt.Sprintf(`{"resources":[{"uri":"a://%d","name":"%d"}],"nextCursor":"c%d"}`, i, i, i+1)
		s.reads[fmt.Sprintf("a://%d", i)] = fmt.Sprintf(`{"contents":[{"text":"body %d"}]}`, i)
	}
	s.pages[fmt.Sprintf("resources/list c%d", n)] = `{"resources":[]}`
	return s
}

func TestH3_AtMostAHundredPagesAreScanned(t *testing.T) {
	t.Parallel()
	for _, o := range []resources.Options{{}, {MaxPages: 1_000}, {MaxPages: -1}} {
		s := pages(150)
		assert.Equal(t, "body 99\n[found by its name on an incomplete list: resources/list has more than 100 pages]", run(t, s, resources.LoadResource, `{"name":"99"}`, o))
		assert.Len(t, s.log(), 101)
		said, err := refused(t, s, resources.LoadResource, `{"name":"100"}`, o)
		require.ErrorIs(t, err, resources.ErrName)
		assert.Contains(t, said, "The list is not complete: resources/list has more than 100 pages.")
	}
	assert.Contains(t, run(t, pages(150), resources.LoadResource, `{"name":"1"}`, resources.Options{MaxPages: 2}), "body 1\n[found by its name on an incomplete list: resources/list has more than 2 pages]")
	assert.Contains(t, run(t, pages(150), resources.LoadResource, `{"name":"1"}`, resources.Options{MaxItems: 2}), "body 1\n[found by its name on an incomplete list: resources/list has more than 2 items]")
}

func TestH3_ARepeatedCursorEndsTheScan(t *testing.T) {
	t.Parallel()
	s := pages(3)
	s.pages["resources/list c2"] = `{"resources":[{"uri":"a://2","name":"2"}],"nextCursor":"c1"}`
	assert.Equal(t, "body 2\n[found by its name on an incomplete list: resources/list repeats a cursor]", run(t, s, resources.LoadResource, `{"name":"2"}`, resources.Options{}))
	assert.Equal(t, []string{"resources/list", "resources/list c1", "resources/list c2", "a://2"}, s.log())
}

func TestH3_ACursorThatCannotBeReadIsSaid(t *testing.T) {
	t.Parallel()
	s := pages(2)
	s.pages["resources/list c1"] = `{"resources":[{"uri":"a://1","name":"1"}],"nextCursor":{"page":3}}`
	why := "page 2 of resources/list: nextCursor is an object, not a string"
	assert.Equal(t, "body 1\n[found by its name on an incomplete list: "+why+"]", run(t, s, resources.LoadResource, `{"name":"1"}`, resources.Options{}))
	said, _ := refused(t, s, resources.LoadResource, `{"name":"3"}`, resources.Options{})
	assert.Contains(t, said, "The list is not complete: "+why)
}

func TestH7_AFailingPageHidesNothing(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(*raw){
		"rejected":    func(s *raw) { delete(s.pages, "resources/list c2") },
		"unreachable": func(s *raw) { s.fail = map[string]error{"resources/list c2": errGone} },
		"not JSON":    func(s *raw) { s.pages["resources/list c2"] = `{` },
		"no list":     func(s *raw) { s.pages["resources/list c2"] = `{"resources":{}}` },
	} {
		s := pages(4)
		spoil(s)
		said := run(t, s, resources.LoadResource, `{"name":"1"}`, resources.Options{})
		assert.Regexp(t, `^body 1\n\[found by its name on an incomplete list: page 3 of resources/list failed: `, said, name)
		said, err := refused(t, s, resources.LoadResource, `{"name":"3"}`, resources.Options{})
		require.ErrorIs(t, err, resources.ErrName)
		assert.Contains(t, said, `{"name":"0","uri":"a://0"}`+"\n"+`{"name":"1","uri":"a://1"}`, name)
		assert.Contains(t, said, "The list is not complete: page 3 of resources/list failed", name)
	}
}

func TestH7_AFailingListHidesNotTheOther(t *testing.T) {
	t.Parallel()
	s := named(`{"uri":"a://1","name":"A"}`, `{"uriTemplate":"t://{x}","name":"T"}`, "t://7")
	delete(s.pages, "resources/list")
	said, _ := refused(t, s, resources.LoadResource, `{"name":"T"}`, resources.Options{})
	assert.Contains(t, said, `needs a value for "x"`)

	s = named(`{"uri":"a://1","name":"A"}`, ``)
	s.fail = map[string]error{"resources/templates/list": errGone}
	said, err := refused(t, s, resources.LoadResource, `{"name":"B"}`, resources.Options{})
	require.ErrorIs(t, err, resources.ErrName)
	assert.Contains(t, said, `{"name":"A","uri":"a://1"}`)
	assert.Contains(t, said, "Whether there are resource templates is not known: resources/templates/list failed: connection reset.")

	s = named(``, ``, "a://{x}")
	delete(s.pages, "resources/templates/list")
	assert.Equal(t, "read a://{x}", run(t, s, resources.LoadResource, `{"uri":"a://{x}"}`, resources.Options{}))
}

// ending is a server whose caller leaves while it is asked for a page.
type ending struct {
	*raw
	at     string
	cancel context.CancelFunc
}

func (e ending) Page(ctx context.Context, method, cursor string) (json.RawMessage, error) {
	if cursor == e.at {
		e.cancel()
	}
	return e.raw.Page(ctx, method, cursor)
}

func TestH3_TheEndOfTheContextEndsTheScan(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	s := ending{raw: pages(50), at: "c7", cancel: cancel}
	said, err := tool(t, resources.LoadResource, resources.Options{}).Run(ctx, s, json.RawMessage(`{"name":"40"}`))
	require.ErrorIs(t, err, context.Canceled)
	assert.Empty(t, said)
	assert.Len(t, s.log(), 8)
}

func TestF7_ASearchBeginsAnewTwiceAtMost(t *testing.T) {
	t.Parallel()
	s := &raw{
		pages: map[string]string{
			"resources/list":           `{"resources":[{"uri":"a://1","name":"A"}],"nextCursor":"c1"}`,
			"resources/templates/list": `{"resourceTemplates":[]}`,
		},
		reads: map[string]string{"a://1": `{"contents":[{"uri":"a://1","text":"hello"}]}`},
		fail:  map[string]error{"resources/list c1": fmt.Errorf("over: %w", resources.ErrReplaced)},
	}
	said := run(t, s, resources.LoadResource, `{"name":"A"}`, resources.Options{})
	assert.Contains(t, said, "hello", "what the last one gave")
	assert.Contains(t, said, "page 2 of resources/list failed")
	page := []string{"resources/list", "resources/list c1"}
	assert.Equal(t, slices.Concat(page, page, page, []string{"a://1"}), s.asked)
}
