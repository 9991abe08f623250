package render_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mcptoolset/mcptoolset/internal/decode"
	"github.com/mcptoolset/mcptoolset/internal/render"
)

// show renders an answer as it comes from a server.
func show(t *testing.T, raw string, budget int) string {
	t.Helper()
	r, err := decode.ResultOf(json.RawMessage(raw))
	require.NoError(t, err, raw)
	out := render.Result(r, render.Options{Budget: budget})
	requireFit(t, out, budget)
	return out
}

// requireFit checks what holds for every observation.
func requireFit(t require.TestingT, out string, budget int) {
	if budget <= 0 {
		budget = render.DefaultBudget
	}
	require.NotEmpty(t, out)
	require.True(t, utf8.ValidString(out), "%q", out)
	require.LessOrEqual(t, utf8.RuneCountInString(out), budget)
	require.False(t, strings.ContainsFunc(out, func(r rune) bool { return unicode.IsControl(r) && !strings.ContainsRune("\n\r\t", r) }), "%q", out)
}

func quoted(s string) string {
	raw, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

func TestE1_Text(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		`[{"type":"text","text":"ok"}]`:                                                       "ok",
		`[{"type":"text","text":" two lines\n\tand\r\nspace \n"}]`:                            " two lines\n\tand\r\nspace \n",
		`[{"type":"text","text":"a"},{"type":"text","text":"b"}]`:                             "a\n\nb",
		`[{"type":"text","text":"a\n"},{"type":"text","text":""},{"type":"text","text":"b"}]`: "a\n\n\nb",
		`[{"type":"text","text":"{{.x}} {%y%} <b>&amp;</b> %s"}]`:                             "{{.x}} {%y%} <b>&amp;</b> %s",
		`[{"type":"text","text":"é😀\u200b\u2028"}]`:                                           "é😀\u200b\u2028",
		`"bare"`:                           "bare",
		`{"type":"text","text":"no list"}`: "no list",
		`["a",{"type":"text","text":"b"}]`: "a\n\nb",
	} {
		assert.Equal(t, want, show(t, `{"content":`+content+`}`, 0), content)
	}
}

func TestO33_NothingIsAFixedSentence(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{
		`{"content":[]}`, `{"content":null}`, `{}`, `null`, `[]`, `""`, `{"content":[{"type":"text","text":""}]}`, `{"content":[{"type":"text","text":" \n\t\u00a0"}]}`,
		`{"content":[{"type":"text","text":""},{"type":"text","text":" "}]}`, `{"content":"","structuredContent":null,"_meta":{"a":1}}`, `{"toolResult":null}`,
	} {
		assert.Equal(t, render.NoOutput, show(t, raw, 0), raw)
		assert.Equal(t, "Error: "+render.NoOutput, render.Result(mustDecode(t, raw, true), render.Options{}), raw)
	}
	assert.Equal(t, render.NoOutput, render.Result(decode.Result{}, render.Options{}))
}

func mustDecode(t *testing.T, raw string, isError bool) decode.Result {
	t.Helper()
	r, err := decode.ResultOf(json.RawMessage(raw))
	require.NoError(t, err)
	r.IsError = isError
	return r
}

func TestControlCharactersBecomeTheirPictures(t *testing.T) {
	t.Parallel()
	got := show(t, `{"content":["a\u0000b\u001b[31mred\u007f\u0085\b\f\n\r\tend`+"\xff\xc3"+`"]}`, 0)
	assert.Equal(t, "a␀b␛[31mred␡\uFFFD␈␌\n\r\tend\uFFFD\uFFFD", got)
	got = show(t, "{\"content\":[{\"type\":\"x\xff\",\"text\":\"\\u0000\"}],\"structuredContent\":\"\xff\"}", 0)
	assert.Contains(t, got, "\uFFFD")
}

