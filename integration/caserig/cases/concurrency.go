package cases

import (
	"fmt"
	"strings"
	"time"

	"caserig/fakesrv"
	. "caserig/rig"
)

var listChanged = J(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)

func init() {
	about("concurrency",
		Case{ID: "O58", Title: "100 calls at once, 20 KB each", Scn: echo, Run: func(c *C) {
			c.Open()
			a := c.Do(c.CallOp("t", `{"n":"id-%N%-end","s":"`+strings.Repeat("z", 20_000)+`"}`, M{"n": 100}))
			allGood(c, a)
			for i, text := range a.Texts {
				c.Check(strings.Contains(text, fmt.Sprintf("id-%d-end", i)), "call %d has another's answer: %s", i, Short(text))
			}
		}},
		Case{ID: "O59", On: http, Title: "a failing call leaves its sibling alone",
			Scn: rules(Rule{Tool: "u", Status: 500, DelayMS: 200, Body: "boom"}, Rule{Tool: "t", DelayMS: 800, Text: "fine"}),
			Run: func(c *C) {
				c.Open()
				i := c.Go(c.CallOp("t", "{}"))
				c.Wait(c.Go(c.CallOp("u", "{}")))
				a := c.Wait(i)
				c.Check(a.OK && strings.Contains(a.Text, "fine"), "sibling: %s %s", Short(a.Err), Short(a.Text))
			}},
		Case{ID: "O60", On: everywhere, Title: "cancelling one call",
			Scn: rules(Rule{Tool: "u", DelayMS: 2500, Text: "late"}, Rule{Tool: "t", From: 1, To: 1, DelayMS: 1200, Text: "fine"}),
			Run: func(c *C) {
				c.Open()
				j := c.Go(c.CallOp("t", "{}"))
				i := c.Go(c.CallOp("u", "{}", M{"deadline_ms": 300}))
				a := c.Wait(i)
				c.Check(a.MS < 1500 && !strings.Contains(a.Text, "late"), "the cancelled call took %d ms: %s", a.MS, Short(a.Text))
				b := c.Wait(j)
				c.Check(b.OK && strings.Contains(b.Text, "fine"), "the other call: %s %s", Short(b.Err), Short(b.Text))
				c.Good("t", "{}", "t got")
				c.Check(sessions(c) == 1 && (c.On != "stdio" || len(c.PIDs()) == 1), "a new session or process was needed")
				told := c.Until(time.Second, func() bool { return len(c.In("notifications/cancelled")) > 0 })
				c.Check(told, "the server is not told (no notifications/cancelled)")
			}},
		Case{ID: "O61", On: stdio, Title: "a child that stops reading", Scn: Scenario{Tools: echo.Tools, Stdio: fakesrv.Stdio{NoReadAfter: "tools/list", NoReadMS: 8000}}, Run: func(c *C) {
			c.Open()
			i := c.Go(c.CallOp("t", `{"s":"`+strings.Repeat("m", 3<<20)+`"}`, M{"deadline_ms": 1000}))
			j := c.Go(c.CallOp("u", `{}`, M{"deadline_ms": 500}))
			b, a := c.Wait(j), c.Wait(i)
			c.Check(a.MS < 2500 && b.MS < 2000, "deadlines of 1 s and 0.5 s returned after %d and %d ms", a.MS, b.MS)
		}},
		Case{ID: "O62", On: everywhere, Title: "list_changed before an answer", Scn: rules(Rule{Method: "tools/call", Before: []Raw{listChanged, listChanged}}), Run: func(c *C) {
			c.Open()
			a := c.Call("t", "{}", M{"deadline_ms": 8000})
			c.Check(a.OK && strings.Contains(a.Text, "t got") && a.MS < 3000, "the call took %d ms: %s %s", a.MS, Short(a.Err), Short(a.Text))
			c.Tools(M{"deadline_ms": 5000})
			c.Good("t", "{}", "t got", M{"deadline_ms": 5000})
		}},
		amid(everywhere, "", "requests, log messages and progress before an answer",
			`{"jsonrpc":"2.0","id":901,"method":"ping"}`,
			`{"jsonrpc":"2.0","id":"e-1","method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}}`,
			`{"jsonrpc":"2.0","id":902,"method":"no/such/method"}`,
			`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":{"k":1}}}`,
			`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"nobody","progress":1}}`,
			`{"jsonrpc":"2.0","method":"notifications/unheard/of","params":[]}`),
		amid([]string{"stdio", "sse"}, "stray", "the answer to another request before an answer", `{"jsonrpc":"2.0","id":77777,"result":{}}`),
		// A request's own stream ends with the first answer on it. One that is
		// another's must not pass for the result.
		Case{ID: "E9", Sub: "foreign", On: []string{"http"}, Title: "another's answer on a request's stream",
			Scn: rules(Rule{Method: "tools/call", Before: []Raw{J(`{"jsonrpc":"2.0","id":77777,"result":{}}`)}}), Run: func(c *C) {
				c.Open()
				out := c.Obs("t", "{}")
				c.Check(strings.HasPrefix(out, "Error:"), "observation: %s", Short(out))
			}},
		Case{ID: "O63", On: everywhere, Title: "Close leaves nothing", Scn: echo, Run: func(c *C) {
			c.Open()
			c.Obs("t", "{}")
			call := c.CallOp("t", "{}", M{"deadline_ms": 5000})
			c.Close()
			c.Close()
			a := c.Do(call)
			c.Check(a.Err != "" && a.MS < 3000, "a call after Close gives text %q after %d ms", Short(a.Text), a.MS)
			c.Check(strings.Contains(strings.ToLower(a.Err), "closed"), "a call after Close says: %s", Short(a.Err))
			nothingLeft(c)
		}},
		Case{ID: "F9", Sub: "waiting", On: everywhere, Title: "Close ends calls that wait", Scn: rules(Rule{Method: "tools/call", Silent: true}), Run: func(c *C) {
			c.Open()
			i := c.Go(c.CallOp("t", "{}"))
			c.Check(c.Until(5*time.Second, func() bool { return len(c.In("tools/call")) > 0 }), "the call does not reach the server")
			a := c.Close()
			c.Check(a.MS < 12000, "close took %d ms", a.MS)
			a = c.Wait(i)
			c.Check(a.Err != "", "the call gives text: %s", Short(a.Text))
			nothingLeft(c)
		}},
	)
}

// amid is a call before whose answer the server sends other messages.
func amid(on []string, sub, title string, messages ...string) Case {
	var before []Raw
	for _, m := range messages {
		before = append(before, J(m))
	}
	return Case{ID: "E9", Sub: sub, On: on, Title: title, Scn: rules(Rule{Method: "tools/call", Before: before}), Run: func(c *C) {
		c.Open()
		for range 3 {
			a := c.Call("t", "{}", M{"deadline_ms": 8000})
			c.Check(a.OK && strings.Contains(a.Text, "t got") && a.MS < 3000, "the call took %d ms: %s %s", a.MS, Short(a.Err), Short(a.Text))
		}
	}}
}

// nothingLeft checks that goroutines and children of the driver are back to
// the base line.
func nothingLeft(c *C) {
	var a Answer
	ok := c.Until(4*time.Second, func() bool {
		a = c.Do(M{"op": "leaks"})
		return a.Goroutines <= a.Base+2 && len(a.Children) == 0
	})
	c.Check(ok, "left behind: %d goroutines over the base line, children %v", a.Goroutines-a.Base, a.Children)
}
