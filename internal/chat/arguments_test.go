package chat

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestObjectMakesArgumentsAnObject(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000)
	tests := []struct{ name, in, want string }{
		{"object", `{"a": 9007199254740993, "b" :[1]}`, `{"a": 9007199254740993, "b" :[1]}`},
		{"object with white space", " \n{}\t", " \n{}\t"},
		{"own __arg1", `{"__arg1":"x","city":"y"}`, `{"__arg1":"x","city":"y"}`},
		{"nothing", "", "{}"},
		{"blank", " \n", "{}"},
		{"null", "null", "{}"},
		{"text", `2+2 < "5" & é`, `{"__arg1":"2+2 < \"5\" & é"}`},
		{"json string", `"Paris"`, `{"__arg1":"\"Paris\""}`},
		{"number", "5", `{"__arg1":"5"}`},
		{"list", `["a"]`, `{"__arg1":"[\"a\"]"}`},
		{"cut off", `{"a":`, `{"__arg1":"{\"a\":"}`},
		{"two objects", `{}{}`, `{"__arg1":"{}{}"}`},
		{"number beyond float64", `{"a":1e999}`, `{"__arg1":"{\"a\":1e999}"}`},
		{"too deep to decode", `{"a":` + deep + `}`, `{"__arg1":"{\"a\":` + deep + `}"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, tt.want, Object(tt.in))
		})
	}
}

func TestD1_BridgedSurvivesTheAgentsUnwrapping(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, bridged, toTool string }{
		{"object", `{"city":"x"}`, `{"city":"x"}`, `{"city":"x"}`},
		{"nothing", "", "{}", "{}"},
		{"null", " null ", "{}", "{}"},
		{"own __arg1", `{"__arg1":"a","city":"b"}`, Wrap(`{"__arg1":"a","city":"b"}`), `{"__arg1":"a","city":"b"}`},
		{"own __arg1, an object", `{"__arg1":{"a":1}}`, Wrap(`{"__arg1":{"a":1}}`), `{"__arg1":{"a":1}}`},
		{"own __arg1, null", `{"__arg1":null}`, Wrap(`{"__arg1":null}`), `{"__arg1":null}`},
		{"list", `[1]`, Wrap(`[1]`), `[1]`},
		{"text", `2+2`, Wrap(`2+2`), `2+2`},
		{"key of another case", `{"__ARG1":"a"}`, `{"__ARG1":"a"}`, `{"__ARG1":"a"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, tt.bridged, Bridged(tt.in))
			assert.Equal(t, tt.toTool, Unwrapped(Bridged(tt.in)))
		})
	}
}

func TestUnwrappedDoesAsTheAgent(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"__arg1":"2+2"}`:            "2+2",
		`{"__arg1":"x","city":"y"}`:   "x",
		`{"__arg1":5}`:                `{"__arg1":5}`,
		`{"city":"y"}`:                `{"city":"y"}`,
		`2+2`:                         "2+2",
		``:                            "",
		`null`:                        "null",
		`{"__arg1":"line\nb"} `:       "line\nb",
		`{"__arg1":"\ud83d\ude00 é"}`: "😀 é",
	} {
		assert.Equal(t, want, Unwrapped(in), in)
	}
}

func TestE5_InputIsNotReadFromWhatBrokeOff(t *testing.T) {
	t.Parallel()
	for _, in := range []string{`{"__arg1":"x`, `{"__arg1":"x"`, ` {"__arg1"`, `{"__arg1":"a"b"}`, `{"a":1,"__arg1":"x`} {
		got, err := Input(in)
		require.ErrorIs(t, err, ErrBroken, in)
		assert.Empty(t, got)
	}
	for in, want := range map[string]string{
		`{"__arg1":"{\"__arg1\""}`: `{"__arg1"`,
		`{2+2`:                     `{2+2`,
		`{"q":"x`:                  `{"q":"x`,
		`what is "__arg1"?`:        `what is "__arg1"?`,
		`{"__arg1":5}`:             `{"__arg1":5}`,
	} {
		got, err := Input(in)
		require.NoError(t, err, in)
		assert.Equal(t, want, got)
	}
}

func FuzzArguments(f *testing.F) {
	for _, seed := range []string{"", "null", "{}", `{"__arg1":"x","b":1}`, `"x"`, `{"a":1e999}`, "\xff", `{"a":"\ud800"}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, arguments string) {
		once := Object(arguments)
		var members map[string]any
		require.NoError(t, json.Unmarshal([]byte(once), &members))
		require.NotNil(t, members)
		require.Equal(t, once, Object(once))

		got := Unwrapped(Bridged(arguments))
		want := strings.ToValidUTF8(arguments, "\uFFFD")
		switch {
		case isNothing(arguments):
			require.Equal(t, "{}", got)
		case got != arguments:
			// Only wrapping changes bytes, and only those that are no UTF-8.
			require.Equal(t, []rune(arguments), []rune(got))
			require.NotEqual(t, want, arguments)
		}
	})
}
