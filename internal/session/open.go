package session

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"net/url"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/internal/httpx"
	"github.com/mcptoolset/mcptoolset/internal/inprocess"
	"github.com/mcptoolset/mcptoolset/internal/proc"
	"github.com/mcptoolset/mcptoolset/internal/stdio"
	"github.com/mcptoolset/mcptoolset/internal/streamable"
	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// quiet takes the log of mcp-go's transports, which writes to slog.Default
// and may hold URLs. What matters of it comes back as errors.
var quiet = slog.New(slog.DiscardHandler)

// never is a time limit of mcp-go's that is not to apply: limits are ours.
const never = time.Duration(math.MaxInt64)

// open makes a transport, connects and shakes hands. It leaves nothing behind
// when it fails.
func (p *Pool) open(ctx context.Context, a *attempt, skipProbe bool) (*live, bool, error) {
	l := newLive(p, a)
	l.level = p.logLevel()
	o := wire.Options{
		Kind: p.kind, Headers: a.headers, ClientInfo: p.o.ClientInfo,
		Version: p.o.Config.ProtocolVersion, SkipProbe: skipProbe,
		LogLevel:       l.level,
		Asks:           p.asks(),
		OnNotification: func(n wire.Notice) { p.notified(l, n) },
		OnChange:       func(n wire.Notice) { p.changed(l, n) },
		OnGone:         func() { p.gone(l) },
	}
	if err := p.prepare(l, &o); err != nil {
		return nil, false, err
	}
	a.process.Store(l.process)
	conn, probed, err := wire.Dial(ctx, o)
	if err != nil {
		return nil, probed, p.abandon(l, l.withoutSecrets(a.headers, err))
	}
	l.conn = conn
	l.hesitate(ctx)
	if !conn.Info().Modern() {
		err := l.withoutSecrets(a.headers, conn.SetLogLevel(httpx.WithHeaders(ctx, a.headers), o.LogLevel))
		a.say(func() { p.note("asking for log messages", err) })
	}
	return l, probed, nil
}

// prepare fills in what is particular to the kind.
func (p *Pool) prepare(l *live, o *wire.Options) (err error) {
	c := &p.o.Config
	switch p.kind {
	case wire.Stdio:
		o.Transport, err = p.child(l, c.Stdio)
		o.Ended = func(ctx context.Context) error { return p.ended(ctx, l) }
	case wire.SSE:
		at, client, err := p.web(l, c.SSE.URL, c.SSE.HTTPClient, o.Headers)
		if err != nil {
			return err
		}
		o.Transport, err = transport.NewSSE(at, transport.WithHTTPClient(client), transport.WithSSELogger(quiet),
			transport.WithEndpointTimeout(never), transport.WithResponseTimeout(never))
		return err
	case wire.StreamableHTTP:
		at, client, err := p.web(l, c.StreamableHTTP.URL, c.StreamableHTTP.HTTPClient, o.Headers)
		if err != nil {
			return err
		}
		options := []transport.StreamableHTTPCOption{transport.WithHTTPLogger(quiet)}
		if l.listens {
			l.http.WatchListening(p.watch(l))
			options = append(options, transport.WithContinuousListening())
		}
		o.Transport, err = streamable.New(at, client, options...)
		return err
	case wire.InProcess:
		o.Transport = inprocess.New(c.InProcess.Server)
	}
	return err
}

// web prepares an HTTP connection and returns the address without the user,
// whom the RoundTripper adds.
func (p *Pool) web(l *live, address string, owner *http.Client, headers http.Header) (string, *http.Client, error) {
	at, err := url.Parse(address)
	if err != nil {
		return "", nil, errors.New("the URL cannot be read") // its text may hold secrets
	}
	l.http = httpx.New(p.base, at, p.kind == wire.SSE, headers)
	if p.o.MaxMessage > 0 {
		l.http.LimitMessages(p.o.MaxMessage)
	}
	plain := *at
	plain.User = nil
	return plain.String(), l.http.Client(owner), nil
}

// child starts the server's process.
func (p *Pool) child(l *live, c *config.Stdio) (transport.Interface, error) {
	child, err := proc.Start(proc.Spec{Command: c.Command, Args: c.Args, Env: c.Env, Inherit: c.InheritEnv, Dir: c.Dir,
		StderrLine: func(line string) { p.o.Logger.Debug("stderr", "line", p.redact(line)) }})
	if err != nil {
		return nil, err
	}
	l.process, l.secrets = child, p.environment()
	l.stdio = stdio.New(child.Stdout(), stdin{child}, stdio.Options{MaxMessage: p.o.MaxMessage, OnStray: func(why, head string) {
		p.o.Logger.Debug("stdout", "unused", why, "line", p.redact(head))
	}})
	return l.stdio, nil
}

// stdin is a child's stdin for its transport.
type stdin struct{ child *proc.Process }

func (s stdin) WriteFrame(message []byte) (stdio.Frame, error) {
	frame, err := s.child.WriteFrame(message)
	if err != nil {
		return nil, err // not a *proc.Frame that is nil
	}
	return frame, nil
}

func (s stdin) Done() <-chan struct{} { return s.child.StdinDone() }
func (s stdin) Close() error          { return s.child.Stdin().Close() }

// goodbye is how long a child that has ended its output may take to exit.
const goodbye = time.Second

// ended waits for the child's end, or for that of its output.
func (p *Pool) ended(ctx context.Context, l *live) error {
	select {
	case <-l.process.Done():
		return p.farewell(l, errEnded)
	case <-l.stdio.Done():
	case <-ctx.Done():
		return nil
	}
	if err := l.stdio.Err(); err != nil {
		return p.farewell(l, err)
	}
	exit := time.NewTimer(goodbye)
	defer exit.Stop()
	select {
	case <-l.process.Done():
		return p.farewell(l, errEnded)
	case <-exit.C:
		return p.farewell(l, errSilent)
	case <-ctx.Done():
		return nil
	}
}

var (
	errEnded  = errors.New("the server's process ended")
	errSilent = errors.New("the server's process closed its output")
)

// farewell adds to err what the child said and how it ended.
func (p *Pool) farewell(l *live, err error) error {
	var told *ProcessError
	if l.process == nil || errors.As(err, &told) {
		return err
	}
	code, signal, exited := l.process.Exit()
	return &ProcessError{Err: err, Exited: exited, Code: code, Signal: signal, Stderr: p.redact(l.process.Stderr())}
}

// abandon ends a session that did not come to be.
func (p *Pool) abandon(l *live, err error) error {
	close(l.placed)
	err = p.farewell(l, err)
	if l.process != nil {
		if failed := l.process.Close(); failed != nil {
			err = fmt.Errorf("%w; ending its process: %w", err, failed)
		}
		<-l.stdio.Done()
	}
	return err
}
