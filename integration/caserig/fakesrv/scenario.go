package fakesrv

import "encoding/json"

// Raw is JSON written as it is, without any reformatting.
type Raw = json.RawMessage

// Scenario is the whole behaviour of one server. The zero value is a plain
// server of protocol version 2025-06-18 without tools.
type Scenario struct {
	Discover      Raw            `json:"discover,omitempty"`       // result of server/discover; none = method not found
	IgnoreUnknown bool           `json:"ignore_unknown,omitempty"` // never answer unknown methods, server/discover included
	Initialize    Raw            `json:"initialize,omitempty"`     // result of initialize; none = a plain server
	Capabilities  Raw            `json:"capabilities,omitempty"`   // capabilities in the default result of initialize
	Tools         []Raw          `json:"tools,omitempty"`          // one page of tools
	Pages         map[string]Raw `json:"pages,omitempty"`          // results of tools/list by cursor; "" is the first
	Resources     Raw            `json:"resources,omitempty"`      // result of resources/list; none = method not found
	Templates     Raw            `json:"templates,omitempty"`      // result of resources/templates/list; none = method not found
	Reads         map[string]Raw `json:"reads,omitempty"`          // results of resources/read by URI
	Rules         []Rule         `json:"rules,omitempty"`          // the first that matches wins over all of the above
	Session       Session        `json:"session,omitzero"`
	Auth          *Auth          `json:"auth,omitempty"`
	DeleteStatus  int            `json:"delete_status,omitempty"` // HTTP status of the session DELETE; 0 = 200
	CloseIdleMS   int            `json:"close_idle_ms,omitempty"` // SSE: the stream ends after this time without a message
	Swap          bool           `json:"swap,omitempty"`          // streamable HTTP at /sse, SSE at /mcp
	Stdio         Stdio          `json:"stdio,omitzero"`
}

// Rule says what happens to the messages it matches. All conditions that are
// set must hold.
type Rule struct {
	Method string `json:"method,omitempty"` // JSON-RPC method, or GET and DELETE for the plain HTTP requests
	Tool   string `json:"tool,omitempty"`   // tools/call of this tool
	Phase  int    `json:"phase,omitempty"`  // only in this phase, see [SetPhase]
	From   int    `json:"from,omitempty"`   // from the n-th message that matches, counted from 1
	To     int    `json:"to,omitempty"`     // up to the n-th; 0 = no end; only with From

	NoEffect   bool   `json:"no_effect,omitempty"` // the tool is refused before it runs: no side effect is counted
	Before     []Raw  `json:"before,omitempty"`    // messages sent before the answer
	DelayMS    int    `json:"delay_ms,omitempty"`
	Result     Raw    `json:"result,omitempty"`
	Error      Raw    `json:"error,omitempty"`     // JSON-RPC error object
	Counter    bool   `json:"counter,omitempty"`   // text content: the number of calls in this session
	Text       string `json:"text,omitempty"`      // text content
	FillChar   string `json:"fill_char,omitempty"` // text content: FillN times FillChar
	FillN      int    `json:"fill_n,omitempty"`
	NextCursor bool   `json:"next_cursor,omitempty"` // tools/list: one fresh tool and an ever new cursor

	Status   int               `json:"status,omitempty"` // HTTP: Status, Body and Headers instead of an answer
	Body     string            `json:"body,omitempty"`
	Headers  map[string]string `json:"headers,omitempty"`
	Redirect bool              `json:"redirect,omitempty"` // HTTP: 307 to the second listener, under another host name

	Silent    bool   `json:"silent,omitempty"`     // never answer, keep the connection
	Drop      bool   `json:"drop,omitempty"`       // cut the connection instead of an answer (stdio: exit)
	DropAfter int    `json:"drop_after,omitempty"` // cut it after n bytes of the answer
	RawBody   string `json:"raw_body,omitempty"`   // these bytes instead of the whole JSON-RPC answer
	EndStream bool   `json:"end_stream,omitempty"` // SSE: end the stream and forget the session instead of an answer
	Stream    bool   `json:"stream,omitempty"`     // streamable HTTP: answer as an event stream with keep-alive comments
	WriteFile string `json:"write_file,omitempty"` // HTTP: first write WriteText to this file beside the log (a token that was renewed)
	WriteText string `json:"write_text,omitempty"`
}

// Session is how the streamable HTTP server treats sessions.
type Session struct {
	None          bool   `json:"none,omitempty"`           // hand out no session id
	ExpireCalls   int    `json:"expire_calls,omitempty"`   // forget a session after n tools/call in it
	ExpireTimes   int    `json:"expire_times,omitempty"`   // only the first n sessions expire; 0 = all
	UnknownStatus int    `json:"unknown_status,omitempty"` // status for an unknown session id; 0 = 404
	UnknownBody   string `json:"unknown_body,omitempty"`
	BindHeader    string `json:"bind_header,omitempty"` // 403 when this header is not what it was at initialize
}

// Auth answers 401 to every request whose header has another value.
type Auth struct {
	Header string `json:"header"`
	Value  string `json:"value"`
}

// Stdio is how the child process misbehaves.
type Stdio struct {
	Noise       []string `json:"noise,omitempty"`         // lines on stdout before anything else
	StderrBytes int      `json:"stderr_bytes,omitempty"`  // so many bytes on stderr before the first answer
	Stderr      string   `json:"stderr,omitempty"`        // text on stderr at start
	Exit        *int     `json:"exit,omitempty"`          // exit at once with this code
	NoReadAfter string   `json:"no_read_after,omitempty"` // stop reading stdin after this method was answered
	NoReadMS    int      `json:"no_read_ms,omitempty"`    // ... for this long
	IgnoreEOF   bool     `json:"ignore_eof,omitempty"`
	IgnoreTerm  bool     `json:"ignore_term,omitempty"`
	DieUnknown  bool     `json:"die_unknown,omitempty"` // exit on a method that is not known
	Grandchild  bool     `json:"grandchild,omitempty"`  // start a process that outlives this one
	LogEnv      bool     `json:"log_env,omitempty"`
}
