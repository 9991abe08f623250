package config

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/server"

	"github.com/mcptoolset/mcptoolset/filter"
)

// Builder writes a [Config] step by step. It starts with one of [NewStdio],
// [NewSSE], [NewStreamableHTTP] and [NewInProcess], or from a config with
// [Config.Builder], and ends with [Builder.Build].
//
// Each method sets the field of its name and returns the same Builder; the
// last call for a field counts. Nothing is checked before Build: a call that
// does not fit the connection, such as a header for a child process, and a
// zero for a limit are faults that Build reports with all others.
//
// A Builder is for one goroutine at a time. It may go on after Build: configs
// built before do not change.
type Builder struct {
	cfg    Config
	zeros  []string // limits that were explicitly set to zero
	misfit []*Fault // calls that do not fit the connection
}

// NewStdio begins a config that starts a child process. Each argument is
// handed over as it is.
func NewStdio(command string, args ...string) *Builder {
	return Config{Stdio: &Stdio{Command: command, Args: args}}.Builder()
}

// NewSSE begins a config for a legacy HTTP+SSE endpoint.
func NewSSE(url string) *Builder {
	return Config{SSE: &SSE{URL: url}}.Builder()
}

// NewStreamableHTTP begins a config for a streamable HTTP endpoint.
func NewStreamableHTTP(url string) *Builder {
	return Config{StreamableHTTP: &StreamableHTTP{URL: url}}.Builder()
}

// NewInProcess begins a config for a server in the same process.
func NewInProcess(s *server.MCPServer) *Builder {
	return Config{InProcess: &InProcess{Server: s}}.Builder()
}

// Builder goes on from a copy of c: Build gives an equal config if nothing is
// set in between. Faults of c stay in it and are reported by Build.
func (c Config) Builder() *Builder { return &Builder{cfg: c.clone()} }

// Build returns the config, or an error as [Config.Validate] has it, with the
// faults of the Builder's own calls first. Defaults are not filled in, so that
// the config tells what was set; see [Config.WithDefaults]. With an error the
// config is empty.
func (b *Builder) Build() (Config, error) {
	f := faults{list: slices.Clone(b.misfit)}
	for _, field := range b.zeros {
		f.add(field, "is set to zero", "set a positive value, or leave it out for the default")
	}
	b.cfg.check(&f)
	if err := f.err(b.cfg.ServerName()); err != nil {
		return Config{}, err
	}
	return b.cfg.clone(), nil
}

// Name sets [Config.Name]. An empty name stands for the derived one.
func (b *Builder) Name(name string) *Builder { b.cfg.Name = name; return b }

// Prefix sets [Config.Prefix].
func (b *Builder) Prefix(prefix string) *Builder { b.cfg.Prefix = prefix; return b }

// Filter sets [Config.Filter]. A second call replaces the first; use
// [filter.And] for both. nil keeps every tool.
func (b *Builder) Filter(f filter.Filter) *Builder { b.cfg.Filter = f; return b }

// Reserve adds names to [Config.Reserved].
func (b *Builder) Reserve(names ...string) *Builder {
	b.cfg.Reserved = append(b.cfg.Reserved, names...)
	return b
}

// Resources sets [Config.Resources].
func (b *Builder) Resources(on bool) *Builder { b.cfg.Resources = on; return b }

// MaxResourceLength sets [Config.MaxResourceLength]; zero is a fault.
func (b *Builder) MaxResourceLength(characters int) *Builder {
	b.cfg.MaxResourceLength = characters
	return b.positive("MaxResourceLength", characters == 0)
}

// MaxOutput sets [Config.MaxOutput]; zero is a fault.
func (b *Builder) MaxOutput(characters int) *Builder {
	b.cfg.MaxOutput = characters
	return b.positive("MaxOutput", characters == 0)
}

// ConnectTimeout sets [Config.ConnectTimeout]; zero is a fault.
func (b *Builder) ConnectTimeout(d time.Duration) *Builder {
	b.cfg.ConnectTimeout = d
	return b.positive("ConnectTimeout", d == 0)
}

// ListTimeout sets [Config.ListTimeout]; zero is a fault.
func (b *Builder) ListTimeout(d time.Duration) *Builder {
	b.cfg.ListTimeout = d
	return b.positive("ListTimeout", d == 0)
}

// CallTimeout sets [Config.CallTimeout]. Zero is [NoTimeout]: calls are
// limited by the caller's context alone.
func (b *Builder) CallTimeout(d time.Duration) *Builder {
	if d == 0 {
		d = NoTimeout
	}
	b.cfg.CallTimeout = d
	return b
}

// MaxItems sets [Config.MaxItems]; zero is a fault.
func (b *Builder) MaxItems(n int) *Builder {
	b.cfg.MaxItems = n
	return b.positive("MaxItems", n == 0)
}

// MaxPages sets [Config.MaxPages]; zero is a fault.
func (b *Builder) MaxPages(n int) *Builder {
	b.cfg.MaxPages = n
	return b.positive("MaxPages", n == 0)
}

