package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// childEnv makes a process that was started again a server.
const childEnv = "MCPTOOLSET_BENCH_SERVER"

// The servers a child may be.
const (
	childStdio = "stdio"
	childWeb   = "web"
	childDeaf  = "deaf" // speaks the older era and ignores what it does not know
)

// serveIfChild is the server in a process that is to be one, and does not
// return there.
func serveIfChild() {
	var err error
	switch os.Getenv(childEnv) {
	case "":
		return
	case childStdio:
		stdio := server.NewStdioServer(newServer(0))
		stdio.SetErrorLogger(log.New(io.Discard, "", 0))
		err = stdio.Listen(context.Background(), os.Stdin, os.Stdout)
	case childWeb:
		err = serveWeb()
	case childDeaf:
		err = serveDeaf(os.Stdin, os.Stdout)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		fmt.Fprintln(os.Stderr, "bench server:", err)
		os.Exit(70)
	}
	os.Exit(0)
}

// counts are what the HTTP server has seen.
type counts struct{ Requests, Handshakes, Connections int64 }

// serveWeb serves until stdin ends. The first line it prints is its address.
func serveWeb() error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println("http://" + l.Addr().String())
	var requests, handshakes, connections atomic.Int64
	known := new(sessions)
	hooks := new(server.Hooks)
	hooks.AddBeforeAny(func(_ context.Context, _ any, method mcp.MCPMethod, _ any) {
		if method == mcp.MethodInitialize || method == mcp.MethodServerDiscover {
			handshakes.Add(1)
		}
	})
	var mu sync.Mutex
	servers := map[int]http.Handler{}
	handler := func(others int) http.Handler {
		mu.Lock()
		defer mu.Unlock()
		if servers[others] == nil {
			servers[others] = server.NewStreamableHTTPServer(newServerWith(others, hooks),
				server.WithSessionIdManager(known), server.WithStreamableHTTPLogger(slog.New(slog.DiscardHandler)))
		}
		return servers[others]
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/counts", func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(counts{requests.Load(), handshakes.Load(), connections.Load()})
	})
	mux.HandleFunc("/forget", func(http.ResponseWriter, *http.Request) { known.forget() })
	mux.HandleFunc("/mcp/{others}", func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		others, err := strconv.Atoi(r.PathValue("others"))
		if err != nil || others < 0 || others > 10_000 {
			http.NotFound(w, r)
			return
		}
		handler(others).ServeHTTP(w, r)
	})
	web := &http.Server{Handler: mux, ConnState: func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			connections.Add(1)
		}
	}}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		_ = web.Close()
	}()
	if err := web.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// sessions are those the HTTP server knows.
type sessions struct {
	last  atomic.Int64
	known sync.Map
}

func (s *sessions) Generate() string {
	id := "session-" + strconv.FormatInt(s.last.Add(1), 10)
	s.known.Store(id, true)
	return id
}

func (s *sessions) Validate(id string) (terminated bool, err error) {
	_, ok := s.known.Load(id)
	return !ok, nil
}

func (s *sessions) Terminate(id string) (notAllowed bool, err error) {
	s.known.Delete(id)
	return false, nil
}

func (s *sessions) forget() { s.known.Clear() }

// serveDeaf answers a ping and the older handshake and says nothing to what it
// does not know.
func serveDeaf(in io.Reader, out io.Writer) error {
	answers := map[string]string{
		"ping":       `{}`,
		"initialize": `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"deaf","version":"1"}}`,
		"tools/list": `{"tools":[]}`,
	}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		var m struct {
			ID     json.RawMessage
			Method string
		}
		if json.Unmarshal(lines.Bytes(), &m) != nil || m.ID == nil || answers[m.Method] == "" {
			continue
		}
		if _, err := fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", m.ID, answers[m.Method]); err != nil {
			return err
		}
	}
	return lines.Err()
}

// legacy is the version that contenders are pinned to for the older era.
const legacy = "2025-11-25"

// modern is the version of the newer era.
const modern = mcp.ProtocolVersion20260728

// web is the HTTP server in its process.
type web struct {
	base string
	stop func()
}

func startWeb(ctx context.Context) (*web, error) {
	cmd, err := child(ctx, childWeb)
	if err != nil {
		return nil, err
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	stop := func() {
		_ = in.Close()
		_ = cmd.Wait()
	}
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		stop()
		return nil, err
	}
	return &web{base: strings.TrimSpace(address), stop: stop}, nil
}

func (w *web) close() { w.stop() }

// url is the server with so many tools besides its own.
func (w *web) url(others int) string { return w.base + "/mcp/" + strconv.Itoa(others) }

func (w *web) counts() (counts, error) {
	var c counts
	resp, err := http.Get(w.base + "/counts")
	if err != nil {
		return c, err
	}
	defer resp.Body.Close()
	return c, json.NewDecoder(resp.Body).Decode(&c)
}

// forget ends all sessions without telling anybody.
func (w *web) forget() error {
	resp, err := http.Get(w.base + "/forget")
	if err == nil {
		resp.Body.Close()
	}
	return err
}
