package session

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"net/http"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/internal/httpx"
	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// Options say how a Pool connects and as whom.
type Options struct {
	// Config is valid and has its defaults filled in.
	Config config.Config
	// Provider answers the headers of an operation; nil for none.
	Provider func(ctx context.Context) (http.Header, error)
	// Identity names the caller of an operation; nil takes a hash of its
	// headers.
	Identity func(ctx context.Context, headers http.Header) string
	// Shared are headers, besides those of tracing, that do not make another
	// identity.
	Shared []string
	// ClientInfo is who we say we are.
	ClientInfo mcp.Implementation
	// Logger is told what happens to sessions. It is never nil.
	Logger *slog.Logger
	// Asks is what servers may ask of us; nil for nothing. Over SSE nothing may
	// be asked, because mcp-go's transport cannot answer there.
	Asks *wire.Asks
	// Listen keeps a stream open for the server's notices where they do not come
	// without one, and opens lost sessions anew for them.
	Listen bool
	// LogLevel asks for the server's log messages from this level on; empty
	// asks for none.
	LogLevel mcp.LoggingLevel
	// OnNotification receives each notification of the server's, in the order
	// of its session, off the read loop; those of changes also where one may
	// have been missed.
	OnNotification func(Notice)
	// OnChange is told of the notices of changes at once, before they wait for
	// OnNotification. It must be quick; nil is nobody.
	OnChange func(Notice)
	// MaxMessage bounds one message of the server, in bytes; 0 is bound.Limit.
	MaxMessage int
	// OnGone is told that an identity's session is over, and with it whatever
	// was known by it; the empty identity stands for all. It must be quick.
	OnGone func(identity string)
	// OnDenied is told that the server refuses an identity, with 401 or 403 to an
	// operation or with 401 to its stream, and that the header provider had no
	// other headers. It must be quick; nil is nobody.
	OnDenied func(identity string)
}

const (
	// maxSessions bounds the identities that have a session at a time.
	maxSessions = 1000
	// maxIdle is how long an identity's unused session is kept.
	maxIdle = 15 * time.Minute
)

// patience bounds how long Close waits for what it has ended, beyond what that
// takes: the owner's logger may hold it up, or be who closes.
const patience = 10 * time.Second

// Pool holds the sessions of one server. It may be used concurrently.
type Pool struct {
	o      Options
	kind   wire.Kind
	static http.Header // those of the configuration
	nobody string      // the identity that they make
	base   http.RoundTripper
	own    bool // base is ours
	life   context.Context
	end    context.CancelFunc
	work   sync.WaitGroup // attempts and retirements

	mu        sync.Mutex
	entries   *simplelru.LRU[string, *entry]
	exploring *attempt // the first attempt, while the era is unknown
	known     bool     // the era is known
	modern    bool     // one session serves all identities
	skipProbe bool     // the server is better off without the era probe
	closed    bool
	closing   chan struct{}
	result    error

	subscriptions map[*Subscription]struct{}
	subscribers   map[string]int               // how many of them an identity has
	ears          *simplelru.LRU[string, *ear] // of those who share a session and are told apart
	level         mcp.LoggingLevel             // see Options.LogLevel
	used          *secrets                     // of headers
}

// entry is what an identity has.
type entry struct {
	live      *live
	pending   *attempt
	before    bool   // it had a session before
	last      caller // whose last use this is
	used      time.Time
	restraint restraint
}

// denied tells that the server refuses an identity.
func (p *Pool) denied(identity string) {
	if p.o.OnDenied != nil {
		p.o.OnDenied(identity)
	}
}

// caller is who used a session, and with what. An operation will not do: it
// changes.
type caller struct {
	headers  http.Header // nil for nobody
	identity string
}

// New returns a Pool. It does no I/O.
func New(o Options) *Pool {
	p := &Pool{
		o: o, entries: entries(), closing: make(chan struct{}),
		level: o.LogLevel, subscriptions: map[*Subscription]struct{}{}, subscribers: map[string]int{}, ears: ears(),
		used: newSecrets(),
	}
	p.life, p.end = context.WithCancel(context.Background())
	c := &o.Config
	switch {
	case c.Stdio != nil:
		p.kind, p.static = wire.Stdio, http.Header{}
	case c.SSE != nil:
		p.kind, p.static = wire.SSE, header(c.SSE.Headers)
		p.base, p.own = httpx.Base(c.SSE.HTTPClient)
	case c.StreamableHTTP != nil:
		p.kind, p.static = wire.StreamableHTTP, header(c.StreamableHTTP.Headers)
		p.base, p.own = httpx.Base(c.StreamableHTTP.HTTPClient)
	default:
		p.kind, p.static = wire.InProcess, http.Header{}
	}
	p.nobody = unnamed + fingerprint(p.static, o.Shared)
	p.used.note(p.static)
	return p
}

