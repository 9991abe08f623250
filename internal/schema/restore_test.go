package schema_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/internal/schema"
)

func restored(t *testing.T, s schema.Shown, args string) string {
	t.Helper()
	back, err := s.Restore(json.RawMessage(args))
	require.NoError(t, err, args)
	return string(back)
}

func TestC6_NothingRenamedIsNothingTouched(t *testing.T) {
	t.Parallel()
	for _, p := range []schema.Profile{schema.Verbatim, schema.OpenAI, schema.Anthropic} {
		s := schema.Parameters(json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"}}}`), p)
		assert.Nil(t, s.Keys)
		for _, args := range []string{` { "a" : 1.0 } `, `{"a":1,"a":2}`, `not JSON`, ``, `[]`} {
			assert.Equal(t, args, restored(t, s, args), p)
		}
	}
}

func TestC6_KeysComeBack(t *testing.T) {
	t.Parallel()
	raw := `{"type":"object","properties":{"$top":{"type":"integer"},"filter[name]":{"type":"string"},"uids[]":{"type":"array","items":{"type":"object",
		"properties":{"@odata.type":{"type":"string"},"plain":{"type":"object","properties":{"größe":{"type":"number"}}}}}},
		"map":{"type":"object","properties":{"k":{"type":"string"}},"additionalProperties":{"type":"object","properties":{"$x":{"type":"string"}}}}},"required":["$top"]}`
	s := show(t, raw, schema.Anthropic)
	assert.Equal(t, map[string]string{"/_top": "$top", "/filter_name_": "filter[name]", "/uids__": "uids[]", "/uids__/*/_odata.type": "@odata.type",
		"/uids__/*/plain/gr__e": "größe", "/map/*/_x": "$x"}, mapKeys(s.Keys, "_odata_type", "_odata.type"))
	assert.Equal(t, []any{"_top"}, s.Parameters["required"])
	for path, name := range s.Keys {
		assert.Contains(t, words(s), strings.Trim(mustJSON(mustJSON(name)), `"`), path)
	}

	for args, want := range map[string]string{
		`{"_top":5}`: `{"$top":5}`,
		`{ "_top" : 9007199254740993 , "other":[1.0, {"_top":1}] }`:     `{"$top":9007199254740993,"other":[1.0, {"_top":1}]}`,
		`{"filter_name_":"a\u00e4\/"}`:                                  `{"filter[name]":"a\u00e4\/"}`,
		`{"\u005ftop":1}`:                                               `{"$top":1}`,
		`{"uids__":[{"_odata_type":"x","plain":{"gr__e":1E2}},null,5]}`: `{"uids[]":[{"@odata.type":"x","plain":{"größe":1E2}},null,5]}`,
		`{"uids__":null}`:                                               `{"uids[]":null}`,
		`{"$top":1}`:                                                    `{"$top":1}`,
		`{"map":{"k":"v","any":{"_x":"1"},"other":{"_x":"2"},"odd":[{"_x":3}]}}`: `{"map":{"k":"v","any":{"$x":"1"},"other":{"$x":"2"},"odd":[{"_x":3}]}}`,
		`{"a":1,"a":2}`:          `{"a":1,"a":2}`,
		`{}`:                     `{}`,
		`{"unknown":{"_top":1}}`: `{"unknown":{"_top":1}}`,
	} {
		assert.Equal(t, want, restored(t, s, args))
	}
	for _, args := range []string{``, `[]`, `"x"`, `{"_top":1`, `{"_top":1} {}`, `null`, `{'_top':1}`} {
		_, err := s.Restore(json.RawMessage(args))
		assert.Error(t, err, args)
	}
	_, err := s.Restore(json.RawMessage(`{"_top":1,"$top":1}`))
	assert.ErrorContains(t, err, `"_top" and "$top" are the same field`)
}

// mapKeys lets a test name keys without caring for one detail of renaming.
func mapKeys(keys map[string]string, old, replacement string) map[string]string {
	out := map[string]string{}
	for k, v := range keys {
		out[strings.ReplaceAll(k, old, replacement)] = v
	}
	return out
}

func TestC6_NewKeysAreUniqueAndStable(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p schema.Profile) {
		long := strings.Repeat("n", 300)
		fields := []string{"$top", "_top", "@top", "", "_", "1", "_1", "日本", "語学", long + "a", long + "b", "a b", "a.b", "a-b", "a_b", "ä", "\u0000", "\"", "a/b", "a~b",
			"!(*)?", "$<$+(" /* equal in the first 32 bits of their SHA-256 */}
		build := func(names []string) schema.Shown {
			var props []string
			for _, n := range names {
				props = append(props, mustJSON(n)+`:{"type":"string"}`)
			}
			return show(t, `{"type":"object","properties":{`+strings.Join(props, ",")+`}}`, p)
		}
		s := build(fields)
		assert.Len(t, s.Parameters["properties"], len(fields), "no two fields share a name")

		reversed := append([]string{}, fields...)
		for i, j := 0, len(reversed)-1; i < j; i, j = i+1, j-1 {
			reversed[i], reversed[j] = reversed[j], reversed[i]
		}
		assert.Equal(t, s.Keys, build(reversed).Keys, "names do not depend on the order")
		for path, name := range s.Keys {
			shown := strings.NewReplacer("~1", "/", "~0", "~").Replace(strings.TrimPrefix(path, "/"))
			assert.JSONEq(t, mustJSON(map[string]string{name: "v"}), restored(t, s, mustJSON(map[string]string{shown: "v"})))
		}
		assert.Contains(t, s.Parameters["properties"], "_top", "an acceptable name stays")
		assert.NotContains(t, s.Keys, "/_top")
	})
}

