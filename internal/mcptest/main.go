package mcptest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/server"
	"go.uber.org/goleak"
)

// Main runs the tests of a package and fails when goroutines are left over. In a
// process started as a Child it is that child instead. It does not return.
func Main(m *testing.M, opts ...goleak.Option) {
	RunChild()
	goleak.VerifyTestMain(m, opts...)
}

// RunChild is the child, in a process started as one, and does not return there.
// Otherwise it does nothing. Main calls it; a TestMain of its own kind may.
func RunChild() {
	path, ok := os.LookupEnv(childEnv)
	if !ok {
		return
	}
	if path == stubbornGrandchild {
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
		time.Sleep(time.Hour)
		os.Exit(0)
	}
	code, err := runChild(path)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mcptest:", err)
		os.Exit(70)
	}
	os.Exit(code)
}

func runChild(path string) (int, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	var spec childSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return 0, err
	}
	r, err := dial(spec.Control)
	if err != nil {
		return 0, err
	}
	if spec.Script != nil {
		return runScript(*spec.Script, r), nil
	}
	return 0, serveStdio(*spec.Server, r)
}

// serveStdio is a real server that reports what it receives and does.
func serveStdio(spec spec, r *reporter) error {
	s, err := newServer(spec)
	if err != nil {
		return err
	}
	s.gate = r.gate("")
	s.Calls.forward = func(c Call) { r.send(report{Kind: reportCall, Call: &c}) }
	s.Ends.forward = func(e End) { r.send(report{Kind: reportEnd, End: &e}) }
	in, feed := io.Pipe()
	go reportLines(os.Stdin, feed, r)
	stdio := server.NewStdioServer(s.MCPServer)
	stdio.SetErrorLogger(log.New(io.Discard, "", 0))
	f := new(flushes)
	return stdio.Listen(context.WithValue(context.Background(), flushesKey{}, f), in, countingWriter{os.Stdout, f})
}

// reportLines passes on line by line, and reports each before.
func reportLines(from io.Reader, to *io.PipeWriter, r *reporter) {
	for lines := bufio.NewReader(from); ; {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			r.send(report{Kind: reportReceived, Raw: bytes.TrimSpace(line)})
			_, _ = to.Write(line)
		}
		if err != nil {
			r.send(report{Kind: reportEOF})
			_ = to.CloseWithError(err)
			return
		}
	}
}
