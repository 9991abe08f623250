package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcptoolset/mcptoolset/internal/httpx"
)

// Options say what to connect over and as whom.
type Options struct {
	// Transport is the mcp-go transport, not started. The Conn owns it.
	Transport transport.Interface
	// Kind is the transport's kind.
	Kind Kind
	// Headers are those of the connection itself: its handshake and streams.
	Headers http.Header
	// ClientInfo is who we say we are.
	ClientInfo mcp.Implementation
	// Version pins the protocol version. Empty negotiates the newest.
	Version string
	// SkipProbe goes straight to the initialize handshake of versions before
	// 2026-07-28, for servers known to speak those or not to bear the probe.
	SkipProbe bool
	// Ended, where set, waits until the other side has ended and returns why,
	// or nil when ctx ends first.
	Ended func(ctx context.Context) error
	// Asks is what the server may ask of us; nil for nothing.
	Asks *Asks
	// OnGone, where set, is called once when the connection is lost or closed.
	OnGone func()
	// LogLevel asks for the server's log messages from this level of MCP's on;
	// empty asks for none.
	LogLevel mcp.LoggingLevel
	// OnNotification receives the server's notifications in order, one at a
	// time, off the read loop, but for those of progress. It may use the Conn.
	// While it is busy 1,024 wait; of more, the oldest log messages go first. A
	// notice of a change that waits already is not queued again.
	OnNotification func(Notice)
	// OnChange, where set, is told of the notifications of changes before they
	// wait for OnNotification. It must be quick and must not use the Conn.
	OnChange func(Notice)
}

// Info is what the server said of itself.
type Info struct {
	Name, Title, Version string
	ProtocolVersion      string
	Instructions         string
	Capabilities         mcp.ServerCapabilities
}

// Modern reports whether the connection speaks the protocol without sessions
// that began with 2026-07-28.
func (i Info) Modern() bool { return mcp.IsModernProtocol(i.ProtocolVersion) }

// Conn is one connection to a server after its handshake. It may be used
// concurrently.
type Conn struct {
	link    *link
	info    Info
	us      mcp.Implementation
	said    atomic.Pointer[json.RawMessage] // see meta
	flights flights
	life    context.Context
	end     context.CancelFunc
	finish  sync.Once
	result  error
}

// Dial starts the transport and shakes hands. ctx bounds that alone: the
// connection lives until Close. When Dial fails, nothing is left behind.
// probed reports whether the era probe was sent, so that a caller may try
// again without it.
func Dial(ctx context.Context, o Options) (c *Conn, probed bool, err error) {
	life, end := context.WithCancel(httpx.WithHeaders(context.Background(), o.Headers))
	c = &Conn{link: newLink(o.Kind, o.Transport, o.OnGone), us: o.ClientInfo, life: life, end: end}
	c.link.asked.asks, c.link.life = o.Asks, life
	c.link.queue.arrived = o.OnChange
	c.link.queue.handle(o.OnNotification)
	if o.Ended != nil {
		c.link.strays.run(func() {
			if cause := o.Ended(life); cause != nil {
				c.link.fail(cause)
			}
		})
	}
	stop := context.AfterFunc(ctx, end)
	err = c.shakeHands(httpx.WithHeaders(ctx, o.Headers), o)
	if !stop() && ctx.Err() != nil {
		err = ctx.Err()
	}
	if err != nil {
		err = c.explain(err, nil)
		_ = c.Close() // the failure that matters is err
		return nil, c.link.probe.asked, err
	}
	return c, c.link.probe.asked, nil
}

func (c *Conn) shakeHands(ctx context.Context, o Options) error {
	result, err := c.greet(ctx, o)
	if errors.Is(err, errModern) {
		result, err = c.greet(ctx, o)
	}
	if err != nil {
		return err
	}
	if o.Version != "" && result.ProtocolVersion != o.Version {
		return fmt.Errorf("the server speaks protocol version %s, not the pinned %s", result.ProtocolVersion, o.Version)
	}
	c.info = Info{
		Name: result.ServerInfo.Name, Title: result.ServerInfo.Title, Version: result.ServerInfo.Version,
		ProtocolVersion: result.ProtocolVersion, Instructions: result.Instructions, Capabilities: result.Capabilities,
	}
	return c.say(o.LogLevel)
}

// greet lets a new mcp-go Client start the transport and negotiate.
func (c *Conn) greet(ctx context.Context, o Options) (*mcp.InitializeResult, error) {
	options := []client.ClientOption{client.WithDiscoverTimeout(-1), client.WithProtocolVersion(o.Version)}
	if o.SkipProbe {
		options = append(options, client.WithLegacyProtocolOnly())
	}
	speaker := client.NewClient(c.link.forClient(), options...)
	if err := c.start(speaker); err != nil {
		return nil, err
	}
	var hello mcp.InitializeRequest
	hello.Params.ClientInfo = o.ClientInfo
	hello.Params.Capabilities = o.Asks.capabilities()
	return speaker.Initialize(ctx, hello)
}

// start starts the transport. mcp-go's SSE transport waits for the address of
// the messages even when the stream that was to name it has ended.
func (c *Conn) start(speaker *client.Client) error {
	started := make(chan struct{})
	defer close(started)
	go func() {
		select {
		case <-c.link.gone:
			c.end()
		case <-started:
		}
	}()
	return speaker.Start(c.life)
}

// Info returns what the server said of itself.
func (c *Conn) Info() Info { return c.info }

// Kind returns the connection's kind.
func (c *Conn) Kind() Kind { return c.link.kind }

// Gone is closed when the connection is lost or closed.
func (c *Conn) Gone() <-chan struct{} { return c.link.gone }

// Fail ends the connection with a cause, for who knows of its end otherwise,
// such as by a child's exit. The first cause stays.
func (c *Conn) Fail(cause error) { c.link.fail(cause) }

// Notify delivers a notification to Options.OnNotification as if the server had
// sent it by a stream for whose.
func (c *Conn) Notify(whose, method string, fields map[string]any) {
	n := Notice{Whose: whose}
	n.JSONRPC, n.Method, n.Params.AdditionalFields = mcp.JSONRPC_VERSION, method, fields
	c.link.queue.push(n)
}

// patience bounds how long Close waits for what it has ended.
const patience = 2 * time.Second

// ErrLeftBehind says that a handler ignored the end of its context.
var ErrLeftBehind = errors.New("a handler that ignores its context was left behind")

// Close ends the connection and everything in flight on it, of which the server
// is told where the end of the connection does not say it. It is bounded in
// time: a handler that ignores its context is left behind, which is the one
// error. Further calls return the same.
func (c *Conn) Close() error {
	c.finish.Do(func() {
		c.withdraw()
		c.end()
		_ = c.link.Close() // 404 or 405 to the DELETE, a child that is gone: closed is closed
		bound := time.NewTimer(patience)
		defer bound.Stop()
		select {
		case <-c.link.strays.close():
		case <-bound.C:
			c.result = ErrLeftBehind
		}
	})
	return c.result
}