func TestO27_StructuredContentIsShownOnce(t *testing.T) {
	t.Parallel()
	text := func(s string) string { return `{"type":"text","text":` + quoted(s) + `}` }
	big := strings.Repeat(`{"id":9007199254740993,"s":"é"},`, 500)
	for name, c := range map[string]struct{ content, structured, want string }{
		"alone":                     {``, `{"temp":5}`, `{"temp":5}`},
		"raw bytes":                 {``, `{ "b":1.10, "a": 9007199254740993 }`, `{ "b":1.10, "a": 9007199254740993 }`},
		"no object":                 {``, `[1, 2]`, `[1, 2]`},
		"a string":                  {``, `"x\n"`, `"x\n"`},
		"empty object":              {``, `{}`, `{}`},
		"beside empty text":         {text(""), `{"temp":5}`, `{"temp":5}`},
		"same, other spaces":        {text(`{"temp": 5}`), `{"temp":5}`, `{"temp": 5}`},
		"same, pretty-printed":      {text("{\n  \"b\": [\n    1\n  ],\n  \"a\": {}\n}\n"), `{"a":{},"b":[1]}`, "{\n  \"b\": [\n    1\n  ],\n  \"a\": {}\n}\n"},
		"same, escaped":             {text(`{"s":"\u00e9"}`), `{"s":"é"}`, `{"s":"\u00e9"}`},
		"same, big":                 {text("[" + big + "1]"), "[ " + big + " 1]", "[" + big + "1]"},
		"same in the second text":   {text("look:") + "," + text(`{"a":1}`), `{"a":1}`, "look:\n\n{\"a\":1}"},
		"prose":                     {text("It is warm."), `{"temp":5}`, "It is warm.\n\n{\"temp\":5}"},
		"JSON inside prose":         {text(`It is {"temp":5}.`), `{"temp":5}`, "It is {\"temp\":5}.\n\n{\"temp\":5}"},
		"JSON in a fence":           {text("```json\n{\"temp\":5}\n```"), `{"temp":5}`, "```json\n{\"temp\":5}\n```\n\n{\"temp\":5}"},
		"a digit differs":           {text(`{"id":9007199254740992}`), `{"id":9007199254740993}`, "{\"id\":9007199254740992}\n\n{\"id\":9007199254740993}"},
		"a member more":             {text(`{"a":1}`), `{"a":1,"b":2}`, "{\"a\":1}\n\n{\"a\":1,\"b\":2}"},
		"a string that is the text": {text(`5`), `"5"`, "5"},
		"two documents":             {text(`{"a":1}{"a":1}`), `{"a":1}`, "{\"a\":1}{\"a\":1}\n\n{\"a\":1}"},
		"only an unknown item says it": {`{"type":"json","text":"{\"a\":1}"}`, `{"a":1}`,
			"[json item] could not be read: its type is not known\n{\"type\":\"json\",\"text\":\"{\\\"a\\\":1}\"}\n\n{\"a\":1}"},
	} {
		assert.Equal(t, c.want, show(t, `{"content":[`+c.content+`],"structuredContent":`+c.structured+`}`, 0), name)
	}
	assert.Equal(t, `{"a":1}`, show(t, `{"structuredContent":{"a":1}}`, 0), "O31: without content")
	assert.Equal(t, `{"x":1}`, show(t, `{"content":[{"type":"text","text":"{\"x\":1}"}],"structuredContent":{"x":1}}`, 0), "O36")
	assert.Equal(t, "{\"x\":1}\n\nx", show(t, `{"structuredContent":{"x":1},"content":["{\"x\":1}","x"]}`, 0))
}