// entries is the empty table. Its bound is kept by sweep, because an entry
// must not go while its session is being opened.
func entries() *simplelru.LRU[string, *entry] {
	table, err := simplelru.NewLRU[string, *entry](math.MaxInt, nil)
	if err != nil {
		panic(err) // only for a size that is not positive
	}
	return table
}

func header(m map[string]string) http.Header {
	h := http.Header{}
	for name, value := range m {
		h.Set(name, value)
	}
	return h
}

// Kind returns the kind of the pool's connections.
func (p *Pool) Kind() wire.Kind { return p.kind }

// shared reports whether all identities use one session. The lock is held.
func (p *Pool) shared() bool {
	return p.kind == wire.Stdio || p.kind == wire.InProcess || p.modern
}

// acquire returns the live session of an operation's identity, which the
// caller must release. It opens one or waits for one being opened.
func (p *Pool) acquire(ctx context.Context, o *Operation) (*live, error) {
	for {
		l, a, err := p.find(o)
		if l != nil || err != nil {
			return l, err
		}
		select {
		case <-a.done:
		case <-ctx.Done():
			return nil, &ConnectError{p.interrupted(ctx, a)}
		}
		if a.err != nil && a.identity == o.identity {
			return nil, a.err
		}
	}
}

// find returns an identity's session or the attempt to wait for.
func (p *Pool) find(o *Operation) (*live, *attempt, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, nil, ErrClosed
	}
	e, err := p.entryFor(o)
	if err != nil {
		return nil, nil, err
	}
	if e.live != nil {
		if e.live.usable() {
			e.live.busy.Add(1)
			p.lend(e.live, o)
			return e.live, nil, nil
		}
		p.retire(e)
	}
	if e.pending == nil && p.exploring != nil {
		return nil, p.exploring, nil
	}
	if e.pending == nil {
		e.pending = p.attempt(o, e)
	}
	return nil, e.pending, nil
}

func (p *Pool) key(identity string) string {
	if p.shared() {
		return ""
	}
	return identity
}

// retire takes a session out. It is closed when those who use it are done, or
// with the pool. The lock is held.
func (p *Pool) retire(e *entry) {
	l := e.live
	e.live = nil
	p.work.Go(func() {
		idle := make(chan struct{})
		go func() { l.busy.Wait(); close(idle) }()
		select {
		case <-idle:
		case <-p.life.Done():
		}
		p.note("session closed", l.close())
		<-idle
	})
}

// entry returns that of an identity. The lock is held.
func (p *Pool) entry(key string) *entry {
	e, ok := p.entries.Get(key)
	if !ok {
		e = &entry{}
		p.entries.Add(key, e)
	}
	return e
}

// entryFor is the entry of an operation's identity, which it uses. The lock is
// held.
func (p *Pool) entryFor(o *Operation) (*entry, error) {
	key := p.key(o.identity)
	if o.aside {
		e, ok := p.entries.Peek(key)
		if !ok {
			return nil, errDropped
		}
		return e, nil
	}
	e := p.entry(key)
	e.used, e.last = time.Now(), caller{o.headers, o.identity}
	p.sweep()
	return e, nil
}

// sweep keeps the pool within its bounds. The lock is held. An entry whose
// session is being opened stays, and what is younger with it.
func (p *Pool) sweep() {
	for {
		key, e, ok := p.entries.GetOldest()
		few := p.entries.Len() <= maxSessions
		if !ok || e.pending != nil || few && time.Since(e.used) <= maxIdle {
			return
		}
		if few && len(p.uris(key)) > 0 {
			p.entry(key).used = time.Now() // a subscription uses it
			continue
		}
		if e.live != nil {
			p.retire(e)
		}
		p.entries.RemoveOldest()
	}
}

// discard takes a session out that turned out to be dead.
func (p *Pool) discard(l *live) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return
	}
	for _, e := range p.entries.Values() {
		if e.live == l {
			p.retire(e)
			return
		}
	}
}

// Close ends every session and waits for what they started, within a bound.
// Further calls wait for the first and return the same.
func (p *Pool) Close() error {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		<-p.closing
		return p.result
	}
	p.closed = true
	var open []*live
	for _, e := range p.entries.Values() {
		if e.live != nil {
			open = append(open, e.live)
		}
	}
	p.mu.Unlock()

	p.end()
	p.result = closeAll(open)
	if !wire.Rested(&p.work, patience) {
		p.result = errors.Join(p.result, wire.ErrLeftBehind)
	}
	if p.own {
		httpx.CloseIdle(p.base)
	}
	close(p.closing)
	return p.result
}

func closeAll(open []*live) error {
	results := make([]error, len(open))
	var all sync.WaitGroup
	for i, l := range open {
		all.Go(func() { results[i] = l.close() })
	}
	all.Wait()
	return errors.Join(results...)
}

func (p *Pool) note(message string, err error) {
	if err != nil {
		p.o.Logger.Warn(message, "error", err)
	}
}
