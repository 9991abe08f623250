package decode_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/internal/decode"
)

func result(t *testing.T, raw string) decode.Result {
	t.Helper()
	r, err := decode.ResultOf(json.RawMessage(raw))
	require.NoError(t, err, raw)
	return r
}

func TestE4_OneBadItemNeverLosesTheOthers(t *testing.T) {
	t.Parallel()
	for name, bad := range map[string]struct{ item, typ, fault string }{
		"O30 unknown type":      {`{"type":"json","json":{}}`, "json", "its type is not known"},
		"type in capitals":      {`{"type":"Text","text":"x"}`, "Text", "its type is not known"},
		"no type":               {`{"text":"x"}`, "", "it has no type"},
		"null type":             {`{"type":null}`, "", "it has no type"},
		"empty type":            {`{"type":""}`, "", "its type is empty"},
		"type a number":         {`{"type":1}`, "", "type is a number, not a string"},
		"key in capitals":       {`{"Type":"text","Text":"x"}`, "", "it has no type"},
		"text missing":          {`{"type":"text"}`, "text", "it has no text"},
		"text null":             {`{"type":"text","text":null}`, "text", "it has no text"},
		"text a number":         {`{"type":"text","text":5}`, "text", "text is a number, not a string"},
		"image without data":    {`{"type":"image","mimeType":"image/png"}`, "image", "it has no data"},
		"audio data a list":     {`{"type":"audio","data":[]}`, "audio", "data is a list, not a string"},
		"link without uri":      {`{"type":"resource_link","name":"n"}`, "resource_link", "it has no uri"},
		"link uri a number":     {`{"type":"resource_link","uri":1}`, "resource_link", "it has no uri"},
		"resource missing":      {`{"type":"resource"}`, "resource", "it has no resource"},
		"resource a string":     {`{"type":"resource","resource":"x"}`, "resource", "resource is a string, not an object"},
		"resource empty":        {`{"type":"resource","resource":{}}`, "resource", "it has neither text nor blob"},
		"resource blob a list":  {`{"type":"resource","resource":{"uri":"a:b","blob":[]}}`, "resource", "blob is a list, not a string"},
		"item a number":         {`17`, "", "it is a number, not an object"},
		"item a list":           {`[]`, "", "it is a list, not an object"},
		"item null":             {`null`, "", "it is null, not an object"},
		"item true":             {`true`, "", "it is a boolean, not an object"},
		"deep inside unknown":   {`{"type":"x","y":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}`, "x", "its type is not known"},
		"huge number as a size": {`{"type":"nope","size":1e999}`, "nope", "its type is not known"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := result(t, `{"content":[{"type":"text","text":"before"},`+bad.item+` , {"type":"text","text":"after"}]}`)
			require.Len(t, r.Content, 3)
			assert.Equal(t, "before", r.Content[0].Text)
			assert.Equal(t, "after", r.Content[2].Text)
			assert.Empty(t, r.Content[0].Fault+r.Content[2].Fault)
			assert.Equal(t, bad.item, string(r.Content[1].Raw))
			assert.Equal(t, bad.typ, r.Content[1].Type)
			assert.Equal(t, bad.fault, r.Content[1].Fault)
			assert.Empty(t, r.Faults, "the result as a whole is right")
		})
	}
}

