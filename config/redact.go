package config

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// This file says what of a config may be shown. How it is shown is in print.go.
// Fields that are zero are left out.

func (c Config) shown() *shown {
	return c.shownAs("config.Config")
}

func (b Builder) shown() *shown {
	return b.cfg.shownAs("config.Builder")
}

func (c Config) shownAs(typ string) *shown {
	s := &shown{typ: typ}
	s.text("Name", c.Name)
	s.text("Prefix", c.Prefix)
	if c.Stdio != nil {
		s.part("Stdio", c.Stdio.shown())
	}
	if c.SSE != nil {
		s.part("SSE", c.SSE.shown())
	}
	if c.StreamableHTTP != nil {
		s.part("StreamableHTTP", c.StreamableHTTP.shown())
	}
	if c.InProcess != nil {
		s.part("InProcess", c.InProcess.shown())
	}
	s.text("Filter", shownFilter(c.Filter))
	s.list("Reserved", c.Reserved)
	s.flag("Resources", c.Resources)
	s.number("MaxResourceLength", c.MaxResourceLength)
	s.number("MaxOutput", c.MaxOutput)
	s.duration("ConnectTimeout", c.ConnectTimeout)
	s.duration("ListTimeout", c.ListTimeout)
	s.duration("CallTimeout", c.CallTimeout)
	s.number("MaxItems", c.MaxItems)
	s.number("MaxPages", c.MaxPages)
	s.flag("Trusted", c.Trusted)
	s.text("ProtocolVersion", c.ProtocolVersion)
	return s
}

func (s Stdio) shown() *shown {
	out := &shown{typ: "config.Stdio"}
	command := s.program()
	if command != s.Command {
		command += " " + hidden
	}
	out.text("Command", command)
	out.text("Args", strings.Join(shownArgs(s.Args), " "))
	out.list("Env", shownNames(s.Env, func(n string) bool { return envNameProblem(n) == "" }))
	out.flag("InheritEnv", s.InheritEnv)
	out.text("Dir", s.Dir)
	return out
}

func (e SSE) shown() *shown            { return endpoint(e).shownAs("config.SSE") }
func (e StreamableHTTP) shown() *shown { return endpoint(e).shownAs("config.StreamableHTTP") }

func (e endpoint) shownAs(typ string) *shown {
	out := &shown{typ: typ}
	out.text("URL", RedactURL(e.URL))
	out.list("Headers", shownNames(e.Headers, isToken))
	if e.HTTPClient != nil {
		out.text("HTTPClient", "set") // its transport and cookies are nobody's business
	}
	return out
}

func (p InProcess) shown() *shown {
	out := &shown{typ: "config.InProcess"}
	if p.Server != nil {
		out.text("Server", "set")
	}
	return out
}

// shownFilter prints a filter by its own String method only.
func shownFilter(f any) string {
	switch f := f.(type) {
	case nil:
		return ""
	case fmt.Stringer:
		return fmt.Sprintf("%s", f) // fmt survives a String that panics
	default:
		return fmt.Sprintf("%T", f)
	}
}

// shownNames returns the sorted names of m. One that is no name may be a
// secret in the wrong place.
func shownNames(m map[string]string, isName func(string) bool) []string {
	names := slices.Sorted(maps.Keys(m))
	for i, n := range names {
		if !isName(n) {
			names[i] = hidden
		}
	}
	return names
}

// flagName is a flag that can hold nothing but its name: one letter after a
// hyphen, or words of letters after two.
var flagName = regexp.MustCompile(`^(-[A-Za-z]|--[A-Za-z]+(-[A-Za-z]+)*)$`)

// shownArgs keeps the flags of args and hides all else: any other argument may
// be a token, a connection string or a header.
func shownArgs(args []string) []string {
	out := make([]string, len(args))
	for i, arg := range args {
		name, _, valued := strings.Cut(arg, "=")
		switch {
		case !flagName.MatchString(name):
			out[i] = hidden
		case valued:
			out[i] = name + "=" + hidden
		default:
			out[i] = name
		}
	}
	return out
}
