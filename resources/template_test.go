package resources

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// rfcValues are the variables of RFC 6570, section 3.2. Its keys come in the
// order semi, dot, comma; ours are sorted.
const rfcValues = `{
	"count": ["one", "two", "three"], "dom": ["example", "com"], "dub": "me/too", "hello": "Hello World!", "half": "50%",
	"var": "value", "who": "fred", "base": "http://example.com/home/", "path": "/foo/bar", "list": ["red", "green", "blue"],
	"keys": {"semi": ";", "dot": ".", "comma": ","}, "v": 6, "x": 1024, "y": 768, "empty": "", "empty_keys": [], "undef": null}`

func TestH3_TemplatesExpandAsRFC6570Says(t *testing.T) {
	t.Parallel()
	values, err := readValues(json.RawMessage(rfcValues))
	require.NoError(t, err)
	for raw, want := range map[string]string{
		// 3.2.1
		"{count}": "one,two,three", "{count*}": "one,two,three", "{/count}": "/one,two,three", "{/count*}": "/one/two/three",
		"{;count}": ";count=one,two,three", "{;count*}": ";count=one;count=two;count=three",
		"{?count}": "?count=one,two,three", "{?count*}": "?count=one&count=two&count=three", "{&count*}": "&count=one&count=two&count=three",
		// 3.2.2
		"{var}": "value", "{hello}": "Hello%20World%21", "{half}": "50%25", "O{empty}X": "OX", "O{undef}X": "OX", "{x,y}": "1024,768",
		"{x,hello,y}": "1024,Hello%20World%21,768", "?{x,empty}": "?1024,", "?{x,undef}": "?1024", "?{undef,y}": "?768",
		"{var:3}": "val", "{var:30}": "value", "{list}": "red,green,blue", "{list*}": "red,green,blue",
		"{keys}": "comma,%2C,dot,.,semi,%3B", "{keys*}": "comma=%2C,dot=.,semi=%3B",
		// 3.2.3
		"{+var}": "value", "{+hello}": "Hello%20World!", "{+half}": "50%25", "{base}index": "http%3A%2F%2Fexample.com%2Fhome%2Findex",
		"{+base}index": "http://example.com/home/index", "O{+empty}X": "OX", "O{+undef}X": "OX", "{+path}/here": "/foo/bar/here",
		"here?ref={+path}": "here?ref=/foo/bar", "up{+path}{var}/here": "up/foo/barvalue/here", "{+x,hello,y}": "1024,Hello%20World!,768",
		"{+path,x}/here": "/foo/bar,1024/here", "{+path:6}/here": "/foo/b/here", "{+list}": "red,green,blue", "{+list*}": "red,green,blue",
		"{+keys}": "comma,,,dot,.,semi,;", "{+keys*}": "comma=,,dot=.,semi=;",
		// 3.2.4
		"{#var}": "#value", "{#hello}": "#Hello%20World!", "{#half}": "#50%25", "foo{#empty}": "foo#", "foo{#undef}": "foo",
		"{#x,hello,y}": "#1024,Hello%20World!,768", "{#path,x}/here": "#/foo/bar,1024/here", "{#path:6}/here": "#/foo/b/here",
		"{#list}": "#red,green,blue", "{#list*}": "#red,green,blue", "{#keys}": "#comma,,,dot,.,semi,;", "{#keys*}": "#comma=,,dot=.,semi=;",
		// 3.2.5
		"{.who}": ".fred", "{.who,who}": ".fred.fred", "{.half,who}": ".50%25.fred", "www{.dom*}": "www.example.com", "X{.var}": "X.value",
		"X{.empty}": "X.", "X{.undef}": "X", "X{.var:3}": "X.val", "X{.list}": "X.red,green,blue", "X{.list*}": "X.red.green.blue",
		"X{.keys}": "X.comma,%2C,dot,.,semi,%3B", "X{.keys*}": "X.comma=%2C.dot=..semi=%3B", "X{.empty_keys}": "X", "X{.empty_keys*}": "X",
		// 3.2.6
		"{/who}": "/fred", "{/who,who}": "/fred/fred", "{/half,who}": "/50%25/fred", "{/who,dub}": "/fred/me%2Ftoo", "{/var}": "/value",
		"{/var,empty}": "/value/", "{/var,undef}": "/value", "{/var,x}/here": "/value/1024/here", "{/var:1,var}": "/v/value",
		"{/list}": "/red,green,blue", "{/list*}": "/red/green/blue", "{/list*,path:4}": "/red/green/blue/%2Ffoo",
		"{/keys}": "/comma,%2C,dot,.,semi,%3B", "{/keys*}": "/comma=%2C/dot=./semi=%3B",
		// 3.2.7
		"{;who}": ";who=fred", "{;half}": ";half=50%25", "{;empty}": ";empty", "{;v,empty,who}": ";v=6;empty;who=fred",
		"{;v,bar,who}": ";v=6;who=fred", "{;x,y}": ";x=1024;y=768", "{;x,y,empty}": ";x=1024;y=768;empty", "{;x,y,undef}": ";x=1024;y=768",
		"{;hello:5}": ";hello=Hello", "{;list}": ";list=red,green,blue", "{;list*}": ";list=red;list=green;list=blue",
		"{;keys}": ";keys=comma,%2C,dot,.,semi,%3B", "{;keys*}": ";comma=%2C;dot=.;semi=%3B",
		// 3.2.8
		"{?who}": "?who=fred", "{?half}": "?half=50%25", "{?x,y}": "?x=1024&y=768", "{?x,y,empty}": "?x=1024&y=768&empty=",
		"{?x,y,undef}": "?x=1024&y=768", "{?var:3}": "?var=val", "{?list}": "?list=red,green,blue", "{?list*}": "?list=red&list=green&list=blue",
		"{?keys}": "?keys=comma,%2C,dot,.,semi,%3B", "{?keys*}": "?comma=%2C&dot=.&semi=%3B",
		// 3.2.9
		"{&who}": "&who=fred", "{&half}": "&half=50%25", "?fixed=yes{&x}": "?fixed=yes&x=1024", "{&x,y,empty}": "&x=1024&y=768&empty=",
		"{&x,y,undef}": "&x=1024&y=768", "{&var:3}": "&var=val", "{&list}": "&list=red,green,blue", "{&list*}": "&list=red&list=green&list=blue",
		"{&keys}": "&keys=comma,%2C,dot,.,semi,%3B", "{&keys*}": "&comma=%2C&dot=.&semi=%3B",
	} {
		parsed, err := parseTemplate(raw)
		require.NoError(t, err, raw)
		got, err := parsed.expand(values)
		require.NoError(t, err, raw)
		assert.Equal(t, want, got, raw)
	}
}

