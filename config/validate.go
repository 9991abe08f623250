package config

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcptoolset/mcptoolset/filter"
)

// Bounds of what a config may ask for.
const (
	maxName   = 128     // characters
	maxPrefix = 40      // characters; what is left of 64 holds a hash and a part of the name
	maxCount  = 1 << 30 // more is a slip of the pen, and would not fit an int everywhere
)

// Validate reports everything that is wrong with c, or nil. Zero fields are
// right where they have a default.
//
// The error is one for all faults: its Unwrap() []error gives each as a
// [*Fault] with the path of its field, errors.Is finds [ErrNoConnection] and
// [ErrManyConnections], errors.As the first Fault. Its text starts with the
// server's name. Nothing in it shows a header value, an environment value or an
// argument, nor more of a URL than its scheme and, as the server's name, its
// host.
//
// Building a toolset calls it too, so a literal need not be validated first.
func (c Config) Validate() error {
	var f faults
	c.check(&f)
	return f.err(c.ServerName())
}

func (c Config) check(f *faults) {
	c.checkConnection(f)
	checkName(f, c.Name)
	if n := utf8.RuneCountInString(c.Prefix); n > maxPrefix {
		f.add("Prefix", fmt.Sprintf("has %d characters and leaves no room for the tools' names", n), fmt.Sprintf("use at most %d", maxPrefix))
	}
	checkFilter(f, c.Filter)
	for i, name := range c.Reserved {
		if name == "" {
			f.add(indexed("Reserved", i), "is empty", "name a tool or leave it out")
		}
	}
	c.checkLimits(f)
	if c.ProtocolVersion != "" && !mcp.IsValidProtocolVersion(c.ProtocolVersion) {
		f.add("ProtocolVersion", "is unknown: "+quote(c.ProtocolVersion), "use one of "+strings.Join(mcp.ValidProtocolVersions, ", ")+", or leave it out")
	}
}

func (c Config) checkConnection(f *faults) {
	switch set := c.connections(); len(set) {
	case 0:
		f.wrap("Stdio, SSE, StreamableHTTP, InProcess", ErrNoConnection, "set exactly one of them")
	case 1:
	default:
		f.wrap(strings.Join(set, ", "), ErrManyConnections, "keep exactly one of them")
	}
	if c.Stdio != nil {
		c.Stdio.check(f)
	}
	if c.SSE != nil {
		endpoint(*c.SSE).check(f, "SSE")
	}
	if c.StreamableHTTP != nil {
		endpoint(*c.StreamableHTTP).check(f, "StreamableHTTP")
	}
	if c.InProcess != nil {
		c.InProcess.check(f)
	}
}

func (c Config) checkLimits(f *faults) {
	for _, limit := range []struct {
		field string
		value int
	}{
		{"MaxResourceLength", c.MaxResourceLength},
		{"MaxOutput", c.MaxOutput},
		{"MaxItems", c.MaxItems},
		{"MaxPages", c.MaxPages},
	} {
		switch {
		case limit.value < 0:
			f.add(limit.field, fmt.Sprintf("is negative: %d", limit.value), "use a positive number, or leave it out for the default")
		case limit.value > maxCount:
			f.add(limit.field, fmt.Sprintf("is too large: %d", limit.value), fmt.Sprintf("use at most %d", maxCount))
		}
	}
	for _, limit := range []struct {
		field string
		value time.Duration
		none  bool // NoTimeout is allowed
	}{
		{"ConnectTimeout", c.ConnectTimeout, false},
		{"ListTimeout", c.ListTimeout, false},
		{"CallTimeout", c.CallTimeout, true},
	} {
		switch {
		case limit.value >= 0 || limit.none && limit.value == NoTimeout:
		case limit.value == NoTimeout:
			f.add(limit.field, "must be limited", "NoTimeout is for CallTimeout only")
		default:
			f.add(limit.field, fmt.Sprintf("is negative: %v", limit.value), "use a positive duration, or leave it out for the default")
		}
	}
}

// checkName keeps names from writing lines of their own into logs.
func checkName(f *faults, name string) {
	if n := utf8.RuneCountInString(name); n > maxName {
		f.add("Name", fmt.Sprintf("has %d characters", n), fmt.Sprintf("use at most %d", maxName))
	}
	if !utf8.ValidString(name) || strings.ContainsFunc(name, notPrintable) {
		f.add("Name", "holds characters that cannot be printed", "use printable characters")
	}
}

// checkFilter adds every fault of the filter as one of its own.
func checkFilter(f *faults, chosen filter.Filter) {
	joined, ok := filter.Validate(chosen).(interface{ Unwrap() []error })
	if !ok {
		return // nil
	}
	for _, part := range joined.Unwrap() {
		f.wrap("Filter", part, "")
	}
}

// variable is a reference as config files of MCP clients have them: ${NAME},
// ${NAME:-default}, ${env:NAME}, ${input:name}. A default may be a secret and
// is no part of the name.
var variable = regexp.MustCompile(`\$\{((?:env:|input:)?[A-Za-z_][A-Za-z0-9_]*)([^}]*\})?`)

// unexpanded adds a fault if value holds "${", and reports whether it did.
func (f *faults) unexpanded(field, value string) bool {
	if !strings.Contains(value, "${") {
		return false
	}
	problem := "holds a variable that was not expanded"
	if m := variable.FindStringSubmatch(value); m != nil {
		problem = "holds the variable ${" + cut(m[1]) + "}, which was not expanded"
	}
	f.add(field, problem, "put its value there, for instance with os.Getenv")
	return true
}

// unexpandedWhole is unexpanded for values that may hold "${" by chance: only
// a whole reference counts.
func (f *faults) unexpandedWhole(field, value string) {
	for _, m := range variable.FindAllStringSubmatch(value, -1) {
		if m[2] != "" {
			f.unexpanded(field, m[0])
			return
		}
	}
}

func isControl(r rune) bool    { return unicode.IsControl(r) }
func notPrintable(r rune) bool { return !unicode.IsPrint(r) }

func printableOrUnderscore(r rune) rune {
	if notPrintable(r) {
		return '_'
	}
	return r
}

// quote shows a name on one line and bounded.
func quote(s string) string { return strconv.Quote(cut(s)) }

func cut(s string) string {
	if r := []rune(s); len(r) > maxName {
		return string(r[:maxName]) + "…"
	}
	return s
}
