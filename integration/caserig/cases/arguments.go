package cases

import (
	"strings"

	. "caserig/rig"
)

func init() {
	const day = `{"type":"object","properties":{"day":{"type":"string"}},"required":["day"]}`
	const tasks = `{"type":"object","properties":{"tasks":{"type":"array","items":{"type":"object"}}}}`
	about("arguments",
		sends("O12", "", "null for an optional string is left out",
			`{"type":"object","properties":{"q":{"type":"string"},"after":{"type":"string"}},"required":["q"]}`, `{"q":"x","after":null}`, `{"q":"x"}`),
		sends("O13", "", "permitted and nested nulls are kept",
			`{"type":"object","properties":{"a":{"type":["string","null"]},"b":{"anyOf":[{"type":"integer"},{"type":"null"}]},"c":{"type":"string"},"d":{"type":"object"}}}`,
			`{"a":null,"b":null,"c":null,"d":{"k":null}}`, `{"a":null,"b":null,"d":{"k":null}}`),
		sends("O14", "", "an array as JSON text", tasks, `{"tasks":"[{\"c\":\"A\"}]"}`, `{"tasks":[{"c":"A"}]}`),
		refuses("O14", "bad", "an array as broken JSON text", tasks, `{"tasks":"[1,"}`),
		Case{ID: "O15", Title: "numbers and booleans as text",
			Scn: Scenario{Tools: []Raw{T("t", `{"type":"object","properties":{"n":{"type":"integer"},"f":{"type":"number"},"b":{"type":"boolean"}}}`)},
				Rules: []Rule{{Method: "tools/call", Result: J(`{"isError":true,"content":[{"type":"text","text":"expected integer"}]}`)}}},
			Run: func(c *C) {
				c.Open()
				o := c.Obs("t", `{"n":"5812","f":"1.5","b":"true"}`)
				got := c.SentArgs(0)
				repaired := SameJSON(got, `{"n":5812,"f":1.5,"b":true}`)
				left := SameJSON(got, `{"n":"5812","f":"1.5","b":"true"}`) && strings.Contains(o, "expected integer")
				c.Check(repaired || left, "wire %s, observation %s", Short(got), Short(o))
			}},
		Case{ID: "O16", Title: "64-bit ids keep their digits",
			Scn: tool(`{"type":"object","properties":{"id":{"type":"integer"},"deep":{"type":"object"}}}`),
			Run: func(c *C) {
				c.Open()
				c.Obs("t", `{"id":7960607143101464576,"deep":{"ids":[9007199254740993]}}`)
				got := c.SentArgs(0)
				c.Check(strings.Contains(got, "7960607143101464576") && strings.Contains(got, "9007199254740993"), "arguments on the wire: %s", Short(got))
			}},
		sends("O16", "form", "numbers keep their form",
			`{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"},"c":{"type":"number"}}}`,
			`{"a":1.10,"b":1e400,"c":0.1000000000000000055511151231257827}`, `{"a":1.10,"b":1e400,"c":0.1000000000000000055511151231257827}`),
		Case{ID: "O17", Title: "nothing given means {}", Scn: tool(Any), Run: func(c *C) {
			c.Open()
			for i, in := range []string{"", "{}", "null", "  "} {
				c.Obs("t", in)
				c.WantArgs(i, "{}")
			}
		}},
		Case{ID: "O18", Title: "empty argument text", Scn: tool(Any), Run: func(c *C) {
			c.Open()
			a := c.Call("t", "")
			c.Check(!strings.Contains(a.Text+a.Err, "unexpected end of JSON"), "%s", Short(a.Text+a.Err))
			c.Check(a.OK, "Go error: %s", Short(a.Err))
			c.WantArgs(0, "{}")
		}},
		sends("O19", "fence", "JSON in a code fence", day, "```json\n{\"day\":\"5\"}\n```", `{"day":"5"}`),
		sends("O19", "tail", "an Observation: tail", day, "{\"day\":\"5\"}\nObservation:", `{"day":"5"}`),
		sends("O19", "prose", "JSON behind prose", day, "I will use: {\"day\":\"5\"}", `{"day":"5"}`),
		sends("O19", "nested", "a JSON text inside a JSON string", day, `"{\"day\":\"5\"}"`, `{"day":"5"}`),
		Case{ID: "O19", Sub: "plain", Title: "a bare value for the only property", Scn: tool(day), Run: func(c *C) {
			c.Open()
			o := c.Obs("t", "5")
			if len(c.In("tools/call")) > 0 {
				c.WantArgs(0, `{"day":"5"}`)
			} else {
				c.Check(strings.Contains(o, "day") && strings.Contains(strings.ToLower(o), "json"), "the observation does not say how to call: %s", Short(o))
			}
		}},
		sends("O20", "", "keys are not renamed",
			`{"type":"object","properties":{"resourceType":{"type":"string"},"API-Key":{"type":"string"},"user.name":{"type":"string"},"größe":{"type":"string"}}}`,
			`{"resourceType":"a","API-Key":"b","user.name":"c","größe":"d"}`, `{"resourceType":"a","API-Key":"b","user.name":"c","größe":"d"}`),
		sends("O21", "", "reserved parameter names",
			`{"type":"object","properties":{"__arg1":{"type":"string"},"input":{"type":"string"},"name":{"type":"string"},"config":{"type":"string"}}}`,
			`{"__arg1":"a","input":"b","name":"c","config":"d"}`, `{"__arg1":"a","input":"b","name":"c","config":"d"}`),
		sends("O21", "wrap", "the __arg1 wrapper is opened",
			`{"type":"object","properties":{"q":{"type":"string"}}}`, `{"__arg1":"{\"q\":\"x\"}"}`, `{"q":"x"}`),
		Case{ID: "O21", Sub: "agent", On: stdio, Title: "reserved names through an OpenAIFunctionsAgent",
			Scn: tool(`{"type":"object","properties":{"__arg1":{"type":"string"},"input":{"type":"string"}}}`),
			Run: func(c *C) {
				c.Open()
				in := `{"__arg1":"a","input":"b"}`
				a := agent(c, c.Tool("t").Name, in)
				c.Check(a.OK, "run: %s", Short(a.Err))
				c.WantArgs(0, in)
			}},
		sends("D1", "quotes", "single quotes", `{"type":"object","properties":{"q":{"type":"string"}}}`, `{'q':'x'}`, `{"q":"x"}`),
		sends("D1", "none", "None for no arguments", Any, "None", `{}`),
		refuses("D1", "deep", "text that nests without end", `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["a","b"]}`, strings.Repeat("[", 100_000)),
		sends("D3", "text", "a string property never changes", `{"type":"object","properties":{"s":{"type":"string"}}}`, `{"s":"[1,2]"}`, `{"s":"[1,2]"}`),
		sends("D3", "union", "a union keeps the value's own type", `{"type":"object","properties":{"s":{"type":["integer","string"]}}}`, `{"s":"12"}`, `{"s":"12"}`),
		sends("D3", "lossy", "a number that does not fit is not rounded", `{"type":"object","properties":{"n":{"type":"integer"}}}`, `{"n":"12345678901234567890123"}`, `{"n":12345678901234567890123}`),
		refuses("D4", "fraction", "a fraction where an integer is due", `{"type":"object","properties":{"n":{"type":"integer"}}}`, `{"n":"1.5"}`),
		refuses("D4", "type", "a value of the wrong type", `{"type":"object","properties":{"n":{"type":"integer"}}}`, `{"n":"many"}`),
		refuses("D4", "missing", "a required property is missing", day, `{"other":1}`),
		refuses("D4", "enum", "a value that is not allowed", `{"type":"object","properties":{"unit":{"enum":["celsius","kelvin"]}}}`, `{"unit":"miles"}`),
		refuses("D4", "deep", "a fault deep inside", `{"type":"object","properties":{"l":{"type":"array","items":{"type":"object","properties":{"n":{"type":"integer","minimum":1}}}}}}`, `{"l":[{"n":1},{"n":0}]}`),
		refuses("D4", "list", "a list where an object is due", `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["a","b"]}`, `[1,2]`),
	)
}

// sends is a case that calls t with an input and compares the arguments on the
// wire.
func sends(id, sub, title, schema, input, want string) Case {
	return Case{ID: id, Sub: sub, Title: title, Scn: tool(schema), Run: func(c *C) {
		c.Open()
		c.Obs("t", input)
		c.WantArgs(0, want)
	}}
}

// refuses is a case in which the input is wrong: an observation says so and the
// server is not called.
func refuses(id, sub, title, schema, input string) Case {
	return Case{ID: id, Sub: sub, Title: title, Scn: tool(schema), Run: func(c *C) {
		c.Open()
		c.Obs("t", input)
		if len(c.In("tools/call")) > 0 {
			c.Failf("the server was called with %s", Short(c.SentArgs(0)))
		}
	}}
}