func TestE2_AWrappedTextIsShownOnce(t *testing.T) {
	t.Parallel()
	text := func(s string) string { return `{"type":"text","text":` + quoted(s) + `}` }
	const image = `{"type":"image","data":"AAAA","mimeType":"image/png"}`
	for name, c := range map[string]struct{ content, structured, want string }{
		"a file":                    {text("a\nb\n"), `{"content":"a\nb\n"}`, "a\nb\n"},
		"under any name":            {text("hello"), `{"greeting":"hello"}`, "hello"},
		"escaped":                   {text("é\t\"x\""), `{"result":"\u00e9\t\"x\""}`, "é\t\"x\""},
		"white space around it":     {text("hello\n"), `{"result":"hello"}`, "hello\n"},
		"one of several":            {text("hello") + "," + text("world"), `{"result":"world"}`, "hello\n\nworld"},
		"joined":                    {text("hello") + "," + text("world"), `{"result":"helloworld"}`, "hello\n\nworld"},
		"joined by lines":           {text("hello") + "," + text("world"), `{"result":"hello\nworld\n"}`, "hello\n\nworld"},
		"joined by blank lines":     {text("hello") + "," + text("world"), `{"result":"hello\n\nworld"}`, "hello\n\nworld"},
		"a number":                  {text("21.50"), `{"result":21.5}`, "21.50"},
		"a big number":              {text("9007199254740993"), `{"result":9007199254740993}`, "9007199254740993"},
		"a boolean":                 {text("true"), `{"result":true}`, "true"},
		"null":                      {text("null"), `{"result":null}`, "null"},
		"an object":                 {text(`{"a": 1}`), `{"result":{"a":1}}`, `{"a": 1}`},
		"a list":                    {text(`[1, 2]`), `{"result":[1,2]}`, `[1, 2]`},
		"a list, text by text":      {text("a") + "," + text("2") + "," + text(`{"x":1}`), `{"result":["a",2,{"x":1}]}`, "a\n\n2\n\n{\"x\":1}"},
		"the items themselves":      {image, `{"content":[{"mimeType":"image/png","type":"image","data":"AAAA"}]}`, "[image] type: image/png; size: 3 bytes"},
		"a string alone":            {text("hello"), `"hello"`, "hello"},
		"beside an image":           {text("hello") + "," + image, `{"content":"hello"}`, "hello\n\n[image] type: image/png; size: 3 bytes"},
		"of a failure":              {text("no such file"), `{"content":"no such file"}`, "no such file"},
		"another text":              {text("hello"), `{"content":"hello!"}`, "hello\n\n{\"content\":\"hello!\"}"},
		"another case":              {text("Hello"), `{"content":"hello"}`, "Hello\n\n{\"content\":\"hello\"}"},
		"a digit differs":           {text("9007199254740992"), `{"result":9007199254740993}`, "9007199254740992\n\n{\"result\":9007199254740993}"},
		"words for a boolean":       {text("True"), `{"result":true}`, "True\n\n{\"result\":true}"},
		"the name says something":   {text("21"), `{"celsius":21}`, "21\n\n{\"celsius\":21}"},
		"a member more":             {text("hello"), `{"content":"hello","lines":1}`, "hello\n\n{\"content\":\"hello\",\"lines\":1}"},
		"the member twice":          {text("hello"), `{"content":"bye","content":"hello"}`, "hello\n\n{\"content\":\"bye\",\"content\":\"hello\"}"},
		"an item more":              {text("a"), `{"result":["a","b"]}`, "a\n\n{\"result\":[\"a\",\"b\"]}"},
		"an item less":              {text("a") + "," + text("b"), `{"result":["a"]}`, "a\n\nb\n\n{\"result\":[\"a\"]}"},
		"in another order":          {text("a") + "," + text("b"), `{"result":["b","a"]}`, "a\n\nb\n\n{\"result\":[\"b\",\"a\"]}"},
		"nothing, and beside it":    {``, `{"result":""}`, `{"result":""}`},
		"nothing, and an empty one": {text(""), `{"content":""}`, `{"content":""}`},
		"an empty list":             {``, `{"result":[]}`, `{"result":[]}`},
	} {
		assert.Equal(t, c.want, show(t, `{"content":[`+c.content+`],"structuredContent":`+c.structured+`}`, 0), name)
	}
	assert.Equal(t, "Error: no", show(t, `{"isError":true,"content":[`+text("no")+`],"structuredContent":{"result":"no"}}`, 0))
}

