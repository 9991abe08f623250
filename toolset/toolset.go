package toolset

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"golang.org/x/sync/semaphore"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/internal/session"
	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// Toolset is the tools of one MCP server. It is made by [New], ended by
// [Toolset.Close], and may be used concurrently.
type Toolset struct {
	cfg    config.Config
	o      options
	log    *slog.Logger
	pool   *session.Pool
	places *semaphore.Weighted // nil: calls are not bounded
	cache  *answerCache
	own    []*Tool   // the tools for resources, where the configuration asks for them
	kept   *keeper   // what was cut; nil: nothing is kept
	more   *Tool     // the tool that reads on in it
	roots  *rootList // nil: servers are not told of roots
	off    switches
	visits visits // of users to pages
	tasks  chores
	tally  tallies
	// profiles are those that models were shown definitions in.
	profiles sync.Map

	life context.Context // ends with Close
	end  context.CancelFunc

	subscriptions subscriptions

	mu      sync.Mutex
	report  Report
	remarks []Warning // what calls found
	// findings are what was found on the other lists, by their methods.
	findings map[string][]Warning
	closed   bool
}

// New makes a Toolset of a configuration, which it copies. It does no I/O:
// the first use connects. The error names every fault of cfg and opts.
func New(cfg config.Config, opts ...Option) (*Toolset, error) {
	o := options{clientName: "mcptoolset", clientVersion: moduleVersion()}
	for _, opt := range opts {
		if opt != nil {
			opt(&o)
		}
	}
	if err := errors.Join(append([]error{cfg.Validate()}, o.faults...)...); err != nil {
		return nil, fmt.Errorf("toolset: %w", err)
	}
	o.seal()
	ts := &Toolset{cfg: cfg.WithDefaults(), o: o, log: loggerOf(o.logger), findings: map[string][]Warning{}}
	ts.log = ts.log.With("server", ts.cfg.Name)
	if o.concurrent > 0 {
		ts.places = semaphore.NewWeighted(int64(o.concurrent))
	}
	ts.cache = newCache(o.stale)
	ts.life, ts.end = context.WithCancel(context.Background())
	ts.own = ts.resourceTools()
	if o.readMore {
		ts.kept = newKeeper()
		ts.more = ts.moreTool()
	}
	if o.rooted {
		ts.roots = &rootList{roots: o.roots}
	}
	ts.pool = session.New(session.Options{
		Config: ts.cfg, Provider: o.provider, Identity: o.identity, Shared: o.shared,
		ClientInfo: mcp.Implementation{Name: o.clientName, Version: o.clientVersion},
		Asks:       ts.asks(),
		Logger:     ts.log, Listen: o.listens(), LogLevel: o.logLevel(),
		OnNotification: ts.notified, OnChange: ts.changed, OnGone: ts.cache.lost, OnDenied: ts.cache.revoke,
	})
	return ts, nil
}

// moduleVersion is the version this module was built at, as far as the build
// knows it.
func moduleVersion() string {
	const path = "github.com/mcptoolset/mcptoolset"
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	for _, module := range append(info.Deps, &info.Main) {
		if module.Path == path && module.Version != "" {
			return module.Version
		}
	}
	return "(devel)"
}

// Connect connects now rather than at the first use, within the connect limit
// and ctx. The session does not depend on ctx afterwards. The error is an
// [*Error], which holds what a child process wrote to stderr and its exit
// code, or the HTTP status and the head of the body.
func (ts *Toolset) Connect(ctx context.Context) error {
	_, err := ts.ServerInfo(ctx)
	return err
}

// ServerInfo is what a server says of itself.
type ServerInfo struct {
	// Name and Version are the server's own; Title is its name for people.
	Name, Title, Version string
	// ProtocolVersion is the negotiated version of MCP.
	ProtocolVersion string
	// Instructions are the server's words on how to use it, for a prompt.
	// They are text of a stranger: {{ in them must be escaped before they
	// become part of a LangChainGo template, as prompts.Instructions does.
	Instructions string
	// Capabilities are what the server declares.
	Capabilities mcp.ServerCapabilities
}

// Modern reports whether the server speaks the protocol without sessions that
// began with version 2026-07-28.
func (i ServerInfo) Modern() bool { return mcp.IsModernProtocol(i.ProtocolVersion) }

