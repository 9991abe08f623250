package decode_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/internal/decode"
)

func TestH7_ListedItemsAreReadTolerantly(t *testing.T) {
	t.Parallel()
	size := int64(12)
	for raw, want := range map[string]decode.Resource{
		`{"uri":"a:1","name":"n","title":"t","description":"d","mimeType":"m","size":12,"_meta":{"a":1}}`: {
			URI: "a:1", Name: "n", Title: "t", Description: "d", MIMEType: "m", Size: &size, Meta: json.RawMessage(`{"a":1}`)},
		`{"uri":"a:1","name":5,"size":-1,"_meta":null,"URI":"b:1"}`: {URI: "a:1"},
		`{"uri":"a:1","uri":"a:2"}`:                                 {URI: "a:2"},
	} {
		got, err := decode.ResourceOf(json.RawMessage(raw))
		require.NoError(t, err, raw)
		want.Raw = json.RawMessage(raw)
		assert.Equal(t, want, got)
	}
	template, err := decode.TemplateOf(json.RawMessage(`{"uriTemplate":"a:{b}","name":[],"title":"t"}`))
	require.NoError(t, err)
	assert.Equal(t, "a:{b}", template.URITemplate)
	assert.Equal(t, "t", template.Title)

	prompt, err := decode.PromptOf(json.RawMessage(`{"name":"p","arguments":[{"name":"a","required":true},{"name":"b","required":"true"},null,{"title":"t"}]}`))
	require.NoError(t, err)
	assert.Equal(t, []decode.PromptArgument{{Name: "a", Required: true}, {Name: "b"}}, prompt.Arguments)
	assert.Equal(t, []string{"argument 2: it is null, not an object", "argument 3: the argument has no name"}, prompt.Faults)
}

func TestH7_ItemsThatCannotBeUsedSayWhy(t *testing.T) {
	t.Parallel()
	for raw, why := range map[string]string{
		`{"uri":null}`: "the resource has no uri",
		`{}`:           "the resource has no uri",
		`{"uri":""}`:   "the resource's uri is empty",
		`{"uri":[1]}`:  "the resource's uri is a list, not a string",
		`5`:            "the resource is a number, not an object",
		`null`:         "the resource is null, not an object",
		`{"uri":`:      "the resource is not JSON",
		``:             "the resource is not JSON",
	} {
		_, err := decode.ResourceOf(json.RawMessage(raw))
		require.ErrorContains(t, err, why, raw)
	}
	got, err := decode.ResourceOf(json.RawMessage(`{"name":"n"}`))
	require.Error(t, err)
	assert.Equal(t, "n", got.Name, "what could be read is there")
	_, err = decode.TemplateOf(json.RawMessage(`{}`))
	require.EqualError(t, err, "the resource template has no uriTemplate")
	_, err = decode.PromptOf(json.RawMessage(`{}`))
	require.EqualError(t, err, "the prompt has no name")
}

func TestB5_Hints(t *testing.T) {
	t.Parallel()
	ms := func(n int64) *int64 { return &n }
	for raw, want := range map[string]decode.Hints{
		`{}`: {},
		`{"contents":[{"ttlMs":1}],"ttlMs":5,"cacheScope":"public","resultType":"complete"}`: {TTLMs: ms(5), CacheScope: decode.ScopePublic, ResultType: "complete"},
		`{"ttlMs":-5,"cacheScope":5}`:                       {TTLMs: ms(0), CacheScope: decode.ScopePrivate},
		`{"ttlMs":"5","cacheScope":null,"resultType":null}`: {},
		`{"ttlMs":1.9}`: {TTLMs: ms(1)},
	} {
		got, err := decode.HintsOf(json.RawMessage(raw))
		require.NoError(t, err, raw)
		assert.Equal(t, want, got, raw)
	}
	for _, raw := range []string{`[]`, `null`, `"x"`, `{`, ``, `{"ttlMs":5} x`} {
		_, err := decode.HintsOf(json.RawMessage(raw))
		require.Error(t, err, raw)
	}
}

// FuzzOthers holds that nothing a server sends makes the readers panic, and
// that what they call raw is what was sent.
func FuzzOthers(f *testing.F) {
	for _, seed := range []string{
		`{"uri":"a:1","uriTemplate":"a:{b}","name":"n","arguments":[{"name":"a"},5],"size":1e99,"_meta":{}}`,
		`{"description":"d","messages":[{"role":"user","content":[{"type":"text","text":"x"},7]},"s",null],"_meta":1,"resultType":"x"}`,
		`{"completion":{"values":["a",{"value":1},{"title":"t"},[]],"total":1e400,"hasMore":true},"ttlMs":-1,"cacheScope":[]}`,
		`{"messages":{"role":5}}`, `{"completion":[]}`, `{"arguments":{}}`, "\uFEFF{}", `[`, ``,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		r, resourceErr := decode.ResourceOf(raw)
		_, templateErr := decode.TemplateOf(raw)
		p, promptErr := decode.PromptOf(raw)
		result, resultErr := decode.PromptResultOf(raw)
		_, completionErr := decode.CompletionOf(raw)
		h, hintsErr := decode.HintsOf(raw)
		assert.True(t, resourceErr != nil || r.URI != "")
		assert.True(t, promptErr != nil || p.Name != "")
		assert.True(t, h.TTLMs == nil || *h.TTLMs >= 0)
		for _, part := range [][]byte{r.Raw, p.Raw, result.Raw} {
			assert.True(t, part == nil || json.Valid(part))
		}
		if !json.Valid(raw) && len(raw) > 0 && raw[0] != 0xEF {
			for _, err := range []error{resourceErr, templateErr, promptErr, resultErr, completionErr, hintsErr} {
				assert.Error(t, err)
			}
		}
	})
}
