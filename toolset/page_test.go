package toolset_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/tools"

	"github.com/mcptoolset/mcptoolset/toolset"
)

const (
	signIn      = `{"mode":"url","message":"Sign in","url":"https://example.com/in?n=1","elicitationId":"1"}`
	pageRefusal = `!{"code":-32042,"message":"sign in first","data":{"elicitations":[` + signIn + `]}}`
)

// gated is a server that refuses its first calls.
func gated(t *testing.T, refusal string, times int) *raw {
	t.Helper()
	calls := make(chan struct{}, 100)
	return newRaw(t, func(r request) string {
		if r.Method == "tools/call" {
			calls <- struct{}{}
			if len(calls) <= times {
				return refusal
			}
		}
		return lists(`[{"name":"t","inputSchema":{"type":"object"}}]`)(r)
	})
}

// visitor answers questions with an action, and notes them.
func visitor(action toolset.ElicitationAction, err error, modes ...toolset.ElicitationMode) (toolset.Option, <-chan toolset.Elicitation) {
	asked := make(chan toolset.Elicitation, 99)
	return toolset.WithElicitation(func(_ context.Context, e toolset.Elicitation) (toolset.ElicitationAnswer, error) {
		asked <- e
		return toolset.ElicitationAnswer{Action: action}, err
	}, modes...), asked
}

func TestJ3_ACallThatIsRefusedForAPageIsSentAgainOnce(t *testing.T) {
	t.Parallel()
	s := gated(t, pageRefusal, 1)
	option, asked := visitor(toolset.ElicitationAccept, nil, toolset.ElicitationURL)
	assert.Equal(t, "ok", observed(t, open(t, s.config(), option)))
	calls := s.of("tools/call")
	require.Len(t, calls, 2)
	assert.Equal(t, string(calls[0].Params), string(calls[1].Params))
	require.Len(t, asked, 1)
	e := <-asked
	assert.True(t, e.Required)
	assert.Equal(t, toolset.ElicitationURL, e.Mode)
	assert.Equal(t, "raw", e.Server)
	assert.Equal(t, "Sign in", e.Message)
	assert.Equal(t, "https://example.com/in?n=1", e.URL)
	assert.Equal(t, "1", e.ID)
	assert.NotNil(t, e.Done)
}

func TestJ3_ATaskThatIsRefusedForAPageIsAskedForAgain(t *testing.T) {
	t.Parallel()
	s := tasking{}.start(t)
	answer, first := s.answer, true
	s.answer = func(r request) string {
		if r.Method == "tools/call" && first {
			first = false
			return pageRefusal
		}
		return answer(r)
	}
	option, asked := visitor(toolset.ElicitationAccept, nil, toolset.ElicitationURL)
	assert.Equal(t, "found it", observed(t, open(t, s.config(), option)))
	assert.Len(t, asked, 1)
	assert.Len(t, s.of("tools/call"), 2)
}

func TestJ3_ACallThatIsRefusedForAPageForTheModel(t *testing.T) {
	t.Parallel()
	const show = "Show this to the user"
	both := []toolset.ElicitationMode{toolset.ElicitationForm, toolset.ElicitationURL}
	for title, c := range map[string]struct {
		refusal string
		action  toolset.ElicitationAction
		fail    error
		modes   []toolset.ElicitationMode // nil: no handler
		says    []string
		not     string
		asked   int
		calls   int
	}{
		"no handler":         {pageRefusal, "", nil, nil, []string{`"Sign in" https://example.com/in?n=1`, show}, "unknown", 0, 1},
		"a handler of forms": {pageRefusal, "", nil, both[:1], []string{`"Sign in" https://example.com/in?n=1`, show}, "unknown", 0, 1},
		"declined":           {pageRefusal, toolset.ElicitationDecline, nil, both, []string{"did not agree", "did not run"}, "https://", 1, 1},
		"cancelled":          {pageRefusal, "", nil, both, []string{"did not agree", "did not run"}, show, 1, 1},
		"still refused":      {pageRefusal, toolset.ElicitationAccept, nil, both, []string{"still refuses", "https://example.com/in?n=1", show}, "unknown", 1, 2},
		"the handler fails":  {pageRefusal, "", errors.New("no browser"), both, []string{"no browser", "https://example.com/in?n=1", show}, "unknown", 1, 1},
		"an odd action":      {pageRefusal, "yes", nil, both, []string{`no action "yes"`}, "unknown", 1, 1},
		"two pages": {`!{"code":-32042,"message":"m","data":{"elicitations":[` + signIn + `,{"mode":"url","url":"http://b.example","elicitationId":"2"}]}}`,
			toolset.ElicitationAccept, nil, both, []string{"still refuses", `"Sign in" https://example.com/in?n=1, http://b.example`}, "unknown", 2, 2},
		"a script": {`!{"code":-32042,"message":"m","data":{"elicitations":[{"mode":"url","url":"javascript:1","elicitationId":"2"}]}}`,
			toolset.ElicitationAccept, nil, both, []string{"-32042"}, show, 0, 1},
		"a form": {`!{"code":-32042,"message":"m","data":{"elicitations":[{"message":"?","requestedSchema":{}}]}}`,
			toolset.ElicitationAccept, nil, both, []string{"-32042"}, show, 0, 1},
		"no pages": {`!{"code":-32042,"message":"m","data":{"elicitations":[]}}`, toolset.ElicitationAccept, nil, both, []string{"-32042"}, show, 0, 1},
		"no data":  {`!{"code":-32042,"message":"m"}`, toolset.ElicitationAccept, nil, both, []string{"-32042"}, show, 0, 1},
		"odd data": {`!{"code":-32042,"message":"m","data":"https://example.com"}`, toolset.ElicitationAccept, nil, both, []string{"-32042"}, show, 0, 1},
		"too many": {`!{"code":-32042,"message":"m","data":{"elicitations":[` + strings.Repeat(signIn+",", 32) + signIn + `]}}`,
			toolset.ElicitationAccept, nil, both, []string{"-32042"}, show, 0, 1},
	} {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			s := gated(t, c.refusal, 99)
			option, asked := visitor(c.action, c.fail, c.modes...)
			options := []toolset.Option{option}
			if c.modes == nil {
				options = nil
			}
			text := observed(t, open(t, s.config(), options...))
			assert.True(t, strings.HasPrefix(text, "Error:"), text)
			for _, part := range c.says {
				assert.Contains(t, text, part)
			}
			assert.NotContains(t, text, c.not)
			assert.Len(t, asked, c.asked)
			assert.Len(t, s.of("tools/call"), c.calls)
		})
	}
}

