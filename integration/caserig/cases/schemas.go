package cases

import (
	"fmt"
	"regexp"
	"strings"

	. "caserig/rig"
)

func init() {
	about("schemas",
		Case{ID: "O01", Title: "argument-less tools in three spellings",
			Scn: Scenario{Tools: []Raw{T("a", `{"type":"object"}`), T("b", `{}`), J(`{"name":"c","description":"c"}`)}},
			Run: func(c *C) {
				c.Open()
				for i, n := range []string{"a", "b", "c"} {
					c.Obs(n, "")
					c.WantArgs(i, "{}")
				}
				for _, n := range []string{"a", "b", "c"} {
					p, raw := c.Params(n)
					_, props := p["properties"].(M)
					c.Check(p["type"] == "object" && props, "schema of %s shown to the model: %s", n, Short(raw))
				}
			}},
		Case{ID: "O02", On: stdio, Title: "arrays without items",
			Scn: tool(`{"type":"object","properties":{"tags":{"type":"array"},"o":{"type":"object","properties":{"in":{"type":"array"}}},"nest":{"type":"array","items":{"type":"array"}}}}`),
			Run: func(c *C) {
				c.Open()
				p, raw := c.Params("t")
				walk("", p, func(path string, n M) {
					if hasType(n, "array") {
						_, ok := n["items"]
						c.Check(ok, "%s has no items: %s", path, Short(raw))
					}
				})
				c.Check(strings.Contains(raw, "tags"), "tags is not shown: %s", Short(raw))
			}},
		Case{ID: "O03", On: stdio, Title: "$defs and $ref, one recursive",
			Scn: Scenario{Tools: []Raw{
				T("t", `{"type":"object","properties":{"s":{"$ref":"#/$defs/S"}},"$defs":{"S":{"type":"string","enum":["a","b"]}}}`),
				T("r", `{"type":"object","properties":{"n":{"$ref":"#/$defs/N"}},"$defs":{"N":{"type":"object","properties":{"next":{"$ref":"#/$defs/N"}}}}}`)}},
			Run: func(c *C) {
				c.Open()
				for _, n := range []string{"t", "r"} {
					c.Obs(n, "{}")
					p, raw := c.Params(n)
					ref := dangling(p)
					c.Check(ref == "", "%s points to nothing: %s", ref, Short(raw))
				}
				_, raw := c.Params("t")
				c.Check(strings.Contains(raw, `"a"`) && strings.Contains(raw, `"b"`), "enum is not shown: %s", Short(raw))
			}},
		usable("O03", "loop", "a $ref that leads to itself", `{"type":"object","properties":{"n":{"$ref":"#/$defs/A"}},"$defs":{"A":{"$ref":"#/$defs/A"}}}`, `{}`),
		usable("O03", "missing", "a $ref that leads nowhere", `{"type":"object","properties":{"n":{"$ref":"#/$defs/None"}}}`, `{"n":1}`),
		usable("O03", "remote", "a $ref to another host", `{"type":"object","properties":{"n":{"$ref":"http://127.0.0.1:1/schema.json"}}}`, `{"n":1}`),
		usable("D4", "pattern", "a pattern that cannot be compiled", `{"type":"object","properties":{"p":{"type":"string","pattern":"^(?!x)[a-z"}}}`, `{"p":"abc"}`),
		usable("C5", "draft4", "a schema of draft 4", `{"$schema":"http://json-schema.org/draft-04/schema#","type":"object","properties":{"n":{"type":"number","minimum":0,"exclusiveMinimum":true}}}`, `{"n":1}`),
		usable("C5", "boolean", "properties that are booleans", `{"type":"object","properties":{"n":true},"additionalProperties":false}`, `{"n":1}`),
		usable("C5", "strange", "keywords of wrong types", `{"type":"object","properties":{"n":{"type":"string","enum":"x","minLength":"3","description":7}},"required":"n"}`, `{"n":"abc"}`),
		Case{ID: "O04", Title: "a root type as a list must not break the list",
			Scn: Scenario{Tools: []Raw{
				T("a", `{"type":["object","null"],"properties":{"x":{"type":"string"}}}`), T("b", Any),
				T("u", `{"type":"object","properties":{"p":{"type":["string","number"]}}}`)}},
			Run: func(c *C) {
				c.New()
				t := c.TryTools()
				c.Check(t.OK, "tools: %s", Short(t.Err))
				c.Obs("b", "{}")
				if _, ok := c.Find("a"); ok {
					c.Obs("a", "{}")
				} else {
					c.Check(strings.Contains(strings.Join(t.Report, "\n"), "a"), "tool a is gone without a word")
				}
				c.Good("u", `{"p":1}`, "1")
				c.Params("u")
				s := c.Shown("u")
				c.Check(strings.Contains(s, "string") && strings.Contains(s, "number"), "the union is lost: %s", Short(s))
			}},
		Case{ID: "O05", On: stdio, Title: "anyOf at the root",
			Scn: tool(`{"type":"object","properties":{"id":{"type":"integer"},"name":{"type":"string"}},"anyOf":[{"required":["id"]},{"required":["name"]}]}`),
			Run: func(c *C) {
				c.Open()
				o := c.Obs("t", "{}")
				c.Check(len(c.In("tools/call")) == 0, "called with neither alternative")
				c.Check(strings.Contains(o, "id") && strings.Contains(o, "name"), "the alternatives are not named: %s", Short(o))
				s := c.Shown("t")
				c.Check(regexp.MustCompile(`(?i)any ?of|one of|either|at least one`).MatchString(s), "nothing tells the alternatives: %s", Short(s))
			}},
		sends("O06", "array", "a nullable array stays an array",
			`{"type":"object","properties":{"ids":{"type":["null","array"],"items":{"type":"integer"}}}}`, `{"ids":[1,2]}`, `{"ids":[1,2]}`),
		sends("O06", "text", "JSON text for a nullable array becomes an array",
			`{"type":"object","properties":{"ids":{"type":["null","array"],"items":{"type":"integer"}}}}`, `{"ids":"[1,2]"}`, `{"ids":[1,2]}`),
		Case{ID: "O07", On: stdio, Title: "properties on a string node",
			Scn: tool(`{"type":"object","properties":{"data":{"type":"string","properties":{"x":{"type":"string"}},"required":["x"]}}}`),
			Run: func(c *C) {
				c.Open()
				c.Obs("t", `{"data":"s"}`)
				c.WantArgs(0, `{"data":"s"}`)
				p, raw := c.Params("t")
				d, _ := Prop(p, "properties", "data").(M)
				c.Check(d != nil && d["properties"] == nil && d["required"] == nil, "node: %s", Short(raw))
			}},
		Case{ID: "O08", On: stdio, Title: "anyOf string/null with default null",
			Scn: Scenario{Tools: []Raw{T("a", `{"type":"object","properties":{"city":{"anyOf":[{"type":"string"},{"type":"null"}],"default":null}}}`), T("b", Any)}},
			Run: func(c *C) {
				c.Check(len(c.Open()) == 2, "not both tools")
				c.Obs("a", "{}")
				c.WantArgs(0, "{}")
			}},
		Case{ID: "O09", On: stdio, Title: "every JSON type and one made up",
			Scn: tool(`{"type":"object","properties":{"i":{"type":"integer"},"n":{"type":"number"},"b":{"type":"boolean"},"z":{"type":"null"},"a":{"type":"array","items":{}},"o":{"type":"object"},"d":{"type":"decimal"}}}`),
			Run: func(c *C) {
				c.Open()
				c.Obs("t", `{"i":1}`)
				c.WantArgs(0, `{"i":1}`)
			}},
		Case{ID: "O10", On: stdio, Title: "the description carries the signature",
			Scn: tool(`{"type":"object","properties":{"city":{"type":"string"},"unit":{"type":"string","enum":["celsius","kelvin"]}},"required":["city"]}`),
			Run: func(c *C) {
				c.Open()
				d := c.Tool("t").Description
				for _, w := range []string{"city", "unit", "string", "celsius", "JSON"} {
					c.Check(strings.Contains(d, w), "description lacks %q: %s", w, Short(d))
				}
				c.Check(regexp.MustCompile(`(?i)required|optional|\?|\*`).MatchString(d), "description does not say what is required: %s", Short(d))
			}},
		Case{ID: "O11", On: stdio, Title: "an array without items takes any items",
			Scn: tool(`{"type":"object","properties":{"l":{"type":"array"}}}`),
			Run: func(c *C) {
				c.Open()
				c.Obs("t", `{"l":[1,{"a":2}]}`)
				c.WantArgs(0, `{"l":[1,{"a":2}]}`)
				p, raw := c.Params("t")
				c.Check(Prop(p, "properties", "l", "items", "type") != "string", "items are said to be strings: %s", Short(raw))
			}},
	)
}

