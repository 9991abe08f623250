package cases

import (
	"strings"

	. "caserig/rig"
)

func init() {
	about("listing",
		Case{ID: "O74", Title: "two pages", Scn: Scenario{Pages: map[string]Raw{"": page("p2", "a"), "p2": page("", "b")}}, Run: func(c *C) {
			c.Check(len(c.Open()) == 2, "%d tools", len(c.Listed()))
			c.Tool("a")
			c.Good("b", "{}", "b got")
		}},
		Case{ID: "O75", Title: "the cursor does not advance", Scn: Scenario{Pages: map[string]Raw{"": page("same", "a"), "same": page("same", "b")}}, Run: func(c *C) {
			c.New()
			a := c.TryTools(M{"deadline_ms": 8000})
			c.Check(a.MS < 6000, "ended after %d ms", a.MS)
			c.Check(len(c.In("tools/list")) < 20, "%d pages were asked for", len(c.In("tools/list")))
			c.Check(a.OK, "all tools are lost: %s", Short(a.Err))
			c.Tool("a")
			c.Tool("b")
			c.Check(len(a.Report) > 0, "no warning")
		}},
		Case{ID: "O74", Sub: "null", Title: "a page without tools has a next page", Scn: Scenario{Pages: map[string]Raw{"": J(`{"tools":null,"nextCursor":"p2"}`), "p2": page("p3", "a"), "p3": J(`{}`)}}, Run: func(c *C) {
			c.Check(len(c.Open()) == 1, "%d tools", len(c.Listed()))
			c.Good("a", "{}", "a got")
		}},
		Case{ID: "O76", Title: "endless new cursors", Scn: Scenario{Rules: []Rule{{Method: "tools/list", NextCursor: true}}}, Run: func(c *C) {
			c.New()
			a := c.TryTools(M{"deadline_ms": 8000})
			n := len(c.In("tools/list"))
			c.Check(n <= 1100, "%d pages in %d ms", n, a.MS)
			c.Check(a.OK && len(a.Tools) > 0 || strings.Contains(a.Err, "limit"), "ended with: %s", Short(a.Err))
		}},
		Case{ID: "O77", Title: "a tool is added",
			Scn: Scenario{Tools: []Raw{T("a", Any)}, Rules: []Rule{
				{Tool: "a", Phase: 1, Before: []Raw{listChanged}},
				{Method: "tools/list", Phase: 1, Result: listing("a", "b")}}},
			Run: func(c *C) {
				c.Open()
				c.Phase(1)
				c.Obs("a", "{}", M{"deadline_ms": 8000})
				settle()
				c.Tools()
				c.Tool("b")
			}},
		Case{ID: "O78", Title: "a tool is removed",
			Scn: Scenario{Tools: []Raw{T("a", Any), T("c", Any)}, Rules: []Rule{
				{Tool: "a", Phase: 1, Before: []Raw{listChanged}, Error: toolGone, NoEffect: true},
				{Method: "tools/list", Phase: 1, Result: listing("b")}}},
			Run: func(c *C) {
				c.Open()
				call := M{"op": "call", "tool": c.Tool("a").Name, "input": "{}", "deadline_ms": 8000}
				c.Phase(1)
				a := c.Do(call)
				c.Check(a.Err == "" && a.Text != "", "the removed tool is a Go error: %s", Short(a.Err))
				settle()
				ts := c.Tools()
				c.Tool("b")
				c.Check(len(ts) == 1, "%d tools after the change", len(ts))
				a = c.Do(call)
				c.Check(a.Err == "" && a.Text != "", "the removed tool is a Go error: %s", Short(a.Err))
			}},
		Case{ID: "B3", On: everywhere, Title: "first uses at once connect once and list once", Scn: echo, Run: func(c *C) {
			c.New()
			var ids []string
			for range 10 {
				ids = append(ids, c.Go(M{"op": "tools"}))
			}
			for _, id := range ids {
				a := c.Wait(id)
				c.Check(a.OK && len(a.Tools) == 2, "%d tools: %s", len(a.Tools), Short(a.Err))
			}
			c.Check(sessions(c) <= 1 && len(c.PIDs()) <= 1, "%d initialize, %d children", sessions(c), len(c.PIDs()))
			c.Check(len(c.In("tools/list")) == 1, "%d tools/list", len(c.In("tools/list")))
		}},
		Case{ID: "B5", Title: "the list is kept until it is refreshed", Scn: echo, Run: func(c *C) {
			c.Open()
			c.Tools()
			c.Check(len(c.In("tools/list")) == 1, "%d tools/list for two listings", len(c.In("tools/list")))
			c.Tools(M{"refresh": true})
			c.Check(len(c.In("tools/list")) == 2, "%d tools/list after a refresh", len(c.In("tools/list")))
		}},
		Case{ID: "B2", Title: "a tool that cannot be used takes no other with it",
			Scn: Scenario{Tools: []Raw{
				J(`{"name":"bad-schema","inputSchema":"none"}`), J(`{"name":"","inputSchema":{}}`), J(`{"name":7,"inputSchema":{}}`), J(`"text"`), J(`null`),
				J(`{"name":"odd","title":3,"description":["x"],"annotations":"y","inputSchema":{"type":"object"}}`), T("good", Any)}},
			Run: func(c *C) {
				c.New()
				a := c.TryTools()
				c.Check(a.OK, "tools: %s", Short(a.Err))
				c.Good("good", "{}", "good got")
				c.Good("odd", "{}", "odd got")
				c.Check(len(a.Tools) == 2, "%d tools", len(a.Tools))
				c.Check(len(a.Report) > 0 && strings.Contains(strings.Join(a.Report, "\n"), "bad-schema"), "the report does not name bad-schema: %s", Short(strings.Join(a.Report, "; ")))
			}},
	)
}

// page is a result of tools/list with one tool.
func page(next, name string) Raw {
	r := `{"tools":[` + string(T(name, Any)) + `]`
	if next != "" {
		r += `,"nextCursor":"` + next + `"`
	}
	return J(r + "}")
}
