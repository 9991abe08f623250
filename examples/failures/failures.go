package main

import (
	"context"
	"net/http"
	"os"
	"time"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/filter"
	"github.com/mcptoolset/mcptoolset/toolset"
)

var failures = []failure{
	{"A configuration with faults", bad, nil},
	{"A command that does not exist", command("no-such-command"), list},
	{"A child process that exits", self("exits"), list},
	{"A child process that says nothing", silent, list},
	{"A server that cannot be reached", at("http://127.0.0.1:1/mcp"), list},
	{"A server that does not know the caller (401)", web(refusing(http.StatusUnauthorized, `{"message":"no token"}`)), list},
	{"A server that does not let the caller in (403)", web(refusing(http.StatusForbidden, `{"message":"key revoked"}`)), list},
	{"A user who does not let the program in", declined, list},
	{"A URL that is no MCP endpoint (404)", web(refusing(http.StatusNotFound, "<h1>Not Found</h1>")), list},
	{"A server that is broken (500)", web(refusing(http.StatusInternalServerError, "database is down")), list},
	{"A filter that keeps nothing", filtered, list},
	{"A tool the server does not have", self("serves"), find("multiply")},
	{"A tool that fails", self("serves"), call("divide", `{"a":7,"b":0}`)},
	{"Arguments that do not fit", self("serves"), call("divide", `{"a":"seven"}`)},
	{"A call that needs a page to be opened", older, call("sign_in", `{}`)},
	{"A call that takes too long", impatient, call("wait", `{}`)},
	{"A child process that dies in a call", self("serves"), call("die", `{}`)},
	{"A connection that breaks in a call", web(breaking), call("divide", `{"a":7,"b":2}`)},
	{"A server that is gone", web(working), callAfter(serverStops, "divide", `{"a":7,"b":2}`)},
	{"A toolset that is closed", self("serves"), callAfter(ownerCloses, "divide", `{"a":7,"b":2}`)},
}

// bad is a configuration with several faults.
func bad() (*config.Builder, func()) {
	return config.NewStreamableHTTP("host/mcp").Header("Authorization", "Bearer ${TOKEN}").MaxOutput(-1), func() {}
}

func command(name string, args ...string) func() (*config.Builder, func()) {
	return func() (*config.Builder, func()) { return config.NewStdio(name, args...), func() {} }
}

// self is this program as a child process that behaves as told.
func self(behaviour string) func() (*config.Builder, func()) {
	return func() (*config.Builder, func()) {
		name, err := os.Executable()
		if err != nil {
			panic(err) // no system this can run on
		}
		return config.NewStdio(name, asChild, behaviour).Name("demo"), func() {}
	}
}

func silent() (*config.Builder, func()) {
	b, stop := self("silent")()
	return b.ConnectTimeout(5 * time.Second), stop
}

func impatient() (*config.Builder, func()) {
	b, stop := self("serves")()
	return b.CallTimeout(500 * time.Millisecond), stop
}

// older has mcp-go's server speak the version in which it refuses such calls.
func older() (*config.Builder, func()) {
	b, stop := self("serves")()
	return b.ProtocolVersion("2025-11-25"), stop
}

func filtered() (*config.Builder, func()) {
	b, stop := self("serves")()
	return b.Filter(filter.Allow("multiply", "add")), stop
}

func at(url string) func() (*config.Builder, func()) {
	return func() (*config.Builder, func()) { return config.NewStreamableHTTP(url), func() {} }
}

// list asks for the tools.
func list(ctx context.Context, ts *toolset.Toolset, _ func()) (string, error) {
	_, err := ts.Tools(ctx)
	return "", err
}

type use = func(ctx context.Context, ts *toolset.Toolset, stop func()) (string, error)

// find asks for one tool.
func find(name string) use {
	return func(ctx context.Context, ts *toolset.Toolset, _ func()) (string, error) {
		_, err := ts.Tool(ctx, name)
		return "", err
	}
}

// call calls a tool as an agent does.
func call(name, input string) use { return callAfter(nothing, name, input) }

// callAfter has something happen between the listing and the call.
func callAfter(happens func(ts *toolset.Toolset, stop func()), name, input string) use {
	return func(ctx context.Context, ts *toolset.Toolset, stop func()) (string, error) {
		tool, err := ts.Tool(ctx, name)
		if err != nil {
			return "", err
		}
		happens(ts, stop)
		return tool.Call(ctx, input)
	}
}

func nothing(*toolset.Toolset, func())            {}
func serverStops(_ *toolset.Toolset, stop func()) { stop() }
func ownerCloses(ts *toolset.Toolset, _ func())   { _ = ts.Close() }