func TestE4_WhatIsRightIsRead(t *testing.T) {
	t.Parallel()
	size := func(n int64) *int64 { return &n }
	for raw, want := range map[string]decode.Content{
		`{"type":"text","text":"a\n\u00e9\ud83d\ude00","annotations":{"priority":1}}`: {Type: "text", Text: "a\né😀"},
		`{"text":"data first","type":"text"}`:                                         {Type: "text", Text: "data first"},
		`{"type":"text","text":""}`:                                                   {Type: "text"},
		`{"type":"text","text":"first","text":"last"}`:                                {Type: "text", Text: "last"},
		`{"type":"text","text":5,"text":"last"}`:                                      {Type: "text", Text: "last"},
		"{\"type\":\"text\",\"text\":\"\xff\"}":                                       {Type: "text", Text: "\uFFFD"},
		`{"type":"text","\u0074ext":"escaped key"}`:                                   {Type: "text", Text: "escaped key"},
		`{"type":"image","data":"iVBO\/w==","mimeType":"image/png"}`:                  {Type: "image", Data: "iVBO/w==", MIMEType: "image/png"},
		`{"type":"image","data":""}`:                                                  {Type: "image"},
		`{"type":"audio","data":"%%%","mimeType":7}`:                                  {Type: "audio", Data: "%%%"},
		`{"type":"resource_link","uri":"a:b","name":"n","title":"t","description":"d","mimeType":"m/m","size":12}`: {
			Type: "resource_link", URI: "a:b", Name: "n", Title: "t", Description: "d", MIMEType: "m/m", Size: size(12)},
		`{"type":"resource_link","uri":"a:b","size":1.2e1}`:   {Type: "resource_link", URI: "a:b", Size: size(12)},
		`{"type":"resource_link","uri":"a:b","size":1e30}`:    {Type: "resource_link", URI: "a:b", Size: size(1<<63 - 1)},
		`{"type":"resource_link","uri":"a:b","size":-1}`:      {Type: "resource_link", URI: "a:b"},
		`{"type":"resource_link","uri":"a:b","size":"12"}`:    {Type: "resource_link", URI: "a:b"},
		`{"type":"resource_link","uri":"a:b","name":{"x":1}}`: {Type: "resource_link", URI: "a:b"},
	} {
		r := result(t, `{"content":[ `+raw+` ]}`)
		require.Len(t, r.Content, 1, raw)
		want.Raw = json.RawMessage(raw)
		assert.Equal(t, want, r.Content[0], raw)
	}
}

func TestE3_EmbeddedResources(t *testing.T) {
	t.Parallel()
	r := result(t, `{"content":[{"type":"resource","resource":{"uri":"a:b","mimeType":"m/m","text":"x"}},{"type":"resource","resource":{"blob":"QQ=="}}]}`)
	require.Len(t, r.Content, 2)
	assert.Equal(t, &decode.ResourceContents{URI: "a:b", MIMEType: "m/m", Text: "x", HasText: true,
		Raw: json.RawMessage(`{"uri":"a:b","mimeType":"m/m","text":"x"}`)}, r.Content[0].Resource)
	assert.Equal(t, &decode.ResourceContents{Blob: "QQ==", HasBlob: true, Raw: json.RawMessage(`{"blob":"QQ=="}`)}, r.Content[1].Resource)

	// Flat, as some servers have it: read, and said to be wrong.
	r = result(t, `{"content":[{"type":"resource","uri":"a:b","text":"x"}]}`)
	require.NotNil(t, r.Content[0].Resource)
	assert.Equal(t, "x", r.Content[0].Resource.Text)
	assert.Equal(t, "it has no resource", r.Content[0].Fault)
}

func TestO31_ContentThatIsNoList(t *testing.T) {
	t.Parallel()
	text := func(s, raw string) []decode.Content {
		return []decode.Content{{Type: "text", Text: s, Raw: json.RawMessage(raw)}}
	}
	for raw, want := range map[string]struct {
		content    []decode.Content
		structured string
		fault      string
	}{
		`{"content":"plain"}`:                         {content: text("plain", `"plain"`), fault: "content is a string"},
		`{"content":{"type":"text","text":"x"}}`:      {content: text("x", `{"type":"text","text":"x"}`), fault: "content is an object"},
		`{"content":null}`:                            {fault: "content is null"},
		`{"content":[]}`:                              {},
		`{"content":5}`:                               {content: []decode.Content{{Raw: json.RawMessage(`5`), Fault: "it is a number, not an object"}}, fault: "content is a number"},
		`{"content":["a"]}`:                           {content: text("a", `"a"`)},
		`{"structuredContent":{"a":1}}`:               {structured: `{"a":1}`, fault: "content is missing"},
		`{"content":null,"structuredContent":[1]}`:    {structured: `[1]`, fault: "content is null"},
		`{"content":[],"structuredContent":null}`:     {},
		`{"toolResult":"x"}`:                          {content: text("x", `"x"`), fault: "content is missing"},
		`{"toolResult":{"a":1}}`:                      {structured: `{"a":1}`, fault: "content is missing"},
		`{"toolResult":null}`:                         {fault: "content is missing"},
		`{"toolResult":1,"structuredContent":2}`:      {structured: `2`, fault: "content is missing"},
		`{"toolResult":"x","content":["x"]}`:          {content: text("x", `"x"`)},
		`{}`:                                          {fault: "content is missing"},
		`{"_meta":{},"isError":false}`:                {fault: "content is missing"},
		`{"Content":[],"rows":[1]}`:                   {content: []decode.Content{{Raw: json.RawMessage(`{"Content":[],"rows":[1]}`), Fault: "it is a result without content"}}, fault: "content is missing"},
		`{"content":[],"isError":{"message":"boom"}}`: {content: []decode.Content{{Raw: json.RawMessage(`{"content":[],"isError":{"message":"boom"}}`), Fault: "it is a result without content"}}, fault: "isError is an object, not a boolean"},
		`{"resultType":"input_required"}`:             {},
		`{"content":["a"],"content":["b"]}`:           {content: text("b", `"b"`), fault: "content is there more than once; the last one counts"},
		`{"content":["a"],"content":null}`:            {fault: "content is there more than once; the last one counts; content is null"},
		`"hello"`:                                     {content: text("hello", `"hello"`), fault: "the result is a string"},
		`[{"type":"text","text":"x"}]`:                {content: text("x", `{"type":"text","text":"x"}`), fault: "the result is a list"},
		`null`:                                        {fault: "the result is null"},
		`true`:                                        {content: []decode.Content{{Raw: json.RawMessage(`true`), Fault: "it is a boolean, not an object"}}, fault: "the result is a boolean"},
		"\uFEFF \n{\"content\":[\"a\"]}\r\n":          {content: text("a", `"a"`)},
	} {
		r := result(t, raw)
		assert.Equal(t, want.content, r.Content, raw)
		assert.Equal(t, want.structured, string(r.Structured), raw)
		assert.Equal(t, want.fault, strings.Join(r.Faults, "; "), raw)
		assert.Equal(t, strings.Trim(raw, "\uFEFF \r\n"), string(r.Raw), raw)
	}
}

