package args

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestD4_Paths(t *testing.T) {
	t.Parallel()
	var root path
	for want, p := range map[string]path{
		"a":                    root.member("a"),
		"a.b[3].c":             root.member("a").member("b").item(3).member("c"),
		"größe.API-Key":        root.member("größe").member("API-Key"),
		`["user.name"]["a b"]`: root.member("user.name").member("a b"),
		`a[""]`:                root.member("a").member(""),
		`["3d"][0]`:            root.member("3d").item(0),
		`["a\"b c"]`:           root.member("a\"b\nc"),
	} {
		assert.Equal(t, path(want), p)
	}
	long := root
	for range 100 {
		long = long.member("name").item(1)
	}
	assert.LessOrEqual(t, len(long), maxPath+len("…"))
	assert.True(t, strings.HasSuffix(string(long), "…"))
}

func TestD4_ShownTextsAreOneShortLine(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"short":                  "short",
		"a\nb\tc\u2028d\x1b[":    "a b c d [",
		"\xffx":                  "\uFFFDx",
		strings.Repeat("é", 11):  "ééééééééé…",
		strings.Repeat("😀", 200): "😀😀😀😀😀😀😀😀😀…",
	} {
		assert.Equal(t, want, clip(s, 10))
	}
}

// What a text says about JSON that cannot be read, and where.
func TestD4_BrokenJSONIsExplained(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 100)
	for text, want := range map[string]string{
		`{"a": "` + long:            `it ends with …"` + strings.Repeat("é", 20) + `"`,
		`{"a": 1`:                   `it ends with "{\"a\": 1"`,
		`{"a": tru`:                 `cut off`,
		`{"a": "\`:                  `cut off`,
		`{"a": "\u00`:               `cut off`,
		`{"a": -`:                   `cut off`,
		`{"a": 1 "b" }`:             `'"' where a comma or } is expected, after "{\"a\": 1 "`,
		`{"a": "\q"}`:               `a JSON escape such as \n`,
		`{"a": "\u00zz", "b": x y}`: `four hexadecimal digits`,
		`{"a": [1, ...]}`:           `a JSON value`,
		`{"a": [1 x: 2]}`:           `a comma or ]`,
		`{"a" 1: 2}`:                `a colon`,
		`{"a": 1, "a": 2}`:          `a: given twice with different values`,
		`{"a": 1} {"a": 2}`:         `the text holds 2 different JSON objects`,
		`{"a": 1} [2]`:              `another JSON value beside the object`,
		`[{"a": 1}, {"a": 2}]`:      `call the tool once for each`,
		"{\"a\": \"\xff\"}":         `not valid UTF-8`,
	} {
		_, err := New(json.RawMessage(`{"properties":{"a":{},"b":{}}}`)).Parse(text)
		var e *Error
		require.ErrorAs(t, err, &e, text)
		assert.Contains(t, e.Text, want, text)
		assert.True(t, utf8.ValidString(e.Text))
	}
}

func TestD4_NearestName(t *testing.T) {
	t.Parallel()
	known := []string{"city", "country", "maxResults", "id", "q", strings.Repeat("long", 20)}
	for name, want := range map[string]string{
		"citty": "city", "contry": "country", "max_results": "maxResults", "MaxResults": "maxResults", "ID": "id", "x": "", "zzzz": "", "ids": "",
		strings.Repeat("long", 20) + "s": "",
	} {
		assert.Equal(t, want, nearest(name, known), name)
	}
}

func TestD4_LongListsAreCut(t *testing.T) {
	t.Parallel()
	var values, properties []string
	for i := range 100 {
		values = append(values, quote(strings.Repeat(string(rune('a'+i%26)), 30)))
		properties = append(properties, quote("name"+strings.Repeat("x", i))+":{}")
	}
	schema := `{"properties":{"v":{"enum":[` + strings.Join(values, ",") + `]},"o":{"properties":{` + strings.Join(properties, ",") + `},"additionalProperties":false}}}`
	got := faultsOf(t, schema, `{"v":1,"o":{"other":1}}`)
	assert.Contains(t, got, "(100 in all)")
	assert.Less(t, len(got), 2*maxFault)
}

func TestSignatureByDefault(t *testing.T) {
	t.Parallel()
	_, err := New(json.RawMessage(`{"properties":{"a":{},"b":{}},"required":["b"]}`)).Parse(`{"b":1`)
	require.ErrorContains(t, err, "{a?, b}")
	_, err = New(json.RawMessage(`{"properties":{` + repeated(50, `"n#":{}`) + `}}`)).Parse(`{"b":1`)
	require.ErrorContains(t, err, "n29?, …}")
	_, err = New(nil).Parse(`{"b":1`)
	require.ErrorContains(t, err, "object: {}")
}
