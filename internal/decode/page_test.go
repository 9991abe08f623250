package decode_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/internal/decode"
)

func TestB1_Pages(t *testing.T) {
	t.Parallel()
	ms := func(n int64) *int64 { return &n }
	items := func(raw ...string) (items []json.RawMessage) {
		for _, r := range raw {
			items = append(items, json.RawMessage(r))
		}
		return items
	}
	for raw, want := range map[string]decode.Page{
		`{"tools":[{"name":"a"}, 5 ,null],"nextCursor":"c","ttlMs":300,"cacheScope":"public"}`: {
			Items: items(`{"name":"a"}`, `5`, `null`), NextCursor: "c", TTLMs: ms(300), CacheScope: "public"},
		"\uFEFF\n{\"nextCursor\":\"\\u00e9\",\"tools\":[1]} ": {Items: items(`1`), NextCursor: "é"},
		`{"tools":[]}`:                     {},
		`{"tools":null}`:                   {},
		`{}`:                               {},
		`null`:                             {Faults: []string{"the answer is null"}},
		`{"Tools":[1],"resources":[2]}`:    {},
		`{"tools":[1],"tools":[2]}`:        {Items: items(`2`)},
		`{"tools":[1],"nextCursor":null}`:  {Items: items(`1`)},
		`{"tools":[1],"nextCursor":20}`:    {Items: items(`1`), NextCursor: "20", Faults: []string{"nextCursor is a number, not a string"}},
		`{"tools":[1],"nextCursor":false}`: {Items: items(`1`)},
		`{"tools":[1],"nextCursor":true}`: {
			Items: items(`1`), Faults: []string{"nextCursor is a boolean, not a string"}, Cut: "nextCursor is a boolean, not a string",
		},
		`{"tools":[1],"nextCursor":{}}`: {
			Items: items(`1`), Faults: []string{"nextCursor is an object, not a string"}, Cut: "nextCursor is an object, not a string",
		},
		`{"ttlMs":0,"cacheScope":"private"}`: {TTLMs: ms(0), CacheScope: "private"},
		`{"ttlMs":1.9e3}`:                    {TTLMs: ms(1900)},
		`{"ttlMs":1e300}`:                    {TTLMs: ms((1<<63 - 1) / int64(time.Millisecond))},
		`{"ttlMs":1e999}`:                    {TTLMs: ms((1<<63 - 1) / int64(time.Millisecond))},
		`{"ttlMs":99999999999999999999}`:     {TTLMs: ms((1<<63 - 1) / int64(time.Millisecond))},
		`{"ttlMs":null,"cacheScope":null}`:   {},
		`{"ttlMs":-1}`:                       {TTLMs: ms(0), Faults: []string{"ttlMs is negative"}},
		`{"ttlMs":"300"}`:                    {Faults: []string{"ttlMs is not a number of milliseconds"}},
		`{"cacheScope":"Public"}`:            {CacheScope: "private", Faults: []string{`cacheScope is neither "public" nor "private"`}},
		`{"cacheScope":5}`:                   {CacheScope: "private", Faults: []string{`cacheScope is neither "public" nor "private"`}},
	} {
		page, err := decode.ListPage(json.RawMessage(raw), "tools")
		require.NoError(t, err, raw)
		assert.Equal(t, want, page, raw)
	}
}

func TestO41_EveryListMayBeEmpty(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"tools", "resources", "resourceTemplates", "prompts"} {
		for _, raw := range []string{`{"` + key + `":[]}`, `{"` + key + `":null}`, `{}`} {
			page, err := decode.ListPage(json.RawMessage(raw), key)
			require.NoError(t, err)
			assert.Empty(t, page.Items)
		}
	}
}

func TestB1_AnswersThatAreNoPage(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		`{"tools":{}}`:            `list of tools: "tools" is an object, not a list`,
		`{"tools":"none"}`:        `list of tools: "tools" is a string, not a list`,
		`{"tools":[],"tools":1}`:  `list of tools: "tools" is a number, not a list`,
		`[]`:                      `list of tools: the answer is a list, not an object`,
		`"x"`:                     `list of tools: the answer is a string, not an object`,
		`{"tools":[}`:             `not JSON`,
		`{"tools":[1 2]}`:         `not JSON`,
		`{"tools":[]}x`:           `not JSON`,
		`["x"`:                    `not JSON`,
		``:                        `not JSON`,
		strings.Repeat(`[`, 11e3): `not JSON`,
	} {
		page, err := decode.ListPage(json.RawMessage(raw), "tools")
		require.ErrorContains(t, err, want, raw)
		assert.Equal(t, decode.Page{}, page)
	}
}

func TestB1_ItemsOfAPageAreBounded(t *testing.T) {
	t.Parallel()
	page, err := decode.ListPage(json.RawMessage(`{"tools":[`+strings.Repeat(`0,`, 100_002)+`0],"nextCursor":"c"}`), "tools")
	require.NoError(t, err)
	assert.Len(t, page.Items, 100_000)
	assert.Equal(t, []string{"100000 of 100003 items were read"}, page.Faults)
	assert.Equal(t, page.Faults[0], page.Cut)
	assert.Equal(t, "c", page.NextCursor)
}

func FuzzListPage(f *testing.F) {
	for _, seed := range []string{
		`{"tools":[{"name":"a"},null,[[]]],"nextCursor":"c","ttlMs":5,"cacheScope":"public"}`, `{"tools":{}}`, `{"tools":null}`, `{}`, `[]`, `null`, `x`,
		`{"nextCursor":1e5,"ttlMs":-0.5,"cacheScope":[]}`, `{"ttlMs":9e999}`, "\uFEFF{\"tools\":[\"\xff\"]}", `{"tools":[1],"tools":0,"tools":[2]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		before := string(raw)
		page, err := decode.ListPage(raw, "tools")
		require.Equal(t, before, string(raw), "the answer was written to")
		if err != nil {
			require.Equal(t, decode.Page{}, page)
			return
		}
		for _, item := range page.Items {
			requirePart(t, before, item)
		}
		requireText(t, page.NextCursor)
		require.Contains(t, []string{"", "public", "private"}, page.CacheScope)
		require.True(t, page.TTLMs == nil || *page.TTLMs >= 0 && time.Duration(*page.TTLMs)*time.Millisecond >= 0)
		require.Len(t, page.Items, itemsByEncodingJSON(t, raw))
	})
}

// itemsByEncodingJSON counts the items with encoding/json, by exact key.
func itemsByEncodingJSON(t *testing.T, raw []byte) int {
	t.Helper()
	var members map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(strings.TrimPrefix(string(raw), "\uFEFF")), &members))
	var items []json.RawMessage
	if list, ok := members["tools"]; ok {
		require.NoError(t, json.Unmarshal(list, &items))
	}
	return len(items)
}
