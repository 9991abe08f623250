package session

import (
	"errors"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcptoolset/mcptoolset/internal/httpx"
	"github.com/mcptoolset/mcptoolset/internal/proc"
	"github.com/mcptoolset/mcptoolset/internal/stdio"
	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// live is a session that works, or worked until it was found dead.
type live struct {
	pool    *Pool
	conn    *wire.Conn
	process *proc.Process    // the child of a stdio server
	stdio   *stdio.Transport // and the transport over it
	http    *httpx.Transport // under an HTTP connection
	busy    sync.WaitGroup   // operations that use it; added to with the pool's lock held

	identity string        // for whom it was opened
	headers  http.Header   // with what
	secrets  []string      // of a child's environment
	placed   chan struct{} // closed when it is in the pool, or never will be and has no conn

	listens  bool             // its transport asks for a stream of notices
	answered chan struct{}    // closed when the server has answered that
	reached  sync.Once        // of answered
	settled  chan struct{}    // closed when it is known whether notices come by that
	once     sync.Once        // of settle
	refused  atomic.Int64     // the status by which the transport's stream was refused last; 0 for none
	level    mcp.LoggingLevel // the server was asked for last; guarded by the pool's lock
	setting  chan struct{}    // holds one while it is asked
	ear      *ear             // what its identity hears; of no use where many share it
}

func newLive(p *Pool, a *attempt) *live {
	l := &live{
		pool: p, identity: a.identity, headers: a.headers, listens: a.listens,
		placed: make(chan struct{}), answered: make(chan struct{}), settled: make(chan struct{}), setting: make(chan struct{}, 1),
	}
	l.ear = newEar(l, p.audience(a.identity))
	return l
}

// lastHeaders are those of the session's last use.
func (l *live) lastHeaders() http.Header {
	if l.http != nil {
		return l.http.Last()
	}
	return l.headers
}

// answer notes that the server has answered whether it offers that stream.
func (l *live) answer() { l.reached.Do(func() { close(l.answered) }) }

// settle notes that it is known whether the transport's stream is offered.
func (l *live) settle() { l.once.Do(func() { close(l.settled) }) }

// refuse notes that the server refuses that stream.
func (l *live) refuse(status int) {
	l.answer()
	l.refused.Store(int64(status))
	l.settle()
}

func (l *live) release() { l.busy.Done() }

func (l *live) usable() bool {
	select {
	case <-l.conn.Gone():
		return false
	default:
		return true
	}
}

// use makes headers those of the session's own requests: its streams and the
// closing DELETE.
func (l *live) use(headers http.Header) {
	if l.http != nil {
		l.http.Use(headers)
	}
}

func (l *live) close() error {
	err := l.conn.Close()
	if l.process != nil {
		err = errors.Join(err, l.process.Close())
		<-l.stdio.Done() // the end of the process has ended its output
	}
	return err
}
