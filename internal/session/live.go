package session

import (
	"errors"
	"net/http"
	"sync"

	"github.com/mcptoolset/mcptoolset/internal/httpx"
	"github.com/mcptoolset/mcptoolset/internal/proc"
	"github.com/mcptoolset/mcptoolset/internal/stdio"
	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// live is a session that works, or worked until it was found dead.
type live struct {
	conn    *wire.Conn
	process *proc.Process    // the child of a stdio server
	stdio   *stdio.Transport // and the transport over it
	http    *httpx.Transport // under an HTTP connection
	busy    sync.WaitGroup   // operations that use it; added to with the pool's lock held
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
