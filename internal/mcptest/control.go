package mcptest

import (
	"encoding/json"
	"net"
	"slices"
	"sync"
)

// reportKind is what a child reports.
type reportKind string

const (
	reportStarted    reportKind = "started"
	reportReceived   reportKind = "received"
	reportCall       reportKind = "call"
	reportEnd        reportKind = "end"
	reportEOF        reportKind = "eof"
	reportGrandchild reportKind = "grandchild"
)

// report is one line from a child to its test.
type report struct {
	Kind reportKind `json:"kind"`
	PID  int        `json:"pid"`
	Raw  []byte     `json:"raw,omitempty"` // as base64: it need not be JSON
	Call *Call      `json:"call,omitempty"`
	End  *End       `json:"end,omitempty"`
}

// order is one line from a test to its children.
type order struct {
	Noted   bool   `json:"noted,omitempty"`   // a report has been noted
	Release bool   `json:"release,omitempty"` // let go what is held under Name
	Name    string `json:"name,omitempty"`
}

// control is the test's end of the connections over which children report and
// are released.
type control struct {
	listener net.Listener
	note     func(report)
	running  sync.WaitGroup

	mu       sync.Mutex
	closed   bool
	conns    []net.Conn
	released []string // for children to come
}

func listen(note func(report)) (*control, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	c := &control{listener: listener, note: note}
	c.running.Go(c.accept)
	return c, nil
}

func (c *control) address() string { return c.listener.Addr().String() }

func (c *control) accept() {
	for {
		conn, err := c.listener.Accept()
		if err != nil {
			return
		}
		if !c.welcome(conn) {
			_ = conn.Close()
			return
		}
		c.running.Go(func() { c.read(conn) })
	}
}

// welcome tells a new child what has been released, and reports whether the
// control is still open.
func (c *control) welcome(conn net.Conn) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return false
	}
	c.conns = append(c.conns, conn)
	for _, name := range c.released {
		send(conn, order{Release: true, Name: name})
	}
	return true
}

func (c *control) read(conn net.Conn) {
	for d := json.NewDecoder(conn); ; {
		var r report
		if d.Decode(&r) != nil {
			return
		}
		c.note(r)
		c.mu.Lock()
		send(conn, order{Noted: true})
		c.mu.Unlock()
	}
}

func (c *control) release(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if slices.Contains(c.released, name) {
		return
	}
	c.released = append(c.released, name)
	for _, conn := range c.conns {
		send(conn, order{Release: true, Name: name})
	}
}

func (c *control) close() {
	c.mu.Lock()
	c.closed = true
	_ = c.listener.Close()
	for _, conn := range c.conns {
		_ = conn.Close()
	}
	c.mu.Unlock()
	c.running.Wait()
}

// send writes one line. A peer that is gone does not matter.
func send(conn net.Conn, line any) {
	text, err := json.Marshal(line)
	if err == nil {
		_, _ = conn.Write(append(text, '\n'))
	}
}

// reporter is the child's end. A report is in the test's journal before the child
// goes on.
type reporter struct {
	conn  net.Conn
	noted chan struct{} // one for each report
	lost  chan struct{} // closed when the test is gone

	sending sync.Mutex
	mu      sync.Mutex
	gates   map[string]gate
}

func dial(address string) (*reporter, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	r := &reporter{conn: conn, noted: make(chan struct{}), lost: make(chan struct{}), gates: make(map[string]gate)}
	go r.read() // until this process ends
	r.send(report{Kind: reportStarted})
	return r, nil
}

func (r *reporter) read() {
	defer close(r.lost)
	for d := json.NewDecoder(r.conn); ; {
		var line order
		switch {
		case d.Decode(&line) != nil:
			return
		case line.Noted:
			r.noted <- struct{}{}
		case line.Release:
			r.gate(line.Name).open()
		}
	}
}

// gate is the one with this name; it opens when the test releases it.
func (r *reporter) gate(name string) gate {
	r.mu.Lock()
	defer r.mu.Unlock()
	g, ok := r.gates[name]
	if !ok {
		g = newGate()
		r.gates[name] = g
	}
	return g
}

// send reports and waits until that is noted.
func (r *reporter) send(line report) {
	if line.PID == 0 {
		line.PID = pid
	}
	r.sending.Lock()
	defer r.sending.Unlock()
	send(r.conn, line)
	select {
	case <-r.noted:
	case <-r.lost:
	}
}