func TestE3_WhatIsNotTextIsDescribed(t *testing.T) {
	t.Parallel()
	for item, want := range map[string]string{
		`{"type":"image","data":"AAAAAA==","mimeType":"image/png"}`:                                                                         "[image] type: image/png; size: 4 bytes",
		`{"type":"image","data":"AA==","mimeType":"image/png","uri":"a:b"}`:                                                                 "[image] type: image/png; size: 1 byte; uri: a:b",
		`{"type":"image","data":"data:image/png;base64,AAAA"}`:                                                                              "[image] size: 3 bytes",
		`{"type":"image","data":"AA*AAA==","mimeType":"image/png"}`:                                                                         "[image] type: image/png; broken base64, length 8",
		`{"type":"image","data":"","mimeType":"image/png"}`:                                                                                 "[image] type: image/png; size: 0 bytes",
		`{"type":"audio","data":"AAAA","mimeType":"audio/\n wav","name":"n"}`:                                                               "[audio] type: audio/ wav; size: 3 bytes; name: n",
		`{"type":"resource_link","uri":"file:///a.txt","name":"aname","title":"T","description":"a\ndesc","mimeType":"text/x-a","size":12}`: "[resource link] uri: file:///a.txt; name: aname; title: T; type: text/x-a; size: 12 bytes; description: a desc",
		`{"type":"resource_link","uri":"file:///a.txt"}`:                                                                                    "[resource link] uri: file:///a.txt",
		`{"type":"resource_link","uri":"data:image/png;base64,AAAA","name":"n"}`:                                                            "[resource link] uri: data:image/png;base64,… (26 characters); name: n",
		`{"type":"resource","resource":{"uri":"file:///b.txt","mimeType":"text/x-b","text":"b\ntext"}}`:                                     "[resource] uri: file:///b.txt; type: text/x-b\nb\ntext",
		`{"type":"resource","resource":{"uri":"file:///b.txt","text":""}}`:                                                                  "[resource] uri: file:///b.txt; empty",
		`{"type":"resource","resource":{"uri":"a: b","name":"n","title":"T","text":"t"}}`:                                                   "[resource] uri: a: b; name: n; title: T\nt",
		`{"type":"resource","resource":{"text":"t"}}`:                                                                                       "[resource]\nt",
		`{"type":"resource","resource":{"uri":"a:b","mimeType":"application/pdf","blob":"AAAA"}}`:                                           "[resource] uri: a:b; type: application/pdf; binary; size: 3 bytes",
		`{"type":"resource","resource":{"uri":"a:b","blob":"AAAAA"}}`:                                                                       "[resource] uri: a:b; binary; broken base64, length 5",
		`{"type":"resource","resource":{"uri":"a:b","blob":"AAAA","text":"t"}}`:                                                             "[resource] uri: a:b; binary; size: 3 bytes\nt",
		`{"type":"resource","resource":{"uri":"a:b","text":{"a": 1}}}`:                                                                      "[resource] uri: a:b; could not be read: text is an object, not a string\n{\"a\": 1}",
		`{"type":"resource","resource":{"uri":"a:b"}}`:                                                                                      "[resource] uri: a:b; could not be read: it has neither text nor blob\n{\"uri\":\"a:b\"}",
		`{"type":"resource","uri":"a:b","text":"flat"}`:                                                                                     "[resource] uri: a:b\nflat",
	} {
		assert.Equal(t, want, show(t, `{"content":[`+item+`]}`, 0), item)
		assert.Equal(t, "before\n\n"+want+"\n\nafter", show(t, `{"content":["before",`+item+`,"after"]}`, 0), "O29: beside others")
	}
}

func TestE3_Base64NeverReachesTheModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		data := base64.StdEncoding.EncodeToString(rapid.SliceOfN(rapid.Byte(), 24, 600).Draw(t, "bytes"))
		form := rapid.SampledFrom([]string{
			`{"type":"image","mimeType":"a/b","data":"$"}`, `{"type":"audio","data":"$"}`, `{"type":"video","mimeType":"a/b","data":"$"}`,
			`{"type":"resource","resource":{"uri":"a:b","blob":"$"}}`, `{"type":"resource","resource":{"uri":"a:b","text":[],"blob":"$"}}`,
			`{"type":"resource_v2","resource":{"uri":"a:b","blob":"$"}}`, `{"type":"image","image":"data:a/b;base64,$"}`, `{"type":"resource_link","uri":"data:a/b;base64,$"}`,
		}).Draw(t, "form")
		if rapid.Bool().Draw(t, "as PHP writes it") {
			form = strings.ReplaceAll(form, "$", strings.ReplaceAll(data, "/", `\/`))
		}
		r, err := decode.ResultOf(json.RawMessage(`{"content":["before",` + strings.ReplaceAll(form, "$", data) + `]}`))
		require.NoError(t, err)
		out := render.Result(r, render.Options{})
		require.NotContains(t, out, data[:24])
		require.NotContains(t, out, data[len(data)-24:])
		require.Contains(t, out, "before\n\n[")
	})
}

