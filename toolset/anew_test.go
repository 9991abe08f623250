package toolset_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/tools"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// forgetter is a server with lists of three pages, one item each, which are
// others in each session, and which forgets a session when it is asked for a
// page of a list with a cursor.
type forgetter struct {
	at      string // the page that is not given, as "2"
	forgets int    // how often
	strict  bool   // it refuses a cursor of another session
	web     *mcptest.Endpoint

	mu      sync.Mutex
	session int
	asked   []string // the session and the cursor, for each page
}

func newForgetter(t *testing.T, f *forgetter) *forgetter {
	t.Helper()
	f.web = mcptest.Raw(t, f.serve)
	return f
}

func (f *forgetter) serve(w http.ResponseWriter, r *http.Request, m mcptest.Message) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if m.Method == "initialize" {
		f.session++
		w.Header().Set("Mcp-Session-Id", f.name())
		mcptest.Reply(w, m, json.RawMessage(`{"protocolVersion":"2025-11-25","serverInfo":{"name":"f","version":"1"},`+
			`"capabilities":{"tools":{},"resources":{},"prompts":{}}}`))
		return
	}
	item, listed := map[string]string{
		"tools/list":               `{"tools":[{"name":"%s","inputSchema":{"type":"object"}}]%s}`,
		"prompts/list":             `{"prompts":[{"name":"%s"}]%s}`,
		"resources/list":           `{"resources":[{"uri":"a://%[1]s","name":"%[1]s"}]%[2]s}`,
		"resources/templates/list": `{"resourceTemplates":[{"uriTemplate":"a://%[1]s/{x}","name":"%[1]s"}]%[2]s}`,
	}[m.Method]
	switch {
	case r.Header.Get("Mcp-Session-Id") != f.name() && m.ID != nil:
		http.Error(w, "no such session", http.StatusNotFound)
	case m.Method == "resources/read":
		mcptest.Reply(w, m, json.RawMessage(`{"contents":[{"uri":"a://x","text":"the text"}]}`))
	case listed:
		f.page(w, m, item)
	default:
		mcptest.Default(w, r, m)
	}
}

func (f *forgetter) name() string { return fmt.Sprint("s", f.session) }

func (f *forgetter) page(w http.ResponseWriter, m mcptest.Message, item string) {
	var params struct{ Cursor string }
	_ = json.Unmarshal(m.Params, &params)
	f.asked = append(f.asked, f.name()+" "+params.Cursor)
	whose, n := f.name(), "1"
	if params.Cursor != "" {
		whose, n = params.Cursor[:2], params.Cursor[3:]
	}
	if n == f.at && f.forgets > 0 {
		f.forgets--
		f.session++ // nobody is told its id
		http.Error(w, "no such session", http.StatusNotFound)
		return
	}
	if f.strict && whose != f.name() {
		mcptest.Refuse(w, m, -32602, "invalid cursor")
		return
	}
	next := map[string]string{"1": "2", "2": "3"}[n]
	if next != "" {
		next = fmt.Sprintf(`,"nextCursor":"%s/%s"`, whose, next)
	}
	mcptest.Reply(w, m, json.RawMessage(fmt.Sprintf(item, f.name()+"-"+n, next)))
}

func (f *forgetter) pages() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.asked)
}

// listers list something and return the names.
var listers = map[string]func(t *testing.T, ts *toolset.Toolset) []string{
	"tools": names,
	"resources": func(t *testing.T, ts *toolset.Toolset) (all []string) {
		found, err := ts.Resources(t.Context())
		require.NoError(t, err)
		for _, r := range found {
			all = append(all, r.Name)
		}
		return all
	},
	"templates": func(t *testing.T, ts *toolset.Toolset) (all []string) {
		found, err := ts.ResourceTemplates(t.Context())
		require.NoError(t, err)
		for _, r := range found {
			all = append(all, r.Name)
		}
		return all
	},
	"prompts": func(t *testing.T, ts *toolset.Toolset) (all []string) {
		found, err := ts.Prompts(t.Context())
		require.NoError(t, err)
		for _, p := range found {
			all = append(all, p.Name)
		}
		return all
	},
}

func TestF7_AListIsOfOneSession(t *testing.T) {
	t.Parallel()
	for name, list := range listers {
		for _, strict := range []bool{false, true} {
			for at, before := range map[string][]string{"2": {"s1 ", "s1 s1/2"}, "3": {"s1 ", "s1 s1/2", "s1 s1/3"}} {
				t.Run(fmt.Sprint(name, " ", at, " ", strict), func(t *testing.T) {
					t.Parallel()
					f := newForgetter(t, &forgetter{at: at, forgets: 1, strict: strict})
					ts := open(t, config.NewStreamableHTTP(f.web.URL))
					assert.Equal(t, []string{"s3-1", "s3-2", "s3-3"}, list(t, ts))
					assert.Equal(t, append(before, "s3 ", "s3 s3/2", "s3 s3/3"), f.pages(), "no cursor goes to another session")
					assert.Empty(t, ts.Report().Warnings)
				})
			}
		}
	}
}

func TestF7_AListIsBegunAnewTwiceAtMost(t *testing.T) {
	t.Parallel()
	for name, list := range listers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newForgetter(t, &forgetter{at: "2", forgets: 100})
			ts := open(t, config.NewStreamableHTTP(f.web.URL))
			assert.Equal(t, []string{"s5-1"}, list(t, ts), "what the last session gave")
			assert.Equal(t, []string{"s1 ", "s1 s1/2", "s3 ", "s3 s3/2", "s5 ", "s5 s5/2"}, f.pages())
			warnings := ts.Report().Warnings
			require.Len(t, warnings, 1)
			assert.Contains(t, warnings[0].Reason, "the session was replaced in the middle of the list")
		})
	}
}

func TestF7_ASearchForANameIsOfOneSession(t *testing.T) {
	t.Parallel()
	for _, strict := range []bool{false, true} {
		for list, arguments := range map[string]string{"resources/list": `{"name":"s3-3"}`, "resources/templates/list": `{"name":"s3-3","variables":{"x":"1"}}`} {
			t.Run(fmt.Sprint(list, strict), func(t *testing.T) {
				t.Parallel()
				f := newForgetter(t, &forgetter{at: "2", strict: strict})
				ts := open(t, config.NewStreamableHTTP(f.web.URL).Resources(true))
				found, err := ts.Tools(t.Context())
				require.NoError(t, err)
				load := found[slices.IndexFunc(found, func(tool tools.Tool) bool { return tool.Name() == "load_mcp_resource" })]
				f.mu.Lock()
				f.asked, f.forgets = nil, 1
				f.mu.Unlock()
				text, err := load.Call(t.Context(), arguments)
				require.NoError(t, err)
				assert.Contains(t, text, "the text")
				assert.NotContains(t, text, "failed")
				assert.Equal(t, []string{"s1 ", "s1 s1/2", "s3 ", "s3 s3/2", "s3 s3/3"}, f.pages())
			})
		}
	}
}
