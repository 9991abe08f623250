package fakesrv

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Rec is one line of the wire log.
type Rec struct {
	T       int64             `json:"t"`  // Unix nanoseconds
	Ev      string            `json:"ev"` // one of the Ev constants
	Kind    string            `json:"kind,omitempty"`
	HTTP    string            `json:"http,omitempty"` // HTTP method
	Path    string            `json:"path,omitempty"`
	Host    string            `json:"host,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
	Session string            `json:"session,omitempty"`
	Method  string            `json:"method,omitempty"` // JSON-RPC method, or the HTTP method of a request without a message
	ID      string            `json:"id,omitempty"`
	Tool    string            `json:"tool,omitempty"`
	Raw     string            `json:"raw,omitempty"` // the message as it came in
	PID     int               `json:"pid,omitempty"`
	N       int               `json:"n,omitempty"` // EvEffect: the how-manieth
	Env     []string          `json:"env,omitempty"`
}

// What a line of the wire log tells.
const (
	EvStart      = "start"      // the server runs
	EvIn         = "in"         // a message or HTTP request came in
	EvOther      = "other"      // a request came in at the second listener
	EvEffect     = "effect"     // a tool ran
	EvSession    = "session"    // a session began
	EvClose      = "close"      // a session or stream ended
	EvForeign    = "foreign"    // a session was used under another header
	EvDisconnect = "disconnect" // the client left before the answer
	EvGrandchild = "grandchild" // a child of the server was started
)

type wireLog struct {
	path string
	mu   sync.Mutex
	file *os.File
}

func openLog(path string) (*wireLog, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	return &wireLog{path: path, file: f}, nil
}

func (l *wireLog) add(r Rec) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r.T = time.Now().UnixNano()
	line, err := json.Marshal(r)
	if err != nil {
		panic(err) // a Rec is strings and numbers
	}
	if _, err := l.file.Write(append(line, '\n')); err != nil {
		panic(err) // without its log the server proves nothing
	}
}

func phaseFile(log string) string { return log + ".phase" }

// SetPhase moves the server that writes the given log on to a phase. The phase
// is a file beside the log, because the server runs in another process.
func SetPhase(log string, n int) error {
	return os.WriteFile(phaseFile(log), []byte(strconv.Itoa(n)), 0o644)
}

// phase is 0 until SetPhase was called.
func (l *wireLog) phase() int {
	b, err := os.ReadFile(phaseFile(l.path))
	if err != nil {
		return 0
	}
	n, _ := strconv.Atoi(strings.TrimSpace(string(b)))
	return n
}
