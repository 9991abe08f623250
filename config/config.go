package config

import (
	"slices"
	"strings"
	"time"

	"github.com/mcptoolset/mcptoolset/filter"
)

// NoTimeout as [Config.CallTimeout] leaves a call to the caller's context
// alone.
const NoTimeout time.Duration = -1

// Config is everything a toolset has to know about one server before it
// connects. Exactly one of Stdio, SSE, StreamableHTTP and InProcess must be
// set; a nil pointer counts as not set. All other fields are optional.
//
// A Config is data: it holds nothing open and does nothing. Its methods do not
// change it and may be called from many goroutines, as long as none writes to
// the Config or to its maps and slices.
type Config struct {
	// Name is what errors, logs and reports call the server: printable, at
	// most 128 characters. By default it is derived from the connection, see
	// [Config.ServerName].
	Name string

	// Prefix is put in front of the names of the server's tools when they are
	// shown to a model; characters that model providers refuse are replaced.
	// At most 40 of the 64 characters a name may have. Filters and Reserved do
	// not see it. By default there is none.
	Prefix string

	// Stdio, SSE, StreamableHTTP and InProcess are the ways to connect.
	Stdio          *Stdio
	SSE            *SSE
	StreamableHTTP *StreamableHTTP
	InProcess      *InProcess

	// Filter chooses among the server's tools, by the server's own names. nil
	// keeps every tool. It does not apply to the tools that Resources adds.
	Filter filter.Filter

	// Reserved lists names that tools of the server must not have: such a tool
	// is skipped with a warning. The toolset's own tools are reserved without
	// being listed.
	Reserved []string

	// Resources adds tools to list and load the server's resources, if the
	// server has any. By default they are off.
	Resources bool

	// MaxResourceLength is how much of a resource one load shows, in
	// characters. By default [DefaultMaxResourceLength].
	MaxResourceLength int

	// MaxOutput is the budget of one tool's whole answer to the model, in
	// characters, the note on what was cut included. By default
	// [DefaultMaxOutput].
	MaxOutput int

	// ConnectTimeout limits connecting, from starting the child or dialling up
	// to the end of the handshake. By default [DefaultStdioConnectTimeout] for
	// Stdio, which may have to download its program first, and
	// [DefaultConnectTimeout] for the others.
	ConnectTimeout time.Duration

	// ListTimeout limits one listing, all its pages together. By default
	// [DefaultListTimeout].
	ListTimeout time.Duration

	// CallTimeout limits one call of a tool. By default [DefaultCallTimeout];
	// [NoTimeout] leaves it to the caller's context alone.
	CallTimeout time.Duration

	// MaxItems and MaxPages limit what one listing reads from the server. By
	// default [DefaultMaxItems] and [DefaultMaxPages].
	MaxItems, MaxPages int

	// Trusted says that the hints of the server's tools (read-only,
	// idempotent) may be believed where that is to the tool's advantage, such
	// as repeating a call whose outcome is unknown. By default they are not.
	Trusted bool

	// ProtocolVersion pins the revision of MCP to speak, such as "2025-11-25".
	// By default the newest one both sides know is found out.
	ProtocolVersion string
}

// ServerName is Name or, where that is empty, a name derived from the
// connection that holds no secret: the command's base name without extension,
// the URL's host with its port, "in-process". It is never empty; without a
// usable connection it is "mcp-server".
func (c Config) ServerName() string {
	if c.Name != "" {
		return c.Name
	}
	name := ""
	switch {
	case c.Stdio != nil:
		name = c.Stdio.serverName()
	case c.SSE != nil:
		name = endpoint(*c.SSE).serverName()
	case c.StreamableHTTP != nil:
		name = endpoint(*c.StreamableHTTP).serverName()
	case c.InProcess != nil:
		name = "in-process"
	}
	return cleanName(name)
}

// cleanName makes a derived name pass the rules for Name.
func cleanName(name string) string {
	name = strings.ToValidUTF8(name, "_")
	runes := []rune(strings.Map(printableOrUnderscore, name))
	if len(runes) == 0 {
		return "mcp-server"
	}
	return string(runes[:min(len(runes), maxName)])
}

// connections returns the field names of the connections that are set.
func (c Config) connections() []string {
	var set []string
	for _, field := range []struct {
		name string
		set  bool
	}{
		{"Stdio", c.Stdio != nil},
		{"SSE", c.SSE != nil},
		{"StreamableHTTP", c.StreamableHTTP != nil},
		{"InProcess", c.InProcess != nil},
	} {
		if field.set {
			set = append(set, field.name)
		}
	}
	return set
}

// clone copies everything that can be copied. Nil stays nil and empty stays
// empty.
func (c Config) clone() Config {
	c.Reserved = slices.Clone(c.Reserved)
	if c.Stdio != nil {
		c.Stdio = c.Stdio.clone()
	}
	if c.SSE != nil {
		e := SSE(endpoint(*c.SSE).clone())
		c.SSE = &e
	}
	if c.StreamableHTTP != nil {
		e := StreamableHTTP(endpoint(*c.StreamableHTTP).clone())
		c.StreamableHTTP = &e
	}
	if c.InProcess != nil {
		p := *c.InProcess
		c.InProcess = &p
	}
	return c
}
