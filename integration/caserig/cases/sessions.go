package cases

import (
	"strconv"
	"strings"
	"time"

	"caserig/fakesrv"
	. "caserig/rig"
)

var toolGone = J(`{"code":-32602,"message":"Unknown tool"}`)

func init() {
	about("sessions",
		Case{ID: "O48", On: http, Title: "the server forgets the session", Scn: forgetful(0, ""), Run: func(c *C) {
			c.Open()
			c.Good("t", `{"n":1}`, "t got")
			c.Good("t", `{"n":2}`, "t got")
			c.Check(sessions(c) == 2, "%d initialize", sessions(c))
			c.Check(c.Effects() == 2, "the tool ran %d times", c.Effects())
		}},
		Case{ID: "O49", On: http, Title: "one new session for all later calls", Scn: forgetful(0, ""), Run: func(c *C) {
			c.Open()
			for range 4 {
				c.Good("t", "{}", "t got")
			}
			c.Check(sessions(c) == 2, "%d initialize", sessions(c))
		}},
		Case{ID: "O50", On: http, Title: "404: initialize without the old id",
			Scn: forgetful(404, `{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}`),
			Run: func(c *C) {
				c.Open()
				c.Good("t", "{}", "t got")
				c.Good("t", "{}", "t got")
				in := c.In("initialize")
				c.Check(len(in) == 2 && in[1].Session == "", "%d initialize, the last with session %q", len(in), in[len(in)-1].Session)
			}},
		Case{ID: "O50", Sub: "400", On: http, Title: "400 no valid session", Scn: forgetful(400, "Bad Request: no valid session"), Run: func(c *C) {
			c.Open()
			c.Good("t", "{}", "t got")
			o := c.Obs("t", "{}")
			c.Check(strings.Contains(o, "t got") || strings.Contains(o, "session"), "observation: %s", Short(o))
			c.Good("t", "{}", "t got")
		}},
		Case{ID: "O51", On: sse, Title: "SSE after a server restart", Scn: echo, Run: func(c *C) {
			c.Open()
			c.Good("t", "{}", "t got")
			c.RestartServer()
			settle()
			c.Good("t", "{}", "t got", M{"deadline_ms": 8000})
		}},
		Case{ID: "O52", On: http, Title: "one 503 does not poison the connection",
			Scn: rules(Rule{Method: "tools/call", From: 2, To: 2, Status: 503, NoEffect: true, Body: "busy"}),
			Run: func(c *C) {
				c.Open()
				c.Good("t", "{}", "t got")
				c.Call("t", "{}")
				c.Good("t", "{}", "t got")
				c.Check(sessions(c) == 1, "%d initialize", sessions(c))
			}},
		Case{ID: "O53", On: everywhere, Title: "the first caller's deadline does not end the session", Scn: echo, Run: func(c *C) {
			c.New()
			c.Tools(M{"deadline_ms": 1000})
			time.Sleep(1500 * time.Millisecond) // past that deadline
			c.Good("t", "{}", "t got", M{"deadline_ms": 5000})
		}},
		closesAfter(404), closesAfter(405), closesAfter(401),
		Case{ID: "O55", On: everywhere, Title: "one session, its state is kept", Scn: rules(Rule{Method: "tools/call", Counter: true}), Run: func(c *C) {
			c.Open()
			for _, n := range []string{"1", "2", "3"} {
				c.Good("t", "{}", n)
			}
			c.Check(sessions(c) <= 1, "%d initialize", sessions(c))
		}},
		Case{ID: "O56", On: sse, Title: "the idle stream ends", Scn: Scenario{Tools: echo.Tools, CloseIdleMS: 200}, Run: func(c *C) {
			c.Open()
			c.Check(c.Until(5*time.Second, func() bool { return len(c.Events(fakesrv.EvClose)) > 0 }), "rig: the stream did not end")
			settle()
			a := c.Call("t", "{}", M{"deadline_ms": 10000})
			c.Check(a.MS < 3000, "the next call took %d ms", a.MS)
			c.Check(a.OK && a.Text != "", "Go error: %s", Short(a.Err))
		}},
		Case{ID: "O57", On: web, Title: "another tool set after a restart", Scn: echo, Run: func(c *C) {
			c.Open()
			old := c.Tool("t").Name
			c.SetScenario(Scenario{Tools: []Raw{T("new", Any)}, Rules: []Rule{{Tool: "t", Error: toolGone, NoEffect: true}}})
			c.RestartServer()
			settle()
			a := c.Do(M{"op": "call", "tool": old, "input": "{}", "deadline_ms": 8000})
			c.Check(a.Err == "" && a.Text != "", "old tool: Go error %s", Short(a.Err))
			c.Tools(M{"refresh": true, "deadline_ms": 8000})
			c.Good("new", "{}", "new got", M{"deadline_ms": 8000})
		}},
		Case{ID: "F7", On: http, Title: "one replacement for all callers of a forgotten session", Scn: forgetful(0, ""), Run: func(c *C) {
			c.Open()
			c.Good("t", "{}", "t got")
			allGood(c, c.Do(c.CallOp("t", "{}", M{"n": 20})))
			c.Check(sessions(c) == 2, "%d initialize", sessions(c))
			c.Check(c.Effects() == 21, "the tool ran %d times", c.Effects())
		}},
		Case{ID: "F7", Sub: "crash", On: stdio, Title: "calls of a child that dies end at once", Scn: rules(Rule{Tool: "t", DelayMS: 500, Drop: true}, Rule{Tool: "u", From: 1, To: 5, Silent: true}), Run: func(c *C) {
			c.Open()
			waiting := c.Go(c.CallOp("u", "{}", M{"n": 5}))
			c.Obs("t", "{}")
			a := c.Wait(waiting)
			c.Check(a.MS < 3000, "the waiting calls ended after %d ms", a.MS)
			for i := range a.Texts {
				c.Check(a.Errs[i] == "" && a.Texts[i] != "", "Go error: %s", Short(a.Errs[i]))
			}
			c.Check(len(c.PIDs()) <= 2, "%d children were started", len(c.PIDs()))
		}},
		Case{ID: "F8", Sub: "cut", Title: "a call whose answer was lost is not made again", Scn: rules(Rule{Tool: "t", Drop: true, From: 1, To: 1}),
			On: everywhere, Run: func(c *C) {
				c.Open()
				o := c.Obs("t", "{}", M{"deadline_ms": 8000})
				c.Check(c.Effects() == 1, "the tool ran %d times: %s", c.Effects(), Short(o))
				c.Good("u", "{}", "u got", M{"deadline_ms": 8000})
			}},
		Case{ID: "F8", Sub: "half", Title: "half an answer is no answer", Scn: rules(Rule{Tool: "t", DropAfter: 30, From: 1, To: 1}),
			On: everywhere, Run: func(c *C) {
				c.Open()
				c.Obs("t", "{}", M{"deadline_ms": 8000})
				c.Check(c.Effects() == 1, "the tool ran %d times", c.Effects())
				c.Good("u", "{}", "u got", M{"deadline_ms": 8000})
			}},
		Case{ID: "F8", Sub: "500", On: http, Title: "a call that ended in 500 is not made again", Scn: rules(Rule{Tool: "t", Status: 500, From: 1, To: 1}), Run: func(c *C) {
			c.Open()
			c.Obs("t", "{}")
			c.Check(c.Effects() == 1, "the tool ran %d times", c.Effects())
		}},
		Case{ID: "F8", Sub: "safe", Title: "a read-only tool of a trusted server is called again",
			Scn: Scenario{Tools: []Raw{J(`{"name":"t","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}`)}, Rules: []Rule{{Tool: "t", Drop: true, From: 1, To: 1}}},
			Run: func(c *C) {
				c.Open(M{"trusted": true})
				if c.On == "stdio" { // the new child counts its calls anew, and drops this one too
					c.Obs("t", "{}", M{"deadline_ms": 8000})
				} else {
					c.Good("t", "{}", "t got", M{"deadline_ms": 8000})
				}
				c.Check(c.Effects() == 2, "the tool ran %d times", c.Effects())
			}},
		Case{ID: "F10", Sub: "silent", Title: "a server that ignores unknown methods is connected", Scn: Scenario{Tools: echo.Tools, IgnoreUnknown: true},
			On: everywhere, Run: func(c *C) {
				c.New()
				a := c.TryTools(M{"deadline_ms": 15000})
				c.Check(a.OK, "tools: %s", Short(a.Err))
				c.Good("t", "{}", "t got")
			}},
		Case{ID: "F10", Sub: "dies", On: stdio, Title: "a child that dies of an unknown method is connected", Scn: Scenario{Tools: echo.Tools, Stdio: fakesrv.Stdio{DieUnknown: true}}, Run: func(c *C) {
			c.New()
			c.Tools(M{"deadline_ms": 15000})
			c.Good("t", "{}", "t got")
		}},
		Case{ID: "F10", Sub: "old", On: everywhere, Title: "a server of the first protocol version is connected",
			Scn: Scenario{Tools: echo.Tools, Initialize: J(`{"protocolVersion":"2024-11-05","capabilities":{"tools":{}},"serverInfo":{"name":"old","version":"0"}}`)},
			Run: worksAnyway},
		Case{ID: "F10", Sub: "modern", Title: "a server of the modern protocol needs no session",
			Scn: Scenario{Tools: echo.Tools, Session: fakesrv.Session{None: true},
				Discover: J(`{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"serverInfo":{"name":"fake","version":"1"},"ttlMs":0,"cacheScope":"private"}`)},
			Run: func(c *C) {
				c.Open()
				c.Good("t", "{}", "t got")
				c.Check(sessions(c) == 0, "%d initialize", sessions(c))
			}},
	)
}

// forgetful is a server that forgets its first session after one call, and
// answers the old id with a status (0 = 404) and body.
func forgetful(status int, body string) Scenario {
	return Scenario{Tools: echo.Tools, Session: fakesrv.Session{ExpireCalls: 1, ExpireTimes: 1, UnknownStatus: status, UnknownBody: body}}
}

func closesAfter(status int) Case {
	return Case{ID: "O54", Sub: strconv.Itoa(status), On: http, Title: "DELETE answered with a refusal", Scn: Scenario{Tools: echo.Tools, DeleteStatus: status}, Run: func(c *C) {
		c.Open()
		c.Obs("t", "{}")
		c.Close()
	}}
}

// settle gives a client time to notice that its connection ended. What it does
// with it cannot be seen from outside.
func settle() { time.Sleep(300 * time.Millisecond) }