// Trusted sets [Config.Trusted].
func (b *Builder) Trusted(trusted bool) *Builder { b.cfg.Trusted = trusted; return b }

// ProtocolVersion sets [Config.ProtocolVersion].
func (b *Builder) ProtocolVersion(version string) *Builder {
	b.cfg.ProtocolVersion = version
	return b
}

// Command sets the program of [Stdio]; its arguments stay.
func (b *Builder) Command(command string) *Builder {
	return b.stdio("Command", func(s *Stdio) { s.Command = command })
}

// Args sets the arguments of [Stdio] in place of those it has.
func (b *Builder) Args(args ...string) *Builder {
	return b.stdio("Args", func(s *Stdio) { s.Args = slices.Clone(args) })
}

// Env sets one environment variable of [Stdio].
func (b *Builder) Env(name, value string) *Builder {
	return b.stdio("Env", func(s *Stdio) { put(&s.Env, name, value) })
}

// Envs sets environment variables of [Stdio] beside those it has.
func (b *Builder) Envs(env map[string]string) *Builder {
	return b.stdio("Envs", func(s *Stdio) {
		for name, value := range env {
			put(&s.Env, name, value)
		}
	})
}

// InheritEnv sets whether the child of [Stdio] gets this process's whole
// environment.
func (b *Builder) InheritEnv(inherit bool) *Builder {
	return b.stdio("InheritEnv", func(s *Stdio) { s.InheritEnv = inherit })
}

// Dir sets the working directory of [Stdio].
func (b *Builder) Dir(dir string) *Builder {
	return b.stdio("Dir", func(s *Stdio) { s.Dir = dir })
}

// URL sets the address of [SSE] or [StreamableHTTP], whichever is set.
func (b *Builder) URL(url string) *Builder {
	return b.http("URL", func(e *endpoint) { e.URL = url })
}

// Header sets one header of [SSE] or [StreamableHTTP], in place of one of the
// same name in whatever case.
func (b *Builder) Header(name, value string) *Builder {
	return b.http("Header", func(e *endpoint) {
		dropHeader(e.Headers, name)
		put(&e.Headers, name, value)
	})
}

// Headers sets headers of [SSE] or [StreamableHTTP] beside those they have, in
// place of those of the same name in whatever case.
func (b *Builder) Headers(headers map[string]string) *Builder {
	return b.http("Headers", func(e *endpoint) {
		for name := range headers {
			dropHeader(e.Headers, name)
		}
		for name, value := range headers { // two names that differ in case only stay, for Build to report
			put(&e.Headers, name, value)
		}
	})
}

// HTTPClient sets the client of [SSE] or [StreamableHTTP]. It is never written
// to. nil stands for the default.
func (b *Builder) HTTPClient(client *http.Client) *Builder {
	return b.http("HTTPClient", func(e *endpoint) { e.HTTPClient = client })
}

// Server sets the server of [InProcess].
func (b *Builder) Server(s *server.MCPServer) *Builder {
	if b.cfg.InProcess == nil {
		return b.doesNotFit("Server", "InProcess")
	}
	b.cfg.InProcess.Server = s
	return b
}

func (b *Builder) stdio(method string, set func(*Stdio)) *Builder {
	if b.cfg.Stdio == nil {
		return b.doesNotFit(method, "Stdio")
	}
	set(b.cfg.Stdio)
	return b
}

func (b *Builder) http(method string, set func(*endpoint)) *Builder {
	if b.cfg.SSE == nil && b.cfg.StreamableHTTP == nil {
		return b.doesNotFit(method, "SSE and StreamableHTTP")
	}
	if b.cfg.SSE != nil {
		set((*endpoint)(b.cfg.SSE))
	}
	if b.cfg.StreamableHTTP != nil {
		set((*endpoint)(b.cfg.StreamableHTTP))
	}
	return b
}

// doesNotFit notes a method that is for another connection, once.
func (b *Builder) doesNotFit(method, wanted string) *Builder {
	field := "Builder." + method
	if slices.ContainsFunc(b.misfit, func(f *Fault) bool { return f.Field == field }) {
		return b
	}
	is := "none"
	if set := b.cfg.connections(); len(set) > 0 {
		is = strings.Join(set, ", ")
	}
	b.misfit = append(b.misfit, &Fault{
		Field:   field,
		Problem: "is for " + wanted + ", but the connection is " + is,
		Remedy:  "leave the call out",
	})
	return b
}

// positive notes whether a limit was set to zero, which a literal cannot tell
// from a field left out.
func (b *Builder) positive(field string, zero bool) *Builder {
	b.zeros = slices.DeleteFunc(b.zeros, func(f string) bool { return f == field })
	if zero {
		b.zeros = append(b.zeros, field)
	}
	return b
}

func dropHeader(headers map[string]string, name string) {
	maps.DeleteFunc(headers, func(n, _ string) bool { return strings.EqualFold(n, name) })
}

func put(m *map[string]string, key, value string) {
	if *m == nil {
		*m = make(map[string]string)
	}
	(*m)[key] = value
}
