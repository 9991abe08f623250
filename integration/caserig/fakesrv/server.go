package fakesrv

import (
	"encoding/json"
	"os"
	"strings"
	"sync"
)

// Server runs one scenario, over standard streams ([Server.Stdio]) or over
// HTTP ([Server.HTTP]).
type Server struct {
	sc  Scenario
	log *wireLog

	other string // base URL of the second HTTP listener

	mu       sync.Mutex
	hits     []int // matches of each rule so far
	effects  map[string]int
	sessions map[string]*session
	begun    int // sessions begun
	fresh    int // cursors made
}

// session is one client's session. Its counters are guarded by Server.mu.
type session struct {
	id    string
	bound string // value of Session.BindHeader at initialize
	calls int
	gone  bool

	out  chan []byte // SSE: messages for the stream
	done chan struct{}
	once sync.Once
}

func newSession(id, bound string) *session {
	return &session{id: id, bound: bound, out: make(chan []byte, 100), done: make(chan struct{})}
}

// end asks the session's stream to end.
func (s *session) end() { s.once.Do(func() { close(s.done) }) }

// Load reads a scenario file; the wire log is appended to the file logPath.
func Load(scenario, logPath string) (*Server, error) {
	b, err := os.ReadFile(scenario)
	if err != nil {
		return nil, err
	}
	s := &Server{effects: map[string]int{}, sessions: map[string]*session{}}
	if err := json.Unmarshal(b, &s.sc); err != nil {
		return nil, err
	}
	s.hits = make([]int, len(s.sc.Rules))
	s.log, err = openLog(logPath)
	return s, err
}

// message is what the server reads of a request or notification.
type message struct {
	ID     Raw
	Method string
	Params params
}

type params struct {
	Name      string `json:"name"`
	Arguments Raw    `json:"arguments"`
	URI       string `json:"uri"`
	Cursor    string `json:"cursor"`
}

// parse reads a message; params of another shape leave the envelope readable.
func parse(b []byte) message {
	var env struct {
		ID     Raw    `json:"id"`
		Method string `json:"method"`
		Params Raw    `json:"params"`
	}
	_ = json.Unmarshal(b, &env) // what cannot be read stays empty: it is answered as an unknown method
	m := message{ID: env.ID, Method: env.Method}
	_ = json.Unmarshal(env.Params, &m.Params)
	return m
}

// wantsAnswer tells a request from a notification and from a response.
func (m message) wantsAnswer() bool { return m.ID != nil && m.Method != "" }

// rule finds the first rule for a message, nil when none matches.
func (s *Server) rule(m message) *Rule {
	phase := s.log.phase()
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.sc.Rules {
		r := &s.sc.Rules[i]
		if !r.matches(m, phase) {
			continue
		}
		s.hits[i]++
		if r.From != 0 && (s.hits[i] < r.From || r.To != 0 && s.hits[i] > r.To) {
			continue
		}
		return r
	}
	return nil
}

func (r *Rule) matches(m message, phase int) bool {
	return (r.Method == "" || r.Method == m.Method) &&
		(r.Tool == "" || r.Tool == m.Params.Name && m.Method == "tools/call") &&
		(r.Phase == 0 || r.Phase == phase)
}

// ignored says that a message is never answered because its method is unknown.
func (s *Server) ignored(m message, r *Rule) bool {
	return r == nil && s.sc.IgnoreUnknown && !s.known(m.Method)
}

func (s *Server) known(method string) bool {
	switch method {
	case "initialize", "ping", "tools/list", "tools/call", "resources/list", "resources/templates/list", "resources/read":
		return true
	case "server/discover":
		return s.sc.Discover != nil
	}
	return strings.HasPrefix(method, "notifications/")
}

// countCall counts a tools/call in its session and forgets the session where
// the scenario says so.
func (s *Server) countCall(sn *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sn.calls++
	if e := s.sc.Session; e.ExpireCalls > 0 && sn.calls >= e.ExpireCalls && (e.ExpireTimes == 0 || s.begun <= e.ExpireTimes) {
		sn.gone = true
	}
}

func (s *Server) begin(sn *session, kind string) {
	s.mu.Lock()
	s.sessions[sn.id] = sn
	s.begun++
	s.mu.Unlock()
	s.log.add(Rec{Ev: EvSession, Kind: kind, Session: sn.id})
}

func (s *Server) forget(sn *session, kind string) {
	s.mu.Lock()
	sn.gone = true
	s.mu.Unlock()
	s.log.add(Rec{Ev: EvClose, Kind: kind, Session: sn.id})
}

// live gives the session of an id, nil when there is none or it was forgotten.
func (s *Server) live(id string) *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	if sn := s.sessions[id]; sn != nil && !sn.gone {
		return sn
	}
	return nil
}
