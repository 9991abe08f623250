package httpx

import (
	"context"
	"io"
	"mime"
	"net/http"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// listening watches the GET by which mcp-go listens for notices over streamable
// HTTP before 2026-07-28 (MCP 2025-11-25, basic/transports, "Listening for
// Messages from the Server"). mcp-go opens it again a second after it ended,
// for ever, and tells nobody.
type listening struct {
	watch Watch

	mu     sync.Mutex
	delays *backoff.ExponentialBackOff
	until  time.Time // not to be opened earlier
	worked bool      // it was open once; used by the one who listens
	failed int       // so many refusals in a row; used by the one who listens
}

// Watch has its functions, which must be quick, told of the stream for the
// server's notices.
type Watch struct {
	Opened, Closed func()
	Refused        func(status int) // there is none, at least for now; 0 for no answer
	Forgotten      func()           // there was one, and the server no longer knows the session
}

const (
	firstDelay = 250 * time.Millisecond
	lastDelay  = time.Minute
	// lasting is how long a stream has to be open to have been of use.
	lasting = 10 * time.Second
	// patience is how many failures of the server in a row mean that there is
	// no stream for now.
	patience = 3
)

func newListening() *listening {
	delays := backoff.NewExponentialBackOff()
	delays.InitialInterval, delays.MaxInterval = firstDelay, lastDelay
	none := func() {}
	return &listening{delays: delays, watch: Watch{none, none, func(int) {}, none}}
}

// WatchListening has w told. It must be called before t is used, and w must be
// whole.
func (t *Transport) WatchListening(w Watch) { t.listening.watch = w }

// listens reports whether req asks for such a stream. One that goes on with
// the stream of an answer says after which event.
func (t *Transport) listens(req *http.Request) bool {
	return !t.sse && req.Method == http.MethodGet && req.Header.Get("Last-Event-ID") == ""
}

// listen sends a request for a stream.
func (t *Transport) listen(req *http.Request) (*http.Response, error) {
	if err := t.listening.wait(req.Context()); err != nil {
		return nil, err
	}
	resp, err := t.base.RoundTrip(req)
	if err == nil {
		resp, err = t.judge(req, resp)
	}
	t.listening.opened(resp, err)
	return resp, err
}

// wait holds back a stream whose predecessors were of no use.
func (l *listening) wait(ctx context.Context) error {
	l.mu.Lock()
	pause := time.Until(l.until)
	l.mu.Unlock()
	if pause <= 0 {
		return nil
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// opened judges the answer to the request for a stream. By 405 mcp-go knows
// that there is none, and stops asking.
func (l *listening) opened(resp *http.Response, err error) {
	if err != nil {
		l.delay()
		if l.failed++; l.failed == patience {
			l.watch.Refused(0)
		}
		return
	}
	media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")) // what cannot be read is no stream
	switch status := resp.StatusCode; {
	case status == http.StatusOK && media == "text/event-stream":
		l.works()
		resp.Body = &stream{ReadCloser: resp.Body, began: time.Now(), l: l}
	case status == http.StatusNotFound && l.worked:
		resp.StatusCode = http.StatusMethodNotAllowed
		l.watch.Forgotten()
	case status == http.StatusNotFound, status == http.StatusNotAcceptable, status == http.StatusMethodNotAllowed, status == http.StatusNotImplemented:
		resp.StatusCode = http.StatusMethodNotAllowed
		l.watch.Refused(status)
	default:
		l.delay()
		if l.failed++; status < http.StatusInternalServerError || l.failed == patience {
			l.watch.Refused(status)
		}
	}
}

func (l *listening) works() {
	l.failed = 0
	l.worked = true
	l.watch.Opened()
}

func (l *listening) delay() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.until = time.Now().Add(l.delays.NextBackOff())
}

// closed counts a stream that ended at once as a failure.
func (l *listening) closed(began time.Time) {
	if time.Since(began) < lasting {
		l.delay()
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.delays.Reset()
}

// stream is the body of an open one. Its end is told once.
type stream struct {
	io.ReadCloser
	began time.Time
	once  sync.Once
	l     *listening
}

func (s *stream) Read(p []byte) (int, error) {
	n, err := s.ReadCloser.Read(p)
	if err != nil {
		s.ended()
	}
	return n, err
}

func (s *stream) Close() error {
	s.ended()
	return s.ReadCloser.Close()
}

func (s *stream) ended() {
	s.once.Do(func() {
		s.l.closed(s.began)
		s.l.watch.Closed()
	})
}
