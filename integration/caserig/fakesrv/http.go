package fakesrv

import (
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// HTTP serves streamable HTTP at /mcp and SSE at /sse until the process ends;
// the address 127.0.0.1:0 takes a free port. It prints its base URL as one
// line on standard output.
//
// A second listener stands for another host: it answers 418 and is where
// redirects lead.
func (s *Server) HTTP(addr string) error {
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	other, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	_, port, err := net.SplitHostPort(other.Addr().String())
	if err != nil {
		return err
	}
	s.other = "http://localhost:" + port
	failed := make(chan error, 2)
	go func() { failed <- http.Serve(other, http.HandlerFunc(s.serveOther)) }()
	go func() { failed <- http.Serve(ln, s.mux()) }()
	s.log.add(Rec{Ev: EvStart, Kind: "http", PID: os.Getpid()})
	fmt.Println("http://" + ln.Addr().String())
	return <-failed
}

func (s *Server) mux() *http.ServeMux {
	mux := http.NewServeMux()
	stream := "/sse"
	if s.sc.Swap {
		stream = "/mcp"
	}
	mux.HandleFunc(stream, s.serveStream)
	mux.HandleFunc("/message", s.serveMessage)
	mux.HandleFunc("/", s.serveStreamable)
	return mux
}

func (s *Server) serveOther(w http.ResponseWriter, r *http.Request) {
	s.logRequest(EvOther, "other", r, nil, message{})
	w.WriteHeader(http.StatusTeapot)
}

func (s *Server) logRequest(ev, kind string, r *http.Request, body []byte, m message) {
	headers := map[string]string{}
	for k, v := range r.Header {
		headers[k] = strings.Join(v, ", ")
	}
	sid := r.Header.Get("Mcp-Session-Id")
	if sid == "" {
		sid = r.URL.Query().Get("sid")
	}
	s.log.add(Rec{Ev: ev, Kind: kind, HTTP: r.Method, Path: r.URL.RequestURI(), Host: r.Host, Headers: headers,
		Session: sid, Method: m.Method, ID: string(m.ID), Tool: m.Params.Name, Raw: string(body)})
}

// refuses answers 401 where the scenario wants a header that is not there.
func (s *Server) refuses(w http.ResponseWriter, r *http.Request) bool {
	a := s.sc.Auth
	if a == nil || r.Header.Get(a.Header) == a.Value {
		return false
	}
	w.Header().Set("WWW-Authenticate", `Bearer realm="fake"`)
	w.WriteHeader(http.StatusUnauthorized)
	return true
}

// onHTTP does what a rule wants on the level of HTTP; done says that the
// request has its answer.
func (s *Server) onHTTP(w http.ResponseWriter, r *http.Request, m message, rule *Rule) (done bool) {
	if rule == nil || !(rule.Redirect || rule.Status != 0 || rule.Drop || rule.Silent) {
		return false
	}
	s.effect(m, rule) // the tool runs, then the transport fails
	s.renew(rule)
	if !rule.Silent {
		time.Sleep(time.Duration(rule.DelayMS) * time.Millisecond)
	}
	switch {
	case rule.Redirect:
		w.Header().Set("Location", s.other+r.URL.RequestURI())
		w.WriteHeader(http.StatusTemporaryRedirect)
	case rule.Status != 0:
		for k, v := range rule.Headers {
			w.Header().Set(k, v)
		}
		w.WriteHeader(rule.Status)
		send(w, rule.Body)
	case rule.Drop:
		cut(w)
	case rule.Silent:
		w.WriteHeader(http.StatusOK)
		s.hold(r, lingering)
	}
	return true
}

// renew writes the rule's file beside the log.
func (s *Server) renew(rule *Rule) {
	if rule.WriteFile == "" {
		return
	}
	path := filepath.Join(filepath.Dir(s.log.path), rule.WriteFile)
	if err := os.WriteFile(path, []byte(rule.WriteText), 0o600); err != nil {
		panic(err) // the case cannot be judged without it
	}
}

// hold waits, and says whether the client is still there afterwards.
func (s *Server) hold(r *http.Request, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-r.Context().Done():
		s.log.add(Rec{Ev: EvDisconnect})
		return false
	}
}

// send writes to a client; one that left is no fault.
func send(w io.Writer, text string) { _, _ = io.WriteString(w, text) }

// cut resets the connection.
func cut(w http.ResponseWriter) {
	c, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err) // plain HTTP/1.1 can be hijacked
	}
	if t, ok := c.(*net.TCPConn); ok {
		_ = t.SetLinger(0)
	}
	_ = c.Close()
}

func newSessionID() string { return "sess-" + rand.Text() }
