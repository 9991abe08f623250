package wire_test

import (
	"bufio"
	"encoding/json"
	"io"
	"sync"
	"testing"

	"github.com/mark3labs/mcp-go/client/transport"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// peer is a raw server at the other end of a pair of pipes. Its behaviour is
// one function: what to do with each message.
type peer struct {
	transport *transport.Stdio
	in        io.ReadCloser
	out       io.WriteCloser
	mu        sync.Mutex
	heard     chan message
}

type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// newPeer answers messages by behave until the test ends.
func newPeer(t *testing.T, behave func(p *peer, m message)) *peer {
	t.Helper()
	theirIn, ourOut := io.Pipe()
	ourIn, theirOut := io.Pipe()
	p := &peer{transport: transport.NewIO(ourIn, ourOut, nil), in: theirIn, out: theirOut, heard: make(chan message, 1024)}
	var done sync.WaitGroup
	done.Go(func() {
		lines := bufio.NewScanner(theirIn)
		lines.Buffer(nil, 1<<24)
		for lines.Scan() {
			var m message
			if json.Unmarshal(lines.Bytes(), &m) == nil {
				p.heard <- m
				behave(p, m)
			}
		}
		p.hangUp()
	})
	t.Cleanup(func() {
		p.hangUp()
		done.Wait()
	})
	return p
}

func (p *peer) hangUp() {
	p.in.Close()
	p.out.Close()
}

func (p *peer) send(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, _ = io.WriteString(p.out, line+"\n")
}

func (p *peer) result(m message, result string) {
	if result == "" {
		result = "{}"
	}
	p.send(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":` + result + `}`)
}

func (p *peer) fail(m message, code, text string) {
	p.send(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"error":{"code":` + code + `,"message":"` + text + `"}}`)
}

// await returns the next message of a method.
func (p *peer) await(method string) message {
	for m := range p.heard {
		if m.Method == method {
			return m
		}
	}
	return message{}
}

const (
	modernAnswer = `{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"m","version":"1"}}}`
	legacyAnswer = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"l","version":"1"}}`
)

// modern answers like a server of 2026-07-28, legacy like one from before.
func modern(p *peer, m message) {
	switch m.Method {
	case "server/discover":
		p.result(m, modernAnswer)
	case "echo":
		p.result(m, string(m.Params))
	}
}

func legacy(p *peer, m message) {
	switch m.Method {
	case "initialize":
		p.result(m, legacyAnswer)
	case "ping":
		p.result(m, `{}`)
	case "echo":
		p.result(m, string(m.Params))
	case "server/discover":
		p.fail(m, "-32601", "Method not found")
	}
}
