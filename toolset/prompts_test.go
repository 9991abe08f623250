package toolset_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/toolset"
)

const twoPrompts = `{"prompts":[
	{"name":"review","title":"Review","description":"D","_meta":{"m":1},
		"arguments":[{"name":"code","title":"Code","description":"the code","required":true},{"name":"style"}]},
	{"name":"plain"}]}`

func TestH6_Prompts(t *testing.T) {
	t.Parallel()
	s := newRaw(t, declaring(map[string]string{"prompts/list": twoPrompts}))
	ts := open(t, s.config())
	all, err := ts.Prompts(t.Context())
	require.NoError(t, err)
	require.Len(t, all, 2)
	p := all[0]
	assert.Equal(t, []string{"review", "Review", "D", `{"m":1}`}, []string{p.Name, p.Title, p.Description, string(p.Meta)})
	assert.Equal(t, []toolset.PromptArgument{
		{Name: "code", Title: "Code", Description: "the code", Required: true}, {Name: "style"},
	}, p.Arguments)
	assert.Contains(t, string(p.Raw), `"title":"Review"`)

	p.Arguments[0].Name = "changed"
	all[1].Name = "changed"
	again, err := ts.Prompts(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "code", again[0].Arguments[0].Name, "what is returned is the caller's")
	assert.Equal(t, "plain", again[1].Name)
}

func TestH6_ArgumentsOfAPromptAreCheckedFirst(t *testing.T) {
	t.Parallel()
	const got = `{"messages":[]}`
	for title, c := range map[string]struct {
		list, name string
		arguments  map[string]string
		fails      string
		sent       string
	}{
		"they fit": {name: "review", arguments: map[string]string{"code": "x", "style": ""},
			sent: `{"arguments":{"code":"x","style":""},"name":"review"}`},
		"an empty one is one": {name: "review", arguments: map[string]string{"code": ""}, sent: `{"arguments":{"code":""},"name":"review"}`},
		"none are needed":     {name: "plain", sent: `{"name":"plain"}`},
		"one is missing":      {name: "review", fails: `it needs "code"`},
		"one is unknown": {name: "review", arguments: map[string]string{"code": "x", "Style": "y", "a": "z"},
			fails: `it does not take "Style", "a": it takes "code", "style"`},
		"both": {name: "review", arguments: map[string]string{"cod": "x"}, fails: `it needs "code"; it does not take "cod"`},
		"there are none": {name: "plain", arguments: map[string]string{"x": "y"},
			fails: `it does not take "x": it takes no arguments`},
		"not listed: the server decides": {name: "hidden", arguments: map[string]string{"x": "y"},
			sent: `{"arguments":{"x":"y"},"name":"hidden"}`},
		"no list": {list: `!{"code":-32601,"message":"Method not found"}`, name: "p", arguments: map[string]string{"x": "y"},
			sent: `{"arguments":{"x":"y"},"name":"p"}`},
		"a list that is none":    {list: `{"prompts":"none"}`, name: "p", arguments: map[string]string{"x": "y"}, sent: `{"arguments":{"x":"y"},"name":"p"}`},
		"an answer that is none": {list: `[]`, name: "p", sent: `{"name":"p"}`},
		"a list that is refused": {list: `!{"code":-32603,"message":"on fire"}`, name: "p", sent: `{"name":"p"}`},
		"arguments that could not be read": {list: `{"prompts":[{"name":"p","arguments":[{"name":"a","required":true},7]}]}`, name: "p",
			arguments: map[string]string{"a": "1", "b": "2"}, sent: `{"arguments":{"a":"1","b":"2"},"name":"p"}`},
	} {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			if c.list == "" {
				c.list = twoPrompts
			}
			s := newRaw(t, declaring(map[string]string{"prompts/list": c.list, "prompts/get": got}))
			_, err := open(t, s.config()).GetPrompt(t.Context(), c.name, c.arguments)
			if c.fails != "" {
				assertError(t, err, toolset.StagePrompt, c.fails)
				require.ErrorIs(t, err, toolset.ErrPromptArguments)
				assert.Empty(t, s.of("prompts/get"), "the server is not asked")
				return
			}
			require.NoError(t, err)
			assert.JSONEq(t, c.sent, string(s.of("prompts/get")[0].Params))
		})
	}
}

