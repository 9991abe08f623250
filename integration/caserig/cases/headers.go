package cases

import (
	"strings"
	"time"

	"caserig/fakesrv"
	. "caserig/rig"
)

func init() {
	about("headers",
		Case{ID: "O42", On: http, Title: "a fresh request id on each call", Scn: echo, Run: func(c *C) {
			c.Open(M{"fresh_header": "X-Request-Id"})
			for range 10 {
				allGood(c, c.Do(c.CallOp("t", "{}", M{"n": 20})))
			}
			c.Check(sessions(c) <= 3, "%d sessions for 200 calls", sessions(c))
			seen := map[string]bool{}
			for _, r := range c.In("tools/call") {
				seen[Header(r, "X-Request-Id")] = true
			}
			c.Check(len(seen) == 200, "%d different header values on 200 calls", len(seen))
			a := c.Do(M{"op": "leaks"})
			c.Check(a.Goroutines <= a.Base+60, "%d goroutines over the base line", a.Goroutines-a.Base)
		}},
		Case{ID: "O43", On: web, Title: "dynamic headers at discovery", Scn: guarded("Bearer t1"), Run: func(c *C) {
			c.New(M{"header_from_ctx": "Authorization"})
			c.Tools(M{"user": "Bearer t1"})
			c.Good("t", "{}", "t got", M{"user": "Bearer t1"})
		}},
		Case{ID: "O44", On: web, Title: "each call has its own caller's header", Scn: echo, Run: func(c *C) {
			c.New(M{"header_from_ctx": "X-User"})
			c.Tools(M{"user": "alice"})
			for _, u := range []string{"alice", "bob", ""} {
				c.Obs("t", `{"u":"`+u+`"}`, M{"user": u})
			}
			ownHeader(c)
		}},
		Case{ID: "O45", On: http, Title: "an expired token is asked for again",
			Scn: rules(Rule{Method: "tools/call", From: 2, To: 2, Status: 401, NoEffect: true, WriteFile: "token", WriteText: "Bearer t2"}),
			Run: func(c *C) {
				c.WriteFile("token", "Bearer t1")
				c.Open(M{"header_from_file": M{"header": "Authorization", "path": c.File("token")}})
				c.Good("t", "{}", "t got")
				a := c.Call("t", "{}")
				n := len(c.In("tools/call"))
				c.Check(n <= 3, "%d requests for the second call", n-1)
				c.Check(a.Err == "", "second call is a Go error: %s", Short(a.Err))
				c.Good("t", "{}", "t got")
				calls := c.In("tools/call")
				last := Header(calls[len(calls)-1], "Authorization")
				c.Check(last == "Bearer t2", "the last call carries %q", last)
				c.Check(c.Effects() <= 3, "the tool ran %d times", c.Effects())
			}},
		Case{ID: "O46", On: web, Title: "static headers on every request", Scn: echo, Run: func(c *C) {
			c.Open(M{"headers": M{"Authorization": "Bearer s1", "x-api-key": "k1"}})
			c.Obs("t", "{}")
			c.Close()
			if c.On == "http" {
				c.Check(c.Until(2*time.Second, func() bool { return len(c.In("DELETE")) > 0 }), "no DELETE on close")
			}
			for _, r := range c.Events(fakesrv.EvIn) {
				c.Check(Header(r, "Authorization") == "Bearer s1" && Header(r, "X-Api-Key") == "k1", "%s %s lacks the headers", r.HTTP, r.Method)
			}
		}},
		Case{ID: "O47", On: http, Title: "two users at once, sessions bound to users",
			Scn: Scenario{Tools: echo.Tools, Session: fakesrv.Session{BindHeader: "X-User"}},
			Run: func(c *C) {
				c.New(M{"header_from_ctx": "X-User"})
				c.Tools(M{"user": "alice"})
				c.Tools(M{"user": "bob"})
				i := c.Go(c.CallOp("t", `{"u":"alice"}`, M{"n": 50, "user": "alice"}))
				j := c.Go(c.CallOp("t", `{"u":"bob"}`, M{"n": 50, "user": "bob"}))
				allGood(c, c.Wait(i))
				allGood(c, c.Wait(j))
				ownHeader(c)
				c.Check(len(c.Events(fakesrv.EvForeign)) == 0, "a session was used by another user")
			}},
		Case{ID: "F5", On: web, Title: "a token that stays refused is asked for twice, no more", Scn: rules(Rule{Method: "tools/call", Status: 401, NoEffect: true, Body: "expired"}), Run: func(c *C) {
			c.Open(M{"fresh_header": "Authorization"})
			holds("401", "expired")(c, c.Obs("t", "{}"))
			n := len(c.In("tools/call"))
			c.Check(n == 2, "%d requests", n)
		}},
		Case{ID: "F5", Sub: "static", On: web, Title: "a refused static header is not tried again", Scn: rules(Rule{Method: "tools/call", Status: 401, NoEffect: true}), Run: func(c *C) {
			c.Open(M{"headers": M{"Authorization": "Bearer s1"}})
			holds("401")(c, c.Obs("t", "{}"))
			n := len(c.In("tools/call"))
			c.Check(n == 1, "%d requests", n)
		}},
		Case{ID: "A4", On: web, Title: "changing the header map after opening changes nothing", Scn: guarded("Bearer s1"), Run: func(c *C) {
			c.Open(M{"headers": M{"Authorization": "Bearer s1"}, "mutate_headers": true})
			c.Good("t", "{}", "t got")
		}},
		Case{ID: "F1", On: web, Title: "a dynamic header overrides a static one, whatever its case", Scn: guarded("Bearer t1"), Run: func(c *C) {
			c.New(M{"headers": M{"authorization": "Bearer s1"}, "header_from_ctx": "Authorization"})
			c.Tools(M{"user": "Bearer t1"})
			c.Good("t", "{}", "t got", M{"user": "Bearer t1"})
		}},
		Case{ID: "F2", On: web, Title: "an identity keeps its session under a new token", Scn: rules(Rule{Method: "tools/call", Counter: true}), Run: func(c *C) {
			c.New(M{"token_header": "Authorization", "identity_by_user": true})
			c.Tools(M{"user": "alice", "token": "t1"})
			c.Good("t", "{}", "1", M{"user": "alice", "token": "t1"})
			c.Good("t", "{}", "2", M{"user": "alice", "token": "t2"})
			c.Good("t", "{}", "1", M{"user": "bob", "token": "t3"})
			for i, want := range []string{"t1", "t2", "t3"} {
				got := Header(c.In("tools/call")[i], "Authorization")
				c.Check(got == want, "call %d carries token %q", i, got)
			}
		}},
	)
}

// guarded is echo behind an Authorization header.
func guarded(value string) Scenario {
	s := echo
	s.Auth = &fakesrv.Auth{Header: "Authorization", Value: value}
	return s
}

// sessions is how many sessions were begun.
func sessions(c *C) int { return len(c.In("initialize")) }

// allGood judges calls of t that were made at once.
func allGood(c *C, a Answer) {
	for i := range a.Texts {
		c.Check(a.Errs[i] == "" && strings.Contains(a.Texts[i], "t got"), "call %d: %s %s", i, Short(a.Errs[i]), Short(a.Texts[i]))
	}
}

// ownHeader checks that each call carries the X-User that its argument u names.
func ownHeader(c *C) {
	for _, r := range c.In("tools/call") {
		want := `{"u":"` + Header(r, "X-User") + `"}`
		c.Check(SameJSON(Args(r), want), "the call with %s carries X-User %q", Args(r), Header(r, "X-User"))
	}
}