func TestC6_AlternativesShareTheirNewKeys(t *testing.T) {
	t.Parallel()
	raw := `{"type":"object","properties":{"f":{"anyOf":[{"type":"object","properties":{"$x":{"type":"string"},"kind":{"const":1}}},
		{"type":"object","properties":{"_x":{"type":"string"},"kind":{"const":2}}},{"type":"array","items":{"type":"object","properties":{"$y":{"type":"string"}}}},{"type":"string"}]}}}`
	s := show(t, raw, schema.Anthropic)
	require.Len(t, s.Keys, 2)
	for path, name := range s.Keys {
		shown := path[strings.LastIndex(path, "/")+1:]
		if name == "$x" {
			assert.NotEqual(t, "_x", shown)
			assert.Equal(t, `{"f":{"$x":1}}`, restored(t, s, `{"f":{"`+shown+`":1}}`))
		} else {
			assert.Equal(t, `{"f":[{"$y":1}]}`, restored(t, s, `{"f":[{"`+shown+`":1}]}`))
		}
	}
	assert.Equal(t, `{"f":{"_x":1}}`, restored(t, s, `{"f":{"_x":1}}`))
}

func TestC6_JSONTextIsParsed(t *testing.T) {
	t.Parallel()
	raw := `{"type":"object","properties":{
		"free":{"type":"object"},"any":{},"either":{"type":["string","array"],"items":{"type":"string"}},"nums":{"type":["number","boolean"]},
		"auto":{"anyOf":[{"const":"auto"},{"type":"integer"}]},"text":{"type":"string"},"mixed":{"type":["string","number"]},
		"list":{"type":"array","items":{"type":"object"}},"nullable":{"type":["object","null"]}}}`
	s := show(t, raw, schema.Gemini)
	for args, want := range map[string]string{
		`{"free":"{\"a\": 12345678901234567890}"}`: `{"free":{"a": 12345678901234567890}}`,
		`{"free":{"a":1}}`:                         `{"free":{"a":1}}`,
		`{"free":"{\"a\":"}`:                       `{"free":"{\"a\":"}`, // for the check of the arguments to name
		`{"free":"[1]"}`:                           `{"free":"[1]"}`,
		`{"free":" \n{\"a\":\"\\u00e4\"}\n"}`:      `{"free":{"a":"\u00e4"}}`,
		`{"any":"\"x\""}`:                          `{"any":"x"}`,
		`{"any":"x"}`:                              `{"any":"x"}`,
		`{"any":"1e2"}`:                            `{"any":1e2}`,
		`{"any":"null"}`:                           `{"any":null}`,
		`{"any":""}`:                               `{"any":""}`,
		`{"any":"01"}`:                             `{"any":"01"}`,
		`{"either":"[\"a\"]"}`:                     `{"either":["a"]}`,
		`{"either":"{\"a\":1}"}`:                   `{"either":"{\"a\":1}"}`,
		`{"either":"plain"}`:                       `{"either":"plain"}`,
		`{"either":"5"}`:                           `{"either":"5"}`,
		`{"nums":"5"}`:                             `{"nums":5}`,
		`{"nums":"true"}`:                          `{"nums":true}`,
		`{"nums":"yes"}`:                           `{"nums":"yes"}`,
		`{"auto":"auto"}`:                          `{"auto":"auto"}`,
		`{"auto":"7"}`:                             `{"auto":7}`,
		`{"text":"{\"a\":1}"}`:                     `{"text":"{\"a\":1}"}`,
		`{"mixed":"5"}`:                            `{"mixed":"5"}`,
		`{"nullable":"null"}`:                      `{"nullable":null}`,
		`{"nullable":null}`:                        `{"nullable":null}`,
	} {
		assert.Equal(t, want, restored(t, s, args))
	}
}

