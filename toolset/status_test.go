package toolset_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/filter"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// manyStates is a list in which every state occurs. Its bytes are odd on
// purpose: blanks, digits beyond a float64, and signs that encoding/json would
// escape.
const manyStates = `[
	{"name":"good.one","title":"Good","description":"a <b> & \"c\"","inputSchema":{ "type" : "object",
		"properties":{"n":{"type":"integer","maximum":9007199254740993}} },"annotations":{"readOnlyHint": true},"outputSchema":{"type": "object"}},
	{"name":"broken","description":"no schema","inputSchema":true},
	"no tool at all",
	{"name":"filtered","inputSchema":{"type":"object"}},
	{"name":"off","inputSchema":{"type":"object"}},
	{"name":"unchecked","inputSchema":{"type":"object","properties":{"a":{"$ref":"#/nowhere"}}}},
	{"name":"good.one","inputSchema":{"type":"object"}},
	{"name":"mine","inputSchema":{"type":"object"}}]`

func statusOf(t *testing.T, ts *toolset.Toolset, name string) toolset.ToolStatus {
	t.Helper()
	all, err := ts.Status(t.Context())
	require.NoError(t, err)
	for _, s := range all {
		if s.Name == name {
			return s
		}
	}
	require.Fail(t, "no status of "+name)
	return toolset.ToolStatus{}
}

func TestJ1_StatusTellsOfEachTool(t *testing.T) {
	t.Parallel()
	s := newRaw(t, lists(manyStates))
	ts := open(t, s.config().Filter(filter.Deny("filtered")).Reserve("mine"))
	ts.SwitchOff("off")
	all, err := ts.Status(t.Context())
	require.NoError(t, err)
	type row struct {
		name, model string
		state       toolset.ToolState
		reasoned    bool
	}
	var got []row
	for _, s := range all {
		got = append(got, row{s.Name, s.ModelName, s.State, s.Reason != ""})
		assert.Zero(t, s.Calls)
		assert.True(t, s.LastFailure.IsZero())
	}
	assert.Equal(t, []row{
		{"good.one", "good_one", toolset.StateOffered, false},
		{"broken", "", toolset.StateLeftOut, true},
		{"", "", toolset.StateLeftOut, true},
		{"filtered", "filtered", toolset.StateFilteredOut, false},
		{"off", "off", toolset.StateSwitchedOff, false},
		{"unchecked", "unchecked", toolset.StateOffered, false},
		{"good.one", "", toolset.StateLeftOut, true},
		{"mine", "", toolset.StateLeftOut, true},
	}, got, "in the server's order")
	assert.NotEmpty(t, all[5].Unchecked)
	assert.Empty(t, all[0].Unchecked)
}

func TestJ1_StatusCountsCalls(t *testing.T) {
	t.Parallel()
	s := newRaw(t, func(r request) string {
		if r.Method == "tools/call" && len(r.Params) > 0 && json.Valid(r.Params) {
			var p struct{ Arguments struct{ Bad bool } }
			_ = json.Unmarshal(r.Params, &p)
			if p.Arguments.Bad {
				return `{"isError":true,"content":[{"type":"text","text":"bad"}]}`
			}
		}
		return lists(`[{"name":"t","inputSchema":{"type":"object","properties":{"bad":{"type":"boolean"}}}}]`)(r)
	})
	ts := open(t, s.config())
	began := time.Now()
	tool := named(t, listOf(t, t.Context(), ts), "t")
	for _, input := range []string{"{}", `{"bad":true}`, `{"bad":"perhaps"}`} {
		_, err := tool.Call(t.Context(), input)
		require.NoError(t, err)
	}
	ts.Refresh() // new tool values keep the counts
	_, err := ts.CallTool(t.Context(), "t", map[string]any{"bad": true})
	require.NoError(t, err)
	got := statusOf(t, ts, "t")
	assert.EqualValues(t, 4, got.Calls)
	assert.EqualValues(t, 3, got.Failures, "the tool failed twice, and once the arguments")
	assert.WithinRange(t, got.LastFailure, began, time.Now())

	ts.SwitchOff("t")
	_, err = tool.Call(t.Context(), "{}")
	require.NoError(t, err)
	assert.EqualValues(t, 4, statusOf(t, ts, "t").Failures, "a refusal is a failure")
}

func TestJ1_StatusOfAFilterThatFails(t *testing.T) {
	t.Parallel()
	picky := filter.Predicate(func(_ context.Context, tool filter.Tool) (bool, error) {
		if tool.Name == "b" {
			return false, errors.New("no rights service")
		}
		return true, nil
	})
	ts := open(t, newRaw(t, lists(`[{"name":"a"},{"name":"b"}]`)).config().Filter(picky))
	_, err := ts.Tools(t.Context())
	require.Error(t, err)
	assert.Equal(t, toolset.StateOffered, statusOf(t, ts, "a").State)
	b := statusOf(t, ts, "b")
	assert.Equal(t, toolset.StateFilteredOut, b.State)
	assert.Contains(t, b.Reason, "no rights service")
}

