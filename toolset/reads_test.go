package toolset_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/toolset"
)

// helloAll is the handshake of a server that declares everything.
const helloAll = `{"protocolVersion":"2025-11-25","serverInfo":{"name":"raw","version":"1"},
	"capabilities":{"tools":{},"resources":{},"prompts":{},"completions":{}}}`

// declaring is a server that declares everything and answers each method as the
// map says.
func declaring(results map[string]string) func(request) string {
	return func(r request) string {
		if answer, ok := results[r.Method]; ok {
			return answer
		}
		if r.Method == "initialize" {
			return helloAll
		}
		return ""
	}
}

func TestH6_ResourcesOfEveryPageInTheServersOrder(t *testing.T) {
	t.Parallel()
	s := newRaw(t, func(r request) string {
		switch {
		case r.Method == "initialize":
			return helloAll
		case r.Method != "resources/list":
			return ""
		case strings.Contains(string(r.Params), "p2"):
			return `{"resources":[{"uri":"a:1","name":"A"}]}`
		}
		return `{"nextCursor":"p2","resources":[{"uri":"data://v1/ä","name":"A","title":"T","description":"D",
			"mimeType":"text/plain","size":12,"_meta":{"n":9007199254740993},"annotations":{"priority":1}}]}`
	})
	all, err := open(t, s.config()).Resources(t.Context())
	require.NoError(t, err)
	require.Len(t, all, 2)
	r := all[0]
	assert.Equal(t, []string{"data://v1/ä", "A", "T", "D", "text/plain"}, []string{r.URI, r.Name, r.Title, r.Description, r.MIMEType})
	assert.EqualValues(t, 12, *r.Size)
	assert.Equal(t, `{"n":9007199254740993}`, string(r.Meta))
	assert.Contains(t, string(r.Raw), `"annotations":{"priority":1}`)
	assert.Equal(t, "a:1", all[1].URI, "names need not be unique")
	assert.Nil(t, all[1].Size)
}

func TestH6_ResourceTemplates(t *testing.T) {
	t.Parallel()
	s := newRaw(t, declaring(map[string]string{
		"resources/templates/list": `{"resourceTemplates":[{"uriTemplate":"data://{id}","name":"N","mimeType":"m"},{"name":"no uri"}]}`,
	}))
	ts := open(t, s.config())
	all, err := ts.ResourceTemplates(t.Context())
	require.NoError(t, err)
	require.Len(t, all, 1)
	assert.Equal(t, []string{"data://{id}", "N", "m"}, []string{all[0].URITemplate, all[0].Name, all[0].MIMEType})
	assert.Equal(t, []string{"item 1 of the list of resource templates was left out: the resource template has no uriTemplate"}, reasons(ts))
}

func reasons(ts *toolset.Toolset) (all []string) {
	for _, w := range ts.Report().Warnings {
		all = append(all, w.Reason)
	}
	return all
}

func TestH7_ABrokenItemNeverHidesTheOthers(t *testing.T) {
	t.Parallel()
	s := newRaw(t, declaring(map[string]string{
		"resources/list": `{"resources":[null,7,{"name":"x"},{"uri":""},{"uri":5},
			{"uri":"a:1","name":1,"size":"big","mimeType":[],"description":{}},{"uri":"a:2"}]}`,
		"prompts/list": `{"prompts":[{"name":"p","arguments":[{"name":"a"},"b",{"required":true}]},"q",{"name":"r","arguments":5}]}`,
	}))
	ts := open(t, s.config())
	all, err := ts.Resources(t.Context())
	require.NoError(t, err)
	require.Len(t, all, 2)
	assert.Equal(t, "a:1", all[0].URI)
	assert.Empty(t, all[0].Name)
	assert.Nil(t, all[0].Size)
	assert.Len(t, ts.Report().Warnings, 5)

	prompts, err := ts.Prompts(t.Context())
	require.NoError(t, err)
	require.Len(t, prompts, 2)
	assert.Equal(t, []toolset.PromptArgument{{Name: "a"}}, prompts[0].Arguments)
	assert.Len(t, ts.Report().Warnings, 5+4, "those of the other list stay")
}

