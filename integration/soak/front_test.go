//go:build unix

package soak

import (
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/server"
)

// front stands before an HTTP server and does to it what happens to servers.
type front struct {
	*httptest.Server
	ledger *ledger
	sse    bool

	mu      sync.Mutex
	random  *rand.Rand
	handler http.Handler
	stalled chan struct{} // closed when requests may go on
	busy    bool
}

func newFront(t *testing.T, l *ledger, sse bool, seed uint64) *front {
	t.Helper()
	f := &front{ledger: l, sse: sse, random: rand.New(rand.NewPCG(seed, 1)), stalled: make(chan struct{})}
	close(f.stalled)
	f.handler = f.fresh()
	f.Server = httptest.NewUnstartedServer(f)
	f.Config.ErrorLog = log.New(io.Discard, "", 0)
	f.Start()
	return f
}

// fresh is a server that knows no session.
func (f *front) fresh() http.Handler {
	if f.sse {
		return server.NewSSEServer(newServer(f.ledger))
	}
	return server.NewStreamableHTTPServer(newServer(f.ledger), server.WithStreamableHTTPLogger(quiet))
}

func (f *front) address() string {
	if f.sse {
		return f.URL + "/sse"
	}
	return f.URL + "/mcp"
}

func (f *front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	handler, stalled, busy := f.handler, f.stalled, f.busy
	dice := f.random.IntN(1000)
	f.mu.Unlock()
	select {
	case <-stalled:
	case <-r.Context().Done():
		return
	}
	posted := r.Method == http.MethodPost
	switch {
	case posted && busy:
		w.Header().Set("Retry-After", "0")
		http.Error(w, "busy", http.StatusServiceUnavailable)
	case posted && dice < 3: // the server never sees it
		panic(http.ErrAbortHandler)
	case posted && dice < 6: // it does, and nobody sees its answer
		handler.ServeHTTP(httptest.NewRecorder(), r)
		panic(http.ErrAbortHandler)
	case posted && dice < 9 && !f.sse:
		cutInTheMiddle(w, r, handler)
	default:
		handler.ServeHTTP(w, r)
	}
}

// cutInTheMiddle loses the second half of an answer.
func cutInTheMiddle(w http.ResponseWriter, r *http.Request, handler http.Handler) {
	kept := httptest.NewRecorder()
	handler.ServeHTTP(kept, r)
	for name, values := range kept.Header() {
		w.Header()[name] = values
	}
	w.WriteHeader(kept.Code)
	_, _ = w.Write(kept.Body.Bytes()[:kept.Body.Len()/2])
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

// disturb does one of the things that happen to whole servers. It returns when
// that is over.
func (f *front) disturb(dice int) {
	switch dice % 4 {
	case 0: // restarted
		f.mu.Lock()
		f.handler = f.fresh()
		f.mu.Unlock()
		f.CloseClientConnections()
	case 1: // the network broke
		f.CloseClientConnections()
	case 2: // stalled
		open := make(chan struct{})
		f.mu.Lock()
		f.stalled = open
		f.mu.Unlock()
		time.Sleep(100 * time.Millisecond)
		close(open)
	case 3: // too busy
		f.setBusy(true)
		time.Sleep(20 * time.Millisecond)
		f.setBusy(false)
	}
}

func (f *front) setBusy(busy bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.busy = busy
}
