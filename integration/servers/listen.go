package servers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	startLimit = 60 * time.Second // until the server answers; a busy machine takes seconds
	pollEvery  = 20 * time.Millisecond
	tries      = 5 // of ports
)

// HTTP starts a server that speaks streamable HTTP on a free port and gives its
// URL once it answers. The server and what it started end with the test. Like
// [Find] it skips or fails a test without the server.
func HTTP(t testing.TB, name string) string {
	t.Helper()
	return listen(t, name, "streamable HTTP", func(e entry) launch { return e.http })
}

// SSE is [HTTP] for the older HTTP+SSE transport.
func SSE(t testing.TB, name string) string {
	t.Helper()
	return listen(t, name, "SSE", func(e entry) launch { return e.sse })
}

func listen(t testing.TB, name, transport string, of func(entry) launch) string {
	t.Helper()
	node, file, e := find(t, name)
	l := of(e)
	if l.path == "" {
		t.Fatalf("test server %s does not speak %s", name, transport)
	}
	var err error
	for range tries {
		var url string
		if url, err = l.start(t, node, file); err == nil {
			return url
		}
	}
	t.Fatalf("test server %s over %s: %v", name, transport, err)
	return ""
}

// start runs the server on one port until the test ends.
func (l launch) start(t testing.TB, node, file string) (string, error) {
	port, err := freePort()
	if err != nil {
		return "", err
	}
	said := &output{}
	args := with(port, l.args)
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], everything, filepath.Join(modules(file), filepath.FromSlash(entries["everything"].file)))
	}
	cmd := exec.Command(node, append([]string{file}, args...)...)
	cmd.Env = append(os.Environ(), with(port, l.env)...)
	cmd.Stdout, cmd.Stderr = said, said
	cmd.WaitDelay = time.Second
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		return "", err
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cmd.Wait() // it is ended by a signal
	}()
	stop := func() {
		killGroup(cmd)
		<-ended
	}
	url := fmt.Sprintf("http://127.0.0.1:%d%s", port, l.path)
	if err := answers(fmt.Sprintf("http://127.0.0.1:%d/", port), ended); err != nil {
		stop()
		return "", fmt.Errorf("%w; it said: %s", err, said)
	}
	t.Cleanup(func() {
		stop()
		if t.Failed() {
			t.Logf("the server at %s said: %s", url, said)
		}
	})
	return url, nil
}

// modules is the folder node_modules that an entry file is installed in.
func modules(file string) string {
	const folder = "node_modules"
	return file[:strings.Index(file, folder)+len(folder)]
}

// answers waits until the server answers any HTTP request, with whatever
// status.
func answers(url string, ended <-chan struct{}) error {
	ctx, cancel := context.WithTimeout(context.Background(), startLimit)
	defer cancel()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	poll := time.NewTicker(pollEvery)
	defer poll.Stop()
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		res, err := client.Do(req)
		if err == nil {
			return res.Body.Close()
		}
		select {
		case <-poll.C:
		case <-ended:
			return errors.New("the server ended before it answered")
		case <-ctx.Done():
			return fmt.Errorf("the server does not answer: %w", err)
		}
	}
}

// freePort gives a port that is free now. It lies below the range from which
// systems take ports for outgoing connections and for listeners that do not
// care, so that it is most likely still free when the server takes it.
func freePort() (int, error) {
	var err error
	for range tries {
		port := 20000 + rand.IntN(10000)
		var ln net.Listener
		if ln, err = net.Listen("tcp", fmt.Sprintf(":%d", port)); err == nil {
			return port, ln.Close()
		}
	}
	return 0, err
}

// output keeps the last part of what a server prints.
type output struct {
	mu sync.Mutex
	b  []byte
}

func (o *output) Write(p []byte) (int, error) {
	const most = 4 << 10
	o.mu.Lock()
	defer o.mu.Unlock()
	o.b = append(o.b, p...)
	if over := len(o.b) - most; over > 0 {
		o.b = o.b[over:]
	}
	return len(p), nil
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return string(bytes.TrimSpace(o.b))
}
