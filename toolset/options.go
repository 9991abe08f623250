package toolset

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/tmc/langchaingo/callbacks"
	"github.com/tmc/langchaingo/tools"
)

// Option changes what New makes.
type Option func(*options)

type options struct {
	provider      func(context.Context) (http.Header, error)
	identity      func(context.Context, http.Header) string
	shared        []string
	logger        *slog.Logger
	callbacks     callbacks.Handler
	hook          ErrorHook
	clientName    string
	clientVersion string
	concurrent    int
	unchecked     bool
	uncheckedOut  bool
	readMore      bool
	bindings      map[string]*binding
	defaults      bool
	tasks         []string
	allTasks      bool
	safe          []string
	confirm       func(ctx context.Context, uri string) error
	progress      func(ctx context.Context, p Progress)
	extend        time.Duration
	stale         time.Duration
	elicit        ElicitationHandler
	modes         elicitationModes
	sample        SamplingHandler
	answerTime    time.Duration
	roots         []Root
	rooted        bool // servers are told of roots
	listen        bool
	onTools       func(context.Context, []tools.Tool, error)
	onResources   func(context.Context, []Resource, error)
	onPrompts     func(context.Context, []Prompt, error)
	serverLogger  *slog.Logger

	faults []error
}

func (o *options) fault(format string, a ...any) {
	o.faults = append(o.faults, fmt.Errorf(format, a...))
}

// WithHeaderProvider has provider asked for HTTP headers before each
// operation (a listing, a call, a read), once, with that operation's context.
// They go on every request of the operation and override the configured
// headers of the same name, whatever its case. By default only the configured
// headers are sent; nil is that default.
//
// An error of provider stops the operation and is returned; a panic becomes
// an error. It has as long as the connect limit. After a refusal with 401 or 403
// provider is asked once more. It may be called concurrently. A server in the same process reads the headers
// by [HeadersFromContext]; one in a child process never sees them, which the
// Report says.
func WithHeaderProvider(provider func(ctx context.Context) (http.Header, error)) Option {
	return func(o *options) { o.provider = provider }
}

// WithIdentity names the caller of an operation, given its headers. Operations
// with the same name share a session and a list of tools, those with different
// names never do. Use it where a user's token changes. By default, and for
// nil, the identity is a hash of all headers but traceparent, tracestate,
// baggage, X-Request-Id, X-Correlation-Id and those of [WithSharedHeaders].
//
// Since protocol version 2026-07-28 there are no sessions: one connection
// serves all, and headers travel with each request.
func WithIdentity(identity func(ctx context.Context, headers http.Header) string) Option {
	return func(o *options) { o.identity = identity }
}

// WithSharedHeaders names headers that differ from call to call without making
// another caller of it, in addition to those of tracing. It overrides nothing;
// with [WithIdentity] it has no effect.
func WithSharedHeaders(names ...string) Option {
	return func(o *options) { o.shared = append(o.shared, names...) }
}

// WithLogger has the toolset log to logger: warnings as in the Report at level
// Warn, what happens to connections and the lines of a child's stderr at level
// Debug. Arguments, results and secrets are not logged. Whatever is logged waits
// for logger, which may use the toolset; a panic of its handler is contained. By
// default, and for nil, nothing is.
func WithLogger(logger *slog.Logger) Option {
	return func(o *options) { o.logger = logger }
}

// WithCallbacksHandler has handler told of each call of a tool: its
// HandleToolStart with the model's text, then exactly one of HandleToolEnd with
// the observation and HandleToolError. HandleToolError is called for every
// failure, although the agent gets an observation for most. [CallFromContext]
// gives the server and the tool. By default, and for nil, nobody is told.
func WithCallbacksHandler(handler callbacks.Handler) Option {
	return func(o *options) { o.callbacks = handler }
}

// ErrorHook decides what becomes of a failed call. err is an *Error,
// observation what the agent would be told; it is empty where the failure
// would be returned as an error. What the hook returns is what Call returns.
type ErrorHook func(ctx context.Context, err error, observation string) (string, error)

// WithErrorHook has hook decide what becomes of failed calls, except for the
// end of the caller's context and a closed toolset, which are always errors.
// To end a run on any failure:
//
//	toolset.WithErrorHook(func(_ context.Context, err error, _ string) (string, error) { return "", err })
//
// By default, and for nil, failures are observations, and a failing header
// provider is an error. The hook may be called concurrently.
func WithErrorHook(hook ErrorHook) Option {
	return func(o *options) { o.hook = hook }
}

// WithClientInfo sets the name and version the server is told of this client.
// By default they are "mcptoolset" and the module's version.
func WithClientInfo(name, version string) Option {
	return func(o *options) {
		if name == "" {
			o.fault("WithClientInfo: the name is empty")
		}
		o.clientName, o.clientVersion = name, version
	}
}

// WithMaxConcurrentCalls bounds the calls that run at a time; the others wait,
// with their own contexts and outside their call limit. What a handler of the
// owner's calls with the context of the call that it is asked for shares the
// place of that call. By default there is no bound.
func WithMaxConcurrentCalls(n int) Option {
	return func(o *options) {
		if n < 1 {
			o.fault("WithMaxConcurrentCalls: %d is not positive", n)
		}
		o.concurrent = n
	}
}

// WithoutArgumentCheck has arguments sent as the model wrote them, after they
// were read as a JSON object, for servers whose schemas are wrong. By default
// they are checked against the tool's input schema before the server is asked.
func WithoutArgumentCheck() Option {
	return func(o *options) { o.unchecked = true }
}

// WithoutOutputCheck has structured results taken as they come. By default they
// are checked against the tool's output schema where it has one: what does not
// fit is noted in one line at the end of the observation, which changes nothing
// about the rest of it, in [Result.Mismatches], and once per tool in the Report.
// A result that says that the tool failed is not checked, nor is one whose
// schema cannot be compiled, which the Report says too.
func WithoutOutputCheck() Option {
	return func(o *options) { o.uncheckedOut = true }
}

// WithDefaultArguments fills in the defaults of the tool's input schema for
// arguments the model left out. By default they are left to the server.
func WithDefaultArguments() Option {
	return func(o *options) { o.defaults = true }
}

// WithSafeTools names tools, by the server's own names, that do no harm when
// they run twice. A call of theirs is sent again, once, when the connection is
// lost before the answer. By default only the tools of a server that is
// configured as trusted are safe, those it says are read-only or idempotent;
// any other call is sent again only when the server certainly did not run it.
func WithSafeTools(names ...string) Option {
	return func(o *options) { o.safe = append(o.safe, names...) }
}

// WithResourceConfirmer has confirm asked before a model loads a resource, with
// the URI that would be sent to the server. An error declines: the model is
// told its text. A panic is a failure of the load, whose value the model is
// told. By default, and for nil, every resource may be loaded.
//
// confirm may be called concurrently, and may use the toolset. Its ctx ends with
// the caller's and with the call limit: the time a person takes counts. One that
// ignores that is left behind, and the load fails.
func WithResourceConfirmer(confirm func(ctx context.Context, uri string) error) Option {
	return func(o *options) { o.confirm = confirm }
}
