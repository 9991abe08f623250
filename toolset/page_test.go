package toolset_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
