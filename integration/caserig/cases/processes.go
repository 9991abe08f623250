package cases

import (
	"regexp"
	"strings"
	"time"

	"caserig/fakesrv"
	. "caserig/rig"
)

func init() {
	three := 3
	about("processes",
		Case{ID: "O68", On: stdio, Title: "an answer line of 5 MiB", Scn: rules(Rule{Tool: "t", FillChar: "x", FillN: 5 << 20}), Run: func(c *C) {
			if _, ok := c.Ask(M{"op": "new", "config": c.Config(M{"max_output": 6 << 20})}); !ok {
				c.New() // a library without a limit needs none raised
			}
			c.Tools()
			o := c.Obs("t", "{}")
			c.Check(len(o) >= 5<<20, "%d of %d bytes arrive", len(o), 5<<20)
			c.Good("u", "{}", "u got")
		}},
		Case{ID: "O69", On: stdio, Title: "400 KB on stderr first", Scn: child(fakesrv.Stdio{StderrBytes: 400_000}), Run: worksAnyway},
		Case{ID: "O70", On: stdio, Title: "a child that exits at once", Scn: child(fakesrv.Stdio{Exit: &three, Stderr: "missing API_TOKEN"}), Run: func(c *C) {
			a := c.FirstError(c.Config(nil), M{"deadline_ms": 10000})
			c.Check(a.MS < 3000, "the error took %d ms: %s", a.MS, Short(a.Err))
			c.Check(strings.Contains(a.Err, "missing API_TOKEN"), "the error lacks stderr: %s", Short(a.Err))
			c.Check(regexp.MustCompile(`\b3\b`).MatchString(a.Err), "the error lacks the exit code: %s", Short(a.Err))
		}},
		staysAfterClose("", fakesrv.Stdio{IgnoreEOF: true}),
		staysAfterClose("term", fakesrv.Stdio{IgnoreEOF: true, IgnoreTerm: true}),
		Case{ID: "O72", On: stdio, Title: "banner lines on stdout", Scn: child(fakesrv.Stdio{Noise: []string{"Welcome to fake", "listening {on} stdio"}}), Run: worksAnyway},
		Case{ID: "O72", Sub: "json", On: stdio, Title: "JSON that is no message on stdout", Scn: child(fakesrv.Stdio{Noise: []string{"7", "null", `"up"`, `[1]`, `{"level":"info"}`}}), Run: worksAnyway},
		Case{ID: "O73", On: stdio, Title: "PATH is inherited, the config's values win", Scn: child(fakesrv.Stdio{LogEnv: true}), Run: func(c *C) {
			c.Open(M{"env": M{"A": "1", "RIG_PARENT_SECRET": "mine"}})
			env := environ(c)
			c.Check(env["PATH"] != "" && env["A"] == "1" && env["RIG_PARENT_SECRET"] == "mine", "PATH %q, A %q, RIG_PARENT_SECRET %q", Short(env["PATH"]), env["A"], env["RIG_PARENT_SECRET"])
		}},
		Case{ID: "F11", On: stdio, Title: "no secret of the parent reaches a child", Scn: child(fakesrv.Stdio{LogEnv: true}), Run: func(c *C) {
			c.Open()
			_, has := environ(c)["RIG_PARENT_SECRET"]
			c.Check(!has, "the child has the parent's RIG_PARENT_SECRET")
		}},
		Case{ID: "F9", Sub: "group", On: stdio, Title: "Close ends what the child started", Scn: child(fakesrv.Stdio{Grandchild: true}), Run: func(c *C) {
			c.Open()
			c.Close()
			pid := c.Events(fakesrv.EvGrandchild)[0].PID
			c.Check(c.Until(time.Second, func() bool { return gone(pid) }), "the grandchild is in state %q after Close", State(pid))
		}},
	)
}

// child is echo as a child process that misbehaves.
func child(st fakesrv.Stdio) Scenario {
	s := echo
	s.Stdio = st
	return s
}

func worksAnyway(c *C) {
	c.New()
	c.Tools(M{"deadline_ms": 10000})
	c.Good("t", "{}", "t got")
}

func staysAfterClose(sub string, st fakesrv.Stdio) Case {
	return Case{ID: "O71", Sub: sub, On: stdio, Title: "Close of a child that stays", Scn: child(st), Run: func(c *C) {
		c.Open()
		a := c.Close()
		c.Check(a.MS < 12000, "close took %d ms", a.MS)
		pid := c.PIDs()[0]
		c.Check(c.Until(time.Second, func() bool { return State(pid) == "" }), "the child is in state %q after Close", State(pid))
	}}
}

// gone says that a process has ended; one that is not our driver's child may
// wait for its own parent.
func gone(pid int) bool { s := State(pid); return s == "" || s == "Z" }

// environ is the environment of the first child.
func environ(c *C) map[string]string {
	env := map[string]string{}
	for _, kv := range c.Events(fakesrv.EvStart)[0].Env {
		k, v, _ := strings.Cut(kv, "=")
		env[k] = v
	}
	return env
}