func TestO41_DeclaredButEmpty(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{
		`{"%s":[]}`, `{"%s":null}`, `{}`, `null`, `!{"code":-32601,"message":"Method not found"}`,
	} {
		fill := func(key string) string { return strings.ReplaceAll(answer, "%s", key) }
		ts := open(t, newRaw(t, declaring(map[string]string{
			"resources/list": fill("resources"), "resources/templates/list": fill("resourceTemplates"), "prompts/list": fill("prompts"),
		})).config())
		assertNothing(t, ts, answer)
	}
	t.Run("not declared", func(t *testing.T) {
		t.Parallel()
		s := newRaw(t, func(request) string { return "" }) // hello declares tools alone
		ts := open(t, s.config())
		assertNothing(t, ts, "not declared")
		assert.Empty(t, s.of("resources/list"))
		_, err := ts.ReadResource(t.Context(), "a:1")
		assertError(t, err, toolset.StageRead, "does not know resources/read")
		_, err = ts.GetPrompt(t.Context(), "p", nil)
		assertError(t, err, toolset.StagePrompt, "does not know prompts/get")
		_, err = ts.CompletePrompt(t.Context(), "p", "a", "", nil)
		assertError(t, err, toolset.StagePrompt, "does not know completion/complete")
	})
}

func assertNothing(t *testing.T, ts *toolset.Toolset, why string) {
	t.Helper()
	resources, err := ts.Resources(t.Context())
	require.NoError(t, err, why)
	assert.Empty(t, resources)
	templates, err := ts.ResourceTemplates(t.Context())
	require.NoError(t, err, why)
	assert.Empty(t, templates)
	prompts, err := ts.Prompts(t.Context())
	require.NoError(t, err, why)
	assert.Empty(t, prompts)
}

func assertError(t *testing.T, err error, stage toolset.Stage, contains string) {
	t.Helper()
	var failed *toolset.Error
	require.ErrorAs(t, err, &failed)
	assert.Equal(t, stage, failed.Stage)
	assert.ErrorContains(t, err, contains)
}

func TestH6_ReadResource(t *testing.T) {
	t.Parallel()
	for title, c := range map[string]struct {
		answer string
		want   []toolset.ResourceContents // without Raw
		fails  string
	}{
		"text": {
			answer: `{"contents":[{"uri":"a:1","mimeType":"text/plain","text":"é","_meta":{"n":1}}]}`,
			want:   []toolset.ResourceContents{{URI: "a:1", MIMEType: "text/plain", Text: "é", IsText: true, Meta: []byte(`{"n":1}`)}},
		},
		"an empty text is a text": {
			answer: `{"contents":[{"uri":"a:1","text":""}]}`,
			want:   []toolset.ResourceContents{{URI: "a:1", IsText: true}},
		},
		"binary": {
			answer: `{"contents":[{"uri":"a:1","blob":"AQI="}]}`,
			want:   []toolset.ResourceContents{{URI: "a:1", Blob: []byte{1, 2}}},
		},
		"nothing in it": {answer: `{"contents":[]}`},
		"null":          {answer: `{"contents":null}`},
		"broken base64 beside good parts": {
			answer: `{"contents":[{"uri":"a:1","blob":"!!"},{"uri":"a:2","text":"good"},5]}`,
			want: []toolset.ResourceContents{
				{URI: "a:1", Fault: "broken base64: a wrong character at 0 of 2"},
				{URI: "a:2", Text: "good", IsText: true},
				{Fault: "it is a number, not an object"},
			},
			fails: "broken base64",
		},
		"no contents at all": {answer: `{"content":[]}`, fails: "the answer has none"},
		"not an object":      {answer: `[]`, fails: "not an object"},
		"refused":            {answer: `!{"code":-32002,"message":"no such thing"}`, fails: "no such thing"},
		"a question":         {answer: `{"resultType":"input_required","inputRequests":{}}`, fails: "further input before it gives the resource"},
	} {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			s := newRaw(t, declaring(map[string]string{"resources/read": c.answer}))
			all, err := open(t, s.config()).ReadResource(t.Context(), "artifact://77")
			for i := range all {
				assert.NotEmpty(t, all[i].Raw)
				all[i].Raw = nil
			}
			assert.Equal(t, c.want, all)
			assert.Equal(t, `{"uri":"artifact://77"}`, string(s.of("resources/read")[0].Params), "O38: the server decides")
			if c.fails == "" {
				require.NoError(t, err)
				return
			}
			assertError(t, err, toolset.StageRead, c.fails)
			assert.ErrorContains(t, err, `resource "artifact://77"`)
			assert.Equal(t, c.want != nil, len(all) > 0)
		})
	}
}

