package cases

import (
	"regexp"
	"strings"
	"unicode/utf8"

	. "caserig/rig"
)

func init() {
	on := M{"resources": true}
	empty := J(`{"resources":[]}`)
	noTemplates := J(`{"resourceTemplates":[]}`)
	unknownTools := []Rule{{Method: "tools/list", Error: J(`{"code":-32601,"message":"Method not found"}`)}}
	about("resources",
		Case{ID: "O37", Title: "resources by URI and by name, templates",
			Scn: Scenario{Tools: echo.Tools,
				Resources: J(`{"resources":[{"uri":"data://v1/a","name":"A"}]}`), Templates: J(`{"resourceTemplates":[{"uriTemplate":"data://{id}","name":"T"}]}`),
				Reads: map[string]Raw{"data://v1/a": J(`{"contents":[{"uri":"data://v1/a","text":"body-a"}]}`)}},
			Run: func(c *C) {
				c.Open(on)
				c.Good("list_mcp_resources", "{}", "data://v1/a")
				c.Good("list_mcp_resource_templates", "{}", "data://{id}")
				c.Good("load_mcp_resource", `{"uri":"data://v1/a"}`, "body-a")
				c.Good("load_mcp_resource", `{"name":"A"}`, "body-a")
			}},
		Case{ID: "O38", Title: "a URI that is not listed is read",
			Scn: Scenario{Tools: echo.Tools, Resources: empty, Templates: noTemplates,
				Reads: map[string]Raw{"artifact://77": J(`{"contents":[{"uri":"artifact://77","text":"seventy"}]}`)}},
			Run: func(c *C) {
				c.Open(on)
				c.Good("load_mcp_resource", `{"uri":"artifact://77"}`, "seventy")
				c.Obs("load_mcp_resource", `{"uri":"artifact://78"}`)
			}},
		Case{ID: "O39", Title: "resources without tools",
			Scn: Scenario{Resources: J(`{"resources":[{"uri":"a://1","name":"A"}]}`), Templates: noTemplates, Rules: unknownTools, Capabilities: J(`{"resources":{}}`)},
			Run: func(c *C) {
				c.Open(on)
				c.Good("list_mcp_resources", "{}", "a://1")
				c.Tool("load_mcp_resource")
			}},
		Case{ID: "O39", Sub: "none", Title: "tools/list is not known: no tools, no error",
			Scn: Scenario{Rules: unknownTools, Capabilities: J(`{"resources":{}}`)},
			Run: func(c *C) {
				t := c.Open()
				c.Check(len(t) == 0, "%d tools", len(t))
			}},
		Case{ID: "O40", Title: "resource text is cut on a rune border",
			Scn: Scenario{Tools: echo.Tools, Resources: empty, Reads: map[string]Raw{
				"e://1": J(`{"contents":[{"uri":"e://1","text":"éééééééééé"}]}`), "e://2": J(`{"contents":[{"uri":"e://2","text":"😀😀😀😀😀😀😀😀😀😀"}]}`)}},
			Run: func(c *C) {
				c.Open(M{"resources": true, "max_resource_length": 5})
				for u, r := range map[string]string{"e://1": "é", "e://2": "😀"} {
					out := c.Obs("load_mcp_resource", `{"uri":"`+u+`"}`)
					n := strings.Count(out, r)
					c.Check(whole(out), "a character was split: %s", Short(out))
					c.Check(n == 5 && strings.Contains(out, "10"), "%d characters shown, want 5 of 10 and a note: %s", n, Short(out))
				}
			}},
		Case{ID: "O40", Sub: "output", Title: "tool output is cut on a rune border", Scn: rules(Rule{Method: "tools/call", FillChar: "é", FillN: 5000}),
			Run: func(c *C) {
				c.Open(M{"max_output": 333})
				out := c.Obs("t", "{}")
				c.Check(whole(out) && utf8.RuneCountInString(out) <= 333 && digits.MatchString(out), "%d characters: %s", utf8.RuneCountInString(out), Short(out))
			}},
		noResources("", `{"resources":[]}`), noResources("null", `{"resources":null}`), noResources("missing", `{}`),
		Case{ID: "B9", Title: "a tool named like one of the toolset's own is skipped",
			Scn: Scenario{Tools: []Raw{T("load_mcp_resource", Any), T("t", Any)}, Resources: empty, Templates: noTemplates},
			Run: func(c *C) {
				c.New(on)
				a := c.TryTools()
				n := 0
				for _, t := range a.Tools {
					if t.Name == "load_mcp_resource" {
						n++
					}
				}
				c.Check(n == 1, "load_mcp_resource is offered %d times", n)
				c.Check(strings.Contains(strings.Join(a.Report, "\n"), "load_mcp_resource"), "nothing says that the server's tool is left out")
				c.Obs("load_mcp_resource", `{"uri":"a://1"}`)
				c.Check(len(c.In("tools/call")) == 0, "the server's tool was called")
			}},
		Case{ID: "H4", On: stdio, Title: "what was cut of a resource is read on",
			Scn: Scenario{Tools: echo.Tools, Resources: empty, Reads: map[string]Raw{"a://1": J(`{"contents":[{"uri":"a://1","text":"ABCDEFGHIJ"}]}`)}},
			Run: func(c *C) {
				c.Open(M{"resources": true, "max_resource_length": 5})
				one := c.Good("load_mcp_resource", `{"uri":"a://1"}`, "ABCDE")
				c.Check(!strings.Contains(one, "F"), "more than 5 characters: %s", Short(one))
				two := c.Good("load_mcp_resource", `{"uri":"a://1","offset":5}`, "FGHIJ")
				c.Check(!strings.Contains(two, "ABCDE"), "the offset is ignored: %s", Short(two))
			}},
		Case{ID: "H3", On: stdio, Title: "a name that several resources have is not loaded",
			Scn: Scenario{Tools: echo.Tools, Templates: noTemplates, Resources: J(`{"resources":[{"uri":"a://1","name":"A"},{"uri":"a://2","name":"A"}]}`),
				Reads: map[string]Raw{"a://1": J(`{"contents":[{"uri":"a://1","text":"one"}]}`)}},
			Run: func(c *C) {
				c.Open(on)
				holds("a://1", "a://2")(c, c.Obs("load_mcp_resource", `{"name":"A"}`))
				for _, in := range []string{`{"name":"B"}`, `{}`, `{"name":"A","uri":"a://1"}`} {
					c.Obs("load_mcp_resource", in)
				}
				c.Check(len(c.In("resources/read")) == 0, "a wrong load reached the server")
			}},
	)
}

func whole(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, utf8.RuneError) }

func noResources(sub, result string) Case {
	return Case{ID: "O41", Sub: sub, Title: "no resources: " + result,
		Scn: Scenario{Tools: echo.Tools, Resources: J(result), Templates: J(`{"resourceTemplates":[]}`)},
		Run: func(c *C) {
			c.Open(M{"resources": true})
			out := c.Obs("list_mcp_resources", "{}")
			c.Check(regexp.MustCompile(`(?i)\bno\b|none|\[\]|empty`).MatchString(out), "observation: %s", Short(out))
		}}
}
