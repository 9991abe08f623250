package fakesrv

import (
	"fmt"
	"io"
	"net/http"
	"time"
)

// serveStream is the listening stream of the HTTP+SSE transport.
func (s *Server) serveStream(w http.ResponseWriter, r *http.Request) {
	m := message{Method: r.Method}
	s.logRequest(EvIn, "sse", r, nil, m)
	if r.Method != http.MethodGet {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	if s.refuses(w, r) || s.onHTTP(w, r, m, s.rule(m)) {
		return
	}
	sn := newSession(newSessionID(), "")
	s.begin(sn, "sse")
	defer s.forget(sn, "sse")
	es := openStream(w)
	es.event("endpoint", "/message?sid="+sn.id)
	idle := time.Hour
	if s.sc.CloseIdleMS > 0 {
		idle = time.Duration(s.sc.CloseIdleMS) * time.Millisecond
	}
	for {
		select {
		case b := <-sn.out:
			es.event("message", string(b))
		case <-time.After(idle):
			return
		case <-sn.done:
			return
		case <-r.Context().Done():
			return
		}
	}
}

// serveMessage takes the messages that belong to a stream.
func (s *Server) serveMessage(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client left
	}
	m := parse(body)
	s.logRequest(EvIn, "sse", r, body, m)
	if s.refuses(w, r) {
		return
	}
	sn := s.live(r.URL.Query().Get("sid"))
	if sn == nil {
		http.Error(w, "Session not found", http.StatusNotFound)
		return
	}
	rule := s.rule(m)
	if rule != nil && (rule.Status != 0 || rule.Redirect) {
		s.onHTTP(w, r, m, rule)
		return
	}
	w.WriteHeader(http.StatusAccepted)
	if m.wantsAnswer() && !s.ignored(m, rule) {
		go s.replyOn(sn, m, rule) // ends with the stream
	}
}

func (s *Server) replyOn(sn *session, m message, rule *Rule) {
	if m.Method == "tools/call" {
		s.countCall(sn)
	}
	if rule == nil {
		sn.put(s.answer(m, nil, sn))
		return
	}
	for _, n := range rule.Before {
		sn.put(n)
	}
	answer := s.answer(m, rule, sn)
	time.Sleep(time.Duration(rule.DelayMS) * time.Millisecond)
	switch {
	case rule.EndStream, rule.Drop, rule.DropAfter > 0:
		sn.end()
	case rule.Silent:
	default:
		sn.put(answer)
	}
}

// put hands a message to the session's stream, and drops it when the stream
// does not take it.
func (s *session) put(b []byte) {
	select {
	case s.out <- b:
	case <-s.done:
	case <-time.After(time.Second):
	}
}

// eventStream writes server-sent events.
type eventStream struct {
	w     io.Writer
	flush func()
}

func openStream(w http.ResponseWriter) eventStream {
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	es := eventStream{w, w.(http.Flusher).Flush}
	es.flush()
	return es
}

func (es eventStream) event(name, data string) {
	send(es.w, fmt.Sprintf("event: %s\ndata: %s\n\n", name, data))
	es.flush()
}

func (es eventStream) comment(text string) {
	send(es.w, ": "+text+"\n\n")
	es.flush()
}