func TestH6_ReadErrorsAreTold(t *testing.T) {
	t.Parallel()
	ts := open(t, newRaw(t, declaring(map[string]string{
		"resources/read": `{"resultType":"input_required"}`, "prompts/get": `{"resultType":"input_required"}`,
	})).config())
	_, err := ts.ReadResource(t.Context(), "a:1")
	require.ErrorIs(t, err, toolset.ErrInputRequired)
	_, err = ts.GetPrompt(t.Context(), "p", nil)
	require.ErrorIs(t, err, toolset.ErrInputRequired)
	_, err = ts.ReadResource(t.Context(), "")
	assertError(t, err, toolset.StageRead, "empty")

	broken := open(t, newRaw(t, declaring(map[string]string{
		"resources/read": `{"contents":[{"blob":"*"}]}`,
		"resources/list": `!{"code":-32603,"message":"on fire"}`,
	})).config())
	_, err = broken.ReadResource(t.Context(), "a:1")
	require.ErrorIs(t, err, toolset.ErrContents)
	_, err = broken.Resources(t.Context())
	assertError(t, err, toolset.StageList, "on fire")
	var failed *toolset.Error
	require.ErrorAs(t, err, &failed)
	assert.Equal(t, mcp.INTERNAL_ERROR, failed.Code)

	require.NoError(t, broken.Close())
	_, err = broken.Resources(t.Context())
	require.ErrorIs(t, err, toolset.ErrClosed)
	_, err = broken.ReadResource(t.Context(), "a:1")
	require.ErrorIs(t, err, toolset.ErrClosed)
	_, err = broken.GetPrompt(t.Context(), "p", nil)
	require.ErrorIs(t, err, toolset.ErrClosed)
	_, err = broken.CompleteTemplate(t.Context(), "a:{b}", "b", "", nil)
	require.ErrorIs(t, err, toolset.ErrClosed)
}

func TestB1_EveryListEnds(t *testing.T) {
	t.Parallel()
	lists := map[string]struct {
		item string
		ask  func(*toolset.Toolset) (int, error)
	}{
		"resources": {`{"uri":"a:%d"}`, func(ts *toolset.Toolset) (int, error) {
			all, err := ts.Resources(t.Context())
			return len(all), err
		}},
		"resources/templates": {`{"uriTemplate":"a:{x%d}"}`, func(ts *toolset.Toolset) (int, error) {
			all, err := ts.ResourceTemplates(t.Context())
			return len(all), err
		}},
		"prompts": {`{"name":"p%d"}`, func(ts *toolset.Toolset) (int, error) {
			all, err := ts.Prompts(t.Context())
			return len(all), err
		}},
	}
	keys := map[string]string{"resources": "resources", "resources/templates": "resourceTemplates", "prompts": "prompts"}
	for title, c := range map[string]struct {
		cursor         func(n int) string
		pages, items   int
		found, reasons string
	}{
		"O74 every page":        {func(n int) string { return []string{`"p2"`, `"p3"`, `null`}[n-1] }, 10, 100, "3", ""},
		"O75 a repeated cursor": {func(int) string { return `"same"` }, 10, 100, "2", "the server repeats a cursor"},
		"O75 a circle":          {func(n int) string { return fmt.Sprintf(`"c%d"`, n%3) }, 10, 100, "4", "the server repeats a cursor"},
		"O76 ever new cursors":  {func(n int) string { return fmt.Sprintf(`"c%d"`, n) }, 10, 100, "10", "more than 10 pages"},
		"too many items":        {func(n int) string { return fmt.Sprintf(`"c%d"`, n) }, 10, 5, "5", "more than 5 items"},
		"a cursor that is none": {func(n int) string { return []string{`"p2"`, `{"page":3}`}[n-1] }, 10, 100, "2", "page 2: nextCursor is an object, not a string"},
		"a page that fails":     {func(n int) string { return []string{`"p2"`, `null],`}[n-1] }, 10, 100, "1", "page 2 failed"},
	} {
		for list, l := range lists {
			t.Run(title+" of "+list, func(t *testing.T) {
				t.Parallel()
				n := 0
				s := newRaw(t, func(r request) string {
					switch r.Method {
					case list + "/list":
						n++
						if strings.Contains(c.cursor(n), "],") {
							return `!{"code":-32603,"message":"lost"}`
						}
						return fmt.Sprintf(`{%q:[`+l.item+`],"nextCursor":%s}`, keys[list], n, c.cursor(n))
					case "initialize":
						return helloAll
					}
					return ""
				})
				ts := open(t, s.config().MaxPages(c.pages).MaxItems(c.items))
				found, err := l.ask(ts)
				require.NoError(t, err)
				assert.Equal(t, c.found, fmt.Sprint(found))
				if c.reasons == "" {
					assert.Empty(t, reasons(ts))
					return
				}
				require.Len(t, reasons(ts), 1)
				assert.Contains(t, reasons(ts)[0], "not complete: "+c.reasons)
			})
		}
	}
}
