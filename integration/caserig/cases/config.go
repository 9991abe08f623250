package cases

import (
	"encoding/json"
	"fmt"
	"strings"

	"caserig/fakesrv"
	. "caserig/rig"
)

func init() {
	about("config",
		Case{ID: "O79", On: http, Title: "two connections given", Scn: echo, Run: func(c *C) {
			a := c.TryNew(M{"stdio": M{"command": "cat"}, "http": M{"url": c.URL() + "/mcp"}})
			c.Check(!a.OK, "opening succeeded")
			l := strings.ToLower(a.Err)
			named := (strings.Contains(l, "stdio") || strings.Contains(l, "command")) && (strings.Contains(l, "http") || strings.Contains(l, "url"))
			c.Check(a.MS < 1000 && named, "%d ms: %s", a.MS, Short(a.Err))
		}},
		Case{ID: "O79", Sub: "none", On: http, Title: "no connection given", Scn: echo, Run: refused(M{})},
		Case{ID: "O79", Sub: "nil", On: http, Title: "a typed nil pointer", Scn: echo, Run: refused(M{"typed_nil": true})},
		Case{ID: "O80", On: stdio, Title: "${VAR} in a servers file", Scn: child(fakesrv.Stdio{LogEnv: true}), Run: func(c *C) {
			a := c.TryNew(serversFile(c, `{"mcpServers":{"a":{%COMMAND%,"env":{"U":"${USER_X}","D":"${NOPE_X:-d}","P":"pa$word"}}}}`))
			c.Check(a.OK, "new: %s", Short(a.Err))
			c.Tools()
			env := environ(c)
			c.Check(env["U"] == "z" && env["D"] == "d" && env["P"] == "pa$word", "U %q, D %q, P %q", env["U"], env["D"], env["P"])
		}},
		unusableURL("var", "${UNSET}/mcp"), unusableURL("scheme", "localhost:8080/mcp"), unusableURL("empty", ""), unusableURL("host", "http://"),
		Case{ID: "O82", On: sse, Title: "a missing variable in a header", Scn: echo, Run: func(c *C) {
			a := c.FirstError(serversFile(c, `{"mcpServers":{"a":{"type":"sse","url":"%URL%/sse","headers":{"Authorization":"Bearer ${TOK}"}}}}`))
			for _, r := range c.Events(fakesrv.EvIn) {
				c.Failf("a request was sent with Authorization %q", Header(r, "Authorization"))
			}
			c.Check(strings.Contains(a.Err, "TOK"), "the error does not name TOK: %s", Short(a.Err))
		}},
		Case{ID: "O83", On: web, Title: "the setting decides, not the path", Scn: Scenario{Tools: echo.Tools, Swap: true}, Run: func(c *C) {
			path := map[string]string{"http": "/sse", "sse": "/mcp"}[c.On]
			c.Open(M{"url": c.URL() + path})
			c.Good("t", "{}", "t got")
		}},
		Case{ID: "A6", On: web, Title: "the URL is used as given, query included", Scn: echo, Run: func(c *C) {
			path := map[string]string{"http": "/mcp?key=a%2Fb&x", "sse": "/sse?key=a%2Fb&x"}[c.On]
			c.Open(M{"url": c.URL() + path})
			c.Good("t", "{}", "t got")
			in := c.Events(fakesrv.EvIn)
			c.Check(in[0].Path == path, "the first request goes to %s, not %s", in[0].Path, path)
		}},
		Case{ID: "A7", On: everywhere, Title: "opening does no I/O", Scn: echo, Run: func(c *C) {
			c.New()
			c.Check(len(c.Events(fakesrv.EvIn)) == 0 && len(c.PIDs()) == 0, "New reached the server")
			c.Tools()
			c.Good("t", "{}", "t got")
		}},
	)
}

func refused(cfg M) func(*C) {
	return func(c *C) {
		a := c.TryNew(cfg)
		c.Check(!a.OK && a.Err != "" && a.MS < 1000, "opening succeeded")
	}
}

func unusableURL(sub, url string) Case {
	return Case{ID: "O81", Sub: sub, On: web, Title: fmt.Sprintf("unusable URL %q", url), Scn: echo, Run: func(c *C) {
		a := c.TryNew(M{c.On: M{"url": url}})
		c.Check(!a.OK, "opening succeeded")
		c.Check(strings.Contains(strings.ToLower(a.Err), "url"), "the error does not name the field: %s", Short(a.Err))
	}}
}

// serversFile is a config with an mcpServers file. %COMMAND% in it is the fake
// stdio server's command line, %URL% the fake HTTP server's base URL.
func serversFile(c *C, text string) M {
	if conn, ok := c.Connection()["stdio"].(M); ok {
		b, err := json.Marshal(conn)
		c.Check(err == nil, "rig: %v", err)
		text = strings.ReplaceAll(text, "%COMMAND%", strings.Trim(string(b), "{}"))
	} else {
		text = strings.ReplaceAll(text, "%URL%", c.URL())
	}
	return M{"servers_json": text}
}
