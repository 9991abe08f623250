package cases

import (
	"regexp"
	"strings"

	. "caserig/rig"
)

func init() {
	long := strings.Repeat("p", 60)
	longer := strings.Repeat("p", 120)
	about("names",
		Case{ID: "O22", On: stdio, Title: "long names stay different",
			Scn: tools(long+"_create", long+"_delete"), Run: leads(long+"_create", long+"_delete")},
		Case{ID: "O22", Sub: "tail", On: stdio, Title: "names that differ behind the limit only",
			Scn: tools(longer+"_create", longer+"_delete"), Run: leads(longer+"_create", longer+"_delete")},
		Case{ID: "O23", On: stdio, Title: "one name twice in one server",
			Scn: Scenario{Tools: []Raw{J(`{"name":"a","description":"first","inputSchema":{"type":"object"}}`), J(`{"name":"a","description":"second","inputSchema":{"type":"object"}}`)}},
			Run: func(c *C) {
				c.New()
				t := c.TryTools()
				c.Check(t.OK, "tools: %s", Short(t.Err))
				if len(t.Tools) > 1 {
					c.Check(!strings.EqualFold(t.Tools[0].Name, t.Tools[1].Name), "two tools named %q are offered", t.Tools[0].Name)
				} else {
					c.Check(len(t.Report) > 0, "the duplicate is lost without a word")
				}
			}},
		Case{ID: "O23", Sub: "two", On: []string{"stdio", "sse"}, Title: "two servers with an equal name", Scn: tools("search"),
			Run: func(c *C) {
				one, two := c.Connection(), c.Connection()
				one["name"], two["name"] = "one", "two"
				a := c.TryNew(M{"group": []M{one, two}})
				c.Check(a.OK, "new: %s", Short(a.Err))
				c.Check(len(c.Tools()) == 2, "%d tools", len(c.Listed()))
				checkNames(c, "search", "search")
			}},
		Case{ID: "O24", On: stdio, Title: "illegal characters in names",
			Scn: tools("read.memory", "ns/tool", "日本"), Run: leads("read.memory", "ns/tool", "日本")},
		Case{ID: "O24", Sub: "prefix", On: stdio, Title: "illegal characters in the prefix", Scn: tools("read.memory", "get"),
			Run: func(c *C) {
				for _, p := range []string{"srv:", "my server"} {
					c.Open(M{"prefix": p})
					checkNames(c, "read.memory", "get")
				}
			}},
		Case{ID: "O25", On: stdio, Title: "names do not depend on the order",
			Scn: Scenario{Rules: []Rule{
				{Method: "tools/list", Phase: 1, Result: listing(longer+"_b_abc", longer+"_a_abc")},
				{Method: "tools/list", Result: listing(longer+"_a_abc", longer+"_b_abc")}}},
			Run: func(c *C) {
				c.Open()
				checkNames(c, longer+"_a_abc", longer+"_b_abc")
				first := c.Routes()
				c.Close()
				c.Phase(1)
				c.New()
				a := c.TryTools()
				c.Check(a.OK && a.MS < 2000, "second listing: %s, %d ms", Short(a.Err), a.MS)
				for k, v := range c.Routes() {
					c.Check(first[k] == v, "%s means %s, before %s", k, v, first[k])
				}
			}},
		Case{ID: "O26", On: stdio, Title: "get and Get through an Executor", Scn: tools("get", "Get"),
			Run: func(c *C) {
				ts := c.Open()
				c.Check(len(ts) == 2, "%d tools", len(ts))
				a := agent(c, ts[0].Name, "{}")
				c.Check(a.OK, "run: %s", Short(a.Err))
				calls := c.In("tools/call")
				c.Check(len(calls) == 1 && calls[0].Tool == "get", "the call of %s brought %d calls, not one of get", ts[0].Name, len(calls))
			}},
	)
}

// tools is a server with tools of these names that take anything.
func tools(names ...string) Scenario {
	var s Scenario
	for _, n := range names {
		s.Tools = append(s.Tools, T(n, Any))
	}
	return s
}

// listing is a result of tools/list.
func listing(names ...string) Raw {
	var ts []string
	for _, n := range names {
		ts = append(ts, string(T(n, Any)))
	}
	return J(`{"tools":[` + strings.Join(ts, ",") + `]}`)
}

func leads(names ...string) func(*C) {
	return func(c *C) {
		c.Open()
		checkNames(c, names...)
	}
}

// legal is what model APIs accept as a tool name.
var legal = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// checkNames checks that the exposed names are legal, unique without regard to
// case, and lead to these names on the wire.
func checkNames(c *C, want ...string) {
	seen := map[string]bool{}
	for _, t := range c.Listed() {
		c.Check(legal.MatchString(t.Name), "name %q is refused by model APIs", Short(t.Name))
		k := strings.ToUpper(t.Name)
		c.Check(!seen[k], "name %q twice", t.Name)
		seen[k] = true
	}
	got := map[string]int{}
	for _, wire := range c.Routes() {
		got[wire]++
	}
	for _, w := range want {
		got[w]--
	}
	for name, n := range got {
		c.Check(n == 0, "name %q on the wire: %+d", Short(name), n)
	}
}