func TestH6_WhatAServerNamesIsBoundedInErrors(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 1<<18)
	arguments, parts := []string{`{"name":"` + long + `","required":true}`}, []string{}
	for i := range 5_000 {
		arguments = append(arguments, fmt.Sprintf(`{"name":"a%d","required":true}`, i))
		parts = append(parts, `{"uri":"a:1","blob":"!!"}`)
	}
	ts := open(t, newRaw(t, declaring(map[string]string{
		"prompts/list":   `{"prompts":[{"name":"p","arguments":[` + strings.Join(arguments, ",") + `]},{"name":"` + long + `","arguments":7}]}`,
		"resources/read": `{"contents":[` + strings.Join(parts, ",") + `]}`,
		"tools/list":     `{"tools":[{"name":"` + long + `","inputSchema":7}]}`,
	})).config())
	_, err := ts.GetPrompt(t.Context(), "p", map[string]string{"x": "y"})
	require.ErrorIs(t, err, toolset.ErrPromptArguments)
	assert.ErrorContains(t, err, `"a0", "a1"`)
	assert.ErrorContains(t, err, `"a18", 4981 more; it does not take "x": it takes`)
	assert.Less(t, len(err.Error()), 3_000)

	contents, err := ts.ReadResource(t.Context(), "a:1")
	require.ErrorIs(t, err, toolset.ErrContents)
	assert.Len(t, contents, 5_000)
	assert.ErrorContains(t, err, "part 19: broken base64: a wrong character at 0 of 2; 4980 more parts")
	assert.Less(t, len(err.Error()), 3_000)

	_, err = ts.Tools(t.Context())
	require.NoError(t, err)
	warnings := ts.Report().Warnings
	require.Len(t, warnings, 2)
	for _, w := range warnings {
		assert.Less(t, len(w.String()), 1_000)
	}
}

func TestH6_GetPrompt(t *testing.T) {
	t.Parallel()
	const answer = `{"description":"D","_meta":{"m":1},"messages":[
		{"role":"user","content":{"type":"text","text":"hello"}},
		{"role":"assistant","content":{"type":"image","data":"AQI=","mimeType":"image/png"}},
		{"role":"user","content":{"type":"resource","resource":{"uri":"a:1","text":"inside"}}},
		{"role":"user","content":[{"type":"text","text":"one"},{"type":"text","text":"two"}]},
		{"role":"user","content":"bare"},
		{"content":{"type":"text","text":"no role"}},
		{"role":"user"},
		7]}`
	s := newRaw(t, declaring(map[string]string{"prompts/get": answer}))
	result, err := open(t, s.config()).GetPrompt(t.Context(), "p", nil)
	require.NoError(t, err)
	assert.Equal(t, "D", result.Description)
	assert.Equal(t, `{"m":1}`, string(result.Meta))
	assert.Equal(t, answer, string(result.Raw))
	type said struct{ role, kind, text, data, uri, fault string }
	var all []said
	for _, m := range result.Messages {
		all = append(all, said{m.Role, m.Content.Type, m.Content.Text, m.Content.Data, m.Content.URI, m.Content.Fault})
	}
	assert.Equal(t, []said{
		{role: "user", kind: "text", text: "hello"},
		{role: "assistant", kind: "image", data: "AQI="},
		{role: "user", kind: "resource", text: "inside", uri: "a:1"},
		{role: "user", kind: "text", text: "one"},
		{role: "user", kind: "text", text: "two"},
		{role: "user", kind: "text", text: "bare"},
		{kind: "text", text: "no role", fault: "the message has no role"},
		{role: "user", fault: "the message has no content"},
		{fault: "it is a number, not an object"},
	}, all)
}

func TestH6_APromptThatCannotBeGot(t *testing.T) {
	t.Parallel()
	for answer, says := range map[string]string{
		`!{"code":-32602,"message":"no such prompt"}`: "no such prompt",
		`[]`: "not an object",
	} {
		s := newRaw(t, declaring(map[string]string{"prompts/get": answer}))
		_, err := open(t, s.config()).GetPrompt(t.Context(), "p", nil)
		assertError(t, err, toolset.StagePrompt, says)
		assert.ErrorContains(t, err, `prompt "p"`)
	}
	s := newRaw(t, declaring(map[string]string{"prompts/get": `{"description":"only"}`}))
	result, err := open(t, s.config()).GetPrompt(t.Context(), "p", nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"messages is missing"}, result.Faults)
}