func TestE4_UnknownAndBrokenItemsAreNamed(t *testing.T) {
	t.Parallel()
	long := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("\x00\x10binary\xff", 50)))
	sequence := strings.Repeat("ACGT", 100)
	hash := strings.Repeat("0123456789abcdef", 8)
	for item, want := range map[string]string{
		`{"type":"json","json":{"id":9007199254740993}}`: "[json item] could not be read: its type is not known\n{\"type\":\"json\",\"json\":{\"id\":9007199254740993}}",
		`{"text":"x"}`:                   "[item] could not be read: it has no type\n{\"text\":\"x\"}",
		`17`:                             "[item] could not be read: it is a number, not an object\n17",
		`{"type":"text"}`:                "[text item] could not be read: it has no text\n{\"type\":\"text\"}",
		`{"type":"text","text":{"a":1}}`: "[text item] could not be read: text is an object, not a string\n{\"type\":\"text\",\"text\":{\"a\":1}}",
		`{"type":"image","url":"https://h/x.png"}`:              "[image item] could not be read: it has no data\n{\"type\":\"image\",\"url\":\"https://h/x.png\"}",
		`{"type":"a\nb"}`:                                       "[a b item] could not be read: its type is not known\n{\"type\":\"a\\nb\"}",
		`{"type":"video","data":"QUJD","mimeType":"video/mp4"}`: "[video item] could not be read: its type is not known\n{\"type\":\"video\",\"data\":\"(binary, 3 bytes)\",\"mimeType\":\"video/mp4\"}",
		`{"type":"x","deep":[{"blob" : "QUJD"}],"n":1}`:         "[x item] could not be read: its type is not known\n{\"type\":\"x\",\"deep\":[{\"blob\" : \"(binary, 3 bytes)\"}],\"n\":1}",
		`{"type":"x","a":["` + long + `"]}`:                     "[x item] could not be read: its type is not known\n{\"type\":\"x\",\"a\":[\"(binary, 450 bytes)\"]}",
		`{"type":"x","a":"data:image/png;base64,QUJD"}`:         "[x item] could not be read: its type is not known\n{\"type\":\"x\",\"a\":\"(data:image/png;base64, 3 bytes)\"}",
		`{"type":"x","data":"word","deep":{"data":"word"},"hash":"` + hash + `","dna":"` + sequence + `"}`: "[x item] could not be read: its type is not known\n{\"type\":\"x\",\"data\":\"word\",\"deep\":{\"data\":\"word\"},\"hash\":\"" + hash + "\",\"dna\":\"" + sequence + "\"}",
	} {
		assert.Equal(t, want, show(t, `{"content":[`+item+`]}`, 0), item)
		assert.Equal(t, "good\n\n"+want, show(t, `{"content":["good",`+item+`]}`, 0), "O30: beside text")
	}
	assert.Equal(t, "[item] could not be read: it is a result without content\n{\"rows\":[1]}", show(t, `{"rows":[1]}`, 0))
	assert.Equal(t, "x", show(t, `{"toolResult":"x"}`, 0), "O31: of old servers")
	out := show(t, `{"content":[`+strings.Repeat(`"a",`, 10_000)+`"b"]}`, 100_000)
	assert.True(t, strings.HasSuffix(out, "a\n\n[item] 10000 of 10001 items were read"), out[len(out)-100:])
}

func TestE4_WhatIsShownOfAnUnknownItemIsBounded(t *testing.T) {
	t.Parallel()
	out := show(t, `{"content":[{"type":"x","y":"`+strings.Repeat("word ", 200_000)+`"},"after"]}`, 10_000_000)
	assert.Less(t, len(out), 300_000)
	assert.Regexp(t, `… \(\d+ more bytes of JSON\)\n\nafter$`, out[len(out)-100:])
	out = show(t, `{"content":[{"type":"video","y":"`+strings.Repeat("Qu1D", 1<<20)+`"}]}`, 0)
	assert.Equal(t, "[video item] could not be read: its type is not known\n{\"type\":\"video\",\"y\":\"(binary, 3145728 bytes)\"}", out)
	out = show(t, `{"content":[{"type":"`+strings.Repeat("t", 1000)+`"}]}`, 0)
	assert.Contains(t, out, "ttt… item] could not be read")
}

