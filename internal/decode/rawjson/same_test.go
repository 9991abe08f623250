package rawjson_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mcptoolset/mcptoolset/internal/decode/rawjson"
)

func TestSame(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`{"temp":5}`, `{"temp": 5}`, true},
		{`{"temp":5}`, "\n{\n  \"temp\": 5\n}\n", true},
		{`{"a":1,"b":2}`, `{"b":2,"a":1}`, true},
		{`{"a":1,"b":{"c":[1,{"x":1,"y":2}],"d":0}}`, `{"b":{"d":0,"c":[1,{"y":2,"x":1}]},"a":1}`, true},
		{`{"a":1,"b":2,"c":3}`, `{"a":1,"c":3,"b":2}`, true},
		{`"é"`, `"\u00e9"`, true},
		{`{"\u0061":"\/"}`, `{"a":"/"}`, true},
		{`[1.0,1e2,-0,0.010]`, `[1,100,0,1E-2]`, true},
		{`1e400`, `10e399`, true},
		{`0e5`, `0`, true},
		{`{}`, `{ }`, true},
		{`[]`, `[ ]`, true},
		{"\uFEFF[1]", `[1]`, true},

		{`{"id":9007199254740993}`, `{"id":9007199254740992}`, false},
		{`0.1`, `0.10000000000000001`, false},
		{`1`, `-1`, false},
		{`1`, `"1"`, false},
		{`1e5`, `1e6`, false},
		{`1e99999999999999999999`, `1e99999999999999999998`, false},
		{`true`, `false`, false},
		{`null`, `false`, false},
		{`{"a":1}`, `{"A":1}`, false},
		{`{"a":1}`, `{"a":1,"b":2}`, false},
		{`{"a":1,"b":2}`, `{"a":1}`, false},
		{`{"a":1,"b":2}`, `{"b":2,"c":1}`, false},
		{`{"a":1,"b":2}`, `{"b":2,"a":2}`, false},
		{`[1,2]`, `[2,1]`, false},
		{`[1]`, `[1,1]`, false},
		{`[]`, `{}`, false},
		{`[]`, `[null]`, false},
		{`{}`, `{"a":null}`, false},
		{`"a"`, `"b"`, false},
		{``, ``, false},
		{`x`, `x`, false},
		{`{"a":1} and more`, `{"a":1}`, false},
		{`The answer is {"a":1}`, `{"a":1}`, false},
		{`{"a":1`, `{"a":1`, false},
		{`{"a":1,"b":`, `{"b":1,"a":1}`, false},
		{`{"b":1,"a":1}`, `{"a":1,"b":`, false},
		{"```json\n{\"a\":1}\n```", `{"a":1}`, false},
	} {
		assert.Equal(t, c.want, rawjson.Same([]byte(c.a), []byte(c.b)), "%s and %s", c.a, c.b)
		assert.Equal(t, c.want, rawjson.Same([]byte(c.b), []byte(c.a)), "%s and %s", c.b, c.a)
	}
}

// TestSameGivesUp holds that hostile texts cost no more than a bounded number
// of walks.
func TestSameGivesUp(t *testing.T) {
	t.Parallel()
	pad := `"p":"` + strings.Repeat("x", 100) + `",`
	deep := func(first, second string, n int) []byte {
		return []byte(strings.Repeat(`{`+pad+first, n) + "0" + strings.Repeat(second+"}", n))
	}
	a := deep(`"q":1,"v":`, ``, 500)
	b := deep(`"v":`, `,"q":1`, 500)
	assert.False(t, rawjson.Same(a, b))
	a, b = deep(`"q":1,"v":`, ``, 20), deep(`"v":`, `,"q":1`, 20)
	assert.True(t, rawjson.Same(a, b), "what servers send is compared to the end")
}

// TestSameKnowsEveryWriting holds that a value is the same as itself written
// with its members shuffled, its strings escaped and spaces about.
func TestSameKnowsEveryWriting(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		v := value(3).Draw(t, "value")
		var a, b strings.Builder
		write(t, &a, v)
		write(t, &b, v)
		require.True(t, rawjson.Same([]byte(a.String()), []byte(b.String())), "%s and %s", a.String(), b.String())
	})
}

