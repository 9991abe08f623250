package main

import (
	"context"
	"fmt"
	"runtime"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcptoolset/mcptoolset/toolset"
)

const (
	readyPlain = 1.0
	heldWire   = 2.5
	flat       = 1.1 // what "does not grow" means: a ratio
)

// ready compares the way from nothing to a list of tools.
func ready(l *lab) ([]figure, error) {
	w, err := l.web()
	if err != nil {
		return nil, err
	}
	var figures []figure
	for _, era := range []struct{ name, version string }{{"legacy", legacy}, {"modern", modern}, {"any", ""}} {
		for _, tools := range []int{1, 100, 1000} {
			url := w.url(tools)
			m, err := l.takeTurns(contenders{
				{name: ours, call: func(ctx context.Context) error { return listOnce(ctx, url, era.version) }},
				{name: plain, call: func(ctx context.Context) error { return listPlainOnce(ctx, url, era.version) }},
			})
			if err != nil {
				return nil, err
			}
			figures = append(figures, m.against(fmt.Sprintf("ready-%s-%d", era.name, tools), plain, readyPlain))
		}
	}
	return figures, nil
}

func listOnce(ctx context.Context, url, version string) error {
	ts, err := open(oursHTTP(url, version))
	if err != nil {
		return err
	}
	defer ts.Close()
	_, err = ts.Tools(ctx)
	return err
}

func listPlainOnce(ctx context.Context, url, version string) error {
	c, err := dialPlainHTTP(ctx, url, version)
	if err != nil {
		return err
	}
	defer c.Close()
	_, err = c.ListTools(ctx, mcp.ListToolsRequest{})
	return err
}

// held is the memory of a thousand tools that are ready, beside their bytes on
// the wire.
func held(l *lab) ([]figure, error) {
	const tools = 1000
	w, err := l.web()
	if err != nil {
		return nil, err
	}
	wire, err := wireBytes(l.ctx, w.url(tools))
	if err != nil {
		return nil, err
	}
	var ts *toolset.Toolset
	var listed any
	mine, err := l.memory(func() error {
		if ts, err = open(oursHTTP(w.url(tools), modern)); err != nil {
			return err
		}
		listed, err = ts.Tools(l.ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	runtime.KeepAlive(listed)
	_ = ts.Close()
	var c *client.Client
	theirs, err := l.memory(func() error {
		if c, err = dialPlainHTTP(l.ctx, w.url(tools), modern); err != nil {
			return err
		}
		listed, err = c.ListTools(l.ctx, mcp.ListToolsRequest{})
		return err
	})
	if err != nil {
		return nil, err
	}
	runtime.KeepAlive(listed)
	_ = c.Close()
	const mega = 1 << 20
	return []figure{{
		name: "held-1000-tools/wire", value: mine / float64(wire), bound: heldWire,
		note: fmt.Sprintf("ours %.1f MB, mcp-go %.1f MB, wire %.1f MB", mine/mega, theirs/mega, float64(wire)/mega),
	}}, nil
}

// memory is how many bytes are held after make that were not before.
func (l *lab) memory(make func() error) (float64, error) {
	before := inUse()
	err := make()
	return inUse() - before, err
}

// inUse is how many bytes are reachable.
func inUse() float64 {
	var m runtime.MemStats
	for range 3 { // finalizers and pools need more than one
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

const (
	few  = "few"
	many = "many"
)

// growthTools compares a call among many tools with one among few.
func growthTools(l *lab) ([]figure, error) {
	w, err := l.web()
	if err != nil {
		return nil, err
	}
	among := func(name string, tools int) func() (contender, error) {
		return func() (contender, error) {
			c, err := oursCalls(l.ctx, oursHTTP(w.url(tools), modern), toolEcho, echoArguments)
			c.name = name
			return c, err
		}
	}
	// Both lists are held; the server's own work on a call is the same.
	m, err := l.compare(rivals(among(few, 1), among(many, 5000)))
	if err != nil {
		return nil, err
	}
	return []figure{{name: "growth-tools-5000/1", value: m.ratio(many, few), bound: flat, note: m.note(many, few)}}, nil
}

// growthIdentities compares calls of many identities in turn with those of one.
func growthIdentities(l *lab) ([]figure, error) {
	w, err := l.web()
	if err != nil {
		return nil, err
	}
	const most = 1000
	of := func(name string, n int) func() (contender, error) {
		return func() (contender, error) {
			c, err := oursCalls(l.ctx, oursHTTP(w.url(0), legacy), toolEcho, echoArguments, identitiesInTurn(n))
			if err != nil {
				return c, err
			}
			c.name = name
			for range n { // each has its session then
				if err := c.call(l.ctx); err != nil {
					c.close()
					return c, err
				}
			}
			return c, nil
		}
	}
	m, err := l.compare(rivals(of(few, 1), of(many, most)))
	if err != nil {
		return nil, err
	}
	return []figure{{name: "growth-identities-1000/1", value: m.ratio(many, few), bound: flat, note: m.note(many, few)}}, nil
}
