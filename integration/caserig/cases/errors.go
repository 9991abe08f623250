package cases

import (
	"strconv"
	"strings"

	. "caserig/rig"
)

func init() {
	quota := func(r Rule, methods ...string) Scenario {
		var rs []Rule
		for _, m := range methods {
			r.Method = m
			rs = append(rs, r)
		}
		return rules(rs...)
	}
	about("errors",
		Case{ID: "O87", On: web, Title: "403 at connect", Scn: quota(Rule{Status: 403, Body: "quota used up"}, "GET", "server/discover", "initialize"),
			Run: fails(nil, "403", "quota used up")},
		Case{ID: "O87", Sub: "429", On: http, Title: "429 at connect",
			Scn: quota(Rule{Status: 429, Body: "slow down", Headers: map[string]string{"Retry-After": "120"}}, "server/discover", "initialize"),
			Run: fails(nil, "429", "slow down")},
		Case{ID: "O87", Sub: "refused", On: web, Title: "connection refused", Scn: echo, Run: fails(M{"url": "http://127.0.0.1:1/mcp"}, "refused")},
		Case{ID: "O88", On: web, Title: "401 at connect", Scn: guarded("Bearer right"), Run: fails(nil, "401")},
		Case{ID: "O89", On: stdio, Title: "a child that prints usage and never answers", Scn: silentChild(), Run: func(c *C) {
			a := c.FirstError(c.Config(nil), M{"deadline_ms": 1000})
			c.Check(a.MS < 4000, "returned after %d ms: %s", a.MS, Short(a.Err))
			c.Check(strings.Contains(a.Err, "usage: fake"), "the error lacks stderr: %s", Short(a.Err))
		}},
		Case{ID: "O90", On: web, Title: "403 with a JSON body on a call", Scn: rules(Rule{Method: "tools/call", Status: 403, Body: `{"message":"key revoked"}`}), Run: func(c *C) {
			c.Open()
			a := c.Call("t", "{}", M{"deadline_ms": 8000})
			holds("403", "key revoked")(c, a.Text+a.Err)
		}},
		Case{ID: "E5", Sub: "garbage", On: http, Title: "an answer that is no JSON", Scn: rules(Rule{Tool: "t", RawBody: "<html>oops</html>"}), Run: func(c *C) {
			c.Open()
			c.Obs("t", "{}", M{"deadline_ms": 8000})
			c.Good("u", "{}", "u got", M{"deadline_ms": 8000})
		}},
		noAnswer("202", Rule{Status: 202}),
		noAnswer("empty", Rule{Status: 200, Headers: map[string]string{"Content-Type": "application/json"}}),
		noAnswer("html", Rule{Status: 200, Body: "<html>log in</html>", Headers: map[string]string{"Content-Type": "text/html"}}),
		noAnswer("ended", Rule{Status: 200, Body: ": nothing\n\n", Headers: map[string]string{"Content-Type": "text/event-stream"}}),
		waitsFor(429), waitsFor(503),
		Case{ID: "B10", Title: "an error names the server and its cause", Scn: rules(Rule{Method: "tools/list", Error: J(`{"code":-32603,"message":"inner trouble"}`)}),
			Run: fails(M{"name": "weather-one"}, "weather-one", "inner trouble")},
		Case{ID: "B10", Sub: "command", On: stdio, Title: "a command that does not exist", Scn: echo, Run: func(c *C) {
			a := c.FirstError(M{"stdio": M{"command": "no-such-command-here"}})
			c.Check(strings.Contains(a.Err, "no-such-command-here"), "the error does not name the command: %s", Short(a.Err))
			c.Check(strings.Contains(strings.Join(a.Is, ","), "exec.ErrNotFound"), "errors.Is(err, exec.ErrNotFound) is false: %s", Short(a.Err))
		}},
	)
}

// noAnswer is a call that the server takes without answering: an observation
// at once, and the call is not made again.
func noAnswer(sub string, r Rule) Case {
	r.Tool = "t"
	return Case{ID: "E5", Sub: sub, On: http, Title: "a response that holds no answer", Scn: rules(r), Run: func(c *C) {
		c.Open()
		a := c.Call("t", "{}", M{"deadline_ms": 8000})
		c.Check(a.Err == "" && a.Text != "", "Go error after %d ms: %s", a.MS, Short(a.Err))
		c.Check(c.Effects() == 1, "the tool ran %d times", c.Effects())
		c.Good("u", "{}", "u got", M{"deadline_ms": 8000})
	}}
}

// waitsFor is a call refused once with Retry-After: it is made again when that
// time is over.
func waitsFor(status int) Case {
	refusal := Rule{Tool: "t", From: 1, To: 1, NoEffect: true, Status: status, Body: "busy", Headers: map[string]string{"Retry-After": "1"}}
	return Case{ID: "E5", Sub: strconv.Itoa(status), On: http, Title: "a refusal with Retry-After is waited for once", Scn: rules(refusal), Run: func(c *C) {
		c.Open()
		a := c.Call("t", "{}")
		c.Check(a.OK && strings.Contains(a.Text, "t got"), "%s%s", Short(a.Text), Short(a.Err))
		c.Check(a.MS >= 900, "asked again after %d ms, not 1 s", a.MS)
	}}
}

func silentChild() Scenario {
	s := rules(Rule{Silent: true})
	s.Stdio.Stderr = "usage: fake --token X"
	return s
}

// fails is a case in which opening and listing give an error with these words.
func fails(wishes M, words ...string) func(*C) {
	return func(c *C) {
		e := c.FirstError(c.Config(wishes), M{"deadline_ms": 8000}).Err
		for _, w := range words {
			c.Check(strings.Contains(e, w), "the error lacks %q: %s", w, Short(e))
		}
	}
}