// ServerInfo connects where needed and returns what the server says of itself.
// The error is an [*Error].
func (ts *Toolset) ServerInfo(ctx context.Context) (ServerInfo, error) {
	began := time.Now()
	if err := ts.open(ctx); err != nil {
		return ServerInfo{}, ts.fault(StageConnect, "", began, err)
	}
	op, err := ts.pool.Begin(ctx)
	if err != nil {
		return ServerInfo{}, ts.fault(StageHeaders, "", began, err)
	}
	info, err := op.Info(ctx)
	if err != nil {
		return ServerInfo{}, ts.fault(StageConnect, "", began, err)
	}
	return ServerInfo{
		Name: info.Name, Title: info.Title, Version: info.Version, ProtocolVersion: info.ProtocolVersion,
		Instructions: info.Instructions, Capabilities: info.Capabilities,
	}, nil
}

// Refresh drops everything that is cached, for all identities: the next use
// asks the server again. It does no I/O.
func (ts *Toolset) Refresh() { ts.cache.forgetAll() }

// Report tells what the last listing found, whichever identity it was for, and
// what calls have found since the toolset was made.
func (ts *Toolset) Report() Report {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	report := ts.report
	report.Warnings = slices.Concat(ts.standing(), report.Warnings)
	for _, list := range slices.Sorted(maps.Keys(ts.findings)) {
		report.Warnings = append(report.Warnings, ts.findings[list]...)
	}
	report.Warnings = append(report.Warnings, ts.remarks...)
	return report
}

// standing are the warnings that no listing finds.
func (ts *Toolset) standing() []Warning {
	var warnings []Warning
	if ts.o.provider != nil && ts.pool.Kind() == wire.Stdio {
		warnings = append(warnings, Warning{Reason: "a header provider was given, but a child process has no headers: it is never asked"})
	}
	if ts.asks() != nil && ts.pool.Kind() == wire.SSE {
		warnings = append(warnings, Warning{Reason: "over SSE a server's questions cannot be answered: it is told of no handlers and no roots"})
	}
	if missing := ts.pool.Unheard(); !missing.Empty() {
		warnings = append(warnings, Warning{Reason: "the server does not tell of all that it was asked for: " + missing.String()})
	}
	return warnings
}

// maxRemarks bounds what is remembered of what calls found.
const maxRemarks = 1000

// remark adds a warning to the report, once.
func (ts *Toolset) remark(w Warning) {
	ts.mu.Lock()
	known := slices.Contains(ts.remarks, w) || len(ts.remarks) >= maxRemarks
	if !known {
		ts.remarks = append(ts.remarks, w)
	}
	ts.mu.Unlock()
	if !known {
		ts.log.Warn(w.Reason, "tool", w.Tool)
	}
}

// patience is how long Close waits for what has ended with the sessions. The
// owner's logger may hold it up, or be who closes.
const patience = 10 * time.Second

// taskPatience is how long Close lets servers be told that their tasks are
// given up.
const taskPatience = 2 * time.Second

// Close ends every session, child processes included, and waits for what they
// started, within a bound of some seconds. Calls in flight end with
// [ErrClosed]; those that run as tasks are cancelled. It is idempotent; later
// calls return the same. A server that refuses the end of a session and a child
// that had to be killed are no errors; a handler of a server in the same process
// that ignores its context is left behind, and is one, as is a handler of the
// owner's that does not return. So a handler of progress, of changes or of log
// messages that wants to close its toolset does that in another goroutine: it
// would wait for itself until that bound.
func (ts *Toolset) Close() error {
	ts.mu.Lock()
	ts.closed = true
	ts.mu.Unlock()
	ts.end()
	ts.tasks.close(taskPatience)
	err := ts.pool.Close()
	ts.tasks.close(patience)
	ts.cache.close()
	if ts.kept != nil {
		ts.kept.close()
	}
	if err != nil {
		return fmt.Errorf("MCP server %q: close: %w", ts.cfg.Name, err)
	}
	return nil
}

// open refuses to begin what could only fail.
func (ts *Toolset) open(ctx context.Context) error {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if ts.closed {
		return ErrClosed
	}
	return ctx.Err()
}

// ServerName is the name that the configuration gives the server.
func (ts *Toolset) ServerName() string { return ts.cfg.Name }

// String names the server and the kind of its connection.
func (ts *Toolset) String() string {
	return fmt.Sprintf("MCP toolset %q over %v", ts.cfg.Name, ts.pool.Kind())
}

// GoString is String: a Toolset holds secrets.
func (ts *Toolset) GoString() string { return ts.String() }

// Format writes String for every verb, so that no secret is printed.
func (ts *Toolset) Format(f fmt.State, _ rune) { fmt.Fprint(f, ts.String()) }

// LogValue implements slog.LogValuer.
func (ts *Toolset) LogValue() slog.Value { return slog.StringValue(ts.String()) }
