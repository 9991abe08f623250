package cases

import (
	"strings"

	. "caserig/rig"
)

func init() {
	about("filters",
		keeps("O94", "", "an allow list", M{"allow": []string{"a"}}, "a"),
		keeps("O94", "none", "no filter", nil, "a", "b", "c"),
		keeps("O94", "empty", "an allow list without names", M{"allow": []string{}}),
		keeps("O94", "deny", "a deny list", M{"deny": []string{"a"}}, "b", "c"),
		keeps("O94", "both", "an allow list and a deny list", M{"allow": []string{"a", "b"}, "deny": []string{"a"}}, "b"),
		keeps("O94", "exact", "names are compared exactly", M{"deny": []string{"A", "a*", " a"}}, "a", "b", "c"),
		Case{ID: "O95", On: stdio, Title: "a filter with exposed names is reported", Scn: tools("a", "b", "c"), Run: func(c *C) {
			for _, n := range []string{"p_a", "nope"} {
				a := c.TryNew(c.Config(M{"prefix": "p_", "allow": []string{n}}))
				c.Check(a.OK, "new: %s", Short(a.Err))
				t := c.TryTools()
				c.Check(strings.Contains(t.Err+strings.Join(t.Report, "\n"), n) && len(t.Tools) == 0, "%d tools, nothing says that %q matches nothing", len(t.Tools), n)
			}
		}},
		Case{ID: "B7", On: stdio, Title: "an allow list keeps the known and warns about the rest", Scn: tools("a", "b", "c"), Run: func(c *C) {
			c.New(M{"allow": []string{"a", "nope"}})
			t := c.TryTools()
			c.Check(t.OK && len(t.Tools) == 1, "%d tools: %s", len(t.Tools), Short(t.Err))
			c.Tool("a")
			c.Check(strings.Contains(strings.Join(t.Report, "\n"), "nope"), "nothing says that nope is unknown")
		}},
	)
}

// keeps is a case in which of the tools a, b and c these are offered.
func keeps(id, sub, title string, cfg M, names ...string) Case {
	return Case{ID: id, Sub: sub, Title: title, Scn: tools("a", "b", "c"), Run: func(c *C) {
		ts := c.Open(cfg)
		c.Check(len(ts) == len(names), "%d tools, want %d", len(ts), len(names))
		for _, n := range names {
			c.Tool(n)
		}
	}}
}