func TestJ1_StatusOfAServerThatCannotBeReached(t *testing.T) {
	t.Parallel()
	s := newRaw(t, lists(`[]`))
	s.Close()
	ts := open(t, s.config())
	_, err := ts.Status(t.Context())
	var failed *toolset.Error
	require.ErrorAs(t, err, &failed)
	_, err = ts.Catalogue(t.Context())
	require.ErrorAs(t, err, &failed)
}

func TestJ1_TheCatalogueIsStableJSON(t *testing.T) {
	t.Parallel()
	ts := open(t, newRaw(t, lists(manyStates)).config().Filter(filter.Deny("filtered")).Reserve("mine"))
	ts.SwitchOff("off")
	got, err := ts.Catalogue(t.Context())
	require.NoError(t, err)
	require.True(t, json.Valid(got), "%s", got)
	assert.Contains(t, string(got), `{"server":"raw","tools":[{"name":"good_one","serverName":"good.one","title":"Good","description":"a <b> & \"c\"","parameters":{ "type" : "object",
		"properties":{"n":{"type":"integer","maximum":9007199254740993}} },"annotations":{"readOnlyHint": true},"outputSchema":{"type": "object"},"status":"offered"},`)
	var read struct {
		Tools []struct{ Name, ServerName, Status, Reason string }
	}
	require.NoError(t, json.Unmarshal(got, &read))
	require.Len(t, read.Tools, 8)
	assert.Equal(t, "left out", read.Tools[1].Status)
	assert.Contains(t, read.Tools[1].Reason, "inputSchema")
	assert.Equal(t, "filtered out", read.Tools[3].Status)
	assert.Equal(t, "switched off", read.Tools[4].Status)
	assert.Empty(t, read.Tools[7].Name)

	ts.Refresh()
	again, err := ts.Catalogue(t.Context())
	require.NoError(t, err)
	assert.Equal(t, string(got), string(again))
	got[0] = 'x' // it is the caller's
	again, err = ts.Catalogue(t.Context())
	require.NoError(t, err)
	assert.Equal(t, byte('{'), again[0])

	ts.SwitchOn("off") // it is live
	later, err := ts.Catalogue(t.Context())
	require.NoError(t, err)
	assert.NotContains(t, string(later), "switched off")
}

// What is no UTF-8 is no JSON (RFC 8259, section 8.1), though encoding/json lets
// it pass.
func TestJ1_TheCatalogueIsUTF8WhateverAServerSends(t *testing.T) {
	t.Parallel()
	s := newRaw(t, lists(`[{"name":"bad","description":"a`+"\xff"+`b","inputSchema":{"type":"object","title":"c`+"\xfe"+`d"},
		"annotations":{"title":"`+"\xc3"+`"},"outputSchema":{"type":"object","title":"`+"\xed\xa0\x80"+`"}},{"name":"good","inputSchema":{"title":"é"}}]`))
	got, err := open(t, s.config()).Catalogue(t.Context())
	require.NoError(t, err)
	assert.True(t, utf8.Valid(got), "%q", got)
	assert.True(t, json.Valid(got))
	assert.Contains(t, string(got), `"title":"c`+"\ufffd"+`d"`)
	assert.Contains(t, string(got), `"parameters":{"title":"é"}`)
}

func TestJ1_TheCatalogueHoldsTheToolsetsOwnTools(t *testing.T) {
	t.Parallel()
	s := newRaw(t, func(r request) string {
		if r.Method == "initialize" {
			return `{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{}},"serverInfo":{"name":"raw","version":"1"}}`
		}
		return lists(`[{"name":"a"}]`)(r)
	})
	ts := open(t, s.config().Resources(true), toolset.WithReadMore())
	got, err := ts.Catalogue(t.Context())
	require.NoError(t, err)
	var read struct {
		Tools []struct {
			Name   string
			Own    bool
			Status string
		}
	}
	require.NoError(t, json.Unmarshal(got, &read))
	var own []string
	for i, one := range read.Tools {
		assert.Equal(t, i > 0, one.Own)
		assert.Equal(t, "offered", one.Status)
		own = append(own, one.Name)
	}
	assert.Equal(t, names(t, ts), own, "as Tools gives them")
}

func TestJ1_TheCatalogueOfAServerWithoutTools(t *testing.T) {
	t.Parallel()
	s := newRaw(t, func(r request) string {
		if r.Method == "initialize" {
			return `{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"raw","version":"1"}}`
		}
		return ""
	})
	got, err := open(t, s.config(), toolset.WithReadMore()).Catalogue(t.Context())
	require.NoError(t, err)
	assert.JSONEq(t, `{"server":"raw","tools":[]}`, string(got))
}
