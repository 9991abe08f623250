package main

import (
	"context"
	"encoding/json"
	"os/exec"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/examples/internal/openaitest"
	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/prompts"
	"github.com/mcptoolset/mcptoolset/toolset"
)

func TestMain(m *testing.M) {
	mcptest.Register("gallery", gallery)
	mcptest.Main(m)
}

// gallery has a prompt with a picture.
func gallery(s *mcptest.Server) {
	s.AddPrompt(mcp.NewPrompt("describe", mcp.WithArgument("style", mcp.RequiredArgument())),
		func(_ context.Context, r mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return mcp.NewGetPromptResult("", []mcp.PromptMessage{
				mcp.NewPromptMessage(mcp.RoleUser, mcp.NewTextContent("Describe it: "+r.Params.Arguments["style"])),
				mcp.NewPromptMessage(mcp.RoleUser, mcp.NewImageContent("iVBORw0KGgo=", "image/png")),
			}), nil
		})
}

// command starts the server as a child. A child gets a minimal environment, so
// env sets what this one needs.
func command(t *testing.T) []string {
	t.Helper()
	env, err := exec.LookPath("env")
	if err != nil {
		t.Skip("there is no command env here")
	}
	child := mcptest.Command(t, mcptest.Setup("gallery"))
	line := []string{env}
	for name, value := range child.Env {
		line = append(line, name+"="+value)
	}
	return append(append(line, child.Command), child.Args...)
}

func TestTheModelSeesThePrompt(t *testing.T) {
	api := openaitest.Serve(t, openaitest.Say(func(openaitest.Request) string { return "blue" }))
	said, err := run(t.Context(), append([]string{"-set", "style={{.brief}}", "describe"}, command(t)...))
	require.NoError(t, err)
	assert.Equal(t, "blue", said)

	messages := api.Requests()[0].Messages
	require.Len(t, messages, 2)
	assert.Equal(t, "user", messages[0].Role)
	assert.Equal(t, "Describe it: {{.brief}}", messages[0].Text())
	var parts []struct {
		ImageURL struct {
			URL string `json:"url"`
		} `json:"image_url"`
	}
	require.NoError(t, json.Unmarshal(messages[1].Content, &parts))
	assert.Equal(t, "data:image/png;base64,iVBORw0KGgo=", parts[0].ImageURL.URL)
}

func TestErrorsAreOnesToActOn(t *testing.T) {
	openaitest.Serve(t)
	server := command(t)
	_, err := run(t.Context(), append([]string{"describe"}, server...))
	require.ErrorIs(t, err, toolset.ErrPromptArguments)
	assert.ErrorContains(t, err, `"style"`)
	_, err = run(t.Context(), append([]string{"nothing"}, server...))
	require.ErrorIs(t, err, prompts.ErrNoPrompt)
	assert.ErrorContains(t, err, `"describe"`)
	_, err = run(t.Context(), []string{"describe"})
	assert.ErrorContains(t, err, "command")
	_, err = run(t.Context(), []string{"-set", "style", "describe", "x"})
	assert.ErrorContains(t, err, "name=value")
}