func TestE5_FailuresKeepWhatTheServerSaid(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		`"content":["boom"]`:                                               "Error: boom",
		`"content":["Error: boom"]`:                                        "Error: boom",
		`"content":["Error:boom"]`:                                         "Error: boom",
		`"content":["\n Error: boom"]`:                                     "Error: boom",
		`"content":["error: boom"]`:                                        "Error: error: boom",
		`"content":["Errors: 3"]`:                                          "Error: Errors: 3",
		`"content":["Error: a","Error: b"]`:                                "Error: a\n\nError: b",
		`"content":["boom",{"type":"image","data":"AAAA"}]`:                "Error: boom\n\n[image] size: 3 bytes",
		`"content":["boom"],"structuredContent":{"code":9007199254740993}`: "Error: boom\n\n{\"code\":9007199254740993}",
		`"structuredContent":{"code":7}`:                                   "Error: {\"code\":7}",
		`"content":[]`:                                                     "Error: " + render.NoOutput,
		`"content":[{"type":"oops"}]`:                                      "Error: [oops item] could not be read: its type is not known\n{\"type\":\"oops\"}",
	} {
		assert.Equal(t, want, show(t, `{"isError":true,`+content+`}`, 0), content)
	}
}

func TestO34_TextIsCutWithinTheBudget(t *testing.T) {
	t.Parallel()
	big := `{"content":[{"type":"text","text":"` + strings.Repeat("x", 5<<20) + `"}]`
	assert.Equal(t, strings.Repeat("x", 957)+"\n[cut: 957 of 5242880 characters shown]", show(t, big+`}`, 1000))
	out := show(t, big+`}`, 0)
	assert.Equal(t, render.DefaultBudget-2, utf8.RuneCountInString(out), "the marker's numbers may be shorter than the room kept for them")
	out = show(t, big+`,"isError":true}`, 1000)
	assert.Regexp(t, `^Error: x{600,}\n\[cut: the first \d+ and the last \d+ of 5242887 characters shown\]\nx{200,}$`, out)
}

func TestE6_EveryPieceCountsAndIsCut(t *testing.T) {
	t.Parallel()
	raw := `{"content":["` + strings.Repeat("é", 100) + `",{"type":"resource","resource":{"uri":"a:b","text":"` + strings.Repeat("😀", 100) + `"}}],"structuredContent":"` + strings.Repeat("ü", 100) + `"}`
	whole := show(t, raw, 0)
	total := utf8.RuneCountInString(whole)
	assert.Equal(t, whole, show(t, raw, total), "exactly the budget is not cut")
	for budget := 1; budget < total; budget++ {
		out := show(t, raw, budget)
		head, marker, _ := strings.Cut(out, "\n[cut")
		if marker == "" {
			head, marker, _ = strings.Cut(out, "…")
		}
		require.True(t, strings.HasPrefix(whole, head), "%d: %q", budget, out)
		require.NotEqual(t, whole, out)
		if budget > 80 {
			require.Equal(t, fmt.Sprintf(": %d of %d characters shown]", utf8.RuneCountInString(head), total), marker)
		}
	}
}

func TestE6_FailuresKeepHeadAndTail(t *testing.T) {
	t.Parallel()
	raw := `{"isError":true,"content":["` + strings.Repeat("h", 500) + `"],"structuredContent":"` + strings.Repeat("é", 499) + `😀"}`
	for budget := 1; budget < 1009; budget++ {
		out := show(t, raw, budget)
		switch {
		case budget >= 140:
			require.Regexp(t, `(?s)^Error: h+.*\n\[cut: the first \d+ and the last \d+ of 1011 characters shown\]\n.*😀"$`, out)
		case budget > 30 && budget < 130:
			require.Regexp(t, `^Error: h+…\[\d+ cut\]….*"$`, out)
		case budget > 8:
			require.True(t, strings.HasPrefix(out, "Error: "), out)
		}
	}
}