func TestO32_StructuredContentKeepsEveryByte(t *testing.T) {
	t.Parallel()
	structured := `{ "id" : 9007199254740993, "x":1.10, "b":1,"a":"\u00e9", "id":0.1e+2 }`
	r := result(t, `{"content":[],"structuredContent": `+structured+` ,"_meta":{"k":12345678901234567890}}`)
	assert.Equal(t, structured, string(r.Structured))
	assert.Equal(t, `{"k":12345678901234567890}`, string(r.Meta))
}

func TestE5_IsErrorInAllItsForms(t *testing.T) {
	t.Parallel()
	for form, want := range map[string]struct{ isError, fault bool }{
		`true`: {true, false}, `false`: {false, false}, `null`: {false, false},
		`"true"`: {true, true}, `" True "`: {true, true}, `"false"`: {false, true}, `""`: {false, true}, `"yes"`: {false, true},
		`1`: {true, true}, `0`: {false, true}, `-0.0e7`: {false, true}, `0.5`: {true, true}, `1e-999`: {true, true},
		`[]`: {false, true}, `{}`: {false, true},
	} {
		r := result(t, `{"content":["x"],"isError":`+form+`}`)
		assert.Equal(t, want.isError, r.IsError, form)
		assert.Equal(t, want.fault, len(r.Faults) > 0, form)
	}
}

func TestResultOfReadsTheModernMembers(t *testing.T) {
	t.Parallel()
	r := result(t, `{"resultType":"input_required","inputRequests":{"a":{}},"requestState":"s"}`)
	assert.Equal(t, "input_required", r.ResultType)
	assert.Contains(t, string(r.Raw), "requestState")
	require.Len(t, r.Content, 1)
	assert.Equal(t, `it is a result of the type "input_required"`, r.Content[0].Fault)
	assert.Empty(t, r.Faults, "such a result has no content")
	assert.Empty(t, result(t, `{"content":[],"resultType":5}`).ResultType)
}

func TestResultOfRefusesWhatIsNotJSON(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{
		``, ` `, `x`, `{`, `{"content":[}`, `{"content":[]}{}`, `{"content":[]} garbage`, `{"content":[],}`, `{'content':[]}`, "\uFEFF",
		strings.Repeat("[", 20_000), `{"structuredContent":` + strings.Repeat(`{"a":`, 20_000),
	} {
		r, err := decode.ResultOf(json.RawMessage(raw))
		require.Error(t, err, raw)
		assert.Less(t, len(err.Error()), 200, "an error that quotes the answer could be as long")
		assert.Equal(t, decode.Result{}, r)
	}
	_, err := decode.ResultOf(nil)
	require.Error(t, err)
}

