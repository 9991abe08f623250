package decode_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/internal/decode"
)

func TestMH17_OneBadContentNeverLosesTheOthers(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]decode.ResourceContents{
		`{"uri":"a:b","mimeType":"m/m","text":"x"}`:       {URI: "a:b", MIMEType: "m/m", Text: "x", HasText: true},
		`{"uri":"a:b","text":""}`:                         {URI: "a:b", HasText: true},
		`{"text":"no uri"}`:                               {Text: "no uri", HasText: true},
		`{"uri":"a:b","blob":"AAAA"}`:                     {URI: "a:b", Blob: "AAAA", HasBlob: true},
		`{"uri":"a:b","blob":"*"}`:                        {URI: "a:b", Blob: "*", HasBlob: true},
		`{"uri":"a:b","text":"x","blob":"AAAA"}`:          {URI: "a:b", Text: "x", HasText: true, Blob: "AAAA", HasBlob: true},
		`{"uri":"a:b","text":null,"blob":"AAAA"}`:         {URI: "a:b", Blob: "AAAA", HasBlob: true},
		`{"uri":"a:b","name":"n","title":"t","text":"x"}`: {URI: "a:b", Name: "n", Title: "t", Text: "x", HasText: true},
		`{"uri":5,"mimeType":[],"text":"x"}`:              {Text: "x", HasText: true},
		`{"uri":"a:b","text":{"a": 1}}`:                   {URI: "a:b", Text: `{"a": 1}`, HasText: true, Fault: "text is an object, not a string"},
		`{"uri":"a:b","text":{"a":1},"text":"last"}`:      {URI: "a:b", Text: "last", HasText: true},
		`{"uri":"a:b","blob":7}`:                          {URI: "a:b", Fault: "blob is a number, not a string"},
		`{"uri":"a:b","blob":7,"text":"x"}`:               {URI: "a:b", Text: "x", HasText: true, Fault: "blob is a number, not a string"},
		`{"uri":"a:b"}`:                                   {URI: "a:b", Fault: "it has neither text nor blob"},
		`{"URI":"a:b","Text":"x"}`:                        {Fault: "it has neither text nor blob"},
		`"bare"`:                                          {Text: "bare", HasText: true, Fault: "it is a string, not an object"},
		`null`:                                            {Fault: "it is null, not an object"},
		`[1]`:                                             {Fault: "it is a list, not an object"},
	} {
		all, err := decode.ReadOf(json.RawMessage(`{"contents":[{"uri":"x:1","text":"before"}, ` + raw + ` ,{"uri":"x:2","text":"after"}]}`))
		require.NoError(t, err, raw)
		require.Len(t, all, 3)
		assert.Equal(t, "before", all[0].Text)
		assert.Equal(t, "after", all[2].Text)
		want.Raw = json.RawMessage(raw)
		assert.Equal(t, want, all[1], raw)
	}
}

func TestH4_AnswersThatHoldNothingOrNoList(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{`{}`, `{"contents":null}`, `{"contents":[]}`, `null`, `{"Contents":[1]}`} {
		all, err := decode.ReadOf(json.RawMessage(raw))
		require.NoError(t, err, raw)
		assert.Empty(t, all)
	}
	all, err := decode.ReadOf(json.RawMessage(`{"contents":{"uri":"a:b","text":"x"}}`))
	require.NoError(t, err)
	require.Len(t, all, 1)
	assert.Equal(t, "x", all[0].Text)
	for _, raw := range []string{`[]`, `"x"`, `5`, ``, `{`, `{"contents":[]} x`, `{"contents":[}`} {
		_, err := decode.ReadOf(json.RawMessage(raw))
		require.Error(t, err, raw)
	}
}

func TestH4_ContentsAreBounded(t *testing.T) {
	t.Parallel()
	all, err := decode.ReadOf(json.RawMessage(`{"contents":[` + strings.Repeat(`{"text":"x"},`, 10_004) + `{}]}`))
	require.NoError(t, err)
	require.Len(t, all, 10_001)
	assert.Equal(t, decode.ResourceContents{Fault: "10000 of 10005 contents were read"}, all[10_000])
}

func FuzzReadOf(f *testing.F) {
	for _, seed := range []string{
		`{"contents":[{"uri":"a:b","mimeType":"m/m","text":"x"},{"uri":"a:c","blob":"AAAA"},{"text":5},null,"s",[]]}`,
		`{"contents":{"text":"x"}}`, `{"contents":"x"}`, `{"contents":null}`, `{}`, `null`, `[]`, `x`, "\uFEFF{\"contents\":[{\"text\":\"\xff\"}]}", `{"contents":[{"text":[],"blob":{}}]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		before := string(raw)
		all, err := decode.ReadOf(raw)
		require.Equal(t, before, string(raw), "the answer was written to")
		if err != nil {
			require.Nil(t, all)
			return
		}
		for _, c := range all[:min(len(all), 10_000)] {
			requireResource(t, before, c)
		}
	})
}

// requireResource checks that contents say what they hold or what is wrong.
func requireResource(t *testing.T, answer string, c decode.ResourceContents) {
	t.Helper()
	requirePart(t, answer, c.Raw)
	requireText(t, c.URI, c.MIMEType, c.Text, c.Blob)
	require.True(t, c.HasText || c.HasBlob || c.Fault != "")
	require.True(t, c.HasText || c.Text == "")
	require.True(t, c.HasBlob || c.Blob == "")
}
