package integration

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/llms"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/toolset"
)

func init() { mcptest.Register("curious", addCurious) }

// form is what curious tools ask the user for.
const form = `{"type":"object","required":["name"],"properties":{
	"name":{"type":"string"},
	"age":{"type":"integer","default":9007199254740993},
	"size":{"type":"string","enum":["S","M"],"default":"M"}}}`

// addCurious adds tools that ask the client: by a request of the server where
// the era has those, else by a result.
func addCurious(s *mcptest.Server) {
	ask := func(name string, fill func(*server.InputRequestBuilder)) {
		s.AddTool(mcp.NewTool(name), func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if len(r.Params.InputResponses) == 0 {
				b := server.NewInputRequestBuilder("state of " + name)
				fill(b)
				return b.ToolResult(), nil
			}
			raw, err := json.Marshal(r.Params.InputResponses)
			return mcp.NewToolResultText(string(raw)), err
		})
	}
	ask("elicit", func(b *server.InputRequestBuilder) {
		b.Elicit("q", mcp.ElicitationParams{Message: "Who?", RequestedSchema: json.RawMessage(form)})
	})
	ask("open", func(b *server.InputRequestBuilder) {
		b.Elicit("q", mcp.ElicitationParams{Mode: "url", Message: "Sign in", URL: "https://example.com/in", ElicitationID: "1"})
	})
	ask("script", func(b *server.InputRequestBuilder) {
		b.Elicit("q", mcp.ElicitationParams{Mode: "url", Message: "Sign in", URL: "javascript:alert(1)", ElicitationID: "1"})
	})
	ask("sample", func(b *server.InputRequestBuilder) {
		b.Sample("q", mcp.CreateMessageParams{MaxTokens: 50, SystemPrompt: "Be brief.", Messages: []mcp.SamplingMessage{
			{Role: mcp.RoleUser, Content: mcp.NewTextContent("Capital of France?")}}})
	})
	ask("roots", func(b *server.InputRequestBuilder) { b.Roots("q") })
	addGate(s)
}

// addGate adds a tool, a resource and a prompt that are refused until the user
// has been at a page, and a tool that stands for the user who has.
func addGate(s *mcptest.Server) {
	var opened atomic.Bool
	refusal := mcp.URLElicitationRequiredError{Elicitations: []mcp.ElicitationParams{
		{Mode: "url", Message: "Sign in", URL: "https://example.com/in", ElicitationID: "gate"}}}
	s.AddTool(mcp.NewTool("visit"), func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		opened.Store(true)
		err := s.SendNotificationToClient(ctx, string(mcp.MethodNotificationElicitationComplete), map[string]any{"elicitationId": "gate"})
		return mcp.NewToolResultText("opened"), err
	})
	s.AddTool(mcp.NewTool("gated"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if !opened.Load() {
			return nil, refusal
		}
		return mcp.NewToolResultText("let in"), nil
	})
	s.AddResource(mcp.NewResource("gate:resource", "gate"), func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
		if !opened.Load() {
			return nil, refusal
		}
		return []mcp.ResourceContents{mcp.TextResourceContents{URI: "gate:resource", Text: "let in"}}, nil
	})
	s.AddPrompt(mcp.NewPrompt("gate"), func(context.Context, mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		if !opened.Load() {
			return nil, refusal
		}
		return mcp.NewGetPromptResult("", []mcp.PromptMessage{mcp.NewPromptMessage(mcp.RoleUser, mcp.NewTextContent("let in"))}), nil
	})
}

// askable runs a test over every kind of connection that can be asked over, in
// both eras.
func askable(t *testing.T, test func(t *testing.T, b *config.Builder, target *mcptest.Target)) {
	for _, kind := range []mcptest.Kind{mcptest.Stdio, mcptest.StreamableHTTP, mcptest.InProcess} {
		for era, version := range eras {
			t.Run(strings.ReplaceAll(string(kind)+" "+era, " ", "_"), func(t *testing.T) {
				t.Parallel()
				target := mcptest.Start(t, kind, mcptest.Tools(), mcptest.Setup("curious"))
				test(t, describe(target).Name("curious").ProtocolVersion(version), target)
			})
		}
	}
}

// overOldHTTP reports whether a test of askable is the one over streamable
// HTTP in the older era.
func overOldHTTP(t *testing.T) bool {
	return strings.Contains(t.Name(), "streamable_http_2025-11-25")
}