func TestResultOfBoundsTheItems(t *testing.T) {
	t.Parallel()
	r := result(t, `{"content":[`+strings.Repeat(`"a",`, 10_000)+`"b","c"],"structuredContent":1}`)
	require.Len(t, r.Content, 10_001)
	assert.Equal(t, decode.Content{Fault: "10000 of 10002 items were read"}, r.Content[10_000])
	assert.Equal(t, "1", string(r.Structured), "what follows the items is read")
	assert.Len(t, result(t, `{"content":[`+strings.Repeat(`"a",`, 9_999)+`"b"]}`).Content, 10_000)
}

func TestResultOfDoesNotWriteIntoTheAnswer(t *testing.T) {
	t.Parallel()
	raw := json.RawMessage(`{"content":[{"type":"text","text":"x"}],"structuredContent":{"a":1},"isError":false}`)
	before := string(raw)
	r, err := decode.ResultOf(raw)
	require.NoError(t, err)
	_ = append(r.Structured, "overwritten"...)
	_ = append(r.Content[0].Raw, "overwritten"...)
	assert.Equal(t, before, string(raw))
}

func resultSeeds() []string {
	item := `{"type":"text","text":"x"}`
	return []string{
		`{"content":[` + item + `]}`, `{"content":[` + item + `,{"type":"json"},5,null,"s"],"isError":"true","structuredContent":{"a":[1.0]}}`,
		`{"content":[{"type":"image","data":"AAAA","mimeType":"image/png"},{"type":"audio","data":"*"},{"type":"resource_link","uri":"a:b","size":1e3}]}`,
		`{"content":[{"type":"resource","resource":{"uri":"a:b","text":"x","blob":"AA"}},{"type":"resource","text":"x"},{"type":"resource","resource":[]}]}`,
		`{"content":{"text":{}}}`, `{"content":"s"}`, `{"toolResult":{"x":1}}`, `{"toolResult":"x"}`, `{}`, `null`, `[]`, `"s"`, `[[[[]]]]`, `{"x":`, "\uFEFF{}", "{\"content\":[\"\xff\"]}",
		`{"content":[],"content":` + item + `,"isError":-0}`, `{"resultType":"input_required","inputRequests":{}}`, `{"_meta":null,"isError":[]}`,
	}
}

func FuzzResultOf(f *testing.F) {
	for _, seed := range resultSeeds() {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		before := string(raw)
		r, err := decode.ResultOf(raw)
		require.Equal(t, before, string(raw), "the answer was written to")
		require.Equal(t, json.Valid([]byte(strings.TrimPrefix(before, "\uFEFF"))), err == nil, "%v", err)
		if err != nil {
			require.Equal(t, decode.Result{}, r)
			return
		}
		requirePart(t, before, r.Raw)
		for _, part := range []json.RawMessage{r.Structured, r.Meta} {
			if part != nil {
				requirePart(t, before, part)
				require.NotEqual(t, "null", string(part))
			}
		}
		for _, c := range r.Content {
			if c.Raw == nil {
				require.Contains(t, c.Fault, "items were read")
				continue
			}
			requirePart(t, before, c.Raw)
			requireText(t, c.Type, c.Text, c.Data, c.MIMEType, c.URI, c.Name, c.Title, c.Description)
			requireNamed(t, c)
			require.True(t, c.Size == nil || *c.Size >= 0)
			if c.Resource != nil {
				requireResource(t, before, *c.Resource)
			}
		}
		if r.Raw[0] != '{' {
			require.NotEmpty(t, r.Faults)
		}
	})
}

// requireNamed checks that an item is read as its type or says why it is not.
func requireNamed(t *testing.T, c decode.Content) {
	t.Helper()
	switch c.Type {
	case decode.TypeText, decode.TypeImage, decode.TypeAudio:
	case decode.TypeResourceLink:
		require.True(t, c.URI != "" || c.Fault != "")
	case decode.TypeResource:
		require.True(t, c.Resource != nil || c.Fault != "")
	default:
		require.NotEmpty(t, c.Fault)
	}
}

// requirePart checks that raw is JSON and stands in the answer as it is.
func requirePart(t *testing.T, answer string, raw json.RawMessage) {
	t.Helper()
	require.True(t, json.Valid(raw), "%q", raw)
	require.Contains(t, answer, string(raw))
}