func TestJ3_ACallThatIsRefusedForAPageForTheOwner(t *testing.T) {
	t.Parallel()
	ts := open(t, gated(t, pageRefusal, 9).config())
	_, err := ts.CallTool(t.Context(), "t", nil)
	var failed *toolset.Error
	require.ErrorAs(t, err, &failed)
	assert.Equal(t, mcp.URL_ELICITATION_REQUIRED, failed.Code)
	assert.True(t, failed.Repeatable(), "the tool did not run")
	var required *toolset.URLRequiredError
	require.ErrorAs(t, err, &required)
	require.Len(t, required.Pages, 1)
	assert.Equal(t, "https://example.com/in?n=1", required.Pages[0].URL)
	assert.Empty(t, required.Action)
	assert.ErrorIs(t, err, mcp.URLElicitationRequiredError{}, "mcp-go's own is found too")
}

func TestJ3_AFailedTaskIsNotOneThatWasRefusedForAPage(t *testing.T) {
	t.Parallel()
	option, asked := visitor(toolset.ElicitationAccept, nil, toolset.ElicitationURL)
	text, s := tasking{gets: []string{`{"taskId":"T/1","status":"failed"}`}, result: pageRefusal}.run(t, option)
	assert.Contains(t, text, "Error:")
	assert.Empty(t, asked, "it ran")
	assert.Len(t, s.of("tools/call"), 1)
}

// reading are the requests without effects that a server may refuse for a page,
// and what asks for them. It gives the answer as a text.
var reading = map[string]struct {
	method, result, want string
	ask                  func(*testing.T, *toolset.Toolset) (string, error)
}{
	"tools": {"tools/list", `{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}`, "t", func(t *testing.T, ts *toolset.Toolset) (string, error) {
		found, err := ts.Tools(t.Context())
		if err != nil || len(found) == 0 {
			return "", err
		}
		return found[0].Name(), nil
	}},
	"resources": {"resources/list", `{"resources":[{"uri":"r:1"}]}`, "r:1", func(t *testing.T, ts *toolset.Toolset) (string, error) {
		found, err := ts.Resources(t.Context())
		if err != nil || len(found) == 0 {
			return "", err
		}
		return found[0].URI, nil
	}},
	"a resource": {"resources/read", `{"contents":[{"uri":"r:1","text":"held"}]}`, "held", func(t *testing.T, ts *toolset.Toolset) (string, error) {
		found, err := ts.ReadResource(t.Context(), "r:1")
		if err != nil || len(found) == 0 {
			return "", err
		}
		return found[0].Text, nil
	}},
	"a prompt": {"prompts/get", `{"messages":[{"role":"user","content":{"type":"text","text":"ask"}}]}`, "ask", func(t *testing.T, ts *toolset.Toolset) (string, error) {
		found, err := ts.GetPrompt(t.Context(), "p", nil)
		if err != nil || len(found.Messages) == 0 {
			return "", err
		}
		return found.Messages[0].Content.Text, nil
	}},
	"a completion": {"completion/complete", `{"completion":{"values":["whole"]}}`, "whole", func(t *testing.T, ts *toolset.Toolset) (string, error) {
		found, err := ts.CompletePrompt(t.Context(), "p", "a", "w", nil)
		if err != nil || len(found.Values) == 0 {
			return "", err
		}
		return found.Values[0], nil
	}},
}