func TestH3_ValuesOfVariables(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"x":"日本 é"}`:                 "a://%E6%97%A5%E6%9C%AC%20%C3%A9",
		`{"x":9007199254740993}`:       "a://9007199254740993",
		`{"x":1.50}`:                   "a://1.50",
		`{"x":-1e3}`:                   "a://-1e3",
		`{"x":true}`:                   "a://true",
		`{"x":["a",1,null,false]}`:     "a://a,1,false",
		`{"x":""}`:                     "a://",
		`{"x":{"k":"v","a":"","z":1}}`: "a://a,,k,v,z,1",
		`{"x":"\u0000\"<>%41"}`:        "a://%00%22%3C%3E%2541",
	} {
		values, err := readValues(json.RawMessage(in))
		require.NoError(t, err, in)
		got, err := fill("a://{x}", values)
		require.NoError(t, err, in)
		assert.Equal(t, want, got, in)
	}
	values, err := readValues(json.RawMessage(`{"x":"日本語😀","y":{"a":"","":"b"},"my-id":"%41%zz"}`))
	require.NoError(t, err)
	for raw, want := range map[string]string{
		"{x:2}":                     "%E6%97%A5%E6%9C%AC",
		"{x:4}":                     "%E6%97%A5%E6%9C%AC%E8%AA%9E%F0%9F%98%80",
		"{?y*}":                     "?=b&a=",
		"{;y*}":                     ";=b;a",
		"{y*}":                      "=b,a=",
		"{+my-id}":                  "%41%25zz",
		"file:///My Docs/{my-id}/é": "file:///My Docs/%2541%25zz/é",
	} {
		parsed, err := parseTemplate(raw)
		require.NoError(t, err, raw)
		got, err := parsed.expand(values)
		require.NoError(t, err, raw)
		assert.Equal(t, want, got, raw)
	}
}

func TestH3_BrokenTemplates(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"{": "not closed", "a{x": "not closed", "a}": `no "{"`, "{x}}": `no "{"`, "{}": "without a name", "{?}": "without a name",
		"{a,}": "without a name", "{ }": "without a name", "{a{b}c}": "without a name", "{=x}": "operator", "{!x}": "operator", "{|x}": "operator",
		"{x:}": "modifier", "{x:0}": "modifier", "{x:10000}": "modifier", "{x:-1}": "modifier", "{x:a}": "modifier", "{x:3*}": "modifier",
		"{x**}": "without a name", strings.Repeat("{x}", 30_000): "more than 65536 bytes",
	} {
		_, err := parseTemplate(raw)
		require.ErrorContains(t, err, want, raw)
		assert.False(t, isTemplate(raw), raw)
	}
	for _, raw := range []string{"", "a://1", "{"} {
		assert.False(t, isTemplate(raw), raw)
	}
}

func TestH3_AnExpansionIsBounded(t *testing.T) {
	t.Parallel()
	_, err := fill(strings.Repeat("{x}", 1_000), map[string]value{"x": {parts: []part{{text: strings.Repeat("é", 50_000)}}}})
	require.ErrorContains(t, err, "more than 65536 bytes")
}

// TestH3_AServerFindsTheValuesAgain has mcp-go's server side take URIs apart.
func TestH3_AServerFindsTheValuesAgain(t *testing.T) {
	t.Parallel()
	const raw = "x://{a}/{b}/end{?c}"
	server := mcp.NewResourceTemplate(raw, "T").URITemplate
	rapid.Check(t, func(t *rapid.T) {
		values := map[string]value{}
		for _, name := range []string{"a", "b", "c"} {
			values[name] = value{parts: []part{{text: rapid.StringN(1, 20, -1).Draw(t, name)}}}
		}
		uri, err := fill(raw, values)
		require.NoError(t, err)
		found := server.Match(uri)
		for name, v := range values {
			require.Equal(t, v.parts[0].text, found.Get(name).String(), uri)
		}
	})
}

func FuzzTemplate(f *testing.F) {
	for _, seed := range []string{"a://{x}", "{+x*,y:3}", "{{}}", "}{", "{?é}"} {
		f.Add(seed, `{"x":["a",{}],"y":{"a":1},"é":"日"}`)
	}
	f.Fuzz(func(t *testing.T, raw, variables string) {
		if !json.Valid([]byte(variables)) {
			return
		}
		values, err := readValues(json.RawMessage(variables))
		if err != nil {
			return
		}
		uri, err := fill(raw, values)
		if err == nil && utf8.ValidString(raw) {
			require.True(t, utf8.ValidString(uri), uri)
			require.LessOrEqual(t, len(uri), 2*maxTemplate+3*len(variables))
		}
	})
}