// usable is a case in which a tool of an odd schema takes an input that is
// right, shows an object to the model, and a plain tool stands beside it.
func usable(id, sub, title, schema, input string) Case {
	return Case{ID: id, Sub: sub, On: stdio, Title: title, Scn: Scenario{Tools: []Raw{T("t", schema), T("u", Any)}}, Run: func(c *C) {
		c.Open()
		c.Good("u", "{}", "u got")
		c.Good("t", input, "t got")
		c.WantArgs(1, input)
		p, raw := c.Params("t")
		_, props := p["properties"].(M)
		c.Check(p["type"] == "object" && props && dangling(p) == "", "schema shown to the model: %s", Short(raw))
	}}
}

// walk visits every object of a JSON value.
func walk(path string, v any, f func(path string, n M)) {
	switch x := v.(type) {
	case M:
		f(path, x)
		for k, y := range x {
			walk(path+"/"+k, y, f)
		}
	case []any:
		for i, y := range x {
			walk(fmt.Sprint(path, "/", i), y, f)
		}
	}
}

// dangling gives a $ref that points to nothing in the schema, "" for none.
func dangling(root M) string {
	bad := ""
	walk("", root, func(_ string, n M) {
		ref, ok := n["$ref"].(string)
		if !ok || ref == "#" {
			return
		}
		if Prop(root, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...) == nil {
			bad = ref
		}
	})
	return bad
}

func hasType(n M, t string) bool {
	if s, ok := n["type"].(string); ok {
		return s == t
	}
	list, _ := n["type"].([]any)
	for _, x := range list {
		if x == t {
			return true
		}
	}
	return false
}
