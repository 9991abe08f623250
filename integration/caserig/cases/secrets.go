package cases

import (
	"strings"

	"caserig/fakesrv"
	. "caserig/rig"
)

func init() {
	const token = "tok-123"
	headers := M{"headers": M{"Authorization": "Bearer " + token, "X-Api-Key": token}}
	about("secrets",
		Case{ID: "O84", On: web, Title: "header values are printed nowhere",
			Scn: rules(Rule{Method: "tools/call", From: 2, To: 2, Status: 401, Body: "no"}, Rule{Method: "tools/call", From: 2, To: 2, Status: 500, Body: "boom"}),
			Run: func(c *C) {
				c.Open(headers)
				var said strings.Builder
				for range 4 {
					a := c.Call("t", "{}", M{"deadline_ms": 5000})
					said.WriteString(a.Text + a.Err + "\n")
				}
				s := c.Do(M{"op": "show"})
				c.Do(M{"op": "close"})
				c.NoSecret("observations or errors", said.String(), token)
				c.NoSecret("printed values or the log", s.Text, token)
				c.NoSecret("stderr or stdout", c.Stderr(), token)
			}},
		Case{ID: "O84", Sub: "env", On: stdio, Title: "values of the environment are printed nowhere", Scn: echo, Run: func(c *C) {
			c.Open(M{"env": M{"API_TOKEN": token}})
			c.Good("t", "{}", "t got")
			c.NoSecret("printed values or the log", c.Do(M{"op": "show"}).Text, token)
			c.NoSecret("stderr or stdout", c.Stderr(), token)
		}},
		Case{ID: "O85", On: web, Title: "secrets of a URL in an error", Scn: echo, Run: func(c *C) {
			path := map[string]string{"http": "/mcp", "sse": "/sse"}[c.On]
			e := c.FirstError(M{c.On: M{"url": "http://user:pass-99@127.0.0.1:1" + path + "?token=abc-777"}}, M{"deadline_ms": 8000}).Err
			said := c.Stderr()
			if a, ok := c.Ask(M{"op": "show"}); ok {
				said += a.Text
			}
			for _, s := range []string{"pass-99", "abc-777"} {
				c.NoSecret("the error", e, s)
				c.NoSecret("the log", said, s)
			}
		}},
		Case{ID: "O85", Sub: "lf", On: web, Title: "a header value with a line feed", Scn: echo, Run: func(c *C) {
			e := c.FirstError(c.Config(M{"headers": M{"X-Api-Key": "abc-777\nX: y"}}), M{"deadline_ms": 8000}).Err
			c.NoSecret("the error", e, "abc-777")
		}},
		Case{ID: "O86", On: web, Title: "no secret follows a redirect to another host", Scn: rules(Rule{Method: "tools/call", Redirect: true}), Run: func(c *C) {
			c.Open(headers)
			c.Call("t", "{}", M{"deadline_ms": 5000})
			c.Check(len(c.In("tools/call")) > 0, "no call was made")
			keptFromOther(c)
		}},
		Case{ID: "O86", Sub: "connect", On: web, Title: "no secret follows a redirect of the first request",
			Scn: rules(Rule{Method: "GET", Redirect: true}, Rule{Method: "server/discover", Redirect: true}, Rule{Method: "initialize", Redirect: true}),
			Run: func(c *C) {
				c.FirstError(c.Config(headers), M{"deadline_ms": 5000})
				keptFromOther(c)
			}},
	)
}

// keptFromOther checks that the other host was not told the headers.
func keptFromOther(c *C) {
	for _, r := range c.Events(fakesrv.EvOther) {
		auth, key := Header(r, "Authorization"), Header(r, "X-Api-Key")
		c.Check(auth == "" && key == "", "the other host got Authorization %q, X-Api-Key %q", auth, key)
	}
}
