// Command ours drives this project's library through its public API.
package main

import (
	"context"
	"net/http"
	"os/exec"
	"time"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/filter"
	"github.com/mcptoolset/mcptoolset/toolset"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/tools"

	"caserig/kit"
)

func main() {
	kit.Main(open, map[string]error{
		"canceled": context.Canceled, "deadline": context.DeadlineExceeded, "exec.ErrNotFound": exec.ErrNotFound,
		"closed": toolset.ErrClosed, "no connection": config.ErrNoConnection, "many connections": config.ErrManyConnections,
	})
}

// set is a toolset with the config it was made of.
type set struct {
	*toolset.Toolset
	cfg config.Config
}

var (
	_ kit.Parameterer = set{}
	_ kit.Reporter    = set{}
	_ kit.Binder      = set{}
	_ kit.Shower      = set{}
	_ kit.Refresher   = set{}
)

func open(c kit.Config) (kit.Set, error) {
	switch {
	case c.ServersJSON != "":
		return nil, kit.Unsupported("servers files")
	case c.Group != nil:
		return openSeveral(c.Group)
	}
	cfg := configOf(c)
	ts, err := toolset.New(cfg, optionsOf(c)...)
	if err != nil {
		return nil, err
	}
	return set{ts, cfg}, nil
}

// configOf hands the case's own maps over: the library has to copy them.
func configOf(c kit.Config) config.Config {
	cfg := config.Config{
		Name: c.Name, Prefix: c.Prefix, Trusted: c.Trusted,
		Resources: c.Resources, MaxResourceLength: c.MaxResourceLength, MaxOutput: c.MaxOutput,
		CallTimeout:    time.Duration(c.CallTimeoutMS) * time.Millisecond,
		ConnectTimeout: time.Duration(c.ConnectTimeoutMS) * time.Millisecond,
		Filter:         filterOf(c),
	}
	if c.Stdio != nil {
		cfg.Stdio = &config.Stdio{Command: c.Stdio.Command, Args: c.Stdio.Args, Env: c.Stdio.Env}
	}
	if c.HTTP != nil {
		cfg.StreamableHTTP = &config.StreamableHTTP{URL: c.HTTP.URL, Headers: c.HTTP.Headers}
	}
	if c.SSE != nil {
		cfg.SSE = &config.SSE{URL: c.SSE.URL, Headers: c.SSE.Headers}
	}
	if c.TypedNil {
		cfg.StreamableHTTP = (*config.StreamableHTTP)(nil)
	}
	return cfg
}

func filterOf(c kit.Config) filter.Filter {
	var fs []filter.Filter
	if c.Allow != nil {
		fs = append(fs, filter.Allow(*c.Allow...))
	}
	if c.Deny != nil {
		fs = append(fs, filter.Deny(*c.Deny...))
	}
	if fs == nil {
		return nil
	}
	return filter.And(fs...)
}

func optionsOf(c kit.Config) []toolset.Option {
	var opts []toolset.Option
	if c.Dynamic() {
		opts = append(opts, toolset.WithHeaderProvider(func(ctx context.Context) (http.Header, error) {
			h := http.Header{}
			values, err := c.Headers(ctx)
			for k, v := range values {
				h.Set(k, v)
			}
			return h, err
		}))
	}
	if c.IdentityByUser {
		opts = append(opts, toolset.WithIdentity(func(ctx context.Context, _ http.Header) string { return kit.User(ctx) }))
	}
	return opts
}

// Params is the schema in the definition that a model gets by default.
func (s set) Params(t tools.Tool) any {
	defs := toolset.Definitions([]tools.Tool{t})
	if len(defs) != 1 {
		return nil
	}
	return defs[0].Function.Parameters
}

func (s set) Report() []string {
	var out []string
	for _, w := range s.Toolset.Report().Warnings {
		out = append(out, w.String())
	}
	return out
}

func (s set) Bind(m llms.Model, ts []tools.Tool) llms.Model { return toolset.Bind(m, ts) }

// Show is what a user might print.
func (s set) Show() []any { return []any{s.cfg, &s.cfg, s.Toolset, s} }