// observe is the observation of a call without arguments.
func observe(t *testing.T, ts *toolset.Toolset, tool string) string {
	t.Helper()
	text, err := named(t, ts, tool).Call(t.Context(), "")
	require.NoError(t, err)
	return text
}

func TestJ3_AFormIsAnsweredWithItsDefaults(t *testing.T) {
	t.Parallel()
	askable(t, func(t *testing.T, b *config.Builder, _ *mcptest.Target) {
		var asked toolset.Elicitation
		var from toolset.CallInfo
		ts := open(t, b, toolset.WithElicitation(func(ctx context.Context, e toolset.Elicitation) (toolset.ElicitationAnswer, error) {
			asked = e
			from, _ = toolset.CallFromContext(ctx)
			return e.Accept(map[string]any{"name": "Ada"}), nil
		}))
		text := observe(t, ts, "elicit")
		assert.Contains(t, text, `"action":"accept"`)
		assert.Contains(t, text, `"name":"Ada"`)
		assert.Contains(t, text, `"size":"M"`)
		assert.Equal(t, "curious", asked.Server)
		assert.Equal(t, "Who?", asked.Message)
		assert.Equal(t, toolset.ElicitationForm, asked.Mode)
		assert.JSONEq(t, form, string(asked.Schema))
		if !overOldHTTP(t) { // mcp-go has decoded it there, and rounded the number
			assert.Equal(t, json.Number("9007199254740993"), asked.Defaults()["age"])
		}
		assert.Equal(t, "elicit", from.Tool, "the handler knows the call")
	})
}

func TestJ3_WhatAUserMayAnswer(t *testing.T) {
	t.Parallel()
	askable(t, func(t *testing.T, b *config.Builder, _ *mcptest.Target) {
		var answer toolset.ElicitationAnswer
		ts := open(t, b, toolset.WithElicitation(func(context.Context, toolset.Elicitation) (toolset.ElicitationAnswer, error) {
			return answer, nil
		}))
		assert.Contains(t, observe(t, ts, "elicit"), `"action":"cancel"`, "the zero answer cancels")
		answer.Action, answer.Values = toolset.ElicitationDecline, map[string]any{"name": "secret"}
		text := observe(t, ts, "elicit")
		assert.Contains(t, text, `"action":"decline"`)
		assert.NotContains(t, text, "secret", "what was declined is not sent")
	})
}

func TestJ3_AnAnswerThatDoesNotFitIsNotSent(t *testing.T) {
	t.Parallel()
	askable(t, func(t *testing.T, b *config.Builder, _ *mcptest.Target) {
		ts := open(t, b, toolset.WithElicitation(func(_ context.Context, e toolset.Elicitation) (toolset.ElicitationAnswer, error) {
			values := map[string]any{"age": "old"}
			assert.ErrorContains(t, e.Check(values), "name")
			return toolset.ElicitationAnswer{Action: toolset.ElicitationAccept, Values: values}, nil
		}))
		text := observe(t, ts, "elicit")
		assert.True(t, strings.HasPrefix(text, "Error:"), text)
		assert.NotContains(t, text, `"old"`)
	})
}

func TestJ3_APageIsOnlyForWhoDeclaresIt(t *testing.T) {
	t.Parallel()
	askable(t, func(t *testing.T, b *config.Builder, _ *mcptest.Target) {
		asked := make(chan toolset.Elicitation, 10)
		handler := func(_ context.Context, e toolset.Elicitation) (toolset.ElicitationAnswer, error) {
			asked <- e
			return e.Accept(nil), nil
		}
		forms := open(t, b, toolset.WithElicitation(handler))
		assert.Contains(t, observe(t, forms, "open"), "Error:")
		assert.Empty(t, asked)

		pages := open(t, b, toolset.WithElicitation(handler, toolset.ElicitationURL))
		assert.Contains(t, observe(t, pages, "open"), `"action":"accept"`)
		e := <-asked
		assert.Equal(t, "https://example.com/in", e.URL)
		assert.Equal(t, "1", e.ID)
		assert.Contains(t, observe(t, pages, "script"), "Error:")
		assert.Contains(t, observe(t, pages, "elicit"), "Error:")
		assert.Empty(t, asked, "neither a script nor an undeclared form reaches the handler")
	})
}