// answers draws results as hostile and sloppy servers send them.
func answers() *rapid.Generator[decode.Result] {
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", " ", "Error:", "{\"a\":1}", "\x00\x1b\u009b", "\xff\xc3", "é😀\r\n", strings.Repeat("x", 300), strings.Repeat("QUJD", 80)}),
		rapid.Custom(func(t *rapid.T) string { return string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) }))
	resource := rapid.Custom(func(t *rapid.T) *decode.ResourceContents {
		c := resources(text).Draw(t, "resource")
		return &c
	})
	item := rapid.Custom(func(t *rapid.T) decode.Content {
		c := decode.Content{
			Type: rapid.OneOf(rapid.SampledFrom([]string{"text", "image", "audio", "resource", "resource_link", ""}), text).Draw(t, "type"),
			Text: text.Draw(t, "text"), Data: text.Draw(t, "data"), MIMEType: text.Draw(t, "mimeType"), URI: text.Draw(t, "uri"),
			Name: text.Draw(t, "name"), Description: text.Draw(t, "description"), Fault: rapid.SampledFrom([]string{"", "it is broken"}).Draw(t, "fault"),
			Raw: json.RawMessage(text.Draw(t, "raw")),
		}
		if rapid.Bool().Draw(t, "resource") {
			c.Resource = resource.Draw(t, "resource")
		}
		return c
	})
	return rapid.Custom(func(t *rapid.T) decode.Result {
		r := decode.Result{Content: rapid.SliceOfN(item, 0, 4).Draw(t, "content"), IsError: rapid.Bool().Draw(t, "isError")}
		if rapid.Bool().Draw(t, "structured") {
			r.Structured = json.RawMessage(text.Draw(t, "structuredContent"))
		}
		return r
	})
}

func resources(text *rapid.Generator[string]) *rapid.Generator[decode.ResourceContents] {
	return rapid.Custom(func(t *rapid.T) decode.ResourceContents {
		c := decode.ResourceContents{URI: text.Draw(t, "uri"), MIMEType: text.Draw(t, "mimeType"), Raw: json.RawMessage(text.Draw(t, "raw"))}
		if c.HasText = rapid.Bool().Draw(t, "hasText"); c.HasText {
			c.Text = text.Draw(t, "text")
		}
		if c.HasBlob = rapid.Bool().Draw(t, "hasBlob"); c.HasBlob {
			c.Blob = text.Draw(t, "blob")
		}
		if rapid.Bool().Draw(t, "broken") {
			c.Fault = "it is broken"
		}
		return c
	})
}

func TestE6_AnyResultFitsAnyBudget(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := answers().Draw(t, "result")
		budget := rapid.OneOf(rapid.IntRange(1, 60), rapid.IntRange(1, 2000), rapid.Just(0)).Draw(t, "budget")
		out := render.Result(r, render.Options{Budget: budget})
		requireFit(t, out, budget)
		if r.IsError && (budget == 0 || budget > len("Error: ")) {
			require.True(t, strings.HasPrefix(out, "Error: "), "%q", out)
		}
		whole := render.Result(r, render.Options{Budget: 1 << 30})
		if utf8.RuneCountInString(whole) <= budget {
			require.Equal(t, whole, out)
		}
	})
}

func FuzzResult(f *testing.F) {
	for _, seed := range []string{
		`{"content":[{"type":"text","text":"a\u0000"},{"type":"image","data":"AAAA"},{"type":"x","blob":"AAAA"},5],"structuredContent":{"a":1},"isError":true}`,
		`{"content":[{"type":"resource","resource":{"uri":"a:b","text":"t"}},{"type":"resource_link","uri":"data:,x"}]}`,
		`{"content":["Error: x"],"isError":1}`, `{"content":["[1]"],"structuredContent":[1.0]}`, `{}`, "{\"content\":[\"\xff\"]}", `{"x":"data:x;base64,AAAA"}`,
	} {
		f.Add([]byte(seed), 0)
		f.Add([]byte(seed), 7)
		f.Add([]byte(seed), 90)
	}
	f.Fuzz(func(t *testing.T, raw []byte, budget int) {
		r, err := decode.ResultOf(raw)
		if err != nil {
			return
		}
		out := render.Result(r, render.Options{Budget: budget})
		requireFit(t, out, budget)
		whole := render.Result(r, render.Options{Budget: len(raw)*10 + 10_000})
		for _, c := range r.Content {
			if c.Type == decode.TypeText && c.Fault == "" && utf8.ValidString(c.Text) && !r.IsError && !strings.ContainsFunc(c.Text, unicode.IsControl) && strings.TrimSpace(c.Text) != "" {
				require.Contains(t, whole, c.Text)
			}
		}
	})
}
