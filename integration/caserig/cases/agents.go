package cases

import (
	"strings"

	. "caserig/rig"
)

func init() {
	late := rules(Rule{Method: "tools/call", DelayMS: 4000, Text: "late"})
	about("agents",
		Case{ID: "O91", Title: "isError in an Executor run",
			Scn: rules(Rule{Method: "tools/call", Result: J(`{"isError":true,"content":[{"type":"text","text":"no such city"}]}`)}),
			Run: func(c *C) {
				c.Open()
				finishes(c, "no such city")
			}},
		Case{ID: "O92", Title: "JSON-RPC errors in an Executor run",
			Scn: rules(Rule{Tool: "t", Error: J(`{"code":-32602,"message":"bad params here"}`)}, Rule{Tool: "u", Error: J(`{"code":-32603,"message":"inner trouble"}`)}),
			Run: func(c *C) {
				c.Open()
				finishes(c, "bad params here")
				c.Good("u", "{}", "inner trouble")
			}},
		Case{ID: "O92", Sub: "cancel", Title: "the caller's own cancel is a Go error", Scn: late, Run: givesUp(M{"cancel_ms": 300}, "canceled")},
		Case{ID: "O92", Sub: "deadline", On: everywhere, Title: "the caller's own deadline is a Go error", Scn: late, Run: givesUp(M{"deadline_ms": 300}, "deadline")},
		Case{ID: "O93", On: web, Title: "the server is gone in the middle of a run", Scn: echo, Run: func(c *C) {
			c.Open()
			c.Good("t", "{}", "t got")
			c.StopServer()
			settle()
			finishes(c, "")
		}},
		Case{ID: "O93", Sub: "child", On: stdio, Title: "the child dies in the middle of a run", Scn: rules(Rule{Tool: "t", Drop: true}), Run: func(c *C) {
			c.Open()
			finishes(c, "")
		}},
	)
}

// agent runs an agent whose model calls one tool and then says "done".
func agent(c *C, tool, input string) Answer {
	return c.Do(M{"op": "agent", "deadline_ms": 15000, "script": []M{{"calls": []M{{"name": tool, "input": input}}}, {"text": "done"}}})
}

// finishes is an agent's run with one call of t: the run must finish and the
// observation hold the words.
func finishes(c *C, words string) {
	a := agent(c, c.Tool("t").Name, "{}")
	c.Check(a.OK && a.Text == "done", "the run ended: %s", Short(a.Err))
	c.Check(len(a.Observations) == 1 && a.Observations[0] != "" && strings.Contains(a.Observations[0], words), "observations: %s", Short(strings.Join(a.Observations, " | ")))
}

// givesUp is a call whose caller ends its own context: a Go error that wraps
// the cause, at once.
func givesUp(how M, cause string) func(*C) {
	return func(c *C) {
		c.Open()
		a := c.Call("t", "{}", how)
		c.Check(a.MS < 2000, "returned after %d ms", a.MS)
		c.Check(a.Err != "", "no Go error: %s", Short(a.Text))
		c.Check(strings.Contains(strings.Join(a.Is, ","), cause), "errors.Is finds no %q: %s", cause, Short(a.Err))
	}
}
