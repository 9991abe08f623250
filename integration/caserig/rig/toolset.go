package rig

import (
	"strings"
)

// Connection is the connection part of a config for the case's kind.
func (c *C) Connection() M {
	switch c.On {
	case "http":
		return M{"http": M{"url": c.URL() + "/mcp"}}
	case "sse":
		return M{"sse": M{"url": c.URL() + "/sse"}}
	}
	return M{"stdio": M{"command": c.runner.Server[0], "args": c.serverArgs()}}
}

// Config joins the connection and more wishes. "headers", "env" and "url" go
// into the connection.
func (c *C) Config(wishes M) M {
	cfg := c.Connection()
	conn := cfg[c.On].(M)
	for k, v := range wishes {
		switch k {
		case "headers", "env", "url":
			conn[k] = v
		default:
			cfg[k] = v
		}
	}
	return cfg
}

// TryNew opens a toolset; an error is the case's to judge.
func (c *C) TryNew(cfg M) Answer { return c.Do(M{"op": "new", "config": cfg}) }

// New opens a toolset for the case's connection kind.
func (c *C) New(wishes ...M) {
	a := c.TryNew(c.Config(merge(nil, wishes)))
	c.Check(a.OK, "new: %s", Short(a.Err))
}

// TryTools lists tools; an error is the case's to judge.
func (c *C) TryTools(more ...M) Answer {
	a := c.Do(merge(M{"op": "tools"}, more))
	if a.OK {
		c.tools = a.Tools
	}
	return a
}

// Tools lists tools.
func (c *C) Tools(more ...M) []Tool {
	a := c.TryTools(more...)
	c.Check(a.OK, "tools: %s", Short(a.Err))
	return a.Tools
}

// Open is New and Tools.
func (c *C) Open(wishes ...M) []Tool {
	c.New(wishes...)
	return c.Tools()
}

// FirstError opens and lists, and gives the error that this must bring; its MS
// counts both.
func (c *C) FirstError(cfg M, more ...M) Answer {
	a := c.TryNew(cfg)
	if !a.OK {
		return a
	}
	t := c.TryTools(more...)
	t.MS += a.MS
	c.Check(!t.OK, "no error from opening and listing (tools: %s)", Short(names(t.Tools)))
	return t
}

// Find gives the exposed tool for a server's name: equal, or with a prefix.
func (c *C) Find(name string) (Tool, bool) {
	for _, before := range []string{"", "__", "_", "-"} {
		for _, t := range c.tools {
			if t.Name == name || before != "" && strings.HasSuffix(t.Name, before+name) {
				return t, true
			}
		}
	}
	return Tool{}, false
}

// Tool is Find, or the end of the case.
func (c *C) Tool(name string) Tool {
	t, ok := c.Find(name)
	c.Check(ok, "tool %q is not offered (offered: %s)", name, Short(names(c.tools)))
	return t
}

// Listed gives the last listing.
func (c *C) Listed() []Tool { return c.tools }

// CallOp makes the op that calls a server's tool.
func (c *C) CallOp(tool, input string, more ...M) M {
	return merge(M{"op": "call", "tool": c.Tool(tool).Name, "input": input}, more)
}

// Call calls a server's tool.
func (c *C) Call(tool, input string, more ...M) Answer { return c.Do(c.CallOp(tool, input, more...)) }

// Obs calls and demands an observation: text and no Go error.
func (c *C) Obs(tool, input string, more ...M) string {
	a := c.Call(tool, input, more...)
	c.Check(a.Err == "", "call of %s is a Go error: %s", tool, Short(a.Err))
	c.Check(strings.TrimSpace(a.Text) != "", "call of %s: empty observation", tool)
	return a.Text
}

// Good calls and demands an observation that holds want.
func (c *C) Good(tool, input, want string, more ...M) string {
	t := c.Obs(tool, input, more...)
	c.Check(strings.Contains(t, want), "observation of %s lacks %q: %s", tool, Short(want), Short(t))
	return t
}

// Close closes the toolset.
func (c *C) Close() Answer {
	a := c.Do(M{"op": "close"})
	c.Check(a.OK, "close: %s", Short(a.Err))
	return a
}

// Routes calls every exposed tool once and gives exposed name -> name on the
// wire.
func (c *C) Routes() map[string]string {
	out := map[string]string{}
	for _, t := range c.tools {
		before := len(c.In("tools/call"))
		a := c.Do(M{"op": "call", "tool": t.Name, "input": "{}"})
		c.Check(a.Err == "", "call of %q: %s", t.Name, Short(a.Err))
		calls := c.In("tools/call")
		c.Check(len(calls) == before+1, "call of %q brought %d requests", t.Name, len(calls)-before)
		out[t.Name] = calls[before].Tool
	}
	return out
}

func merge(into M, more []M) M {
	if into == nil {
		into = M{}
	}
	for _, m := range more {
		for k, v := range m {
			into[k] = v
		}
	}
	return into
}

func names(ts []Tool) string {
	var out []string
	for _, t := range ts {
		out = append(out, t.Name)
	}
	return strings.Join(out, ", ")
}
