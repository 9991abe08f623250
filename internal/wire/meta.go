package wire

import (
	"context"
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"
)

// meta is the members of _meta of every request (MCP 2026-07-28, basic,
// "_meta"); nil before 2026-07-28.
func (c *Conn) meta() json.RawMessage {
	if said := c.said.Load(); said != nil {
		return *said
	}
	return nil
}

// say fixes what every request says of us, and from which level on we want the
// server's log messages.
func (c *Conn) say(level mcp.LoggingLevel) error {
	if !c.info.Modern() {
		return nil
	}
	members := map[string]any{
		mcp.MetaKeyProtocolVersion:    c.info.ProtocolVersion,
		mcp.MetaKeyClientCapabilities: c.capabilities(),
		mcp.MetaKeyClientInfo:         c.us,
	}
	if level != "" {
		members[mcp.MetaKeyLogLevel] = level
	}
	raw, err := json.Marshal(members)
	if err != nil {
		return err
	}
	said := json.RawMessage(raw)
	c.said.Store(&said)
	return nil
}

// SetLogLevel asks for the server's log messages from a level on: on
// connections of 2026-07-28 and newer with each request that follows, on older
// ones by a request of its own (MCP 2025-11-25, server/utilities/logging) where
// the server declares logging.
func (c *Conn) SetLogLevel(ctx context.Context, level mcp.LoggingLevel) error {
	if c.info.Modern() {
		return c.say(level)
	}
	if c.info.Capabilities.Logging == nil || level == "" {
		return nil
	}
	params, err := json.Marshal(mcp.SetLevelParams{Level: level})
	if err != nil {
		return err
	}
	_, err = c.Request(ctx, string(mcp.MethodSetLogLevel), params, nil)
	return err
}
