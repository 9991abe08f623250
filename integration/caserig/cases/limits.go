package cases

import (
	"regexp"

	. "caserig/rig"
)

func init() {
	about("limits",
		Case{ID: "O64", On: everywhere, Title: "a tool of 6.5 s with default settings", Scn: rules(Rule{Method: "tools/call", DelayMS: 6500, Text: "slow fine"}), Run: func(c *C) {
			c.Open()
			c.Good("t", "{}", "slow fine")
		}},
		Case{ID: "O65", On: everywhere, Title: "a server that never answers, limit 1 s", Scn: rules(Rule{Method: "tools/call", Silent: true}), Run: func(c *C) {
			c.Open(M{"call_timeout_ms": 1000})
			a := c.Call("t", "{}")
			c.Check(a.MS > 800 && a.MS < 3000, "returned after %d ms", a.MS)
			c.Check(a.Err == "", "Go error: %s", Short(a.Err))
			c.Check(regexp.MustCompile(`\b1(\.0+)?\s?s|1000|second`).MatchString(a.Text), "the limit is not named: %s", Short(a.Text))
		}},
		Case{ID: "O65", Sub: "default", On: http, Title: "connect to a server that never answers, no deadline", Scn: echo, Run: func(c *C) {
			u, stop := c.Hang()
			defer stop()
			a := c.FirstError(M{"http": M{"url": u + "/mcp"}, "connect_timeout_ms": 1000})
			c.Check(a.MS < 5000, "returned after %d ms", a.MS)
		}},
		Case{ID: "O66", On: sse, Title: "the stream drops while a call waits", Scn: rules(Rule{Tool: "u", EndStream: true, DelayMS: 300}), Run: func(c *C) {
			c.Open()
			a := c.Call("u", "{}", M{"deadline_ms": 10000})
			c.Check(a.MS < 3000, "the call ended after %d ms", a.MS)
			c.Check(a.Err == "" && a.Text != "", "Go error: %s", Short(a.Err))
		}},
		Case{ID: "O67", On: web, Title: "the connect limit does not cut calls", Scn: rules(Rule{Method: "tools/call", DelayMS: 2500, Text: "two", Stream: true}), Run: func(c *C) {
			c.Open(M{"connect_timeout_ms": 1000, "call_timeout_ms": 5000})
			c.Good("t", "{}", "two")
			c.Good("t", "{}", "two")
		}},
	)
}
