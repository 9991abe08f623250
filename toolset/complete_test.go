package toolset_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/toolset"
)

func TestH6_Completion(t *testing.T) {
	t.Parallel()
	seven := 7
	for title, c := range map[string]struct {
		answer string
		want   toolset.Completion
		fails  string
	}{
		"all of it":            {answer: `{"completion":{"values":["a","b"],"total":7,"hasMore":true}}`, want: toolset.Completion{Values: []string{"a", "b"}, Total: &seven, HasMore: true}},
		"values alone":         {answer: `{"completion":{"values":["a"]}}`, want: toolset.Completion{Values: []string{"a"}}},
		"values of other form": {answer: `{"completion":{"values":["a",{"value":45,"title":"x"},{"title":"y"},null,[],9007199254740993]}}`, want: toolset.Completion{Values: []string{"a", "45", "y", "9007199254740993"}}},
		"odd numbers":          {answer: `{"completion":{"values":[],"total":"many","hasMore":"yes"}}`},
		"nothing":              {answer: `{"completion":{}}`},
		"null":                 {answer: `{"completion":null}`},
		"no list":              {answer: `{"completion":{"values":"a"}}`, fails: "values is a string, not a list"},
		"no object":            {answer: `{"completion":[]}`, fails: "completion is a list, not an object"},
		"no answer":            {answer: `[]`, fails: "the answer is a list"},
		"refused":              {answer: `!{"code":-32602,"message":"no such argument"}`, fails: "no such argument"},
	} {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			s := newRaw(t, declaring(map[string]string{"completion/complete": c.answer}))
			got, err := open(t, s.config()).CompletePrompt(t.Context(), "p", "a", "v", nil)
			if c.fails != "" {
				assertError(t, err, toolset.StagePrompt, c.fails)
				assert.ErrorContains(t, err, `completing "a" of prompt "p"`)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, c.want, got)
		})
	}
}

func TestH6_WhatIsSentForACompletion(t *testing.T) {
	t.Parallel()
	s := newRaw(t, declaring(map[string]string{"completion/complete": `{"completion":{"values":[]}}`}))
	ts := open(t, s.config())
	_, err := ts.CompletePrompt(t.Context(), "p", "a", "v", map[string]string{"b": "w"})
	require.NoError(t, err)
	_, err = ts.CompleteTemplate(t.Context(), "data://{id}", "id", "", nil)
	require.NoError(t, err)
	sent := s.of("completion/complete")
	assert.JSONEq(t, `{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":"v"},"context":{"arguments":{"b":"w"}}}`, string(sent[0].Params))
	assert.JSONEq(t, `{"ref":{"type":"ref/resource","uri":"data://{id}"},"argument":{"name":"id","value":""}}`, string(sent[1].Params))
}
