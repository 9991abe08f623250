package rig

import (
	"encoding/json"
	"strings"
)

// Params gives the schema that a model would get for a tool, parsed and as
// text. A driver without it cannot express the case.
func (c *C) Params(name string) (M, string) {
	raw := c.Tool(name).Parameters
	if len(raw) == 0 || string(raw) == "null" {
		c.Unsupported("the library gives no schema to the model")
	}
	var m M
	if json.Unmarshal(raw, &m) != nil {
		c.Failf("parameters of %s are no object: %s", name, Short(string(raw)))
	}
	return m, string(raw)
}

// Shown is all that a model may read about a tool: schema and description.
func (c *C) Shown(name string) string {
	t := c.Tool(name)
	return string(t.Parameters) + "\n" + t.Description
}

// NoSecret fails the case if a text holds the secret.
func (c *C) NoSecret(where, text, secret string) {
	at := strings.Index(text, secret)
	if at < 0 {
		return
	}
	before := strings.ToValidUTF8(text[max(0, at-60):at], "")
	c.Failf("secret in %s: …%s<SECRET>", where, Short(before))
}
