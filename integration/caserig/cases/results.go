package cases

import (
	"regexp"
	"strings"
	"unicode/utf8"

	. "caserig/rig"
)

var digits = regexp.MustCompile(`[0-9]`)

func init() {
	anything := func(*C, string) {} // an observation that is not empty
	about("results",
		gives("O27", "", "structuredContent alone", `{"content":[],"structuredContent":{"temp":5}}`, func(c *C, out string) {
			c.Check(strings.Contains(squeeze(out), `"temp":5`), "structured data is not shown: %s", Short(out))
		}),
		gives("O27", "same", "text and structuredContent say the same", `{"content":[{"type":"text","text":"{\"temp\": 5}"}],"structuredContent":{"temp":5}}`, func(c *C, out string) {
			c.Check(strings.Count(out, "temp") == 1, "shown %d times: %s", strings.Count(out, "temp"), Short(out))
		}),
		gives("O27", "differ", "text and structuredContent differ", `{"content":[{"type":"text","text":"It is mild."}],"structuredContent":{"temp":5}}`,
			holds("It is mild.", "temp")),
		gives("O28", "", "links and embedded resources",
			`{"content":[{"type":"resource_link","uri":"file:///a.txt","name":"aname","description":"adesc","mimeType":"text/x-a","size":12},{"type":"resource","resource":{"uri":"file:///b.txt","mimeType":"text/x-b","text":"btext"}}]}`,
			holds("file:///a.txt", "aname", "text/x-a", "file:///b.txt", "btext")),
		gives("O29", "", "text beside a link", `{"content":[{"type":"text","text":"hello"},{"type":"resource_link","uri":"file:///a.txt","name":"aname"}]}`,
			holds("hello", "file:///a.txt")),
		gives("O29", "noname", "a link without name", `{"content":[{"type":"text","text":"hello"},{"type":"resource_link","uri":"file:///a.txt"}]}`,
			holds("hello", "file:///a.txt")),
		gives("O30", "", "an unknown item beside text", `{"content":[{"type":"text","text":"good"},{"type":"json","json":{}}]}`, holds("good", "json")),
		gives("O30", "broken", "items that are none beside text", `{"content":[null,7,{"text":"no type"},{"type":"text","text":9},{"type":"text","text":"good"}]}`, holds("good")),
		gives("O31", "", "structuredContent without content", `{"structuredContent":{"a":1}}`, func(c *C, out string) {
			c.Check(strings.Contains(squeeze(out), `"a":1`), "data is not shown: %s", Short(out))
		}),
		gives("O31", "old", "toolResult of old servers", `{"toolResult":"x"}`, anything),
		gives("O31", "empty", "an empty result object", `{}`, anything),
		gives("O31", "text", "content as a bare text", `{"content":"plain words"}`, holds("plain words")),
		gives("O32", "", "large integers in structuredContent", `{"content":[],"structuredContent":{"id":9007199254740993}}`, holds("9007199254740993")),
		gives("O33", "", "no items", `{"content":[]}`, anything),
		gives("O33", "null", "content null", `{"content":null}`, anything),
		gives("O33", "text", "an empty text item", `{"content":[{"type":"text","text":""}]}`, anything),
		Case{ID: "O34", Title: "5 MiB of text with default settings", Scn: rules(Rule{Method: "tools/call", FillChar: "x", FillN: 5 << 20}),
			Run: func(c *C) {
				c.Open()
				out := c.Obs("t", "{}")
				c.Check(len(out) <= 200_000, "%d characters reach the model", len(out))
			}},
		Case{ID: "O34", Sub: "limit", Title: "5 MiB of text, limit 1000",
			Scn: rules(Rule{Tool: "t", FillChar: "x", FillN: 5 << 20},
				Rule{Tool: "u", Result: J(`{"isError":true,"content":[{"type":"text","text":"` + strings.Repeat("y", 50_000) + `"}]}`)}),
			Run: func(c *C) {
				c.Open(M{"max_output": 1000})
				out := c.Obs("t", "{}")
				c.Check(utf8.RuneCountInString(out) <= 1000, "%d characters", utf8.RuneCountInString(out))
				c.Check(strings.HasPrefix(out, "xxxxxxxxxx") && digits.MatchString(out), "head or marker is missing: %s", Short(out))
				out = c.Obs("u", "{}")
				c.Check(utf8.RuneCountInString(out) <= 1000 && strings.Contains(out, "yyy"), "error text of %d characters", utf8.RuneCountInString(out))
			}},
		gives("O34", "items", "20,000 items", `{"content":[`+strings.TrimSuffix(strings.Repeat(`{"type":"text","text":"word"},`, 20_000), ",")+`]}`, func(c *C, out string) {
			c.Check(len(out) <= 200_000 && strings.HasPrefix(out, "word"), "%d characters: %s", len(out), Short(out))
		}),
		gives("O34", "deep", "a deeply nested structure", `{"content":[],"structuredContent":{"d":`+strings.Repeat("[", 5000)+strings.Repeat("]", 5000)+`}}`, anything),
		gives("E5", "flag", "a failure whose flag is a text", `{"isError":"true","content":[{"type":"text","text":"no such city"}]}`, failure("no such city")),
		gives("E5", "bare", "a failure without a word", `{"isError":true}`, failure()),
		gives("E5", "structured", "a failure with structured data alone", `{"isError":true,"content":[],"structuredContent":{"code":"E77"}}`, failure("E77")),
		gives("O35", "", "one text item", `{"content":[{"type":"text","text":"ok"}]}`, func(c *C, out string) {
			c.Check(out == "ok", "observation is %s", Short(out))
		}),
		gives("O35", "two", "two text items", `{"content":[{"type":"text","text":"alpha"},{"type":"text","text":"beta"}]}`, func(c *C, out string) {
			c.Check(regexp.MustCompile(`^alpha\s+beta$`).MatchString(out), "observation is %s", Short(out))
		}),
		gives("O36", "", "a structured result with its text form", `{"content":[{"type":"text","text":"{\"x\":1}"}],"structuredContent":{"x":1}}`, func(c *C, out string) {
			c.Check(squeeze(out) == `{"x":1}`, "observation is %s", Short(out))
		}),
		gives("E3", "", "images, audio and binary resources are told in words",
			`{"content":[{"type":"image","mimeType":"image/png","data":"QUJDREVGR0g="},{"type":"audio","mimeType":"audio/wav","data":"SUpLTE1OT1A="},{"type":"resource","resource":{"uri":"bin://1","mimeType":"application/x-b","blob":"UVJTVFVWV1g="}}]}`,
			func(c *C, out string) {
				holds("image/png", "audio/wav", "application/x-b", "bin://1", "8")(c, out)
				for _, b := range []string{"QUJDREVGR0g", "SUpLTE1OT1A", "UVJTVFVWV1g"} {
					c.Check(!strings.Contains(out, b), "base64 reaches the model: %s", Short(out))
				}
			}),
	)
}

// gives is a case in which t gives a fixed result and the observation is judged.
func gives(id, sub, title, result string, judge func(c *C, out string)) Case {
	return Case{ID: id, Sub: sub, Title: title, Scn: rules(Rule{Method: "tools/call", Result: J(result)}), Run: func(c *C) {
		c.Open()
		judge(c, c.Obs("t", "{}"))
	}}
}

func holds(words ...string) func(c *C, out string) {
	return func(c *C, out string) {
		for _, w := range words {
			c.Check(strings.Contains(out, w), "observation lacks %q: %s", w, Short(out))
		}
	}
}

// failure judges an observation that tells a failure.
func failure(words ...string) func(c *C, out string) {
	return func(c *C, out string) {
		c.Check(strings.HasPrefix(out, "Error:"), "observation does not start with Error: %s", Short(out))
		holds(words...)(c, out)
	}
}

// squeeze takes all white space out.
func squeeze(s string) string { return strings.Join(strings.Fields(s), "") }