// gatedReads is a server that refuses a method the first times.
func gatedReads(t *testing.T, method, result string, times int) *raw {
	t.Helper()
	seen := make(chan struct{}, 100)
	return newRaw(t, func(r request) string {
		switch r.Method {
		case "initialize":
			return `{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{},"prompts":{},"completions":{}},"serverInfo":{"name":"raw","version":"1"}}`
		case method:
			seen <- struct{}{}
			if len(seen) <= times {
				return pageRefusal
			}
			return result
		case "tools/list":
			return `{"tools":[]}`
		}
		return ""
	})
}

func TestJ3_AReadThatIsRefusedForAPageIsSentAgainOnce(t *testing.T) {
	t.Parallel()
	for name, c := range reading {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := gatedReads(t, c.method, c.result, 1)
			option, asked := visitor(toolset.ElicitationAccept, nil, toolset.ElicitationURL)
			answer, err := c.ask(t, open(t, s.config(), option))
			require.NoError(t, err)
			assert.Equal(t, c.want, answer)
			sent := s.of(c.method)
			require.Len(t, sent, 2)
			assert.Equal(t, string(sent[0].Params), string(sent[1].Params))
			require.Len(t, asked, 1)
			e := <-asked
			assert.True(t, e.Required)
			assert.Equal(t, "https://example.com/in?n=1", e.URL)
		})
	}
}

func TestJ3_AReadThatStaysRefusedForAPage(t *testing.T) {
	t.Parallel()
	for name, c := range reading {
		for title, r := range map[string]struct {
			action toolset.ElicitationAction
			modes  []toolset.ElicitationMode // nil: no handler
			says   []string
			sent   int
		}{
			"no handler":    {"", nil, []string{"refuses to answer", "https://example.com/in?n=1"}, 1},
			"declined":      {toolset.ElicitationDecline, []toolset.ElicitationMode{toolset.ElicitationURL}, []string{"did not agree", "gave no answer"}, 1},
			"still refused": {toolset.ElicitationAccept, []toolset.ElicitationMode{toolset.ElicitationURL}, []string{"still refuses to answer"}, 2},
		} {
			t.Run(name+" "+title, func(t *testing.T) {
				t.Parallel()
				s := gatedReads(t, c.method, c.result, 99)
				option, _ := visitor(r.action, nil, r.modes...)
				options := []toolset.Option{option}
				if r.modes == nil {
					options = nil
				}
				_, err := c.ask(t, open(t, s.config(), options...))
				var required *toolset.URLRequiredError
				require.ErrorAs(t, err, &required)
				assert.Len(t, required.Pages, 1)
				assert.Equal(t, r.action, required.Action)
				for _, part := range r.says {
					assert.ErrorContains(t, err, part)
				}
				assert.NotContains(t, err.Error(), "tool ", "none was called")
				var failed *toolset.Error
				require.ErrorAs(t, err, &failed)
				assert.True(t, failed.Repeatable())
				assert.Len(t, s.of(c.method), r.sent)
			})
		}
	}
}

// The tools for resources tell a model of a page as the server's tools do, and
// nothing of the refusal is kept.
func TestJ3_ALoadThatIsRefusedForAPageForTheModel(t *testing.T) {
	t.Parallel()
	for tool, c := range map[string]struct{ method, result, input, want string }{
		"load_mcp_resource":           {"resources/read", `{"contents":[{"uri":"r:1","text":"held"}]}`, `{"uri":"r:1"}`, "held"},
		"list_mcp_resources":          {"resources/list", `{"resources":[{"uri":"r:1"}]}`, ``, "r:1"},
		"list_mcp_resource_templates": {"resources/templates/list", `{"resourceTemplates":[{"uriTemplate":"r:{n}"}]}`, ``, "r:{n}"},
	} {
		t.Run(tool, func(t *testing.T) {
			t.Parallel()
			s := gatedReads(t, c.method, c.result, 1)
			ts := open(t, s.config().Resources(true))
			all, err := ts.Tools(t.Context())
			require.NoError(t, err)
			at := slices.IndexFunc(all, func(found tools.Tool) bool { return found.Name() == tool })
			require.GreaterOrEqual(t, at, 0)
			text, err := all[at].Call(t.Context(), c.input)
			require.NoError(t, err)
			assert.True(t, strings.HasPrefix(text, "Error:"), text)
			for _, part := range []string{"refuses to answer", `"Sign in" https://example.com/in?n=1`, "Show this to the user", "call the tool again"} {
				assert.Contains(t, text, part)
			}
			text, err = all[at].Call(t.Context(), c.input)
			require.NoError(t, err)
			assert.Contains(t, text, c.want)
		})
	}
}