// The server tells when the user is done with a page, which may be waited for
// in the handler; then what was refused is asked for again.
func TestJ3_TheServerTellsThatAPageIsDone(t *testing.T) {
	t.Parallel()
	for _, kind := range []mcptest.Kind{mcptest.Stdio, mcptest.StreamableHTTP, mcptest.InProcess} {
		for what, ask := range map[string]func(*testing.T, *toolset.Toolset) string{
			"call": func(t *testing.T, ts *toolset.Toolset) string { return observe(t, ts, "gated") },
			"resource": func(t *testing.T, ts *toolset.Toolset) string {
				found, err := ts.ReadResource(t.Context(), "gate:resource")
				require.NoError(t, err)
				return found[0].Text
			},
			"prompt": func(t *testing.T, ts *toolset.Toolset) string {
				found, err := ts.GetPrompt(t.Context(), "gate", nil)
				require.NoError(t, err)
				return found.Messages[0].Content.Text
			},
		} {
			t.Run(string(kind)+" "+what, func(t *testing.T) {
				t.Parallel()
				target := mcptest.Start(t, kind, mcptest.Tools(), mcptest.Setup("curious"))
				var ts *toolset.Toolset
				ts = open(t, describe(target).ProtocolVersion("2025-11-25"), toolset.WithElicitation(func(ctx context.Context, e toolset.Elicitation) (toolset.ElicitationAnswer, error) {
					select {
					case <-e.Done:
						t.Error("it is done before the user was there")
					default:
					}
					if _, err := ts.CallTool(ctx, "visit", nil); err != nil {
						return toolset.ElicitationAnswer{}, err
					}
					select {
					case <-e.Done:
						return e.Accept(nil), nil
					case <-ctx.Done():
						return toolset.ElicitationAnswer{}, ctx.Err()
					}
				}, toolset.ElicitationURL))
				assert.Equal(t, "let in", ask(t, ts))
			})
		}
	}
}

func TestJ3_WithoutHandlersAQuestionIsRefused(t *testing.T) {
	t.Parallel()
	askable(t, func(t *testing.T, b *config.Builder, _ *mcptest.Target) {
		rooted := open(t, b, toolset.WithRoots())
		all := []*toolset.Toolset{rooted}
		if !overOldHTTP(t) { // who has nothing to be asked does not listen there, and mcp-go's server asks all the same
			all = append(all, open(t, b))
		}
		for _, tool := range []string{"elicit", "sample"} {
			for _, ts := range all {
				text := observe(t, ts, tool)
				assert.True(t, strings.HasPrefix(text, "Error:"), text)
				assert.NotContains(t, text, "unknown", "the tool waits, and is not thought to have run")
			}
		}
		assert.Contains(t, observe(t, rooted, "roots"), `"roots":[]`)
	})
}

func TestJ3_FailingHandlersHarmOnlyTheirCall(t *testing.T) {
	t.Parallel()
	askable(t, func(t *testing.T, b *config.Builder, _ *mcptest.Target) {
		fault := func() error { return errors.New("password of the vault") }
		ts := open(t, b,
			toolset.WithElicitation(func(context.Context, toolset.Elicitation) (toolset.ElicitationAnswer, error) {
				panic("handler fault")
			}),
			toolset.WithSampling(func(context.Context, toolset.Sampling) (toolset.SamplingAnswer, error) {
				return toolset.SamplingAnswer{}, fault()
			}),
			toolset.WithRoots(toolset.Root{URI: "file:///here"}))
		assert.Contains(t, observe(t, ts, "elicit"), "Error:")
		assert.Contains(t, observe(t, ts, "sample"), "Error:")
		assert.Contains(t, observe(t, ts, "roots"), "file:///here")
	})
}

func TestJ3_AHandlerEndsWithItsCall(t *testing.T) {
	t.Parallel()
	askable(t, func(t *testing.T, b *config.Builder, _ *mcptest.Target) {
		asked, ended := make(chan struct{}), make(chan struct{})
		ts := open(t, b, toolset.WithElicitation(func(ctx context.Context, _ toolset.Elicitation) (toolset.ElicitationAnswer, error) {
			close(asked)
			<-ctx.Done()
			close(ended)
			return toolset.ElicitationAnswer{}, ctx.Err()
		}))
		tool := named(t, ts, "elicit")
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go func() { <-asked; cancel() }()
		_, err := tool.Call(ctx, "")
		require.ErrorIs(t, err, context.Canceled)
		<-ended
	})
}

