package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/mcptoolset/mcptoolset/toolset"
)

const (
	recoveryHTTPMillis  = 10
	recoveryStdioMillis = 50
	probeSeconds        = 0.5
)

// timed is how many seconds do takes.
func timed(do func() error) (float64, error) {
	began := time.Now()
	err := do()
	return time.Since(began).Seconds(), err
}

// recoveryHTTP times the call after the server forgot the session.
func recoveryHTTP(l *lab) ([]figure, error) {
	w, err := l.web()
	if err != nil {
		return nil, err
	}
	c, err := oursCalls(l.ctx, oursHTTP(w.url(0), legacy), toolEcho, echoArguments)
	if err != nil {
		return nil, err
	}
	defer c.close()
	var seconds []float64
	for range l.pace.few {
		if err := w.forget(); err != nil {
			return nil, err
		}
		s, err := timed(func() error { return c.call(l.ctx) })
		if err != nil {
			return nil, err
		}
		seconds = append(seconds, s)
	}
	return []figure{{name: "recovery-http", value: median(seconds) * 1e3, unit: "ms", bound: recoveryHTTPMillis}}, nil
}

// recoveryStdio times the call after the child was killed, and the start of a
// child by itself.
func recoveryStdio(l *lab) ([]figure, error) {
	b, err := oursStdio(childStdio, "")
	if err != nil {
		return nil, err
	}
	ts, err := open(b)
	if err != nil {
		return nil, err
	}
	defer ts.Close()
	var calls, starts []float64
	for range l.pace.few {
		s, err := startChild(l.ctx)
		if err != nil {
			return nil, err
		}
		starts = append(starts, s)
		if s, err = callKilled(l.ctx, ts); err != nil {
			return nil, err
		}
		calls = append(calls, s)
	}
	call, start := median(calls), median(starts)
	return []figure{{
		name: "recovery-stdio", value: (call - start) * 1e3, unit: "ms", bound: recoveryStdioMillis,
		note: fmt.Sprintf("the call %s, of which a child's start and handshake %s", show(call), show(start)),
	}}, nil
}

func startChild(ctx context.Context) (float64, error) {
	var c *lines
	s, err := timed(func() (err error) {
		c, err = startLines(ctx)
		return err
	})
	if err == nil {
		c.close()
	}
	return s, err
}

// callKilled kills the server's child and times the next call.
func callKilled(ctx context.Context, ts *toolset.Toolset) (float64, error) {
	tool, err := ts.Tool(ctx, toolPID)
	if err != nil {
		return 0, err
	}
	text, err := tool.Call(ctx, "{}")
	if err != nil {
		return 0, err
	}
	pid, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil {
		return 0, err
	}
	if err := kill(ctx, pid); err != nil {
		return 0, err
	}
	return timed(func() error { return callTool(ctx, tool, "{}") })
}

// kill ends a process and waits until it is gone.
func kill(ctx context.Context, pid int) error {
	p, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	if err := p.Kill(); err != nil {
		return err
	}
	for range 2000 {
		if errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone) {
			return nil
		}
		select {
		case <-time.After(time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return errors.New("the child does not end")
}

// probeIgnored compares connecting to a server that ignores the era probe with
// connecting to it when its era is known.
func probeIgnored(l *lab) ([]figure, error) {
	var asked, known []float64
	for range min(l.pace.few, 5) {
		for version, seconds := range map[string]*[]float64{"": &asked, "2025-06-18": &known} {
			s, err := connectDeaf(l.ctx, version)
			if err != nil {
				return nil, err
			}
			*seconds = append(*seconds, s)
		}
	}
	return []figure{{
		name: "probe-ignored", value: median(asked) - median(known), unit: "s", bound: probeSeconds,
		note: fmt.Sprintf("connecting took %s, pinned %s", show(median(asked)), show(median(known))),
	}}, nil
}

func connectDeaf(ctx context.Context, version string) (float64, error) {
	b, err := oursStdio(childDeaf, version)
	if err != nil {
		return 0, err
	}
	ts, err := open(b)
	if err != nil {
		return 0, err
	}
	defer ts.Close()
	return timed(func() error { return ts.Connect(ctx) })
}
