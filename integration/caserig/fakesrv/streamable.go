package fakesrv

import (
	"io"
	"net/http"
	"strconv"
	"time"
)

// serveStreamable is the streamable HTTP transport.
func (s *Server) serveStreamable(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client left
	}
	m := message{Method: r.Method}
	if r.Method == http.MethodPost {
		m = parse(body)
	}
	s.logRequest(EvIn, "http", r, body, m)
	if s.refuses(w, r) {
		return
	}
	switch r.Method {
	case http.MethodPost:
		s.post(w, r, m)
	case http.MethodDelete:
		s.delete(w, r, m)
	default:
		if !s.onHTTP(w, r, m, s.rule(m)) {
			w.WriteHeader(http.StatusMethodNotAllowed)
		}
	}
}

func (s *Server) delete(w http.ResponseWriter, r *http.Request, m message) {
	if s.onHTTP(w, r, m, s.rule(m)) {
		return
	}
	if sn := s.live(r.Header.Get("Mcp-Session-Id")); sn != nil {
		s.forget(sn, "http")
	}
	if s.sc.DeleteStatus != 0 {
		w.WriteHeader(s.sc.DeleteStatus)
	}
}

func (s *Server) post(w http.ResponseWriter, r *http.Request, m message) {
	sn, ok := s.sessionOf(w, r, m)
	if !ok {
		return
	}
	rule := s.rule(m)
	if s.onHTTP(w, r, m, rule) {
		return
	}
	if !m.wantsAnswer() {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	if s.ignored(m, rule) {
		s.hold(r, lingering)
		return
	}
	if m.Method == "initialize" && !s.sc.Session.None {
		sn = newSession(newSessionID(), r.Header.Get(s.sc.Session.BindHeader))
		s.begin(sn, "http")
		w.Header().Set("Mcp-Session-Id", sn.id)
	}
	if m.Method == "tools/call" {
		s.countCall(sn)
	}
	s.respond(w, r, rule, s.answer(m, rule, sn))
}

// sessionOf finds the request's session; where the request is refused for it,
// ok is false and the answer is written. A request without a session that
// needs none has an empty one.
func (s *Server) sessionOf(w http.ResponseWriter, r *http.Request, m message) (sn *session, ok bool) {
	id := r.Header.Get("Mcp-Session-Id")
	if m.Method == "initialize" || id == "" {
		if m.Method == "tools/call" && !s.sc.Session.None && s.sc.Discover == nil {
			http.Error(w, "no session id", http.StatusBadRequest)
			return nil, false
		}
		return newSession("", ""), true
	}
	sn = s.live(id)
	if sn == nil {
		status := http.StatusNotFound
		if s.sc.Session.UnknownStatus != 0 {
			status = s.sc.Session.UnknownStatus
		}
		w.WriteHeader(status)
		send(w, s.sc.Session.UnknownBody)
		return nil, false
	}
	if h := s.sc.Session.BindHeader; h != "" && r.Header.Get(h) != sn.bound {
		s.log.add(Rec{Ev: EvForeign, Session: id})
		http.Error(w, "session belongs to another token", http.StatusForbidden)
		return nil, false
	}
	return sn, true
}

// respond writes the answer as the rule wants it written.
func (s *Server) respond(w http.ResponseWriter, r *http.Request, rule *Rule, answer []byte) {
	if rule != nil && (rule.Stream || len(rule.Before) > 0) {
		stream(w, rule, answer)
		return
	}
	if rule != nil && rule.DelayMS > 0 && !s.hold(r, time.Duration(rule.DelayMS)*time.Millisecond) {
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if rule != nil && rule.DropAfter > 0 {
		w.Header().Set("Content-Length", strconv.Itoa(len(answer)))
		send(w, string(answer[:min(rule.DropAfter, len(answer))]))
		w.(http.Flusher).Flush()
		cut(w)
		return
	}
	send(w, string(answer))
}

// stream writes the answer as an event stream: first the rule's messages, then
// keep-alive comments for as long as the answer is delayed.
func stream(w http.ResponseWriter, rule *Rule, answer []byte) {
	const beat = 200 * time.Millisecond
	es := openStream(w)
	for _, n := range rule.Before {
		es.event("message", string(n))
	}
	for left := time.Duration(rule.DelayMS) * time.Millisecond; left > 0; left -= beat {
		es.comment("keep-alive")
		time.Sleep(min(beat, left))
	}
	es.event("message", string(answer))
}