func TestJ3_AHandlerMayUseTheToolset(t *testing.T) {
	t.Parallel()
	askable(t, func(t *testing.T, b *config.Builder, _ *mcptest.Target) {
		var ts *toolset.Toolset
		var inner string
		ts = open(t, b, toolset.WithRoots(toolset.Root{URI: "file:///here"}),
			toolset.WithElicitation(func(ctx context.Context, e toolset.Elicitation) (toolset.ElicitationAnswer, error) {
				tool, err := ts.Tool(ctx, "roots")
				if err != nil {
					return toolset.ElicitationAnswer{}, err
				}
				inner, err = tool.Call(ctx, "")
				return e.Accept(map[string]any{"name": "Ada"}), err
			}))
		assert.Contains(t, observe(t, ts, "elicit"), "Ada")
		assert.Contains(t, inner, "file:///here")
	})
}

func TestJ3_SamplingByAModelWithinABudget(t *testing.T) {
	t.Parallel()
	askable(t, func(t *testing.T, b *config.Builder, _ *mcptest.Target) {
		model := mcptest.NewModel(mcptest.Say("Paris."), mcptest.Say("Lyon."))
		var shown []toolset.Sampling
		sampler := toolset.NewSampler(model, toolset.WithSamplingModelName("scripted"), toolset.WithSamplingBudget(1, 0),
			toolset.WithSamplingPermission(func(_ context.Context, s toolset.Sampling) error {
				shown = append(shown, s)
				return nil
			}))
		ts := open(t, b, toolset.WithSampling(sampler.Sample))
		text := observe(t, ts, "sample")
		assert.Contains(t, text, "Paris.")
		assert.Contains(t, text, `"model":"scripted"`)
		require.Len(t, shown, 1)
		assert.Equal(t, "Be brief.", shown[0].System)
		assert.Equal(t, 50, shown[0].MaxTokens)
		assert.Equal(t, []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeHuman, "Capital of France?")}, shown[0].Messages)

		text = observe(t, ts, "sample")
		assert.Contains(t, text, "Error:", "the budget is used up")
		assert.NotContains(t, text, "Lyon")
		calls, tokens := sampler.Used()
		assert.Equal(t, 1, calls)
		assert.Positive(t, tokens)
	})
}

func TestJ3_SamplingThatIsNotPermitted(t *testing.T) {
	t.Parallel()
	askable(t, func(t *testing.T, b *config.Builder, _ *mcptest.Target) {
		model := mcptest.NewModel()
		sampler := toolset.NewSampler(model, toolset.WithSamplingPermission(func(context.Context, toolset.Sampling) error {
			return errors.New("not for you")
		}))
		assert.Contains(t, observe(t, open(t, b, toolset.WithSampling(sampler.Sample)), "sample"), "Error:")
		calls, tokens := sampler.Used()
		assert.Zero(t, calls+tokens, "the budget was not touched")
	})
}

func TestJ3_RootsMayChange(t *testing.T) {
	t.Parallel()
	askable(t, func(t *testing.T, b *config.Builder, target *mcptest.Target) {
		here, err := toolset.FileRoot(t.TempDir())
		require.NoError(t, err)
		ts := open(t, b, toolset.WithRoots(here))
		assert.Contains(t, observe(t, ts, "roots"), here.URI)
		require.NoError(t, ts.SetRoots(toolset.Root{URI: "file:///there", Name: "There"}))
		text := observe(t, ts, "roots")
		assert.Contains(t, text, "file:///there")
		assert.NotContains(t, text, here.URI)
		assert.Error(t, ts.SetRoots(toolset.Root{URI: "https://there"}))
		if strings.Contains(t.Name(), "2025-11-25") && target.Web != nil {
			target.Web.Received.Wait(t, mcptest.Method("notifications/roots/list_changed"))
		}
		assert.ErrorIs(t, open(t, b).SetRoots(), toolset.ErrNoRoots)
	})
}

func TestJ3_OverSSENothingIsAdvertised(t *testing.T) {
	t.Parallel()
	for _, version := range eras {
		target := mcptest.Start(t, mcptest.SSE, mcptest.Tools(), mcptest.Setup("curious"))
		ts := open(t, describe(target).ProtocolVersion(version), toolset.WithRoots(), toolset.WithSampling(
			func(context.Context, toolset.Sampling) (toolset.SamplingAnswer, error) {
				return toolset.SamplingAnswer{}, nil
			}))
		require.NoError(t, ts.Connect(t.Context()))
		require.Len(t, ts.Report().Warnings, 1)
		assert.Contains(t, ts.Report().Warnings[0].Reason, "SSE")
		for _, r := range target.Web.Received.All() {
			assert.NotContains(t, string(r.Raw), `"roots"`)
			assert.NotContains(t, string(r.Raw), `"sampling"`)
		}
	}
}
