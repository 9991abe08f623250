package rawjson_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/internal/decode/rawjson"
)

// texts are JSON and what is nearly JSON, for the tables and as seeds.
var texts = []string{
	`null`, `true`, `false`, `0`, `-0`, `1.5e-3`, `1E+9`, `1E700`, `12345678901234567890`, `""`, `"a"`, `[]`, `{}`, " \t\r\n{ } ",
	`[1,"2",[3],{"4":5},null,true]`, `{"a":{"b":[{}]},"a":2}`, `{"a" : 1 , "b" : [ 1 , 2 ] }`,
	`"\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00"`, `"\ud800"`, `"\ud800\u0041"`, `"\udc00\ud800"`, `"é😀"`, "\"\xff\xfe\"", "\"\xe9 \xc3\"", "\"\\n\xff\"",
	`"0123456789abcdef"`, `"0123456\n89abcdef"`, "\"0123456\x1f9abcdef\"", "\"\x7f\"",
	``, ` `, `nul`, `nulls`, `True`, `01`, `-`, `+1`, `.5`, `1.`, `1e`, `1e+`, `0x1`, `NaN`, `Infinity`, `'a'`,
	`"`, `"\`, `"\x"`, `"\u12"`, `"\u12g4"`, "\"\n\"", "\"\x00\"",
	`[`, `[1`, `[1,`, `[1,]`, `[,1]`, `[1 2]`, `]`, `[}`, `{`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1,}`, `{a:1}`, `{"a" 1}`, `{"a":}`, `{]`, `{"a":1 "b":2}`,
	`1 2`, `{} {}`, `{},`, "{}\x00", `[1]]`, `/**/1`, "\uFEFF{}",
}

func valid(text []byte) bool {
	r := rawjson.NewReader(text)
	r.Value()
	return r.End() == nil
}

// withoutMark is what encoding/json has to be given to agree.
func withoutMark(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\uFEFF")) }

func TestReaderAcceptsWhatEncodingJSONAccepts(t *testing.T) {
	t.Parallel()
	for _, text := range texts {
		assert.Equal(t, json.Valid(withoutMark([]byte(text))), valid([]byte(text)), "%q", text)
	}
}

func TestReaderTellsTextThatEndsTooEarly(t *testing.T) {
	t.Parallel()
	for text, short := range map[string]bool{
		`{`: true, `[`: true, `{"a`: true, `{"a"`: true, `{"a":`: true, `{"a":1`: true, `{"a":1,`: true, `[{"b":[`: true, ``: true,
		`{"a":1}`: false, `{"a":1} more`: false, `{]`: false, `[INFO]`: false, `{starting`: false, `{"a":NaN`: false, "\"a\nb": false,
	} {
		r := rawjson.NewReader([]byte(text))
		r.Value()
		assert.Equal(t, short, r.Short(), "%q: %v", text, r.Err())
		assert.Equal(t, short, r.Short() && r.Err() != nil, "%q", text)
	}
}

func TestReaderLetsAnythingFollowUntilItsEnd(t *testing.T) {
	t.Parallel()
	r := rawjson.NewReader([]byte(`{"a":1}{"b":2}`))
	assert.Equal(t, `{"a":1}`, string(r.Value().Raw))
	require.NoError(t, r.Err())
	assert.Equal(t, 7, r.Offset())
	require.Error(t, r.End())
	assert.Error(t, r.Err())
}

func TestReaderBoundsDepth(t *testing.T) {
	t.Parallel()
	nest := func(open, end string, n int) []byte {
		return []byte(strings.Repeat(open, n) + "0" + strings.Repeat(end, n))
	}
	assert.True(t, valid(nest("[", "]", rawjson.MaxDepth)))
	assert.True(t, valid(nest(`{"a":`, "}", rawjson.MaxDepth)))
	assert.False(t, valid(nest("[", "]", rawjson.MaxDepth+1)))
	assert.False(t, valid(nest(`{"a":`, "}", rawjson.MaxDepth+1)))
	assert.False(t, valid(bytes.Repeat([]byte("["), 5_000_000)), "must end, and early")
	wide := "[" + strings.Repeat("[],{},", rawjson.MaxDepth) + "0]"
	assert.True(t, valid([]byte(wide)), "breadth is no depth")
}

func TestReaderGivesKeysAndBytesExactly(t *testing.T) {
	t.Parallel()
	text := []byte(` { "a" : 1.50 ,"\u0061b": [ 1, 2 ],"A":{"x":"y"} ,"a":null, "\ud800":0} tail`)
	r := rawjson.NewReader(text)
	var keys, values []string
	raw := r.Object(func(key []byte) {
		keys = append(keys, string(key))
		values = append(values, string(r.Value().Raw))
	})
	assert.Equal(t, []string{"a", "ab", "A", "a", "\uFFFD"}, keys)
	assert.Equal(t, []string{"1.50", "[ 1, 2 ]", `{"x":"y"}`, "null", "0"}, values)
	assert.Equal(t, string(text[1:len(text)-5]), string(raw))
	assert.Equal(t, len(raw), cap(raw), "appending must not write into the text")
	assert.ErrorContains(t, r.End(), "follows")
}

func TestReaderPassesOverWhatIsNotVisited(t *testing.T) {
	t.Parallel()
	r := rawjson.NewReader([]byte(`{"a":[1,{"b":2}],"c":[10,20,30],"e": true ,"f":false,"d":"x"}`))
	var second, last string
	var yes, no rawjson.Value
	r.Object(func(key []byte) {
		switch string(key) {
		case "c":
			r.List(func(i int) {
				if i == 1 {
					second = string(r.Value().Raw)
				}
			})
		case "d":
			last = r.Value().Text()
		case "e":
			assert.Equal(t, rawjson.Bool, r.Peek())
			assert.Equal(t, 37, r.Offset())
			yes = r.Value()
			assert.Equal(t, 41, r.Offset())
		case "f":
			no = r.Value()
		}
	})
	require.NoError(t, r.End())
	assert.Equal(t, "20", second)
	assert.Equal(t, "x", last)
	assert.True(t, yes.True())
	assert.False(t, no.True())
	assert.False(t, rawjson.Value{}.True())
}

func TestReaderStopsAtTheFirstError(t *testing.T) {
	t.Parallel()
	r := rawjson.NewReader([]byte(`[1,x,2]`))
	visits := 0
	assert.Nil(t, r.List(func(int) { visits++; r.Value() }))
	assert.Equal(t, 2, visits)
	assert.Equal(t, rawjson.Invalid, r.Peek())
	assert.Equal(t, rawjson.Value{}, r.Value())
	assert.Nil(t, r.Object(nil))
	assert.ErrorContains(t, r.End(), "at byte 3 of 7")
}

func TestReaderRefusesTheWrongKind(t *testing.T) {
	t.Parallel()
	r := rawjson.NewReader([]byte(`[]`))
	assert.Nil(t, r.Object(nil))
	require.Error(t, r.End())
	r = rawjson.NewReader([]byte(`{}`))
	assert.Nil(t, r.List(nil))
	require.Error(t, r.End())
}

func TestValueTextDecodesAsEncodingJSON(t *testing.T) {
	t.Parallel()
	for _, text := range texts {
		var want string
		if err := json.Unmarshal([]byte(text), &want); err != nil {
			want = "" // not a string
		}
		assert.Equal(t, want, rawjson.NewReader([]byte(text)).Value().Text(), "%q", text)
	}
}

func TestKindReadsWellInASentence(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`null`: "null", `true`: "a boolean", `-1`: "a number", `""`: "a string", `[]`: "a list", `{}`: "an object", `x`: "not JSON",
	} {
		assert.Equal(t, want, rawjson.NewReader([]byte(text)).Peek().String())
	}
	assert.Equal(t, "not JSON", rawjson.Kind(200).String())
}

func FuzzReader(f *testing.F) {
	for _, text := range texts {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		before := bytes.Clone(text)
		r := rawjson.NewReader(text)
		v := r.Value()
		err := r.End()
		require.Equal(t, before, text, "the text was written to")
		require.Equal(t, json.Valid(withoutMark(text)), err == nil, "%v", err)
		if err != nil {
			return
		}
		require.Equal(t, bytes.Trim(withoutMark(text), " \t\r\n"), v.Raw)
		want := decoded(t, v.Raw)
		if s, ok := want.(string); ok {
			require.Equal(t, s, v.Text())
		}
		requireKeys(t, v.Raw, want)
	})
}

// requireKeys checks that the keys of an object, and of the objects in it, are those encoding/json reads.
func requireKeys(t *testing.T, raw []byte, want any) {
	members, ok := want.(map[string]any)
	if !ok {
		return
	}
	last := map[string][]byte{}
	r := rawjson.NewReader(raw)
	r.Object(func(key []byte) { last[string(key)] = r.Value().Raw })
	require.NoError(t, r.End())
	require.Len(t, last, len(members))
	for key, value := range last {
		inner, ok := members[key]
		require.True(t, ok, "%q", key)
		requireKeys(t, value, inner)
	}
}