// value draws a JSON value, its numbers as text.
func value(depth int) *rapid.Generator[any] {
	scalars := []*rapid.Generator[any]{
		rapid.Just[any](nil), rapid.Bool().AsAny(), rapid.String().AsAny(),
		rapid.Custom(func(t *rapid.T) any { return json.Number(fmt.Sprint(rapid.Int64().Draw(t, "n"))) }),
	}
	if depth == 0 {
		return rapid.OneOf(scalars...)
	}
	return rapid.OneOf(append(scalars,
		rapid.SliceOfN(value(depth-1), 0, 4).AsAny(),
		rapid.MapOfN(rapid.String(), value(depth-1), 0, 4).AsAny(),
	)...)
}

// write writes v in one of its many forms.
func write(t *rapid.T, b *strings.Builder, v any) {
	space := func() { b.WriteString(rapid.SampledFrom([]string{"", " ", "\n\t", "\r\n"}).Draw(t, "space")) }
	space()
	switch v := v.(type) {
	case []any:
		b.WriteByte('[')
		for i, item := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			write(t, b, item)
		}
		b.WriteByte(']')
	case map[string]any:
		b.WriteByte('{')
		keys := slices.Sorted(maps.Keys(v)) // draws must not depend on a map's order
		for i, key := range rapid.Permutation(keys).Draw(t, "order") {
			if i > 0 {
				b.WriteByte(',')
			}
			write(t, b, key)
			b.WriteByte(':')
			write(t, b, v[key])
		}
		b.WriteByte('}')
	case string:
		raw, _ := json.Marshal(v)
		if rapid.Bool().Draw(t, "escape") {
			raw = fmt.Appendf(nil, `"`)
			for _, c := range v {
				if c > 0xffff {
					c -= 0x10000
					raw = fmt.Appendf(raw, `\u%04x\u%04X`, 0xd800+c>>10, 0xdc00+c&0x3ff)
				} else {
					raw = fmt.Appendf(raw, `\u%04x`, c)
				}
			}
			raw = append(raw, '"')
		}
		b.Write(raw)
	default:
		raw, _ := json.Marshal(v)
		b.Write(raw)
	}
	space()
}

// FuzzSame holds that texts are called the same only if encoding/json reads
// the same from both.
func FuzzSame(f *testing.F) {
	for i, text := range texts {
		f.Add([]byte(text), []byte(texts[(i+1)%len(texts)]))
	}
	f.Add([]byte(`{"a":1.0,"b":[2]}`), []byte(`{"b":[2],"a":1}`))
	f.Add([]byte(`{"a":1,"a":2}`), []byte(`{"a":2}`))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		same := rawjson.Same(a, b)
		require.Equal(t, same, rawjson.Same(b, a))
		if !same {
			return
		}
		require.Equal(t, rounded(decoded(t, a)), rounded(decoded(t, b)))
	})
}

// decoded reads text with encoding/json.
func decoded(t *testing.T, text []byte) any {
	var v any
	d := json.NewDecoder(bytes.NewReader(withoutMark(text)))
	d.UseNumber()
	require.NoError(t, d.Decode(&v))
	return v
}

// rounded makes the numbers in v float64, where they fit.
func rounded(v any) any {
	switch v := v.(type) {
	case json.Number:
		f, err := v.Float64()
		if err != nil || f == 0 {
			return reflect.TypeOf(v).Name()
		}
		return f
	case []any:
		for i := range v {
			v[i] = rounded(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = rounded(v[key])
		}
	}
	return v
}

func BenchmarkSame(b *testing.B) {
	row := `{"id":9007199254740993,"name":"Grüße","tags":["a","b"]},`
	shuffled := `{"tags":["a","b"],"name":"Grüße","id":9007199254740993},`
	wide := func(row string) []byte { return []byte("[" + strings.Repeat(row, 1000) + "0]") }
	for name, other := range map[string][]byte{"ordered": wide(row), "shuffled": wide(shuffled)} {
		text := wide(row)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if !rawjson.Same(text, other) {
					b.Fatal("not the same")
				}
			}
		})
	}
}
