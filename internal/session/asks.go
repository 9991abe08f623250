package session

import "github.com/mcptoolset/mcptoolset/internal/wire"

// asks is what a server may ask of us over this kind of connection.
func (p *Pool) asks() *wire.Asks {
	if p.kind == wire.SSE {
		return nil
	}
	return p.o.Asks
}

// Announce tells the servers of all sessions of a change on our side. It does
// not wait.
func (p *Pool) Announce(method string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range p.entries.Values() {
		if e.live != nil && e.live.usable() {
			e.live.conn.Announce(method)
		}
	}
}