func TestC6_RestoreIsBoundedByWhatWasShown(t *testing.T) {
	t.Parallel()
	s := show(t, `{"type":"object","properties":{"$a":{"type":"array","items":{"type":"object"}},"o":{"type":"object"}}}`, schema.Portable)
	deep := strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)
	_, err := s.Restore(json.RawMessage(`{"_a":` + deep + `}`))
	assert.Error(t, err, "deeper than encoding/json reads")
	assert.Equal(t, `{"o":`+mustJSON(deep)+`}`, restored(t, s, `{"o":`+mustJSON(deep)+`}`), "text that is no JSON stays")
	wide := "[" + strings.TrimSuffix(strings.Repeat(`"{}",`, 100_000), ",") + "]"
	assert.True(t, `{"$a":`+strings.ReplaceAll(wide, `"`, "")+`}` == restored(t, s, `{"_a":`+wide+`}`))
}

func TestC6_RestoreIsSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	s := schema.Parameters(json.RawMessage(`{"properties":{"$a":{"type":"string"}}}`), schema.Portable)
	done := make(chan string)
	for range 8 {
		go func() {
			back, _ := s.Restore(json.RawMessage(`{"_a":1}`))
			done <- string(back)
		}()
	}
	for range 8 {
		assert.Equal(t, `{"$a":1}`, <-done)
	}
}

// Two models may have been shown one tool in two ways.
func TestC6_EitherWayBack(t *testing.T) {
	t.Parallel()
	raw := `{"type":"object","properties":{"any":{},"$top":{"type":"integer"},"o":{"type":"object","properties":{"@x":{"type":"object","properties":{"a":{"type":"string"}}}}},
		"l":{"type":"array","items":{"type":"object","properties":{"$y":{"type":"integer"}}}}}}`
	all := schema.Profiles()
	joined := schema.Shown{}
	for _, p := range all {
		joined = joined.Or(show(t, raw, p))
	}
	for args, want := range map[string]string{
		`{"any":"\"5\"","_top":1}`:                 `{"any":"5","$top":1}`, // parsed once, however many asked for it
		`{"any":"\"\\\"5\\\"\""}`:                  `{"any":"\"5\""}`,
		`{"o":"{\"@x\":{\"a\":\"b\"}}","l":"[]"}`:  `{"o":{"@x":{"a":"b"}},"l":[]}`, // vertex
		`{"o":{"_x":{"a":"b"}},"l":[{"_y":1}]}`:    `{"o":{"@x":{"a":"b"}},"l":[{"$y":1}]}`,
		`{"o":{"@x":{"a":"b"}},"l":[{"$y":1}]}`:    `{"o":{"@x":{"a":"b"}},"l":[{"$y":1}]}`,
		`{"any":5,"$top":1,"o":{"_x":{"a":"{}"}}}`: `{"any":5,"$top":1,"o":{"@x":{"a":"{}"}}}`,
	} {
		assert.Equal(t, want, restored(t, joined, args))
	}
	before := show(t, raw, schema.Verbatim)
	assert.Equal(t, before.Parameters, before.Or(show(t, raw, schema.Portable)).Parameters)
	assert.Equal(t, `{"_top":1}`, restored(t, before, `{"_top":1}`), "and stays as it was itself")
}
